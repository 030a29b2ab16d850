// A phone in the room: asks what is put to the vote, shows it, sends one answer.
"use strict";

const AGAIN = 2000; // ms between two questions to the server, more or less: phones shall not ask all at once
const PATIENCE = 8000; // ms for one answer
const LETTERS = "ABCDEFGHIJ";
const TURNS = { 1: "First vote", 2: "You have discussed: second vote" };
const here = location.pathname.replace(/\/$/, "");
const place = (id) => document.getElementById(id);
let shown = null; // the number of the ballot on the page
let chosen = null;

function say(words) {
  if (place("said").textContent !== words) place("said").textContent = words;
}

function ask(what, options = {}) {
  const patience = new AbortController();
  setTimeout(() => patience.abort(), PATIENCE);
  return fetch(here + what, { ...options, cache: "no-store", signal: patience.signal });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms * (0.75 + Math.random() / 2)));

function mark() {
  [...place("options").children].forEach((button, k) => {
    button.setAttribute("aria-pressed", k === chosen);
    button.setAttribute("aria-disabled", chosen !== null);
  });
}

function optionOf(text, k, number) {
  const button = document.createElement("button");
  const letter = document.createElement("b");
  const words = document.createElement("span");
  letter.textContent = LETTERS[k];
  words.textContent = text;
  button.append(letter, words);
  button.addEventListener("click", () => choose(number, k));
  return button;
}

function show({ open, number, turn, question, options, voted, known }) {
  if (!known) return say("Your browser keeps no cookie of this room: allow cookies here, and load the page again.");
  if (!open) {
    const asked = place("options").childElementCount > 0;
    [shown, chosen] = [null, chosen ?? -1];
    mark();
    return say(asked ? "The vote is closed. Look at the screen." : "Nothing is put to the vote yet. This page waits.");
  }
  if (number === shown) return;
  [shown, chosen] = [number, voted ? -1 : null];
  place("turn").textContent = TURNS[turn] ?? "";
  place("question").textContent = question;
  place("options").replaceChildren(...options.map((text, k) => optionOf(text, k, number)));
  mark();
  say(voted ? "Your vote is counted." : "Choose one. The first one counts.");
}

// A vote that did not arrive is sent again until it has, or until the vote is over.
async function choose(number, option) {
  if (chosen !== null) return;
  chosen = option;
  mark();
  say("Sending your vote.");
  const body = JSON.stringify({ ballot: number, option });
  while (shown === number) {
    try {
      const answer = await ask("/vote", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      if (answer.status !== 429 && answer.status < 500) return shown === number && say(await answer.text());
    } catch {}
    say("Not arrived yet: trying again.");
    await pause(AGAIN);
  }
}

async function follow() {
  for (;;) {
    if (!document.hidden) {
      try {
        const answer = await ask("/state");
        if (answer.ok) show(await answer.json());
        else if (answer.status !== 429) say(await answer.text());
      } catch {
        say("The room does not answer. Are you in its network?");
      }
    }
    await pause(AGAIN);
  }
}

follow();
