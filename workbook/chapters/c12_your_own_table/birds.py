"""Chapter 12: penguins that naive Bayes decides wrongly, or only just not: what each column says, and a gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy.special import softmax

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CLASSES, GREY, GUIDE, PALE
from workbook.explorer.theme import Panel

from .experiment import SPECIES, held_out_model, penguins
from .words import BIRDS, COLUMN_WORDS, write_bird, write_odds, write_values

__all__ = ["BirdsExplorer"]

EDGE = 2.6  # powers of ten: a longer bar is cut, and its words say how long it is


@lru_cache(maxsize=16)
def learned(row: int) -> tuple[np.ndarray, np.ndarray]:
    """Return log priors (3,) and the columns' log likelihoods (3, 6) of a penguin, by a model without it."""
    model = held_out_model(row)
    return model.class_log_prior_, model.feature_contributions(penguins()[0].loc[[row]])[0]


def find_posterior(row: int, gap: int) -> np.ndarray:
    """Return P(species) (3,) of a penguin, with the factor of column `gap` left out; 0 is no column."""
    prior, terms = learned(row)
    return softmax(prior + np.delete(terms, gap - 1, axis=1).sum(axis=1) if gap else prior + terms.sum(axis=1))


@dataclass(frozen=True)
class Birds:
    """Hold what prior and columns say of one penguin, and how probable nine penguins' own species are."""

    row: int
    gap: int
    votes: np.ndarray  # (7,) powers of ten for Chinstrap against Adelie, the prior first; 0 where left out
    whole: np.ndarray  # (9,) P(own species) by all columns
    now: np.ndarray  # (9,) without the column that is left out

    @property
    def right(self) -> tuple[bool, bool]:
        """Return whether it is decided rightly by all columns, and now."""
        at = BIRDS.index(self.row)
        return bool(self.whole[at] > 0.5), bool(self.now[at] > 0.5)

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c12 proves it for all states."""
        before, after = self.right
        if not self.gap:
            called = "a Chinstrap" if self.votes.sum() > 0 else "an Adelie"
            return f"A{write_bird(self.row)[1:]}, {'rightly ' * before}called {called}"
        become = f"{'still' if before == after else 'now'} {'right' if after else 'wrong'}"
        return f"Without its {COLUMN_WORDS[self.gap - 1]} it is {become}"


class BirdsExplorer(Explorer):
    """The log likelihoods of a penguin's columns, added up; a column that is left out adds nothing."""

    bird = Steps(7, range(len(BIRDS)), label="penguin", say=lambda at: f"row {BIRDS[at]}")
    gap = Steps(0, range(7), label="left out", say=["nothing", *COLUMN_WORDS].__getitem__)

    presets: ClassVar = {
        "A short bill": Preset("A Chinstrap whose bill speaks loudest, and for the wrong species.", {}),
        "Without its bill": Preset("The bill is gone. Flipper and prior still say Adelie.", dict(gap=1)),
        "Without its flipper": Preset("The one of the seven that a gap would mend. You must know which.",
                                      dict(bird=3, gap=2)),
        "Without its island": Preset("A long bill. The island alone had kept it an Adelie.", dict(bird=0, gap=3)),
    }  # fmt: skip

    def compute(self, bird: int, gap: int) -> Birds:
        prior, terms = learned(BIRDS[bird])
        votes = np.diff(np.column_stack([prior, terms])[:2], axis=0)[0] / np.log(10)
        votes[gap] *= not gap
        own = [SPECIES.index(penguins()[1][row]) for row in BIRDS]
        whole, now = (np.array([find_posterior(row, out)[c] for row, c in zip(BIRDS, own, strict=True)])
                      for out in (0, gap))  # fmt: skip
        return Birds(BIRDS[bird], gap, votes, whole, now)

    def draw(self, result: Birds) -> dict:
        p, kind = result.now[BIRDS.index(result.row)], penguins()[1][result.row]
        return marks.figure(votes_panel(result), birds_panel(result), finding=result.finding, left=9.5,
                            number=(f"{p:.2f}", f"P({kind}), its species"), widths=[1.5, 1])  # fmt: skip

    def describe(self, result: Birds) -> str:
        total, kind, p = result.votes.sum(), penguins()[1][result.row], result.now[BIRDS.index(result.row)]
        said = f"{write_odds(total)} for {SPECIES[int(total > 0)]}, P({kind}) = {p:.3f}"
        return f"{result.finding}. Row {result.row}: {said}."

    def explain(self, result: Birds) -> Sequence[Part]:
        named = zip(["prior", *COLUMN_WORDS, "sum"], [*result.votes, result.votes.sum()], strict=True)
        *terms, total = (Term(signed(v), name, f"vote {name}", look.color, look.hatch)
                         for name, v in named for look in [CLASSES[int(v > 0)]])  # fmt: skip
        return [*terms, "=", total, "powers of ten for Chinstrap"]


def name_bar(row: int, start: float, end: float, vote: float, words: str) -> dict:
    """Return the words beyond the end of a bar, or at its start where they would lie on the line of even odds."""
    way = -1 if vote < 0 else 1
    at, way = (start, -way) if -0.9 < end * way < 0 else (end, way)
    return marks.text(at + 0.08 * way, row, words, place="left" if way < 0 else "right")


def votes_panel(r: Birds) -> Panel:
    """Draw a bar for the prior and each column, which begins where the one above it ends, and one for their sum."""
    steps = np.append(r.votes, r.votes.sum())
    starts = np.append(np.cumsum(r.votes) - r.votes, 0)
    ends = np.clip(starts + steps, -EDGE, EDGE)
    names, looks = ["prior", *COLUMN_WORDS, "sum"], [CLASSES[int(v > 0)] for v in steps]
    gone = (np.arange(8) == r.gap) & (r.gap > 0)
    said = ["left out" if out else write_odds(v) for out, v in zip(gone, steps, strict=True)]
    bars = marks.bars(ends - starts, np.arange(8), looks, base=starts, width=0.6, horizontal=True,
                      id=[f"vote {name}" for name in names],
                      hover=[f"{name}: {words}" for name, words in zip(names, said, strict=True)])  # fmt: skip
    words = [name_bar(at, *bar) for at, bar in enumerate(zip(starts, ends, steps, said, strict=True))]
    ends_named = [marks.text(-0.1, -1.2, "← Adelie", place="left", color=CLASSES[0].color),
                  marks.text(0.1, -1.2, "Chinstrap →", place="right", color=CLASSES[1].color)]  # fmt: skip
    rows = dict(enumerate(["prior", *write_values(r.row), "sum"]))
    return marks.panel("What each column says", marks.rule(x=0, look=BLACK, width=1), bars, words, ends_named,
                       x=marks.axis(-EDGE - 0.8, EDGE + 0.8, ticks={-2: "100 : 1", 0: "even", 2: "100 : 1"}),
                       y=marks.axis(7.6, -1.7, ticks=rows, grid=False))  # fmt: skip


def birds_panel(r: Birds) -> Panel:
    """Draw how probable each penguin's own species is, by all columns and without the one that is left out."""
    at, kinds = np.arange(len(BIRDS)), [penguins()[1][row] for row in BIRDS]
    looks = [CLASSES[SPECIES.index(kind)] for kind in kinds]
    moved = [marks.line([a, b], [k, k], PALE, width=3) for k, (a, b) in enumerate(zip(r.whole, r.now, strict=True))]
    said = [f"row {row}, {write_bird(row)}: {p:.3f}" for row, p in zip(BIRDS, r.now, strict=True)]
    dots = marks.points(r.now, at, looks, size=12, rim=BLACK, stroke=1, hover=said)
    mine = BIRDS.index(r.row)
    level = marks.rule(y=mine, look=GREY, width=1), marks.rule(x=0.5, look=GUIDE)
    words = marks.text(0.48, -0.9, "wrong", place="left"), marks.text(0.52, -0.9, "right", place="right")
    grip = Handle("bird", r.now[mine], mine, "y", shape="mark")
    return marks.panel("P(its own species), by row", level, moved, dots, words, grip,
                       x=marks.axis(-0.05, 1.05, ticks=[0, 0.5, 1]),
                       y=marks.axis(8.6, -1.4, ticks=dict(enumerate(map(str, BIRDS))), grid=False))  # fmt: skip
