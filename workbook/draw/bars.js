// Bars: one path for all of one colour and hatch.

import { nth, round } from "./arrays.js";
import { edgeOf, INK, PAPER } from "./colors.js";
import { child, set, trim } from "./dom.js";

const SIZE = 8; // px of a tile of hatching
const HATCHES = {
  "/": "M-2,2l4,-4M0,8l8,-8M6,10l4,-4", x: "M0,0l8,8M0,8l8,-8",
  "-": "M0,4h8", "+": "M0,4h8M4,0v8", ".": "M4,4m-1.2,0a1.2,1.2 0 1,0 2.4,0a1.2,1.2 0 1,0 -2.4,0",
};

export const knowsHatch = (shape) => [shape ?? ""].flat().every((name) => name === "" || name in HATCHES);

// What fills a bar: its colour, or its colour hatched, by a tile that is made once.
export function hatched(view, color, shape, foreground = PAPER) {
  if (!shape) return color;
  const key = [color, shape, foreground].join("|");
  if (!view.hatches.has(key)) {
    const id = `${view.id}-hatch-${view.hatches.size}`;
    const place = { id, width: SIZE, height: SIZE, patternUnits: "userSpaceOnUse" };
    const tile = set(child(view.defs, view.defs.childNodes.length, "pattern"), place);
    set(child(tile, 0, "rect"), { width: SIZE, height: SIZE, fill: color });
    set(child(tile, 1, "path"), { d: HATCHES[shape], stroke: foreground, "stroke-width": 1.3, fill: shape === "." ? foreground : "none" });
    view.hatches.set(key, `url(#${id})`);
  }
  return view.hatches.get(key);
}

// What stands around the i-th bar.
export function rimOf(marker, i) {
  const width = nth(marker.line?.width, i, 0);
  const edge = width ? nth(marker.line?.color, i, INK) : edgeOf(nth(marker.color, i, INK));
  return { stroke: edge || "none", "stroke-width": edge ? width || 1 : 0 };
}

// Where each bar stands, in pixels: `from` and `end` along its values, `a` and `b` across.
export function barPlaces(trace, panel) {
  const lying = trace.orientation === "h";
  const [values, seats] = lying ? [trace.x, trace.y] : [trace.y, trace.x];
  const [along, across] = lying ? [panel.sx, panel.sy] : [panel.sy, panel.sx];
  return Array.from(values, (value, i) => {
    const base = nth(trace.base, i, 0);
    const half = nth(trace.width, i, 0.8) / 2;
    const [from, end] = [along.to(along.log && !(base > 0) ? along.floor : base), along.to(base + value)].map(round);
    const [a, b] = [across.to(seats[i] - half), across.to(seats[i] + half)].map(round);
    return { from, end, a, b };
  });
}

export function drawBars(group, trace, panel, view) {
  const lying = trace.orientation === "h";
  const marker = trace.marker ?? {};
  const looks = new Map();
  for (const [i, { from, end, a, b }] of barPlaces(trace, panel).entries()) {
    if (!Number.isFinite(from + end + a + b)) continue;
    const fill = hatched(view, nth(marker.color, i, INK), nth(marker.pattern?.shape, i, ""), marker.pattern?.fgcolor);
    const rim = rimOf(marker, i);
    const key = [fill, ...Object.values(rim)].join("|");
    if (!looks.has(key)) looks.set(key, { d: [], fill, ...rim });
    looks.get(key).d.push(lying ? `M${from},${a}H${end}V${b}H${from}Z` : `M${a},${from}V${end}H${b}V${from}Z`);
  }
  let k = 0;
  for (const look of looks.values()) set(child(group, k++, "path"), { class: "nb-walks", ...look, d: look.d.join("") });
  trim(group, k);
}
