// Where the marks of the last frame stand: which one is nearest to a point, and what outlines one or all of a name.

import { nth, placed, round } from "./arrays.js";
import { barPlaces } from "./bars.js";
import { linePath, strokeOf } from "./lines.js";
import { drawScatter } from "./scatter.js";

const MARK_REACH = 24; // px
// Among marks of equal distance the finer kind is meant: what lies under the others is reached where they are not.
const HANDICAP = { point: 0, line: 5, bar: 10, area: 15 };

const ordered = (a, b) => (a < b ? [a, b] : [b, a]);

// [left, top, right, bottom] of what a panel shows of a rectangle; null if that is nothing.
function shownBox([l, t, w, h], [xa, xb], [ya, yb]) {
  if (!Number.isFinite(xa + xb + ya + yb)) return null;
  const [[x0, x1], [y0, y1]] = [ordered(xa, xb), ordered(ya, yb)];
  const box = [Math.max(l, x0), Math.max(t, y0), Math.min(l + w, x1), Math.min(t + h, y1)];
  return box[0] <= box[2] + 1 && box[1] <= box[3] + 1 ? box : null;
}

function scatterSeries(trace, panel) {
  const [xs, ys] = [placed(trace.x, panel.sx), placed(trace.y, panel.sy)];
  const mode = trace.mode ?? "lines+markers";
  const [lined, marked] = ["lines", "markers"].map((part) => mode.includes(part));
  const size = (i) => (marked ? nth(trace.marker?.size, i, 6) : 0);
  function box(i) {
    if (marked && !lined && !(size(i) > 0)) return null;
    return shownBox(panel.box, [xs[i], xs[i]], [ys[i], ys[i]]);
  }
  const found = { kind: marked ? "point" : "line", count: xs.length, box, size };
  if (!lined) return found;
  const redraw = (group) => drawScatter(group, trace, panel);
  return { ...found, line: [xs, ys], whole: { d: linePath(xs, ys, trace.line?.shape), width: trace.line?.width ?? 2, redraw } };
}

function barSeries(trace, panel) {
  const [places, lying] = [barPlaces(trace, panel), trace.orientation === "h"];
  const across = (i) => [places[i].a, places[i].b];
  const clipped = (i, along) => (lying ? shownBox(panel.box, along, across(i)) : shownBox(panel.box, across(i), along));
  const end = (i) => clipped(i, [places[i].end, places[i].end]);
  return { kind: "bar", count: places.length, box: (i) => clipped(i, [places[i].from, places[i].end]), end };
}

function contourSeries(trace, panel) {
  const d = linePath(placed(trace.lines.x, panel.sx), placed(trace.lines.y, panel.sy));
  return { kind: "line", count: 0, whole: { d, width: 2, look: strokeOf(trace.line) } };
}

function shapeSeries(shape, panel) {
  const [x0, x1] = [shape.x0, shape.x1].map((u) => panel.x1(u, shape.xref));
  const [y0, y1] = [shape.y0, shape.y1].map((u) => panel.y1(u, shape.yref));
  const box = () => shownBox(panel.box, [x0, x1], [y0, y1]);
  if (shape.type !== "line") return { kind: "area", count: 1, box };
  const whole = { d: linePath([x0, x1], [y0, y1]), width: shape.line?.width ?? 2, look: strokeOf(shape.line) };
  return { kind: "line", count: 1, box, segment: [x0, y0, x1, y1], whole };
}

const SERIES = { scatter: scatterSeries, bar: barSeries, contour: contourSeries };

// The traces and the shapes of the last frame, each with its marks; found when they are first asked for.
export function seriesOf(view) {
  if (!view.frame) return [];
  if (view.frame.series) return view.frame.series;
  const { data, layout } = view.frame;
  const series = (key, source, panel, name, found) => ({ key, panel, trace: source, name, ids: [], ...found });
  const traces = data.filter(({ type }) => type !== "heatmap").map((trace) => {
    const panel = view.panels.get((trace.xaxis ?? "x").slice(1));
    const found = SERIES[trace.type ?? "scatter"](trace, panel);
    return series(`trace ${trace.index}`, trace, panel, trace.meta?.mark, { ...found, ids: trace.ids ?? [] });
  });
  const shapes = (layout.shapes ?? []).map((shape, k) => {
    const panel = view.panels.get(shape.xref.split(" ")[0].slice(1));
    return series(`shape ${k}`, shape, panel, shape.name, shapeSeries(shape, panel));
  });
  return (view.frame.series = [...traces, ...shapes]);
}

// Names by which the equation may call the i-th mark of a series.
export const namesAt = ({ name, ids }, i) => [name, ids[i]].filter(Boolean);

function toSegment(x, y, xa, ya, xb, yb) {
  const [dx, dy] = [xb - xa, yb - ya];
  const along = Math.max(0, Math.min(1, ((x - xa) * dx + (y - ya) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - xa - along * dx, y - ya - along * dy);
}

// A line's point has the line halfway to its neighbours; null where the line has a gap.
function toLine([xs, ys], i, x, y) {
  const half = (j) => toSegment(x, y, xs[i], ys[i], (xs[i] + xs[j]) / 2, (ys[i] + ys[j]) / 2);
  const found = [i - 1, i + 1].map((j) => (Number.isFinite(xs[j] + ys[j]) ? half(j) : Infinity));
  return Math.min(...found);
}

function distanceTo({ segment }, box, x, y) {
  if (segment) return toSegment(x, y, ...segment);
  return Math.hypot(Math.max(box[0] - x, 0, x - box[2]), Math.max(box[1] - y, 0, y - box[3]));
}

// The mark nearest to a point of the stage, among some series: { series, i }, or null if none is near.
export function nearestMark(all, x, y) {
  let [best, least, smallest] = [null, Infinity, Infinity];
  for (const series of all) {
    for (let i = 0; i < series.count; i++) {
      const box = series.box(i);
      if (!box) continue;
      const distance = distanceTo(series, box, x, y);
      const far = series.kind === "area" ? 0 : MARK_REACH;
      const line = series.line ? toLine(series.line, i, x, y) : Infinity;
      if (Math.min(distance, line) > far) continue;
      const score = Math.min(distance + HANDICAP[series.kind], line + HANDICAP.line);
      const area = (box[2] - box[0]) * (box[3] - box[1]);
      if (score < least || (score === least && area <= smallest)) [best, least, smallest] = [{ series, i }, score, area];
    }
  }
  return best;
}

// Where words about a mark may not stand: the mark itself, of a bar its end.
export function spotOf({ series, i }) {
  const [l, t, r, b] = (series.end ?? series.box)(i) ?? series.box(i);
  const wide = (series.size?.(i) ?? 0) / 2;
  return [l - wide, t - wide, r + wide, b + wide];
}

function ringPath(series, i) {
  const [l, t, r, b] = series.box(i).map(round);
  if (series.kind !== "point" && series.kind !== "line") return `M${l - 2},${t - 2}H${r + 2}V${b + 2}H${l - 2}Z`;
  const wide = round(Math.max(5, series.size(i) / 2 + 4));
  return `M${round(l - wide)},${t}a${wide},${wide} 0 1,0 ${2 * wide},0a${wide},${wide} 0 1,0 ${-2 * wide},0Z`;
}

// What outlines one mark: a ring around a point, a frame around a bar, a casing along a line.
export function outlineOf({ series, i }) {
  return series.segment ? { series, ...series.whole } : { series, d: ringPath(series, i) };
}

// What outlines all that a name stands for.
export function outlinesOf(view, name) {
  return seriesOf(view).flatMap((series) => {
    const all = [...Array(series.count).keys()].filter((i) => series.box(i));
    if (series.name !== name) return all.filter((i) => series.ids[i] === name).map((i) => outlineOf({ series, i }));
    if (series.whole) return [{ series, ...series.whole }];
    return all.length ? [{ series, d: all.map((i) => ringPath(series, i)).join("") }] : [];
  });
}
