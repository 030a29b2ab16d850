"""A small site for the tests of what a reader touches: real frames of real explorers in packs of the simplest kind."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

from workbook import explorers
from workbook.draw import as_text
from workbook.explorer import controls
from workbook.learning import contents
from workbook.site.player import questions
from workbook.site.player.questions import record_of
from workbook.site.player.script import parts, site_script, site_style

# The interface of the real one; a frame is JSON.
PACKS = """
const toys = new Map();
const receivePack = (name, text) => toys.set(name, text);
async function openPack(name, base) {
  await loadScript(`${base}${name}.js`);
  const { frames, ...pack } = unpacked(toys.get(name));
  return { ...pack, frame: (place) => frames[JSON.stringify(place)] ?? null };
}
"""
KINDS = {controls.Text: "text", controls.Steps: "grid"}


class Toy:
    """A pack of an explorer: every control by itself from the default, every preset, and the states named."""

    def __init__(self, name: str, starts: dict[str, dict], more: tuple[dict, ...] = ()):
        kind = getattr(explorers, name)
        self.name, self.explorer = name, kind()
        defaults = self.explorer.state
        self.states = [*({**defaults, **preset} for preset in kind.presets.values())]
        self.states += [{**defaults, **state} for state in (*starts.values(), *more)]
        self.starts, self.presets = starts, kind.presets
        self.values = {
            name: list(control.values or dict.fromkeys([control.default, *(state[name] for state in self.states)]))
            for name, control in kind.declared.items()
        }
        for name, values in self.values.items():
            self.states += [defaults | {name: value} for value in values]
        self.frames = {tuple(self.place(state)): None for state in [defaults, *self.states]}

    def place(self, state: dict) -> list[int]:
        checked = {name: self.explorer.declared[name].check(value) for name, value in state.items()}
        return [self.values[name].index(checked[name]) for name in self.values]

    def state(self, place) -> dict:
        return {name: values[index] for (name, values), index in zip(self.values.items(), place, strict=True)}

    def frame(self, place) -> dict:
        """As the kernel would send it, arrays as text."""
        return as_text(type(self.explorer)()._frame_at(self.explorer._place(self.state(place))))

    def controls(self) -> list[dict]:
        return [
            dict(name=name, label=control.label, kind=KINDS.get(type(control), "slider"), values=self.values[name],
                 said=[control.say(value) for value in self.values[name]],
                 default=self.values[name].index(control.default))
            for name, control in self.explorer.declared.items()
        ]  # fmt: skip

    def text(self) -> str:
        defaults = {name: control.default for name, control in self.explorer.declared.items()}
        presets = [dict(name=name, caption=one.caption, after=one.after, place=self.place(defaults | dict(one)))
                   for name, one in self.presets.items()]  # fmt: skip
        pack = dict(
            title=self.name, controls=self.controls(), presets=presets,
            starts={id: self.place(defaults | state) for id, state in self.starts.items()},
            frames={json.dumps(place, separators=(",", ":")): self.frame(place) for place in self.frames},
        )  # fmt: skip
        return f'NB.pack("{self.name}", "{b64encode(json.dumps(pack).encode()).decode()}");'


def live(toy: Toy) -> str:
    """Where an explorer stands, once for each state in which it starts."""
    picture = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    saved = f"<figure><img alt='saved' src='{picture}'><figcaption>saved</figcaption></figure>"
    place = '<div class="nb-live" data-explorer="{0}" data-start="{1}" id="{1}">{2}</div>'
    return "".join(
        f'<section><h2>About {toy.name}<a class="headerlink">#</a></h2>'
        f"<section><h3>Explore</h3><p>Before.</p>"
        f"{place.format(toy.name, id, saved)}</section></section>"
        for id in toy.starts
    )


def question(key: str) -> str:
    return f'<section><h2>Asked</h2><div class="nb-live" data-question="{key}"><p>plain</p></div></section>'


def write(folder: Path, toys: list[Toy], keys: list[str], body: str | None = None, packs: str = PACKS) -> Path:
    """The site; body: of its one page, by default all of the explorers and the questions."""
    for name in ("_static", "packs", "questions"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "_static" / "nb.js").write_text(site_script(parts() | {"packs.js": packs}), "utf-8")
    (folder / "_static" / "nb.css").write_text(site_style(), "utf-8")
    for toy in toys:
        (folder / "packs" / f"{toy.name}.js").write_text(toy.text(), "utf-8")
    for chapter in {key[:2] for key in keys}:
        found = {key: record_of(contents(chapter)[key]) for key in keys if key[:2] == chapter}
        (folder / "questions" / f"{chapter}.js").write_text(f"NB.questions({json.dumps(found)});", "utf-8")
    (folder / "questions" / "contents.js").write_text(f"NB.contents({json.dumps(listed(keys))});", "utf-8")
    body = "".join(map(live, toys)) + "".join(map(question, keys)) if body is None else body
    (folder / "page.html").write_text(PAGE.format(body=body), "utf-8")
    return folder / "page.html"


def listed(keys: list[str]) -> dict[str, list[list[str]]]:
    """Chapter -> its predictions, its exercises, those of them in code."""
    chapters = dict.fromkeys(key[:2] for key in keys)
    return {
        chapter: questions.listed({key: contents(chapter)[key] for key in keys if key[:2] == chapter})
        for chapter in chapters
    }


PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="_static/nb.css"><style>
body {{ margin: 0; font: 16px sans-serif; }} .side {{ display: none; }}
main {{ max-width: 880px; margin: auto; padding: 8px; }}
@media (min-width: 1000px) {{ .page {{ display: flex; }} .side {{ display: block; width: 200px; }} }}
body[data-theme="dark"] {{ background: #111; color: #eee; }}
@media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {{ background: #111; color: #eee; }} }}
</style>
<script>globalThis.NB_ROOT = "./";</script><script src="_static/nb.js"></script></head>
<body data-theme="auto" data-nb-binder="https://example.org/binder" data-nb-run="run.html">
<div class="page"><nav class="side">chrome</nav><main><section><h1>Page</h1>{body}</section>
<div class="nb-live" data-progress=""><p>plain</p></div></main></div></body></html>
"""
