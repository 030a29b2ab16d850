// A question for a lecture room: vote, discuss, vote again, reveal; one view for notebook and site. Nothing is recorded.
// The model's values: record; given, what the lecturer has done and counted; phones, empty without them; reply, with the
// right option (answer) and why it is right once they were asked for.

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
function handsField(option, turn, counted) {
  const input = made("input", { type: "number", min: 0, max: MOST_HANDS, step: 1, value: 0, class: "nb-number" });
  const element = made("label", { class: "nb-field" }, `${OPTION_LETTERS[option]}, ${SHORT_VOTES[turn]} vote`, input);
  const hands = () => Math.min(MOST_HANDS, Math.max(0, Math.trunc(Number(input.value)) || 0));
  input.addEventListener("input", () => counted(hands()));
  function write(n) {
    if (hands() !== n) input.value = n;
  }
  return { element, input, write };
}

function optionLine(k, text, fields) {
  const sign = made("b", {});
  const choice = made("div", { class: "nb-choice" }, made("b", {}, OPTION_LETTERS[k]), made("span", {}, sign, text));
  const bars = made("div", {});
  const line = made("div", { class: "nb-option" }, choice, ...fields.map(({ element }) => element));
  function mark(right) {
    choice.classList.toggle("nb-right", right);
    sign.textContent = right ? "✓ right: " : "";
  }
  return { elements: [line, bars], bars, mark };
}

// Create what the phones need: the address as a code and as text, how many have voted, a button that lets them vote.
function phonesBox({ url, qr }, put) {
  const where = url.replace(/^\w+:[/]{2}/, "").split(/(?=\/)/).flatMap((part) => [made("wbr"), part]);
  const arrived = made("div", { class: "nb-arrived" });
  const start = button("Let the phones vote", put);
  const element = made("div", { class: "nb-phones" }, made("img", { class: "nb-qr", src: qr, alt: url }), made("div", { class: "nb-address" }, made("b", {}, ...where)), arrived, rowOf(start));
  function write({ votes, away, put: turns }, turn, over) {
    arrived.replaceChildren(made("b", {}, sumOf(votes[turn])), ` votes by phone${away ? `; ${away} turned away: see --one-address` : ""}`);
    start.disabled = over || turns.includes(turn);
  }
  return { element, write };
}

// Fill an element with a question of choice for a room; return what undoes it.
function fillRoom({ model, el }) {
  const record = model.get("record");
  const { options } = record;
  const none = VOTES.map(() => options.map(() => 0));
  const reply = replyBox(model);
  const fields = options.map((_, k) => VOTES.map((_, turn) => handsField(k, turn, (n) => count(k, turn, n))));
  const lines = options.map((text, k) => optionLine(k, text, fields[k]));
  const [bars, discuss, answer] = [button("Show bars", toggle), button("Discuss, then vote again", again), button("Reveal", reveal)];
  answer.className = "nb-reveal"; // see focus.js
  const phones = model.get("phones").url ? phonesBox(model.get("phones"), () => ask("put")) : null;
  const state = () => ({ turn: 0, showing: false, armed: false, said: false, hands: none, ...model.get("given") });
  const right = () => model.get("reply").answer ?? "";
  const votesIn = (turn) => state().hands[turn].map((n, k) => n + (model.get("phones").votes?.[turn][k] ?? 0));
  const cast = () => VOTES.map((name, turn) => ({ name, turn, votes: votesIn(turn) })).filter(({ votes }) => sumOf(votes));

  const ask = (act, { turn } = state()) => sendAct(model, { act, turn });
  // Keep what the lecturer has done, and say so. Whatever it was, the next press of Reveal is the first one again.
  function keep(news, words = state().armed ? "" : null) {
    model.set("given", { ...state(), armed: false, ...news });
    if (words !== null) say(model, words);
    model.save_changes();
  }
  function count(k, turn, n) {
    keep({ hands: state().hands.map((votes, vote) => votes.map((old, option) => (vote === turn && option === k ? n : old))) });
  }
  function toggle() {
    keep({ showing: !state().showing }, state().showing ? "" : words());
    ask("look");
  }
  function again() {
    keep({ turn: 1, showing: false }, DISCUSS);
    ask("end");
  }
  // The first press announces the answer, the second one shows it.
  function reveal() {
    if (state().armed) return keep({}, null), ask("answer");
    keep({ armed: true }, ARMED);
  }
  function words() {
    const said = ({ name, votes }) => `${name}: ${votes.map((n, k) => `${OPTION_LETTERS[k]} ${n} (${shareOf(n, votes)})`).join(", ")}.`;
    return cast().map(said).join(" ") || "No vote is counted yet.";
  }
  function gain() {
    const said = cast().map(({ votes }) => countText(votes[options.indexOf(right())], votes));
    return said.length ? `Right: ${said.join(", then ")}.` : "";
  }
  function heard() {
    if (right() && !state().said) keep({ said: true, showing: cast().length > 0 }, [model.get("reply").why, gain()].filter(Boolean).join(" "));
    reply.write();
    show();
  }
  function counted() {
    const { showing, armed } = state();
    if (showing && !armed && !right()) amend(model, { words: words() }); // they follow, and are not read aloud again
    show();
  }
  function show() {
    const { turn, showing, armed, hands } = state();
    bars.textContent = showing ? "Hide bars" : "Show bars";
    for (const [first, second] of fields) second.element.hidden = turn === 0; // first: the focus finds a field when its button is greyed out
    fields.forEach((both, k) => both.forEach(({ write }, turn) => write(hands[turn][k])));
    for (const [first] of fields) first.input.disabled = turn === 1; // what is typed now is the second vote
    discuss.disabled = turn === 1 || right() !== "";
    answer.textContent = armed ? "Reveal: press again" : "Reveal";
    answer.disabled = right() !== "";
    phones?.write(model.get("phones"), turn, right() !== "");
    lines.forEach((line, k) => {
      line.mark(options[k] === right());
      line.bars.replaceChildren(...(showing ? cast().map(({ turn, votes }) => barOf(turn, votes[k], votes)) : []));
    });
  }

  const asked = made("div", {}, made("p", { class: "nb-question" }, record.text), ...lines.flatMap(({ elements }) => elements), rowOf(bars, discuss, answer));
  el.append(made("div", { class: "nb-room" }, ...contextOf(record), asked, ...(phones ? [phones.element] : [])), reply.element);
  const listening = { given: show, reply: heard, phones: counted };
  for (const [name, hears] of Object.entries(listening)) model.on(`change:${name}`, hears);
  heard();
  return () => Object.entries(listening).forEach(([name, hears]) => model.off(`change:${name}`, hears));
}
