// Lines: a path with gaps where there is no value.

import { round } from "./arrays.js";
import { edgeOf, INK } from "./colors.js";

const DASHES = { solid: [], dot: [1, 1], dash: [3, 3], longdash: [5, 5], dashdot: [3, 1, 1, 1], longdashdot: [5, 2, 1, 2] };

const dashesOf = (name = "solid", width = 2) => DASHES[name].map((part) => part * Math.max(width, 3)).join(",");

export function linePath(xs, ys, shape = "linear") {
  const path = [];
  let down = false;
  for (let i = 0; i < xs.length; i++) {
    const [x, y] = [round(xs[i]), round(ys[i])];
    if (!Number.isFinite(x + y)) down = false;
    else {
      path.push(down && shape === "hv" ? `H${x}V${y}` : `${down ? "L" : "M"}${x},${y}`);
      down = true;
    }
  }
  return path.join("");
}

export function strokeOf(line = {}, width = 2) {
  const wide = line.width ?? width;
  return { fill: "none", stroke: line.color ?? INK, "stroke-width": wide, "stroke-dasharray": dashesOf(line.dash, wide) };
}

// A path with a stroke; where its colour is too pale, a casing under it, one pixel wider on either side.
export function encased(own) {
  const edge = edgeOf(own.stroke);
  return edge ? [{ ...own, class: "nb-casing", fill: "none", stroke: edge, "stroke-width": own["stroke-width"] + 2 }, own] : [own];
}

export const cased = (d, line) => encased({ d, ...strokeOf(line) });
