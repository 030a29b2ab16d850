// A question put to a room: vote, discuss, vote again, bars, reveal. Hands are typed; phones are counted by a server, where
// there is one. Nothing is recorded.

const VOTES = ["First vote", "Second vote"];
const SHORT_VOTES = ["1st", "2nd"];
const DISCUSS = "Discuss: find somebody who chose otherwise, and convince each other. Then vote again.";
const OPTION_LETTERS = "ABCDEFGHIJ";
const MOST_HANDS = 9999;

const sumOf = (votes) => votes.reduce((sum, n) => sum + n, 0);
const shareOf = (n, votes) => `${Math.floor((100 * n) / (sumOf(votes) || 1) + 0.5)} %`;
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
  const [sign, bars] = [made("b", { class: "nb-verdict" }), made("div", { class: "nb-bars" })];
  const choice = made("div", { class: "nb-choice" }, made("b", {}, OPTION_LETTERS[k]), made("span", {}, text, sign), hands);
  return { element: made("li", {}, choice, bars), choice, hands, sign, bars };
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
  const acts = { v: button("", vote), d: button("Discuss", discuss), c: button("", () => (close(), set({ bars: !state.bars }))), h: button("", () => (set({ hands: !state.hands }), lines[0].hands.focus())), r: button("", (event) => event.detail > 1 || reveal()) };
  const keys = made("div", { class: "nb-keys" }, ...Object.entries(acts).map(([key, each]) => made("span", {}, made("kbd", {}, key.toUpperCase()), each)));
  const asked = made("div", { class: "nb-asks" }, ...contextOf(record), made("h2", { class: "nb-question" }, text.replaceAll(" %", "\u00a0%")), made("ol", {}, ...lines.map(({ element }) => element)), status);
  const phones = server ? made("aside", {}, made("img", { class: "nb-qr", src: server.qr, alt: server.url }), made("p", { class: "nb-address" }, server.url.replace("http://", "")), arrived) : "";
  const element = made("div", { class: "nb-vote" }, asked, phones, keys);
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
    tell({ act: "put", fields: [options, LEVELS.map((level) => `${100 * level} %`)] });
  }
  function close() {
    const was = state.open;
    set({ open: false });
    if (was) tell({ act: "close" });
  }
  function discuss() {
    close();
    set({ bars: false, talk: true });
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
    if (phones) phones.hidden = state.told;
    element.classList.toggle("nb-counting", state.hands && state.turn >= 0 && !state.told);
    if (status.textContent !== words()) status.textContent = words();
    arrived.textContent = state.turn < 0 ? `${state.joined} phones are here` : `${sumOf(state.phones[state.turn])} votes by phone, ${state.joined} phones here${state.away ? `; ${state.away} turned away: see --one-address` : ""}`;
    lines.forEach(({ choice, sign, bars }, k) => {
      const isRight = state.told && options[k] === right;
      choice.classList.toggle("nb-right", isRight);
      sign.textContent = isRight ? " ✓ right" : "";
      bars.replaceChildren(...(state.bars ? cast().map(({ turn, votes }) => barOf(turn, votes[k], votes)) : []));
    });
    if (element.clientWidth) fit();
    if (key) sessionStorage.setItem(key, JSON.stringify(state));
    element.dispatchEvent(new Event("nb-changed", { bubbles: true }));
  }
  function pressed(key, repeated) {
    const act = acts[key];
    if (act && !act.disabled && !repeated) act.click();
    return Boolean(act);
  }
  // What is asked stays on the screen: first its context becomes small, then, with bars and the answer, all of it.
  function fit() {
    element.classList.remove("nb-long");
    element.style.setProperty("--fit", 1);
    const isLarge = () => asked.scrollHeight > asked.clientHeight;
    element.classList.toggle("nb-long", isLarge());
    for (let size = 1; isLarge() && size > 0.6; size -= 0.04) element.style.setProperty("--fit", size);
  }
  new ResizeObserver(fit).observe(element);
  const come = () => tell({ act: "look" });
  setInterval(() => state.open && element.isConnected && come(), 500);
  show();
  const answer = () => set({ told: true }); // on paper
  return { element, pressed, come, answer, leave: close, press: () => [...(server ? [arrived.textContent] : []), ...(gain() ? [gain().slice(0, -1)] : []), ...Object.entries(acts).filter(([, each]) => !each.disabled).map(([key, each]) => `${key.toUpperCase()} ${each.textContent}`)].join(" · ") };
}
