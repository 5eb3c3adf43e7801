// What the page shows, from top to bottom. Whoever has nothing to draw says so in a line.

document.getElementById("about").textContent =
  `${figures.since === 0 ? "From the first session" : `From ${when(figures.since)}`} to ${when(figures.made_at)}.`;
for (const show of [showTotals, showBill, showOccupancy, showContents, showGrowth, showCompactions, showWarnings, showCache, showLimits, showSessions]) show();
