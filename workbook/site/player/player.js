// Explorers on the page: presets, controls and figure over the frames of a pack, drawn by the notebook's own view.

const AGAIN = "Every control back to where it started";
const FEW = "This page does not hold every combination of values";

function link(name, text) {
  const address = document.body.dataset[name];
  return address ? [made("a", { href: address }, text)] : [];
}

// Links to where every combination answers.
function kernelLinks() {
  const found = [...link("nbBinder", "open it in Binder"), ...link("nbRun", "run it on your machine")];
  return found.length ? [": ", ...found.flatMap((one, k) => (k ? [" or ", one] : [one]))] : [];
}

// Create an explorer over a pack. place: the index of each control's value; changed(place): called when the reader moved.
function explore(pack, place, { lecture = false, changed = () => {} } = {}) {
  let [shown, wish, mover] = [place, place, ""];
  const controls = pack.controls.map((control, k) => controlOf(control, (index, step) => choose({ [control.name]: index }, step)));
  const numberOf = Object.fromEntries(pack.controls.map(({ name }, k) => [name, k]));
  const gripControls = {};
  const widgets = new Map();
  pack.controls.forEach((control, k) => {
    if (control.kind === "points") return; // only the chosen ones are here: no grip may promise others
    gripControls[control.name] = { model: control.name, label: control.label, values: control.values, said: control.said };
    widgets.set(control.name, controls[k].model);
  });
  const model = viewModel(widgets, gripControls, lecture);
  const presets = pack.presets.map((preset) => button(preset.name, () => show(preset.place, preset.caption), preset.caption));
  const reset = button("Reset", () => show(place), AGAIN);
  const asked = (key) => key && document.querySelector(`[data-question="${key}"]`) && !(key in readProgress());
  const wait = () => presets.forEach((chip, k) => chip.classList.toggle("nb-waits", Boolean(asked(pack.presets[k].after))));
  reset.classList.toggle("nb-spare", pack.presets.some((preset) => String(preset.place) === String(place))); // a chip is the reset
  const note = made("div", { class: "nb-note" });
  const view = made("div", {});
  const rows = [made("div", { class: "nb-presets" }, ...presets, reset), made("div", { class: "nb-controls" }, ...controls.map((one) => one.element))];
  const element = made("div", { class: "nb-explorer", role: "group", "aria-label": pack.title }, ...rows, note, view);

  // Take the reader's choices; as long as one control moves, the others come back to where the reader had left them.
  function choose(values, step = false) {
    const names = Object.keys(values);
    if (String(names) !== mover) [wish, mover] = [shown, String(names)];
    wish = wish.map((index, k) => values[pack.controls[k].name] ?? index);
    const [before, moved] = [shown, names.map((name) => numberOf[name])];
    settle(wish, moved, "", step ? shown : null);
    controls.forEach((control, k) => shown[k] !== before[k] && !moved.includes(k) && control.shine()); // also what comes back
    changed(shown);
  }

  // Show a whole state; moved: the numbers of the controls that were asked for; unknown: what was asked for in vain.
  function show(wanted, caption = "", moved = [], unknown = []) {
    [wish, mover] = [wanted, ""];
    settle(wanted, moved, caption, null, unknown);
    changed(shown);
  }

  // Show the wanted place or the nearest one. from: where the moved controls made a step.
  function settle(wanted, moved, caption, from = null, unknown = []) {
    const found = pack.covered(wanted) ? wanted : pack.nearest(wanted, moved, from);
    const frame = found && pack.frame(found);
    if (!frame) return model.set("error", `${FEW}, and there is none like this one here.`);
    shown = found;
    controls.forEach((control, k) => control.show(found[k]));
    presets.forEach((chip, number) => chip.setAttribute("aria-pressed", String(pack.presets[number].place) === String(found)));
    greyOut();
    explainMoves(controls.map((_, k) => k).filter((k) => found[k] !== wanted[k]), moved, wanted, from, unknown);
    put(frame, caption);
  }

  function put(frame, caption) {
    const figure = model.get("lecture") ? projectFigure(frame.figure) : frame.figure;
    const news = { error: "", sentence: frame.sentence, figure, formula: frame.formula, caption };
    for (const [name, value] of Object.entries(news)) model.set(name, value);
  }

  function greyOut() {
    const is = ([name, value]) => pack.controls[numberOf[name]].values[shown[numberOf[name]]] === value;
    controls.forEach((control, k) => control.disable(!Object.entries(pack.controls[k].when ?? {}).every(is)));
  }

  // Write a line about what moved by itself, and let its control glow.
  function explainMoves(changed, moved, wanted, from, unknown) {
    changed.forEach((k) => controls[k].shine());
    const valueText = (k, place) => pack.controls[k].said[place[k]];
    const reason = (k) => (moved.includes(k) ? ` (${valueText(k, wanted)} is not here)` : "");
    const moveText = (k) => `${pack.controls[k].label} ${from?.[k] === shown[k] ? "stayed at" : "went to"} ${valueText(k, shown)}${reason(k)}`;
    const few = changed.length ? `${FEW}, so ${changed.map(moveText).join(", ")}.` : "";
    const no = unknown.length ? `This explorer has no ${unknown.join(", ")}: the address was not followed there.` : "";
    note.replaceChildren(...(few ? [`${few} A notebook has them all`, ...kernelLinks(), ". "] : []), no);
    model.set("note", [few, no].filter(Boolean).join(" "));
  }

  // Show what an address asks for.
  function follow(wanted) {
    const { preset, changes, unknown } = asksFor(pack, wanted);
    const base = preset?.place ?? place;
    const moved = Object.keys(changes).map((name) => numberOf[name]);
    show(base.map((index, k) => changes[pack.controls[k].name] ?? index), moved.length ? "" : (preset?.caption ?? ""), moved, unknown);
  }

  function project(on) {
    model.set("lecture", on);
    element.classList.toggle("nb-lecture", on);
    put(pack.frame(shown), model.get("caption"));
  }

  // A grip was dragged.
  model.on("change:moved", () => {
    const { values } = model.get("moved");
    choose(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pack.controls[numberOf[name]].values.indexOf(value)])));
  });
  // Our drawing does not know this figure; there is no other here.
  model.on("change:plotly", () => {
    if (model.get("plotly")) model.set("error", "This figure cannot be drawn here. The saved picture shows another state of it.");
  });
  element.classList.toggle("nb-lecture", lecture);
  wait();
  addEventListener("nb-progress", wait); // a preset that answers a question of the page comes after it
  settle(place, [], "");
  const gone = render({ model, el: view });
  return { element, pack, start: place, model, show, follow, project, gone, place: () => shown };
}
