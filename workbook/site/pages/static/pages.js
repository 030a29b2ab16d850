// What the theme leaves to be done for the keyboard and for readers of screens.
// From a folder, a page cannot read another one to quote it beside what the search has found.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

document.addEventListener("DOMContentLoaded", () => {
  // What scrolls sideways can be reached, and so scrolled, by keyboard.
  const reach = () => {
    for (const box of document.querySelectorAll("div.math, .table-wrapper, .cell_output, pre")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    }
  };
  reach();
  addEventListener("resize", reach);

  // The menus of a narrow page open by labels, which no key reaches: buttons take their place.
  for (const label of document.querySelectorAll(".nav-overlay-icon, .toc-overlay-icon")) {
    const box = document.getElementById(label.htmlFor);
    const button = document.createElement("button");
    button.className = label.className;
    button.ariaLabel = box.ariaLabel;
    button.append(...label.childNodes);
    button.addEventListener("click", () => box.click());
    label.replaceWith(button);
  }
  for (const caption of document.querySelectorAll("p.caption[role='heading']")) caption.ariaLevel = "2";
});
