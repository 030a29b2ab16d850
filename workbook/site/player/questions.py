"""Encode predictions and exercises for the site: truths, rules and verdicts are computed here, by the same objects.

What would answer a question is packed as base64. That hides it from a glance at the page's source, and from no more.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Collection
from dataclasses import asdict
from pathlib import Path

from workbook.chapters import chapter_packages
from workbook.draw import as_text
from workbook.learning import contents, pages
from workbook.questions.drawn import Drawn, Sketch
from workbook.questions.exercises import Exercise
from workbook.questions.predictions import Prediction, cache_truth

__all__ = ["listed", "record_of", "records", "write", "write_call"]

PUT = 50  # of 100: where the template of a drawing has the reader's heights


def records(chapter: str, keys: Collection[str] | None = None) -> dict[str, dict]:
    """Return key -> record of each prediction and exercise of a chapter ("02"), or of those with these keys."""
    return {key: record_of(item) for key, item in contents(chapter).items() if keys is None or key in keys}


def record_of(item: Prediction | Exercise) -> dict:
    """Return what the page must know of one question."""
    hidden = _exercise(item) if isinstance(item, Exercise) else _prediction(item)
    sketch = {"sketch": _sketch(item.drawn)} if getattr(item, "drawn", None) else {}
    return item.page_record() | sketch | {"hidden": _encode_hidden(hidden)}


def _exercise(item: Exercise) -> dict:
    """Return what is said to which answer, and the solution; of a task in code also its hints."""
    hidden = dict(help=item.help, solution=item.worked())
    if item.evaluate:
        return hidden | dict(hints=[mistake.hint for mistake in item.mistakes])
    rules = [asdict(rule) | {"answer": item.number(rule.answer)} for rule in item.rules()]
    return hidden | dict(rules=rules, otherwise=item.otherwise, tolerance=item.tolerance)


def _prediction(item: Prediction) -> dict:
    """Return the verdict of each option, or what makes one of a number or a drawing."""
    item = cache_truth(item)  # every verdict asks for the truth
    skipped, _ = item.judge(None)
    if item.options:
        verdicts = {option: item.judge(option)[0] for option in item.options}
        return dict(skipped=skipped, verdicts=verdicts, right=item.right_option())
    truth = item.truth()
    if item.drawn:
        shown = _frame(item.drawn.sketch(), revealed=True)
        return dict(skipped=skipped, reason=item.reason(truth), computed=item.drawn.computed(), shown=shown)
    return dict(skipped=skipped, truth=float(truth), within=item.within)


def _sketch(drawn: Drawn) -> dict:
    """Return the figure to draw in as a template: the page puts the reader's heights in the place of ours."""
    labels = drawn.labels()[drawn.given :]
    return dict(labels=labels, before=int(bool(drawn.x and drawn.given)), open=_frame(drawn.sketch(), revealed=False))


def _frame(sketch: Sketch, revealed: bool) -> dict:
    return as_text(sketch._frame_at([int(revealed), *[PUT] * (len(sketch.declared) - 1)]))


def _encode_hidden(hidden: dict) -> str:
    return b64encode(json.dumps(hidden, ensure_ascii=False, allow_nan=False).encode()).decode()


def listed(items: dict[str, Prediction | Exercise]) -> list[list[str]]:
    """Return the keys of predictions, of exercises, and of the exercises that need a notebook."""
    exercises = {key: item for key, item in items.items() if isinstance(item, Exercise)}
    code = [key for key, item in exercises.items() if item.evaluate]
    return [[key for key in items if key not in exercises], list(exercises), code]


def write_call(name: str, *values: object) -> str:
    """Return the script that hands values to the page's function NB.name."""
    texts = (json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")) for value in values)
    return f"NB.{name}({','.join(texts)});\n"


def write(folder: Path, say: Callable = print, chapters: Collection[str] | None = None) -> None:
    """Write `questions/NN.js` of every chapter with questions, or of these, and their keys in `contents.js`."""
    place = Path(folder) / "questions"
    place.mkdir(parents=True, exist_ok=True)
    keys = {}
    for chapter in chapter_packages():
        items = contents(chapter)
        keys |= {page: listed(own) for page, own in pages(chapter).items()}
        if items and (chapters is None or chapter in chapters):
            (place / f"{chapter}.js").write_text(found := write_call("questions", records(chapter)), "utf-8")
            say(f"questions of chapter {chapter}: {len(items)}, {len(found) / 1000:.0f} kB")
    (place / "contents.js").write_text(write_call("contents", keys), "utf-8")
