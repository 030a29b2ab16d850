// Markers: one path for all of one look, so that a thousand cost one element.

import { nth, round } from "./arrays.js";
import { edgeOf, INK } from "./colors.js";
import { encased } from "./lines.js";

const pointed = (x, y, points) => `M${points.map(([a, b]) => `${round(x + a)},${round(y + b)}`).join("L")}Z`;
const SHAPES = {
  circle: (x, y, r) => `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`,
  square: (x, y, r) => `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}Z`,
  diamond: (x, y, r) => pointed(x, y, [[0, -1.3 * r], [1.3 * r, 0], [0, 1.3 * r], [-1.3 * r, 0]]),
  "triangle-up": (x, y, r) => pointed(x, y, [[0, -1.155 * r], [r, 0.577 * r], [-r, 0.577 * r]]),
  x: (x, y, r) => {
    const d = r / 2 ** 0.5;
    const corners = [[0, -d], [d, -2 * d], [2 * d, -d], [d, 0], [2 * d, d], [d, 2 * d], [0, d], [-d, 2 * d], [-2 * d, d], [-d, 0], [-2 * d, -d], [-d, -2 * d]];
    return pointed(x, y, corners);
  },
  star: (x, y, r) => {
    const corner = (k) => [(k % 2 ? 0.55 : 1.4) * r * Math.sin((Math.PI * k) / 5), -(k % 2 ? 0.55 : 1.4) * r * Math.cos((Math.PI * k) / 5)];
    return pointed(x, y, Array.from({ length: 10 }, (_, k) => corner(k)));
  },
  "x-thin": (x, y, r) => `M${x - r},${y - r}l${2 * r},${2 * r}M${x + r},${y - r}l${-2 * r},${2 * r}`,
};
const plain = (symbol) => symbol.replace("-open", "");

export const knowsSymbol = (symbol) => [symbol ?? "circle"].flat().every((name) => plain(name) in SHAPES);

// The attributes of a path for every look among the markers, in the order in which the looks first appear.
export function markerPaths(xs, ys, marker, zoom = 1) {
  const looks = new Map();
  for (let i = 0; i < xs.length; i++) {
    const size = zoom * nth(marker.size, i, 6);
    if (!(size > 0) || !Number.isFinite(xs[i] + ys[i])) continue;
    const symbol = nth(marker.symbol, i, "circle");
    const [color, opacity] = [nth(marker.color, i, INK), nth(marker.opacity, i, 1)];
    const [line, width] = [nth(marker.line?.color, i, INK), nth(marker.line?.width, i, 0)];
    const key = [symbol, size, color, opacity, line, width].join("|");
    if (!looks.has(key)) {
      const thin = symbol.includes("thin");
      const open = symbol.endsWith("-open");
      const edge = !open && !thin && !width && edgeOf(color);
      const stroke = open ? color : thin ? (marker.line?.color ? line : color) : width ? line : edge || "none";
      const wide = width || (open ? 1 : edge ? Math.min(1, size / 6) : 0);
      looks.set(key, { d: [], fill: open || thin ? "none" : color, stroke, "stroke-width": wide, opacity });
    }
    looks.get(key).d.push(SHAPES[plain(symbol)](round(xs[i]), round(ys[i]), size / 2));
  }
  return [...looks.values()].flatMap((look) => encased({ ...look, d: look.d.join("") }));
}
