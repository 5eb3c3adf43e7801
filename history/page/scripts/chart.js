// Curves, drawn by uPlot: with the arrow keys to move along them, and a line that says what stands at the cursor.

const charts = new Set();
const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const HEIGHT = 300;
const DAYS = [1, 2, 7, 14, 30, 90, 365].map((days) => 86400 * days);
const FONT = "12px system-ui, sans-serif";

// Where the day changes it is named; marks a day or more apart are days, and the year is named where it changes.
function clock(splits, step) {
  const isDays = step >= 86400;
  const parts = splits.map((at) => { const [day, time] = when(at).split(" "); return isDays ? [day.slice(5), day.slice(0, 4)] : [time, day]; });
  return parts.map(([shown, above], place) => (place && above === parts[place - 1][1] ? shown : `${shown}\n${above}`));
}

// `spec`: label, data (uPlot's), series ({label, ink, ...uPlot's}), isTime, isDaily, top, across(value of x), number(value), say(index), draw(plot).
function chart(spec) {
  const readout = element("p", { class: "readout", role: "status" });
  const host = element("div", { class: "chart", tabindex: "0", role: "group", "aria-label": spec.label });
  const hint = element("p", { class: "hint" }, "Point at the chart, or focus it and use the arrow keys, Home and End.");
  const axis = (more) => ({ stroke: () => ink("--soft"), font: FONT, grid: { stroke: () => ink("--line"), width: 0.5 }, ticks: { stroke: () => ink("--line") }, ...more });
  const times = { space: 90, size: 44, values: (_, splits, __, ___, step) => clock(splits, step), ...(spec.isDaily && { incrs: DAYS }) };
  const series = spec.series.map(({ ink: name, ...more }) => ({
    width: 2, points: { show: false }, ...more, stroke: () => ink(name), fill: more.fill && (() => ink(more.fill)),
  }));
  const options = {
    width: 300, height: HEIGHT, legend: { show: false }, padding: [14, 28, 0, 0],
    cursor: { drag: { setScale: false, x: false, y: false }, y: false },
    scales: { x: { time: spec.isTime }, y: { range: () => [0, spec.top] } },
    axes: [axis(spec.isTime ? times : { space: 70, ...(spec.across && { values: (_, splits) => splits.map(spec.across) }) }), axis({ size: 52, values: (_, values) => values.map(spec.number) })],
    series: [{}, ...series],
    hooks: {
      setCursor: [(plot) => { readout.textContent = plot.cursor.idx == null ? "" : spec.say(plot.cursor.idx); }],
      draw: spec.draw ? [spec.draw] : [],
    },
  };
  const last = spec.data[0].length - 1;
  let at = last + 1;
  host.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    at = Math.max(0, Math.min(last, step));
    plot.setCursor({ left: plot.valToPos(spec.data[0][at], "x"), top: 0 });
    readout.textContent = spec.say(at);
  });
  const plot = new uPlot(options, spec.data, host);
  plot.root.setAttribute("aria-hidden", "true");
  new ResizeObserver(() => {
    const width = host.clientWidth;
    if (width && width !== plot.width) plot.setSize({ width, height: HEIGHT });
  }).observe(host);
  charts.add(plot);
  return [host, readout, hint];
}

function forget(host) {
  for (const plot of charts) {
    if (!host.contains(plot.root)) continue;
    charts.delete(plot);
    plot.destroy();
  }
}

const keys = (...entries) => element("ul", { class: "keys" },
  ...entries.map(([style, text, sign]) => element("li", {},
    sign ? element("span", { class: `sign ${style}`, "aria-hidden": "true" }, sign) : element("span", { class: `key ${style}`, "aria-hidden": "true" }), text)));

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach((plot) => plot.redraw()));
