// Controls of the page: native inputs that show which of their values is chosen.

let controlsMade = 0;

// A page without a kernel has only some texts: it says where the others are.
const MORE = { text: ["any other: in the notebook"], points: ["your own: in the notebook"] };

// Each kind: its input; the index of the chosen value; how to choose another.
const KINDS = {
  slider: {
    input: ({ values }) => made("input", { type: "range", min: 0, max: values.length - 1, step: 1 }),
    chosen: (input) => Number(input.value), choose: (input, index) => (input.value = index),
  },
  choice: {
    input: ({ said, kind }) => made("select", {}, ...said.map((words) => made("option", {}, words || "none")),
      ...(MORE[kind] ?? []).map((words) => made("option", { disabled: true }, words))),
    chosen: (input) => input.selectedIndex, choose: (input, index) => (input.selectedIndex = index),
  },
  search: { // more texts than one scrolls through: a field with suggestions; -1: what is typed is none of them
    input: ({ said }) => {
      const suggestions = made("datalist", { id: `nb-list-${controlsMade}` }, ...said.map((words) => made("option", { value: words })));
      return Object.assign(made("input", { type: "search", list: suggestions.id }), { said, suggestions, onfocus() { this.select(); } });
    },
    chosen: ({ said, value }) => said.findIndex((words) => words.toLowerCase() === value.trim().toLowerCase()),
    choose: (input, index) => (input.value = input.said[index]),
  },
  toggle: {
    input: () => made("input", { type: "checkbox" }),
    chosen: (input) => Number(input.checked), choose: (input, index) => (input.checked = Boolean(index)),
  },
};
const LOOKS_LIKE = { slider: "slider", grid: "slider", choice: "choice", text: "choice", points: "choice", toggle: "toggle" };
const MANY = 40; // texts
const SHINES = 1500; // ms: a control that moved by itself

// Create a control as a pack describes it. moved(index, step) is called when the reader chose; step: by a key, not by
// dragging. Returns { element, model, show, disable, shine }.
function controlOf(control, moved) {
  const looks = control.kind === "text" && control.said.length > MANY ? "search" : LOOKS_LIKE[control.kind];
  const kind = KINDS[looks];
  const id = `nb-control-${++controlsMade}`;
  const input = kind.input(control);
  input.id = id;
  const only = control.values.length === 1; // nothing to choose
  const label = only
    ? made("span", { class: "nb-label" }, `${control.label}: in the notebook`)
    : made("label", { for: id, class: "nb-label" }, control.label);
  const readout = looks === "slider" ? made("output", { for: id, class: "nb-readout", "aria-live": "off" }) : null;
  const beside = input.suggestions ? [input.suggestions, made("span", {}, ...MORE.text)] : readout ? [readout] : [];
  const parts = looks === "toggle" ? [input, label] : [label, input, ...beside];
  const element = made("div", { class: `nb-control nb-${looks}`, "data-control": control.name }, ...parts);
  element.hidden = Boolean(control.hidden) || (only && !MORE[control.kind]);
  input.hidden = only;
  if (readout) readout.style.minWidth = `${Math.max(...control.said.map((words) => words.length))}ch`;
  function write(index) {
    if (kind.chosen(input) !== index) kind.choose(input, index);
    if (!readout) return;
    input.setAttribute("aria-valuetext", control.said[index]);
    readout.textContent = control.said[index];
  }
  // For `render` it is ipywidgets' selection slider, which has an index.
  const model = widgetModel({ index: -1, _options_labels: control.said });
  const setValue = model.set;
  model.set = (name, index) => {
    if (name !== "index" || model.get("index") === index) return;
    write(index);
    setValue("index", index);
  };
  let dragged = false;
  input.addEventListener("pointerdown", () => (dragged = true));
  for (const end of ["pointerup", "change", "keydown"]) input.addEventListener(end, () => (dragged = false));
  input.addEventListener("input", () => kind.chosen(input) >= 0 && moved(kind.chosen(input), looks === "slider" && !dragged));
  input.addEventListener("change", () => write(model.get("index")));
  // Also where the reader moved only the input.
  function show(index) {
    write(index);
    model.set("index", index);
  }
  let shining = 0;
  function shine() {
    element.classList.add("nb-shines");
    clearTimeout(shining);
    shining = setTimeout(() => element.classList.remove("nb-shines"), SHINES);
  }
  return { element, model, show, disable: (off) => (input.disabled = off), shine };
}
