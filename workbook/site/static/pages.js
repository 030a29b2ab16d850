// Tells the figures whether the page is dark, and lets the keyboard into what scrolls.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const tell = () => {
    const theme = document.body.dataset.theme;
    const dark = theme === "dark" || (theme !== "light" && system.matches);
    document.body.dataset.jpThemeLight = String(!dark);
  };
  const reach = () => {
    for (const box of document.querySelectorAll("div.math, .table-wrapper, .cell_output, .highlight pre, .cell_output pre")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    }
  };
  document.addEventListener("DOMContentLoaded", () => {
    tell();
    reach();
    system.addEventListener("change", tell);
    new MutationObserver(tell).observe(document.body, { attributeFilter: ["data-theme"] });
    addEventListener("resize", reach);
  });
})();
