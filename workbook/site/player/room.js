// A question for a lecture room (`?room`): vote, discuss, vote again, reveal, with the notebook's words. Nothing is kept.

const VOTES = ["First vote", "Second vote"];
const SHORT_VOTES = ["1st", "2nd"];
const DISCUSS = "Discuss: find somebody who chose otherwise, and convince each other. Then vote again.";
const ARMED = "Press again to show the answer to the room.";
const OPTION_LETTERS = "ABCDEFGHIJ";
const MOST_HANDS = 9999;

const sumOf = (votes) => votes.reduce((sum, n) => sum + n, 0);
const shareOf = (n, votes) => `${Math.floor((100 * n) / (sumOf(votes) || 1) + 0.5)} %`;
const countText = (n, votes) => `${n} of ${sumOf(votes)} (${shareOf(n, votes)})`;

// Create one bar whose length is the share.
function barOf(turn, n, votes) {
  const fill = made("span", { class: "nb-fill", style: n ? `width: ${(100 * n) / sumOf(votes)}%` : "display: none" });
  const words = made("span", {}, `${SHORT_VOTES[turn]}: ${n} (${shareOf(n, votes)})`);
  const attributes = { class: `nb-bar-row nb-vote-${turn + 1}`, role: "img", "aria-label": `${VOTES[turn]}: ${countText(n, votes)}` };
  return made("div", attributes, made("span", { class: "nb-track" }, fill), words);
}

// Create the field for the hands of an option in a vote: a whole number from 0; anything else counts as none.
function handsField(option, turn, changed) {
  const input = made("input", { type: "number", min: 0, max: MOST_HANDS, step: 1, value: 0, class: "nb-number" });
  input.addEventListener("input", changed);
  const element = made("label", { class: "nb-field" }, `${OPTION_LETTERS[option]}, ${SHORT_VOTES[turn]} vote`, input);
  const hands = () => Math.min(MOST_HANDS, Math.max(0, Math.trunc(Number(input.value)) || 0));
  return { element, input, hands };
}

function optionLine(k, text, fields) {
  const words = made("span", {}, text);
  const choice = made("div", { class: "nb-choice" }, made("b", {}, OPTION_LETTERS[k]), words);
  const bars = made("div", {});
  const line = made("div", { class: "nb-option" }, choice, ...fields.map(({ element }) => element));
  function reveal() {
    choice.classList.add("nb-right");
    words.prepend(made("b", {}, "✓ right:"), " ");
  }
  return { elements: [line, bars], bars, reveal };
}

// Create the element of a question of choice for a room.
function roomOf(key, record, hidden) {
  const reply = replyBox();
  let [turn, showing, armed, right] = [0, false, false, null];
  const fields = record.options.map((_, k) => VOTES.map((_, turn) => handsField(k, turn, countHands)));
  const lines = record.options.map((text, k) => optionLine(k, text, fields[k]));
  const bars = button("Show bars", toggle);
  const discuss = button("Discuss, then vote again", again);
  const answer = button("Reveal", reveal);
  answer.className = "nb-reveal"; // see focus.js
  const votesIn = (turn) => fields.map((both) => both[turn].hands());
  const cast = () => VOTES.map((name, turn) => ({ name, turn, votes: votesIn(turn) })).filter(({ votes }) => sumOf(votes));

  // The lecturer did something else: the next press of Reveal is the first one again.
  function disarm() {
    if (armed) reply.say("");
    armed = false;
  }
  function countHands() {
    disarm();
    show();
  }
  function toggle() {
    disarm();
    showing = !showing;
    show();
    reply.say(showing ? words() : "");
  }
  function again() {
    disarm();
    [turn, showing] = [1, false];
    show();
    reply.say(DISCUSS);
  }
  // The first press announces the answer, the second one shows it.
  function reveal() {
    armed = !armed;
    if (armed) {
      show();
      return reply.say(ARMED);
    }
    const told = hidden();
    right = told.right;
    showing = cast().length > 0;
    lines[record.options.indexOf(right)].reveal();
    box.dispatchEvent(new Event("nb-revealed", { bubbles: true }));
    show();
    reply.say([told.skipped.replace("Skipped. ", ""), change()].filter(Boolean).join(" "));
  }
  function words() {
    const said = ({ name, votes }) => `${name}: ${votes.map((n, k) => `${OPTION_LETTERS[k]} ${n} (${shareOf(n, votes)})`).join(", ")}.`;
    return cast().map(said).join(" ") || "No vote is counted yet.";
  }
  function change() {
    const place = record.options.indexOf(right);
    const said = cast().map(({ votes }) => countText(votes[place], votes));
    return said.length ? `Right: ${said.join(", then ")}.` : "";
  }
  function show() {
    bars.textContent = showing ? "Hide bars" : "Show bars";
    discuss.disabled = turn === 1 || right !== null;
    answer.textContent = armed ? "Reveal: press again" : "Reveal";
    answer.disabled = right !== null;
    for (const [first, second] of fields) {
      first.input.disabled = turn === 1; // what is typed now is the second vote
      second.element.hidden = turn === 0;
    }
    lines.forEach((line, k) => line.bars.replaceChildren(...(showing ? cast().map(({ turn, votes }) => barOf(turn, votes[k], votes)) : [])));
  }

  show();
  const asked = record.text.replace("Predict first. ", "");
  const rows = [...contextOf(record), made("div", { class: "nb-question" }, asked), ...lines.flatMap(({ elements }) => elements), rowOf(bars, discuss, answer)];
  const room = made("div", { class: "nb-room" }, made("div", {}, ...rows));
  const box = made("div", { class: "nb-asked", role: "group", "aria-label": key, "data-kind": "room" }, room, reply.element);
  keepFocus(box);
  return box;
}

// Return the question as a scene of a lecture: it has no presets.
function sceneOf(host) {
  const room = host.querySelector(".nb-asked");
  const scene = { pack: { presets: [], scene: "The room votes" }, show: () => {}, project: (on) => room.classList.toggle("nb-lecture", on) };
  return { host, open: async () => scene };
}
