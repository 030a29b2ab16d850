// A lecture as slides: the links of this page's list, one after the other in a frame. The list itself comes first.
const KEYS = { PageDown: 1, ArrowRight: 1, PageUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
const list = document.querySelector("main");
const links = [...list.querySelectorAll("ol a")];
const frames = new Map(); // number of a slide -> its frame; it stays, with the hands that were counted in it
let at = 0;

// The buttons, where one is and what to say there; a change of that is read out.
const bar = document.createElement("nav");
const where = document.createElement("div");
const [title, words] = ["strong", "p"].map((tag) => document.createElement(tag));
where.setAttribute("role", "status");
where.append(title, words);
bar.ariaLabel = "Slides";
bar.append(button("Previous", -1, "PageUp"), where, button("Next", 1, "PageDown"));
document.body.append(bar);

function button(words, way, key) {
  const made = document.createElement("button");
  made.append(words);
  made.title = key;
  made.addEventListener("click", () => turn(way));
  return made;
}

function frameOf(k) {
  if (!frames.has(k)) {
    const frame = document.createElement("iframe");
    frame.title = links[k - 1].textContent;
    frame.src = links[k - 1].href;
    frame.className = "away";
    frame.addEventListener("load", () => ((frame.dataset.here = ""), prepare()));
    frames.set(k, frame);
    bar.before(frame);
  }
  return frames.get(k);
}

// The next slide is fetched as soon as this one is here.
function prepare() {
  if (at < links.length && (at === 0 || "here" in frames.get(at).dataset)) frameOf(at + 1);
}

// The slide that the address names: #3, and the list without a number.
function show() {
  const wanted = Number(location.hash.slice(1)) || 0;
  at = Math.trunc(Math.max(0, Math.min(links.length, wanted)));
  if (document.activeElement.localName === "iframe") document.activeElement.blur();
  if (at > 0) frameOf(at);
  list.hidden = at > 0;
  frames.forEach((frame, k) => frame.classList.toggle("away", k !== at));
  const link = links[at - 1];
  title.textContent = link ? `${at} of ${links.length} · minute ${link.textContent}` : document.title;
  words.textContent = link?.dataset.say ?? "";
  focus();
  prepare();
}

function turn(way) {
  const wanted = Math.max(0, Math.min(links.length, at + way));
  location.replace(`#${wanted || ""}`);
}

addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  const way = event.altKey || event.ctrlKey || event.metaKey ? undefined : KEYS[event.key];
  if (way) event.preventDefault(), turn(way);
});
// A page in a frame passes Page Up and Page Down on.
addEventListener("message", ({ source, data }) => {
  const mine = [...frames.values()].some((frame) => frame.contentWindow === source);
  if (mine && [1, -1].includes(data?.turn)) turn(data.turn);
});
links.forEach((link, k) => {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a tab of its own
    event.preventDefault();
    turn(k + 1 - at);
  });
});
show();
