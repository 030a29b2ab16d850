"""Chapter 11: the papers' figures once more, drawn from our numbers, each beside the claims that belong to it."""

from __future__ import annotations

import html
import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from io import BytesIO

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from nbcore.checks import one_of
from nbcore.datasets import load_xor
from nbcore.one_hot import dirichlet_experiment, f_bounds, q_factor
from workbook import figures
from workbook.book import ledger
from workbook.explorer.formatting import how_many
from workbook.explorer.html_tables import Table, tables_html
from workbook.figures.series import series_of
from workbook.ledger import Claim
from workbook.ledger.sources import PLACES

from . import experiment
from .experiment import FLAT, NAIVE, VALIDATED

__all__ = ["Gallery", "Redrawn", "redrawn", "show_redrawn"]

DPI, COLORS = 100, 40  # of a picture in the notebook: a dozen kB
CORPORA = {"embedded": "the 7,203 given names of this book", "paper": "the paper's own 7,944 names"}


@dataclass(frozen=True)
class Redrawn:
    """One figure of a paper: what it shows, and how to draw it; its claims are those of its place in the paper."""

    paper: str
    figure: str
    shows: str
    draw: Callable[[], Figure]

    @property
    def claims(self) -> list[Claim]:
        """The ledger's claims about it, or about one of its panels."""
        places = (found for place, found in PLACES[self.paper].items()
                  if re.fullmatch(rf"Figure {re.escape(self.figure)}(\(.\)|, plot .)?", place))  # fmt: skip
        ids = {name for found in places if not isinstance(found, str) for name in found}
        return [claim for claim in ledger(self.paper) if claim.id in ids]

    @property
    def caption(self) -> str:
        return f"Figure {self.figure} of {self.paper}, redrawn: {self.shows}"


def q_on_simplex() -> Figure:
    points = figures.simplex_grid(60)
    return figures.q_on_simplex(points, q_factor(np.column_stack([points, np.zeros(len(points))]))[:, 3])


def bounds_on_f() -> Figure:
    theta = np.linspace(0, 1, 101)
    return figures.bounds_on_f(theta, *f_bounds(theta, 6), 6)


def log_ratios(alpha: float) -> Figure:
    return figures.log_ratio_scatter(*experiment.log_ratios(alpha))


def largest_posteriors() -> Figure:
    return figures.map_scatter(dirichlet_experiment(100, 4, 3, 1.0, rng=0))


def xor_points() -> Figure:
    return figures.labelled_points(load_xor().data, load_xor().target)


def xor_maps() -> Figure:
    return figures.class_maps(experiment.xor_maps(), load_xor().data, load_xor().target)


def _williams() -> list[tuple]:
    scatter = "log ratio of f against that of theta, 150 pairs of random classes, K = 3, alpha ="
    simplex, posteriors = "Q at the fourth value, over the simplex of the other three.", "largest posterior, PoB's"
    posteriors += " against the categorical one, for 100 random classifiers of 4 classes, K = 3, alpha = 1."
    return [
        ("1(a)", simplex, q_on_simplex),
        ("1(b)", "lower and upper bound of f_j for K = 6.", bounds_on_f),
        ("2(a)", f"{scatter} 1.", partial(log_ratios, 1.0)),
        ("2(b)", f"{scatter} 1/3.", partial(log_ratios, 1 / 3)),
        ("3", posteriors, largest_posteriors),
    ]


def _carlos(corpus: str) -> list[tuple]:
    on = f"on {CORPORA[corpus]}, n-grams up to"

    def diagram(rule):
        return figures.reliability_diagram(experiment.diagrams(rule, corpus))

    def spreads():
        return figures.spread_by_features(*experiment.spreads(corpus))

    def accuracies():
        return figures.accuracy_by_confidence(experiment.accuracy_tables(corpus))

    def both_rates():
        return figures.precision_recall_curves(*experiment.precision_recall(corpus))

    all_four = f"{on} 1, 2, 4 and 5."
    known = ", ".join(f"{experiment.features(m, corpus):.0f}" for m in experiment.LENGTHS)
    known = f"The legend counts those that training names have, too: {known}, for the paper's 6, 12, 21 and 24."
    return [
        ("1", f"reliability of naive Bayes {all_four} {known}", partial(diagram, NAIVE)),
        ("2", f"how unevenly posteriors are spread {all_four} The paper's axis goes to .7, ours to .2: it does not say "
              "how it normalises.", spreads),
        ("3", f"accuracy by confidence with the flat k {on} 1, 2 and 5, as the legend's .71, .81 and .85 ask for.",
         accuracies),
        ("4", f"reliability with the k of the flattest histogram {all_four}", partial(diagram, FLAT)),
        ("5", f"reliability with the validated k {all_four}", partial(diagram, VALIDATED)),
        ("6", f"precision and recall by threshold with the flat k {on} 5.", both_rates),
    ]


def _carlos_rakshit() -> list[tuple]:
    learned = "what is learned from these points. Naive Bayes ties everywhere; the nodes decide all four rightly."
    reviews = "learning curves on given names, as this book has no movie reviews; hidden nodes do not help here."
    shapes = "the four shapes; their measures are ours, since the paper prints none."
    return [
        ("1", "the four points of the shifted and scaled XOR.", xor_points),
        ("2", learned, xor_maps),
        ("3", reviews, lambda: figures.learning_curves(experiment.learning_panels(), "Training names")),
        ("4", shapes, lambda: figures.class_maps(experiment.shape_maps())),
    ]


def _every(corpus: str) -> list[Redrawn]:
    one_of("corpus", corpus, CORPORA)
    papers = {
        "Williams (2024)": _williams(),
        "Carlos (2015)": _carlos(corpus),
        "Carlos & Rakshit (2016)": _carlos_rakshit(),
    }
    return [
        Redrawn(paper, figure, shows, draw)
        for paper, rows in papers.items()
        for figure, shows, draw in rows
    ]


def redrawn(corpus: str = "embedded") -> dict[tuple[str, str], Callable[[], Figure]]:
    """(paper, figure) -> a function without arguments that draws it from our numbers.

    corpus: "embedded", or "paper": the names that Carlos (2015) used, downloaded once (FetchError if that fails).
    """
    return {(one.paper, one.figure): one.draw for one in _every(corpus)}


def show_redrawn(paper: str) -> Gallery:
    """The figures of one paper, each with what the ledger says of it: put it last in a cell."""
    every = _every("embedded")
    one_of("paper", paper, dict.fromkeys(one.paper for one in every))
    return Gallery(tuple(one for one in every if one.paper == paper))


@dataclass(frozen=True)
class Gallery:
    """The figures of a paper with captions and claims, behind a line to press; as text how many there are."""

    shown: tuple[Redrawn, ...]

    def __repr__(self) -> str:
        many = sum(len(one.claims) for one in self.shown)
        return f"{how_many(len(self.shown), 'figure')} of {self.shown[0].paper}, {how_many(many, 'claim')}."

    def _repr_html_(self) -> str:
        return f"<details><summary>{html.escape(repr(self))}</summary>{''.join(map(_part, self.shown))}</details>"


def _lines(one: Redrawn) -> list[str]:
    """Return the claims, a line each."""
    return [f"{claim.verdict.upper()}: {claim.statement}" for claim in one.claims] or ["No claim is about it alone."]


def _part(one: Redrawn) -> str:
    """Return a figure: its picture, the caption, the claims about it, and the numbers of its curves."""
    figure, words = one.draw(), html.escape(one.caption)
    source = f"data:image/png;base64,{b64encode(_small_png(figure)).decode()}"
    claims = "".join(f"<li>{html.escape(line)}</li>" for line in _lines(one))
    numbers = tables_html([Table(f"Figure {one.figure}: {title}", *told) for title, *told in series_of(figure)])
    return (
        f'<figure><img style="max-width: 100%" alt="{words}" src="{source}">'
        f"<figcaption><b>{words}</b><ul>{claims}</ul>{numbers}</figcaption></figure>"
    )


def _small_png(figure: Figure) -> bytes:
    """Return a PNG of few colours: enough for lines and flat areas, a third of the size."""
    drawn, small = BytesIO(), BytesIO()
    figure.savefig(drawn, format="png", dpi=DPI)
    Image.open(drawn).convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()
