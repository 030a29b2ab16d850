// Explorers on the page: presets, controls and figure over the frames of a pack, drawn by the notebook's own view.

const AGAIN = "Every control back to where it started";
const DRAFT = "This draft of the site does not hold this combination of values.";

function link(name, text) {
  const address = document.body.dataset[name];
  return address ? [made("a", { href: address }, text)] : [];
}

// Links to where the notebook can be run.
function kernelLinks() {
  const found = [...link("nbBinder", "open it in Binder"), ...link("nbRun", "run it on your machine")];
  return found.length ? [": ", ...found.flatMap((one, k) => (k ? [" or ", one] : [one]))] : [];
}

// Create an explorer over a pack. place: the index of each control's value; changed(place): called when the reader moved.
function explore(pack, place, changed = () => {}) {
  let shown = place;
  let wish = place; // what was asked for last: a frame may come later
  let convert = (figure) => figure; // to other sizes
  const controls = pack.controls.map((control) => controlOf(control, (index) => choose({ [control.name]: index })));
  const gripControls = Object.fromEntries(pack.controls.map(({ name, label, values, said }) => [name, { model: name, label, values, said }]));
  const widgets = new Map(pack.controls.map(({ name }, k) => [name, controls[k].model]));
  const model = viewModel(widgets, gripControls);
  const presets = pack.presets.map((preset) => button(preset.name, () => show(preset.place, preset.caption), preset.caption));
  const reset = button("Reset", () => show(place), AGAIN);
  const asked = (key) => key && document.querySelector(`[data-question="${key}"]`) && !(key in readProgress());
  // A preset that would answer a question of the page waits for it, and with it a switch that it turns.
  function wait() {
    const late = pack.presets.filter(({ after }) => asked(after));
    presets.forEach((chip, k) => chip.classList.toggle("nb-waits", late.includes(pack.presets[k])));
    pack.controls.forEach(({ values }, k) => controls[k].element.classList.toggle("nb-waits", values.length === 2 && late.some((preset) => preset.place[k] !== place[k])));
  }
  reset.classList.toggle("nb-spare", pack.presets.some((preset) => String(preset.place) === String(place))); // a chip is the reset
  const note = made("div", { class: "nb-note" });
  const view = made("div", {});
  const rows = [made("div", { class: "nb-presets" }, ...presets, reset), made("div", { class: "nb-controls" }, ...controls.map((one) => one.element))];
  const element = made("div", { class: "nb-explorer", role: "group", "aria-label": pack.title }, ...rows, note, view);

  // Move the controls that are named to these indexes.
  function choose(indexes) {
    show(shown.map((index, k) => indexes[pack.controls[k].name] ?? index));
  }

  // Show a whole state; unknown: what was asked for in vain.
  function show(wanted, caption = "", unknown = []) {
    settle(wanted, caption, unknown);
    changed(shown);
  }

  function settle(wanted, caption, unknown = []) {
    wish = wanted;
    const frame = pack.frame(wanted);
    if (frame instanceof Promise) return expect(frame, wanted, caption, unknown);
    if (frame) shown = wanted;
    controls.forEach((control, k) => control.show(shown[k]));
    if (!frame) return model.set("error", DRAFT);
    presets.forEach((chip, number) => chip.setAttribute("aria-pressed", String(pack.presets[number].place) === String(shown)));
    note.textContent = unknown.length ? `This explorer has no ${unknown.join(", ")}: the address was not followed there.` : "";
    model.set("note", note.textContent);
    put(frame, caption);
  }

  // A frame that a server computes: the controls go ahead.
  function expect(frame, wanted, caption, unknown) {
    shown = wanted;
    controls.forEach((control, k) => control.show(shown[k]));
    frame.then(() => wish === wanted && settle(wanted, caption, unknown), ({ message }) => model.set("error", message));
  }

  function put(frame, caption) {
    const news = { error: "", sentence: frame.sentence, figure: convert(frame.figure), formula: frame.formula, caption };
    for (const [name, value] of Object.entries(news)) model.set(name, value);
  }

  // Show what an address asks for.
  function follow(wanted) {
    const { preset, changes, unknown } = asksFor(pack, wanted);
    const base = preset?.place ?? place;
    const caption = Object.keys(changes).length ? "" : (preset?.caption ?? "");
    show(base.map((index, k) => changes[pack.controls[k].name] ?? index), caption, unknown);
  }

  // Show all figures converted, in the sizes of a projector.
  function project(converted) {
    convert = converted;
    settle(shown, model.get("caption"));
  }

  // A grip was dragged.
  model.on("change:moved", () => {
    const { values } = model.get("moved");
    choose(Object.fromEntries(pack.controls.flatMap(({ name, values: all }) => (name in values ? [[name, all.indexOf(values[name])]] : []))));
  });
  wait();
  addEventListener("nb-progress", wait); // a preset that answers a question of the page comes after it
  settle(place, "");
  render({ model, el: view });
  return { element, pack, start: place, model, show, follow, project, place: () => shown };
}
