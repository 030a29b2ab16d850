// Controls of the page: native inputs that show which of their values is chosen.

let controlsMade = 0;

const MORE = "any other: in the notebook"; // a page without a kernel has only some texts

// Each kind: its input; the index of the chosen value; how to choose another.
const KINDS = {
  slider: {
    input: ({ values }) => made("input", { type: "range", min: 0, max: values.length - 1, step: 1 }),
    chosen: (input) => Number(input.value), choose: (input, index) => (input.value = index),
  },
  choice: {
    input: ({ said }) => made("select", {}, ...said.map((words) => made("option", {}, words || "none")), made("option", { disabled: true }, MORE)),
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
};
const MANY = 40; // texts

// Create a control as a pack describes it. moved(index) is called when the reader chose. Returns { element, model, show }.
function controlOf(control, moved) {
  const looks = control.kind !== "text" ? "slider" : control.said.length > MANY ? "search" : "choice";
  const kind = KINDS[looks];
  const id = `nb-control-${++controlsMade}`;
  const input = kind.input(control);
  input.id = id;
  const readout = looks === "slider" ? made("output", { for: id, class: "nb-readout", "aria-live": "off" }) : null;
  const beside = input.suggestions ? [input.suggestions, made("span", {}, MORE)] : readout ? [readout] : [];
  const parts = [made("label", { for: id, class: "nb-label" }, control.label), input, ...beside];
  const element = made("div", { class: `nb-control nb-${looks}`, "data-control": control.name }, ...parts);
  element.hidden = Boolean(control.hidden);
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
  input.addEventListener("input", () => kind.chosen(input) >= 0 && moved(kind.chosen(input)));
  input.addEventListener("change", () => write(model.get("index")));
  // Also where the reader moved only the input.
  function show(index) {
    write(index);
    model.set("index", index);
  }
  return { element, model, show };
}
