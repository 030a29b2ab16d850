// What is read aloud: one region for all of a page, and one turn at a time. As long as something moves nothing is said;
// when it rests the last state is, once.

const REST = 500; // ms without a change
const STANDS = 5000; // ms: then the words go, so that nobody who reads the page line by line meets them twice
const unsaid = new Map(); // element -> {words, answer}
let resting = 0;

function voice() {
  const there = document.querySelector("body > .nb-voice");
  return there ?? part(document.body, "nb-voice nb-unseen", { "aria-live": "polite", "aria-atomic": "true" });
}

// What an element of the page has to say. An answer to the reader is said instead of what changed beside it.
function speak(element, words, answer = false) {
  voice().textContent = "";
  unsaid.set(element, { words, answer });
  clearTimeout(resting);
  resting = setTimeout(say, REST);
}

function say() {
  const found = [...unsaid].flatMap(([element, one]) => (one.words && element.isConnected ? [one] : []));
  const answers = found.filter(({ answer }) => answer);
  const words = (answers.length ? answers : found).map((one) => one.words);
  unsaid.clear();
  voice().textContent = [...new Set(words)].join(" ");
  resting = setTimeout(() => (voice().textContent = ""), STANDS);
}
