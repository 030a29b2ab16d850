// A figure in the sizes of a projector: its type, width and height in pixels, the panels anew in proportion.

const spanOf = ([a, b]) => Math.abs(b - a);

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

// Return the domains of the panels: a map's is as wide as it needs at this height, the others share what is left.
function fitColumns(layout, names, gap, high) {
  const wide = spread(names.map((name) => spanOf(layout[name].domain)), gap).map(spanOf);
  const isMap = names.map((name) => Boolean(layout[name.replace("x", "y")].scaleanchor));
  const needed = (name) => (spanOf(layout[name].range) / spanOf(layout[name.replace("x", "y")].range)) * high;
  const found = wide.map((width, k) => (isMap[k] ? Math.min(width, needed(names[k])) : width));
  const sum = (widths) => widths.reduce((all, width) => all + width, 0);
  const free = sum(wide.filter((_, k) => !isMap[k]));
  const more = free ? 1 + (sum(wide) - sum(found)) / free : 1;
  return spread(found.map((width, k) => (isMap[k] ? width : width * more)), gap);
}

// Convert a figure to type of `font` px, in so many pixels.
function projectFigure({ data, layout }, { font, width, height }) {
  const growth = font / layout.font.size;
  const legend = (layout.meta?.legend ?? 0) * growth;
  const grownBy = ([side, pixels]) => [side, pixels * growth];
  const margin = Object.fromEntries(Object.entries(layout.margin).map(grownBy));
  const full = height + legend; // arrange.js takes the legend's room away again: ours stands above the drawing
  const names = Object.keys(layout).filter((name) => name.startsWith("xaxis")); // from left to right
  const sides = (full - margin.t - margin.b) / (width - margin.l - margin.r);
  const domains = fitColumns(layout, names, (5 * font) / width, sides);
  const grown = { ...layout, width, height: full, margin, font: { ...layout.font, size: font } };
  if (layout.meta?.legend) grown.meta = { ...layout.meta, legend };
  names.forEach((name, k) => (grown[name] = { ...layout[name], domain: domains[k] }));
  return { data, layout: grown };
}
