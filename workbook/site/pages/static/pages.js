// What a page does by itself: its theme, where the reader is, what a keyboard reaches.
// From a folder, a page cannot read another one to quote it beside what the search has found.
if (location.protocol === "file:" && location.pathname.endsWith("/search.html")) DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// The button in the bar turns the page light or dark; the choice stays in this browser. Until then the system decides.
function followToggle() {
  const root = document.documentElement;
  const button = document.querySelector(".theme-toggle");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const kept = () => {
    try { return localStorage.getItem("nb-theme"); } catch { return null; }
  };
  function turn(dark) {
    root.dataset.theme = dark ? "dark" : "light";
    button.setAttribute("aria-pressed", dark);
    const code = document.getElementById("pygments_dark_css");
    if (code) code.media = dark ? "all" : "not all";
  }
  button.addEventListener("click", () => {
    turn(root.dataset.theme !== "dark");
    try { localStorage.setItem("nb-theme", root.dataset.theme); } catch { /* without storage the choice ends with the page */ }
  });
  system.addEventListener("change", () => kept() || turn(system.matches));
  turn(root.dataset.theme === "dark");
}

// What scrolls sideways can be reached, and so scrolled, by keyboard.
function reachScrolled() {
  const boxes = [...document.querySelectorAll("div.math, .cell_output .output, main > section table, pre")];
  const scrolled = boxes.filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth);
  scrolled.forEach((box) => (box.tabIndex = 0)); // after all are read: else each would be laid out anew
}

// A section's code is shown and hidden at once, where its first cell is folded. What a colon announces has its own fold.
function foldCode() {
  for (const section of document.querySelectorAll(".page > section, .page > section > section")) {
    const [first, ...others] = section.querySelectorAll(section.matches("section > *") ? "details.hide" : ":scope > .cell details.hide");
    others.forEach((fold) => fold.classList.toggle("follows", !/:\s*$/.test(fold.closest(".cell")?.previousElementSibling?.textContent)));
    first?.addEventListener("toggle", () => others.forEach((fold) => (fold.open = first.open)));
  }
}

// The bar's segment of the section in sight is the current one.
function followSections() {
  const links = [...document.querySelectorAll(".stops a")];
  const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
  function show() {
    const line = innerHeight / 3;
    const at = sections.findLastIndex((section) => section.getBoundingClientRect().top < line);
    document.querySelector(".at").textContent = `${Math.max(at, 0) + 1} of ${links.length}`;
    links.forEach((link, index) => (index === at ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
  }
  if (!links.length) return;
  addEventListener("scroll", show, { passive: true });
  show();
}

// The list of pages closes by Escape and by a click elsewhere.
function closeMenu() {
  const menu = document.querySelector(".menu");
  addEventListener("click", ({ target }) => menu.contains(target) || (menu.open = false));
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    menu.open = false;
    menu.firstElementChild.focus();
  });
}

const stored = (name) => {
  try { return JSON.parse(localStorage.getItem(name)) ?? {}; } catch { return {}; }
};

// A chapter's page opens where it was left: at a section, so far below its head. The home page leads to the latest.
function keepPlace() {
  const { page } = document.body.dataset;
  const sections = [...document.querySelectorAll(".stops a")].map((link) => document.getElementById(link.hash.slice(1)));
  if (!sections.length) return;
  const places = stored("nb-places");
  const place = places[page];
  const found = place && document.getElementById(place.section);
  if (found && !location.hash && !location.search && !scrollY) scrollTo({ top: found.offsetTop + place.below, behavior: "instant" });
  let waiting = 0;
  function keep() {
    waiting = 0;
    const section = sections.findLast((one) => one.offsetTop <= scrollY + innerHeight / 3);
    if (section) places[page] = { section: section.id, below: Math.round(scrollY - section.offsetTop) };
    else delete places[page];
    try { localStorage.setItem("nb-places", JSON.stringify({ ...places, latest: section ? page : places.latest })); } catch { /* then it is not kept */ }
  }
  addEventListener("scroll", () => (waiting ||= setTimeout(keep, 250)), { passive: true });
}

// The home page: how many questions of each page are answered, and where the reader was.
function showProgress() {
  const outcomes = stored("naive-bayes-workbook/progress");
  for (const place of document.querySelectorAll(".far")) {
    const keys = place.dataset.keys.split(" ");
    const done = keys.filter((key) => key in outcomes).length;
    place.textContent = done ? `${done} of ${keys.length} answered` : "";
  }
  const { latest } = stored("nb-places");
  const resume = document.querySelector(".resume");
  const card = latest && document.querySelector(`.card[href="${latest}.html"]`);
  if (!resume || !card) return;
  resume.hidden = false;
  resume.firstElementChild.href = card.href;
  resume.firstElementChild.append(`: ${card.querySelector("small").textContent}`);
}

document.addEventListener("DOMContentLoaded", () => {
  followToggle();
  foldCode();
  for (const when of ["load", "resize"]) addEventListener(when, reachScrolled);
  addEventListener("toggle", reachScrolled, true);
  followSections();
  closeMenu();
  keepPlace();
  showProgress();
  addEventListener("beforeprint", () => document.querySelectorAll(".sources").forEach((fold) => (fold.open = true)));
  for (const caption of document.querySelectorAll("p.caption[role='heading']")) caption.ariaLevel = "2";
});
