"""What the page of a lecture knows of its scenes, and its files, on the site and from `run.py present`."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from string import Template

from workbook.lectures import Lecture, Scene, find, known
from workbook.site.packs.catalog import Catalog
from workbook.site.packs.starts import starts
from workbook.site.player.questions import write_call
from workbook.site.player.script import parts, site_script, site_style

__all__ = ["LETTERS", "catalog", "page", "record", "script", "sheet", "write", "write_page"]

LETTERS = "ABCDEFGHIJ"
PAGE = Path(__file__).parent / "page"
LAST = "lecture.js"  # it runs; the others define


def record(lecture: Lecture, **more: object) -> str:
    """Return the script that hands a lecture to its page. more: what a server adds."""
    scenes = [(_vote if scene.vote else _room if scene.room else _explorer)(scene) for scene in lecture.scenes]
    return write_call("lecture", dict(title=lecture.title, scenes=scenes) | more)


def _vote(scene: Scene) -> dict:
    """Return a question with what the room will answer, and, for the lecturer alone, the right answer."""
    item, right = scene.question, scene.question.right_option()
    options = {option: f"{letter} “{option}”" for letter, option in zip(LETTERS, item.options, strict=False)}
    asked = [part for part in re.split(r"(?<=[.:?]) (?=[A-Z(])", item.question) if part.endswith("?")][-1]
    expect = scene.expect or f"Expect {', '.join(words for option, words in options.items() if option != right)}."
    about = dict(minutes=scene.minutes, vote=item.key, title=asked, say=scene.say, expect=expect)
    return about | {"answer": f"{options[right]}. {item.reason(item.truth())}"}


def _room(scene: Scene) -> dict:
    """Return a figure of the room: what its phones are asked, and between what they choose."""
    figure, about = scene.figure, dict(minutes=scene.minutes, say=scene.say, expect=scene.expect, room=scene.room)
    return about | dict(title=figure.title, question=figure.question, fields=list(figure.fields.values()))


def _explorer(scene: Scene) -> dict:
    """Return an explorer's scene; place: of each control the index of its value."""
    presets, declared, found = scene.kind.presets, scene.kind.declared, scene.find_state()
    say = scene.say or (presets[scene.preset].caption if scene.preset else "")
    said = ", ".join(f"{declared[name].label} {declared[name].say(found[name])}" for name in scene.state)
    title = f"{scene.explorer.removesuffix('Explorer')}: {scene.preset or said or 'as it starts'}"
    about = dict(minutes=scene.minutes, explorer=scene.explorer, title=title, say=say, expect=scene.expect)
    return about | {"place": catalog(scene.explorer, scene.kind).place(found)}


@lru_cache(maxsize=64)
def catalog(name: str, kind: type) -> Catalog:
    """Return an explorer with all values of its controls, as its pack on the site has them."""
    return Catalog(kind, starts().get(name, {}))


def page(title: str, order: str) -> str:
    """Return the page that shows a lecture; order: the one it shows if its address names none."""
    text = (PAGE / "lecture.html").read_text("utf-8")
    return Template(text).substitute(title=html.escape(title), order=html.escape(order))


def script() -> str:
    """Return the page's script: the site's own, but for what it does when a page of the book opens."""
    own = {path.name: path.read_text("utf-8") for path in sorted(PAGE.glob("*.js"), key=lambda path: path.name == LAST)}
    shared = {name: text for name, text in parts().items() if name != "start.js"}
    return site_script(shared | own)


def sheet() -> str:
    """Return the page's style sheet."""
    return "\n".join([site_style(), (PAGE / "lecture.css").read_text("utf-8")])


def write(folder: Path, say: Callable[[str], None] = print) -> None:
    """Write the page of all lectures to the site, and the scenes of each in `lectures`."""
    write_page(folder)
    (folder / "lectures").mkdir()
    for name in known():
        (folder / "lectures" / f"{name}.js").write_text(record(find(name)), "utf-8")
    say(f"{len(known())} lectures")


def write_page(folder: Path) -> None:
    """Write `lecture.html` with its script and style."""
    (folder / "lecture.html").write_text(page("Lecture", "45"), "utf-8")
    (folder / "_static" / "lecture.js").write_text(script(), "utf-8")
    (folder / "_static" / "lecture.css").write_text(sheet(), "utf-8")
