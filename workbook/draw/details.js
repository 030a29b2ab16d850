// Hover texts: a mark that is pointed at, tapped or reached by an arrow key is outlined with its text beside it and its
// terms in the equation are highlighted; a term that is pointed at or focused outlines its marks.

import { INK } from "./arrays.js";
import { child, label, set, trim } from "./dom.js";
import { lightTerms, termsOf } from "./formula.js";
import { namesAt, nearestMark, outlineOf, outlinesOf, seriesOf, spotOf } from "./hit_testing.js";
import { pictureAt, wordsAt } from "./words.js";

const ASIDE = 10; // px between a mark and its words
const MOVED = 10; // px: a finger that went further did not tap

// The layer of a stage for outlines, hover text and the tab stop of the arrow keys. It takes no pointer events.
function layerOf(view) {
  if (view.layer?.isConnected) return view.layer;
  const layer = (view.layer = document.createElement("div"));
  layer.className = "nb-details";
  set(child(layer, 0, "svg"), { class: "nb-outlines", "aria-hidden": "true" });
  set(child(layer, 1, "div"), {
    class: "nb-reader", tabindex: 0, role: "application", "aria-roledescription": "figure",
    "aria-label": "Figure; arrow keys read its marks",
  });
  set(child(layer, 2, "div"), { class: "nb-words", "aria-hidden": "true", hidden: "hidden" });
  set(child(layer, 3, "div"), { class: "nb-unseen", "aria-live": "polite" });
  view.stage.insertBefore(layer, view.over);
  return layer;
}

// The lines of a mark's hover text, or else of its terms in the equation.
function linesOf(root, { series, i }) {
  const own = series.trace.hovertemplate ? wordsAt(series.trace, i, series.count) : [];
  const terms = own.length ? [] : termsOf(root.nbFormula, namesAt(series, i));
  return [...own, ...terms.map(({ symbol, value }) => (symbol ? `${symbol} = ${value}` : value))];
}

// The series with hover texts or with terms in the equation.
function seriesWithText(root) {
  return seriesOf(root.nbView).filter((series) => {
    if (series.trace.hovertemplate && series.trace.hoverinfo !== "skip") return true;
    return termsOf(root.nbFormula, [series.name, ...series.ids].filter(Boolean)).length > 0;
  });
}

function drawOutlines(view, pieces) {
  const svg = set(view.layer.firstChild, { width: view.svg.getAttribute("width"), height: view.svg.getAttribute("height") });
  pieces.forEach(({ series, d, width, redraw, look }, k) => {
    const group = set(child(svg, k, "g"), { "clip-path": width ? `url(#${view.id}-panel${series.panel.n})` : "" });
    const [dark, light] = width ? [width + 7, width + 4] : [2.5, 5];
    const strokes = [["nb-ring", INK, dark], ["nb-paper", "var(--nb-paper, white)", light]];
    const order = width ? strokes : strokes.reverse(); // a casing has its edge outside, a ring its light around it
    order.forEach(([name, stroke, wide], j) => set(child(group, j, "path"), { class: name, d, fill: "none", stroke, "stroke-width": wide }));
    const again = child(group, 2, "g");
    if (redraw) redraw(again);
    else if (look) trim(set(child(again, 0, "path"), { d, ...look }).parentNode, 1);
    else trim(again, 0);
  });
  trim(svg, pieces.length);
}

function drawPicture(canvas, [rows, columns, shares]) {
  [canvas.width, canvas.height] = [columns, rows];
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  shares.forEach((share, i) => image.data.set([0, 0, 0, Math.round(255 * share)], 4 * i));
  context.putImageData(image, 0, 0);
}

// The left and top of a hover text: beside the mark if there is room, else above or below it, inside the stage.
function placeOf(spot, wide, high, width, height) {
  const within = (at, size, room) => Math.max(0, Math.min(room - size, at));
  const [l, t, r, b] = spot;
  const middle = [within((l + r - wide) / 2, wide, width), within((t + b - high) / 2, high, height)];
  if (r + ASIDE + wide <= width) return [r + ASIDE, middle[1]];
  if (l - ASIDE - wide >= 0) return [l - ASIDE - wide, middle[1]];
  return [middle[0], t - ASIDE - high >= 0 ? t - ASIDE - high : within(b + ASIDE, high, height)];
}

function drawHoverText(root, mark, lines) {
  const { layer, svg, frame } = root.nbView;
  const box = layer.childNodes[2];
  set(box, { hidden: lines.length ? "" : "hidden" });
  if (!lines.length) return;
  const [width, height] = ["width", "height"].map((name) => Number(svg.getAttribute(name)));
  const picture = pictureAt(mark.series.trace, mark.i, mark.series.count);
  if (picture) drawPicture(child(box, 0, "canvas"), picture);
  const texts = child(box, picture ? 1 : 0, "div");
  lines.forEach((line, k) => label(child(texts, k, "div"), line));
  trim(texts, lines.length);
  trim(box, picture ? 2 : 1);
  const size = `font-size:${Math.max(11, frame.layout.font.size)}px;max-width:${Math.min(280, width) - 20}px`;
  set(box, { style: `${size};left:0;top:0` });
  const [left, top] = placeOf(spotOf(mark), box.offsetWidth, box.offsetHeight, width, height);
  set(box, { style: `${size};left:${Math.round(left)}px;top:${Math.round(top)}px` });
}

// Show what is pointed at or focused: { series, i } for a mark, { term } for a term of the equation, null for nothing.
function showTarget(root) {
  const { nbView: view, nbTouch: touch } = root;
  const target = touch.hovered ?? touch.focused;
  if (!target && !view.drawn) return; // nothing is shown, and nothing is to be
  layerOf(view);
  view.drawn = target ? () => queueMicrotask(() => refresh(root)) : null;
  const names = target?.term ? [target.term.dataset.mark] : target ? namesAt(target.series, target.i) : [];
  lightTerms(root.nbFormula, names);
  drawOutlines(view, target?.term ? outlinesOf(view, names[0]) : target ? [outlineOf(target)] : []);
  drawHoverText(root, target, target?.series ? linesOf(root, target) : []);
}

// The same mark in the frame that was just drawn; null if it is gone.
function sameMark(root, target) {
  if (!target || target.term) return target?.term.dataset.mark && target.term.isConnected ? target : null;
  const series = seriesWithText(root).find(({ key }) => key === target.series.key);
  if (!series) return null;
  const id = target.series.ids[target.i];
  const i = id === undefined ? target.i : series.ids.indexOf(id);
  return i >= 0 && i < series.count && series.box(i) ? { series, i } : null;
}

function refresh(root) {
  const { nbTouch: touch } = root;
  [touch.hovered, touch.focused] = [sameMark(root, touch.hovered), sameMark(root, touch.focused)];
  showTarget(root);
}

// The mark that an arrow key leads to: left and right along a series, up and down to the nearest of another one.
function reachedBy(root, from, key) {
  const rows = seriesWithText(root).flatMap((series) => {
    const seen = [...Array(series.count).keys()].filter((i) => series.box(i));
    return seen.length ? [{ series, seen }] : [];
  });
  if (!rows.length) return null;
  const row = rows.findIndex(({ series }) => series.key === from?.series?.key);
  if (row < 0) return { series: rows[0].series, i: rows[0].seen[0] };
  const { series, seen } = rows[row];
  const at = seen.indexOf(from.i);
  const along = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: seen.length - 1 }[key];
  if (along !== undefined) return { series, i: seen[Math.max(0, Math.min(seen.length - 1, along))] };
  const other = rows[Math.max(0, Math.min(rows.length - 1, row + (key === "ArrowUp" ? -1 : 1)))];
  if (other.series === series) return from;
  const middle = (mark) => spotOf(mark).reduce(([x, y], side, k) => (k % 2 ? [x, y + side / 2] : [x + side / 2, y]), [0, 0]);
  const [x, y] = middle(from);
  const far = (i) => Math.hypot(...middle({ series: other.series, i }).map((place, k) => place - [x, y][k]));
  const near = other.seen.reduce((best, i) => (far(i) < far(best) ? i : best));
  return { series: other.series, i: other.series.panel === series.panel ? near : other.seen[0] };
}

const touchOf = (root) => (root.nbTouch ??= { hovered: null, focused: null });

function listen(element, handlers, options) {
  for (const [name, handler] of Object.entries(handlers)) element.addEventListener(name, handler, options);
  return () => {
    for (const [name, handler] of Object.entries(handlers)) element.removeEventListener(name, handler, options);
  };
}

// Show hover texts of the marks of a drawn figure, and read them aloud where a mark was tapped or reached by key. Returns a
// function that detaches all of it.
export function attachDetails(root) {
  const touch = touchOf(root);
  const reader = layerOf(root.nbView).childNodes[1];
  let pressed = null;

  function say() {
    const [, , box, live] = root.nbView.layer.childNodes;
    const words = box.hidden ? "" : [...box.lastChild.childNodes].map((line) => line.textContent).join(", ");
    if (live.textContent !== words) live.textContent = words;
  }
  function at(event) {
    const { stage } = root.nbView;
    const { left, top, width } = stage.getBoundingClientRect();
    const scale = stage.offsetWidth / width || 1;
    return nearestMark(seriesWithText(root), (event.clientX - left) * scale, (event.clientY - top) * scale);
  }
  function hover(mark) {
    const now = touch.hovered;
    if (mark?.series === now?.series && mark?.i === now?.i && !now?.term) return;
    touch.hovered = mark;
    showTarget(root);
  }
  const stop = [
    listen(root, {
      // Not while a button is down: then something is dragged.
      pointermove: (event) => event.pointerType !== "touch" && hover(event.buttons ? null : at(event)),
      pointerleave: (event) => event.pointerType !== "touch" && hover(null),
      pointerdown(event) {
        pressed = [event.clientX, event.clientY];
        if (event.pointerType !== "touch") hover(null);
      },
      pointerup(event) {
        const from = pressed;
        pressed = null; // a grip keeps its presses to itself
        if (event.pointerType !== "touch" || !from) return;
        if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) > MOVED) return;
        hover(at(event));
        say();
      },
    }),
    listen(document, { pointerdown: (event) => event.pointerType === "touch" && !root.contains(event.target) && hover(null) }),
    listen(reader, {
      keydown(event) {
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        if (/^Arrow|^Home$|^End$/.test(event.key)) touch.focused = reachedBy(root, touch.focused, event.key);
        else if (event.key === "Escape" && touch.focused) touch.focused = null;
        else return;
        event.preventDefault();
        event.stopPropagation();
        touch.hovered = null;
        showTarget(root);
        say();
      },
      blur() {
        touch.focused = null;
        showTarget(root);
      },
    }),
  ];
  return () => {
    [touch.hovered, touch.focused] = [null, null];
    showTarget(root);
    stop.forEach((undo) => undo());
    root.nbView.layer.remove();
  };
}

// Link the terms of an equation with the marks of a drawn figure. Returns what undoes it.
export function linkFormula(root, element) {
  const touch = touchOf(root);
  root.nbFormula = element;
  const point = (slot, term) => {
    if (term === touch[slot]?.term) return;
    touch[slot] = term && { term };
    showTarget(root);
  };
  const of = (target) => target?.closest?.("[data-mark]") ?? null;
  return listen(element, {
    pointerover: (event) => event.pointerType !== "touch" && point("hovered", of(event.target)),
    pointerleave: () => point("hovered", null),
    focusin: (event) => point("focused", of(event.target)),
    focusout: () => point("focused", null),
  });
}
