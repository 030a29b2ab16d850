// Predictions that are drawn (drawn.py): two templates of the figure, filled with the reader's heights.

const STEP = 100; // heights from 0 to 1

// Say how far off a height is: the difference of the two numbers as they are printed.
function gapOf(put, computed) {
  const off = Number(fixed(put, 2)) - Number(fixed(computed, 3));
  return Number(fixed(Math.abs(off), 3)) ? `${fixed(Math.abs(off), 3)} too ${off > 0 ? "high" : "low"}` : "just so";
}

// Say how far off the reader is, place by place.
function comparedHeights(labels, yours, computed) {
  const name = (label) => (labels.length > 1 ? `${label}: you` : "You");
  return labels.map((label, k) => `${name(label)} put ${fixed(yours[k], 2)}, computed ${fixed(computed[k], 3)}: ${gapOf(yours[k], computed[k])}.`).join(" ");
}

const numbersIn = (value) => (Array.isArray(value) ? Float64Array.from(value, (one) => one ?? NaN) : value);

// Return the frame before the reveal or, with the computed heights, after it.
function sketchFrame({ labels, before }, template, yours, computed) {
  const { figure } = template;
  const change = { yours: (trace) => withYours(trace, labels, before, yours), gap: (trace) => withGaps(trace, yours, computed) };
  const data = figure.data.map((trace) => change[trace.name]?.(trace) ?? trace).filter((trace) => trace.name !== "gap" || trace.x.length);
  const meta = { ...figure.layout.meta, handles: figure.layout.meta.handles.map((handle, k) => ({ ...handle, y: yours[k] })) };
  const told = (height) => (computed ? fixed(height, 3) : `${fixed(height, 2)}${height ? "" : " (not yet)"}`);
  const heights = labels.map((label, k) => `${label}: ${told((computed ?? yours)[k])}`);
  return {
    figure: { data, layout: { ...figure.layout, meta, annotations: withNotes(figure.layout.annotations, yours, computed) } },
    formula: template.formula,
    sentence: `${computed ? "Computed" : "Drawn so far"}: ${heights.join(", ")}.`,
  };
}

function withYours(trace, labels, before, yours) {
  const y = Float64Array.from(numbersIn(trace.y));
  const customdata = [...trace.customdata];
  yours.forEach((height, k) => {
    y[before + k] = height || NaN;
    customdata[before + k] = `${labels[k]}: ${height ? fixed(height, 3) : "nan"}, yours`;
  });
  return { ...trace, y, customdata };
}

// Draw an upright line from the reader's height to the computed one at each place.
function withGaps(trace, yours, computed) {
  const places = Array.from(numbersIn(trace.x)).filter((_, k) => k % 3 === 0);
  const drawn = yours.map((_, k) => k).filter((k) => yours[k]);
  return {
    ...trace,
    x: Float64Array.from(drawn.flatMap((k) => [places[k], places[k], places[k]])),
    y: Float64Array.from(drawn.flatMap((k) => [yours[k], computed[k], NaN])),
  };
}

function withNotes(notes, yours, computed) {
  if (!computed) return notes;
  const own = yours.map((put, k) => ({ ...notes[k], y: Math.max(put, computed[k]), text: gapOf(put, computed[k]) }));
  return [...own.filter((_, k) => yours[k]), ...notes.slice(yours.length)];
}

// Create a pack for the player. hidden(): what the reveal shows; it is not decoded before.
function sketchPack(sketch, hidden, title) {
  const values = [...Array(STEP + 1).keys()].map((k) => k / STEP);
  const said = values.map((value) => fixed(value, 2));
  const sliders = sketch.labels.map((label, n) => ({ name: `height_${n}`, label, kind: "slider", values, said, default: 0 }));
  const revealed = { name: "revealed", label: "", kind: "slider", hidden: true, values: [false, true], said: ["", ""], default: 0 };
  const open = readable(sketch.open);
  let shown = null;
  function frame([done, ...heights]) {
    const yours = heights.map((index) => values[index]);
    if (!done) return sketchFrame(sketch, open, yours, null);
    shown ??= readable(hidden().shown);
    return sketchFrame(sketch, shown, yours, hidden().computed);
  }
  return { title, controls: [revealed, ...sliders], presets: [], starts: {}, frame };
}
