// Lets the keyboard into the menus and into what scrolls.
(() => {
  const reach = () => {
    for (const box of document.querySelectorAll("div.math, .table-wrapper, .cell_output, .highlight pre, .cell_output pre")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    }
  };
  // The theme's menus are labels of hidden boxes: here they are buttons too.
  const open = (label) => {
    const box = document.getElementById(label.htmlFor);
    label.tabIndex = 0;
    label.role = "button";
    label.ariaLabel = box.ariaLabel;
    label.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        box.click();
      }
    });
  };
  document.addEventListener("DOMContentLoaded", () => {
    reach();
    document.querySelectorAll(".nav-overlay-icon, .toc-overlay-icon").forEach(open);
    addEventListener("resize", reach);
  });
})();
