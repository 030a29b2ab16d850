"""Chapter 06: a ledger of promises. Names are opened one by one; a root moves what is said, never what comes true."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np

from workbook.chapters.names import LONGEST, names_split
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import ATTENUATED, BLACK, NAIVE_BAYES, ORANGE, PALE, TRUTH
from workbook.explorer.theme import Panel

from .experiment import ALL, KS, attenuated, say_k
from .opened import OPENED, RARE, TENTHS, Promises, count_broken, group_names, open_names, say_sum

__all__ = ["PromisesExplorer"]

ACROSS, ROWS, FULL = 6, 22, 21.5  # cells beside and above each other in a column of the ledger: 129 fill 21.5 rows
WIDE = ACROSS + 1  # a column and the gap to the next one
MIDDLES = WIDE * np.arange(TENTHS) + (ACROSS - 1) / 2
SCALE = [[0, PALE], [0.25, PALE], [0.25, TRUTH], [0.75, TRUTH], [0.75, ORANGE], [1, ORANGE]]  # shut, kept, broken
HELD = 2  # the column whose line is dragged


class PromisesExplorer(Explorer):
    """Each name held out is a promise, kept or broken; a root moves the promises and leaves what came true alone."""

    k = Steps(ALL, KS, label="the root leaves", say=say_k)
    opened = Steps(1289, OPENED, label="names opened", say="{:,}".format)

    presets: ClassVar = {
        "Ten names": Preset("Ten promises: too few to blame anybody.", dict(opened=10)),
        "A hundred": Preset("A hundred promises: now the orange cells are too many.", dict(opened=100)),
        "All names": Preset("Naive Bayes promises nearly everything.", {}),
        "One root": Preset("The lines fall onto the green. No cell has moved.", dict(k=4.89)),
    }

    def compute(self, k: float, opened: int) -> Promises:
        return open_names(k, opened)

    def draw(self, result: Promises) -> dict:
        gap = result.promised - result.right
        number = say_sum(abs(gap), result.opened), f"promised too {'many' if gap > 0 else 'few'}"
        panels = ledger_panel(result), path_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.6, 1])

    def describe(self, result: Promises) -> str:
        last, split = result.opened - 1, names_split(LONGEST)
        says = split.classes[int(attenuated(LONGEST, result.k)[last].argmax())]
        fate = "kept" if result.kept[last] else "broken"
        return f"{result.finding}. k: {say_k(result.k)}. The last: {split.test.names[last]}, {says}, {fate}."

    def explain(self, result: Promises) -> Sequence[Part]:
        said = Term(say_sum(result.promised, result.opened), "promised", "promised", color_of(result))
        kept, gap = Term(f"{result.right:,}", "kept", "kept", TRUTH), result.promised - result.right
        amount, both = say_sum(abs(gap), result.opened), (said, "−", kept) if gap > 0 else (kept, "−", said)
        return [*both, "=", Term(amount, "promised too many" if gap > 0 else "promised too few")]


def color_of(r: Promises) -> str:
    """Return the colour of what is promised: that of naive Bayes without a root."""
    return ATTENUATED if r.k < ALL else NAIVE_BAYES


def stack_cells(r: Promises) -> np.ndarray:
    """Return the ledger: kept promises rise from below, broken ones hang from above; 0 shut, .5 kept, 1 broken."""
    cells = np.full((ROWS, WIDE * TENTHS - 1), np.nan)
    for at in range(TENTHS):
        kept = r.kept[: r.opened][group_names()[: r.opened] == at]
        size, right = np.sum(group_names() == at), int(kept.sum())
        column = np.full(ROWS * ACROSS, np.nan)
        column[:size] = 0
        column[:right] = 0.5
        column[size - (len(kept) - right) : size] = 1
        cells[:, WIDE * at : WIDE * at + ACROSS] = column.reshape(ROWS, ACROSS)
    return cells


@lru_cache(maxsize=len(KS))
def promise_columns(k: float) -> np.ndarray:
    """Return what is promised on average in each tenth, (TENTHS,)."""
    said = attenuated(LONGEST, k).max(axis=1)
    return np.array([said[group_names() == at].mean() for at in range(TENTHS)])


def borders() -> dict:
    """Return thin lines of the paper's colour between the cells."""
    across = np.arange(WIDE * TENTHS) - 0.5
    ends = [([x, x], [0, ROWS / FULL]) for x in across] + [(across[[0, -1]], [y, y]) for y in np.arange(ROWS) / FULL]
    x, y = (np.concatenate([[*end, np.nan] for end in each]) for each in zip(*ends, strict=True))
    return marks.line(x, y, "white", width=1)


def ledger_panel(r: Promises) -> Panel:
    """Draw every promise as a cell, and over each tenth of the names the line that the green should reach."""
    cells = marks.cells(np.arange(WIDE * TENTHS - 1), (np.arange(ROWS) + 0.5) / FULL, stack_cells(r), SCALE)
    said = promise_columns(r.k)
    lines = [marks.rule(y=p, span=(at - 3.2, at + 3.2), look=look, width=width, id=name)
             for look, width, name in (("white", 8, None), (color_of(r), 4, "promised"))
             for at, p in zip(MIDDLES, said, strict=True)]  # fmt: skip
    ticks = {float(at): f"{p:.2f}".removeprefix("0") if p < 0.995 else "1" for at, p in zip(MIDDLES, said, strict=True)}
    grip = Handle("k", MIDDLES[HELD], said[HELD], "y", [promise_columns(k)[HELD] for k in KS])
    return marks.panel(
        "Green: kept; orange: broken; the line: promised", cells, borders(), lines, grip,
        x=marks.axis(-1, WIDE * TENTHS - 1, "promised, in tenths from unsure to sure", ticks=ticks, grid=False),
        y=marks.axis(0, 1.04, ticks={0: "0", 0.5: ".5", 1: "1"}, grid=False),
    )  # fmt: skip


def path_panel(r: Promises) -> Panel:
    """Draw the share kept so far, name by name, and where it would be by luck if every promise were honest."""
    steps = np.array(OPENED)
    said, kept = np.cumsum(r.said)[steps - 1] / steps, np.cumsum(r.kept)[steps - 1] / steps
    most = [np.searchsorted(count_broken(r.k)[n], [RARE, 1 - RARE]) for n in OPENED]
    luck = 1 - np.array(most) / steps[:, None]
    ends = np.column_stack([luck, np.full(len(steps), np.nan)]).ravel()
    bars = marks.line(np.repeat(steps, 3), ends, PALE, width=9, id="if calibrated")
    now = steps <= r.opened
    path = marks.line(steps[now], kept[now], TRUTH, width=3, size=5, id="kept", hover="{x:,d} names: {y:.3f} kept")
    promise = marks.line(steps, said, color_of(r), hover="{x:,d} names: {y:.3f} promised")
    grip = Handle("opened", r.opened, kept[now][-1], "x", OPENED)
    return marks.panel(
        "Kept so far; grey: luck", bars, promise, path, marks.rule(x=r.opened, look=BLACK, width=1),
        grip,
        x=marks.axis(0.8, 1600, "names opened", ticks=[1, 10, 100, 1000], log=True),
        y=marks.axis(0.5, 1.02, ticks={0.5: ".5", 0.75: ".75", 1: "1"}),
    )  # fmt: skip
