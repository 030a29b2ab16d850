// One explorer alone on the page: for a slide (`?embed=NAME`), and for a lecture (`?lecture`), with the presets of all of
// the page as a running order.

const TURNS = { PageDown: 1, PageUp: -1 };

// Return the heading of the section around an element: "2. ...", not "Explore".
function headingOf(element) {
  const sections = [];
  for (let at = element.parentElement; at; at = at.parentElement) if (at.matches("section")) sections.unshift(at);
  const own = (tag) => sections.map((section) => section.querySelector(`:scope > ${tag}`)).find(Boolean);
  const heading = own("h2") ?? own("h1");
  const words = [...(heading?.childNodes ?? [])].filter((node) => !node.matches?.(".headerlink"));
  return words.map((node) => node.textContent).join("").trim();
}

// Show one element and what contains it, without anything else.
function showAlone(element) {
  document.querySelectorAll(".nb-embedded").forEach((other) => other.classList.remove("nb-embedded"));
  document.documentElement.classList.toggle("nb-embed", Boolean(element));
  element?.classList.add("nb-embedded");
}

// Find the player that a name means: an explorer's class or id, or a question's key.
const playerNamed = (players, name) => players.find(({ host }) => name && [host.id, host.dataset.start, host.dataset.explorer, host.dataset.question].includes(name));

// Show one question alone for a room (`?room=02/overcast`) and return it; if there is none, say so and show the page.
function openRoom(rooms, key) {
  const scene = playerNamed(rooms, key);
  if (scene) showAlone(scene.host), scene.open().then((opened) => opened.project(true));
  else reportMissing(key);
  return scene;
}

const reportMissing = (name) => document.body.prepend(made("p", { class: "nb-trouble", role: "alert" }, `There is no ${name} on this page.`));

// Show one explorer alone and return it; if there is none of that name, say so and show the page.
function openAlone(players, name) {
  const player = playerNamed(players, name);
  if (player) showAlone(player.host), player.open();
  else reportMissing(name);
  return player;
}

// A page in a frame of slides (`?slide`): projector sizes; the slides get the keys that turn them, and say the sentence.
function inSlides(player) {
  if (player) player.open().then((explorer) => explorer?.project(true));
  if (parent === window) return; // alone in its tab
  document.documentElement.classList.add("nb-slide");
  addEventListener("keydown", (event) => {
    const turn = TURNS[event.key];
    if (turn) event.preventDefault(), event.stopPropagation(), parent.postMessage({ turn }, "*");
  }, true);
}

// A lecture: PageDown shows what comes next, the next preset or the next explorer; the bar has the words to say with it.
function lecture(players) {
  const where = made("strong", {});
  const words = made("p", {});
  const count = made("span", {});
  const bar = made("div", { class: "nb-bar", role: "region", "aria-label": "Running order" });
  bar.append(button("Previous", () => step(-1), "PageUp"), made("div", {}, where, words), count, button("Next", () => step(1), "PageDown"), button("Page", leave, "Show the whole page (Escape)"));
  let [at, number] = [0, -1]; // the explorer, and its preset; -1 is where it starts
  let turn = 0;

  async function show(player, preset, keep = false) {
    const own = ++turn;
    document.documentElement.classList.add("nb-lecturing");
    showAlone(player.host);
    const explorer = await player.open();
    if (own !== turn || !explorer) return write(player, null);
    explorer.project(true);
    const chosen = explorer.pack.presets[preset];
    if (!keep) explorer.show(chosen?.place ?? explorer.start, chosen?.caption ?? "");
    write(player, explorer);
    players[players.indexOf(player) + 1]?.open();
  }

  function write(player, explorer) {
    const chosen = explorer?.pack.presets[number];
    where.textContent = [headingOf(player.host), chosen?.name ?? explorer?.pack.scene ?? "Start"].filter(Boolean).join(" · ");
    words.textContent = chosen?.caption ?? "";
    announce(words, words.textContent);
    count.textContent = `${at + 1}/${players.length}, ${number + 1}/${explorer?.pack.presets.length ?? 0}`;
  }

  async function step(way) {
    if (!document.documentElement.classList.contains("nb-lecturing")) return show(players[at], number);
    const presets = (await players[at].open())?.pack.presets.length ?? 0;
    const next = number + way;
    if (next >= -1 && next < presets) number = next;
    else if (players[at + way]) {
      at += way;
      number = way > 0 ? -1 : ((await players[at].open())?.pack.presets.length ?? 0) - 1;
    } else return;
    show(players[at], number);
  }

  function leave() {
    document.documentElement.classList.remove("nb-lecturing");
    showAlone(null);
    players[at].host.scrollIntoView({ block: "start", behavior: "instant" });
  }

  function pressed(event) {
    const way = TURNS[event.key];
    if (way) event.preventDefault(), event.stopPropagation(), step(way);
    else if (event.key === "Escape") leave();
  }

  // An address names where to begin, in which preset or state.
  function begin(player, preset) {
    [at, number] = [Math.max(0, players.indexOf(player)), preset];
    return show(players[at], number, Boolean(player));
  }

  addEventListener("keydown", pressed, true);
  document.body.append(bar);
  return { begin };
}
