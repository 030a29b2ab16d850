// The page's side of an explorer: draws the frames of the kernel, at most one per animation frame. Joined behind the files
// of `draw/`.

const STEPS = "change:value change:index"; // of a control's widget
const SHEET = 680; // px, how wide a figure is on paper at most
const CONFIG = { displayModeBar: true, displaylogo: false, responsive: false };

// Binary buffers reach us as DataView; plotly.js reads ArrayBuffer.
function unpack(value) {
  if (value instanceof DataView) return value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);
  if (Array.isArray(value)) return value.map(unpack);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));
}

// Wait for plotly.js, which a widget of its own loads once per page on request.
async function plotly(late, gone) {
  for (let waited = 0; !globalThis.Plotly && !gone(); waited += 25) {
    if (waited === 60000) late("The drawing library has not arrived. If nothing follows, run the cells again from the top.");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return globalThis.Plotly;
}

// name -> a control as grips need it: {label, values, say, now, show}. `show` moves its widget on this page at once.
async function controlsOf(model) {
  const found = new Map();
  for (const [name, options] of Object.entries(model.get("controls"))) {
    const widget = await model.widget_manager.get_model(options.model);
    const selects = isSelection(widget);
    const show = (value) => (selects ? widget.set("index", options.values.indexOf(value)) : widget.set("value", value));
    const now = () => (selects ? options.values[widget.get("index")] : widget.get("value"));
    const say = (value) => options.said[options.values.indexOf(value)] ?? String(value);
    found.set(name, { ...options, widget, show, now, say });
  }
  return found;
}

// Put a text in place of what is selected.
function typeIn(text) {
  const range = getSelection().getRangeAt(0);
  range.deleteContents();
  range.insertNode(document.createTextNode(text));
  range.collapse();
}

function part(parent, className, attributes = {}, tag = "div") {
  const element = document.createElement(tag);
  element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}

// Make ipywidgets' controls fit for the keyboard and for screen readers, those that come later too; return what undoes it.
function makeOperable(box, controls) {
  const observers = [];
  const known = new WeakSet();
  function slider(element) {
    const [handle, readout] = [element.querySelector(WIDGET.handle), element.querySelector(WIDGET.readout)];
    if (!handle || !readout || known.has(handle)) return;
    known.add(handle);
    const copyReadout = () => {
      if (handle.getAttribute("aria-valuetext") !== readout.textContent)
        handle.setAttribute("aria-valuetext", readout.textContent);
    };
    const label = element.querySelector(WIDGET.label)?.textContent ?? "";
    handle.setAttribute("aria-label", label);
    // A grid of values has no number to type: its readout only shows, in room for the widest of them (see view.css).
    if (element.closest(".nb-grid")) readout.removeAttribute("contenteditable");
    readout.dataset.values = controls.find((control) => control.label === label)?.said.join("\n") ?? "";
    const observer = new MutationObserver(copyReadout);
    observer.observe(readout, { childList: true, characterData: true, subtree: true });
    observer.observe(handle, { attributes: true, attributeFilter: ["aria-valuetext"] });
    observers.push(observer);
    copyReadout();
    // A decimal comma is a point.
    readout.addEventListener("beforeinput", (event) => {
      if (!event.data?.includes(",")) return;
      event.preventDefault();
      typeIn(event.data.replaceAll(",", "."));
    });
  }
  function tend() {
    // Not the figures: their drawings change with every frame, and hold no control. An explorer tends its own.
    for (const child of box.children)
      if (!child.matches(".nb-view, .nb-explorer")) grown.observe(child, { childList: true, subtree: true });
    box.querySelectorAll(WIDGET.slider).forEach(slider);
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
  const error = part(el, "nb-error");
  const head = part(el, "nb-head");
  const [finding, number] = ["nb-finding", "nb-one-number"].map((name) => part(head, name));
  const [large, unit] = ["strong", "span"].map((tag) => part(number, "", {}, tag));
  const plot = part(el, "nb-figure", { role: "figure" });
  const big = part(el, "nb-plotly");
  const waiting = part(el, "nb-fitting");
  const words = part(waiting, "", {}, "span");
  const bar = part(waiting, "", {}, "progress");
  const row = part(el, "nb-row");
  const formula = part(row, "nb-formula");
  const ways = part(row, "nb-ways");
  const opener = part(ways, "nb-open-numbers", { type: "button" }, "button");
  const zoom = part(ways, "nb-zoom", { type: "button" }, "button");
  const turner = part(el, "nb-turn", { type: "button", "aria-pressed": "false" }, "button");
  const said = part(el, "nb-said");
  const sentence = part(said, "nb-sentence");
  const [titled, rest] = [["nb-unseen", { "aria-hidden": "true" }], ["", {}]].map((given) => part(sentence, ...given, "span"));
  const caption = part(said, "nb-caption");
  const numbers = attachNumbers(opener, part(el, "nb-numbers"), () => frames.shown("figure"), model.get("coarse"));
  let turn = "free";
  let stale = false;
  let news = true;
  let gone = false;
  let drawn = 0;
  let moves = 0;
  let restore = null;
  let undo = null;
  let announced = null;
  const frames = framesAhead(model, () => host.controls);
  const host = { controls: new Map(), move, released: redraw };

  // textContent everywhere: what a learner types is shown, never run.
  function write() {
    const { finding: title = "", number: [value, noun] = ["", ""] } = frames.shown("figure").layout?.meta?.head ?? {};
    const [words, begins] = [frames.shown("sentence"), title ? title.length + 2 : 0]; // the title, ". " and the rest
    const texts = [[error, frames.shown("error")], [titled, words.slice(0, begins)], [rest, words.slice(begins)], [caption, frames.shown("caption")]];
    for (const [element, text] of [...texts, [finding, title.replaceAll(" : ", "\u00a0:\u00a0").replaceAll(" %", "\u00a0%")], [large, value], [unit, noun]])
      if (element.textContent !== text) element.textContent = text;
    [error.hidden, head.hidden, titled.hidden] = [error.textContent === "", !title, !title];
    drawFormula(formula, frames.shown("formula"));
    turner.hidden = formula.textContent === "";
    plot.classList.toggle("nb-stale", !error.hidden);
    plot.setAttribute("aria-label", frames.shown("sentence"));
    announceChange();
  }

  // Announce the error, the wait, or else the sentence and caption, if they have changed.
  function announceChange(again = false) {
    const lines = [model.get("note"), sentence.textContent, caption.textContent].filter(Boolean).join(" ");
    const words = error.textContent || model.get("fitting") || lines;
    if (announced !== null && (again || words !== announced)) announce(el, words, model.get("said") > 0);
    announced = words;
  }

  // Show the progress of slow work over the present figure.
  function wait() {
    const text = model.get("fitting");
    if (words.textContent !== text) words.textContent = text;
    bar.hidden = text === "";
    bar.value = model.get("share");
    plot.classList.toggle("nb-waiting", text !== "");
    announceChange();
  }

  // After a drag set the widgets on this page at once, and send all their values to the kernel in one message.
  function move(values) {
    for (const [name, value] of Object.entries(values)) host.controls.get(name).show(value);
    model.set("moved", { values, count: ++moves });
    model.save_changes();
  }

  function redraw() {
    const figure = frames.shown("figure");
    row.hidden = plot.hidden = !figure.data;
    if (plot.hidden || gone || !el.clientWidth) return;
    numbers.drawn();
    try {
      const own = canDraw(figure);
      if (own) {
        draw(plot, figure, el.clientWidth);
        undo ??= [attachDetails(plot), linkFormula(plot, formula)];
        showHandles(plot, host);
      } else if (!model.get("plotly")) openPlotly(true);
      plot.hidden = zoom.hidden = !own;
      plot.dataset.width = el.clientWidth;
      plot.style.setProperty("--nb-print", Math.min(1, SHEET / el.clientWidth));
      plot.dataset.frames = ++drawn;
      if (!model.get("error")) complain("");
    } catch (problem) {
      complain(problem.message);
    }
  }

  // Draw the figure with plotly.js, for zooming and reading off values.
  async function showPlotly() {
    const open = model.get("plotly");
    zoom.textContent = open ? "Close plotly" : "Open in plotly";
    zoom.setAttribute("aria-pressed", open);
    big.hidden = !open;
    if (!open || !model.get("plain").data) return;
    try {
      const library = await plotly(complain, () => gone);
      if (gone || !el.clientWidth || !model.get("plotly")) return;
      const { data, layout } = unpack(model.get("plain"));
      const shown = { ...layout, width: Math.max(el.clientWidth, 640), dragmode: "zoom" };
      await library.react(big, data, shown, CONFIG);
      big.dataset.frames = Number(big.dataset.frames ?? 0) + 1;
    } catch (problem) {
      complain(problem.message);
    }
  }

  function openPlotly(open) {
    model.set("plotly", open);
    model.save_changes();
    showPlotly();
  }

  function complain(words) {
    error.textContent = words;
    error.hidden = words === "";
    announceChange();
  }

  // All changes of one message are drawn together and at once. What comes before the next animation frame waits for
  // it, and only its last state is drawn.
  function update(own = false) {
    plot.ariaBusy = "true";
    news ||= own;
    if (turn === "drawn") stale = true;
    if (turn !== "free") return;
    turn = "taken";
    queueMicrotask(() => {
      news = frames.arrived() || news;
      write();
      if (news) redraw();
      news = false;
      turn = "drawn";
      requestAnimationFrame(() => {
        turn = "free";
        if (stale) update();
        stale = false;
        if (turn === "free") plot.ariaBusy = "false";
      });
    });
  }

  // Announce a text even if it has not changed, e.g. the same hint to a second wrong answer.
  function repeat() {
    write();
    announceChange(true);
  }

  async function meetControls() {
    for (const { widget } of host.controls.values()) widget.off(STEPS, stepped);
    host.controls = await controlsOf(model);
    for (const { widget } of host.controls.values()) if (!gone) widget.on(STEPS, stepped);
    if (!gone) redraw();
  }

  // Draw the frame of a control's new value if it is in the cache.
  function stepped() {
    if (frames.moved()) update(true);
  }

  const heard = { said: repeat, fitting: wait, share: wait, plain: showPlotly, plotly: showPlotly, controls: meetControls };
  for (const name of ["figure", "sentence", "caption", "error", "formula", "note"]) heard[name] = () => update();
  for (const [name, hears] of Object.entries(heard)) model.on(`change:${name}`, hears);
  turner.textContent = "Equation";
  turner.addEventListener("click", () => turner.setAttribute("aria-pressed", el.classList.toggle("nb-equation")));
  zoom.addEventListener("click", () => openPlotly(!model.get("plotly")));
  const resized = new ResizeObserver(() => {
    const box = el.closest(".nb-explorer, .nb-asked");
    if (box && !restore)
      restore = [makeOperable(box, Object.values(model.get("controls"))), keepFocus(box), leaveByEscape(box), watchFocus(box, () => host.controls, frames.focus)];
    if (el.clientWidth && el.clientWidth !== Number(plot.dataset.width)) update(true);
  });
  resized.observe(el);
  // A map's pixels do not follow the theme. JupyterLab hides its page for it: then it is drawn when that has a width again.
  const recoloured = new MutationObserver(() => (update(true), requestAnimationFrame(() => (delete plot.dataset.width, update(true)))));
  recoloured.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  hear(model);
  write();
  wait();
  redraw();
  showPlotly();
  meetControls();
  return () => {
    gone = true;
    restore?.forEach((each) => each());
    undo?.forEach((each) => each());
    resized.disconnect();
    recoloured.disconnect();
    frames.stop();
    numbers.stop();
    for (const { widget } of host.controls.values()) widget.off(STEPS, stepped);
    for (const [name, hears] of Object.entries(heard)) model.off(`change:${name}`, hears);
    globalThis.Plotly?.purge(big);
  };
}
