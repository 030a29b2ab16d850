// Numbers: a button under a figure opens its tables. While it is closed nothing is made; open, they follow the figure.

import { child, set, trim } from "./dom.js";
import { copiedCell, shownCell, tablesOf } from "./figure_tables.js";

const MOST_CELLS = 3000; // of a table at once: so many are drawn in a few milliseconds
const FEWEST_ROWS = 20; // rows, however wide they are
const CALM = 150; // ms from one filling to the next
const ROUNDED = "This page keeps numbers as finely as the figure shows them; the notebook has them in full.";
const REFUSED = "Your browser does not let this page copy. The table is selected: press Ctrl+C, or ⌘C on a Mac.";
let attached = 0;

function write(element, text) {
  if (element.nbText !== text) element.textContent = element.nbText = text;
  return element;
}

// The first column says what a row is of.
function fillRow(row, columns, k) {
  columns.forEach(({ cell, format }, c) => {
    const value = cell(k);
    const text = shownCell(value, typeof format === "function" ? format(k) : format);
    const words = typeof value === "string" ? "nb-wordy" : "";
    write(c ? set(child(row, c, "td"), { class: words }) : set(child(row, c, "th"), { scope: "row" }), text);
  });
  trim(row, columns.length);
}

function fillTable(element, { caption, columns }, rows) {
  write(child(element, 0, "caption"), caption);
  const head = child(child(element, 1, "thead"), 0, "tr");
  columns.forEach((column, c) => write(set(child(head, c, "th"), { scope: "col" }), column.head));
  trim(head, columns.length);
  const body = child(element, 2, "tbody");
  for (let k = 0; k < rows; k++) fillRow(child(body, k, "tr"), columns, k);
  trim(body, rows);
}

// A table as text that a spreadsheet reads, all of its rows.
function tabbed({ columns, count }) {
  const rows = Array.from({ length: count }, (_, k) => columns.map(({ cell }) => copiedCell(cell(k))));
  return [columns.map(({ head }) => copiedCell(head)), ...rows].map((cells) => cells.join("\t")).join("\n");
}

function selectAll(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}

// Let a button open and close the tables of a figure in an element. figure: gives what is shown; coarse: its numbers were
// rounded to what can be seen. Returns { drawn, stop }; drawn says that there is a new frame.
export function attachNumbers(button, element, figure, coarse = false) {
  let [waits, whole, tables] = [0, new Set(), []]; // whole: the captions of the tables of which every row is wanted
  set(element, { id: `nb-numbers-${++attached}`, role: "group", "aria-label": "Numbers of the figure", hidden: "hidden" });
  set(button, { "aria-expanded": "false", "aria-controls": element.id });
  button.textContent = "Numbers";
  const [said, list, note] = ["p", "div", "p"].map((tag, k) => child(element, k, tag));
  set(said, { role: "status", class: "nb-numbers-said" });
  set(note, { class: "nb-numbers-note", hidden: coarse ? "" : "hidden" });
  note.textContent = ROUNDED;
  const open = () => !element.hidden && element.clientWidth > 0;

  function say(words) {
    said.textContent = "";
    queueMicrotask(() => (said.textContent = words)); // the same words again are heard again
  }

  async function copy(k) {
    const { caption, count } = tables[k];
    try {
      await navigator.clipboard.writeText(tabbed(tables[k]));
      say(`Copied ${count} ${count === 1 ? "row" : "rows"} of “${caption}”, ready to paste into a spreadsheet.`);
    } catch {
      whole.add(caption);
      fill();
      const box = list.childNodes[k].firstChild;
      box.focus();
      selectAll(box.firstChild);
      say(REFUSED);
    }
  }

  function act(name, k, more) {
    const made = child(list.childNodes[k].lastChild, more ? 1 : 2, "button");
    if (!made.onclick) made.onclick = more ?? (() => copy(k));
    return write(set(made, { type: "button" }), name);
  }

  function fill() {
    tables = tablesOf(figure(), coarse);
    tables.forEach((table, k) => {
      const { caption, columns, count } = table;
      const part = child(list, k, "div");
      const [box, row] = [child(part, 0, "div"), child(part, 1, "div")];
      set(box, { class: "nb-table", tabindex: 0, role: "group", "aria-label": caption });
      const most = whole.has(caption) ? count : Math.max(FEWEST_ROWS, Math.floor(MOST_CELLS / columns.length));
      fillTable(child(box, 0, "table"), table, Math.min(count, most));
      write(set(child(row, 0, "span"), { hidden: count > most ? "" : "hidden" }), `The first ${most} of ${count} rows; Copy takes all.`);
      const rest = act("Show all rows", k, () => (whole.add(tables[k].caption), fill()));
      set(rest, { hidden: count > most ? "" : "hidden", "aria-label": `Show all rows of ${caption}` });
      set(act("Copy", k), { "aria-label": `Copy ${caption}` });
      trim(row, 3);
    });
    trim(list, tables.length);
  }

  function drawn() {
    if (waits || !open()) return;
    waits = setTimeout(() => ((waits = 0), open() && fill()), CALM);
  }

  function turn() {
    element.hidden = !element.hidden;
    button.setAttribute("aria-expanded", !element.hidden);
    said.textContent = "";
    whole.clear();
    if (open()) fill();
    else trim(list, 0);
  }

  button.addEventListener("click", turn);
  return { drawn, stop: () => (clearTimeout(waits), button.removeEventListener("click", turn)) };
}
