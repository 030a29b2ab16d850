// What follows a prediction is veiled until its reader has answered or skipped it; a link into it lifts the veil.

const veils = [];

// Veil what follows a section that asks, or the question that opens a page, up to the next question.
function veilAfter(section) {
  const keys = [...section.querySelectorAll("[data-question]")].map(({ dataset }) => dataset.question);
  const covered = [];
  for (let next = section.nextElementSibling; next && !next.matches(".predict"); next = next.nextElementSibling) {
    const asks = [...next.children].findIndex((part) => part.matches(".predict"));
    covered.push(...(asks < 0 ? [next] : [...next.children].slice(0, asks).filter((part) => !part.matches("h2"))));
    if (asks >= 0) break;
  }
  const bar = made("p", { class: "nb-veil" }, "Answer the question, or skip it: then this section goes on.");
  const answered = () => keys.every((key) => key in readProgress());
  if (!covered.length || answered()) return;

  function lift() {
    bar.remove();
    covered.forEach((part) => part.classList.remove("nb-veiled"));
  }
  veils.push({ covered, lift });
  covered.forEach((part) => part.classList.add("nb-veiled"));
  section.append(bar);
  section.addEventListener("nb-revealed", lift); // to a lecture room, of which nothing is kept
  addEventListener("nb-progress", () => answered() && lift());
}

// Show what the address leads to.
function liftOver(element) {
  veils.find(({ covered }) => covered.some((part) => part.contains(element)))?.lift();
}
