// What filled the windows: tiles laid out by d3-hierarchy, and the same as a table.

const HEADING = 24; // pixels: what a finger can hit

function showContents() {
  const section = sectionOf("contents");
  if (!figures.contents.tree.length) return section.append(nothing("Nothing has entered a window yet."));
  let measure = "tokens", path = [];
  const nodes = { name: "everything", children: figures.contents.tree };
  for (const name of ["tokens", "cost"]) nodes[name] = nodes.children.reduce((sum, branch) => sum + Math.max(0, branch[name] ?? 0), 0);
  const size = (branch) => Math.max(0, branch[measure] ?? 0);
  const trail = element("ol"), map = element("div", { class: "treemap" }), rows = element("div");
  const hues = new Map(figures.contents.tree.map((branch, place) => [branch, place % 8]));

  function open(branches, focus) {
    path = branches;
    draw();
    if (focus) trail.lastElementChild.querySelector("button").focus();
  }

  function draw() {
    const shown = path[path.length - 1] ?? nodes, whole = size(shown);
    trail.replaceChildren(...[nodes, ...path].map((branch, place) => element("li", {},
      element("button", { "aria-current": place === path.length ? "true" : false, onclick: () => open(path.slice(0, place), true) }, foreign(branch.name)))));
    drawTiles(map, shown, size, whole, (branch) => path[0] ?? branch, hues, (branches) => open([...path, ...branches], true));
    rows.replaceChildren(table(`Within ${shown.name}`, [
      { heading: "Name", cell: (branch) => (branch.children ? element("button", { onclick: () => open([...path, branch], true) }, foreign(branch.name)) : foreign(branch.name)) },
      numeric("Parts", (branch) => count(branch.parts ?? 0)),
      numeric("Tokens", (branch) => count(branch.tokens ?? 0)),
      numeric("Tokens × answers", (branch) => short(branch.cost ?? 0)),
      numeric("Share", (branch) => [percent(size(branch), whole), bar(whole ? size(branch) / whole : 0)]),
    ], [...(shown.children ?? [])].sort((one, other) => size(other) - size(one))));
  }

  section.append(
    element("div", { class: "choices" }, choice("Size", "measure",
      [["tokens", "tokens added"], ["cost", "tokens × answers they stayed for"]], (value) => { measure = value; draw(); })),
    element("nav", { "aria-label": "What the tiles show" }, trail), map, element("h3", {}, "As a table"), rows);
  new ResizeObserver(() => draw()).observe(map);
}

// Whether there is room for a heading and what it stands over; a smaller branch is one tile.
const hasHeading = (node) => node.depth === 1 && node.children && node.x1 - node.x0 >= 2 * HEADING && node.y1 - node.y0 >= 2 * HEADING;

// `size(branch)` of `whole` is what a tile shows; `top(branch)` is the tool that a branch of the first depth is under.
function drawTiles(map, shown, size, whole, top, hues, opened) {
  const below = (branch) => (branch.children ?? []).reduce((sum, child) => sum + size(child), 0);
  const tree = d3.hierarchy(shown)
    .sum((branch) => Math.max(0, size(branch) - below(branch))) // what none of its children has
    .sort((one, other) => other.value - one.value);
  d3.treemap().size([map.clientWidth, map.clientHeight]).round(true)
    .paddingTop((node) => (hasHeading(node) ? HEADING : 0))(tree);
  const tiles = tree.descendants().filter((node) => node.depth === 1 || (node.depth === 2 && hasHeading(node.parent)))
    .filter((node) => node.x1 - node.x0 > 2 && node.y1 - node.y0 > 2); // smaller ones would be their border alone
  map.replaceChildren(...tiles.map((node) => {
    const branch = node.data, first = node.depth === 1 ? branch : node.parent.data;
    const width = node.x1 - node.x0, height = node.y1 - node.y0;
    const words = `${branch.name}: ${count(size(branch))}, ${percent(size(branch), whole)}`;
    const attributes = { class: `tile hue-${hues.get(top(first)) ?? 0}`, title: words };
    const name = foreign(lastParts(branch.name, width > 120 ? 2 : 1)), value = element("span", {}, short(size(branch)));
    const open = first.children ? () => opened([first]) : null;
    const isHeading = hasHeading(node);
    const tile = isHeading
      ? element("button", { ...attributes, "aria-label": words, onclick: open }, name, value)
      : element("div", { ...attributes, "aria-hidden": "true", ...(open && { onclick: open }) });
    // Tiles without room for words have them in the table and under the pointer.
    if (!isHeading && width > 40 && height > 20) tile.append(element("b", {}, name), height > 36 ? value : "");
    for (const [side, pixels] of [["left", node.x0], ["top", node.y0], ["width", width], ["height", height]]) tile.style.setProperty(side, `${pixels}px`);
    return tile;
  }));
}
