// Colours that follow the page's theme, and text in the colour of a mark that can be read on either.

// What is black, white or nearly white in a figure is the page's ink or paper: view.css says what those are.
const THEMED = {
  "#000000": "ink", "#ffffff": "paper", white: "paper", "#d9d9d9": "pale", "#f2f2f2": "shade", "#e3eef6": "band",
  "#f4f4f4": "shade", "rgba(255,255,255,0.8)": "veil", "#d3e8f7": "blue-tint", "#e4e4e4": "grey-tint", "#fce1c8": "orange-tint",
};
export const themed = (color) => {
  const name = THEMED[color.toLowerCase()];
  return name ? `var(--nb-${name}, ${color})` : color;
};
// A colour of six digits as the page's theme has it at an element.
export const shownAt = (element, color) => {
  const name = THEMED[color.toLowerCase()];
  return (name && getComputedStyle(element).getPropertyValue(`--nb-${name}`).trim()) || color;
};
export const [INK, PAPER] = [themed("#000000"), themed("white")];

// What is too pale for a light page keeps its colour and gets an edge there; on a dark page view.css says none.
const EDGED = { "#e69f00": "orange", "#56b4e9": "sky", [themed("#d9d9d9")]: "pale" };
export const edgeOf = (color) => {
  const name = EDGED[String(color).toLowerCase()];
  return name && `var(--nb-${name}-edge, none)`;
};

const CONTRAST = 4.5; // of text, WCAG AA
const PAPERS = [["", 255, 0], ["-dark", 17, 255]]; // of the light and the dark page: its grey, and that of its ink

function luminance(rgb) {
  const [r, g, b] = rgb.map((value) => (value <= 10.31 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(rgb, grey) {
  const [low, high] = [luminance(rgb), luminance([grey, grey, grey])].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

// Style of a text in a colour: mixed with ink until it can be read, on a light page and on a dark one.
export function textIn(color) {
  if (!/^#[0-9a-f]{6}$/i.test(color ?? "")) return "";
  const rgb = [1, 3, 5].map((k) => parseInt(color.slice(k, k + 2), 16));
  return PAPERS.map(([name, paper, ink]) => {
    const mixed = (share) => rgb.map((value) => Math.round(value + share * (ink - value)));
    let share = 0;
    while (contrast(mixed(share), paper) < CONTRAST) share += 0.05;
    return `--nb-own${name}:rgb(${mixed(share)})`;
  }).join(";");
}
