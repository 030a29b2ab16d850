// Where the keys go: never lost with a control that was greyed out or hidden, and with Escape back to the notebook's cell.

const STOPS = "button, input, select, [tabindex='0'], [contenteditable=true]";
const reachable = (element) => !element.disabled && element.checkVisibility();

// Where a control that has the focus is greyed out or hidden, the next one takes it. Returns what undoes it.
function keepFocus(box) {
  let last = null;
  const entered = ({ target }) => (last = target);
  const left = ({ relatedTarget }) => relatedTarget && !box.contains(relatedTarget) && (last = null);
  function tend() {
    if (!last || reachable(last) || !box.contains(last) || ![last, document.body].includes(document.activeElement)) return;
    const stops = [...box.querySelectorAll(STOPS)].filter(reachable);
    const behind = stops.find((stop) => last.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING);
    (behind ?? stops.at(-1))?.focus({ preventScroll: true });
  }
  const changed = new MutationObserver(tend);
  for (const child of box.children) // not the figures: they hold no control
    if (!child.matches(".nb-view, .nb-explorer"))
      changed.observe(child, { attributes: true, attributeFilter: ["disabled", "hidden", "style"], subtree: true });
  box.addEventListener("focusin", entered);
  box.addEventListener("focusout", left);
  return () => {
    changed.disconnect();
    box.removeEventListener("focusin", entered);
    box.removeEventListener("focusout", left);
  };
}

// Escape leads from a control to the cell that it stands in. Returns what undoes it.
function leaveByEscape(box) {
  const pressed = (event) => event.key === "Escape" && box.closest(".jp-Cell")?.focus();
  box.addEventListener("keydown", pressed);
  return () => box.removeEventListener("keydown", pressed);
}
