// The live region of a page, which screen readers read aloud. While something changes it is empty; after a pause it gets
// the last state, once.

const REST = 500; // ms without a change
const SHOWN = 5000; // ms until the text is removed, so that a reader going line by line does not meet it again
const pending = new Map(); // element -> {words, answer}: texts that wait for a pause
let timer = 0;

function liveRegion() {
  const there = document.querySelector("body > .nb-voice");
  return there ?? part(document.body, "nb-voice nb-unseen", { "aria-live": "polite", "aria-atomic": "true" });
}

// Announce the text of an element after a pause. An answer to the reader takes the place of other changes.
function announce(element, words, answer = false) {
  liveRegion().textContent = "";
  pending.set(element, { words, answer });
  clearTimeout(timer);
  timer = setTimeout(readAloud, REST);
}

function readAloud() {
  const texts = [...pending].flatMap(([element, one]) => (one.words && element.isConnected ? [one] : []));
  const answers = texts.filter(({ answer }) => answer);
  const words = (answers.length ? answers : texts).map((one) => one.words);
  pending.clear();
  liveRegion().textContent = [...new Set(words)].join(" ");
  timer = setTimeout(() => (liveRegion().textContent = ""), SHOWN);
}
