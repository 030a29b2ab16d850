// A question put to a room: vote, discuss, vote again, bars, reveal. Hands are typed; phones are counted by a server, where
// there is one. Nothing is recorded.

const VOTES = ["First vote", "Second vote"];
const SHORT_VOTES = ["1st", "2nd"];
const DISCUSS = "Discuss: find somebody who chose otherwise, and convince each other. Then vote again.";
const OPTION_LETTERS = "ABCDEFGHIJ";
const MOST_HANDS = 9999;

const sumOf = (votes) => votes.reduce((sum, n) => sum + n, 0);
const shareOf = (n, votes) => `${Math.floor((100 * n) / (sumOf(votes) || 1) + 0.5)}\u00a0%`;
const countText = (n, votes) => `${n} of ${sumOf(votes)} (${shareOf(n, votes)})`;

function barOf(turn, n, votes) {
  const fill = made("span", { class: "nb-fill", hidden: !n, style: `width: ${(100 * n) / (sumOf(votes) || 1)}%` });
  const words = made("span", {}, `${SHORT_VOTES[turn]}: ${n} (${shareOf(n, votes)})`);
  const attributes = { class: `nb-bar-row nb-vote-${turn + 1}`, role: "img", "aria-label": `${VOTES[turn]}: ${countText(n, votes)}` };
  return made("div", attributes, made("span", { class: "nb-track" }, fill), words);
}

// Create an option's line: letter, text, a field for the hands that are counted, and its bars.
function optionLine(k, text, counted) {
  const hands = made("input", { type: "number", min: 0, max: MOST_HANDS, step: 1, class: "nb-hands", "aria-label": `Hands for ${OPTION_LETTERS[k]}` });
  hands.addEventListener("input", () => counted(Math.min(MOST_HANDS, Math.max(0, Math.trunc(Number(hands.value)) || 0))));
  const bars = made("div", { class: "nb-bars" });
  const choice = made("div", { class: "nb-choice" }, made("b", {}, OPTION_LETTERS[k]), made("span", {}, text, made("b", { class: "nb-verdict" }, " ✓ right")));
  return { element: made("li", {}, choice, made("div", { class: "nb-counts" }, bars, hands)), choice, hands, bars };
}

// Create the scene of a question. server: null, or { url, qr, tell(news) -> promise of {votes, open, away, joined} }.
function voteScene(record, server) {
  const { options } = record;
  const text = record.text.replace("Predict first. ", "");
  const { right, skipped } = unpacked(record.hidden);
  const none = () => options.map(() => 0);
  const state = { turn: -1, open: false, bars: false, hands: !server, armed: false, told: false, typed: [none(), none()], phones: [none(), none()], away: 0, joined: 0 };
  const lines = options.map((option, k) => optionLine(k, option, (n) => ((state.typed[Math.max(0, state.turn)][k] = n), show())));
  const status = made("p", { class: "nb-status", role: "status" });
  const arrived = made("p", { class: "nb-arrived" });
  const acts = { v: button("", vote), d: button("Discuss", () => (close(), set({ bars: false, talk: true }))), c: button("", () => (close(), set({ bars: !state.bars }))), h: button("", () => (set({ hands: !state.hands }), lines[0].hands.focus())), r: button("", (event) => event.detail > 1 || reveal()) };
  const keys = made("div", { class: "nb-keys" }, ...Object.entries(acts).map(([key, each]) => made("span", {}, made("kbd", {}, key.toUpperCase()), each)));
  const asked = made("div", { class: "nb-asks" }, ...contextOf(record), made("h2", { class: "nb-question" }, text.replace(/ (?=[%=|])|(?<=[=|]) /g, "\u00a0").replaceAll("|", "|\u2060")), made("ol", {}, ...lines.map(({ element }) => element)));
  const phones = server ? [...codeOf(server), arrived] : [];
  const aside = made("aside", {}, ...phones, status);
  const element = made("div", { class: "nb-vote" }, asked, aside, keys);
  const votes = (turn) => state.typed[turn].map((n, k) => n + state.phones[turn][k]);
  const cast = () => [0, 1].map((turn) => ({ turn, votes: votes(turn) })).filter(({ votes }) => sumOf(votes));
  const key = server && `nb-vote-${server.url}-${record.key}`; // the page may be loaded again: what was counted stays
  if (key) Object.assign(state, JSON.parse(sessionStorage.getItem(key) ?? "{}"), { armed: false });

  function set(news) {
    Object.assign(state, { armed: false }, news);
    show();
  }
  async function tell(news) {
    if (!server) return;
    const { turn } = state;
    try {
      const { votes, ...heard } = await server.tell({ question: text, turn, ...news });
      if (votes) state.phones[turn] = votes;
      if (turn === state.turn) Object.assign(state, heard, { trouble: "" });
    } catch (problem) {
      state.trouble = `The server does not answer (${problem.message}): count hands.`;
    }
    show();
  }
  function vote() {
    if (state.told || state.turn === 1) return;
    set({ turn: state.turn + 1, open: true, bars: false, talk: false });
    lines.forEach(({ hands }) => (hands.value = ""));
    tell({ act: "put", context: record.context, fields: [options, LEVELS.map((level, k) => `${k ? "" : "≤ "}${100 * level} %`)] });
  }
  function close() {
    const was = state.open;
    set({ open: false });
    if (was) tell({ act: "close" });
  }
  function reveal() {
    if (state.told) return;
    if (!state.armed) return set({ armed: true });
    close();
    set({ told: true, bars: cast().length > 0 });
    tell({ act: "reveal", right: options.indexOf(right), why: why() });
  }
  const why = () => skipped.replace("Skipped. ", "");
  function gain() {
    const said = cast().map(({ votes }) => countText(votes[options.indexOf(right)], votes));
    return said.length ? `Right: ${said.join(", then ")}.` : "";
  }
  function words() {
    if (state.trouble) return state.trouble;
    if (state.told) return `${why()} ${gain()}`;
    if (state.armed) return "Press R again to show the answer.";
    if (state.open) return `${VOTES[state.turn]}.`;
    return state.talk ? DISCUSS : "";
  }
  function show() {
    const over = state.told || state.turn === 1;
    acts.v.textContent = state.turn < 0 ? "Vote" : "Vote again";
    acts.c.textContent = state.bars ? "Hide bars" : state.open ? "Close, show bars" : "Show bars";
    acts.h.textContent = state.hands ? "Hide the hands" : "Count hands";
    acts.r.textContent = state.armed ? "Reveal: press again" : "Reveal";
    [acts.v.disabled, acts.d.disabled, acts.r.disabled] = [over || state.open, state.told || state.turn !== 0, state.told];
    phones.forEach((each) => (each.hidden = state.told));
    element.classList.toggle("nb-counting", state.hands && state.turn >= 0 && !state.told);
    if (status.textContent !== words()) status.textContent = words();
    arrived.textContent = state.turn < 0 ? `${state.joined} phones are here` : `${sumOf(state.phones[state.turn])} votes by phone, ${state.joined} phones here${state.away ? `; ${state.away} turned away: see --one-address` : ""}`;
    lines.forEach(({ choice, bars }, k) => {
      choice.classList.toggle("nb-right", state.told && options[k] === right);
      bars.replaceChildren(...(state.bars ? cast().map(({ turn, votes }) => barOf(turn, votes[k], votes)) : []));
    });
    shrink(aside, "--aside");
    if (key) sessionStorage.setItem(key, JSON.stringify(state));
    element.dispatchEvent(new Event("nb-changed", { bubbles: true }));
  }
  function pressed(key, repeated) {
    const act = acts[key];
    if (act && !act.disabled && !repeated) act.click();
    return Boolean(act);
  }
  // Make the type of a box as small as its text needs; `name`: the variable of its size, 1 at first.
  function shrink(box, name) {
    element.style.setProperty(name, 1);
    for (let size = 1; box.scrollHeight > box.clientHeight && size > 0.6; size -= 0.04) element.style.setProperty(name, size);
  }
  // What is asked keeps its size until the answer: its bars have their room from the first, and words stand at its side.
  function fit() {
    element.classList.remove("nb-long");
    element.style.setProperty("--fit", 1);
    element.classList.toggle("nb-long", asked.scrollHeight > asked.clientHeight); // first its context becomes small
    shrink(asked, "--fit");
    shrink(aside, "--aside");
  }
  new ResizeObserver(() => (fit(), document.fonts.ready.then(fit))).observe(element);
  const come = () => tell({ act: "look" });
  setInterval(() => state.open && element.isConnected && come(), 500);
  show();
  const answer = () => set({ told: true }); // on paper
  return { element, pressed, come, answer, leave: close, press: () => [...(server ? [arrived.textContent] : []), ...(gain() ? [gain().slice(0, -1)] : []), ...Object.entries(acts).filter(([, each]) => !each.disabled).map(([key, each]) => `${key.toUpperCase()} ${each.textContent}`)].join(" · ") };
}
