// One panel's grid, ticks and titles; untouched while its axes stay as they are.

import { round } from "./arrays.js";
import { child, label, set, trim } from "./dom.js";
import { ticksOf } from "./scales.js";

// A grid would lie on a heatmap, not under it.
const ruled = (axis, { raster }) => axis.showgrid !== false && !raster;
const edged = (axis) => axis.showline !== false;

export function drawAxes(grid, frame, panel) {
  const { x, y, box, size, raster } = panel;
  const key = JSON.stringify([x, y, box, size, raster], (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value));
  if (frame.nbKey === key) return;
  frame.nbKey = key;
  const [l, t, w, h] = box;
  const [lines, ticks, texts] = [[], [], []];
  const [longX, longY] = [x, y].map((axis) => (axis.ticks === "outside" ? (axis.ticklen ?? 5) : 0));
  for (const [value, text] of ticksOf(x, panel.sx, "x", size)) {
    const at = round(panel.sx.to(value));
    if (ruled(x, panel) && at > l && at < l + w) lines.push(`M${at},${t}v${h}`);
    if (longX) ticks.push(`M${at},${t + h}v${longX}`);
    if (x.showticklabels !== false) texts.push({ x: at, y: round(t + h + longX + 1.1 * size), "text-anchor": "middle", text });
  }
  if (x.title?.text) texts.push({ x: round(l + w / 2), y: round(t + h + 2.75 * size), "text-anchor": "middle", text: x.title.text });
  for (const [value, text] of ticksOf(y, panel.sy, "y", size)) {
    const at = round(panel.sy.to(value));
    if (ruled(y, panel) && at > t && at < t + h) lines.push(`M${l},${at}h${w}`);
    if (longY) ticks.push(`M${l},${at}h${-longY}`);
    if (y.showticklabels !== false) texts.push({ x: round(l - longY - 3), y: round(at + 0.36 * size), "text-anchor": "end", text });
  }
  const [at, middle] = [round(l - 2.4 * size), round(t + h / 2)];
  if (y.title?.text)
    texts.push({ x: at, y: middle, "text-anchor": "middle", transform: `rotate(-90 ${at} ${middle})`, text: y.title.text });
  set(child(grid, 0, "path"), { d: lines.join(""), class: "nb-grid-lines" });
  const edges = [edged(x) && `M${l},${t + h}h${w}`, edged(y) && `M${l},${t}v${h}`];
  set(child(frame, 0, "path"), { d: edges.filter(Boolean).join("") + ticks.join(""), class: "nb-edges" });
  texts.forEach(({ text, ...place }, k) => label(set(child(frame, k + 1, "text"), { transform: "", ...place }), text));
  trim(frame, texts.length + 1);
}
