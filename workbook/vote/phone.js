// The phone of a voter: asks for the ballot, shows it, sends what was chosen, and after the reveal shows what was right.
"use strict";

const INTERVAL = 2000; // ms between two questions to the server, more or less, so that phones do not all ask at once
const TIMEOUT = 8000; // ms for one answer
const LETTERS = "ABCDEFGHIJ";
const TURNS = { 1: "First vote", 2: "You have discussed: second vote" };
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
const base = location.pathname.replace(/\/$/, "");
const element = (id) => document.getElementById(id);
let ballot = { number: null, open: false };
let choices = []; // of each field the index of the chosen option, or null
let sending = 0; // how many votes were sent: the latest one counts

const say = (words) => element("status").textContent !== words && (element("status").textContent = words);

function ask(path, options = {}) {
  const request = new AbortController();
  setTimeout(() => request.abort(), TIMEOUT);
  return fetch(base + path, { ...options, cache: "no-store", signal: request.signal });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms * (0.75 + Math.random() / 2)));
const make = (tag, text = "") => Object.assign(document.createElement(tag), { textContent: text });

function markOptions() {
  [...element("options").children].forEach((group, field) => {
    group.querySelectorAll("button").forEach((button, k) => {
      button.setAttribute("aria-pressed", k === choices[field]);
      button.setAttribute("aria-disabled", !ballot.open);
      button.classList.toggle("right", field === 0 && k === ballot.right);
      button.lastChild.textContent = field === 0 && ballot.counts ? `${k === ballot.right ? "✓ " : ""}${ballot.counts[k]}` : "";
    });
  });
}

// Create the buttons of a field; a vote's options have letters, and its second field says how sure one is.
function groupOf(options, field) {
  const isVote = ballot.turn > 0 && field === 0;
  const group = make("div");
  group.setAttribute("role", "group");
  group.classList.toggle("small", !isVote);
  if (ballot.turn > 0 && field > 0) group.append(make("p", "How sure are you? (If you like.)"));
  options.forEach((text, k) => {
    const button = make("button");
    button.append(make("b", isVote ? LETTERS[k] : ""), make("span", text), make("em"));
    button.addEventListener("click", () => choose(field, k));
    group.append(button);
  });
  return group;
}

function showBallot(found) {
  if (!found.known) return say("Your browser keeps no cookie of this room: allow cookies here, and load the page again.");
  if (!found.number) return say("Nothing is put to the vote yet. This page waits.");
  const isNew = found.number !== ballot.number;
  const [wasOpen, wasTold] = [ballot.open, ballot.right ?? null];
  ballot = found;
  if (isNew) {
    [choices, sending] = [found.choice ?? found.fields.map(() => null), sending + 1];
    element("turn").textContent = TURNS[found.turn] ?? "";
    for (const name of ["context", "question"]) element(name).textContent = found[name];
    element("options").replaceChildren(...found.fields.map(groupOf));
  }
  markOptions();
  if (found.right !== null) return wasTold === null && say(told(found));
  if (!found.open) return say("The vote is closed. Look at the screen.");
  if (isNew || !wasOpen) say(found.choice ? "Your vote is counted." : "Choose. You may change it until the vote closes.");
}

// What the phone says after the reveal: what it chose, and why the right one is right.
function told({ right, why, choice }) {
  const own = choice?.[0] ?? null;
  const said = own === null ? "You did not vote." : own === right ? `You chose ${LETTERS[own]}: right.` : `You chose ${LETTERS[own]}; ${LETTERS[right]} is right.`;
  return `${said} ${why}`;
}

function choose(field, option) {
  if (!ballot.open) return;
  choices[field] = option;
  markOptions();
  const needed = ballot.turn > 0 ? 1 : choices.length;
  if (choices.slice(0, needed).every((choice) => choice !== null)) vote();
  else say(ballot.turn > 0 ? "And which one do you choose?" : "And the other one?");
}

// A vote that did not arrive is sent again until it has, until another is chosen, or until the vote is over.
async function vote() {
  const [own, { number }] = [++sending, ballot];
  say("Sending your vote.");
  const body = JSON.stringify({ ballot: number, choices });
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
