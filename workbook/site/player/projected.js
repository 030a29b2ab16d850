// Convert a figure from page size to projector size: from theme.py's PAGE to its LECTURE.

const PAGE_SIZE = { font: 13, width: 880, height: 335 };
const LECTURE_SIZE = { font: 24, width: 1200, height: 430 };
const GROWTH = LECTURE_SIZE.font / PAGE_SIZE.font;

// List the parts of [0, 1] that panels take up, in order.
function partsOf(layout, letter) {
  const found = new Map();
  for (const [name, axis] of Object.entries(layout)) if (name.startsWith(`${letter}axis`)) found.set(String(axis.domain), axis.domain);
  return [...found.values()].sort((a, b) => a[0] - b[0]);
}

// Divide [0, 1] into parts in proportion to `weights`, with a gap between them.
function spread(weights, gap) {
  const unit = (1 - gap * (weights.length - 1)) / weights.reduce((sum, weight) => sum + weight, 0);
  let start = 0;
  return weights.map((weight) => {
    const part = [start, Math.min(1, start + weight * unit)];
    start = part[1] + gap;
    return part;
  });
}

// Return the width that the maps of each column need at this height, as a share of the figure; null without maps.
function widthsOfMaps(layout, columns, high) {
  return columns.map((column) => {
    const names = Object.keys(layout).filter((name) => /^xaxis/.test(name) && String(layout[name].domain) === String(column));
    const [xs, ys] = [names.map((name) => layout[name]), names.map((name) => layout[name.replace("x", "y")])];
    if (!ys.every((axis) => axis.scaleanchor)) return null;
    const ratio = (k) => Math.abs((xs[k].range[1] - xs[k].range[0]) / (ys[k].range[1] - ys[k].range[0]));
    return Math.max(...names.map((_, k) => ratio(k))) * high;
  });
}

// Give columns of maps the width that they need, and the others what is left.
function fitColumns(layout, columns, gap, high) {
  const given = spread(columns.map(([a, b]) => b - a), gap);
  const wide = given.map(([a, b]) => b - a);
  const needed = widthsOfMaps(layout, columns, high);
  const found = wide.map((width, k) => (needed[k] === null ? width : Math.min(width, needed[k])));
  const sum = (widths, kept = () => true) => widths.reduce((all, width, k) => all + (kept(k) ? width : 0), 0);
  const free = sum(wide, (k) => needed[k] === null);
  const more = free ? 1 + (sum(wide) - sum(found)) / free : 1;
  return spread(found.map((width, k) => (needed[k] === null ? width * more : width)), gap);
}

// Convert a figure.
function projectFigure({ data, layout }) {
  const height = Math.round((layout.height * LECTURE_SIZE.height) / PAGE_SIZE.height);
  const width = LECTURE_SIZE.width;
  const margin = Object.fromEntries(Object.entries(layout.margin).map(([side, pixels]) => [side, pixels * GROWTH]));
  const [columns, rows] = ["x", "y"].map((letter) => partsOf(layout, letter));
  const newRows = spread(rows.map(([a, b]) => b - a), (5.2 * LECTURE_SIZE.font) / height);
  const sides = (height - margin.t - margin.b) / (width - margin.l - margin.r);
  const newColumns = fitColumns(layout, columns, (5 * LECTURE_SIZE.font) / width, sides * (newRows[0][1] - newRows[0][0]));
  const grown = { ...layout, width, height, margin, font: { ...layout.font, size: layout.font.size * GROWTH } };
  if (layout.meta?.legend) grown.meta = { ...layout.meta, legend: layout.meta.legend * GROWTH };
  for (const [olds, news, letter] of [[columns, newColumns, "x"], [rows, newRows, "y"]])
    for (const name of Object.keys(layout).filter((one) => one.startsWith(`${letter}axis`)))
      grown[name] = { ...layout[name], domain: news[olds.findIndex((part) => String(part) === String(layout[name].domain))] };
  return { data, layout: grown };
}
