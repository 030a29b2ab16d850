// A contour trace: its lines were found in the kernel, in data coordinates.

import { placed } from "./arrays.js";
import { child, set, trim } from "./dom.js";
import { linePath, strokeOf } from "./lines.js";

export function drawContour(group, { lines: { x, y }, line }, panel) {
  const d = linePath(placed(x, panel.sx), placed(y, panel.sy));
  set(child(group, 0, "path"), { class: "", "stroke-dasharray": "", "stroke-width": "", d, ...strokeOf(line) });
  trim(group, 1);
}
