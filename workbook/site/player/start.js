// What happens when the page is there: explorers come to life as the reader comes near, questions at once.

const root = () => globalThis.NB_ROOT ?? document.body.dataset.nbRoot ?? "./";
const GROWS = 5000; // ms: so long a page may go on growing while its parts come to life
const asked = new Map(); // key -> record
const numbers = new Map(); // key -> records of the same task with other numbers
let listed = null; // chapter -> [its predictions, its exercises, those of them in code]

// What went wrong, as a sentence in the place of what would have come; what stands there stays.
function trouble(host, problem) {
  host.querySelector(".nb-trouble")?.remove();
  host.append(made("p", { class: "nb-trouble", role: "status" }, `This does not come to life: ${problem.message || problem}`));
}

// { host, open }: `open` brings an explorer to life, once, and gives it; null if it cannot.
function playerOf(host) {
  let opened = null;
  async function bring() {
    try {
      const pack = await openPack(host.dataset.explorer, `${root()}packs/`);
      const start = pack.starts[host.dataset.start] ?? pack.controls.map((control) => control.default);
      const changed = (place) => writeAddress(addressOf(host.id, pack, place, start));
      const explorer = explore(pack, start, { changed });
      host.append(explorer.element);
      host.classList.add("nb-on");
      return explorer;
    } catch (problem) {
      trouble(host, problem);
      return null;
    }
  }
  return { host, open: () => (opened ??= bring()) };
}

// One after the other: what the reader sees, what is near, and when the browser has nothing else to do the others.
function openInTime(players) {
  let line = Promise.resolve();
  const join = (player) => (line = line.then(player.open));
  const far = ({ boundingClientRect: { top, bottom } }) => Math.max(0, top - innerHeight, -bottom);
  const near = new IntersectionObserver((entries) => {
    const met = entries.filter(({ isIntersecting }) => isIntersecting).sort((a, b) => far(a) - far(b));
    for (const { target } of met) {
      near.unobserve(target);
      join(players.find(({ host }) => host === target));
    }
  }, { rootMargin: "100% 0px" });
  players.forEach(({ host }) => near.observe(host));
  const idle = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 200));
  const rest = [...players];
  const next = () => rest.length && join(rest.shift()).then(() => idle(next));
  idle(next);
}

// The state that the address names: its explorer is brought to life, and into sight.
async function followAddress(players, scroll = true) {
  const asks = readAddress(location.hash);
  const player = asks && players.find(({ host }) => host.id === asks.id);
  if (!player) return null;
  const explorer = await player.open();
  if (explorer && asks.wanted.length) explorer.follow(asks.wanted);
  if (scroll) keepInSight(player.host);
  const named = asks.wanted.find(([name]) => name === "preset")?.[1];
  return { player, preset: explorer?.pack.presets.findIndex(({ name }) => name === named) ?? -1 };
}

// Scroll there, and again while the page above it still grows; the reader's own move ends that.
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

// inRoom: a question of choice is put to a lecture room.
async function question(host, inRoom) {
  const key = host.dataset.question;
  try {
    await loadScript(`${root()}questions/${key.split("/")[0]}.js`);
    if (!asked.has(key)) throw new Error(`There is no question ${key}.`);
    const record = asked.get(key);
    host.append(inRoom && record.kind === "choice" ? roomOf(key, record, () => unpacked(record.hidden)) : ask(key, record));
    host.classList.add("nb-on");
  } catch (problem) {
    trouble(host, problem);
  }
}

async function progress(host) {
  try {
    await loadScript(`${root()}questions/contents.js`);
    host.append(showProgress(listed, host.dataset.progress));
    host.classList.add("nb-on");
  } catch (problem) {
    trouble(host, problem);
  }
}

// What is due, with other numbers where there are some.
async function review(host) {
  try {
    await loadScript(`${root()}questions/contents.js`);
    const here = ([predictions, tasks, code]) => [...predictions, ...tasks.filter((key) => !code.includes(key))];
    const keys = new Set(Object.values(listed).flatMap(here));
    const answers = answersIn(readProgress()).filter(({ key }) => keys.has(key));
    const waiting = dueOf(answers, dateNow().slice(0, 10));
    const chosen = waiting.slice(0, AT_A_TIME);
    const chapters = [...new Set(chosen.map(({ key }) => key.split("/")[0]))];
    await Promise.all(chapters.flatMap((chapter) => ["questions", "again"].map((folder) => loadScript(`${root()}${folder}/${chapter}.js`))));
    host.append(showReview(openingOf(waiting, standingsOf(answers), dateNow().slice(0, 10)), chosen, (key) => asked.get(key), (key) => numbers.get(key) ?? []));
    host.classList.add("nb-on");
  } catch (problem) {
    trouble(host, problem);
  }
}

async function start() {
  followTheme();
  const all = (name) => [...document.querySelectorAll(`.nb-live[data-${name}]`)];
  const players = all("explorer").map(playerOf);
  const query = new URLSearchParams(location.search);
  const one = query.has("embed") && embed(players, query.get("embed"));
  addEventListener("hashchange", () => followAddress(players));
  const here = followAddress(players, !one);
  const rooms = query.has("room") ? await roomsOf(all("question")) : [];
  const scenes = [...players, ...rooms].sort(({ host: a }, { host: b }) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  if (query.has("lecture") && scenes.length) {
    const found = await here;
    await lecture(scenes).begin(found?.player ?? named(scenes, query.get("embed") || query.get("room")), found?.preset ?? -1);
  } else if (!query.get("room") || !room(rooms, query.get("room"))) openInTime(one ? [] : players);
  if (query.has("slide")) inSlides(one);
  if (!one) [...(query.has("room") ? [] : all("question")).map((host) => question(host)), ...all("progress").map(progress), ...all("review").map(review)];
}

// The page's questions that a room can vote on.
async function roomsOf(hosts) {
  await Promise.all(hosts.map((host) => question(host, true)));
  return hosts.filter((host) => host.querySelector('[data-kind="room"]')).map(sceneOf);
}

// What the scripts of packs and questions call.
globalThis.NB = {
  pack: receivePack,
  questions: (records) => Object.entries(records).forEach(([key, record]) => asked.set(key, record)),
  again: (records) => Object.entries(records).forEach(([key, found]) => numbers.set(key, found)),
  contents: (found) => (listed = found),
};
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
