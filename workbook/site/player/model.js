// What the notebook's widgets are to `render`, without a kernel: values by name, and who hears of their changes.

// A thing with values. `on` takes one or several names, "change:figure change:sentence".
function thing(values, own = {}) {
  const heard = new Map();
  const each = (names, act) => names.split(" ").forEach(act);
  return {
    get: (name) => values[name],
    set(name, value) {
      values[name] = value;
      for (const hears of [...(heard.get(`change:${name}`) ?? [])]) hears();
    },
    on: (names, hears) => each(names, (name) => heard.set(name, [...(heard.get(name) ?? []), hears])),
    off: (names, hears) => each(names, (name) => heard.set(name, (heard.get(name) ?? []).filter((one) => one !== hears))),
    save_changes() {},
    send() {},
    ...own,
  };
}

// A view's model. widgets: name -> the thing that stands for a control's widget; told: name -> what a grip must know of it.
function viewModel(widgets, told, lecture) {
  const nothing = { figure: {}, formula: [], sentence: "", caption: "", error: "", note: "", fitting: "", share: 0, said: 0, moved: {}, at: [] };
  const values = { ...nothing, focused: "", plotly: false, plain: {}, lecture, name: "", controls: told, coarse: true };
  const self = { _handle_comm_msg: async () => {} };
  return thing(values, { widget_manager: { get_model: async (name) => widgets.get(name) ?? self } });
}
