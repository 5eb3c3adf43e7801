// How full one session's window was, with levels, limit, compactions and warnings.

const LOUD = figures.levels.slice(1); // the levels that speak
const LEVEL_INKS = LOUD.map((name) => `--${name.toLowerCase()}`);
const DASHES = LEVEL_INKS.map((_, place) => [2 + 4 * place, 4]);
const LIMIT = LEVEL_INKS.length; // its place among the bounds, after the levels

const windowsOf = (curve) => curve.windows.map((place) => figures.occupancy.windows[place]);

// What happened after which point.
function eventsOf(curve, times) {
  const place = (at) => Math.max(0, times.findLastIndex((time) => time <= at));
  return [
    ...curve.compactions.map((mark) => ({ ...mark, what: "compaction", place: place(mark.at) })),
    ...curve.warnings.map((mark) => ({ ...mark, what: "warning", place: place(mark.at) })),
  ].sort((one, other) => one.at - other.at);
}

function eventText(event) {
  if (event.what === "warning") return `warning ${figures.levels[event.level]}`;
  return `compaction (${event.trigger})${event.before === null ? "" : ` from ${count(event.before)} tokens`}`;
}

function drawOccupancy(host, curve, isTime) {
  const { times, numbers } = curve, windows = windowsOf(curve);
  const events = eventsOf(curve, times);
  const level = (place) => (curve.levels[place] === "-" ? null : Number(curve.levels[place]));
  const stepped = uPlot.paths.stepped({ align: 1 });
  const lines = LEVEL_INKS.map((ink, place) => ({ label: LOUD[place], ink, width: place === LIMIT - 1 ? 2 : 1.5, dash: DASHES[place], paths: stepped }));
  const bounds = [...LEVEL_INKS.map((_, place) => windows.map((window) => window.levels[place] ?? null)), windows.map((window) => window.limit)];
  const xs = isTime ? times : numbers;
  const say = (place) => [
    `Answer ${count(numbers[place])}, ${when(times[place])}: ${count(curve.fills[place])} tokens`,
    windows[place].tokens ? `, ${percent(curve.fills[place], windows[place].tokens)} used` : "",
    level(place) === null ? "" : `, ${figures.levels[level(place)]}`,
    ...events.filter((event) => event.place === place).map((event) => `; then ${eventText(event)}`), ".",
  ].join("");
  const parts = chart({
    label: "Tokens in the window over the session. The table below has the same.",
    isTime, data: [xs, curve.fills, ...bounds], number: short, say,
    top: Math.max(1, ...curve.fills, ...windows.map((window) => window.tokens ?? 0)) * 1.02,
    series: [{ label: "tokens", ink: "--curve", fill: "--shade", paths: stepped, points: { show: xs.length < 30 } },
      ...lines, { label: "limit", ink: "--limit", width: 1.5, paths: stepped }],
    draw: (plot) => drawMarks(plot, events, xs, curve.fills, bounds),
  });
  const rows = curve.fills.map((fill, place) => ({ fill, place }));
  host.append(
    keys(["key-curve", "tokens in the window"], ...LOUD.map((name) => [`key-${name.toLowerCase()}`, `${name} begins`]),
      ["key-limit", "limit: where the window ends"], ["", "compaction", "▼"],
      ["", `warning: ${LOUD.map((name, place) => `${SIGNS[place + 1]} ${name}`).join(", ")}`, "!"]),
    ...parts,
    folded("As a table", () => table("Tokens in the window from answer to answer", [
      { heading: "Answer", cell: ({ place }) => count(numbers[place]) },
      { heading: "Time", cell: ({ place }) => when(times[place]) },
      numeric("Tokens", ({ fill }) => count(fill)),
      numeric("Used", ({ fill, place }) => (windows[place].tokens ? percent(fill, windows[place].tokens) : UNKNOWN)),
      { heading: "Level", cell: ({ place }) => levelWord(level(place)) },
      { heading: "Then", cell: ({ place }) => events.filter((event) => event.place === place).map(eventText).join("; ") },
    ], rows)));
}

// Readable also where it crosses a line.
function outlined(context, text, x, y) {
  context.save();
  context.setLineDash([]);
  context.strokeStyle = ink("--paper");
  context.lineWidth = 4 * devicePixelRatio;
  context.strokeText(text, x, y);
  context.restore();
  context.fillText(text, x, y);
}

function drawMarks(plot, events, xs, fills, bounds) {
  const context = plot.ctx, scale = devicePixelRatio, box = plot.bbox;
  context.save();
  context.font = `bold ${13 * scale}px system-ui, sans-serif`;
  context.lineWidth = scale;
  for (const event of events) {
    const x = plot.valToPos(xs[event.place], "x", true);
    context.fillStyle = context.strokeStyle = ink(event.what === "warning" ? LEVEL_INKS[event.level - 1] || "--soft" : "--soft");
    context.textAlign = "center";
    if (event.what === "warning") {
      outlined(context, SIGNS[event.level], x, plot.valToPos(fills[event.place], "y", true) - 6 * scale);
      continue;
    }
    context.fillText("▼", x, box.top - 2 * scale);
    context.setLineDash([2 * scale, 3 * scale]);
    context.beginPath();
    context.moveTo(x, box.top);
    context.lineTo(x, box.top + box.height);
    context.stroke();
  }
  context.font = `${12 * scale}px system-ui, sans-serif`;
  let above = -Infinity; // names that would cover each other are left to the legend
  context.textAlign = "left";
  for (const [place, name] of [...LOUD.entries()].reverse()) {
    if (bounds[place][0] === null) continue;
    const y = plot.valToPos(bounds[place][0], "y", true) - 3 * scale;
    if (y - above < 13 * scale) continue;
    context.fillStyle = ink(LEVEL_INKS[place]);
    outlined(context, name, box.left + 4 * scale, y);
    above = y;
  }
  const limit = bounds[LIMIT].at(-1); // named at the other end: the last level begins closely below it
  if (limit !== null) {
    context.fillStyle = ink("--limit");
    context.textAlign = "right";
    outlined(context, "limit", box.left + box.width - 4 * scale, plot.valToPos(limit, "y", true) - 3 * scale);
  }
  context.restore();
}

function summaryOf(curve) {
  const fullest = curve.fills.indexOf(Math.max(...curve.fills)), window = windowsOf(curve)[fullest];
  const highest = Math.max(...[...curve.levels].map((level) => (level === "-" ? -1 : Number(level))));
  const { times } = curve, answers = curve.numbers[curve.numbers.length - 1];
  return [
    `${plural(answers, "answer")} from ${when(times[0])} to ${when(times[times.length - 1])}, by ${curve.model}. `,
    `At its fullest it held ${count(curve.fills[fullest])} tokens`,
    window.tokens ? ` of ${count(window.tokens)} (${percent(curve.fills[fullest], window.tokens)})` : ", in a window of unknown size",
    highest < 0 ? ". " : `; the highest level was ${figures.levels[highest]}. `,
    window.limit === null ? "" : `Limit: ${count(window.limit)} tokens (${window.certainty}); window size: ${window.source}. `,
    `${plural(curve.compactions.length, "compaction")}, ${plural(curve.warnings.length, "warning")}.`,
  ].join("");
}

// The table of sessions ends, too, at its own number of rows.
function leftOutText(drawn, leftOut) {
  const { rows, left_out: notListed } = figures.sessions, older = plural(leftOut, "older session");
  const listed = notListed ? `The table at the end lists the newest ${count(rows.length)}` : "The table at the end lists all sessions";
  return `Only the newest ${count(drawn)} sessions have a curve; ${older} can't be chosen here. ${listed}, and every figure on this page counts all of them.`;
}

function showOccupancy() {
  const section = sectionOf("occupancy"), { curves, left_out: leftOut } = figures.occupancy;
  if (!curves.length) return section.append(nothing("No session with an answer yet."));
  const name = (curve) => `${when(curve.times[0])} · ${lastPart(curve.project)} · ${curve.session.slice(0, 8)}`;
  const options = curves.map((curve, place) => element("option", { value: place }, name(curve)));
  const select = element("select", { id: "session", onchange: () => draw() }, ...options);
  const text = element("p", { id: "session-summary" }), host = element("div");
  let isTime = true;
  function draw() {
    const curve = curves[select.value];
    forget(host);
    host.replaceChildren();
    text.textContent = summaryOf(curve);
    drawOccupancy(host, curve, isTime);
  }
  section.append(
    element("div", { class: "choices" },
      element("label", { class: "wide", for: "session" }, "Session", select),
      choice("Along", "along", [["time", "time"], ["answers", "answers"]], (value) => { isTime = value === "time"; draw(); })),
    leftOut ? element("p", { class: "hint" }, leftOutText(curves.length, leftOut)) : "",
    text, host);
  draw();
}
