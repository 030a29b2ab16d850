// The page's side of an explorer: draws what the kernel sends, and never more often than the screen can show.

const CONFIG = { displayModeBar: false, responsive: false, doubleClick: "reset" };

// Binary buffers reach us as DataView; plotly.js reads ArrayBuffer.
function unpack(value) {
  if (value instanceof DataView) return value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);
  if (Array.isArray(value)) return value.map(unpack);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));
}

// plotly.js arrives through a widget of its own, once per page, perhaps after the first figure.
async function plotly() {
  for (let waited = 0; !globalThis.Plotly; waited += 25) {
    if (waited > 60000) throw new Error("The drawing library did not arrive. Run the notebook's cells again from the top.");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return globalThis.Plotly;
}

function part(parent, className, attributes = {}) {
  const element = document.createElement("div");
  element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}

function render({ model, el }) {
  el.classList.add("nb-view");
  const plot = part(el, "nb-figure", { role: "img" });
  const error = part(el, "nb-error", { role: "alert" });
  const sentence = part(el, "nb-sentence", { "aria-live": "polite" });
  const caption = part(el, "nb-caption");
  let waiting = false;
  let gone = false;
  let frames = 0;

  // textContent everywhere: what a learner types is shown, never run.
  function write() {
    for (const [element, name] of [[error, "error"], [sentence, "sentence"], [caption, "caption"]]) {
      const text = model.get(name);
      if (element.textContent !== text) element.textContent = text;
      element.hidden = text === "";
    }
    el.classList.toggle("nb-lecture", model.get("lecture"));
    plot.setAttribute("aria-label", model.get("sentence"));
  }

  async function draw() {
    const figure = model.get("figure");
    plot.hidden = !figure.data;
    if (!figure.data) return;
    try {
      const library = await plotly();
      if (gone) return;
      const { data, layout } = unpack(model.get("figure"));
      await library.react(plot, data, { ...layout, width: plot.clientWidth || undefined }, CONFIG);
      plot.dataset.frames = ++frames;
    } catch (problem) {
      error.textContent = problem.message;
      error.hidden = false;
    }
  }

  // Ten changes before the next animation frame are one drawing, of the last state.
  function update() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      write();
      draw();
    });
  }

  const names = ["figure", "sentence", "caption", "error", "lecture"];
  for (const name of names) model.on(`change:${name}`, update);
  const resized = new ResizeObserver(() => plot.clientWidth !== plot._fullLayout?.width && update());
  resized.observe(el);
  write();
  draw();
  return () => {
    gone = true;
    resized.disconnect();
    for (const name of names) model.off(`change:${name}`, update);
    globalThis.Plotly?.purge(plot);
  };
}

export default { render };
