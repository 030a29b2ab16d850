// Draws the part of plotly's figure description that explorers use, and touches only what changed.

import { arrange } from "./arrange.js";
import { drawLegend, drawNotes } from "./annotations.js";
import { readable, round } from "./arrays.js";
import { drawAxes } from "./axes.js";
import { drawBars, knowsHatch } from "./bars.js";
import { drawContour } from "./contour.js";
import { child, set, trim } from "./dom.js";
import { drawHeatmap, knowsScale } from "./heatmap.js";
import { strokeOf } from "./lines.js";
import { knowsSymbol } from "./markers.js";
import { drawScatter } from "./scatter.js";
import { scaleOf } from "./scales.js";

const KNOWN = {
  scatter: (trace) => knowsSymbol(trace.marker?.symbol),
  bar: (trace) => knowsHatch(trace.marker?.pattern?.shape),
  heatmap: (trace) => knowsScale(trace.colorscale),
  contour: (trace) => Boolean(trace.lines),
};
let views = 0;

// Whether all of a figure can be drawn here; else plotly draws it.
export const canDraw = ({ data, layout }) =>
  ["margin", "font", "height"].every((name) => layout[name]) &&
  data.every((trace) => KNOWN[trace.type ?? "scatter"]?.(trace) ?? false) &&
  Object.entries(layout).every(([name, axis]) => !/^[xy]axis/.test(name) || axis.range);

// What a figure consists of: a legend, and a stage on which lie rasters, marks, notes, and what the reader touches.
function viewOf(root) {
  if (root.nbView) return root.nbView;
  root.replaceChildren();
  const [legend, stage] = ["div", "div"].map((tag, k) => child(root, k, tag));
  const [rasters, svg, notes, over] = ["div", "svg", "div", "div"].map((tag, k) => child(stage, k, tag));
  [legend.className, stage.className] = ["nb-legend", "nb-stage"];
  [rasters.className, notes.className, over.className] = ["nb-rasters", "nb-notes", "nb-over"];
  set(svg, { class: "nb-marks", "aria-hidden": "true" });
  const [defs, groups] = [child(svg, 0, "defs"), child(svg, 1, "g")];
  const made = { rasters, used: 0, svg, defs, groups, legend, stage, notes, over, hatches: new Map(), panels: new Map() };
  return (root.nbView = { id: `nb-${++views}`, ...made });
}

function panelOf(layout, n, area) {
  const [x, y] = [layout[`xaxis${n}`] ?? {}, layout[`yaxis${n}`] ?? {}];
  let [left, right] = (x.domain ?? [0, 1]).map((u) => area.l + u * area.w);
  let [bottom, top] = (y.domain ?? [0, 1]).map((u) => area.t + (1 - u) * area.h);
  const zoom = Math.min(1, (right - left) / (x.nominal ?? right - left)); // of marks, in a panel narrower than it was meant to be
  if (y.scaleanchor) {
    // One unit is as long on either axis; the panel shrinks to that.
    const [wide, high] = [x, y].map((axis) => Math.abs(axis.range[1] - axis.range[0]));
    const unit = Math.min((right - left) / wide, (bottom - top) / high);
    [left, right] = [-1, 1].map((side) => (left + right + side * unit * wide) / 2);
    [top, bottom] = [-1, 1].map((side) => (top + bottom + side * unit * high) / 2);
  }
  const box = [left, top, right - left, bottom - top].map(round);
  const [sx, sy] = [scaleOf(x, box[0], box[0] + box[2]), scaleOf(y, box[1] + box[3], box[1])];
  const x1 = (u, ref) => (ref.endsWith("domain") ? box[0] + u * box[2] : sx.to(u));
  const y1 = (u, ref) => (ref.endsWith("domain") ? box[1] + (1 - u) * box[3] : sy.to(u));
  return { n, x, y, sx, sy, box, x1, y1, zoom, size: layout.font.size };
}

function drawShape(group, shape, panel) {
  const [x0, x1] = [shape.x0, shape.x1].map((u) => round(panel.x1(u, shape.xref)));
  const [y0, y1] = [shape.y0, shape.y1].map((u) => round(panel.y1(u, shape.yref)));
  const d = shape.type === "line" ? `M${x0},${y0}L${x1},${y1}` : `M${x0},${y0}H${x1}V${y1}H${x0}Z`;
  set(child(group, 0, "path"), { class: "", d, ...strokeOf(shape.line), fill: shape.fillcolor ?? "none" });
  trim(group, 1);
}

const DRAW = { scatter: drawScatter, bar: drawBars, heatmap: drawHeatmap, contour: drawContour };

function drawMarks(group, panel, traces, shapes, view) {
  let k = 0;
  const layer = (below) => shapes.filter((shape) => (shape.layer === "below") === below);
  const bare = () => set(child(group, k++, "g"), { "data-trace": "" });
  for (const shape of layer(true)) drawShape(bare(), shape, panel);
  for (const trace of traces) {
    const own = set(child(group, k++, "g"), { "data-trace": trace.index });
    DRAW[trace.type ?? "scatter"](own, trace, panel, view);
  }
  for (const shape of layer(false)) drawShape(bare(), shape, panel);
  trim(group, k);
}

// Draw a figure into an element, `width` pixels wide. `root.nbView` then knows its parts, and each panel by its number:
// `box` [left, top, width, height], scales `sx`, `sy` (`to` pixels, `back` to data), axes `x`, `y`, in the stage's pixels.
// `frame` is what was drawn, its arrays readable; whoever follows the frames sets `drawn`.
export function draw(root, figure, width) {
  const { data, layout: nominal } = readable(figure);
  const layout = arrange(nominal, width);
  const [view, { margin, font, height }] = [viewOf(root), layout];
  const area = { l: margin.l, t: margin.t, w: width - margin.l - margin.r, h: height - margin.t - margin.b };
  const type = `font-size:${round(font.size)}px;font-family:${font.family ?? "sans-serif"}`;
  set(view.stage, { style: type });
  set(view.svg, { width, height: round(height) });
  set(view.legend, { style: `${type};padding-left:${layout.column ? 0 : round(margin.l)}px` });
  const traces = data.map((trace, index) => ({ ...trace, index }));
  const names = Object.keys(layout).flatMap((name) => name.match(/^xaxis(\d*)$/)?.[1] ?? []);
  const panels = (view.panels = new Map());
  view.used = 0;
  names.forEach((n, k) => {
    const panel = panelOf(layout, n, area);
    panels.set(n, panel);
    const group = child(view.groups, k, "g");
    const clip = set(child(group, 0, "clipPath"), { id: `${view.id}-panel${n}` });
    const [x, y, w, h] = panel.box;
    set(child(clip, 0, "rect"), { x, y, width: Math.max(0, w), height: Math.max(0, h) }); // a page folded away has no room
    const [grid, marks, frame] = [child(group, 1, "g"), child(group, 2, "g"), child(group, 3, "g")];
    const own = traces.filter((trace) => (trace.xaxis ?? "x") === `x${n}`);
    panel.raster = own.some((trace) => trace.type === "heatmap");
    drawAxes(grid, frame, panel);
    const shapes = (layout.shapes ?? []).filter((shape) => shape.xref.split(" ")[0] === `x${n}`);
    set(marks, { "clip-path": `url(#${view.id}-panel${n})` });
    drawMarks(marks, panel, own, shapes, view);
  });
  trim(view.groups, names.length);
  trim(view.rasters, view.used);
  drawNotes(view, layout, area, panels, width);
  drawLegend(view, layout, traces);
  view.frame = { data: traces, layout };
  view.drawn?.();
}
