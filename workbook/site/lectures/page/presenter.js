// The presenter's window: what to say, what to expect, what to press, what comes next, and the time. The audience sees
// none of it.

const clock = (ms) => `${ms < 0 ? "−" : ""}${Math.floor(Math.abs(ms) / 60000)}:${String(Math.floor(Math.abs(ms) / 1000) % 60).padStart(2, "0")}`;

// Return { open, write }. turn(way) goes to another scene; pressed(event) is told of the window's keys.
function presenter({ title, scenes }, { turn, pressed }) {
  let [view, at, press, began] = [null, 0, "", Number(history.state)]; // a page that is loaded again knows when it began
  const minutes = (from, to) => scenes.slice(from, to).reduce((sum, scene) => sum + scene.minutes, 0);

  function open() {
    view = globalThis.open("", "nb-presenter", "popup,width=900,height=620");
    if (view) dress();
  }

  // Give the window its style, its keys and its words: also after it was loaded again, which empties it.
  function dress() {
    view.document.head.replaceChildren(...[...document.querySelectorAll("link[rel=stylesheet]")].map(({ href }) => made("link", { rel: "stylesheet", href })), made("title", {}, `Presenter: ${title}`));
    view.document.documentElement.dataset.theme = document.documentElement.dataset.theme;
    view.addEventListener("keydown", pressed);
    write(at, press);
  }

  // Show what belongs to scene `now`, 0 for the title; keys: what can be pressed there.
  function write(now, keys) {
    if (now > 0 && !began) history.replaceState((began = Date.now()), "");
    [at, press] = [now, keys];
    if (!view || view.closed) return;
    if (!view.document.querySelector("link")) return dress();
    const { title: name = title, say = "", expect = "", answer = "" } = scenes[at - 1] ?? {};
    const rows = [["Say", say], ["Expect", expect], ["Right", answer], ["Press", press], ["Next", scenes[at]?.title ?? "the end"]];
    const list = made("dl", {}, ...rows.filter(([, words]) => words).flatMap(([head, words]) => [made("dt", {}, head), made("dd", {}, words)]));
    const buttons = made("p", {}, button("Previous", () => turn(-1)), button("Next", () => turn(1)));
    const body = made("main", { class: "nb-presenter" }, made("p", { class: "nb-time" }), made("h1", {}, `${at} / ${scenes.length} · ${name}`), list, buttons);
    view.document.body.replaceChildren(body);
    tick();
  }

  function tick() {
    if (!view || view.closed) return;
    const line = view.document.querySelector(".nb-time");
    if (!line) return write(at, press);
    const gone = began ? Date.now() - began : 0;
    const left = minutes(0) * 60000 - gone;
    line.textContent = `${new Date().toTimeString().slice(0, 5)} · ${clock(gone)} gone, ${clock(left)} left · by plan this scene ends at ${clock(minutes(0, at) * 60000)}`;
  }
  setInterval(tick, 1000);
  return { open, write };
}
