// The reader's progress, stored in this browser in the format of progress.py, so that either reads the other's.

const STORE = "naive-bayes-workbook/progress";
const [PER_KEY, IN_ALL, LONGEST] = [6, 1000, 100]; // as in progress.py
const FINAL = ["solved", "made"];
let unsaved = null; // the progress where the browser stores nothing

// Read the stored progress.
function readProgress() {
  try {
    return contentOf(localStorage.getItem(STORE) ?? "{}");
  } catch {
    return unsaved ?? {};
  }
}

// Parse a text as progress; anything else counts as empty.
function contentOf(text) {
  try {
    const found = JSON.parse(text);
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

// Store the progress and announce it.
function keepProgress(content) {
  unsaved = content;
  try {
    localStorage.setItem(STORE, JSON.stringify(content));
  } catch {} // it stays until the page is closed
  dispatchEvent(new Event("nb-progress"));
}

const isAnswer = (entry) => entry && typeof entry === "object" && ["date", "key", "outcome"].every((name) => typeof entry[name] === "string");
const answersIn = (content) => (Array.isArray(content.answers) ? content.answers.filter(isAnswer) : []);

// Drop old answers: keep the first and the latest of each question, and the latest of all.
function dropOldAnswers(answers) {
  const byKey = new Map();
  answers.forEach((answer, place) => {
    const own = byKey.get(answer.key) ?? byKey.set(answer.key, []).get(answer.key);
    own.push(place);
    if (own.length > PER_KEY) own.splice(1, 1);
  });
  const places = [...byKey.values()].flat().sort((a, b) => a - b);
  return places.slice(-IN_ALL).map((place) => answers[place]);
}

// Write the local time as Python does: 2026-01-31T18:05:00+01:00.
function dateNow(now = new Date()) {
  const two = (number) => String(Math.floor(Math.abs(number))).padStart(2, "0");
  const ahead = -now.getTimezoneOffset();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(two).join("-");
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(":");
  return `${day}T${time}${ahead < 0 ? "-" : "+"}${two(ahead / 60)}:${two(ahead % 60)}`;
}

const short = (value) => (typeof value === "string" ? [...value].slice(0, LONGEST).join("") : value);

// Store an outcome and its answer. What was solved or made stays so.
function recordOutcome(key, outcome, { answer = null, confidence = null, right = null, mistake = null, variant = null } = {}) {
  const judged = ["solved", "tried"].includes(outcome) ? outcome === "solved" : right;
  const entry = { date: dateNow(), key, outcome, answer: short(answer), confidence, right: judged, mistake: short(mistake), variant };
  const content = readProgress();
  const outcomes = FINAL.includes(content[key]) ? {} : { [key]: outcome };
  keepProgress({ ...content, ...outcomes, answers: dropOldAnswers([...answersIn(content), entry]) });
}

// Merge two records of a reader: what was solved or made in either stays so, and no answer is lost or doubled.
function mergeProgress(mine, theirs) {
  const found = { ...theirs, ...mine };
  for (const [key, outcome] of Object.entries(theirs)) if (FINAL.includes(outcome) && !FINAL.includes(mine[key])) found[key] = outcome;
  const all = new Map([...answersIn(mine), ...answersIn(theirs)].map((answer) => [JSON.stringify([answer.date, answer.key, answer.outcome, answer.answer]), answer]));
  const time = ({ date }) => Date.parse(date) || 0;
  found.answers = dropOldAnswers([...all.values()].sort((a, b) => time(a) - time(b)));
  return found;
}

// Write a line for each page, as the notebook's `progress` does. contents: page -> [predictions, exercises, those
// of the exercises that ask for code]: these are solved in the notebook, and as long as they are not, counted apart.
function progressLines(contents, page) {
  const content = readProgress();
  const count = (keys, outcome) => keys.filter((key) => content[key] === outcome).length;
  const chosen = Object.entries(contents).filter(([number]) => !page || number === page);
  return chosen.sort(([a], [b]) => (a < b ? -1 : 1)).map(([number, [asked, tasks, code]]) => {
    const left = code.filter((key) => content[key] !== "solved");
    const here = tasks.filter((key) => !left.includes(key));
    const more = left.length ? `; ${left.length} more, of code, in the notebook` : "";
    return `Chapter ${number}: ${count(asked, "made")} of ${asked.length} predictions made, ${count(here, "solved")} of ${here.length} exercises solved${more}.`;
  });
}

function exportProgress() {
  const file = URL.createObjectURL(new Blob([JSON.stringify(readProgress(), null, 1)], { type: "application/json" }));
  made("a", { href: file, download: "progress.json" }).click();
  setTimeout(() => URL.revokeObjectURL(file), 10_000);
}

async function importProgress(file, say) {
  const found = contentOf(await file.text());
  if (!Object.keys(found).length) return say("This file holds no progress of this book.");
  keepProgress(mergeProgress(readProgress(), found));
  say("Your answers from the file are here now, beside those that were.");
}

// Create the element with the reader's progress in one chapter or in all; it follows new answers.
function showProgress(contents, chapter) {
  const lines = made("div", { class: "nb-lines" });
  const said = made("p", { class: "nb-note", role: "status" });
  const file = made("input", { type: "file", accept: ".json,application/json", class: "nb-unseen", tabindex: "-1", "aria-label": "A progress file" });
  file.addEventListener("change", () => file.files[0] && importProgress(file.files[0], (words) => (said.textContent = words)));
  const where = "Kept in this browser, and sent nowhere. Export gives a file that a notebook reads: start it with NBCORE_PROGRESS=progress.json.";
  const row = made("div", { class: "nb-presets" }, button("Export", exportProgress, "Save your answers as a file"), button("Import", () => file.click(), "Add the answers of such a file"));
  const write = () => lines.replaceChildren(...progressLines(contents, chapter).map((line) => made("div", {}, line)));
  addEventListener("nb-progress", write);
  addEventListener("storage", write);
  write();
  return made("div", { class: "nb-asked nb-ask nb-progress" }, lines, made("p", { class: "nb-small" }, where), row, file, said);
}
