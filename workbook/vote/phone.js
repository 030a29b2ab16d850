// The phone of a voter: asks for the ballot, shows it, sends the vote, and after the reveal shows what was right.
"use strict";

const INTERVAL = 2000; // ms between two questions to the server, more or less, so that phones do not all ask at once
const TIMEOUT = 8000; // ms for one answer
const LETTERS = "ABCDEFGHIJ";
const TURNS = { 1: "First vote", 2: "You have discussed: second vote" };
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
const base = location.pathname.replace(/\/$/, "");
const element = (id) => document.getElementById(id);
let ballot = { number: null, open: false };
let choice = null; // index of the chosen option
let sending = 0; // how many votes were sent: the latest one counts

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
    button.setAttribute("aria-disabled", !ballot.open);
    button.classList.toggle("right", k === ballot.right);
    button.lastChild.textContent = ballot.counts ? `${k === ballot.right ? "✓ " : ""}${ballot.counts[k]}` : "";
  });
}

function optionButton(text, k) {
  const button = document.createElement("button");
  const [letter, words, count] = ["b", "span", "em"].map((tag) => document.createElement(tag));
  letter.textContent = LETTERS[k];
  words.textContent = text;
  button.append(letter, words, count);
  button.addEventListener("click", () => vote(k));
  return button;
}

function showBallot(found) {
  if (!found.known) return say("Your browser keeps no cookie of this room: allow cookies here, and load the page again.");
  if (!found.number) return say("Nothing is put to the vote yet. This page waits.");
  const isNew = found.number !== ballot.number;
  const [wasOpen, wasTold] = [ballot.open, ballot.right ?? null];
  ballot = found;
  if (isNew) {
    [choice, sending] = [found.choice, sending + 1];
    element("turn").textContent = TURNS[found.turn] ?? "";
    element("question").textContent = found.question;
    element("options").replaceChildren(...found.options.map(optionButton));
  }
  markOptions();
  if (found.right !== null) return wasTold === null && say(told(found));
  if (!found.open) return say("The vote is closed. Look at the screen.");
  if (isNew || !wasOpen) say(choice === null ? "Choose one. You may change it until the vote closes." : "Your vote is counted.");
}

// What the phone says after the reveal: what it chose, and why the right one is right.
function told({ right, why, choice: counted }) {
  const own = counted === null ? "You did not vote." : counted === right ? `You chose ${LETTERS[counted]}: right.` : `You chose ${LETTERS[counted]}; ${LETTERS[right]} is right.`;
  return `${own} ${why}`;
}

// A vote that did not arrive is sent again until it has, until another is chosen, or until the vote is over.
async function vote(option) {
  if (!ballot.open) return;
  const [own, { number }] = [++sending, ballot];
  choice = option;
  markOptions();
  say("Sending your vote.");
  const body = JSON.stringify({ ballot: number, option });
  while (own === sending && ballot.number === number) {
    try {
      const answer = await ask("/vote", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      if (answer.status !== 429 && answer.status < 500) return own === sending && say(await answer.text());
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
