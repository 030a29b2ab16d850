// What a page is asked on behalf of those who see little, or use the keyboard or a finger.

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [contenteditable=true], [tabindex]";
const [CONTRAST, TARGET] = [3, 24]; // of a ring with what is behind it; px of what a finger takes hold of (WCAG 2.2)

function rgba(text) {
  const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
  return [r, g, b, a];
}

const over = ([r, g, b, a], ground) => [r, g, b].map((v, k) => a * v + (1 - a) * ground[k]);
const groundOf = (e) => (e ? over(rgba(getComputedStyle(e).backgroundColor), groundOf(e.parentElement)) : [255, 255, 255]);

function luminance(rgb) {
  const linear = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return linear.reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function ringOf(e) {
  const { outlineStyle: style, outlineColor: color, outlineWidth, outlineOffset } = getComputedStyle(e);
  return { style, color, wide: parseFloat(outlineWidth), off: parseFloat(outlineOffset) };
}

// How much of a ring is left inside all that clips its element, on the side where that is least.
function leftOf(e, { wide, off }) {
  const box = e.getBoundingClientRect();
  const grown = off + wide;
  let left = wide;
  for (let at = e.parentElement; at && at !== document.body; at = at.parentElement) {
    const { overflowX, overflowY, position } = getComputedStyle(at);
    const clip = at.getBoundingClientRect();
    const across = overflowX === "visible" ? [] : [box.left - grown - clip.left, clip.right - box.right - grown];
    const along = overflowY === "visible" ? [] : [box.top - grown - clip.top, clip.bottom - box.bottom - grown];
    left = Math.min(left, ...[...across, ...along].map((free) => wide + free));
    if (position === "fixed") break;
  }
  return left;
}

// What is wrong with the ring of a focused element; before: without the focus.
function faultOf(e, before, ring) {
  if (!e.matches(":focus-visible")) return "the focus came by pointer";
  if (ring.style !== "solid" || ring.wide < 2) return `no ring: ${ring.style}, ${ring.wide} px`;
  if (before.style === ring.style && before.color === ring.color) return "the ring is there without the focus";
  const left = leftOf(e, ring);
  if (left < 2) return `${left.toFixed(1)} px of the ring are left, the rest is cut off`;
  const grounds = [groundOf(ring.off < 0 ? e : e.parentElement)];
  if (ring.off < 0 && ring.off + ring.wide > 0) grounds.push(groundOf(e.parentElement));
  const least = Math.min(...grounds.map((ground) => contrast(over(rgba(ring.color), ground), ground)));
  return least < CONTRAST ? `the ring ${ring.color} has a contrast of ${least.toFixed(2)}` : "";
}

// [how many elements the keyboard reaches inside, those that do not show it].
function unseenFocus(root) {
  const still = made("* { transition: none !important; scroll-behavior: auto !important; }");
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
  const found = [...root.querySelectorAll(FOCUSABLE)].filter((e) => e.tabIndex >= 0 && !e.disabled && seen(e));
  const faults = found.map((e) => {
    document.activeElement.blur();
    const before = ringOf(e);
    e.focus();
    const fault = document.activeElement === e && faultOf(e, before, ringOf(e));
    return fault && `${fault}: ${e.outerHTML.slice(0, 120)}`;
  });
  document.activeElement.blur();
  still.remove();
  return [found.length, faults.filter(Boolean)];
}

function made(css) {
  const style = document.head.appendChild(document.createElement("style"));
  style.textContent = css;
  return style;
}

// Those of the elements that do not answer a finger 12 pixels beside their middle; another one of their kind may.
function smallTargets(elements) {
  return elements.filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > 0).flatMap((e) => {
    e.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = e.getBoundingClientRect();
    const far = TARGET / 2 - 0.5;
    const missed = [[0, 0], [far, 0], [-far, 0], [0, far], [0, -far]].filter(([x, y]) => {
      const there = document.elementFromPoint(left + width / 2 + x, top + height / 2 + y);
      return !e.contains(there) && there?.classList[0] !== e.classList[0];
    });
    return missed.length ? [`${missed.join(" and ")} of ${e.outerHTML.slice(0, 200)}`] : [];
  });
}
