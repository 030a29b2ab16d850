// Arrays as plotly's figures hold them: plain lists, or a type and its bytes.

import { themed } from "./colors.js";

const TYPES = {
  f8: Float64Array, f4: Float32Array, i4: Int32Array, u4: Uint32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array,
};

function bytes(data) {
  if (data instanceof ArrayBuffer) return data;
  if (data instanceof DataView) return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  const text = atob(data);
  const found = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) found[i] = text.charCodeAt(i);
  return found.buffer;
}

// A figure, or any part of it, with every array readable; a matrix keeps its `shape`.
export function readable(value, name) {
  if (name === "colorscale") return value;
  if (typeof value === "string") return name?.endsWith("color") ? themed(value) : value;
  if (Array.isArray(value)) return value.map((item) => readable(item, name));
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (value.bdata !== undefined) {
    const array = new TYPES[value.dtype](bytes(value.bdata));
    if (value.shape) array.shape = String(value.shape).split(",").map(Number);
    return array;
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readable(item, key)]));
}

// The i-th of many values, or the one value for all; `none` where there is none.
export function nth(value, i, none) {
  if (value == null) return none;
  return typeof value === "object" ? (value[i % value.length] ?? none) : value;
}

export const round = (value) => Math.round(value * 100) / 100;

// Data to pixels, (n,); NaN where there is no value.
export function placed(values, scale) {
  const found = new Float64Array(values?.length ?? 0);
  for (let i = 0; i < found.length; i++) found[i] = values[i] == null ? NaN : scale.to(values[i]);
  return found;
}
