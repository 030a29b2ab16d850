// Frames that the kernel sent ahead, see ahead.py: what a slider's next step shows stands ready before its key is pressed.
// A frame is {figure, formula, sentence}; its place is the state that it shows: of each control the index of its value, or
// its text.

const KEPT = 32; // frames: the oldest goes first; as in ahead.py

// The index of the value nearest to a number (a slider's 0.1 + 0.2 is its 0.3), or of the very value; a text itself.
function standOf({ values, now }) {
  const value = now();
  if (!values.length) return value;
  if (typeof value !== "number") return values.indexOf(value);
  return values.reduce((best, one, k) => (Math.abs(one - value) < Math.abs(values[best] - value) ? k : best), 0);
}

// A value with its buffers in their places.
function filled(value, buffers) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => filled(item, buffers));
  if (value.buffer !== undefined) return buffers[value.buffer];
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item, buffers)]));
}

// A copy of a tree in which another value stands at a path; all else is shared.
function replaced(tree, [first, ...rest], value) {
  if (first === undefined) return value;
  const copy = Array.isArray(tree) ? [...tree] : { ...tree };
  copy[first] = replaced(tree[first], rest, value);
  return copy;
}

// The store of a view: `keep` what was shown, `add` what was sent ahead, `frame` of a place, `clear`.
function storeOfFrames() {
  const frames = new Map();
  const key = (place) => JSON.stringify(place);
  function keep(place, frame) {
    frames.delete(key(place));
    frames.set(key(place), frame);
    if (frames.size > KEPT) frames.delete(frames.keys().next().value);
  }
  function add({ at, base, changes }, buffers) {
    const start = frames.get(key(base));
    if (start) keep(at, changes.reduce((tree, [path, value]) => replaced(tree, path, filled(value, buffers)), start));
  }
  return { keep, add, clear: () => frames.clear(), frame: (place) => frames.get(key(place)) };
}

// What a view shows: the kernel's frame, or, until that one has come, one that was sent ahead. `shown(name)` is a part of
// it; `moved` is called when a control has changed, `arrived` when the kernel has sent something: is there news to draw?
function framesAhead(model, controls) {
  const store = storeOfFrames();
  const own = () => ({ figure: model.get("figure"), formula: model.get("formula"), sentence: model.get("sentence") });
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const place = () => [...controls().values()].map(standOf);
  let shown = null; // {place, frame}: drawn before the kernel's answer
  function moved() {
    const now = place();
    const ready = !same(now, model.get("at"));
    const frame = ready ? store.frame(now) : own();
    if (frame) shown = { place: now, frame, ready };
    return Boolean(frame);
  }
  // An answer to an earlier step is not drawn: what the reader asked for since then stands already. Nor is one drawn
  // again that stood ready.
  function arrived() {
    if (!shown || model.get("error")) return release(true);
    const at = model.get("at");
    if (same(at, shown.place)) return release(!shown.ready || shown.frame.sentence !== model.get("sentence"));
    return same(at, place()) && release(true);
  }
  function release(news) {
    shown = null;
    return news;
  }
  function focus(name) {
    if (model.get("focused") === name) return;
    model.set("focused", name);
    model.save_changes();
    store.clear();
    keep();
  }
  const keep = () => model.get("focused") && store.keep(model.get("at"), own());
  const heard = { "msg:custom": ({ ahead }, buffers) => ahead && store.add(ahead, buffers) };
  for (const name of ["change:at", "change:figure"]) heard[name] = keep;
  for (const [name, hears] of Object.entries(heard)) model.on(name, hears);
  const stop = () => Object.entries(heard).forEach(([name, hears]) => model.off(name, hears));
  focus(""); // the kernel may still think of an earlier page
  return { moved, arrived, focus, stop, shown: (name) => shown?.frame[name] ?? model.get(name) };
}

// Tells the name of the control whose slider has the focus, "" if none has. Returns what undoes it.
function watchFocus(box, controls, tell) {
  const rows = () => [...(box.querySelector(".nb-controls")?.children ?? [])]; // some may come later
  function entered({ target }) {
    const slider = target.matches("[role=slider]");
    tell(slider ? ([...controls().keys()][rows().findIndex((row) => row.contains(target))] ?? "") : "");
  }
  const left = ({ relatedTarget }) => box.contains(relatedTarget) || tell("");
  box.addEventListener("focusin", entered);
  box.addEventListener("focusout", left);
  return () => {
    box.removeEventListener("focusin", entered);
    box.removeEventListener("focusout", left);
  };
}
