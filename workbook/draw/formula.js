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
  set(element, { class: text.length < 3 ? "nb-text nb-sign" : "nb-text", tabindex: "", "data-mark": "", "data-hatch": "", style: "" });
  label(set(child(element, 0, "span"), { class: "", "aria-hidden": "" }), `${text} `);
  trim(element, 1);
}

// The symbol is read before its number, and stands below it.
function drawTerm(element, { value, symbol, mark, color, hatch }, lit) {
  const style = mark || color ? `--nb-mark:${!color || color === "#000000" ? INK : color}` : "";
  const named = mark ? { tabindex: 0, "data-mark": mark } : { tabindex: "", "data-mark": "" };
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

// The pieces of an equation: its terms and fractions, {text}, {sign}.
function piecesOf(parts) {
  const cut = (text) => text.split(SIGN).map((piece, i) => (i % 2 ? { sign: piece } : { text: piece.trim() }));
  return parts.flatMap((part) => (typeof part === "string" ? cut(part).filter(({ text }) => text !== "") : [part]));
}

function drawPiece(parent, k, piece, lit, terms) {
  if (piece.top) return drawFraction(child(parent, k, "div"), piece, lit, terms);
  const element = child(parent, k, "span");
  if (piece.sign) drawSign(element, piece.sign, SPOKEN[piece.sign]);
  else if (piece.text) drawText(element, piece.text);
  else {
    drawTerm(element, piece, lit);
    if (piece.mark) terms.push({ ...piece, element });
  }
}

// A line is broken before a text or a sign, never between it and its number. Texts, signs and terms are spans, fractions
// are divs: a kept element need not be emptied when it becomes another of its kind.
function drawParts(element, parts, lit, terms) {
  let [steps, k, number] = [0, 0, true];
  let step = null;
  for (const piece of piecesOf(parts)) {
    const said = piece.sign ?? piece.text;
    if (!step || (number && said && !/^[),;]/.test(said))) {
      if (step) trim(step, k);
      [step, k] = [set(child(element, steps++, "div"), { class: "nb-step" }), 0];
    }
    drawPiece(step, k++, piece, lit, terms);
    number = !said;
  }
  if (step) trim(step, k);
  trim(element, steps);
}

// Draw an equation, as `formula.encode_parts` returns it, into an element that keeps its parts from frame to frame.
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
