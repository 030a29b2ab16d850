// Where everything stands on a page of a given width: as the layout says, smaller, or one panel below the other.

import { widthOf } from "./dom.js";

const LEAST = 11; // px of type
const LOW = 300; // px: so high is a figure at least, if it was meant to be
const COLUMN = 640; // px: on a narrower page every panel has a row of its own
const FLAT = 0.45; // of its width: no panel is lower than this
const TALL = 0.68; // of the layout's height: nor higher than this, or it hides the sentence
const TITLE = 1.3; // font sizes, a line

const numbersOf = (layout) => Object.keys(layout).flatMap((name) => name.match(/^xaxis(\d*)$/)?.[1] ?? []);
export const titleOf = (layout, n) => (layout.annotations ?? []).find((note) => note.name === "title" && note.xref === `x${n} domain`);

// The layout for a page of `width` pixels, without the room that its margin keeps for plotly's legend: ours stands apart.
export function arrange(layout, width) {
  const nominal = layout.width ?? width;
  const known = { ...layout, ...meant(layout, nominal) };
  return width < Math.min(COLUMN, nominal) ? column(known, width, nominal) : shrunk(known, width / nominal);
}

// Each panel remembers how wide it was meant to be: its marks shrink with it.
function meant(layout, nominal) {
  const room = nominal - layout.margin.l - layout.margin.r;
  const axes = numbersOf(layout).map((n) => [`xaxis${n}`, layout[`xaxis${n}`]]);
  const wide = ({ domain: [a, b] = [0, 1] }) => (b - a) * room;
  return Object.fromEntries(axes.map(([name, axis]) => [name, { ...axis, nominal: wide(axis) }]));
}

function shrunk(layout, share) {
  const { margin, font } = layout;
  const room = layout.meta?.legend ?? 0;
  const size = Math.min(font.size, Math.max(LEAST, font.size * share));
  const part = (pixels) => (pixels * size) / font.size;
  const around = { l: part(margin.l), r: part(margin.r), t: part(margin.t - room), b: part(margin.b) };
  const height = layout.height - room;
  return { ...layout, font: { ...font, size }, margin: around, height: Math.max(part(height), Math.min(height, LOW)) };
}

// Font sizes that an x axis takes up.
function below(axis) {
  if (axis.showticklabels === false) return axis.title?.text ? 2 : 0.6;
  return axis.title?.text ? 3.2 : 2;
}

// Pixels that the words beside a y axis take up; its numbers fit in any margin.
function wordsOf(axis, size, font) {
  const words = axis.showticklabels === false ? [] : Array.from(axis.ticktext ?? []);
  return Math.max(0, ...words.map((word) => widthOf(word, size, font.family) + size));
}

// Words that a panel has beside its neighbour it has not below it: there it shows them itself.
function worded(axis) {
  return axis.showticklabels === false && axis.ticktext?.some(Boolean) ? { ...axis, showticklabels: true } : axis;
}

function column(planned, width, nominal) {
  const { margin, font } = planned;
  const room = planned.height - margin.t - margin.b;
  const numbers = numbersOf(planned);
  const layout = { ...planned, ...Object.fromEntries(numbers.map((n) => [`yaxis${n}`, worded(planned[`yaxis${n}`])])) };
  const widest = Math.max(...numbers.map((n) => layout[`xaxis${n}`].nominal));
  const size = Math.max(LEAST, Math.min(font.size, (font.size * width) / (widest + margin.l + margin.r)));
  const [l, r] = [Math.max(margin.l * (size / font.size), ...numbers.map((n) => wordsOf(layout[`yaxis${n}`], size, font))), size];
  const w = width - l - r;
  let height = 0;
  const places = numbers.map((n) => {
    const title = titleOf(layout, n);
    const lines = title ? Math.ceil(widthOf(title.text, size, font.family, "bold") / width) : 0;
    const [a, b] = layout[`yaxis${n}`].domain ?? [0, 1];
    const usual = Math.max(FLAT * w, Math.min((w * (b - a) * room) / layout[`xaxis${n}`].nominal, TALL * layout.height));
    const high = usual * (layout.meta?.narrow?.[n] ?? 1);
    const top = height + (TITLE * lines + 0.8) * size;
    height = top + high + below(layout[`xaxis${n}`]) * size;
    return [top, top + high];
  });
  const found = { ...layout, font: { ...font, size }, margin: { l, r, t: 0, b: 0 }, height, column: true };
  numbers.forEach((n, k) => {
    found[`xaxis${n}`] = { ...layout[`xaxis${n}`], domain: [0, 1] };
    found[`yaxis${n}`] = { ...layout[`yaxis${n}`], domain: places[k].map((at) => 1 - at / height).reverse() };
  });
  return found;
}
