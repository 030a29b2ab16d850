// Where the keys go: never lost with a control that was greyed out or hidden, and with Escape back to the notebook's cell.

const STOPS = "button, input, select, [tabindex='0'], [contenteditable=true]";
const reachable = (element) => !element.disabled && element.checkVisibility();

// Where a control that has the focus is greyed out or hidden, the next one takes it: a field if the box has one, because a
// key that is pressed once too often does nothing there. Returns what undoes it.
function keepFocus(box) {
  let last = null;
  const entered = ({ target }) => target !== box && (last = target);
  const left = ({ relatedTarget }) => relatedTarget && !box.contains(relatedTarget) && (last = null);
  function tend() {
    if (!last || reachable(last) || !box.contains(last) || ![last, box, document.body].includes(document.activeElement)) return;
    const all = [...box.querySelectorAll(STOPS)].filter(reachable);
    const fields = all.filter((stop) => !stop.matches("button"));
    const stops = fields.length ? fields : all;
    const behind = stops.find((stop) => last.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (!stops.length) box.tabIndex = -1; // nothing is left to press: the whole of it
    (behind ?? stops.at(-1) ?? box).focus({ preventScroll: true });
  }
  const changed = new MutationObserver(tend);
  for (const child of box.children) // not the figures: they hold no control
    if (!child.matches(".nb-view, .nb-explorer"))
      changed.observe(child, { attributes: true, attributeFilter: ["disabled", "hidden", "style"], childList: true, subtree: true });
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
  const pressed = (event) => event.key === "Escape" && box.closest(CELL)?.focus();
  box.addEventListener("keydown", pressed);
  return () => box.removeEventListener("keydown", pressed);
}
