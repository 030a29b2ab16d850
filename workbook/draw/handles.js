// Grips: what a reader takes hold of in a figure. To drag one chooses, among the values of its controls, the one whose
// place is nearest to the pointer. The slider remains the keyboard's way; grips are not in the way of a screen reader.

import { child, set, trim } from "./dom.js";
import { round } from "./arrays.js";

const GRIP = 28; // px: what a finger finds
const TAP = 4; // px: a press that moves less is no drag

// The pixels of a place along the axes of its panel.
const spot = (panel, { x, y }) => [panel.sx.to(x), panel.sy.to(y)];

// What stands at an index of an array of places, (m,), (m, 2) or (m, n, 2): the coordinates along the axes.
function placeAt(places, index) {
  const { shape = [places.length] } = places;
  const wide = shape.length > index.length ? shape.at(-1) : 1;
  const start = index.reduce((sum, k, i) => sum * shape[i] + k, 0) * wide;
  return places.slice(start, start + wide);
}

// [[pixels, values by control], ...] of all places of a handle; pixels are NaN in a direction that it does not move in.
function placesOf({ axis, places, controls: [first, second] }, panel, controls) {
  const one = (at, values) => {
    const pixels = ["x", "y"].map((letter) => {
      const k = axis.indexOf(letter);
      return k < 0 || at[k] == null ? NaN : panel[`s${letter}`].to(at[k]);
    });
    return [pixels, values];
  };
  const [across, up] = [first, second].map((name) => controls.get(name)?.values);
  if (!second) return across.map((u, i) => one(places ? placeAt(places, [i]) : [u], { [first]: u }));
  return across.flatMap((u, i) =>
    up.map((v, j) => one(places ? placeAt(places, [i, j]) : [u, v], { [first]: u, [second]: v })),
  );
}

function nearest(places, pointer) {
  let [found, least] = [null, Infinity];
  for (const place of places) {
    const far = [0, 1].reduce((sum, k) => sum + (Number.isNaN(place[0][k]) ? 0 : (place[0][k] - pointer[k]) ** 2), 0);
    if (far < least) [found, least] = [place, far];
  }
  return found;
}

// Where the grip stands and how large it is; a line is taken hold of at any height.
function boxOf(handle, panel, at) {
  const [l, t, w, h] = panel.box;
  const across = handle.axis === "x";
  if (handle.shape !== "line") return [at[0] - GRIP / 2, at[1] - GRIP / 2, GRIP, GRIP];
  return across ? [at[0] - GRIP / 2, t, GRIP, h] : [l, at[1] - GRIP / 2, w, GRIP];
}

function put(grip, handle, panel, at) {
  const [left, top, width, height] = boxOf(handle, panel, at).map(round);
  set(grip, { style: `left:${left}px;top:${top}px;width:${width}px;height:${height}px` });
}

// The pointer, in the stage's pixels.
function pointerIn(stage, event) {
  const box = stage.getBoundingClientRect();
  const scale = stage.offsetWidth / box.width || 1;
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

// Follow one pointer from its press to its release; `to(pointer)` is called for each move, `end(pointer, moved)` at last.
function follow(element, stage, press, to, end) {
  press.preventDefault();
  press.stopPropagation();
  element.setPointerCapture(press.pointerId);
  const from = pointerIn(stage, press);
  let moved = false;
  const move = (event) => {
    const at = pointerIn(stage, event);
    moved ||= Math.hypot(at[0] - from[0], at[1] - from[1]) >= TAP;
    if (moved) to(at, from);
  };
  const stop = (event) => {
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", stop);
    element.removeEventListener("pointercancel", stop);
    end(pointerIn(stage, event), moved);
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", stop);
  element.addEventListener("pointercancel", stop);
}

// What a grip says while it is dragged.
function tell(view, at, words) {
  const note = view.over.querySelector(".nb-dragged") ?? view.over.appendChild(document.createElement("div"));
  note.className = "nb-dragged";
  note.textContent = words;
  const left = Math.max(0, Math.min(at[0], view.stage.offsetWidth - note.offsetWidth));
  note.style.cssText = `left:${round(left)}px;top:${round(Math.max(0, at[1] - GRIP - note.offsetHeight / 2))}px`;
}

function drag(press, grip, host) {
  const { view, handle, panel, at } = grip.nbHeld;
  const places = placesOf(handle, panel, host.controls).filter(([pixels]) => pixels.some(Number.isFinite));
  const start = at.slice();
  let chosen = null;
  const show = ([pixels, values]) => {
    chosen = values;
    const now = pixels.map((pixel, k) => (Number.isNaN(pixel) ? start[k] : pixel));
    put(grip, handle, panel, now);
    const words = handle.controls.map((name) => `${host.controls.get(name).label} = ${host.controls.get(name).say(values[name])}`);
    tell(view, handle.shape === "line" ? [now[0], panel.box[1] + GRIP] : now, words.join(", "));
  };
  grip.nbDragged = true;
  grip.classList.add("nb-held");
  follow(
    grip,
    view.stage,
    press,
    (pointer, from) => {
      const place = nearest(places, [0, 1].map((k) => start[k] + pointer[k] - from[k]));
      if (JSON.stringify(place[1]) === JSON.stringify(chosen)) return;
      show(place);
      host.move(place[1]);
    },
    () => {
      grip.nbDragged = false;
      grip.classList.remove("nb-held");
      view.over.querySelector(".nb-dragged")?.remove();
      host.released();
    },
  );
}

// A press anywhere in the panel chooses what is nearest to it.
function picker(element, host) {
  const { view, handle, panel } = element.nbHeld;
  const [l, t, w, h] = panel.box;
  set(element, { style: `left:${l}px;top:${t}px;width:${w}px;height:${h}px` });
  element.onclick = (event) => {
    const place = nearest(placesOf(handle, panel, host.controls), pointerIn(view.stage, event));
    if (place) host.move(place[1]);
  };
}

// Show the grips of the figure that was drawn last. host: `controls`, name -> {label, values, say}; `move` (name ->
// value) and `released` are called as a reader drags.
export function showHandles(root, host) {
  const view = root.nbView;
  const { handles } = view.frame.layout.meta ?? {};
  const grips = (view.grips ??= view.over.appendChild(document.createElement("div")));
  grips.className = "nb-grips";
  const shown = (handles ?? []).filter(
    (handle) => view.panels.has(handle.panel) && handle.controls.every((name) => host.controls.has(name)),
  );
  shown.forEach((handle, k) => {
    const panel = view.panels.get(handle.panel);
    const grip = child(grips, k, "div");
    const wide = handle.shape === "pick";
    const kind = wide ? "nb-pad" : `nb-grip nb-grip-${handle.shape} nb-along-${handle.axis}`;
    if (grip.nbDragged) return;
    set(grip, { class: kind, "data-control": handle.controls.join(" "), "aria-hidden": "true" });
    const at = spot(panel, handle);
    if (handle.shape === "line") at[handle.axis === "x" ? 1 : 0] = 0;
    grip.nbHeld = { view, handle, panel, at };
    grip.onclick = null;
    if (wide) return picker(grip, host);
    put(grip, handle, panel, at);
    grip.onpointerdown = (press) => drag(press, grip, host);
  });
  trim(grips, shown.length);
}
