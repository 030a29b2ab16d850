// The scene of an explorer: as wide as the window, its figure as high as the rest leaves room.

const LOWEST = 200; // px
const GUESS = 460; // px: a guess, until it is measured; on paper it stays

function explorerScene(pack, place) {
  const explorer = explore(pack, place);
  const element = made("div", { class: "nb-shown" }, explorer.element);
  let [height, width, pending] = [0, 0, false];

  function fit(rounds = 5) {
    if (!element.clientWidth || pending || (onPaper() && height)) return;
    const isDrawn = height && explorer.element.querySelector(".nb-figure").dataset.frames; // else it takes no room yet
    const spare = isDrawn ? element.clientHeight - explorer.element.offsetHeight : 0;
    const next = Math.max(LOWEST, (height || GUESS) + Math.floor(spare));
    if (Math.abs(next - height) < 3 && width === explorer.element.clientWidth) return;
    [height, width, pending] = [next, explorer.element.clientWidth, true];
    explorer.project((figure) => projectFigure(figure, { font: 24 * growthOf(), width, height }));
    const drawn = () => ((pending = false), rounds && fit(rounds - 1));
    requestAnimationFrame(() => requestAnimationFrame(drawn));
  }
  const resized = new ResizeObserver(() => fit());
  [element, explorer.element].forEach((each) => resized.observe(each));
  function come() {
    if (String(explorer.place()) !== String(place)) explorer.show(place);
    fit();
  }
  return { element, come, refresh: () => explorer.show(place), leave() {}, pressed: () => false, press: () => "Tab leads to chips and sliders, the arrow keys move them" };
}
