// What a mark says: the template of its trace, filled in with its own numbers and texts.

import { nth } from "./arrays.js";
import { written } from "./scales.js";

const FORMAT = /^(,?)(?:\.(\d+))?([defg%]?)$/;
const WRITE = {
  d: (value) => value.toFixed(0),
  e: (value, digits) => value.toExponential(digits),
  f: (value, digits) => value.toFixed(digits),
  g: (value, digits) => value.toPrecision(Math.max(1, digits)),
  "%": (value, digits) => `${(100 * value).toFixed(digits)}%`,
};

// A number in the part of d3's language of formats that templates use.
export function formatted(value, format = "") {
  if (typeof value !== "number") return String(value ?? "");
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "no value" : value > 0 ? "∞" : "−∞";
  const [, comma, digits, kind] = format.match(FORMAT) ?? [];
  const text = WRITE[kind]?.(value, Number(digits ?? 6)) ?? written(value);
  const grouped = comma ? text.replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ",")) : text;
  return (/[1-9]/.test(grouped) ? grouped : grouped.replace(/^[-−]/, "")).replaceAll("-", "−");
}

// What belongs to the i-th of `count` marks: one value for all, one each, or a row each.
export function entry(values, i, count) {
  if (values == null || typeof values !== "object") return values;
  const wide = values.length / count;
  return values.shape?.length > 1 ? values.subarray(i * wide, (i + 1) * wide) : values[i];
}

// The lines of words of a trace's i-th mark; none if it says nothing.
export function wordsAt(trace, i, count) {
  const template = nth(trace.hovertemplate, i, "");
  if (!template || trace.hoverinfo === "skip") return [];
  const own = (name) => (name === "fullData.name" ? (trace.name ?? "") : entry(trace[name], i, count));
  const fill = (text) =>
    text.replace(/%\{([\w.]+)(?:\[(\d+)\])?(?::([^}]*))?\}/g, (_, name, k, format) => {
      const value = own(name);
      return formatted(k === undefined ? value : value?.[k], format);
    });
  const [, extra] = template.match(/<extra>(.*?)<\/extra>/) ?? [null, "%{fullData.name}"];
  const lines = [...template.replace(/<extra>.*?<\/extra>/, "").split(/<br ?\/?>/), extra];
  return lines.map(fill).filter((line) => line.trim());
}

// The picture of a trace's i-th mark: [rows, columns, its shares of ink]; null if it has none.
export function pictureAt(trace, i, count) {
  if (!trace.meta?.pixels) return null;
  const most = trace.customdata.reduce((high, value) => (typeof value === "number" ? Math.max(high, value) : Math.max(high, ...value)), 0);
  return [...trace.meta.pixels, Array.from(entry(trace.customdata, i, count), (value) => value / (most || 1))];
}
