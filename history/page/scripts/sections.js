// The sections that are mostly tables.

function showTotals() {
  const { totals } = figures.sessions, sent = totals.input + totals.cache_creation + totals.cache_read;
  const entries = [
    ["Sessions", count(totals.sessions)], ["Subagents", count(totals.subagents)], ["Calls", count(totals.calls)],
    ["Input tokens", short(sent)], ["Output tokens", short(totals.output)], ["Cache hit rate", percent(totals.cache_read, sent)],
    ["Compactions", count(totals.compactions)], ["Warnings", count(totals.warnings)],
  ];
  document.getElementById("totals").append(...entries.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

function showGrowth() {
  const { tools } = figures.contents, section = sectionOf("growth");
  const whole = tools.reduce((sum, tool) => sum + Math.max(0, tool.tokens), 0);
  if (!tools.length) return section.append(nothing("Nothing has entered a window yet."));
  const part = (name) => (tool) => percent(tool[name], tool.tokens);
  section.append(table("Growth per tool, the largest first", [
    { heading: "Tool", cell: (tool) => foreign(tool.name) },
    numeric("Tokens", (tool) => [count(tool.tokens), bar(whole ? tool.tokens / whole : 0)]),
    numeric("Share", (tool) => percent(Math.max(0, tool.tokens), whole)),
    numeric("Parts", (tool) => count(tool.parts)),
    numeric("Mean", (tool) => count(Math.round(tool.tokens / tool.parts))),
    numeric("Tokens × answers", (tool) => short(tool.cost)),
    numeric("Measured", part("measured")),
    numeric("Split", part("split")),
    numeric("Estimated", part("estimated")),
  ], tools), advice("growth"));
}

function compactionsText(rows, { triggers, summary, room, over_room: over }) {
  const timed = rows.filter((row) => row.milliseconds !== null);
  const seconds = Math.round(timed.reduce((sum, row) => sum + row.milliseconds, 0) / 1000);
  return [
    `${plural(rows.length, "compaction")}, ${count(triggers.auto ?? 0)} of them automatic. `,
    summary.count
      ? `Summaries in tokens: median ${count(summary.p50)}, 99th percentile ${count(summary.p99)}, largest ${count(summary.max)}. The client keeps ${count(room)} free for one; ${over ? count(over) : "none"} took more. `
      : "No summary's size is known. ",
    timed.length ? `${count(timed.length)} of ${count(rows.length)} were timed: ${plural(seconds, "second")} in all.` : "",
  ].join("");
}

function showCompactions() {
  const { compactions: rows, answers: { compactions: sums } } = figures, section = sectionOf("compactions"), budget = sums.room;
  if (!rows.length) return section.append(nothing("No compaction yet."));
  section.append(element("p", {}, compactionsText(rows, sums)));
  const drawn = rows.filter((row) => row.summary !== null && row.at !== null);
  if (drawn.length) {
    section.append(keys(["", "tokens of a summary", "○"], ["key-limit", "kept free for one"]), ...chart({
      label: "Tokens of each summary over time. The table below has the same.", isTime: true, number: short,
      data: [drawn.map((row) => row.at), drawn.map((row) => row.summary), drawn.map(() => budget)],
      top: Math.max(budget, sums.summary.max) * 1.1,
      series: [{ label: "summary", ink: "--curve", paths: () => null, points: { show: true, size: 8 } }, { label: "kept free", ink: "--limit", width: 1.5 }],
      say: (place) => `${when(drawn[place].at)}: a summary of ${count(drawn[place].summary)} tokens, ${percent(drawn[place].summary, budget)} of what is kept free.`,
    }));
  }
  const newest = rows.slice(-200).reverse();
  section.append(table(newest.length < rows.length ? `The newest ${newest.length} compactions` : "Every compaction", [
    { heading: "Time", cell: (row) => when(row.at) },
    { heading: "Project", cell: (row) => foreign(lastPart(row.project)) },
    { heading: "Trigger", cell: (row) => row.trigger },
    numeric("Before", (row) => count(row.before)),
    numeric("Kept", (row) => count(row.after)),
    numeric("Summary", (row) => count(row.summary)),
    numeric("Seconds", (row) => (row.milliseconds === null ? UNKNOWN : count(Math.round(row.milliseconds / 1000)))),
  ], newest), advice("compactions"));
}

function showWarnings() {
  const { warnings } = figures.answers, section = sectionOf("warnings");
  if (!warnings.length) return section.append(nothing("No warning has been given yet."));
  const outcome = (heading, name) => numeric(heading, (row) => count(row[name]));
  section.append(table("Warnings by level", [
    { heading: "Level", cell: (row) => levelWord(figures.levels.indexOf(row.level)) },
    outcome("Given", "count"), outcome("Growth stopped", "growth_stopped"), outcome("State saved", "saved"),
    outcome("Compacted anyway", "compacted"), outcome("Went on", "went_on"), outcome("Too early to say", "open"),
    numeric("Acted on", (row) => (row.acted_on === null ? UNKNOWN : percent(row.acted_on, 1))),
  ], warnings), advice("warnings"));
}

function showCache() {
  const { cache: days, answers: { rebuilds } } = figures, section = sectionOf("cache");
  if (!days.length) return section.append(nothing("No call yet."));
  const rate = days.map((day) => (day.sent ? 100 * day.cached / day.sent : null));
  const midnight = (day) => new Date(`${day.day}T00:00`).getTime() / 1000;
  section.append(
    ...chart({
      label: "Hit rate of the prompt cache by day. The table below has the same.", isTime: true, isDaily: true, top: 100,
      number: (value) => `${value}%`, data: [days.map(midnight), rate],
      series: [{ label: "hit rate", ink: "--curve", fill: "--shade", points: { show: true, size: 6 } }],
      say: (place) => `${days[place].day}: ${percent(days[place].cached, days[place].sent)} of ${count(days[place].sent)} input tokens came from the cache.`,
    }),
    folded("As a table", () => table("Prompt cache by day", [
      { heading: "Day", cell: (day) => day.day },
      numeric("Input tokens", (day) => count(day.sent)),
      numeric("From the cache", (day) => count(day.cached)),
      numeric("Hit rate", (day) => percent(day.cached, day.sent)),
    ], [...days].reverse())),
    element("h3", {}, "Rebuilds by cause"),
    rebuilds.length ? table("Why the cache was written again", [
      { heading: "Cause", cell: (row) => row.cause },
      numeric("Times", (row) => count(row.count)),
      numeric("Tokens written again", (row) => count(row.tokens)),
    ], rebuilds) : nothing("The cache was never written again."),
    advice("cache"));
}

function showLimits() {
  const { limits } = figures, section = sectionOf("limits");
  if (!limits.length) return section.append(nothing("None are known: the client gives them only to its status line."));
  const data = uPlot.join(limits.map((limit) => [limit.times, limit.used]));
  const inks = ["--curve", "--critical"], styles = ["key-curve", "key-second"];
  section.append(
    keys(...limits.map((limit, place) => [styles[place % 2], `${limit.name}`])),
    ...chart({
      label: "Rate limits used over time, in percent. The table below has the most of each day.", isTime: true, number: (value) => `${value}%`, data,
      top: Math.max(100, ...limits.map((limit) => Math.max(...limit.used))),
      series: limits.map((limit, place) => ({ label: limit.name, ink: inks[place % 2], dash: place ? [6, 4] : undefined, spanGaps: true })),
      say: (place) => `${when(data[0][place])}: ${limits.map((limit, row) => (data[row + 1][place] == null ? "" : `${limit.name} ${data[row + 1][place]}% used`)).filter(Boolean).join(", ")}.`,
    }),
    folded("As a table", () => table("The most of each limit that was used on a day",
      [{ heading: "Day", cell: (row) => row.day }, ...limits.map((limit, place) => numeric(limit.name, (row) => (row.used[place] === undefined ? "" : `${row.used[place]}%`)))],
      [...new Set(limits.flatMap((limit) => limit.days.map(([day]) => day)))].sort().reverse()
        .map((day) => ({ day, used: limits.map((limit) => limit.days.find(([other]) => other === day)?.[1]) })))),
    advice("limits"));
}

function showSessions() {
  const { rows, left_out: leftOut } = figures.sessions, section = sectionOf("sessions");
  if (!rows.length) return section.append(nothing("No session yet."));
  const sent = (row) => row.input + row.cache_creation + row.cache_read;
  section.append(table(leftOut ? `The newest ${count(rows.length)} sessions; ${leftOut === 1 ? "1 older one counts" : `${count(leftOut)} older ones count`} in the figures above` : plural(rows.length, "session"), [
    { heading: "Last answer", cell: (row) => when(row.last_at) },
    { heading: "Project", cell: (row) => foreign(lastPart(row.project)) },
    { heading: "Session", cell: (row) => row.session.slice(0, 8) },
    numeric("Fullest", (row) => (row.peak === null ? UNKNOWN : `${Math.round(row.peak)}%`)),
    { heading: "Level", cell: (row) => levelWord(row.level) },
    numeric("Calls", (row) => count(row.calls)),
    numeric("Subagents", (row) => count(row.subagents)),
    numeric("Input", (row) => short(sent(row))),
    numeric("Hit rate", (row) => percent(row.cache_read, sent(row))),
    numeric("Output", (row) => short(row.output)),
    numeric("Compactions", (row) => count(row.compactions)),
    numeric("Warnings", (row) => count(row.warnings)),
  ], rows), advice("sessions"));
}
