"""Chapter 01: a name as evidence: pieces that overlap count its letters several times, pieces cut apart once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from nbcore.datasets import END, load_names
from workbook.explorer import marks
from workbook.explorer.controls import Steps, Text
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import how_many, signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.palette import BLACK, CLASSES, GUIDE
from workbook.explorer.theme import Panel
from workbook.items import isolate_text, label

from .experiment import all_pieces, apart
from .steps import SEXES, look_of, sex_of, tick_odds, write_odds

__all__ = ["NameEvidenceExplorer", "name_votes"]

OVERLAP, APART = 0, 1
CUTS = all_pieces, apart
HOW = "overlap", "share no letter"
SHOWN = 5  # pieces with a step of their own
FAR = 26, 11  # log odds to which the axis goes, by the cut
EDGES = np.arange(-21, 22, 2)  # of the log odds, for the heap of names


@cache
def count_pieces(cut: int) -> tuple[dict[str, int], list[Counter], list[int], int]:
    """Return the class of every name on one list; of all their pieces: counts and totals by class, how many differ."""
    names, counts = load_names(both_lists=False), [Counter(), Counter()]
    for name, sex in zip(names.data, names.target, strict=True):
        counts[sex].update(CUTS[cut](name))
    sexes = dict(zip(names.data.tolist(), names.target.tolist(), strict=True))
    return sexes, counts, [each.total() for each in counts], len(counts[0] | counts[1])


def name_votes(name: str, cut: int) -> dict[str, float]:
    """Return the log odds of male of each piece of a name, alpha = 1, as all other names count them."""
    sexes, counts, totals, size = count_pieces(cut)
    own = Counter(CUTS[cut](name))
    mine = [own if sexes.get(name) == sex else Counter() for sex in (0, 1)]
    total = [totals[sex] - mine[sex].total() for sex in (0, 1)]
    left = {piece: [counts[sex][piece] - mine[sex][piece] for sex in (0, 1)] for piece in own}
    size -= sum(not any(pair) for pair in left.values())
    return {piece: own[piece] * float(np.log((m + 1) / (f + 1) * (total[0] + size) / (total[1] + size)))
            for piece, (f, m) in left.items() if f or m}  # fmt: skip


@dataclass(frozen=True)
class NameEvidence:
    """Hold a name and the votes of its pieces, log odds of male, classes taken as equally frequent."""

    name: str
    cut: int
    votes: dict[str, float]

    @property
    def total(self) -> float:
        """Return the log odds of all pieces."""
        return sum(self.votes.values())

    @property
    def shown(self) -> dict[str, float]:
        """Return the strongest votes as the name reads, and the sum of the others."""
        times, strongest = Counter(CUTS[self.cut](self.name)), sorted(self.votes, key=lambda p: -abs(self.votes[p]))
        kept = {label(p, times[p]): v for p, v in self.votes.items() if p in strongest[:SHOWN]}
        others = len(self.votes) - len(kept)
        return kept | ({f"{others} others": self.total - sum(kept.values())} if others else {})

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c01 proves it for all names that are offered."""
        if not self.votes:
            return "No piece of this name was ever counted"
        sex, known = sex_of(self.total), count_pieces(OVERLAP)[0].get(self.name)
        wrong = ", wrongly" if known is not None and SEXES[known] != sex else ""
        pieces = how_many(len(self.votes), "piece") + (f" that {HOW[self.cut]}" if len(self.votes) > 1 else "")
        return f"{pieces}: {write_odds(self.total)} for {sex}{wrong}"


NAMES = json.loads((Path(__file__).parent / "usual_names.json").read_text("utf-8"))  # of Faker's usual US names


class NameEvidenceExplorer(Explorer):
    """Naive Bayes on the pieces of a given name: a step each, all other names counted."""

    name = Text("Gloria", label="Name", longest=30, forbidden=END, chosen=NAMES)
    cut = Steps(OVERLAP, [OVERLAP, APART], label="its pieces", say=HOW.__getitem__)

    presets: ClassVar = {
        "Gloria": Preset("Her final a speaks in a¶, ia¶, ria and ia: one letter, several votes.", {}),
        "Gloria, cut apart": Preset("Each letter is heard once. Still female, and less sure.", dict(cut=APART)),
        "Carmine": Preset("A man's name. Its pieces are sure, and they are wrong.", dict(name="Carmine")),
    }  # fmt: skip

    def compute(self, name: str, cut: int) -> NameEvidence:
        return NameEvidence(name, int(cut), name_votes(name, int(cut)))

    def draw(self, result: NameEvidence) -> dict:
        number = write_odds(result.total), f"for {sex_of(result.total)}"
        panels = pieces_panel(result), heap_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.3, 1], left=6)

    def describe(self, result: NameEvidence) -> str:
        return f"{isolate_text(result.name)}: {result.finding}."

    def explain(self, result: NameEvidence) -> Sequence[Part]:
        for_female, for_male = (sum(v for v in result.votes.values() if (v > 0) == male) for male in (False, True))
        return [Term(signed(for_female, 1), "pieces for female"), Term(signed(for_male, 1), "pieces for male"), "=",
                Term(signed(for_female + for_male, 1), "log odds of male", "together")]  # fmt: skip


def pieces_panel(r: NameEvidence) -> Panel:
    """Draw a step for each of the strongest pieces, for the others together, and for all; its odds in its name."""
    ends = np.cumsum(np.append(0, [*r.shown.values()])).round(1)  # to what the eye can tell apart
    heights, begin = np.append(np.diff(ends), ends[-1]), np.append(ends[:-1], 0)
    y, far = np.arange(len(heights))[::-1], FAR[r.cut]
    bars = marks.bars(heights, y, list(map(look_of, heights)), base=begin, width=0.62, horizontal=True,
                      hover="its odds stand beside its name", id=[*map(str, y[:-1]), "together"])  # fmt: skip
    rules = marks.rule(x=0, look=BLACK, width=1), marks.rule(y=0.5, look=GUIDE, width=1)
    x = marks.axis(-far, far, "← female · odds · male →", ticks=tick_odds(-far, far))
    names = ["together", *[f"{piece} · {write_odds(v).removesuffix(' : 1')}" for piece, v in r.shown.items()][::-1]]
    return marks.panel("What each piece says, odds to 1", bars, rules, x=x, y=marks.named_axis(names))


@cache
def heap_names(cut: int) -> np.ndarray:
    """Return how many names of either class have log odds in each interval, (2, intervals)."""
    odds = [[], []]
    for name, sex in count_pieces(cut)[0].items():
        odds[sex].append(np.clip(sum(name_votes(name, cut).values()), EDGES[0], EDGES[-1]))
    return np.array([np.histogram(own, EDGES)[0] for own in odds])


def heap_panel(r: NameEvidence) -> Panel:
    """Draw how many names of either list have which log odds, and where this name stands."""
    at, drawn = (EDGES[1:] + EDGES[:-1]) / 2, []
    for sex, way in ((0, 1), (1, -1)):
        heap = heap_names(r.cut)[sex]
        said = [f"{n:,} {SEXES[sex]} names with log odds about {x:+g}" for n, x in zip(heap, at, strict=True)]
        drawn += [marks.bars(at, way * heap, CLASSES[sex], width=1.7, name=f"{SEXES[sex]} names", hover=said)]
    here = round(float(np.clip(r.total, EDGES[0], EDGES[-1])), 1)
    rules = marks.rule(x=0, look=BLACK, width=1), marks.rule(x=here, width=3)
    x = marks.axis(-23, 23, "log odds of male", ticks=[-20, -10, 0, 10, 20])
    return marks.panel("All names, and this one", drawn, rules, x=x, y=marks.axis(-1300, 1300, ticks=[]))
