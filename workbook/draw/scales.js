// From data to pixels and back, and where the ticks stand.

const MINUS = "−";
const SAID = new Intl.NumberFormat("en", { maximumFractionDigits: 12, useGrouping: false });
const FEWEST = 4;
const MOST = 9; // ticks, where nobody says how many
const LINE = 1.5; // font sizes
const APART = { x: 80, y: 40 }; // px from one to the next

export function scaleOf(axis, start, end) {
  const [a, b] = (axis.range ?? [0, 1]).map(Number);
  const log = axis.type === "log";
  const unit = (end - start) / (b - a);
  const to = log ? (value) => start + (Math.log10(value) - a) * unit : (value) => start + (value - a) * unit;
  const back = (pixel) => (log ? 10 ** (a + (pixel - start) / unit) : a + (pixel - start) / unit);
  const floor = log ? 10 ** Math.min(a, b) : 0; // where bars and areas stand
  return { to, back, log, range: [a, b], start, end, floor };
}

export const written = (value) => SAID.format(value).replace("-", MINUS);

// The smallest of 1, 2, 5, 10 times a power of ten that cuts the span into at most `count` parts.
function stepOf(span, count) {
  const base = 10 ** Math.floor(Math.log10(span / count));
  return base * [1, 2, 5, 10].find((factor) => base * factor * count >= span * (1 - 1e-9));
}

// [value, text] of every tick inside the axis.
export function ticksOf(axis, scale, name, size) {
  const [low, high] = [Math.min(...scale.range), Math.max(...scale.range)];
  const slack = 1e-6 * (high - low);
  if (axis.tickvals) {
    const place = (value) => (scale.log ? Math.log10(value) : value);
    return Array.from(axis.tickvals, (value, i) => [value, String(axis.ticktext?.[i] ?? written(value))]).filter(
      ([value]) => place(value) >= low - slack && place(value) <= high + slack,
    );
  }
  const long = Math.abs(scale.end - scale.start);
  const room = axis.nticks || Math.min(MOST, Math.max(FEWEST, long / APART[name])) + 1;
  const lines = name === "y" ? long / (LINE * size) : room; // one number above the other
  const step = Math.max(scale.log ? 1 : 0, stepOf(high - low, Math.min(room, lines)));
  const found = [];
  for (let k = Math.ceil((low - slack) / step); k * step <= high + slack; k++) {
    const value = Number((k * step).toPrecision(12));
    found.push(scale.log ? [10 ** value, written(10 ** value)] : [value, written(value)]);
  }
  return found;
}
