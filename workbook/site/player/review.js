// Schedule which questions come back and when, as schedule.py does, and show them.

const WAITS = [2, 7, 21]; // days; after the last of them a question rests
const AT_A_TIME = 5;
const MOST_VARIANTS = 999; // a file may say anything
const RULE = "A question comes back 2, 7 and 21 days after you had it right at once; what you missed comes first.";

const dayAfter = (day, wait) => new Date(Date.parse(`${day}T00:00:00Z`) + wait * 86_400_000).toISOString().slice(0, 10);
const dayOf = ({ date }) => (/^\d{4}-\d\d-\d\d/.test(date) && !Number.isNaN(Date.parse(`${date.slice(0, 10)}T00:00:00Z`)) && date < "9" ? date.slice(0, 10) : null);

// Return { key, day, missed, slip, variant } of every answered question; day: when it is due, null if never again.
function standingsOf(answers) {
  const byKey = new Map();
  for (const answer of answers)
    if (answer.outcome !== "skipped" && dayOf(answer)) byKey.set(answer.key, [...(byKey.get(answer.key) ?? []), answer]);
  return [...byKey].map(([key, own]) => standingOf(key, askingsOf(own)));
}

// Group the answers to a question: those with the same numbers on the same day are one asking.
function askingsOf(answers) {
  const found = [];
  for (const answer of answers) {
    const [before] = found.at(-1) ?? [];
    const same = before && dayOf(before) === dayOf(answer) && (before.variant ?? null) === (answer.variant ?? null);
    if (same) found.at(-1).push(answer);
    else found.push([answer]);
  }
  return found;
}

// Replay the askings: right when it was due is a step up, a miss starts anew, an answer before its day changes nothing.
function standingOf(key, askings) {
  let [step, day] = [0, null];
  askings.forEach((asking, number) => {
    const today = dayOf(asking[0]);
    if (asking[0].right === false) [step, day] = [0, today];
    else if (!number || (day && today >= day)) day = ++step <= WAITS.length ? dayAfter(today, WAITS[step - 1]) : null;
  });
  const last = askings.at(-1);
  const missed = last[0].right === false;
  return { key, day, missed, slip: missed && last.some(({ mistake }) => mistake), variant: 1 + Math.min(Math.max(Math.trunc(last[0].variant) || 0, 0), MOST_VARIANTS) };
}

// List the questions that are due: typical mistakes, other misses, then those due for the longest time.
function dueOf(answers, today) {
  const rank = ({ missed, slip, day }) => `${missed ? 0 : 1}${slip ? 0 : 1}${day}`;
  const found = standingsOf(answers).filter(({ day }) => day && day <= today);
  return found.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}

// Say how many questions are due, or when the next one will be.
function openingOf(waiting, known, today) {
  if (waiting.length) {
    const many = waiting.length > 1 ? `${waiting.length} questions are` : "1 question is";
    const left = waiting.length > AT_A_TIME ? " Load the page again for the next ones." : "";
    return `Review. ${many} due.${left} ${RULE}`;
  }
  const days = known.map(({ day }) => day).filter((day) => day && day > today).sort();
  if (days.length) return `Review. Nothing is due; the next question comes back on ${days[0]}. ${RULE}`;
  if (known.length) return "Review. Nothing is due: you had all that you answered right four times, further and further apart.";
  return `Review. Nothing is due: answer a prediction or an exercise of the pages first. ${RULE}`;
}

// Create the elements of the questions. record(key): as the book asks it; again(key): with other numbers.
function showReview(words, waiting, record, again) {
  const questions = waiting.map(({ key, variant }) => {
    const found = again(key);
    return ask(key, found.length ? found[(variant - 1) % found.length] : record(key), { anew: true });
  });
  return made("div", { class: "nb-review" }, made("p", { role: "status" }, words), ...questions);
}
