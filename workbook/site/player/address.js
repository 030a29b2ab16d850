// The state of an explorer in the page's address: `#02.smoothing?alpha=1&preset=...`, values as their control says them.

const QUIET = 400; // ms without a change before the address is written: browsers allow few changes in a short time
const NEAR = 1e-9; // relative: 0.30000000000000004 is 0.3

// Read { id, wanted: [[name, text], ...] } from an address; null if it names no state.
function readAddress(hash) {
  const [, id, query] = hash.match(/^#([^?]*)(?:\?(.*))?$/) ?? [];
  if (!id) return null;
  return { id: decodeText(id), wanted: [...new URLSearchParams(query ?? "")] };
}

function decodeText(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Find the index of the value that a text of the address means; -1 if it means none.
function indexOfText({ values, said, kind }, text) {
  const exact = [said.indexOf(text), values.findIndex((value) => String(value) === text)].find((k) => k >= 0);
  if (exact !== undefined) return exact;
  const number = text.trim() === "" ? NaN : Number(text);
  if (!values.every((value) => typeof value === "number") || !Number.isFinite(number)) return -1;
  const [low, high] = [values[0], values.at(-1)];
  if (number < low - NEAR * Math.abs(low) || number > high + NEAR * Math.abs(high)) return -1;
  const far = (value) => Math.abs(kind === "grid" ? Math.log(value / number) : value - number); // as the control checks it
  return values.reduce((best, value, k) => (far(value) < far(values[best]) ? k : best), 0);
}

// Resolve what an address asks of an explorer: { preset, changes: {name: index}, unknown: ["beta=3", ...] }.
function asksFor(pack, wanted) {
  const found = { preset: null, changes: {}, unknown: [] };
  for (const [name, text] of wanted) {
    const control = pack.controls.find((one) => one.name === name);
    const index = control ? indexOfText(control, text) : -1;
    const preset = name === "preset" && pack.presets.find((one) => one.name === text);
    if (index >= 0) found.changes[name] = index;
    else if (preset) found.preset = preset;
    else found.unknown.push(`${name}=${text}`);
  }
  return found;
}

// Write the address of a state, as far as it differs from where the explorer starts; a minus as people type it.
function addressOf(id, pack, place, start) {
  const query = new URLSearchParams();
  pack.controls.forEach((control, k) => {
    if (place[k] === start[k]) return;
    const words = control.said[place[k]].replaceAll("−", "-");
    query.set(control.name, indexOfText(control, words) === place[k] ? words : String(control.values[place[k]]));
  });
  return `#${id}${query.size ? `?${query}` : ""}`;
}

// Show the newest address when the reader pauses.
let writing = 0;
function writeAddress(address) {
  clearTimeout(writing);
  writing = setTimeout(() => {
    try {
      history.replaceState(history.state, "", address);
    } catch {} // a page in a frame of another may not
  }, QUIET);
}
