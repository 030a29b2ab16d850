// A figure as tables: of each panel the traces that share their places side by side, its single marks, its maps.

import { readable } from "./arrays.js";
import { titleOf } from "./arrange.js";
import { plainText } from "./dom.js";
import { written } from "./scales.js";
import { entry, formatted, wordsAt } from "./words.js";

const BESIDE = 0.45; // bars of several traces stand left and right of the place whose name they share
const FINE = 2000; // parts of an axis; places of the site's figures are told apart more coarsely than the kernel's
const STROKES = { dash: "dashed line", dot: "dotted line", longdash: "long-dashed line", dashdot: "dash-dotted line" };

// --- cells: a number, a text, [from, to], or undefined -----------------------------------------------------------------

const unbound = (value) => (Number.isNaN(value) ? "no value" : value > 0 ? "infinity" : "minus infinity");

function inShort(value) {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return written(value);
  if (size < 1e-4 || size >= 1e15) return value.toExponential(3).replaceAll("-", "−");
  return written(Number(size >= 1000 ? value.toFixed(1) : value.toPrecision(4)));
}

// A cell as it is shown: a number as the marks say it, else with four digits.
export function shownCell(cell, format) {
  if (Array.isArray(cell)) return cell.map((end) => shownCell(end, format)).join(" to ");
  if (typeof cell !== "number") return cell ?? "";
  if (!Number.isFinite(cell)) return unbound(cell);
  const said = /\d|d|%/.test(format ?? "") ? formatted(cell, format) : "";
  return /[1-9]/.test(said) || (said && cell === 0) ? said : inShort(cell);
}

// A cell as it is copied: all digits.
export function copiedCell(cell) {
  if (Array.isArray(cell)) return cell.map(copiedCell).join(" to ");
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : unbound(cell);
  return String(cell ?? "").replace(/\s+/g, " ");
}

// --- axes ----------------------------------------------------------------------------------------------------------------

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const plainDigits = (text) => text.replace("⁻", "-").replace(/[⁰¹²³⁴-⁹]/g, (sign) => SUPERSCRIPT.indexOf(sign));
const agree = (a, b) => Math.abs(a - b) <= 1e-4 * Math.max(Math.abs(a), Math.abs(b));

// The number that a tick's text means; NaN if it is a name.
function meantBy(text) {
  const power = text.match(/^10([⁻⁰¹²³⁴-⁹]+)$/);
  return power ? 10 ** Number(plainDigits(power[1])) : Number(text.replace(/[,+]/g, "").replace("−", "-"));
}

const ticksIn = ({ tickvals, ticktext }) => (tickvals && ticktext ? Array.from(tickvals, (at, i) => [at, plainText(ticktext[i]).trim()]) : []);

// An axis of a panel, and what it calls values. Hidden names stand at the axis of another panel.
function axisIn(layout, letter, n) {
  const own = layout[`${letter}axis${n}`] ?? {};
  const all = Object.keys(layout).filter((name) => name.startsWith(`${letter}axis`)).map((name) => layout[name]);
  const twins = all.filter((axis) => axis !== own && String(axis.domain) === String(own.domain) && String(axis.range) === String(own.range));
  const ticks = [own, ...twins].map(ticksIn).find((found) => found.some(([, text]) => text)) ?? [];
  const names = ticks.filter(([at, text]) => text && !agree(meantBy(text), at));
  const ofNames = names.length > 0 && names.some(([, text]) => Number.isNaN(meantBy(text)) && !/^[<>≤≥]/.test(text));
  const [low, high] = [...(own.range ?? [0, 1])].map(Number).sort((a, b) => a - b);
  const place = own.type === "log" ? Math.log10 : Number;
  const whole = ofNames && ticks.every(([at]) => Number.isInteger(at));
  const reach = whole ? BESIDE : 0.004 * (high - low);
  const nameOfPlace = (value) => names.find(([at]) => Math.abs(place(at) - place(value)) <= reach)?.[1];
  const title = plainText(own.title?.text).trim();
  const hidden = own.showticklabels === false || own.tickvals?.length === 0;
  const strict = ofNames || (ticks.length > 0 && names.length === ticks.length); // it names some places, and no other means a thing
  return {
    letter, title, ofNames, square: Boolean(layout[`yaxis${n}`]?.scaleanchor),
    heading: title || (ofNames ? "category" : letter),
    // Whether these values mean something to a reader of the axis.
    tells: (values) => values.length > 0 && (names.length > 0 || title !== "" || !hidden) && !(strict && values.some((value) => !Number.isNaN(value) && !nameOfPlace(value))),
    cell: (value) => (typeof value === "number" ? (nameOfPlace(value) ?? value) : value),
    covered: (a, b) => Math.abs(place(b) - place(a)) >= 0.95 * (high - low),
    same: (a, b, coarse) => a === b || (Number.isNaN(a) && Number.isNaN(b)) || (coarse && Math.abs(place(a) - place(b)) * FINE <= high - low),
  };
}

// --- traces --------------------------------------------------------------------------------------------------------------

const valuesOf = (values) => Array.from(values ?? [], (value) => value ?? NaN);
const rising = (values) => values.every((value, i) => i === 0 || !(value < values[i - 1]));
const template = (trace) => [trace.hovertemplate ?? ""].flat()[0].replace(/<extra>.*<\/extra>/, "");
const formatOf = (trace, letter) => template(trace).match(new RegExp(`%\\{${letter}:([^}]*)\\}`))?.[1];

const wordsIn = (trace, i, count) => plainText(wordsAt(trace, i, count).join(", "));

// Drawn for the eye alone: nothing is said of it, and it has no name.
const mute = (trace) => trace.hoverinfo === "skip" && !trace.name && !trace.meta?.mark && trace.type === "scatter";

// What a trace is called: as its marks begin, as in the legend, as the equation does, or by its look.
function calledBy(trace, count) {
  const name = plainText(trace.name);
  const said = trace.hoverinfo === "skip" ? "" : plainText(template(trace).replaceAll("%{fullData.name}", name));
  const [start] = said.split(/: (?=.*%\{)/);
  const head = start.includes("%{") ? start.slice(0, start.indexOf("%{")).split(", ").slice(0, -1).join(", ") : start;
  if (head && head.includes(name)) return head;
  const look = trace.type === "contour" ? (STROKES[trace.line?.dash] ?? "solid line") : "";
  return name || (count === 1 ? wordsIn(trace, 0, 1) : "") || trace.meta?.mark || look;
}

// Whether the marks say what their place and height do not.
function saysMore(trace, count, place) {
  const names = new Set([...template(trace).matchAll(/%\{(text|customdata)/g)].map(([, name]) => name));
  if (!names.size || trace.hoverinfo === "skip") return false;
  const known = (own, i) => (typeof own === "number" ? agree(own, place(i)) : plainText(own) === place(i));
  return [...names].some((name) => Array.from({ length: Math.min(count, 50) }, (_, i) => i).some((i) => !known(entry(trace[name], i, count), i)));
}

// Points in a row, all as high, of which nobody says how high: they only need a seat.
function seated(trace, values, letter) {
  if (values.length < 3 || trace.mode !== "markers" || values.some((value) => value !== values[0])) return false;
  return trace.hoverinfo === "skip" || !template(trace).includes(`%{${letter}`);
}

// Marks that say all the same, where places mean nothing: how many there are is what they show.
function allAlike(trace, telling) {
  if (trace.mode !== "markers" || trace.hoverinfo === "skip" || !trace.hovertemplate) return false;
  return !/%\{(x|y|text|customdata)/.test(template(trace)) && !(telling.x && telling.y);
}

// A trace as columns: of each row its place, and its values.
function columnsOf(trace, x, y, title) {
  const at = { x: valuesOf(trace.lines?.x ?? trace.x), y: valuesOf(trace.lines?.y ?? trace.y) };
  const total = Math.max(at.x.length, at.y.length);
  const axes = { x, y };
  const name = calledBy(trace, total);
  const [tellsX, tellsY] = ["x", "y"].map((letter) => axes[letter].tells(at[letter]) && !seated(trace, at[letter], letter));
  const lying = tellsX === tellsY
    ? trace.orientation === "h" || (y.ofNames && !x.ofNames) || (!rising(at.x) && rising(at.y) && at.y.length > 2)
    : tellsX !== (tellsX ? x : y).ofNames;
  let [by, along] = lying ? ["y", "x"] : ["x", "y"];
  const telling = { x: tellsX, y: tellsY };
  if (trace.type === "bar" && axes[trace.orientation === "h" ? "x" : "y"].ofNames) telling[trace.orientation === "h" ? "x" : "y"] = false; // a piece of a mosaic
  const gaps = total % 3 === 0 && at.x.length === at.y.length && at.x.every((_, i) => Number.isNaN(at.x[i] + at.y[i]) === (i % 3 === 2));
  const level = (letter) => gaps && at[letter].every((value, i) => i % 3 !== 1 || value === at[letter][i - 1]);
  if (!level(by) && level(along)) [by, along] = [along, by];
  const pairs = level(by);
  const all = Array.from({ length: total }, (_, i) => i);
  const there = pairs ? all.filter((i) => i % 3 === 0) : all.filter((i) => !at[by].length || !Number.isNaN(at[by][i]));
  const drawing = /%\{(text|customdata)/.test(template(trace)) && !/%\{[xy]/.test(template(trace)) && (trace.mode ?? "") === "lines";
  const rows = drawing ? there.filter((i, k) => k === 0 || wordsIn(trace, i, total) !== wordsIn(trace, there[k - 1], total)) : there;
  const place = (i) => axes[by].cell(at[by][i]);
  const heading = axes[along].title || (y.square ? "" : title) || along;
  const head = (more = "") => (name ? `${name}${axes[along].title ? `: ${axes[along].title}` : ""}${more}` : `${heading}${more}`);
  const format = formatOf(trace, along);
  const column = (more, cell) => ({ head: head(more), cell: (k) => cell(rows[k]), format });
  const value = (i) => axes[along].cell(at[along][i]);
  const columns = [];
  if (telling[along]) {
    if (pairs) columns.push(column(", from", value), column(", to", (i) => value(i + 1)));
    else columns.push(column("", value));
  }
  const base = trace.type === "bar" && trace.base != null ? valuesOf(typeof trace.base === "object" ? trace.base : all.map(() => trace.base)) : [];
  if (telling[along] && base.some(Boolean)) columns.push(column(", starting at", (i) => base[i % base.length]));
  const words = { head: name ? `${name}, in words` : "in words", cell: (k) => wordsIn(trace, rows[k], total) };
  const places = telling[by] ? { head: axes[by].heading, cell: (k) => place(rows[k]), format: formatOf(trace, by), axis: axes[by] } : null;
  const more = saysMore(trace, total, place);
  const single = rows.length === 1 || (total === 2 && trace.type === "scatter" && (trace.mode ?? "lines").includes("lines"));
  return { trace, name, at, count: rows.length, places, columns, words, more, telling, single, many: allAlike(trace, telling) };
}

// --- tables --------------------------------------------------------------------------------------------------------------

const numbered = { head: "no.", cell: (k) => k + 1 };

// Traces whose marks stand at the same places, in the order in which they are drawn.
function sharing(found, coarse) {
  const groups = [];
  for (const one of found) {
    const same = ({ places, count }) => {
      if (!places || !one.places || places.axis !== one.places.axis || count !== one.count) return false;
      return Array.from({ length: count }, (_, k) => k).every((k) => {
        const [mine, theirs] = [one.places.cell(k), places.cell(k)];
        return typeof mine === "string" || typeof theirs === "string" ? mine === theirs : places.axis.same(mine, theirs, coarse);
      });
    };
    const group = groups.find(([first]) => same(first));
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups;
}

function tableOf(group) {
  const heads = group.map(({ columns }) => columns[0]?.head);
  const told = group.flatMap(({ columns, words, more }, k) => {
    const twice = heads.some((head, j) => j !== k && head === heads[k]);
    return more || twice || !columns.length ? [...columns, words] : columns;
  });
  const [first, second, ...others] = [...new Set(group.map(({ name }) => name).filter(Boolean))];
  const about = others.length ? `${first}, ${second} and ${others.length} more` : [first, second].filter(Boolean).join(", ");
  return { about, count: group[0].count, columns: [group[0].places ?? numbered, ...told] };
}

// Where a mark stands on an axis: a place, or from one to another.
function standing({ at, many, telling }, axis) {
  const values = at[axis.letter].filter((value) => !Number.isNaN(value));
  if (many || !telling[axis.letter] || !values.length) return undefined;
  const [a, b] = [values[0], values.at(-1)].map(axis.cell);
  if (a === b) return a;
  return typeof a === "number" && typeof b === "number" && axis.covered(a, b) ? "all along" : [a, b];
}

// One row a trace: what it is, where it stands, or how many there are of it.
function tableOfMarks(found, x, y, title) {
  const value = y.title || (y.square || y.ofNames ? y.heading : title || "y");
  const columns = [
    { head: x.heading, of: (one) => standing(one, x), format: ({ trace }) => formatOf(trace, "x") },
    { head: value, of: (one) => standing(one, y), format: ({ trace }) => formatOf(trace, "y") },
    { head: "how many", of: ({ many, count }) => (many && found.some((one) => one.many && one.count > 1) ? count : undefined) },
    { head: "in words", of: ({ more, name, words }) => (more && words.cell(0) !== name ? words.cell(0) : undefined) },
  ].filter(({ of }) => found.some((one) => of(one) !== undefined));
  const cells = columns.map(({ head, of, format }) => ({ head, cell: (k) => of(found[k]), format: format && ((k) => format(found[k])) }));
  return { about: "single marks", count: found.length, columns: [{ head: "mark", cell: (k) => found[k].name || title }, ...cells] };
}

// Rows from the top of the map to its bottom would be upside down: they follow the axis.
function tableOfMap(trace, x, y) {
  const [rows, columns] = trace.z.shape;
  const [xs, ys] = [trace.x, trace.y].map(valuesOf);
  const corner = `${y.heading} \\ ${x.heading}`;
  const places = { head: corner, cell: (r) => y.cell(ys[r]) };
  const cells = Array.from({ length: columns }, (_, c) => ({ head: shownCell(x.cell(xs[c])), cell: (r) => trace.z[r * columns + c] }));
  return { about: plainText(trace.name) || "map", count: rows, columns: [places, ...cells] };
}

function tablesOfPanel(layout, n, traces, coarse) {
  const [x, y] = ["x", "y"].map((letter) => axisIn(layout, letter, n));
  const title = plainText(titleOf(layout, n)?.text).trim();
  const told = traces.filter((trace) => !mute(trace));
  const found = told.filter(({ z }) => !z).map((trace) => columnsOf({ type: "scatter", ...trace }, x, y, title)).filter(({ count }) => count);
  const worth = found.filter(({ name, columns, places, more }) => name || columns.length || places || more);
  const [marks, series] = [true, false].map((kind) => worth.filter(({ single, many }) => kind === (single || many)));
  const tables = sharing(series.filter(({ columns, places, more }) => columns.length || places || more), coarse).map(tableOf);
  if (marks.length) tables.push(tableOfMarks(marks, x, y, title));
  tables.push(...told.filter(({ z }) => z).map((trace) => tableOfMap(trace, x, y)));
  return tables.map((table) => ({ ...table, names: [tables.length > 1 ? "" : title, [title, table.about].filter(Boolean).join(" · "), [title, table.about, x.title].filter(Boolean).join(" · ")] }));
}

// The tables of a figure: { caption, count, columns }; a column has a `head` and of each row a `cell`, and its `format`.
// coarse: the figure's places were rounded to what can be seen.
export function tablesOf(figure, coarse = false) {
  const { data = [], layout = {} } = readable(figure);
  const panels = [...new Set(data.map((trace) => (trace.xaxis ?? "x").slice(1)))].sort((a, b) => (a || 1) - (b || 1));
  const all = panels.flatMap((n) => tablesOfPanel(layout, n, data.filter((trace) => (trace.xaxis ?? "x") === `x${n}`), coarse));
  const taken = new Set();
  return all.map(({ names, count, columns }) => {
    const last = names.at(-1) || "Table";
    const more = all.map((_, k) => `${last} (${k + 2})`);
    const caption = [...names, last, ...more].find((name) => name && !taken.has(name));
    taken.add(caption);
    return { caption, count, columns };
  });
}
