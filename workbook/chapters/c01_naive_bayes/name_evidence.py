"""Chapter 01: a name that you type, as evidence: every piece of it brings a bar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.datasets import END
from workbook.chapters.names import names_split
from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, IntSlider, Text
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.theme import Panel
from workbook.items import NAME_CHOICES, isolate_text, name_item

from .evidence import Evidence, curve_panel, row_axis, sum_of_steps, verdict, waterfall_panel

__all__ = ["NameEvidenceExplorer"]

SHOWN = 7  # pieces with a bar of their own; the weaker ones share one
LONGEST = 4


@dataclass(frozen=True)
class NameEvidence:
    """The result: the bars, how often each class has the pieces that are shown, and how the model does elsewhere."""

    evidence: Evidence
    longest: int  # letters of a piece
    shares: np.ndarray  # (2, pieces shown) P(piece | class)
    unseen: int  # pieces that no training name has; they are dropped
    sure: float  # of the test names: the share with a posterior of at least 0.99
    right: tuple[float, float]  # shares decided rightly: of all, of the sure ones
    tested: int


@lru_cache(maxsize=LONGEST)
def columns_of(longest: int) -> dict[str, int]:
    """The model's column of every piece that it knows."""
    return {piece: j for j, piece in enumerate(names_split(longest).vocabulary)}


def on_test_names(longest: int, prior: float) -> tuple[float, tuple[float, float], int]:
    """Share of test names with a posterior of at least 0.99, shares decided rightly of all and of these; their "
    "number."""
    test = names_split(longest).test
    terms, _, _ = test.evidence
    odds = terms[:, 1] - terms[:, 0] + np.log(prior / (1 - prior))
    right, sure = (odds > 0) == test.y, abs(odds) >= np.log(99)
    of_these = float(right[sure].mean()) if sure.any() else float("nan")
    return float(sure.mean()), (float(right.mean()), of_these), len(test.y)


class NameEvidenceExplorer(Explorer):
    """log odds = log prior odds + a log likelihood ratio for each piece: Wikipedia, "Document classification"."""

    name = Text("Gloria", label="Name", forbidden=END, chosen=NAME_CHOICES)
    longest = IntSlider(3, 1, LONGEST, label="longest piece")
    prior = FloatSlider(0.45, 0.01, 0.99, step=0.01, label="prior of male")

    presets: ClassVar = {
        "Gloria": Preset("Look at the end of the name: a, ia, ria, each with a bar of its own.", {}),
        "Single letters": Preset(
            "Letters alone, wherever they stand: little evidence is left, and what is left says male.", dict(longest=1)
        ),
        "Pulled both ways": Preset(
            "The pieces of Guadalupe pull both ways, and the sum stays small.", dict(name="Guadalupe")
        ),
        "Sure and wrong": Preset(
            "A man's name that the model has not seen. It is sure, and it is wrong.", dict(name="Carmine")
        ),
    }

    def compute(self, name, longest, prior) -> NameEvidence:
        split = names_split(longest)
        item = name_item(name, columns_of(longest), longest)
        logs = split.model.feature_log_prob_[:, item.columns]
        terms = logs * item.times
        votes = abs(terms[1] - terms[0])
        strongest = np.sort(np.argsort(-votes, kind="stable")[:SHOWN])  # in the order in which the name reads
        labels = [label_of(item.features[j], item.times[j]) for j in strongest]
        others = np.setdiff1d(np.arange(len(votes)), strongest)
        kept = terms[:, strongest]
        if len(others):
            labels.append(f"{len(others)} others")
            kept = np.column_stack([kept, terms[:, others].sum(axis=1)])
        evidence = Evidence(isolate_text(name), split.classes, prior, labels, kept)
        sure, right, tested = on_test_names(longest, prior)
        return NameEvidence(evidence, longest, np.exp(logs[:, strongest]), item.unseen, sure, right, tested)

    def draw(self, result):
        r = result.evidence
        panels = [shares_panel(result), waterfall_panel(r), curve_panel(r)]
        return theme.figure([panels], widths=[1.2, 1.5, 0.9], left=6.2)

    def describe(self, result) -> str:
        r = result
        dropped = f" ({r.unseen} never seen, dropped)" if r.unseen else ""
        sure = f"at least 99 % sure of {percent(r.sure)}" if r.sure else "never 99 % sure"
        these = f", and right about {percent(r.right[1])} of these" if r.sure else ""
        return (
            f"{r.evidence.what}, pieces of up to {r.longest}{dropped}: log odds of {r.evidence.classes[1]} "
            f"{verdict(r.evidence)} Of {r.tested:,} names kept aside the model decides {percent(r.right[0])} rightly; "
            f"it is {sure}{these}."
        )

    def explain(self, result):
        return sum_of_steps(result.evidence)


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def label_of(piece: str, times: float) -> str:
    """A piece as it reads, and how often it stands in the name."""
    return f"{piece.replace(' ', '␣')} ×{times:.0f}" if times > 1 else piece.replace(" ", "␣")


def shares_panel(result: NameEvidence) -> Panel:
    """How often either class has the piece, by ratio: the gap in a row is its bar beside it."""
    r, per_thousand = result.evidence, 1000 * result.shares
    at = np.arange(1, 1 + per_thousand.shape[1])
    gap = dict(type="line", line=dict(color=palette.GREY, width=2))
    gaps = [gap | dict(x0=first, x1=second, y0=y, y1=y) for y, (first, second) in zip(at, per_thousand.T, strict=True)]
    words = [theme.escape(piece) for piece in r.labels[: len(at)]]
    traces = [
        dict(type="scatter", mode="markers", x=per_thousand[c], y=at, name=name, customdata=words)
        | dict(hovertemplate=f"%{{customdata}}: %{{x:.3g}} of 1,000 pieces, {name}<extra></extra>")
        | dict(marker=dict(size=10, color=palette.CLASS_COLORS[c], symbol=palette.CLASS_MARKERS[c]))
        for c, name in enumerate(r.classes)
    ]
    x = dict(type="log", range=[-2, 2.3], tickvals=[0.01, 0.1, 1, 10, 100], ticktext=["0.01", "0.1", "1", "10", "100"])
    return Panel("Of 1,000 pieces", traces, x, row_axis(["prior", *r.labels, "sum"]), gaps)
