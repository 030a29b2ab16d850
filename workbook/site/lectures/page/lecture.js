// A lecture: its scenes one after the other, one a screen. First its title, the keys, and the code by which phones come.

const TURNS = { PageDown: 1, ArrowRight: 1, ArrowDown: 1, " ": 1, Enter: 1, PageUp: -1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
const KEYS = [["→ ←", "next scene, the one before"], ["B", "black"], ["V D C R", "in a vote: vote, discuss, bars, reveal"], ["F", "full screen"], ["P", "window for the presenter: what to say, what to expect"]];
const records = new Map(); // key -> record of a question
const handed = { lecture: null, live: new Map() };
const onPaper = () => document.documentElement.matches(".nb-paper");
const growthOf = () => (onPaper() ? 1 : Math.max(0.5, Math.min(innerWidth / 1280, innerHeight / 720)));

const codeOf = ({ qr, url }) => [made("img", { class: "nb-qr", src: qr, alt: url }), made("p", { class: "nb-address" }, url.replace("http://", ""))];

async function sceneOf(scene, server) {
  if (scene.vote) {
    await loadScript(`questions/${scene.vote.split("/")[0]}.js`);
    return voteScene(records.get(scene.vote), server?.url ? server : null);
  }
  if (scene.room) return roomScene(scene, server);
  await loadScript(`packs/${scene.explorer}.js`);
  return explorerScene(handed.live.get(scene.explorer) ?? (await openPack(scene.explorer, "packs/")), scene.place);
}

function titleScene({ title, scenes }, server) {
  const minutes = scenes.reduce((sum, scene) => sum + scene.minutes, 0);
  const keys = made("dl", {}, ...KEYS.flatMap(([key, words]) => [made("dt", {}, made("kbd", {}, key)), made("dd", {}, words)]));
  const phones = server?.url ? made("aside", {}, ...codeOf(server)) : "";
  const words = made("div", {}, made("p", { class: "nb-name" }, title), made("p", {}, `${scenes.length} scenes, ${Math.round(minutes)} minutes.`), keys);
  return { element: made("div", { class: "nb-title" }, words, phones), come() {}, leave() {}, pressed: () => false, press: () => "→ begins" };
}

// Tell the server of an act; it answers with the counts.
const tellServer = async (news) => asJson(await fetch("room", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(news) }));

async function startLecture() {
  followTheme();
  const query = new URLSearchParams(location.search);
  const order = query.get("order") ?? document.body.dataset.order;
  const stage = document.querySelector("main");
  try {
    await loadScript(`lectures/${order}.js`);
    const { scenes, server } = handed.lecture;
    const paper = query.get("paper");
    playLecture({ ...handed.lecture, scenes: scenes.filter(({ room }) => !room || (server && !paper)) }, stage, paper); // a room needs one
  } catch (problem) {
    stage.replaceChildren(made("p", { class: "nb-trouble", role: "alert" }, `This lecture does not begin: ${problem.message}`));
  }
}

function playLecture(lecture, stage, paper) {
  const server = lecture.server ? { ...lecture.server, tell: tellServer } : null;
  const count = made("span", { class: "nb-count" });
  const black = made("div", { class: "nb-black", hidden: true });
  const opened = new Map([[0, Promise.resolve(titleScene(lecture, server))]]);
  const last = lecture.scenes.length;
  let [at, now, turns] = [0, null, 0];
  const notes = presenter(lecture, { turn, pressed });
  document.title = lecture.title;
  const heading = made("h1", { class: "nb-unseen" }, lecture.title);
  stage.replaceChildren(heading, count);
  document.body.append(black);

  const open = (k) => opened.get(k) ?? opened.set(k, sceneOf(lecture.scenes[k - 1], server)).get(k);

  // On paper: `?paper=questions` or `?paper=answers`.
  async function showAll() {
    document.documentElement.classList.add("nb-paper");
    size();
    await document.fonts.ready;
    for (let k = 0; k <= last; k++) {
      const scene = await open(k);
      stage.append(scene.element);
      scene.come();
      if (paper === "answers") scene.answer?.();
      while (scene.element.querySelector(".nb-figure:not([data-frames])")) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function show(wanted) {
    const turn = ++turns;
    at = Math.max(0, Math.min(last, wanted));
    count.textContent = at ? `${at} / ${last}` : "";
    history.replaceState(history.state, "", `#${at || ""}`);
    let scene;
    try {
      scene = await open(at);
    } catch (problem) {
      opened.delete(at);
      scene = { element: made("div", { class: "nb-trouble", role: "alert" }, `This scene does not come: ${problem.message}`), come() {}, leave() {}, pressed: () => false, press: () => "" };
    }
    if (turn !== turns) return;
    if (now !== scene) now?.leave();
    now = scene;
    document.activeElement?.blur();
    for (const child of stage.children) child.hidden = ![scene.element, heading, count].includes(child);
    if (scene.element.parentElement !== stage) stage.prepend(scene.element);
    scene.come();
    announce(stage, lecture.scenes[at - 1]?.title ?? lecture.title);
    notes.write(at, scene.press());
    if (at < last) open(at + 1).catch(() => opened.delete(at + 1));
  }

  function turn(way) {
    black.hidden = true;
    show(at + way);
  }

  // A key: of the scene, of the lecture, or, in a field or at a slider, its own.
  function pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const own = event.target.closest?.("input, select, textarea");
    const plain = event.target.closest?.("button") && [" ", "Enter"].includes(event.key);
    if (plain || (own && !["PageDown", "PageUp"].includes(event.key))) return event.key === "Escape" ? event.target.blur() : undefined;
    const key = event.key.toLowerCase();
    if (event.key in TURNS) turn(event.repeat ? 0 : TURNS[event.key]);
    else if (key === "b" || key === ".") (black.hidden = !black.hidden), notes.write(at, `${black.hidden ? "" : "BLACK · "}${now.press()}`);
    else if (key === "f") document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    else if (key === "p") notes.open();
    else if (!now?.pressed(key, event.repeat)) return;
    event.preventDefault();
  }

  const size = () => document.documentElement.style.setProperty("--k", growthOf());
  size();
  addEventListener("resize", size);
  addEventListener("keydown", pressed);
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));
  addEventListener("nb-changed", () => now && notes.write(at, now.press()));
  if (paper) return showAll();
  show(Number(location.hash.slice(1)) || 0);
}

globalThis.NB = {
  lecture: (found) => (handed.lecture = found),
  live: (name, about) => handed.live.set(name, livePack(name, about)),
  pack: receivePack,
  questions: (found) => Object.entries(found).forEach(([key, record]) => records.set(key, record)),
};
startLecture();
