// How numbers, times and levels are written.

const UNKNOWN = "unknown";
const SIGNS = figures.levels.map((_, level) => "!".repeat(level));
const counting = new Intl.NumberFormat("en-US");
const shortening = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

const count = (value) => (value === null ? UNKNOWN : counting.format(value));
const short = (value) => (value === null ? UNKNOWN : shortening.format(value).replace("K", "k"));
const plural = (value, one) => `${count(value)} ${one}${value === 1 ? "" : "s"}`;
const percent = (part, whole) => (!whole ? "n/a" : part > 0 && part / whole < 0.005 ? "<1%" : `${(100 * part / whole).toFixed(0)}%`);
const two = (value) => String(value).padStart(2, "0");

function when(seconds) {
  if (seconds === null) return UNKNOWN;
  const at = new Date(1000 * seconds);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

function levelWord(level) {
  if (level === null) return UNKNOWN;
  return element("span", { class: `level-${figures.levels[level].toLowerCase()}` }, `${figures.levels[level]}${SIGNS[level] ? ` ${SIGNS[level]}` : ""}`);
}

// The end of a path, where its files are told apart.
const lastParts = (path, most) => path.split(/[\\/]/).filter(Boolean).slice(-most).join("/") || path;
// A worktree may be called `3`, which alone says nothing.
const lastPart = (path) => { const last = lastParts(path, 1); return (last.length < 3 ? lastParts(path, 2) : last) || UNKNOWN; };
