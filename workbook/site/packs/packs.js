// Packs: many frames of one explorer in a script. `openPack` loads and decodes one; a frame is put together when it is
// asked for. How a pack is written stands in `frames.py` and `encoding.py`.

const received = new Map(); // name -> base64 of gzip
const opened = new Map(); // name -> promise of a pack
const ODD = [0, NaN, Infinity, -Infinity];

// Take what the script of a pack holds.
function receivePack(name, text) {
  received.set(name, text);
}

// Load and decode the pack of an explorer; `base` is the address of the folder `packs`, with a slash at its end.
function openPack(name, base) {
  if (!opened.has(name)) opened.set(name, loadPack(name, base));
  return opened.get(name);
}

async function loadPack(name, base) {
  await loadScript(`${base}${name}.js`);
  const text = received.get(name);
  received.delete(name);
  return decodePack(JSON.parse(await unzip(text)));
}

function unzip(text) {
  const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

function decodePack({ count, places: table, shapes, trees, ids, columns, ...about }) {
  const indexes = decodeRows(table, count); // of each control in turn the indexes in all places
  const numbers = new Map(Array.from({ length: count }, (_, n) => [String(about.controls.map((_, k) => indexes[k * count + n])), n]));
  const leafOf = ids.map((differences) => later(() => decodeRows(differences, count)));
  const leaves = columns.map(({ parts, ids: k }) => leavesOf(parts, leafOf[k]));
  const builders = trees.map(builderOf);
  const frame = (n) => builders[shapes[n]]((k) => leaves[k](n));
  return { ...about, frame: (place) => (numbers.has(String(place)) ? frame(numbers.get(String(place))) : null) };
}

// Compute a value when it is first asked for.
function later(compute) {
  let value = null;
  return () => (value ??= compute());
}

// --- numbers (encoding.py) ---

// Inverse of `encode_rows`: the whole numbers of a table with so many columns.
function decodeRows(differences, columns) {
  const whole = Float64Array.from(differences);
  for (let i = 0; i < whole.length; i++) if (i % columns) whole[i] += whole[i - 1];
  for (let i = columns; i < whole.length; i++) whole[i] += whole[i - columns];
  return whole;
}

// Inverse of `encode_numbers`: row -> its numbers.
function rowsOf({ unit, rows, odd, shape }) {
  const size = shape.reduce((product, length) => product * length, 1);
  const table = unit ? decodeRows(rows, size).map((whole) => whole / unit) : Float64Array.from(rows);
  if (odd) decodeRows(odd, size).forEach((mark, i) => mark && (table[i] = ODD[mark]));
  return (row) => table.slice(row * size, (row + 1) * size);
}

// --- leaves (frames.py) ---

const READERS = {
  array(part) {
    const numbers = rowsOf(part);
    return (row) => (part.shape.length > 1 ? Object.assign(numbers(row), { shape: part.shape }) : numbers(row));
  },
  list(part) {
    const numbers = rowsOf(part);
    return (row) => Array.from(numbers(row));
  },
  number(part) {
    const numbers = rowsOf(part);
    return (row) => numbers(row)[0];
  },
  value: (part) => (row) => part.values[row],
};

// Number of a frame -> its leaf. Nothing is decoded before it is asked for, and the last leaf is kept.
function leavesOf(parts, leafOf) {
  const readers = parts.map((part) => later(() => READERS[part.kind](part)));
  let [last, leaf] = [-1, null];
  return (frame) => {
    let number = leafOf()[frame];
    if (number === last) return leaf;
    last = number;
    const k = parts.findIndex(({ count }) => number < count || ((number -= count), false));
    return (leaf = readers[k]()(number));
  };
}

// A tree as a function of its leaves. A part without holes is the same object in every frame.
function builderOf(tree) {
  if (!hasHole(tree)) return () => tree;
  if (tree.$ !== undefined) return (leaf) => leaf(tree.$);
  const inner = Object.entries(tree).map(([name, item]) => [name, builderOf(item)]);
  if (Array.isArray(tree)) return (leaf) => inner.map(([, build]) => build(leaf));
  return (leaf) => Object.fromEntries(inner.map(([name, build]) => [name, build(leaf)]));
}

const hasHole = (tree) =>
  tree !== null && typeof tree === "object" && (tree.$ !== undefined || Object.values(tree).some(hasHole));
