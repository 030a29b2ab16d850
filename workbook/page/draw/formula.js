// The section's equation with the present numbers: each number over its symbol, underlined in the look of its mark.

import { INK } from "./arrays.js";
import { child, label, set, trim } from "./dom.js";

// Signs that a screen reader skips or calls by another name.
const SPOKEN = { "·": "times", "×": "times", "/": "divided by", "−": "minus", "≈": "is about", "≤": "is at most", "≥": "is at least" };
const SIGN = /(?:^|\s)([·×/−≈≤≥])(?=\s|$)/;

// Shown to all but read out as words: the sign itself is for eyes only.
function drawSign(element, sign, words) {
  set(element, { class: "nb-sign", tabindex: "", "data-mark": "", "data-hatch": "", style: "" });
  label(set(child(element, 0, "span"), { class: "", "aria-hidden": "true" }), sign);
  label(set(child(element, 1, "span"), { class: "nb-unseen", "aria-hidden": "" }), ` ${words} `);
  trim(element, 2);
}

function drawText(element, text) {
  set(element, { class: "nb-text", tabindex: "", "data-mark": "", "data-hatch": "", style: "" });
  label(set(child(element, 0, "span"), { class: "", "aria-hidden": "" }), `${text} `);
  trim(element, 1);
}

// The symbol is read before its number, and stands below it.
function drawTerm(element, { value, symbol, mark, color, hatch }, lit) {
  const style = mark || color ? `--nb-mark:${!color || color === "#000000" ? INK : color}` : "";
  const named = mark ? { tabindex: 0, "data-mark": mark, "data-lm-suppress-shortcuts": "true" } : { tabindex: "", "data-mark": "" };
  const shown = mark && lit?.has(mark) ? "nb-term nb-lit" : "nb-term";
  set(element, { class: shown, ...named, "data-hatch": hatch || "", style });
  label(set(child(element, 0, "span"), { class: "nb-symbol", "aria-hidden": "" }), symbol ? `${symbol} ` : "");
  label(set(child(element, 1, "span"), { class: "nb-value", "aria-hidden": "" }), `${value} `);
  trim(element, 2);
}

function drawFraction(element, { top, bottom }, lit, terms) {
  set(element, { class: "nb-fraction", tabindex: "", "data-mark": "", "data-hatch": "", style: "" });
  const line = (k, tag, name) => set(child(element, k, tag), { class: name });
  drawParts(line(0, "div", "nb-top"), top, lit, terms);
  label(line(1, "span", "nb-unseen"), " divided by ");
  drawParts(line(2, "div", "nb-bottom"), bottom, lit, terms);
  trim(element, 3);
}

// Texts, signs and terms are spans, fractions are divs: a kept element never changes from one to the other kind of inside.
function drawParts(element, parts, lit, terms) {
  let k = 0;
  for (const part of parts)
    if (typeof part !== "string") {
      if (part.top) drawFraction(child(element, k++, "div"), part, lit, terms);
      else {
        const drawn = child(element, k++, "span");
        drawTerm(drawn, part, lit);
        if (part.mark) terms.push({ ...part, element: drawn });
      }
    } else
      part.split(SIGN).forEach((piece, i) => {
        if (i % 2) drawSign(child(element, k++, "span"), piece, SPOKEN[piece]);
        else if (piece.trim()) drawText(child(element, k++, "span"), piece.trim());
      });
  trim(element, k);
}

// Draw an equation, as `formula.plain` gives it, into an element that keeps its parts from frame to frame.
export function drawFormula(element, parts) {
  const terms = [];
  drawParts(element, parts, element.nbLit, terms);
  element.nbTerms = terms;
}

// The terms of an equation that name one of these marks.
export const termsOf = (element, names) => (element?.nbTerms ?? []).filter(({ mark }) => names.includes(mark));

// Highlight the terms of some marks, and only those.
export function lightTerms(element, names) {
  if (!element) return;
  element.nbLit = new Set(names);
  for (const term of element.nbTerms ?? []) drawTerm(term.element, term, element.nbLit);
}
