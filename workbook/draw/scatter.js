// A scatter trace: area, line, error bars, markers, text.

import { nth, placed, round } from "./arrays.js";
import { child, label, set, trim } from "./dom.js";
import { cased, linePath } from "./lines.js";
import { markerPaths } from "./markers.js";

function area(trace, path, xs, panel, before) {
  if (trace.fill === "toself") return `${path}Z`;
  if (trace.fill === "tonexty" && before)
    return `${path}${linePath(before.xs.slice().reverse(), before.ys.slice().reverse()).replace("M", "L")}Z`;
  const floor = round(panel.sy.to(panel.sy.floor));
  return `${path}V${floor}H${round(xs[0])}Z`;
}

function errorPath(values, { array, width = 4 }, others, scale, upright) {
  const path = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN;
    const [low, high, at] = [scale.to(value - array[i]), scale.to(value + array[i]), others[i]].map(round);
    if (!Number.isFinite(low + high + at)) continue;
    const cap = (end) => (upright ? `M${at - width},${end}h${2 * width}` : `M${end},${at - width}v${2 * width}`);
    path.push(upright ? `M${at},${low}V${high}` : `M${low},${at}H${high}`, cap(low), cap(high));
  }
  return path.join("");
}

// Returns where the points stand, in pixels: the next trace may fill down to them.
export function drawScatter(group, trace, panel, before) {
  const [xs, ys] = [placed(trace.x, panel.sx), placed(trace.y, panel.sy)];
  const mode = trace.mode ?? "lines+markers";
  const paths = [];
  const filled = trace.fill && trace.fill !== "none";
  const path = filled || mode.includes("lines") ? linePath(xs, ys, trace.line?.shape) : "";
  if (filled) paths.push({ d: area(trace, path, xs, panel, before), fill: trace.fillcolor, stroke: "none" });
  if (mode.includes("lines")) paths.push(...cased(path, trace.line));
  for (const [bars, upright] of [[trace.error_x, false], [trace.error_y, true]])
    if (bars) {
      const d = upright ? errorPath(trace.y, bars, xs, panel.sy, true) : errorPath(trace.x, bars, ys, panel.sx, false);
      paths.push(...cased(d, { color: bars.color, width: bars.thickness }));
    }
  if (mode.includes("markers")) paths.push(...markerPaths(xs, ys, { color: trace.line?.color, ...trace.marker }, panel.zoom));
  const blank = { class: "", "stroke-dasharray": "", "stroke-width": "", opacity: "" };
  paths.forEach((attributes, k) => set(child(group, k, "path"), { ...blank, ...attributes }));
  let k = paths.length;
  if (mode.includes("text"))
    for (let i = 0; i < xs.length; i++) {
      const place = { x: round(xs[i]), y: round(ys[i] + 0.36 * panel.size), "text-anchor": "middle" };
      label(set(child(group, k++, "text"), place), String(nth(trace.text, i, "")));
    }
  trim(group, k);
  return { xs, ys };
}
