// Packs: many frames of one explorer in a script. `openPack` loads and reads one; a frame is put together when it is
// asked for. How it is written stands in `frames.py`, `columns.py`, `planes.py`, `texts.py` and `whole.py`.

const received = new Map(); // name -> base64 of gzip
const opened = new Map(); // name -> promise of a pack
const HALF = 32; // bits of a float64 that "bits" leaves away
const ODD = [0, NaN, Infinity, -Infinity];

// A script of a pack hands over what it holds.
function receivePack(name, part, text) {
  received.set(name, text);
}

// Load and read the pack of an explorer; `base` is the address of the folder `packs`, with a slash at its end.
function openPack(name, base) {
  if (!opened.has(name)) opened.set(name, loadPack(name, base));
  return opened.get(name);
}

async function loadPack(name, base) {
  if (!received.has(name)) await addScript(`${base}${name}.js`);
  const text = received.get(name);
  received.delete(name);
  return readPack(await unzipped(text));
}

// Neither modules nor fetch work in a page that was opened from a file; a script does.
function addScript(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${address} cannot be loaded.`));
    document.head.append(script);
  });
}

async function unzipped(text) {
  const binary = atob(text);
  const data = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) data[i] = binary.charCodeAt(i);
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function readPack(data) {
  const end = 4 + new DataView(data.buffer).getUint32(0, true);
  const { places: placeTable, shapes: shapeTable, trees, columns, ...about } = JSON.parse(new TextDecoder().decode(data.subarray(4, end)));
  const body = data.subarray(end);
  const table = readTable(placeTable, body); // of each control the indexes in all places
  const [controls, count] = [placeTable[3], placeTable[4]];
  const places = Array.from({ length: count }, (_, n) => Array.from({ length: controls }, (_, k) => table[k * count + n]));
  const shapes = readTable(shapeTable, body);
  const numbers = new Map(places.map((place, n) => [place.join(), n]));
  const leaves = columns.map((column) => readColumn(column, body));
  const builders = trees.map(builderOf);
  const frame = (n) => builders[shapes[n]]((k) => leaves[k](n));
  return {
    ...about,
    places,
    frame: (place) => (numbers.has(place.join()) ? frame(numbers.get(place.join())) : null),
    covered: (place) => numbers.has(place.join()),
    nearest: (place, moved) => nearestPlace(places, place, [moved ?? []].flat()),
  };
}

// --- tables of whole numbers (planes.py) ---

function readTable([way, width, line, rows, columns, start], body) {
  const count = rows * columns;
  const whole = new Int32Array(count);
  for (let k = 0; k < width; k++) for (let i = 0; i < count; i++) whole[i] |= body[start + k * count + i] << (8 * k);
  for (let i = 0; i < count; i++) whole[i] = (whole[i] >>> 1) ^ -(whole[i] & 1);
  for (const letter of [...way].reverse()) {
    if (letter === "d") for (let i = columns; i < count; i++) whole[i] += whole[i - columns];
    const step = letter === "a" ? 1 : line;
    if (letter !== "d") for (let i = 0; i < count; i++) if (i % columns >= step) whole[i] += whole[i - step];
  }
  return whole;
}

// --- numbers (whole.py) ---

const READ_NUMBERS = {
  step: (whole, by) => Float64Array.from(whole, (value) => value / by),
  bits(whole, by) {
    const halves = new Uint32Array(2 * whole.length); // the upper half of a number comes second
    whole.forEach((value, i) => (halves[2 * i + 1] = (Math.abs(value) << by) | (value < 0 ? 1 << (HALF - 1) : 0)));
    return new Float64Array(halves.buffer);
  },
};

// row -> its numbers
function rowsOfNumbers({ code, by, table, odd, count, shape }, body) {
  const wide = shape.reduce((product, size) => product * size, 1);
  const rows = code === "exact" ? exactRows(table[0], count * wide, wide, body) : wholeRows(readTable(table, body), code, by, wide);
  if (!odd) return rows;
  const marks = readTable(odd, body);
  return (row) => rows(row).map((value, i) => (marks[row * wide + i] ? ODD[marks[row * wide + i]] : value));
}

const wholeRows = (whole, code, by, wide) => (row) => READ_NUMBERS[code](whole.subarray(row * wide, (row + 1) * wide), by);

function exactRows(start, count, wide, body) {
  const found = new Uint8Array(8 * count);
  for (let k = 0; k < 8; k++) for (let i = 0; i < count; i++) found[8 * i + k] = body[start + k * count + i];
  const all = new Float64Array(found.buffer);
  return (row) => all.slice(row * wide, (row + 1) * wide);
}

// --- texts (texts.py) ---

const SLOT = /\{(\d+)\.(\d+)\}/g;

// number -> that text
function textsOf({ templates, which, numbers }, body) {
  const ids = readTable(which, body);
  const tables = numbers.map((table) => (table ? readTable(table, body) : null));
  const slots = numbers.map((table) => (table ? table[4] : 0));
  const used = templates.map(() => 0);
  const turns = ids.map((id) => used[id]++); // the how manieth text of its template it is
  return (i) => {
    const [id, template] = [ids[i], templates[ids[i]]];
    if (template.startsWith("\0")) return template.slice(1);
    let at = turns[i] * slots[id];
    return template.replace(SLOT, (_, least, decimals) => {
      const digits = String(tables[id][at++]).padStart(Number(least), "0");
      return Number(decimals) ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
    });
  };
}

// --- leaves (columns.py) ---

const READ_PART = {
  array(part, body) {
    const rows = rowsOfNumbers(part, body);
    return (row) => (part.shape.length > 1 ? Object.assign(rows(row), { shape: part.shape }) : rows(row));
  },
  list(part, body) {
    const rows = rowsOfNumbers(part, body);
    return (row) => Array.from(rows(row));
  },
  number(part, body) {
    const rows = rowsOfNumbers(part, body);
    return (row) => rows(row)[0];
  },
  text: textsOf,
  texts(part, body) {
    const [text, wide] = [textsOf(part, body), part.shape[0]];
    return (row) => Array.from({ length: wide }, (_, i) => text(row * wide + i));
  },
  value: (part) => (row) => part.values[row],
};

// number of a frame -> its leaf. Nothing is read before the first one is asked for, and the last one is kept.
function readColumn({ parts, ids }, body) {
  const readers = parts.map(() => null);
  let [table, last, leaf] = [null, -1, null];
  return (frame) => {
    if (ids) table ??= readTable(ids, body);
    let number = ids ? table[frame] : 0;
    if (number === last) return leaf;
    last = number;
    const k = parts.findIndex((part) => number < part.count || ((number -= part.count), false));
    readers[k] ??= READ_PART[parts[k].kind](parts[k], body);
    return (leaf = readers[k](number));
  };
}

// A tree as a function of its leaves. What has no hole in it is the same object in every frame.
function builderOf(tree) {
  if (tree === null || typeof tree !== "object") return () => tree;
  if (tree.$ !== undefined) return (leaf) => leaf(tree.$);
  if (!hasHole(tree)) return () => tree;
  const inner = Object.entries(tree).map(([name, item]) => [name, builderOf(item)]);
  if (Array.isArray(tree)) return (leaf) => inner.map(([, build]) => build(leaf));
  return (leaf) => {
    const found = {};
    for (const [name, build] of inner) found[name] = build(leaf);
    return found;
  };
}

const hasHole = (tree) =>
  tree !== null && typeof tree === "object" && (tree.$ !== undefined || Object.values(tree).some(hasHole));

// --- places ---

// The covered place with the moved controls where they are now, and of the others as few as possible moved, and as
// little; if there is none, the moved ones stand as near as possible.
function nearestPlace(places, place, moved) {
  let [found, least] = [null, null];
  for (const other of places) {
    const score = [0, 0, 0]; // how far the moved ones are off, how many others are, and how far
    for (let k = 0; k < place.length; k++) {
      const far = Math.abs(other[k] - place[k]);
      if (far === 0) continue;
      if (moved.includes(k)) score[0] += far;
      else {
        score[1] += 1;
        score[2] += far;
      }
    }
    if (!least || before(score, least)) [found, least] = [other, score];
  }
  return found.slice();
}

function before(one, two) {
  const k = one.findIndex((value, i) => value !== two[i]);
  return k >= 0 && one[k] < two[k];
}
