// The judge of a page without a kernel: what predictions.py and exercises.py say of an answer, in the same words.

const UNDRAWN = "First draw your prediction: every height must be above 0. Or skip it.";

function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

const MATCHES = { same: sameAnswer, alike }; // how a typed number is compared with that of a rule, as in exercises.py

// Judge a typed answer to an exercise: { words, outcome, mistake }; without an outcome nothing is recorded.
function judgeAnswer({ rules, otherwise, tolerance }, typed) {
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

// What the page says and marks after an action of the reader, and what of it is recorded.
const ACTS = {
  hint: (_, { help, hints }, { shown }) => ({ hints: [help, ...hints].slice(0, shown + 1), last: shown === hints.length, count: shown }),
  solution: (_, { solution }) => ({ solution }),
  skip: ({ kind }, hidden) => ({ words: judgeGuess(kind, hidden, null).words, answer: hidden.right ?? kind, guess: "", state: "", outcome: ["skipped"] }),
  reveal({ kind, sketch }, hidden, { guess, sure }) {
    if (kind === "drawn" && !guess.every(Boolean)) return { words: UNDRAWN };
    const { words, right } = judgeGuess(kind, hidden, guess, sketch?.labels);
    return { words, answer: hidden.right ?? kind, guess, state: right ? "right" : "off", outcome: ["made", { answer: guess, confidence: sure, right }] };
  },
  check({ variant }, hidden, { guess }) {
    const { words, outcome, mistake } = judgeAnswer(hidden, guess);
    const state = { solved: "right", tried: mistake ? "slip" : "tried" }[outcome] ?? "";
    return { words, state, outcome: outcome && [outcome, { answer: guess, mistake, variant }] };
  },
};

// Create the model of a question that the page judges; see question.js.
function questionModel(key, { hidden, ...record }) {
  let unpackedOnce = null;
  const told = () => (unpackedOnce ??= unpacked(hidden));
  const model = widgetModel({ record: { ...record, key }, given: {}, reply: {} }, { send });
  if (record.kind === "drawn") model.drawing = drawingOf(record, told, () => (amend(model, { answer: "" }), say(model, "")));
  function send({ act, ...given }) {
    const shown = model.get("reply").hints?.length ?? 0;
    try {
      const { outcome, ...news } = ACTS[act]?.(record, told(), { ...given, shown }) ?? {};
      amend(model, "words" in news ? { ...news, count: Math.random() } : news);
      if (outcome) recordOutcome(key, ...outcome);
      if (outcome) model.drawing?.reveal();
    } catch (problem) {
      if (!(problem instanceof Unread)) throw problem;
      amend(model, { state: "" });
      say(model, problem.message);
    }
  }
  return model;
}

// Create the figure in which a prediction is drawn. again: it begins anew, so nothing is judged yet.
function drawingOf(record, hidden, again) {
  const pack = sketchPack(record.sketch, hidden, record.text);
  const explorer = explore(pack, pack.controls.map((control) => control.default), changed);
  function changed([done]) {
    explorer.element.classList.toggle("nb-done", Boolean(done));
    if (!done) again();
  }
  const heights = () => explorer.place().slice(1).map((index) => index / STEP);
  return { element: explorer.element, heights, reveal: () => explorer.show([1, ...explorer.place().slice(1)]) };
}

// Create the element of a question. anew: it comes back, so earlier answers are not shown.
function ask(key, record, { anew = false } = {}) {
  const box = made("div", { class: "nb-asked" });
  showQuestion({ model: questionModel(key, record), el: box });
  if (record.kind === "code") box.append(made("p", { class: "nb-small" }, "Your function is run and checked in the notebook", ...kernelLinks(), "."));
  if (!anew) box.append(...answeredBefore(key));
  return box;
}

// Say what the reader answered to this question the last time.
function answeredBefore(key) {
  const last = answersIn(readProgress()).findLast((answer) => answer.key === key);
  if (!last) return [];
  const said = typeof last.answer === "string" || typeof last.answer === "number" ? `, your answer was “${last.answer}”` : "";
  return [made("p", { class: "nb-small" }, `On ${last.date.slice(0, 10)}: ${last.outcome}${said}.`)];
}
