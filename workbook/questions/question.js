// A question on the page, in a notebook and on the site: one view. Who judges is behind the model: the kernel (question.py)
// or the page (judge.js). The model's values: record, the question; given, what stands in its fields; reply, what was said
// last (words; a count that tells two same replies apart), what is marked (state, answer, guess), hints and the solution.

const LEVELS = [0.5, 0.6, 0.7, 0.8, 0.9, 1]; // how sure a reader can say to be, as in question.py
const EMPTY = "Choose or type your prediction first, or skip it.";
const UNTYPED = "Type your answer first.";
const SILENT = "The kernel does not answer: it is busy, or it was started anew. In that case run this cell again.";
const PATIENCE = 5000; // ms
// What an answer turned out to be, said at the answer itself.
const STATES = { right: "✓ right", answer: "✓ this one", wrong: "✗ not this one", off: "✗ not quite", slip: "✗ a usual slip", tried: "✗ not yet" };
let fieldsMade = 0;

// Create an element.
function made(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== false) element.setAttribute(name, value === true ? "" : value);
  element.append(...children);
  return element;
}

function button(text, act, title) {
  const element = made("button", { type: "button", ...(title && { title }) }, text);
  element.addEventListener("click", act);
  return element;
}

const rowOf = (...parts) => made("div", { class: "nb-presets" }, ...parts);

// Show a question's context where its page is not; several lines stay lines, as of code.
const contextOf = ({ context }) => (context ? [made(context.includes("\n") ? "pre" : "p", { class: "nb-context" }, context)] : []);

// Amend what a model's reply holds. `say` has words read aloud, even the same ones again.
const amend = (model, news) => model.set("reply", { ...model.get("reply"), ...news });
const say = (model, words) => amend(model, { words, count: Math.random() });

// Tell the judge what the reader did. A kernel that was started anew knows nothing of the question.
function sendAct(model, message) {
  model.save_changes();
  try {
    model.send(message);
  } catch (problem) {
    say(model, SILENT);
    throw problem;
  }
}

// Make the place of a reply; `write` shows what the model holds.
function replyBox(model) {
  const sentence = made("div", { class: "nb-sentence" });
  const element = made("div", { class: "nb-view" }, made("div", { class: "nb-said" }, sentence));
  let { count: last } = model.get("reply");
  function write() {
    const { words = "", hints = [], count } = model.get("reply");
    if (sentence.textContent !== words) sentence.textContent = words;
    if (count !== last) announce(element, words || (hints.at(-1) ?? ""), true);
    last = count;
  }
  return { element, write };
}

// --- where the reader answers: rows, what stands before the buttons, how to read, write and mark -------------------------

function choiceField(record, changed) {
  const name = `nb-choice-${++fieldsMade}`;
  const radios = record.options.map((option) => made("input", { type: "radio", name, value: option }));
  const marks = record.options.map(() => made("em", {}));
  const lines = record.options.map((option, k) => made("label", {}, radios[k], made("span", {}, option), marks[k]));
  const box = made("div", { class: "nb-options", role: "radiogroup", "aria-label": record.text }, ...lines);
  const levels = LEVELS.map((level) => made("option", { value: level }, `${Math.round(100 * level)} %`));
  const sure = made("select", {}, made("option", { value: "" }, "not said"), ...levels);
  const stateOf = (option, { answer, guess }) => (!answer ? "" : option === answer ? (option === guess ? "right" : "answer") : option === guess ? "wrong" : "");
  box.addEventListener("change", () => changed({ answer: "" }));
  sure.addEventListener("change", () => changed({}));
  return {
    rows: [box],
    before: [made("label", { class: "nb-field" }, "How sure are you?", sure)],
    read: () => ({ guess: radios.find((radio) => radio.checked)?.value ?? "", sure: sure.value ? Number(sure.value) : null }),
    write({ guess = "", sure: level = null }) {
      radios.forEach((radio) => (radio.checked = radio.value === guess));
      sure.value = level ?? "";
    },
    mark: (reply) => lines.forEach((line, k) => markAs(line, marks[k], stateOf(record.options[k], reply))),
  };
}

function markAs(element, mark, state) {
  element.dataset.state = state;
  mark.textContent = STATES[state] ?? "";
}

const numberField = (label) => (record, changed, enter, model) => {
  const input = made("input", { type: "text", placeholder: "like 0.25 or 1/4", autocomplete: "off", spellcheck: "false", class: "nb-number" });
  const mark = made("em", {});
  const element = made("label", { class: "nb-field" }, label, input, mark);
  input.addEventListener("input", () => changed({ state: "" }, false)); // a kernel need not know every letter
  input.addEventListener("change", () => model.save_changes());
  input.addEventListener("keydown", ({ key }) => key === "Enter" && enter());
  return {
    rows: [], before: [element], read: () => ({ guess: input.value, sure: null }),
    write: ({ guess = "" }) => input.value !== guess && (input.value = guess),
    mark: ({ state = "" }) => markAs(element, mark, state),
  };
};

// What the reader draws in is an explorer: the site's, or one of the kernel's that stands above this view.
function drawnField(record, changed, enter, { drawing }) {
  const rows = drawing ? [drawing.element] : [];
  return { rows, before: [], read: () => ({ guess: drawing ? drawing.heights() : "as drawn", sure: null }), write() {}, mark() {} };
}

const noField = () => ({ rows: [], before: [], read: () => ({ guess: "" }), write() {}, mark() {} });
const FIELDS = { choice: choiceField, guess: numberField("Your number"), drawn: drawnField, number: numberField("Answer"), code: noField };

// --- the question --------------------------------------------------------------------------------------------------------

// Fill an element with a question; return what undoes it.
function fillQuestion({ model, el }) {
  const record = model.get("record");
  const field = FIELDS[record.kind](record, changed, enter, model);
  const reply = replyBox(model);
  const hints = made("ol", { class: "nb-hints" });
  const solution = made("pre", { class: "nb-solution", tabindex: 0 });
  const actionOf = (name, text) => button(text, () => act(name));
  const more = actionOf("hint", "Show a hint");
  const solves = [record.kind === "code" ? more : actionOf("check", "Check"), actionOf("solution", "Show solution")];
  const predicts = [actionOf("reveal", "Reveal"), actionOf("skip", "Skip")];
  const isTask = ["number", "code"].includes(record.kind);
  const row = rowOf(...field.before, ...(isTask ? solves : predicts));
  const pieces = record.text?.split(/(P\([^()]{1,24}\))/).map((piece, k) => (k % 2 ? made("span", {}, piece) : piece)); // P(a | b) on one line
  const text = record.text ? [made("p", { class: "nb-question" }, ...pieces)] : [];
  let waiting = 0;

  // What stands in the fields is the model's: a second view shows it, too, and so does a page that is loaded again.
  function changed(marks, send = true) {
    model.set("given", field.read());
    amend(model, marks); // what was judged is open again
    if (send) model.save_changes();
  }
  function enter() {
    act(isTask ? "check" : "reveal");
  }
  function act(name) {
    const { guess, sure } = field.read();
    if (["reveal", "check"].includes(name) && String(guess).trim() === "") return say(model, isTask ? UNTYPED : EMPTY);
    clearTimeout(waiting);
    waiting = setTimeout(() => say(model, SILENT), PATIENCE);
    sendAct(model, { act: name, guess, sure });
  }
  function write() {
    const said = model.get("reply");
    field.write(model.get("given"));
    field.mark(said);
    hints.replaceChildren(...(said.hints ?? []).map((hint) => made("li", {}, hint)));
    row.hidden = ["choice", "drawn"].includes(record.kind) && Boolean(said.answer); // another answer opens the question again
    more.disabled = Boolean(said.last);
    solution.textContent = said.solution ?? "";
    solution.hidden = !said.solution;
    reply.write();
  }
  const replied = () => (clearTimeout(waiting), write());

  el.append(...contextOf(record), ...text, ...field.rows, row, reply.element, hints, solution);
  model.on("change:given", write);
  model.on("change:reply", replied);
  write();
  return () => {
    clearTimeout(waiting);
    model.off("change:given", write);
    model.off("change:reply", replied);
  };
}

// Show a question in an element; return what undoes it.
function showQuestion({ model, el }) {
  const { key, kind } = model.get("record");
  for (const [name, value] of Object.entries({ role: "group", "aria-label": key, "data-kind": kind })) el.setAttribute(name, value);
  el.classList.add("nb-ask");
  el.addEventListener("focusin", keepKeys);
  const undo = [fillQuestion({ model, el }), keepFocus(el), leaveByEscape(el), () => el.removeEventListener("focusin", keepKeys)];
  return () => undo.forEach((each) => each());
}

// Show a question of the kernel's.
function questionOfKernel(given) {
  hear(given.model);
  return showQuestion(given);
}
