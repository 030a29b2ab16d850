// A scatter trace: line and markers.

import { placed } from "./arrays.js";
import { child, set, trim } from "./dom.js";
import { cased, linePath } from "./lines.js";
import { markerPaths } from "./markers.js";

export function drawScatter(group, trace, panel) {
  const [xs, ys] = [placed(trace.x, panel.sx), placed(trace.y, panel.sy)];
  const mode = trace.mode ?? "lines+markers";
  const paths = mode.includes("lines") ? cased(linePath(xs, ys, trace.line?.shape), trace.line) : [];
  if (mode.includes("markers")) paths.push(...markerPaths(xs, ys, { color: trace.line?.color, ...trace.marker }, panel.zoom));
  const blank = { class: "", "stroke-dasharray": "", "stroke-width": "", opacity: "" };
  paths.forEach((attributes, k) => set(child(group, k, "path"), { ...blank, ...attributes }));
  trim(group, paths.length);
}
