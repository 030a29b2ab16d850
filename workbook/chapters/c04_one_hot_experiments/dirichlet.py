"""Chapter 04: random classifiers, one-hot encoded. Williams (2024), section 3, Figures 2 and 3 and the two tables."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

import ipywidgets as widgets
import numpy as np

from workbook.ledger.intervals import Z
from workbook.page import palette, theme
from workbook.page.controls import IntSlider, Steps
from workbook.page.explorer import Explorer, Preset
from workbook.page.formula import Over, Term
from workbook.page.theme import Panel

from .draws import ALPHAS, Drawn, drawn, half_width, near_slope_two
from .experiment import PAPER, PAPER_CLASSES, Rates, many_rates

__all__ = ["DirichletExplorer", "slopes"]

PRIOR_ALPHAS = (0.1, 1 / 6, *ALPHAS[5:], 100.0, inf)
COUNTS = [round(m * 10**e) for e in (2, 3) for m in (1, 1.5, 2, 3, 5, 7)] + [10_000]
MANY = 100_000
RATES = ("rate of PoB surer", "rate of other class")
MOST_THETAS = 200_000  # drawn in one frame: with many classes and values, fewer than 10,000 classifiers


@dataclass(frozen=True)
class Experiment:
    """The result: the state, what was drawn, and the paper's two rates if the state is a row of its tables."""

    n: int
    C: int
    K: int
    alpha: float
    prior_alpha: float
    drawn: Drawn
    paper: tuple[float, float] | None

    @property
    def rates(self) -> Rates:
        return self.drawn.rates


class DirichletExplorer(Explorer):
    """How often PoB exaggerates, or decides otherwise, among random classifiers: Williams (2024), section 3."""

    alpha = Steps(1.0, ALPHAS, label="alpha")
    K = IntSlider(3, 2, 12, label="K")
    C = IntSlider(4, 2, 6, label="C")
    prior_alpha = Steps(1.0, PRIOR_ALPHAS, label="prior alpha")
    n = Steps(100, COUNTS, label="classifiers", say="{:,}".format)
    seed = IntSlider(0, 0, 20, label="seed")

    presets: ClassVar = {
        "Figure 2(a)": Preset(
            "Steeper than 1 in the middle: PoB counts the same evidence more than once.", dict(n=1000)
        ),
        "Figure 2(b)": Preset(
            "Sparse thetas: the points spread, and some settle on the line of slope 2.", dict(n=1000, alpha=1 / 3)
        ),
        "Figure 3": Preset(
            "The paper's run of 100 classifiers. Other decisions stand on the left, where nobody is sure.", {}
        ),
        "Equal priors": Preset(
            "Nothing pulls against the evidence now, and PoB is nearly always the surer one.",
            dict(n=1000, prior_alpha=inf),
        ),
    }

    def compute(self, alpha, K, C, prior_alpha, n, seed) -> Experiment:
        row = PAPER.get((alpha, K)) if (C, prior_alpha) == (PAPER_CLASSES, 1) else None
        n = min(n, MOST_THETAS // (C * K))
        return Experiment(n, C, K, alpha, prior_alpha, drawn(n, C, K, alpha, prior_alpha, seed), row)

    def draw(self, result):
        panels = [ratio_panel(result.drawn), posterior_panel(result.drawn), rates_panel(result)]
        return theme.figure([panels], widths=[1.2, 1, 0.8])

    def describe(self, result) -> str:
        r = result
        paper = f" (paper: {100 * r.paper[0]:.1f} and {100 * r.paper[1]:.1f})" if r.paper else ""
        equal = ": equal priors" if r.prior_alpha == inf else ""
        return (
            f"alpha = {r.alpha:.3g}, K = {r.K}, C = {r.C}, prior alpha = {r.prior_alpha:.3g}{equal}. "
            f"{r.n:,} classifiers: PoB is surer in {percent(r.rates.more_confident)}, and decides otherwise in"
            f" {percent(r.rates.disagreement)} of the cases{paper}."
        )

    def explain(self, result):
        """Both rates: cases counted, of all values of all classifiers."""
        r = result
        cases = [Term(f"{r.n:,}", "classifiers"), "·", Term(f"{r.K}", "K")]
        rates = r.rates.more_confident[0], r.rates.disagreement[0]
        surer, other = (f"{round(rate * r.n * r.K):,}" for rate in rates)
        ends = [Term(f"{100 * rate:.1f} %", "", name, palette.OURS) for rate, name in zip(rates, RATES, strict=True)]
        crosses = Term(other, "other class", "other class", palette.WRONG)
        return [Over([Term(surer, "PoB surer")], cases), "=", ends[0], ",", Over([crosses], cases), "=", ends[1]]

    def _buttons(self):
        yield from super()._buttons()
        button = widgets.Button(
            description=f"{MANY:,}", icon="forward", tooltip=f"The same rates from {MANY:,} classifiers; about a second"
        )
        button.on_click(lambda _: self.many())
        yield button

    def many(self) -> Rates:
        """The rates of 100,000 classifiers at the present sliders; on the page, the caption counts and then tells."""
        s, view = self.state, self.view

        def progress(done):
            view.caption = f"{done:,} of {MANY:,} classifiers …"

        rates = many_rates(s["K"], s["alpha"], s["prior_alpha"], s["C"], MANY, s["seed"], progress)
        view.caption = (
            f"{MANY:,} classifiers: surer in {percent(rates.more_confident, 2)}, "
            f"decides otherwise in {percent(rates.disagreement, 2)}."
        )
        return rates


def percent(rate: tuple[float, float], digits: int = 1) -> str:
    """A rate with its standard error, as percent with a 95 % interval."""
    return f"{100 * rate[0]:.{digits}f} ± {100 * Z * rate[1]:.{digits}f} %"


def ratio_panel(d: Drawn, title: str = "Log ratios") -> Panel:
    """Figure 2: log f_jc/f_jd against log theta_jc/theta_jd, over the lines of slope 1 and 2."""
    w, near = half_width(d.log_theta), near_slope_two(d.log_theta, d.log_f)
    dots = dict(type="scatter", mode="markers", showlegend=False)
    dots |= dict(hovertemplate="log θ ratio %{x:.2f}, log f ratio %{y:.2f}<extra></extra>")
    clouds = [
        dots | dict(x=d.log_theta[which], y=d.log_f[which], marker=dict(size=size, color=color, opacity=0.8)) | named
        for which, color, size, named in (
            (~near, palette.CASES, 4, {}),
            (near, palette.BITS, 6, dict(name="near slope 2", showlegend=True)),
        )
    ]
    far = np.abs(d.log_theta) > 2
    words = f"beyond ±2:<br>{100 * near.sum() / far.sum():.0f} % near slope 2" if far.any() else "none beyond ±2"
    note = dict(x=0.02, y=0.98, xref="domain", yref="domain", xanchor="left", yanchor="top", align="left", text=words)
    return Panel(
        title,
        [*slopes(w), *clouds],
        dict(range=[-w, w], nticks=5, title="log θ ratio"),
        dict(range=[-2 * w, 2 * w], nticks=5, title="log f ratio"),
        annotations=[note],
    )


def slopes(w: float) -> list[dict]:
    """The lines of slope 1 (categorical) and 2 (odds squared)."""
    line, ends = dict(type="scatter", mode="lines"), np.array([-w, w], dtype=float)
    once, twice = (f"%{{fullData.name}}: the evidence counts {times}<extra></extra>" for times in ("once", "twice"))
    return [
        line | dict(x=ends, y=ends, name="slope 1", line=dict(color=palette.CATEGORICAL, width=4), hovertemplate=once),
        line | dict(x=ends, y=2 * ends, name="slope 2", line=dict(color=palette.BITS, width=1.5, dash="dash"),
                    hovertemplate=twice),
    ]  # fmt: skip


def posterior_panel(d: Drawn) -> Panel:
    """Figure 3: largest posterior under PoB against the categorical one, by whether the decisions agree."""
    words = "%{fullData.name}: largest posterior %{x:.3f} categorical, %{y:.3f} PoB<extra></extra>"
    dots = dict(type="scatter", mode="markers", hovertemplate=words)
    traces = [
        dots
        | dict(x=d.top[which], y=d.top_pob[which], name=name, marker=dict(size=size, color=color, symbol=symbol))
        | dict(meta=dict(mark=name))
        for which, name, size, color, symbol in (
            (~d.disagrees, "same class", 5, palette.CASES, "circle"),
            (d.disagrees, "other class", 6, palette.WRONG, "x"),
        )
    ]
    diagonal = dict(type="line", x0=0, y0=0, x1=1, y1=1, line=dict(color=palette.GUIDE, width=3), layer="below")
    axis = dict(range=[0.15, 1.03], tickvals=[0.2, 0.6, 1])
    return Panel("Largest posterior", traces, axis | dict(title="categorical"), axis | dict(title="PoB"), [diagonal])


def rates_panel(r: Experiment) -> Panel:
    """Both rates with 95 % intervals, the paper's beside them if it gives any."""
    pairs = [r.rates.more_confident, r.rates.disagreement]
    error = dict(array=[100 * Z * e for _, e in pairs], thickness=3, width=8, color=palette.OURS)
    y = [1.0, 0.0]
    traces = [
        dict(type="scatter", mode="markers", x=[100 * rate for rate, _ in pairs], y=y, name="ours, 95 %", error_x=error)
        | dict(marker=dict(size=9, color=palette.OURS), ids=list(RATES), customdata=RATES)
        | dict(hovertemplate="%{customdata}: %{x:.2f} %<extra></extra>")
    ]
    if r.paper:
        diamond = dict(size=13, symbol="diamond-open", color=palette.PRINTED, line=dict(width=2))
        traces.append(dict(type="scatter", mode="markers", x=[100 * p for p in r.paper], y=[0.75, -0.25], name="paper"))
        traces[-1] |= dict(marker=diamond, customdata=RATES)
        traces[-1] |= dict(hovertemplate="%{customdata}, in the paper: %{x:.2f} %<extra></extra>")
    words = [f"PoB surer: {100 * pairs[0][0]:.1f}", f"other class: {100 * pairs[1][0]:.1f}"]
    notes = [
        dict(x=100 * rate, xanchor="right" if rate > 0.5 else "left", y=at + 0.22, text=text)
        for at, (rate, _), text in zip(y, pairs, words, strict=True)
    ]
    x = dict(range=[-3, 103], tickvals=[0, 50, 100], title="% of cases")
    return Panel("Rates", traces, x, dict(range=[-0.4, 1.6], tickvals=y, showticklabels=False), annotations=notes)
