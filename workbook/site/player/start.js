// What happens when the page is there: explorers come to life as the reader comes near, questions at once.

const root = () => globalThis.NB_ROOT ?? document.body.dataset.nbRoot ?? "./";
const GROWS = 5000; // ms: so long a page may go on growing while its parts come to life
const records = new Map(); // key -> record of a question
const variants = new Map(); // key -> records of the question with other numbers
let contents = null; // page -> [its predictions, its exercises, those of them in code]

// Say in the place of an element that it could not be brought to life; its saved content stays.
function reportProblem(host, problem) {
  host.querySelector(".nb-trouble")?.remove();
  host.append(made("p", { class: "nb-trouble", role: "status" }, `This does not come to life: ${problem.message || problem}`));
}

// Return { host, open }: `open` brings an element to life once.
const sceneFor = (host, bring, opened = null) => ({ host, open: () => (opened ??= bring()) });

// Return the scene of an explorer: `open` resolves to it, or to null if it cannot come to life.
const playerOf = (host) => sceneFor(host, async () => {
  try {
    const pack = await openPack(host.dataset.explorer, `${root()}packs/`);
    const start = pack.starts[host.dataset.start] ?? pack.controls.map((control) => control.default);
    const changed = (place) => writeAddress(addressOf(host.id, pack, place, start));
    const explorer = explore(pack, start, changed);
    host.append(explorer.element);
    host.classList.add("nb-on");
    return explorer;
  } catch (problem) {
    reportProblem(host, problem);
    return null;
  }
});

// Open scenes one after the other: the first `now` at once, those in sight, those near, and the others when the browser is idle.
function openInTime(scenes, now = 0) {
  let line = Promise.resolve();
  const join = (scene) => (line = line.then(scene.open));
  const far = ({ boundingClientRect: { top, bottom } }) => Math.max(0, top - innerHeight, -bottom);
  const near = new IntersectionObserver((entries) => {
    const met = entries.filter(({ isIntersecting }) => isIntersecting).sort((a, b) => far(a) - far(b));
    for (const { target } of met) {
      near.unobserve(target);
      join(scenes.find(({ host }) => host === target));
    }
  }, { rootMargin: "100% 0px" });
  scenes.forEach(({ host }) => near.observe(host));
  const idle = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 200));
  const rest = [...scenes];
  rest.splice(0, now).forEach(join);
  const next = () => rest.length && join(rest.shift()).then(() => idle(next));
  idle(next);
}

// Show the state that the address names: bring its explorer to life, and into sight.
async function followAddress(players, scroll = true) {
  const asks = readAddress(location.hash);
  liftOver(asks && document.getElementById(asks.id));
  const player = asks && players.find(({ host }) => host.id === asks.id);
  if (!player) return;
  const explorer = await player.open();
  if (explorer && asks.wanted.length) explorer.follow(asks.wanted);
  if (scroll) keepInSight(player.host);
}

// Scroll to an element, and again while the page above it grows, until the reader moves.
function keepInSight(host) {
  const scroll = () => host.scrollIntoView({ block: "start", behavior: "instant" });
  const growing = new ResizeObserver(scroll);
  const ends = ["wheel", "touchstart", "pointerdown", "keydown"];
  function stop() {
    growing.disconnect();
    ends.forEach((name) => removeEventListener(name, stop, true));
  }
  growing.observe(document.body);
  ends.forEach((name) => addEventListener(name, stop, true));
  setTimeout(stop, GROWS);
}

// Bring an element to life: what `make` resolves to stands in place of its saved content.
async function bringToLife(host, make) {
  try {
    host.append(await make());
    host.classList.add("nb-on");
  } catch (problem) {
    reportProblem(host, problem);
  }
}

// Bring a question to life.
const openQuestion = (host) => bringToLife(host, async () => {
  const key = host.dataset.question;
  await loadScript(`${root()}questions/${key.split("/")[0]}.js`);
  const record = records.get(key);
  if (!record) throw new Error(`There is no question ${key}.`);
  return ask(key, record);
});

// Show the reader's progress.
const openProgress = (host) => bringToLife(host, async () => {
  await loadScript(`${root()}questions/contents.js`);
  return showProgress(contents, host.dataset.progress);
});

// Show the questions that are due, with other numbers where there are variants.
const openReview = (host) => bringToLife(host, async () => {
  await loadScript(`${root()}questions/contents.js`);
  const here = ([predictions, tasks, code]) => [...predictions, ...tasks.filter((key) => !code.includes(key))];
  const keys = new Set(Object.values(contents).flatMap(here));
  const answers = answersIn(readProgress()).filter(({ key }) => keys.has(key));
  const waiting = dueOf(answers, dateNow().slice(0, 10));
  const chosen = waiting.slice(0, AT_A_TIME);
  const chapters = [...new Set(chosen.map(({ key }) => key.split("/")[0]))];
  await Promise.all(chapters.flatMap((chapter) => ["questions", "again"].map((folder) => loadScript(`${root()}${folder}/${chapter}.js`))));
  return showReview(openingOf(waiting, standingsOf(answers), dateNow().slice(0, 10)), chosen, (key) => records.get(key), (key) => variants.get(key) ?? []);
});

async function start() {
  followTheme();
  veilPage();
  const all = (name) => [...document.querySelectorAll(`.nb-live[data-${name}]`)];
  const players = all("explorer").map(playerOf);
  const embedded = new URLSearchParams(location.search).get("embed");
  const one = embedded !== null && openAlone(players, embedded);
  addEventListener("hashchange", () => followAddress(players));
  addEventListener("beforeprint", () => writeAnswers(all("question").filter(({ dataset }) => records.has(dataset.question))));
  followAddress(players, !one);
  if (one) return;
  openInTime(players);
  openInTime(all("question").map((host) => sceneFor(host, () => openQuestion(host))), 1);
  [...all("progress").map(openProgress), ...all("review").map(openReview)];
}

// For paper: the answers to the page's questions, at its end; the figure that follows a prediction is there until it is printed.
function writeAnswers(hosts) {
  dispatchEvent(new Event("afterprint"));
  const all = [...document.querySelectorAll(".nb-live")];
  const lines = hosts.map((host) => {
    const { solution, skipped } = unpacked(records.get(host.dataset.question).hidden);
    const answer = made("div", {}, made(solution ? "pre" : "p", {}, made("b", {}, `${host.dataset.question} `), solution ?? skipped.replace("Skipped. ", "")));
    const next = all[all.indexOf(host) + 1];
    if (solution || !next?.dataset.explorer) return answer;
    const place = made("p", { class: "nb-small" }, "The figure stands with the answers.");
    next.replaceWith(place);
    answer.append(next);
    addEventListener("afterprint", () => place.replaceWith(next), { once: true });
    return answer;
  });
  document.querySelector(".nb-answers")?.remove();
  document.querySelector("main").append(made("section", { class: "nb-answers" }, made("h2", {}, "Answers"), ...lines));
}

// Functions that the scripts of packs and questions call.
globalThis.NB = {
  pack: receivePack,
  questions: (found) => Object.entries(found).forEach(([key, record]) => records.set(key, record)),
  again: (found) => Object.entries(found).forEach(([key, many]) => variants.set(key, many)),
  contents: (found) => (contents = found),
};
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
