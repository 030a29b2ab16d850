"""Chapter 09: which digits change their answer while EM climbs, as a map, and a look at some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from workbook.explorer import palette, theme
from workbook.explorer.controls import IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import Slow
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import LONG, SPLITS, answers, digit_split
from .paths import PITCH, pictures

__all__ = ["MovedExplorer"]

COLUMNS, ROWS = 5, 3  # of the digits shown
MOST = 10  # points: where the map's colours end
VEIL = "rgba(255,255,255,0.8)"
TONES = [[0, palette.GREY], [0.5, "#FFFFFF"], [1, palette.PURPLE]]
PLACES = np.stack(np.meshgrid(np.arange(10), np.arange(10), indexing="ij"), axis=-1)  # of (answer, digit)


@dataclass(frozen=True)
class Moved:
    """The result: what changed between the labels alone and a step, in all splits together."""

    labels: int
    step: int
    digit: int
    answer: int
    before: np.ndarray  # (10, 10) how many of the unseen digits, row, got which answer, column
    after: np.ndarray
    images: np.ndarray  # (m, 8, 8) some that came to this answer
    came: int  # how many did, each image counted once

    @property
    def change(self) -> np.ndarray:
        """(10, 10) points of 100 digits of the row."""
        return 100 * (self.after - self.before) / self.before.sum(axis=1, keepdims=True)


answered = Slow(answers, keep=8)


@lru_cache(maxsize=20)  # 0.25 MB each
def unseen(seed: int) -> np.ndarray:
    """The unseen digits of a split, (500, 64)."""
    return digit_split(seed)[2]


def counted(said, true) -> np.ndarray:
    """(10, 10) how many of each digit, row, get which answer, column."""
    return np.bincount(10 * true.ravel().astype(int) + said.ravel(), minlength=100).reshape(10, 10)


class MovedExplorer(Explorer):
    """Answers for unseen digits by the labels alone and after some steps of EM; 20 splits together."""

    step = IntSlider(10, 0, LONG, label="EM step")
    labels = Steps(320, (20, 80, 320, 640), label="labels", say="{:d}".format)
    digit = IntSlider(1, 0, 9, label="digit")
    answer = IntSlider(8, 0, 9, label="called")

    presets: ClassVar = {
        "1s called 8": Preset("Of 100 ones about seven more are called 8 than before EM. Look at them.", {}),
        "5s called 9": Preset("The 9 has taken in fives. Press any square of the map to see who moved there.",
                              dict(digit=5, answer=9)),
        "20 labels": Preset("20 labels: seven of the ten digits come to be known better. Three pay for it: 8, 9 and 1.",
                            dict(labels=20, digit=0, answer=0)),
    }  # fmt: skip

    def pending(self, step, labels, digit, answer):
        return answered.work(labels)

    def compute(self, step, labels, digit, answer) -> Moved:
        said, true = answered(labels)
        came = (true == digit) & (said[:, 0] != answer) & (said[:, step] == answer)
        rows = [unseen(seed)[which] for seed, which in enumerate(came)]
        images = np.unique(np.concatenate(rows), axis=0)
        some = images[np.linspace(0, max(len(images) - 1, 0), min(len(images), COLUMNS * ROWS)).astype(int)]
        before, after = (counted(said[:, t], true) for t in (0, step))
        return Moved(labels, step, digit, answer, before, after, some.reshape(-1, 8, 8), len(images))

    def draw(self, result):
        return theme.figure([[map_panel(result), digits_panel(result)]], widths=[1, 1.2], legend=False, share=1.0)

    def describe(self, result) -> str:
        r = result
        a, b, n = r.before[r.digit, r.answer], r.after[r.digit, r.answer], r.before[r.digit].sum()
        right = round(100 * (np.trace(r.after) - np.trace(r.before)) / r.before.sum(), 1)
        change = f"{abs(right):.1f} points {'more' if right > 0 else 'fewer'}" if right else "as many"
        return (
            f"{r.labels} labels, {SPLITS} splits together: of {n:,} tests of a {r.digit}, {a:,} were answered "
            f"{r.answer} by the labels alone and {b:,} after step {r.step}. Of all answers, {change} are right"
            f"{'.' if right else ' as before.'}"
        )

    def explain(self, result) -> Sequence[Part]:
        r = result
        at = r.digit, r.answer
        now = Term(f"{r.after[at]:,}", f"called {r.answer} after step {r.step}")
        before = Term(f"{r.before[at]:,}", f"called {r.answer} by {r.labels} labels alone")
        change = Term(typeset(f"{r.change[at]:+.1f}"), "points", mark="the pair in view")
        tests = Term(f"{r.before[r.digit].sum():,}", f"tests of a {r.digit}")
        return ["100 ·", Over([now, "−", before], [tests]), "=", change]


def map_panel(r: Moved) -> Panel:
    """Row: the digit; column: the answer; colour: how much more often it is given than before EM."""
    n = np.arange(10)
    heat = dict(type="heatmap", x=n, y=n, z=np.clip(r.change, -MOST, MOST), zmin=-MOST, zmax=MOST, colorscale=TONES)
    heat |= dict(showscale=False, hoverinfo="skip")
    column, row = np.meshgrid(n, n)
    words = [f"{'+' if c > 0 else ''}{c:.1f} points: the {d}s called {a}".replace("-", "−")
             for d, a, c in zip(row.ravel(), column.ravel(), r.change.ravel(), strict=True)]  # fmt: skip
    cells = dict(type="scatter", mode="markers", x=column.ravel(), y=row.ravel(), text=words, showlegend=False)
    cells |= dict(marker=dict(size=14, symbol="square", color="rgba(0,0,0,0)"), hovertemplate="%{text}<extra></extra>")
    frame = dict(type="rect", x0=r.answer - 0.5, x1=r.answer + 0.5, y0=r.digit - 0.5, y1=r.digit + 0.5)
    frame |= dict(line=dict(color=palette.BLACK, width=3), name="the pair in view")
    notes = [dict(x=a, y=d, text=typeset(f"{r.change[d, a]:+.0f}"), bgcolor=VEIL) for d, a in numbered(r)]
    x = dict(range=[-0.5, 9.5], tickvals=n, title="answer", showgrid=False)
    y = dict(range=[9.5, -0.5], tickvals=n, title="digit", showgrid=False)
    handle = Handle(("answer", "digit"), r.answer, r.digit, "xy", PLACES, "pick")
    title = f"Points more than before EM, step {r.step}"
    return Panel(title, [heat, cells], x, y, [frame], notes, [handle], equal=True)


def numbered(r: Moved) -> list[tuple[int, int]]:
    """The squares that have their number: the pair in view, then the largest ones; none beside another."""
    chosen = [(r.digit, r.answer)]
    for place in np.argsort(-np.abs(r.change), axis=None):
        d, a = divmod(int(place), 10)
        if abs(r.change[d, a]) >= 1 and all(d != row or abs(a - column) > 1 for row, column in chosen):
            chosen.append((d, a))
    return chosen


def digits_panel(r: Moved) -> Panel:
    """Some of the digits that came to this answer."""
    shown = len(r.images)
    corners = [(PITCH * (k % COLUMNS), PITCH * (k // COLUMNS)) for k in range(shown)]
    words = [f"a {r.digit} that is called {r.answer} after step {r.step}, and was not before"] * shown
    traces, x, y = pictures(r.images, corners, words, PITCH * COLUMNS, PITCH * ROWS)
    of = f"{shown} of {r.came} different" if shown < r.came else f"{r.came} different"
    title = f"A {r.digit} now called {r.answer}: {of} image{'s' * (r.came != 1)}"
    return Panel(title, traces if shown else [], x, y, equal=True)
