// What the calls cost by how full the window was, and the levers.

const HIGH = 200000;
const portion = (share) => (share < 0.0995 ? `${(100 * share).toFixed(1)} %` : `${(100 * share).toFixed(0)} %`);

function drawBill(section, bill) {
  const { step, shares, restarted, calls, restart_at: restartAt } = bill;
  const places = [...shares.keys()], begin = (place) => place * step, percents = (values) => values.map((share) => 100 * share);
  const span = (place) => `${short(begin(place))} to ${short(begin(place + 1))} tokens`;
  const last = shares.length, edges = [...places, last].map(begin);
  const bars = uPlot.paths.bars({ size: [0.92, Infinity], align: 1 }), stepped = uPlot.paths.stepped({ align: 1 });
  const part = (isHigh) => [...percents(shares).map((share, place) => ((begin(place) >= HIGH) === isHigh ? share : null)), null];
  const policy = [...percents(restarted), 100 * restarted[last - 1]];
  const high = shares.reduce((sum, share, place) => sum + (begin(place) >= HIGH ? share : 0), 0);
  const say = (place) => [
    `${span(Math.min(place, last - 1))}: ${portion(shares[Math.min(place, last - 1)])} of the bill, ${plural(calls[Math.min(place, last - 1)], "call")}`,
    restartAt === null ? "" : `; with a restart at ${short(restartAt)}, ${portion(restarted[Math.min(place, last - 1)])}`, ".",
  ].join("");
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
      { heading: "Calls", number: true, cell: (place) => count(calls[place]) },
      { heading: "Of the bill", number: true, cell: (place) => portion(shares[place]) },
      ...(restartAt === null ? [] : [{ heading: "With restarts", number: true, cell: (place) => portion(restarted[place]) }]),
    ], places)));
}

function showBill() {
  const section = sectionOf("bill"), { bill } = figures, missing = Object.entries(bill.unpriced);
  for (const [model, calls] of missing) {
    section.append(element("p", { class: "hint" }, foreign(model), ` has no price: its ${plural(calls, "call")} count in no share. The setting history.prices takes one.`));
  }
  if (!bill.shares.length) return section.append(nothing("No call with a price yet."));
  section.append(bill.levers.length ? element("ol", { class: "levers" }, ...bill.levers.map((lever) => element("li", {},
    element("b", {}, portion(lever.saved)), element("div", {}, lever.change, element("p", { class: "hint" }, `Would have saved ${portion(lever.saved)} of the bill: ${lever.basis}.`)))))
    : nothing("Nothing would have saved a hundredth of the bill."));
  drawBill(section, bill);
  section.append(folded("What is assumed", () => element("ul", {},
    ...bill.assumptions.map((text) => element("li", {}, text)),
    element("li", {}, `A new session begins with ${count(bill.fresh_start)} tokens. Prices: as published on ${bill.prices_of}.`))));
}
