"""Chapter 01: the panel of evidence as steps of log odds, shared by two explorers, and how they write odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from workbook.explorer import marks
from workbook.explorer.formatting import superscript, written
from workbook.explorer.palette import BLACK, CLASSES, GUIDE, Look
from workbook.explorer.theme import Panel

__all__ = ["SEXES", "draw_steps", "look_of", "sex_of", "tick_odds", "write_odds"]

SEXES = "female", "male"


def write_odds(log: float) -> str:
    """Return log odds as odds to 1 of the class that they favour: 7.1 : 1; whole numbers from 100 on."""
    ratio = np.exp(abs(log))
    return f"{f'{ratio:,.0f}' if 99.5 <= ratio < 999.5 else written(ratio, 2 if ratio < 99.5 else 3)} : 1"


def sex_of(log: float) -> str:
    """Return the class that log odds of male speak for."""
    return SEXES[int(log > 0)]


def look_of(log: float) -> Look:
    """Return the look of the class that log odds of male speak for."""
    return CLASSES[int(log > 0)]


def tick_odds(low: float, high: float) -> dict[float, str]:
    """Return ticks of an axis of log odds between two values: even odds, and powers of ten that leave room for each."""
    power = max(1, int(np.ceil((high - low) / np.log(10) / 4)))
    at = {side * power * k: f"10{superscript(power * k)}" for k in range(1, 5) for side in (-1, 1)}
    return {p * np.log(10): words for p, words in {0: "even", **at}.items() if low < p * np.log(10) < high}


def draw_steps(title: str, names: Sequence[str], steps: np.ndarray, ends: tuple[float, float], *marks_too) -> Panel:
    """Draw a bar for each step of the log odds of male, from where the last one ended, and their sum below a rule.

    ends: the least and the largest log odds that the axis must reach. marks_too: further marks of the panel.
    """
    rows, heights = [*names, "together"], np.append(steps, steps.sum())
    y, begin = np.arange(len(rows))[::-1], np.array([0, *np.cumsum(steps[:-1]), 0])
    low, high = min(0, ends[0]), max(0, ends[1])
    room = 0.3 * (high - low)
    said = [f"{name}: {write_odds(step)} for {sex_of(step)}" for name, step in zip(rows, heights, strict=True)]
    bars = marks.bars(heights, y, list(map(look_of, heights)), base=begin, width=0.62,
                      horizontal=True, hover=said, id=[*names, "together"])  # fmt: skip
    words = [marks.text(last, row, write_odds(last - first),
                        place="right" if last > first else "left")
             for row, first, last in zip(y[:-1], begin, np.cumsum(steps), strict=False)]  # fmt: skip
    rules = marks.rule(x=0, look=BLACK, width=1), marks.rule(y=0.5, look=GUIDE, width=1)
    x = marks.axis(low - room, high + room, "← female · odds to 1, log scale · male →", ticks=tick_odds(low, high))
    panel = marks.panel(title, bars, rules, words, *marks_too, x=x, y=marks.named_axis(rows[::-1]))
    return replace(panel, narrow=1.4)
