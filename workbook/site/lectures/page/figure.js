// The scene of an explorer: as wide as the window, its figure as high as the rest leaves room.

const LOWEST = 200; // px
const GUESS = 430; // px: a guess, until it is measured

// Create the scene. pack: of the explorer; place: the state that it shows.
function explorerScene(pack, place) {
  const explorer = explore(pack, place);
  const element = made("div", { class: "nb-shown" }, explorer.element);
  let [height, width] = [0, 0];

  // Words may wrap otherwise at another height: at most some rounds.
  function fit(rounds = 4) {
    if (!element.clientWidth) return;
    const spare = height ? element.clientHeight - explorer.element.offsetHeight : 0;
    const next = Math.max(LOWEST, (height || GUESS) + Math.floor(spare));
    if (Math.abs(next - height) < 3 && width === explorer.element.clientWidth) return;
    [height, width] = [next, explorer.element.clientWidth];
    explorer.project((figure) => projectFigure(figure, { font: 24 * growthOf(), width, height }));
    if (rounds) requestAnimationFrame(() => fit(rounds - 1));
  }
  const resized = new ResizeObserver(() => fit());
  [element, explorer.element].forEach((each) => resized.observe(each));
  function come() {
    if (String(explorer.place()) !== String(place)) explorer.show(place);
    fit();
  }
  return { element, come, leave() {}, pressed: () => false, press: () => "Tab leads to chips and sliders, the arrow keys move them" };
}
