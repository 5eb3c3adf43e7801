"use strict";
// The page's building blocks. Names and paths come from transcripts: all text goes in as text nodes, never as markup.

const figures = JSON.parse(document.getElementById("figures").textContent);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
}

// A name from outside: its direction of writing can't reorder what stands next to it.
const foreign = (text) => element("bdi", {}, text);

const sectionOf = (name) => document.querySelector(`#${name} .fill`);

// A share of the whole as a bar under its number; the number says the same.
function bar(part) {
  const made = element("span", { class: "share", "aria-hidden": "true" });
  made.style.setProperty("--part", Math.max(0, Math.min(100, 100 * part)));
  return made;
}

// A column of numbers.
const numeric = (heading, cell) => ({ heading, number: true, cell });

// `columns`: {heading, number, cell(row)}; the first names the row.
function table(caption, columns, rows) {
  const cells = (row) => columns.map(({ number, cell }, place) => {
    const content = [cell(row)].flat();
    const style = number ? "number" : null;
    return place ? element("td", { class: style }, ...content) : element("th", { scope: "row", class: style }, ...content);
  });
  const head = columns.map(({ heading, number }) => element("th", { scope: "col", class: number ? "number" : null }, heading));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row))))));
}

// A table that is built when it is opened.
function folded(summary, build) {
  const made = element("details", {}, element("summary", {}, summary));
  made.addEventListener("toggle", () => {
    if (made.open && made.children.length === 1) made.append(build());
  });
  return made;
}

function choice(legend, name, options, chosen) {
  const labels = options.map(([value, text], place) => element("label", {},
    element("input", { type: "radio", name, value, checked: place === 0, onchange: () => chosen(value) }), text));
  return element("fieldset", {}, element("legend", {}, legend), ...labels);
}

// What to change, and what that would have saved: as `tidegauge history` says it.
const advice = (section) => element("p", { class: "advice" }, figures.answers.advice[section]);
const nothing = (text) => element("p", { class: "none" }, text);
