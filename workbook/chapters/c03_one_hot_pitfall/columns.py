"""Chapter 03: the panel of one answer in several columns, shared by three explorers, and the students' eye colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nbcore.datasets import load_hair_eye_color
from workbook.explorer import marks
from workbook.explorer.formatting import written
from workbook.explorer.palette import BITS, BLACK, CATEGORICAL, GREY, Q_FACTOR
from workbook.explorer.theme import Panel

__all__ = ["EYES", "HAIRS", "THETA", "draw_columns", "write_odds"]

STUDENTS = load_hair_eye_color()
HAIRS, EYES = ([str(name).lower() for name in names] for names in STUDENTS.categories[:2])
COUNTS = np.array([[np.sum((STUDENTS.data[:, :2] == [hair, eye]).all(axis=1)) for eye in range(4)]
                   for hair in range(4)])  # fmt: skip
THETA = COUNTS / COUNTS.sum(axis=1, keepdims=True)  # (hair, eyes) P(eyes | hair)


def write_odds(log: float) -> str:
    """Return log odds as odds to 1 of the class that they favour: 9 : 1; whole numbers from 100 on."""
    ratio = np.exp(abs(log))
    return f"{f'{ratio:,.0f}' if ratio >= 100 else written(ratio)} : 1"


def draw_columns(names: Sequence[str], steps: Sequence[float], once: float, x: dict) -> Panel:
    """Draw what each column adds to the log odds, from where the last one ended, and below it all columns together.

    once: log odds of the value as a category, the rule through all rows. x: the axis of log odds.
    """
    first = CATEGORICAL if np.isclose(steps[0], once) else GREY
    ends, looks = np.cumsum(steps), [first, *[Q_FACTOR] * (len(steps) - 1), BITS]
    labels = ["", *["the zeros"] * (len(steps) - 1), "all columns"]
    rows = [*zip(ends - steps, steps, strict=True), (0.0, ends[-1])]
    bars, words = [], []
    for k, (begin, step) in enumerate(rows):
        said = f"{write_odds(step)}, so far {write_odds(begin + step)}"
        bars.append(marks.bars([step], [len(steps) - k], looks[k], base=[begin], horizontal=True, width=0.6,
                               name=labels[k], id=labels[k], hover=said))  # fmt: skip
        at, place = (min(0, step), "left") if 2 * begin + step < 0 else (max(0, step), "right")
        words.append(marks.text(begin + at, len(steps) - k, write_odds(step), place=place))
    rules = marks.rule(x=once, look=CATEGORICAL, id="counted once"), marks.rule(x=0, look=BLACK, width=1)
    return marks.panel("What each column says", bars, rules, words, x=x, y=marks.named_axis(["all", *names[::-1]]))
