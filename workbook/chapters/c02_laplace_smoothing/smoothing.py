"""Chapter 02: what alpha does to likelihoods, evidence, posterior and log loss, all at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.datasets import END
from nbcore.naive_bayes import CategoricalNB
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, Steps, Text
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed, written
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel
from workbook.items import NAME_CHOICES, Item, isolate_text, label

from .experiment import ALPHAS, Case, document, given_names, tennis

__all__ = ["SmoothingExplorer"]

DAY, DOCUMENT, NAME = "Tennis day", "IIR document", "A given name"
CASES = {DAY: tennis, DOCUMENT: document, NAME: given_names}
MOST_FEATURES = 8
PLACES = np.array([ALPHAS[1] / 3, *ALPHAS[1:]])  # a logarithmic axis has no 0: it gets a place at the left end


@dataclass(frozen=True)
class Smoothing:
    """The result: two classes, and the item's F features (the strongest ones if there are too many to draw)."""

    alpha: float
    case: Case
    what: str  # the item in words
    item: Item
    shown: np.ndarray  # (F,) which features are drawn
    likelihoods: np.ndarray  # (2, F) P(feature | class) at alpha
    raw_likelihoods: np.ndarray  # (2, F) the same at alpha = 0
    prior_log_odds: float
    log_odds: np.ndarray  # (F,) for the second class against the first, all occurrences of a feature together
    rest: np.ndarray  # log odds of the features that are not drawn
    posterior: np.ndarray  # (2,)
    raw_posterior: np.ndarray  # (2,) at alpha = 0
    impossible: bool  # both classes have probability 0

    @property
    def features(self) -> list[str]:
        return [self.item.features[f] for f in self.shown]

    @property
    def labels(self) -> list[str]:
        """The same as the figure shows them."""
        return [label(f, n) for f, n in zip(self.features, self.item.times[self.shown], strict=True)]


class SmoothingExplorer(Explorer):
    """Smoothed likelihoods (count + alpha) / (total + alpha K): Manning et al. (2008), eq. (13.7) for alpha = 1."""

    data = Choice(NAME, list(CASES), label="Data")
    alpha = Steps(1.0, ALPHAS, say="{:g}".format, label="alpha")
    name = Text("Gloria", label="Name", forbidden=END, chosen=NAME_CHOICES, when={"data": NAME})

    presets: ClassVar = {
        "Overcast day: a veto": Preset(
            "Without its sky this day is a No, with .812. One zero count, and nothing else is heard.",
            dict(data=DAY, alpha=0),
        ),
        "Laplace: a vote": Preset(
            "One imaginary day for every value: Overcast still speaks for Yes, and the others speak again.",
            dict(data=DAY, alpha=1),
        ),
        "Gloria, certainly male": Preset(
            "Four trigrams say female. The fifth stood in one male name and in no female one.", dict(data=NAME, alpha=0)
        ),
        "Best on held-out names": Preset(
            "Names that were kept aside choose alpha: with less the model overfits, with more it forgets.",
            lambda: dict(data=NAME, alpha=given_names().best_alpha),
        ),
    }

    def compute(self, data, alpha, name) -> Smoothing:
        case = CASES[data]()
        item = case.item(name)
        model, raw = case.model.smoothed(alpha), case.model.smoothed(0)
        terms = model.feature_contributions(item.row)[0][:, item.columns]
        raw_terms = raw.feature_contributions(item.row)[0][:, item.columns]
        log_odds = terms[1] - terms[0]
        shown = np.sort(np.argsort(-np.abs(log_odds), kind="stable")[:MOST_FEATURES])
        return Smoothing(
            alpha=alpha,
            case=case,
            what=f"“{isolate_text(name)}”" if data == NAME else f"this {data.split()[1]}",
            item=item,
            shown=shown,
            likelihoods=np.exp(terms / item.times)[:, shown],
            raw_likelihoods=np.exp(raw_terms / item.times)[:, shown],
            prior_log_odds=float(model.class_log_prior_[1] - model.class_log_prior_[0]),
            log_odds=log_odds[shown],
            rest=np.delete(log_odds, shown),
            posterior=model.predict_proba(item.row)[0],
            raw_posterior=raw.predict_proba(item.row)[0],
            impossible=bool(np.isneginf(model.predict_joint_log_proba(item.row)).all()),
        )

    def draw(self, result):
        left, right = [likelihood_panel(result), evidence_panel(result)], [posterior_panel(result), loss_panel(result)]
        return theme.figure(list(zip(left, right, strict=True)), widths=[1.8, 1])

    def describe(self, result) -> str:
        case, held_out = result.case, result.case.losses[:, 1]
        now = held_out[ALPHAS.index(result.alpha)]
        loss = "infinite" if np.isinf(now) else f"{now:.3f}"
        dropped = f" ({result.item.unseen} of its features never seen, dropped)" if result.item.unseen else ""
        return (
            f"alpha = {result.alpha:g}: {self._finding(result)}{dropped}. Log loss on {case.held_out}: {loss}; "
            f"the least is {held_out.min():.3f}, at alpha = {case.best_alpha:g}."
        )

    def explain(self, result):
        return smoothed_likelihood(result) if result.features else nothing_but_the_prior(result)

    def _finding(self, r) -> str:
        if r.impossible:
            return f"each class has a zero among its factors, both call {r.what} impossible, only the prior is left"
        if not (r.likelihoods > 0).all():
            c, f = np.argwhere(r.likelihoods == 0)[0]
            veto, wins = r.case.classes[c], r.case.classes[1 - c]
            return f"{r.features[f]} was never seen with {veto}, so {veto} is impossible and P({wins} | {r.what}) = 1"
        return f"P({r.case.classes[1]} | {r.what}) = {r.posterior[1]:.3f}, unsmoothed {r.raw_posterior[1]:.3f}"


def smoothed_likelihood(r: Smoothing) -> list[Part]:
    """(count + alpha) / (total + alpha K) of the feature and the class with the least of them, often a zero."""
    c, f = np.unravel_index(np.argmin(r.raw_likelihoods), r.raw_likelihoods.shape)
    count, total, size = counts_of(r, c, r.item.columns[r.shown[f]])
    name, alpha = (
        f"P({label(r.features[f])} | {theme.escape(r.case.classes[c])})",
        Term(f"{r.alpha:g}", "alpha", "alpha"),
    )
    quotient = Over(
        [Term(f"{count:,.0f}", "count"), "+", alpha],
        [Term(f"{total:,.0f}", "N"), "+", alpha, "·", Term(f"{size:,}", "K")],
    )
    bar = f"likelihood {c} {f}", palette.CLASS_COLORS[c], palette.CLASS_PATTERNS[c]
    return [quotient, "=", Term(written(r.likelihoods[c, f]), name, *bar)]


def counts_of(r: Smoothing, c: int, column: int) -> tuple[float, float, int]:
    """How often a column's feature stands in a class, of how many days or tokens, and the number K of its rivals."""
    model = r.case.model
    if isinstance(model, CategoricalNB):
        table = model.category_count_[column]
        return table[c, r.item.row[0, column]], model.class_count_[c], table.shape[1]
    return model.feature_count_[c, column], model.feature_count_[c].sum(), model.n_features_in_


def nothing_but_the_prior(r: Smoothing) -> list[Part]:
    """No feature of the item was ever seen."""
    name, look = theme.escape(r.case.classes[0]), (palette.CLASS_COLORS[0], palette.CLASS_PATTERNS[0])
    prior = Term(f"{np.exp(r.case.model.class_log_prior_[0]):.3f}", f"P({name})")
    return [Term(f"{r.posterior[0]:.3f}", f"P({name} | item)", "posterior 0", *look), "=", prior]


def likelihood_panel(r: Smoothing) -> Panel:
    """P(feature | class): filled at alpha, outlined without smoothing; what vanishes leaves a 0.

    Bars where they start at 0; trigrams are so rare that only a logarithmic axis shows them, which has no 0: dots
    at alpha, and dashes without smoothing.
    """
    rare = r.case is given_names()
    decades = dict(tickvals=[1e-8, 1e-6, 1e-4, 1e-2], ticktext=["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²"])
    axis = dict(type="log", range=[-8, -1]) | decades if rare else dict(range=[0, 1])
    at, traces, notes = np.arange(len(r.shown)), [], []
    for c, shift in enumerate((-0.2, 0.2)):
        name = theme.escape(r.case.classes[c])
        told = f"P(%{{customdata}} | {name}) = %{{y:.3g}} at alpha = "
        place = dict(x=at + shift, customdata=list(map(label, r.features)))
        filled = dict(y=r.likelihoods[c], name=name, ids=[f"likelihood {c} {f}" for f in at])
        filled["hovertemplate"] = f"{told}{r.alpha:g}<extra></extra>"
        outlined = dict(y=r.raw_likelihoods[c], name="unsmoothed", showlegend=c == 1)
        outlined["hovertemplate"] = f"{told}0<extra></extra>"
        looks = dots(c) if rare else bars(c)
        traces += [place | look | mark for look, mark in zip(looks, (filled, outlined), strict=True)]
        color = dict(color=palette.CLASS_COLORS[c])
        zeros = np.flatnonzero(r.likelihoods[c] == 0)
        notes += [dict(x=at[f] + shift, y=0, yref="domain", yanchor="bottom", text="0", font=color) for f in zeros]
    return Panel("P(feature | class)", traces, label_axis(r.labels), axis, annotations=notes)


def bars(c: int) -> tuple[dict, dict]:
    """A class as bars, at alpha and without smoothing."""
    bar = dict(type="bar", width=0.36)
    return bar | dict(marker=theme.CLASS_BARS[c]), bar | dict(marker=theme.OUTLINE)


def dots(c: int) -> tuple[dict, dict]:
    """A class as dots at alpha, as dashes without smoothing."""
    dot = dict(type="scatter", mode="markers")
    filled = dict(symbol=palette.CLASS_MARKERS[c], size=10, color=palette.CLASS_COLORS[c])
    dash = dict(symbol="line-ew-open", size=22, color=palette.BLACK, line=dict(width=2))  # the sign of neither class
    return dot | dict(marker=filled), dot | dict(marker=dash)


def evidence_panel(r: Smoothing) -> Panel:
    """Log odds as a waterfall: the prior, each feature, their sum; an infinite step runs off the edge."""
    more, others = [r.rest.sum()] * (len(r.rest) > 0), [f"+{len(r.rest)}"] * (len(r.rest) > 0)
    steps = np.array([r.prior_log_odds, *r.log_odds, *more])
    total = 0.0 if r.impossible else steps.sum()
    walk = np.cumsum(np.where(np.isfinite(steps), steps, 0.0))
    edge = 1.2 * max(2.0, np.abs(walk).max())
    heights = np.clip([*steps, total], -3 * edge, 3 * edge)
    sides = (heights > 0).astype(int)
    names = ["prior", *r.labels, *others, "sum"]
    told = [*map(signed, steps), "undefined, ∞ − ∞" if r.impossible else signed(total)]
    bars = dict(
        type="bar",
        x=np.arange(len(heights)),
        base=[0.0, *walk[:-1], 0.0],
        y=heights,
        width=0.7,
        showlegend=False,
        marker=theme.class_marker(sides),
        customdata=[f"{name}: log odds {step}" for name, step in zip(names, told, strict=True)],
        hovertemplate="%{customdata}<extra></extra>",
    )
    notes = [
        dict(x=i, y=side, yref="domain", yanchor="top" if side else "bottom", text="↑ +∞" if side else "↓ −∞")
        | dict(bgcolor="white")
        for i, (height, side) in enumerate(zip([*steps, total], sides, strict=True))
        if np.isinf(height)
    ]
    zero = dict(type="line", x0=0, x1=1, xref="domain", y0=0, y1=0, line=dict(color=palette.BLACK, width=1))
    first, second = map(theme.escape, r.case.classes)
    axis = label_axis(["prior", *map(label, r.features), *others, "sum"])
    return Panel(
        f"Log odds: up for {second}, down for {first}", [bars], axis, dict(range=[-edge, edge], nticks=4), [zero], notes
    )


def posterior_panel(r: Smoothing) -> Panel:
    """The posterior of both classes: filled at alpha, outlined without smoothing, name and number at the right."""
    names = [theme.escape(name) for name in r.case.classes]
    bar = dict(type="bar", orientation="h", y=[0, 1], showlegend=False, customdata=names)
    told = "P(%{customdata} | item) = %{x:.3g} at alpha = "
    pattern = theme.CLASS_BARS[0]["pattern"] | dict(shape=palette.CLASS_PATTERNS[:2])
    filled = dict(x=r.posterior, width=0.56, marker=dict(color=palette.CLASS_COLORS[:2], pattern=pattern))
    filled |= dict(ids=["posterior 0", "posterior 1"], hovertemplate=f"{told}{r.alpha:g}<extra></extra>")
    outlined = dict(x=r.raw_posterior, width=0.8, marker=theme.OUTLINE, hovertemplate=f"{told}0<extra></extra>")
    words = [dict(x=1.05, y=c, xanchor="left", text=f"{names[c]} {p:.3f}") for c, p in enumerate(r.posterior)]
    x, y = dict(range=[0, 2.1], tickvals=[0, 0.5, 1]), dict(tickvals=[], range=[-0.6, 1.6], showgrid=False)
    return Panel("P(class | item)", [bar | filled, bar | outlined], x, y, annotations=words)


def loss_panel(r: Smoothing) -> Panel:
    """Log loss against alpha on training and held-out items; a line at the present alpha, a ring at the best."""
    now, best = ALPHAS.index(r.alpha), ALPHAS.index(r.case.best_alpha)
    finite = np.where(np.isfinite(r.case.losses), r.case.losses, np.nan)
    top = min(1.1 * np.nanmax(finite), 1.5)
    told = "%{fullData.name}: log loss %{y:.3f} at alpha = %{customdata}<extra></extra>"
    line = dict(type="scatter", mode="lines", x=PLACES, customdata=ALPHAS, hovertemplate=told)
    ring = dict(symbol="circle-open", size=14, color=palette.TRUTH, line=dict(width=3))
    traces = [
        line | dict(y=finite[:, 0], name="training", line=dict(color=palette.BEFORE, dash="dash", width=2)),
        line | dict(y=finite[:, 1], name="held out", line=dict(color=palette.TRUTH, width=3)),
        line | dict(mode="markers", x=PLACES[[best]], y=finite[[best], 1], name="best", marker=ring)
        | dict(customdata=[r.case.best_alpha]),
    ]  # fmt: skip
    here = dict(type="line", x0=PLACES[now], x1=PLACES[now], y0=0, y1=1, yref="domain", name="alpha")
    here["line"] = dict(color=palette.NOW, width=2)
    grip = Handle("alpha", x=PLACES[now], y=min(r.case.losses[now, 1], top), places=PLACES, shape="line")
    ticks = [0.01, 1, 100]
    x = dict(type="log", tickvals=[PLACES[0], *ticks], ticktext=["0", *map(str, ticks)], title="alpha")
    x["range"] = [np.log10(PLACES[0]) - 0.1, np.log10(PLACES[-1])]
    y = dict(range=[0, top], nticks=4)
    return Panel("Log loss against alpha", traces, x, y, [here], handles=[grip])


def label_axis(labels) -> dict:
    """A label under every bar."""
    at = np.arange(len(labels))
    return dict(tickvals=at, ticktext=labels, tickangle=0, range=[-0.6, len(labels) - 0.4], showgrid=False)
