// What follows a prediction is veiled until its reader has answered or skipped it; headings stay, and a link lifts the veil.

const veil = { asks: [], passed: new Set() };

// Return what follows an element on the page, but the headings of later sections.
function following(element) {
  const parts = [];
  for (let at = element; at && !at.matches("main > section"); at = at.parentElement) {
    for (let next = at.nextElementSibling; next; next = next.nextElementSibling) {
      parts.push(...(next.matches("section:has(> h2)") ? [...next.children].filter((part) => !part.matches("h2")) : [next]));
    }
  }
  return parts;
}

// Veil the page behind the first of its questions that is open.
function drawVeil() {
  const isOpen = (ask) => [...ask.querySelectorAll("[data-question]")].some(({ dataset }) => !(dataset.question in readProgress()));
  const first = veil.asks.find((ask) => !veil.passed.has(ask) && isOpen(ask));
  document.querySelectorAll(".nb-veiled").forEach((part) => part.classList.remove("nb-veiled"));
  veil.bar.remove();
  if (!first) return;
  following(first).forEach((part) => part.classList.add("nb-veiled"));
  first.append(veil.bar);
}

// Let the reader pass these questions without an answer.
function passAll(asks) {
  asks.forEach((ask) => veil.passed.add(ask));
  drawVeil();
}

// Begin: sections that ask, and the cell of a question that opens the page.
function veilPage() {
  veil.asks = [...document.querySelectorAll("section.predict:has([data-question]), main > section > .cell:has([data-question])")];
  const show = button("Show the whole page", () => passAll(veil.asks));
  veil.bar = made("p", { class: "nb-veil" }, "Answer the question, or skip it: then the page goes on. ", show);
  addEventListener("nb-progress", drawVeil);
  drawVeil();
}

// Show what the address leads to.
function liftOver(element) {
  const isBefore = (ask) => ask.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING && !ask.contains(element);
  if (element) passAll(veil.asks.filter(isBefore));
}
