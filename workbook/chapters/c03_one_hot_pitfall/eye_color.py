"""Chapter 03: hair, eyes and sex of 592 students, read as categories and as bits, the two causes kept apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.datasets import load_hair_eye_color
from nbcore.naive_bayes import BernoulliNB, CategoricalNB
from nbcore.one_hot import posteriors_of_several, q_factor
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, LogSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed, typeset
from workbook.explorer.formula import Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .factor_bounds import BITS, CATEGORICAL

__all__ = ["EyeColorExplorer"]

DATA = load_hair_eye_color()
COLUMNS = list(DATA.feature_names)
VALUES = dict(zip(COLUMNS, ([str(v) for v in names] for names in DATA.categories), strict=True))
UNKNOWN = "unknown"
WORDS = {"hair": " hair", "eye": " eyes", "sex": ""}


@dataclass(frozen=True)
class EyeColor:
    """The result: C classes of the hidden column, and one student whose known columns are the features."""

    alpha: float
    target: str
    classes: list[str]
    seen: list[str]  # the known values, in words
    focus: int  # the class of the sentence and of the log odds
    q: np.ndarray  # (C,) product of the Q factors of the seen values
    posteriors: np.ndarray  # (3, C): categorical; bits with the same theta; bits smoothed as bits
    trail: np.ndarray  # (22, C) the last of them, at every alpha

    @property
    def steps(self) -> np.ndarray:
        """(3,) log odds of the class in focus by categories, what Q adds, what the bits' denominators add."""
        p = self.posteriors
        odds = np.log(p[:, self.focus]) - np.log(np.delete(p, self.focus, axis=1).sum(axis=1))
        return np.array([odds[0], *np.diff(odds)])


@lru_cache(maxsize=16)
def fitted(target: str, features: tuple[str, ...]):
    """Categorical and Bernoulli naive Bayes, fitted once for each choice of columns."""
    columns = [COLUMNS.index(name) for name in features]
    y = DATA.data[:, COLUMNS.index(target)]
    bits = np.hstack([one_hot(DATA.data[:, j], j) for j in columns])
    sizes = [len(DATA.categories[j]) for j in columns]
    return CategoricalNB(min_categories=sizes).fit(DATA.data[:, columns], y), BernoulliNB().fit(bits, y)


def one_hot(codes, column: int) -> np.ndarray:
    """Codes (n,) of a column as bits (n, K)."""
    return np.eye(len(DATA.categories[column]))[codes]


def along_alpha(model: BernoulliNB, bits) -> np.ndarray:
    """Posteriors (22, C) of a row of bits (1, F), at every alpha."""
    there = (model.feature_count_ + ALPHAS[:, None, None]) / (model.class_count_[:, None] + 2 * ALPHAS[:, None, None])
    joint = np.exp(model.class_log_prior_) * np.where(bits, there, 1 - there).prod(axis=-1)
    return joint / joint.sum(axis=1, keepdims=True)


class EyeColorExplorer(Explorer):
    """Posteriors of eq. (2) and (3) of Williams (2024) on R's HairEyeColor, and what smoothing the bits adds."""

    alpha = LogSlider(0, 0.1, 1000, per_decade=5, zero=True, label="alpha")
    target = Choice("sex", ["hair", "eye", "sex"], label="Guess")
    hair = Choice("Brown", [*VALUES["hair"], UNKNOWN], label="Hair")
    eye = Choice("Blue", [*VALUES["eye"], UNKNOWN], label="Eyes")
    sex = Choice("Female", [*VALUES["sex"], UNKNOWN], label="Sex")

    presets: ClassVar = {
        "Blue eyes: blond?": Preset(
            "94 of the 215 blue-eyed students are blond. The bits say 59 in a hundred.",
            dict(target="hair", hair="Blond", sex=UNKNOWN),
        ),
        "The class flips": Preset(
            "Brown hair, blue eyes: the categories say female, just; the bits say male, just.", {}
        ),
        "Sex alone: K = 2": Preset(
            "One yes-or-no question in two columns: the bits exaggerate here too. Section 5 says by how much.",
            dict(target="hair", hair="Blond", eye=UNKNOWN),
        ),
        "alpha = 100": Preset(
            "Now the second cause shows as well: bits and categories are smoothed by different denominators.",
            dict(target="hair", hair="Blond", sex=UNKNOWN, alpha=100),
        ),
    }

    def compute(self, alpha, target, hair, eye, sex) -> EyeColor:
        student = dict(hair=hair, eye=eye, sex=sex)
        features = tuple(name for name in COLUMNS if name != target and student[name] != UNKNOWN)
        classes, truth = VALUES[target], student[target]
        share = np.bincount(DATA.data[:, COLUMNS.index(target)], minlength=len(classes)) / len(DATA.data)
        q, posteriors = np.ones(len(classes)), np.array([share] * 3)
        trail = np.tile(share, (len(ALPHAS), 1))
        if features:
            codes = np.array([[VALUES[name].index(student[name]) for name in features]])
            categorical, bernoulli = (model.smoothed(alpha) for model in fitted(target, features))
            thetas = [np.exp(table) for table in categorical.feature_log_prob_]
            bits = np.hstack([one_hot(codes[:, f], COLUMNS.index(name)) for f, name in enumerate(features)])
            q = np.prod([q_factor(t)[:, j] for t, j in zip(thetas, codes[0], strict=True)], axis=0)
            both = posteriors_of_several(thetas, share, codes)
            posteriors = np.array([both[0][0], both[1][0], bernoulli.predict_proba(bits)[0]])
            trail = along_alpha(bernoulli, bits)
        focus = int(np.argmax(posteriors[0])) if truth == UNKNOWN else classes.index(truth)
        seen = [f"{student[name]}{WORDS[name]}" for name in features]
        return EyeColor(alpha, target, classes, seen, focus, q, posteriors, trail)

    def draw(self, result):
        return theme.figure([[posterior_panel(result), q_panel(result), cause_panel(result)]], widths=[1.5, 0.75, 1.25])

    def describe(self, result) -> str:
        r = result
        one, p = r.classes[r.focus], r.posteriors[:, r.focus]
        _, q, smoothing = r.steps.round(3) + 0.0  # never -0.000
        if not r.seen:
            return f"alpha = {r.alpha:g}, nothing known: every model says P({one}) = {p[0]:.3f}, its plain share."
        wins = [r.classes[c] for c in r.posteriors.argmax(axis=1)]
        flip = f" The bits decide for {wins[2]}, the categories for {wins[0]}." if wins[2] != wins[0] else ""
        return (
            f"alpha = {r.alpha:g}: P({one} | {', '.join(r.seen)}) = {p[0]:.3f} by categories, {p[2]:.3f} by bits. "
            f"In log odds Q adds {signed(q, 3)}, the denominators {signed(smoothing, 3)}.{flip}"
        )

    def explain(self, result):
        """The two causes add up, in log odds."""
        r = result
        categories, q, smoothing = (r.steps.round(3) + 0.0).tolist()  # never -0.000
        total = round(float(r.steps.sum()), 3) + 0.0
        return [
            f"log odds of {r.classes[r.focus]}:", cause(total, "bits"), "=", cause(categories, "cat."),
            *added(q, "Q"), *added(smoothing, "denom."),
        ]  # fmt: skip


ALPHAS = np.array(EyeColorExplorer.alpha.values)
CAUSES = {"cat.": CATEGORICAL, "Q": palette.Q_FACTOR, "denom.": palette.GREY, "bits": BITS}


def cause(value: float, name: str) -> Term:
    """One bar of the log odds."""
    return Term(typeset(f"{value:.3f}"), name, name, CAUSES[name])


def added(value: float, name: str) -> list:
    """The same, with its sign in front."""
    return ["−" if value < 0 else "+", cause(abs(value), name)]


def posterior_panel(r: EyeColor) -> Panel:
    """Side by side: the posterior by categories, by bits with the same theta, and as BernoulliNB smooths it.

    Across the class in focus runs what BernoulliNB says of it, from alpha 0 on the left to the largest on the right.
    """
    at = np.arange(len(r.classes))
    classes = [theme.escape(c) for c in r.classes]
    said = dict(customdata=classes, hovertemplate="%{fullData.name}: P(%{customdata}) = %{y:.3f}<extra></extra>")
    bar = said | dict(type="bar", width=0.36)
    along = f"BernoulliNB at alpha = %{{customdata}}: P({classes[r.focus]}) = %{{y:.3f}}<extra></extra>"
    dot = dict(size=9, color=palette.BLACK)
    mark = dict(symbol="diamond", size=11, color=BITS, line=dict(color=palette.BLACK, width=1.5))
    path = np.column_stack([r.focus + np.linspace(-0.45, 0.45, len(ALPHAS)), r.trail[:, r.focus]])
    here = path[r.alpha == ALPHAS][0]
    trail = dict(type="scatter", mode="lines", x=path[:, 0], y=path[:, 1], customdata=ALPHAS)
    trail |= dict(line=dict(color=palette.BLACK, width=1.5), name=f"alpha 0 to {ALPHAS[-1]:g}", hovertemplate=along)
    traces = [
        bar | dict(x=at - 0.2, y=r.posteriors[0], name="categories", marker=theme.bars(CATEGORICAL)),
        bar | dict(x=at + 0.2, y=r.posteriors[1], name="bits, same θ", marker=theme.bars(BITS, "/")),
        said | dict(type="scatter", mode="markers", x=at + 0.2, y=r.posteriors[2], name="BernoulliNB", marker=mark),
        trail,
        trail | dict(mode="markers", x=here[:1], y=here[1:], customdata=[r.alpha], marker=dot, showlegend=False),
    ]
    focus = dict(type="rect", x0=r.focus - 0.48, x1=r.focus + 0.48, y0=0, y1=1, yref="domain", layer="below")
    focus |= dict(fillcolor="#F2F2F2", line=dict(width=0))
    x = dict(tickvals=at, ticktext=classes, tickangle=0, showgrid=False, range=[-0.55, len(at) - 0.45])
    # Where nothing is chosen, the most probable class is in focus.
    chosen = [*at, r.posteriors[0].argmax()]
    grips = [Handle(r.target, r.focus, 0.95, places=chosen), Handle("alpha", *here, axis="xy", places=path)]
    return Panel("P(class | student)", traces, x, dict(range=[0, 1], nticks=5), [focus], handles=grips)


def q_panel(r: EyeColor) -> Panel:
    """The product of the Q factors in each class."""
    at = np.arange(len(r.classes))
    classes = [theme.escape(c) for c in r.classes]
    bars = dict(type="bar", orientation="h", x=r.q, y=at, width=0.6, showlegend=False)
    bars |= dict(customdata=classes, hovertemplate="%{customdata}: Q = %{x:.3f}<extra></extra>")
    bars["marker"] = dict(color=palette.Q_FACTOR)
    notes = [dict(x=q + 0.04, y=c, xanchor="left", text=f"{q:.2f}") for c, q in enumerate(r.q)]
    y = dict(tickvals=at, ticktext=classes, showgrid=False)
    x = dict(range=[0, 1.5], tickvals=[0, 1])
    return Panel("Factor Q", [bars], x, y | dict(range=[len(at) - 0.4, -0.6]), annotations=notes)


def cause_panel(r: EyeColor) -> Panel:
    """The log odds of the class in focus: by categories, the two causes, and their sum."""
    first, second, total = np.cumsum(r.steps)
    names, heights = list(CAUSES), [*r.steps, total]
    told = ("by categories", "what Q adds", "what the denominators add", "by bits")
    words = [f"{words}: {signed(height, 3)}" for words, height in zip(told, heights, strict=True)]
    bars = dict(
        type="bar", x=np.arange(4), base=[0.0, first, second, 0.0], y=heights, width=0.7, showlegend=False,
        marker=dict(color=list(CAUSES.values())), ids=names, customdata=words,
        hovertemplate="log odds, %{customdata}<extra></extra>",
    )  # fmt: skip
    said = [f"{height:+.2f}" if round(height, 2) else "0" for height in heights]  # a bar of no height is not seen
    tops = np.maximum(ends := np.array([first, second, total, total]), [0.0, first, second, 0.0])
    notes = [
        dict(x=i, y=top, yanchor="bottom", yshift=2, text=typeset(text))
        for i, (top, text) in enumerate(zip(tops, said, strict=True))
    ]
    edge = 1.3 * max(0.2, *np.abs(ends))
    zero = dict(type="line", x0=0, x1=1, xref="domain", y0=0, y1=0, line=dict(color=palette.BLACK, width=1))
    labels = dict(tickvals=np.arange(4), ticktext=names, tickangle=0, showgrid=False)
    one = theme.escape(r.classes[r.focus])
    x, y = labels | dict(range=[-0.6, 3.6]), dict(range=[-edge, edge], nticks=5)
    return Panel(f"Log odds of {one}", [bars], x, y, [zero], notes)
