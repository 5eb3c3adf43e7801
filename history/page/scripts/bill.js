// What the calls cost by how full the window was, and the levers.

const HIGH = 200000;
const portion = (share) => (share < 0.0995 ? `${(100 * share).toFixed(1)}%` : `${(100 * share).toFixed(0)}%`);

function drawBill(section, bill) {
  const { step, shares, restarted, calls, restart_at: restartAt } = bill;
  const places = [...shares.keys()], begin = (place) => place * step, percents = (values) => values.map((share) => 100 * share);
  const span = (place) => `${short(begin(place))} to ${short(begin(place + 1))} tokens`;
  const last = shares.length, edges = [...places, last].map(begin);
  const bars = uPlot.paths.bars({ size: [0.92, Infinity], align: 1 }), stepped = uPlot.paths.stepped({ align: 1 });
  const part = (isHigh) => [...percents(shares).map((share, place) => ((begin(place) >= HIGH) === isHigh ? share : null)), null];
  const policy = [...percents(restarted), 100 * restarted[last - 1]];
  const high = shares.reduce((sum, share, place) => sum + (begin(place) >= HIGH ? share : 0), 0);
  const say = (edge) => { // the last edge ends the last bar
    const place = Math.min(edge, last - 1), restart = restartAt === null ? "" : `; with a restart at ${short(restartAt)}, ${portion(restarted[place])}`;
    return `${span(place)}: ${portion(shares[place])} of the bill, ${plural(calls[place], "call")}${restart}.`;
  };
  const top = Math.max(1, ...percents(shares), ...(restartAt === null ? [] : policy)) * 1.1;
  section.append(
    element("h3", {}, "By how full the window was at each call"),
    element("p", {}, `Calls in windows of ${short(HIGH)} tokens and more: ${portion(high)} of the bill.`),
    keys(["key-bar", `below ${short(HIGH)} tokens`], ["key-high", `${short(HIGH)} tokens and more`],
      ...(restartAt === null ? [] : [["key-policy", `with a new session at the first prompt past ${short(restartAt)} tokens`]])),
    ...chart({
      label: "Share of the bill by the tokens in the window. The table below has the same.",
      isTime: false, data: [edges, part(false), part(true), restartAt === null ? edges.map(() => null) : policy],
      number: (value) => `${value}%`, across: short, say, top,
      series: [
        { label: "below", ink: "--bar", fill: "--bar", width: 0, paths: bars },
        { label: "above", ink: "--high", fill: "--high", width: 0, paths: bars },
        { label: "policy", ink: "--ink", width: 2.5, dash: [8, 5], paths: stepped },
      ],
    }),
    folded("As a table", () => table("Share of the bill by the tokens in the window", [
      { heading: "Tokens in the window", cell: (place) => span(place) },
      numeric("Calls", (place) => count(calls[place])),
      numeric("Of the bill", (place) => portion(shares[place])),
      ...(restartAt === null ? [] : [numeric("With restarts", (place) => portion(restarted[place]))]),
    ], places)));
}

function showBill() {
  const section = sectionOf("bill"), { bill } = figures, unpriced = Object.entries(bill.unpriced).sort((a, b) => b[1] - a[1]);
  for (const [model, calls] of unpriced.slice(0, 3)) {
    section.append(element("p", { class: "hint" }, foreign(model), ` has no price: the bill leaves out its ${plural(calls, "call")}. The setting history.prices takes one.`));
  }
  if (unpriced.length > 3) section.append(element("p", { class: "hint" }, `The same holds for ${plural(unpriced.length - 3, "other model")}.`));
  if (!bill.shares.length) return section.append(nothing("No call with a price yet."));
  section.append(bill.levers.length ? element("ol", { class: "levers" }, ...bill.levers.map((lever) => element("li", {},
    element("b", {}, portion(lever.saved)), element("div", {}, lever.change, element("p", { class: "hint" }, `Would have saved ${portion(lever.saved)} of the bill: ${lever.basis}.`)))))
    : nothing("Nothing would have saved a hundredth of the bill."));
  drawBill(section, bill);
  section.append(folded("What is assumed", () => element("ul", {},
    ...bill.assumptions.map((text) => element("li", {}, text)),
    element("li", {}, `A new session begins with ${count(bill.fresh_start)} tokens. Prices: as published on ${bill.prices_of}.`))));
}
