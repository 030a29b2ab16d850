// Models that stand for the notebook's widgets without a kernel: values by name, and listeners to their changes.

// Create a model with values. `on` takes one or several names, "change:figure change:sentence".
function widgetModel(values, own = {}) {
  const listeners = new Map();
  const each = (names, act) => names.split(" ").forEach(act);
  return {
    get: (name) => values[name],
    set(name, value) {
      values[name] = value;
      for (const listener of [...(listeners.get(`change:${name}`) ?? [])]) listener();
    },
    on: (names, listener) => each(names, (name) => listeners.set(name, [...(listeners.get(name) ?? []), listener])),
    off: (names, listener) => each(names, (name) => listeners.set(name, (listeners.get(name) ?? []).filter((one) => one !== listener))),
    save_changes() {},
    send() {},
    ...own,
  };
}

// Create a view's model. widgets: name -> a control's model; controls: name -> its label and values, for grips.
function viewModel(widgets, controls) {
  const nothing = { figure: {}, formula: [], sentence: "", caption: "", error: "", note: "", fitting: "", share: 0, said: 0, moved: {}, at: [] };
  const values = { ...nothing, focused: "", plotly: false, plain: {}, name: "", controls, coarse: true };
  const self = { _handle_comm_msg: async () => {} };
  return widgetModel(values, { widget_manager: { get_model: async (name) => widgets.get(name) ?? self } });
}
