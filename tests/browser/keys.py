"""A reader without a mouse: keys alone, and at every step the focus is somewhere one can see."""

# What has the focus: what it is, what it says, where it stands. `at`: a number of its own, in the order of first sight.
STOP = """() => {
  const e = document.activeElement;
  const all = (globalThis.stops ??= []);
  if (!all.includes(e)) all.push(e);
  e.reached = true;
  const kinds = { slider: "[role=slider], input[type=range]", figure: "[role=application]", term: ".nb-term",
    readout: ".widget-readout", cell: ".jp-Cell" };
  const known = Object.keys(kinds).find((name) => e.matches(kinds[name]));
  const kind = known ?? (e.localName === "input" ? e.type : e.localName);
  const name = (e.getAttribute("aria-label") || e.textContent || e.labels?.[0]?.textContent || "").trim();
  const place = e.getBoundingClientRect();
  return { at: all.indexOf(e), kind, name,
    lost: !e || e === document.body || !e.checkVisibility() || !(place.width && place.height),
    ours: Boolean(e.closest(".nb-explorer, .nb-asked")),
    cell: [...document.querySelectorAll(".jp-Cell")].indexOf(e.closest(".jp-Cell")) };
}"""
# What of an element no key has reached; of a group of radio buttons one is enough.
UNREACHED = """box => [...box.querySelectorAll("button, input, select, [tabindex='0'], [contenteditable=true]")]
  .filter(e => e.checkVisibility() && !e.disabled && e.tabIndex >= 0 && !(e.type === "file"))
  .filter((e, _, all) => !e.reached && !(e.type === "radio" && all.some((o) => o.name === e.name && o.reached)))
  .map((e) => e.outerHTML.slice(0, 120))"""


class Keys:
    """Keys of one page; a focus that is lost, or that does not move by Tab, fails."""

    def __init__(self, page):
        self.page, self.stop = page, page.evaluate(STOP)

    def look(self) -> dict:
        self.stop = self.page.evaluate(STOP)
        assert not self.stop["lost"], f"the focus is lost: {self.stop}"
        return self.stop

    def press(self, *keys: str) -> dict:
        for key in keys:
            self.page.keyboard.press(key)
        return self.look()

    def tab(self, back: bool = False) -> dict:
        before = self.stop["at"]
        self.press("Shift+Tab" if back else "Tab")
        assert self.stop["at"] != before, f"Tab does not leave {self.stop}"
        return self.stop

    def tab_to(self, kind: str, name: str = "", back: bool = False, most: int = 60) -> dict:
        """Tab until something of this kind and name has the focus."""
        for _ in range(most):
            self.tab(back)
            if self.stop["kind"] == kind and name in self.stop["name"]:
                return self.stop
        raise AssertionError(f"Tab leads to no {kind} {name!r}")

    def replace(self, text: str) -> None:
        """Type over what stands in a field."""
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)
