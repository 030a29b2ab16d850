// The phone of a voter: polls for the ballot, shows it, sends one vote.
"use strict";

const INTERVAL = 2000; // ms between two polls, more or less, so that phones do not all ask at once
const TIMEOUT = 8000; // ms for one answer
const LETTERS = "ABCDEFGHIJ";
const TURNS = { 1: "First vote", 2: "You have discussed: second vote" };
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
const base = location.pathname.replace(/\/$/, "");
const element = (id) => document.getElementById(id);
let ballotNumber = null; // the number of the ballot on the page
let choice = null; // index of the chosen option, -1 for one that is not known here

function say(words) {
  if (element("status").textContent !== words) element("status").textContent = words;
}

function ask(path, options = {}) {
  const request = new AbortController();
  setTimeout(() => request.abort(), TIMEOUT);
  return fetch(base + path, { ...options, cache: "no-store", signal: request.signal });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms * (0.75 + Math.random() / 2)));

function markOptions() {
  [...element("options").children].forEach((button, k) => {
    button.setAttribute("aria-pressed", k === choice);
    button.setAttribute("aria-disabled", choice !== null);
  });
}

function optionButton(text, k, number) {
  const button = document.createElement("button");
  const letter = document.createElement("b");
  const words = document.createElement("span");
  letter.textContent = LETTERS[k];
  words.textContent = text;
  button.append(letter, words);
  button.addEventListener("click", () => vote(number, k));
  return button;
}

function showBallot({ open, number, turn, question, options, voted, known }) {
  if (!known) return say("Your browser keeps no cookie of this room: allow cookies here, and load the page again.");
  if (!open) {
    const hadBallot = element("options").childElementCount > 0;
    [ballotNumber, choice] = [null, choice ?? -1];
    markOptions();
    return say(hadBallot ? "The vote is closed. Look at the screen." : "Nothing is put to the vote yet. This page waits.");
  }
  if (number === ballotNumber) return;
  [ballotNumber, choice] = [number, voted ? -1 : null];
  element("turn").textContent = TURNS[turn] ?? "";
  element("question").textContent = question;
  element("options").replaceChildren(...options.map((text, k) => optionButton(text, k, number)));
  markOptions();
  say(voted ? "Your vote is counted." : "Choose one. The first one counts.");
}

// A vote that did not arrive is sent again until it has, or until the vote is over.
async function vote(number, option) {
  if (choice !== null) return;
  choice = option;
  markOptions();
  say("Sending your vote.");
  const body = JSON.stringify({ ballot: number, option });
  while (ballotNumber === number) {
    try {
      const answer = await ask("/vote", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      if (answer.status !== 429 && answer.status < 500) return ballotNumber === number && say(await answer.text());
    } catch {}
    say("Not arrived yet: trying again.");
    await pause(INTERVAL);
  }
}

async function poll() {
  for (;;) {
    if (!document.hidden) {
      try {
        const answer = await ask("/state");
        if (answer.ok) showBallot(await answer.json());
        else if (answer.status !== 429) say(await answer.text());
      } catch {
        say("The room does not answer. Are you in its network?");
      }
    }
    await pause(INTERVAL);
  }
}

poll();
