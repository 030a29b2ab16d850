// What stands around the marks as HTML: legend, titles, notes. It can be selected and is read aloud.

import { nth, round } from "./arrays.js";
import { hatched, rimOf } from "./bars.js";
import { INK, textIn } from "./colors.js";
import { child, label, set, trim } from "./dom.js";
import { cased } from "./lines.js";
import { markerPaths } from "./markers.js";

const KEY = { width: 28, height: 16 };

// A small drawing of what a trace looks like.
function keyPaths(trace, view) {
  const marker = { color: trace.line?.color, ...trace.marker };
  if (trace.type === "bar") {
    const fill = hatched(view, nth(marker.color, 0, INK), nth(marker.pattern?.shape, 0, ""), marker.pattern?.fgcolor);
    return [{ d: "M8,2h12v12h-12Z", fill, ...rimOf(marker, 0) }];
  }
  const [mode, paths] = [trace.mode ?? "lines+markers", []];
  if (mode.includes("lines") && trace.line?.width !== 0) paths.push(...cased("M0,8h28", trace.line));
  if (mode.includes("markers")) {
    const sizes = [marker.size ?? 6].flat();
    const size = Math.min(13, Math.max(...Array.from(sizes)));
    const one = Object.fromEntries(Object.entries(marker).map(([name, value]) => [name, name === "line" ? value : nth(value, 0, undefined)]));
    paths.push(...markerPaths([14], [8], { ...one, size }));
  }
  return paths;
}

export function drawLegend(view, layout, traces) {
  const shown = layout.showlegend === false ? [] : traces.filter((trace) => trace.showlegend !== false && trace.name);
  shown.forEach((trace, k) => {
    const entry = child(view.legend, k, "span");
    const key = set(child(entry, 0, "svg"), { ...KEY, "aria-hidden": "true" });
    const paths = keyPaths(trace, view);
    paths.forEach((path, i) => set(child(key, i, "path"), { class: "", "stroke-dasharray": "", opacity: "", ...path }));
    trim(key, paths.length);
    label(child(entry, 1, "span"), trace.name);
  });
  trim(view.legend, shown.length);
}

const LEFT = { left: 0, center: -50, right: -100 };
const TOP = { top: 0, middle: -50, bottom: -100 };

export function drawNotes(view, layout, area, panels, width) {
  const notes = layout.annotations ?? [];
  notes.forEach((note, k) => {
    const title = note.name === "title";
    const panel = panels.get((note.xref === "paper" ? note.yref : note.xref).split(" ")[0].slice(1));
    let x = note.xref === "paper" ? area.l + note.x * area.w : panel.x1(note.x, note.xref);
    let y = note.yref === "paper" ? area.t + (1 - note.y) * area.h : panel.y1(note.y, note.yref);
    if (title && layout.column) [x, y] = [0, y - 0.4 * layout.font.size]; // above the figures of the y axis, too
    const style = [
      `left:${round(x + (note.xshift ?? 0))}px`, `top:${round(y - (note.yshift ?? 0))}px`,
      `transform:translate(${LEFT[note.xanchor] ?? -50}%,${TOP[note.yanchor] ?? -50}%)`,
      note.bgcolor && `background:${note.bgcolor}`, textIn(note.font?.color),
      title && layout.column && `width:${width}px;white-space:normal`,
    ];
    const kind = title ? "nb-title" : ["left", "right"].includes(note.xanchor) ? "nb-beside" : "";
    label(set(child(view.notes, k, "div"), { class: kind, style: style.filter(Boolean).join(";") }), note.text);
  });
  trim(view.notes, notes.length);
}
