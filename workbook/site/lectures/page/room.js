// A figure of the room's own data: phones say something of themselves; the server counts, leaves small cells out and draws.

async function roomScene({ room, title, question, fields }, server) {
  let heard = await server.tell({ act: "figure", room });
  const state = { open: false, watch: 0 };
  const shown = explorerScene({ title, controls: [], presets: [], frame: () => heard.frame }, []);
  const file = made("input", { type: "file", accept: ".json", hidden: true, "aria-label": "A saved room" });
  const arrived = made("p", { class: "nb-arrived" });
  const aside = made("aside", { hidden: true }, ...(server.url ? codeOf(server) : []), made("p", { class: "nb-arrived" }, question), arrived);
  const acts = { ...(server.url && fields.length && { v: button("", ask) }), s: button("Save the counts", save), o: button("Open a file", () => file.click()) };
  const trouble = made("p", { class: "nb-trouble", role: "alert", hidden: true });
  const keys = made("div", { class: "nb-keys" }, ...Object.entries(acts).map(([key, each]) => made("span", {}, made("kbd", {}, key.toUpperCase()), each)), file, trouble);
  const element = made("div", { class: "nb-vote" }, shown.element, aside, keys);

  async function look(news = {}) {
    try {
      heard = await server.tell({ act: "figure", room, ...news });
      shown.refresh();
      trouble.hidden = true;
    } catch (problem) {
      trouble.textContent = problem.message;
      trouble.hidden = false;
    }
    show();
  }
  async function ask() {
    state.open = !state.open;
    clearInterval(state.watch);
    await server.tell(state.open ? { act: "put", question, fields, turn: -1 } : { act: "close", question, turn: -1 });
    if (state.open) state.watch = setInterval(look, 500);
    look();
  }
  function save() {
    const text = JSON.stringify({ room, cells: heard.cells });
    made("a", { href: `data:application/json,${encodeURIComponent(text)}`, download: `room-${room}.json` }).click();
    acts.s.textContent = `Saved: room-${room}.json`;
    show();
  }
  file.addEventListener("change", async () => {
    const text = await file.files[0].text();
    file.value = "";
    look({ file: text });
  });
  function show() {
    aside.hidden = !server.url || !fields.length;
    if (acts.v) acts.v.textContent = state.open ? "Close" : "Ask the phones";
    arrived.textContent = `${heard.voted} phones have answered`;
    element.dispatchEvent(new Event("nb-changed", { bubbles: true }));
  }
  function pressed(key, repeated) {
    if (acts[key] && !repeated) acts[key].click();
    return Boolean(acts[key]);
  }
  function come() {
    shown.come();
    if (!state.open) look();
  }
  const leave = () => state.open && ask();
  show();
  return { element, pressed, come, leave, press: () => Object.entries(acts).map(([key, each]) => `${key.toUpperCase()} ${each.textContent}`).join(" · ") };
}
