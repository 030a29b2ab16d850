// Predictions and exercises on a page of the site, with the notebook's words.

const LEVELS = [0.5, 0.6, 0.7, 0.8, 0.9, 1]; // how sure a reader can say to be, as in question.py

function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

// --- the judge -----------------------------------------------------------------------------------------------------

const MATCHES = { same: sameAnswer, alike }; // how a typed number is compared with that of a rule, as in exercises.py

// Judge a typed answer to an exercise: { words, outcome, mistake }; without an outcome nothing is recorded.
function judgeAnswer({ rules, otherwise, tolerance }, typed) {
  if (trimmed(typed) === "") return { words: "Type your answer first." };
  try {
    const value = readNumber(typed);
    const rule = rules.find(({ answer, match }) => MATCHES[match](value, answer, tolerance));
    return rule ?? { words: otherwise, outcome: "tried" };
  } catch (problem) {
    if (problem instanceof Unread) return { words: problem.message };
    throw problem;
  }
}

// Judge a prediction: { words, right }; guess: an option, a typed number, heights, or null if it was skipped.
function judgeGuess(kind, hidden, guess, labels) {
  if (guess === null) return { words: hidden.skipped, right: null };
  if (kind === "choice") return { words: hidden.verdicts[guess], right: guess === hidden.right };
  if (kind === "drawn") return { words: `${comparedHeights(labels, guess, hidden.computed)} ${hidden.reason}`, right: null };
  const number = readNumber(guess);
  const right = Math.abs(number - hidden.truth) <= hidden.within * Math.abs(hidden.truth);
  const verdict = `You said ${threeDigits(number)}: ${right ? "close enough" : "not quite"}.`;
  return { words: `${verdict}${hidden.skipped.replace("Skipped.", "")}`, right };
}

// --- what stands on the page -----------------------------------------------------------------------------------------

// Make the place of a reply: `say` shows words and has them read aloud, even the same ones again.
function replyBox() {
  const sentence = made("div", { class: "nb-sentence" });
  const element = made("div", { class: "nb-view" }, made("div", { class: "nb-said" }, sentence));
  function say(words) {
    sentence.textContent = words;
    announce(element, words, true);
  }
  return { element, say };
}

function numberField(label) {
  const input = made("input", { type: "text", placeholder: "like 0.25 or 1/4", autocomplete: "off", spellcheck: "false", class: "nb-number" });
  return { input, element: made("label", { class: "nb-field" }, label, input) };
}

const rowOf = (...parts) => made("div", { class: "nb-presets" }, ...parts);

// Show a question's context where its page is not; several lines stay lines, as of code.
const contextOf = ({ context }) => (context ? [made(context.includes("\n") ? "pre" : "p", { class: "nb-context" }, context)] : []);

// Make the widget of a question from its record (`questions.py`). anew: it comes back, so earlier answers are not shown.
function ask(key, record, anew = false) {
  let unpackedOnce = null;
  const hidden = () => (unpackedOnce ??= unpacked(record.hidden));
  const rows = { choice: prediction, guess: prediction, drawn: prediction, number: exercise, code: task }[record.kind](key, record, hidden);
  const box = made("div", { class: "nb-asked", role: "group", "aria-label": key, "data-kind": record.kind }, ...(anew ? [made("div", {}, ...contextOf(record))] : []), ...rows, ...(anew ? [] : answeredBefore(key)));
  keepFocus(box);
  return box;
}

// Say what the reader answered to this question the last time.
function answeredBefore(key) {
  const last = answersIn(readProgress()).findLast((answer) => answer.key === key);
  if (!last) return [];
  const said = typeof last.answer === "string" || typeof last.answer === "number" ? `, your answer was “${last.answer}”` : "";
  return [made("p", { class: "nb-small" }, `On ${last.date.slice(0, 10)}: ${last.outcome}${said}.`)];
}

// --- predictions -----------------------------------------------------------------------------------------------------

const UNDRAWN = "First draw your prediction: every height must be above 0. Or skip it.";
let fieldsMade = 0;

// Each kind of prediction: its rows, what the reader chose (null: nothing yet), what to say then, what a reveal does.
const FIELDS = { choice: choiceField, guess: guessField, drawn: drawnField };

// What an option turned out to be, said at the option itself.
const STATES = { right: "✓ right", answer: "✓ this one", wrong: "✗ not this one" };

function choiceField(record, hidden) {
  const name = `nb-choice-${++fieldsMade}`;
  const radios = record.options.map((option) => made("input", { type: "radio", name, value: option }));
  const marks = record.options.map(() => made("em", {}));
  const lines = record.options.map((option, k) => made("label", {}, radios[k], made("span", {}, option), marks[k]));
  function mark(stateOf) {
    lines.forEach((line, k) => {
      line.dataset.state = stateOf(record.options[k]);
      marks[k].textContent = STATES[line.dataset.state] ?? "";
    });
  }
  radios.forEach((radio) => radio.addEventListener("change", () => mark(() => "")));
  const box = made("div", { class: "nb-options", role: "radiogroup", "aria-label": record.text }, ...lines);
  const levels = LEVELS.map((level) => made("option", { value: level }, `${Math.round(100 * level)} %`));
  const sure = made("select", {}, made("option", { value: "" }, "not said"), ...levels);
  return {
    rows: [box], before: [made("label", { class: "nb-field" }, "How sure are you?", sure)], kept: (guess) => guess,
    guess: () => radios.find((radio) => radio.checked)?.value ?? null, sure: () => (sure.value ? Number(sure.value) : null),
    revealed: (guess) => mark((option) => (option === hidden().right ? (option === guess ? "right" : "answer") : option === guess ? "wrong" : "")),
  };
}

function guessField(record, hidden, reveal) {
  const { input, element } = numberField("Your number");
  input.addEventListener("keydown", ({ key }) => key === "Enter" && reveal());
  return { rows: [element], before: [], guess: () => (trimmed(input.value) === "" ? null : input.value), sure: () => null, kept: (guess) => guess };
}

function drawnField(record, hidden, reveal, again) {
  const pack = sketchPack(record.sketch, hidden, record.text);
  const explorer = explore(pack, pack.controls.map((control) => control.default), { changed: ([done]) => done || again() });
  const heights = () => explorer.place().slice(1).map((index) => index / STEP);
  return {
    rows: [explorer.element], before: [], sure: () => null, kept: (guess) => guess,
    guess: () => (heights().every(Boolean) ? heights() : null),
    revealed: () => explorer.show([1, ...explorer.place().slice(1)]),
  };
}

function prediction(key, record, hidden) {
  const reply = replyBox();
  const field = FIELDS[record.kind](record, hidden, answer, () => reply.say(""));
  function answer() {
    const guess = field.guess();
    if (guess === null) return reply.say(record.kind === "drawn" ? UNDRAWN : "Choose or type your prediction first, or skip it.");
    show(guess);
  }
  function show(guess) {
    try {
      const { words, right } = judgeGuess(record.kind, hidden(), guess, record.sketch?.labels);
      reply.say(words);
      if (guess === null) recordOutcome(key, "skipped");
      else recordOutcome(key, "made", { answer: guess, confidence: field.sure(), right });
      field.revealed?.(guess);
    } catch (problem) {
      if (!(problem instanceof Unread)) throw problem;
      reply.say(problem.message);
    }
  }
  const row = rowOf(...field.before, button("Reveal", answer), button("Skip", () => show(null)));
  return [made("p", {}, record.text), ...field.rows, row, reply.element];
}

// --- exercises -------------------------------------------------------------------------------------------------------

// Make the button that shows the solution under the question.
function solutionOf(hidden) {
  const shown = made("pre", { class: "nb-solution", tabindex: 0, hidden: true });
  function show() {
    shown.textContent = hidden().solution;
    shown.hidden = false;
  }
  return [button("Show solution", show), shown];
}

function exercise(key, record, hidden) {
  const reply = replyBox();
  const { input, element } = numberField("Answer");
  function check() {
    const { words, outcome, mistake } = judgeAnswer(hidden(), input.value);
    reply.say(words);
    element.dataset.state = outcome ? { solved: "right", tried: "wrong" }[outcome] : "";
    if (outcome) recordOutcome(key, outcome, { answer: input.value, mistake, variant: record.variant });
  }
  input.addEventListener("keydown", (event) => event.key === "Enter" && check());
  input.addEventListener("input", () => (element.dataset.state = ""));
  const [show, shown] = solutionOf(hidden);
  return [made("p", {}, record.text), element, rowOf(button("Check", check), show), reply.element, shown];
}

// Show a coding task: it is solved in the notebook; here are its hints, one at a time, and its solution.
function task(key, record, hidden) {
  const hints = made("ol", { class: "nb-hints" });
  const more = button("Show a hint", () => {
    const all = [hidden().help, ...hidden().hints];
    const hint = all[hints.childElementCount];
    hints.append(made("li", {}, hint));
    announce(hints, hint, true);
    more.disabled = hints.childElementCount === all.length;
  });
  const [show, shown] = solutionOf(hidden);
  const where = made("p", { class: "nb-small" }, "Your function is run and checked in the notebook", ...kernelLinks(), ".");
  return [made("p", {}, record.text), where, rowOf(more, show), hints, shown];
}
