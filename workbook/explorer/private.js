// What the page uses of JupyterLab, ipywidgets and anywidget that these do not promise to keep. It stands nowhere else;
// tests/browser/test_private.py says what breaks where one of them changes.

// ipywidgets' elements, by the names of their classes.
const WIDGET = {
  slider: ".widget-slider",
  handle: "[role=slider]",
  readout: ".widget-readout",
  label: ".widget-label",
};
const CELL = ".jp-Cell"; // of JupyterLab: takes the focus

// JupyterLab's command mode takes the keys from an element without this: "d d" deletes the cell, arrows leave a control.
const keepKeys = (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true");

// Whether a widget of ipywidgets chooses from a list, so that its index counts, and not its value.
const isSelection = (widget) => widget.get("_options_labels") !== undefined;

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
