"""Write the lectures for the site: a running order (what to ask, expect, press and say), and slides of it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from string import Template
from urllib.parse import quote

from workbook.explorer.formatting import say
from workbook.learning import contents
from workbook.lectures import Scene, scenes
from workbook.questions.exercises import Exercise
from workbook.questions.predictions import Prediction, cache_truth
from workbook.questions.room import LETTERS
from workbook.site.packs.starts import NOTEBOOKS

__all__ = ["running_order", "slides"]

ASKED = re.compile(r'^(?:predict|exercise)\("([^"]+)"\)$|^## (.+)$', re.M)
SLIDES = Path(__file__).parent / "templates" / "slides.html"


def running_order(length: int, pages: dict[str, str]) -> str:
    """Return the scenes of a lecture as an HTML table; pages: chapter ("02") -> page ("02_laplace_smoothing")."""
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("minute", "ask the room", "press, and say"))
    rows = "\n".join(_row(minute, scene, pages[scene.chapter]) for minute, scene in scenes(length))
    return f'<table class="nb-running"><thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table>'


def slides(length: int, pages: dict[str, str]) -> str:
    """Return a page of slides, each a link: to a question for the room, or to an explorer in its preset."""
    items = "\n".join(
        f'<li><a href="{html.escape(address)}"{said}>{minute} · {html.escape(title)}</a></li>'
        for minute, scene in scenes(length)
        for title, address, said in _list_slides(scene, pages[scene.chapter])
    )
    return Template(SLIDES.read_text("utf-8")).substitute(length=length, items=items)


def _list_slides(scene: Scene, page: str) -> Iterator[tuple[str, str, str]]:
    """Yield (title, address, attribute) of each slide of a scene; attribute: data-say, with what to say, or ""."""
    if scene.question:
        yield f"The room votes: {_last_question(scene.question)}", f"{page}.html?slide&room={scene.ask}", ""
    address = f"{page}.html?slide&embed={_id(scene)}#{_id(scene)}?preset={quote(scene.preset)}"
    yield scene.preset, address, f' data-say="{html.escape(scene.say)}"'


# --- a scene as a row ------------------------------------------------------------------------------------------------


def _row(minute: int, scene: Scene, page: str) -> str:
    """Return the table row of one scene: the question, then the preset."""
    press = f"{page}.html?lecture#{_id(scene)}?preset={quote(scene.preset)}"
    asked = _question(scene.question, page) if scene.question else "<p>No vote here.</p>"
    shown = f'<p><a href="{press}">{html.escape(scene.preset)}</a>, chapter {scene.chapter}</p>'
    shown += f"<p><q>{html.escape(scene.say)}</q></p>"
    return f'<tr><th scope="row">{minute}</th><td>{asked}</td><td>{shown}</td></tr>'


def _question(item: Prediction, page: str) -> str:
    """Return a question with the wrong answers to expect and, fold, the right one and slips of exercises."""
    item = cache_truth(item)
    right = item.right_option()
    options = [(option == right, f"{letter} “{option}”") for letter, option in zip(LETTERS, item.options, strict=False)]
    wrong = html.escape(", ".join(words for is_right, words in options if not is_right))
    (answer,) = (html.escape(words) for is_right, words in options if is_right)
    link = f'<a href="{page}.html?room={item.key}">{html.escape(_last_question(item))}</a>'
    fold = f"<p>Right: {answer}. {html.escape(item.reason(item.truth()))}</p>"
    fold += "".join(map(_slips, _exercises_beside(item.key)))
    return f"<p>{link}</p><p>Expect {wrong}.</p><details><summary>The answer, and other slips</summary>{fold}</details>"


def _slips(item: Exercise) -> str:
    """Return the mistakes that an exercise recognises, with their hints, as HTML."""
    known = "".join(f"<li>{_mistake_number(item, slip)}{html.escape(slip.hint)}</li>" for slip in item.mistakes)
    return f"<p>Exercise {item.key}: {html.escape(item.task)}</p><ul>{known}</ul>"


def _mistake_number(item: Exercise, slip) -> str:
    """Return the number that a mistake gives; nothing where the answer is a function."""
    return "" if item.evaluate else f"<b>{say(item.number(slip.answer))}</b> "


def _last_question(item: Prediction) -> str:
    """Return the last sentence of a question that ends with a question mark."""
    sentences = re.split(r"(?<=[.:?]) (?=[A-Z(])", item.question)
    return [sentence for sentence in sentences if sentence.endswith("?")][-1]


def _id(scene: Scene) -> str:
    return f"{scene.chapter}.{scene.explorer.removesuffix('Explorer').lower()}"


def _exercises_beside(key: str) -> list[Exercise]:
    """List the exercises in the section of the page that has the question."""
    chapter = key.partition("/")[0]
    items, section = contents(chapter), next(keys for keys in _sections(chapter) if key in keys)
    return [items[other] for other in section if isinstance(items[other], Exercise)]


@lru_cache(maxsize=16)
def _sections(chapter: str) -> list[list[str]]:
    """List the keys of the questions in each section of a chapter's notebook; what opens it is of the first."""
    (path,) = NOTEBOOKS.glob(f"{chapter}_*.ipynb")
    opening, found = [], []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        for key, heading in ASKED.findall("".join(cell["source"])):
            if heading:
                found.append([] if found else opening)
            else:
                (found[-1] if found else opening).append(key)
    return found
