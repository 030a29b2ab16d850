// Elements that are kept from frame to frame: an attribute or a text is written only when it changed.

const SVG = "http://www.w3.org/2000/svg";

export function set(element, attributes) {
  const was = (element.nbWas ??= {});
  for (const name in attributes) {
    const value = attributes[name];
    if (was[name] === value) continue;
    was[name] = value;
    if (value == null || value === "") element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
  return element;
}

// The k-th child of a parent; made when it is first needed.
export function child(parent, k, tag) {
  const there = parent.childNodes[k];
  if (there?.localName === tag) return there;
  const drawn = tag === "svg" || parent.namespaceURI === SVG;
  const element = drawn ? document.createElementNS(SVG, tag) : document.createElement(tag);
  if (there) parent.replaceChild(element, there);
  else parent.append(element);
  return element;
}

// Take away what an earlier frame had more of.
export function trim(parent, count) {
  while (parent.childNodes.length > count) parent.lastChild.remove();
  return parent;
}

// Labels know four tags and the entities of escaped text, as plotly's do; all else is shown as it was typed.
const TAGS = { b: "b", i: "i", sub: "sub", sup: "sup" };
const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&#39;": "'" };
const unescaped = (text) => text.replace(/&(?:amp|lt|gt|quot|#x27|#39);/g, (entity) => ENTITIES[entity]);

const TAG = /(<\/?(?:b|i|sub|sup)>|<br ?\/?>)/;

// A label's words alone.
export const plainText = (text) => unescaped(String(text ?? "").split(TAG).map((piece, k) => (k % 2 ? (piece.startsWith("<br") ? " " : "") : piece)).join(""));

// How wide a label is, in pixels.
let pen;
export function widthOf(text, size, family = "sans-serif", weight = "normal") {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = `${weight} ${size}px ${family}`;
  return pen.measureText(unescaped(String(text).split(TAG).filter((_, k) => k % 2 === 0).join(""))).width;
}

export function label(element, text) {
  if (element.nbText === text) return element;
  element.nbText = text;
  element.replaceChildren();
  const drawn = element.namespaceURI === SVG;
  const open = [element];
  for (const part of String(text).split(TAG)) {
    const tag = part.match(/^<(\/?)(\w+)/);
    const known = tag && part.endsWith(">");
    if (known && tag[2] === "br") open.at(-1).append(drawn ? " " : document.createElement("br"));
    else if (known && TAGS[tag[2]] && tag[1]) open.length > 1 && open.pop();
    else if (known && TAGS[tag[2]]) {
      const inner = drawn ? document.createElementNS(SVG, "tspan") : document.createElement(tag[2]);
      if (drawn) inner.setAttribute("class", `nb-${tag[2]}`);
      open.at(-1).append(inner);
      open.push(inner);
    } else if (part) open.at(-1).append(unescaped(part));
  }
  return element;
}
