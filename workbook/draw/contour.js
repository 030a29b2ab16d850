// A contour trace: its lines and areas were found in the kernel, as polygons in data coordinates.

import { placed } from "./arrays.js";
import { child, set, trim } from "./dom.js";
import { linePath, strokeOf } from "./lines.js";

export function drawContour(group, trace, panel) {
  const path = (part) => linePath(placed(part.x, panel.sx), placed(part.y, panel.sy));
  const areas = (trace.areas ?? []).map((part) => ({ d: path(part), fill: part.color, stroke: "none", "fill-rule": "evenodd" }));
  const lines = trace.lines ? [{ d: path(trace.lines), ...strokeOf(trace.line) }] : [];
  const paths = [...areas, ...lines];
  paths.forEach((attributes, k) => set(child(group, k, "path"), { class: "", "stroke-dasharray": "", "stroke-width": "", "fill-rule": "", ...attributes }));
  trim(group, paths.length);
}
