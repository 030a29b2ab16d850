"""Chapter 05: the n-grams of a name as bricks over its letters, and a root that thins them. Carlos (2015), eq. (20)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from nbcore.datasets import END
from workbook.chapters.names import LONGEST, names_split
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import how_many, typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import ATTENUATED, BLACK, CLASSES, GUIDE, NAIVE_BAYES, TRUTH, Look, faint
from workbook.explorer.theme import Panel

from .wall import ALL, KS, LENGTHS, NAMES, SEXES, TWINS, Wall, judge_held_out, lay_bricks

__all__ = ["LettersExplorer"]

HIGH = 0.75  # of its full height: a brick with a rim
APART = 0.055  # of the probability axis: two words that do not meet


def write_odds(log: float) -> str:
    """Return log odds as the odds of the likelier class, without ": 1"; two decimals below 2, none from 10 on."""
    odds = np.exp(abs(log))
    return f"{odds:.{1 + (odds < 1.995)}f}" if odds < 9.95 else f"{odds:,.0f}" if odds < 1e9 else typeset(f"{odds:.3g}")


class LettersExplorer(Explorer):
    """The n-grams of a name as bricks over its letters: they count the same few names; a root makes them thinner."""

    max_n = Steps(LONGEST, LENGTHS, label="pieces up to", say=lambda n: how_many(n, "letter"))
    k = Steps(ALL, KS, label="votes left, k", say=lambda k: "all" if k == ALL else f"{k:g}")
    name = Steps(1, range(1, len(NAMES) + 1), label="name", say=lambda at: NAMES[at - 1])

    presets: ClassVar = {
        "Single letters": Preset("One brick a letter: nearly honest, and right two times in three.", dict(max_n=1)),
        "All pieces": Preset("Pieces up to five letters. Gabriel is female, 4,220,060 to 1, and that is wrong.", {}),
        "George": Preset("Of his 24 bricks 21 count Georgene. One woman is heard 21 times.", dict(name=3)),
        "One root": Preset("Five votes are left. The average is mended; Gabriel stays female.", dict(k=5)),
    }

    def compute(self, max_n: int, k: float, name: int) -> Wall:
        return replace(lay_bricks(NAMES[name - 1], max_n), k=k)

    def draw(self, result: Wall) -> dict:
        number, panels = (f"{write_odds(result.whole * result.root)} : 1", result.answer), (wall_panel, average_panel)
        drawn = [panel(result) for panel in panels]
        return marks.figure(*drawn, finding=result.finding, number=number, widths=[1.6, 1], share=1.02)

    def describe(self, result: Wall) -> str:
        r, n, letters = result, len(result.votes), how_many(result.max_n, "letter")
        root = f", {r.k:g} of {n + 1} votes left" if r.root < 1 else ""
        bricks = f"Up to {letters}{root}: {n} bricks on {r.name}, {r.twin.sum()} count {TWINS[r.name]}"
        return f"{r.finding}. {bricks}. {write_odds(r.whole * r.root)} : 1 {r.answer}."

    def explain(self, result: Wall) -> Sequence[Part]:
        r = result
        if r.root < 1:
            root = Over([Term(f"{r.k:g}", "k", "k", ATTENUATED)], [Term(f"{len(r.votes) + 1}", "n + 1")])
            return [Term(write_odds(r.whole), "odds"), "to the power", root, "=", Term(write_odds(r.whole * r.root))]
        at, counted = int(np.argmax(np.abs(r.votes))), names_split(r.max_n).model.feature_count_
        shares = [Over([Term(f"{r.counts[at, c]:.0f} + 1", f"{r.pieces[at]}, {SEXES[c]}")],
                       [Term(f"{counted[c].sum() + len(counted[c]):,.0f}", f"all, {SEXES[c]}")])
                  for c in sorted((0, 1), reverse=bool(r.votes[at] > 0))]  # fmt: skip
        return [shares[0], ":", shares[1], "=", Term(write_odds(r.votes[at]), r.pieces[at], f"brick {at}"), ": 1"]


def wall_panel(r: Wall) -> Panel:
    """Draw every brick as high as its vote still counts, and without a root its odds, above its letters."""
    high, ends = r.root > HIGH, np.arange(len(r.name) + 2) - 0.5
    tops = (r.covers * (r.rows + 0.5)).max(axis=1)
    sky = marks.line([ends[0], *ends], [0, *tops, 0], Look(GUIDE, dash="dot"), width=1, steps=True)
    heard = [marks.text(at, -1, f"{n * r.root:.1f}" if r.root < 1 else f"{n}")
             for at, n in enumerate(r.covers.sum(axis=1))]  # fmt: skip
    note = f"outlined: {r.twin.sum()} of {len(r.votes)} bricks count {TWINS[r.name]}"
    rows = {n * n / 2 * r.root: "1 letter" if n == 1 else f"{n}" for n in LENGTHS[: r.max_n]}
    drawn = marks.panel(
        "So many : 1 for female, or for male (hatched)", bricks(r, high), sky if r.root < 1 else write_votes(r), heard,
        marks.rule(y=0, width=1),
        marks.text("left", "top", note if high else f"dotted: {len(r.votes)} bricks without the root"),
        x=marks.axis(-0.55, len(r.name) + 0.55, ticks=dict(enumerate(r.name + END)), grid=False),
        y=marks.axis(-1.7, 16.8, ticks={-1: "heard", **(rows if high else {})}, grid=False),
    )  # fmt: skip
    return replace(drawn, narrow=1.5)


def bricks(r: Wall, high: bool) -> list[dict]:
    """Return the bricks, the stronger the darker; where they are high, those that count the twin have a rim."""
    looks, said = [], []
    for piece, vote, (female, male) in zip(r.pieces, r.votes, r.counts, strict=True):
        side = int(vote > 0)
        shade = min(1, (0.1 + 0.2 * abs(vote)) * (1 if high else 1.6))
        looks.append(CLASSES[side]._replace(color=faint(CLASSES[side].color, shade)))
        odds = f"{write_odds(vote)} : 1 for {SEXES[side]}"
        said.append(f"{piece}: counted {female:.0f} times in female names, {male:.0f} in male, {odds}")
    drawn = []
    for rim, these in (("", np.flatnonzero(~r.twin)), (BLACK if high else "", np.flatnonzero(r.twin))):
        look, hover = [looks[i] for i in these], [said[i] for i in these]
        drawn.append(marks.bars(r.length[these] - 0.06, r.rows[these] * r.root, look, base=r.start[these] - 0.47,
                                width=0.88 * r.root, rim=rim, horizontal=True, hover=hover,
                                id=[f"brick {i}" for i in these]))  # fmt: skip
    return drawn


def write_votes(r: Wall) -> list[dict]:
    """Return the odds on the bricks, the strongest first, where the words of no brick above or below are in the way."""
    kept: list[tuple[float, float]] = []
    words = []
    for i in np.argsort(-np.abs(r.votes), kind="stable"):
        x, y = r.start[i] + (r.length[i] - 1) / 2, r.rows[i]
        if all(abs(x - u) >= 1 or abs(y - v) > 1.5 for u, v in kept):
            kept.append((x, y))
            words.append(marks.text(x, y * r.root, write_odds(r.votes[i])))
    return words


def average_panel(r: Wall) -> Panel:
    """Draw what the model says of all test names with this k, and without a root, and how often it is right."""
    says, right = judge_held_out()
    free, now, here = says[:, -1], says[:, KS.index(r.k)], r.max_n - 1
    curves = [(right, TRUTH, "is right"), (free, NAIVE_BAYES, "it says" if r.k == ALL else "no root")]
    curves += [(now, ATTENUATED, "it says")] if r.k < ALL else []
    lines = [marks.line(LENGTHS, y, look, size=5, hover=f"{words}, pieces up to {{x}}: {{y:.3f}}")
             for y, look, words in curves]  # fmt: skip
    near = (0, right[-1] - APART) if now[-1] < right[-1] else (right[-1] + APART, free[-1] - APART)
    places = [right[-1], free[-1], np.clip(now[-1], *near)]
    words = [marks.text(LONGEST + 0.25, at, word, place="right", color=look)
             for at, (_, look, word) in zip(places, curves, strict=False)]  # fmt: skip
    gap = marks.rule(x=r.max_n, span=(right[here], now[here]), width=1)
    ring = marks.points(r.max_n, now[here], ATTENUATED, size=13, stroke=2, rim=BLACK, id="k", hover="it says {y:.3f}")
    grip = Handle("k", r.max_n, now[here], "y", says[here])
    return marks.panel(
        f"All {len(names_split(r.max_n).test.y):,} names held out", lines, gap, ring, words, grip,
        x=marks.axis(0.8, 6.6, "pieces up to … letters", ticks=LENGTHS, grid=False),
        y=marks.axis(0.5, 1, ticks={0.5: "50 %", 0.75: "75 %", 1: "100 %"}),
    )  # fmt: skip
