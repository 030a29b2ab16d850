// The page's side of an explorer: draws what the kernel sends, and never more often than the screen can show.

const CONFIG = { displayModeBar: false, responsive: false, doubleClick: false };

// Binary buffers reach us as DataView; plotly.js reads ArrayBuffer.
function unpack(value) {
  if (value instanceof DataView) return value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);
  if (Array.isArray(value)) return value.map(unpack);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));
}

// plotly.js arrives through a widget of its own, once per page, perhaps after the first figure.
async function plotly(late, gone) {
  for (let waited = 0; !globalThis.Plotly && !gone(); waited += 25) {
    if (waited === 60000) late("The drawing library has not arrived. If nothing follows, run the cells again from the top.");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return globalThis.Plotly;
}

// anywidget gives a widget two seconds to start. On a busy machine it starts all the same, but no message of the kernel
// reaches it any more. Here they do, and what was missed is asked for.
async function hear(model) {
  const late = await model.widget_manager.get_model(model.get("name"));
  try {
    await late._handle_comm_msg({ content: { data: { method: "none" } } });
  } catch {
    const handle = Object.getPrototypeOf(late.constructor.prototype)._handle_comm_msg;
    late.comm?.on_msg((message) => handle.call(late, message));
    model.send({ missed: true });
  }
}

// The layout is made for a nominal width. On a narrower page all type shrinks with it, so that nothing overlaps.
function fitted(layout, width) {
  const scale = Math.min(1, width / layout.width);
  const shrink = (sizes) => Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, size * scale]));
  const axes = Object.entries(layout).filter(([name, axis]) => /^[xy]axis/.test(name) && axis.title?.font);
  const titles = axes.map(([name, axis]) => [name, { ...axis, title: { ...axis.title, font: shrink(axis.title.font) } }]);
  const font = { ...layout.font, size: layout.font.size * scale };
  return { ...layout, ...Object.fromEntries(titles), font, margin: shrink(layout.margin), width };
}

function part(parent, className, attributes = {}) {
  const element = document.createElement("div");
  element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}

// ipywidgets' controls, made fit for the keyboard and for screen readers, those that come later too. Returns what undoes
// it.
function makeOperable(box, name) {
  // JupyterLab's command mode would take the keys: "d d" deletes the cell, arrows leave the control.
  const keepKeys = (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true");
  const observers = [];
  const known = new WeakSet();
  let groups = 0;
  function slider(element) {
    const [handle, readout] = [element.querySelector("[role=slider]"), element.querySelector(".widget-readout")];
    if (!handle || !readout || known.has(handle)) return;
    known.add(handle);
    const speak = () => {
      if (handle.getAttribute("aria-valuetext") !== readout.textContent)
        handle.setAttribute("aria-valuetext", readout.textContent);
    };
    handle.setAttribute("aria-label", element.querySelector(".widget-label")?.textContent ?? "");
    // A grid of values has no number to type: its readout only shows.
    if (element.closest(".nb-grid")) readout.removeAttribute("contenteditable");
    const observer = new MutationObserver(speak);
    observer.observe(readout, { childList: true, characterData: true, subtree: true });
    observer.observe(handle, { attributes: true, attributeFilter: ["aria-valuetext"] });
    observers.push(observer);
    speak();
  }
  function radios(element) {
    element.setAttribute("role", "radiogroup");
    element.dataset.group ??= `${name}-${groups++}`;
    for (const radio of element.querySelectorAll("input")) radio.name = element.dataset.group;
  }
  function tend() {
    // Not the figures: their drawings change with every frame, and hold no control.
    for (const child of box.children)
      if (!child.matches(".nb-view")) grown.observe(child, { childList: true, subtree: true });
    box.querySelectorAll(".widget-slider").forEach(slider);
    box.querySelectorAll(".widget-radio-box").forEach(radios);
  }
  const grown = new MutationObserver(tend);
  grown.observe(box, { childList: true });
  box.addEventListener("focusin", keepKeys);
  tend();
  return () => {
    box.removeEventListener("focusin", keepKeys);
    for (const observer of [grown, ...observers]) observer.disconnect();
  };
}

function render({ model, el }) {
  el.classList.add("nb-view");
  const error = part(el, "nb-error", { role: "alert" });
  const plot = part(el, "nb-figure", { role: "img" });
  const waiting = part(el, "nb-fitting", { role: "status" });
  const words = document.createElement("span");
  const bar = document.createElement("progress");
  waiting.append(words, bar);
  const said = part(el, "nb-said", { "aria-live": "polite" });
  const sentence = part(said, "nb-sentence");
  const caption = part(said, "nb-caption");
  let turn = "free";
  let stale = false;
  let gone = false;
  let frames = 0;
  let restore = null;

  // textContent everywhere: what a learner types is shown, never run.
  function write() {
    for (const [element, name] of [[error, "error"], [sentence, "sentence"], [caption, "caption"]]) {
      const text = model.get(name);
      if (element.textContent !== text) element.textContent = text;
    }
    error.hidden = error.textContent === "";
    plot.classList.toggle("nb-stale", !error.hidden);
    el.classList.toggle("nb-lecture", model.get("lecture"));
    plot.setAttribute("aria-label", model.get("sentence"));
  }

  // A wait changes no figure: it is shown at once, over the one that stands there.
  function wait() {
    const text = model.get("fitting");
    if (words.textContent !== text) words.textContent = text;
    bar.hidden = text === "";
    bar.value = model.get("share");
    plot.classList.toggle("nb-waiting", text !== "");
  }

  async function draw() {
    const figure = model.get("figure");
    plot.hidden = !figure.data;
    if (!figure.data) return;
    try {
      const library = await plotly(complain, () => gone);
      if (gone || !plot.clientWidth) return;
      const { data, layout } = unpack(model.get("figure"));
      // After a change of width plotly.js would leave the legend where it was: start anew.
      if (plot._fullLayout && plot._fullLayout.width !== plot.clientWidth) library.purge(plot);
      await library.react(plot, data, fitted(layout, plot.clientWidth), CONFIG);
      plot.dataset.frames = ++frames;
      if (!model.get("error")) complain("");
    } catch (problem) {
      complain(problem.message);
    }
  }

  function complain(words) {
    error.textContent = words;
    error.hidden = words === "";
  }

  // All changes of one message are drawn together and at once. What comes before the next animation frame waits for
  // it, and only its last state is drawn.
  function update() {
    plot.ariaBusy = "true";
    if (turn === "drawn") stale = true;
    if (turn !== "free") return;
    turn = "taken";
    queueMicrotask(() => {
      write();
      const drawn = draw();
      turn = "drawn";
      requestAnimationFrame(async () => {
        turn = "free";
        if (stale) update();
        stale = false;
        await drawn;
        if (turn === "free") plot.ariaBusy = "false";
      });
    });
  }

  // The same words again, e.g. the same hint to a second wrong answer, are still news.
  function repeat() {
    sentence.textContent = "";
    update();
  }

  const names = ["figure", "sentence", "caption", "error", "lecture"];
  for (const name of names) model.on(`change:${name}`, update);
  model.on("change:said", repeat);
  model.on("change:fitting", wait);
  model.on("change:share", wait);
  const resized = new ResizeObserver(() => {
    const box = el.closest(".nb-explorer, .nb-asked");
    if (box && !restore) restore = makeOperable(box, model.get("name"));
    if (plot.clientWidth && plot.clientWidth !== plot._fullLayout?.width) update();
  });
  resized.observe(el);
  hear(model);
  write();
  wait();
  draw();
  return () => {
    gone = true;
    restore?.();
    resized.disconnect();
    for (const name of names) model.off(`change:${name}`, update);
    model.off("change:said", repeat);
    model.off("change:fitting", wait);
    model.off("change:share", wait);
    globalThis.Plotly?.purge(plot);
  };
}

export default { render };
