// A heatmap: one pixel a cell on a canvas, which the browser stretches over the panel.

import { round } from "./arrays.js";
import { shownAt } from "./colors.js";
import { child, set, trim } from "./dom.js";

const SHADES = 256;
const tables = new Map();

export const knowsScale = (scale) => Array.isArray(scale) && scale.every(([, color]) => /^#[0-9a-f]{6}$/i.test(color));

function table(scale) {
  const key = JSON.stringify(scale);
  if (!tables.has(key)) {
    const stops = scale.map(([at, color]) => [at, ...[1, 3, 5].map((k) => parseInt(color.slice(k, k + 2), 16))]);
    const shades = new Uint32Array(SHADES);
    for (let i = 0; i < SHADES; i++) {
      const u = i / (SHADES - 1);
      let k = 0;
      while (k < stops.length - 2 && u >= stops[k + 1][0]) k++;
      const [from, to] = [stops[k], stops[k + 1]];
      const part = to[0] > from[0] ? Math.min(1, Math.max(0, (u - from[0]) / (to[0] - from[0]))) : 1;
      const [r, g, b] = [1, 2, 3].map((c) => Math.round(from[c] + part * (to[c] - from[c])));
      shades[i] = (255 << 24) | (b << 16) | (g << 8) | r;
    }
    tables.set(key, shades);
  }
  return tables.get(key);
}

// From the middle of the first cell to that of the last -> from edge to edge.
function cellEdges(values, count) {
  const [first, last] = [values[0], values[values.length - 1]];
  const half = (last - first) / (count - 1) / 2;
  return [first - half, last + half];
}

// The canvas lies under the drawing, in the panel's place: a foreign object inside an SVG is not safe in every browser.
export function drawHeatmap(group, trace, panel, view) {
  trim(group, 0);
  const { z: cells, zmin: low, zmax: high } = trace;
  const [rows, columns] = cells.shape;
  const canvas = child(view.rasters, view.used++, "canvas");
  if (canvas.width !== columns || canvas.height !== rows) [canvas.width, canvas.height] = [columns, rows];
  const [x0, x1] = cellEdges(trace.x, columns).map(panel.sx.to);
  const [y0, y1] = cellEdges(trace.y, rows).map(panel.sy.to);
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const [pixels, shades] = [new Uint32Array(image.data.buffer), table(trace.colorscale.map(([at, color]) => [at, shownAt(canvas, color)]))];
  for (let r = 0; r < rows; r++) {
    const line = (y1 < y0 ? rows - 1 - r : r) * columns;
    for (let c = 0; c < columns; c++) {
      const z = cells[r * columns + c];
      const shade = Math.max(0, Math.min(SHADES - 1, Math.round(((SHADES - 1) * (z - low)) / (high - low))));
      pixels[line + (x1 < x0 ? columns - 1 - c : c)] = Number.isNaN(z) ? 0 : shades[shade];
    }
  }
  context.putImageData(image, 0, 0);
  const [l, t] = [Math.min(x0, x1), Math.min(y0, y1)];
  const [w, h] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  const [left, top, wide, high_] = panel.box;
  // What sticks out of the panel (half a cell at each edge) is cut off.
  const inset = [top - t, l + w - left - wide, t + h - top - high_, left - l].map((cut) => `${Math.max(0, round(cut))}px`);
  const place = `left:${round(l)}px;top:${round(t)}px;width:${round(w)}px;height:${round(h)}px`;
  set(canvas, { style: `${place};clip-path:inset(${inset.join(" ")});image-rendering:pixelated` });
}
