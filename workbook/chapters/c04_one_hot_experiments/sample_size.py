"""Chapter 04: Monte Carlo error. How far a rate from n random classifiers may lie from the converged one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.one_hot import dirichlet_experiment
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Over, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel
from workbook.ledger.intervals import Z

from .experiment import PAPER, PAPER_CLASSES, PAPER_CLASSIFIERS, Rates, many_rates

__all__ = ["SampleSizeExplorer"]

RUNS = 25
CLOSER = 70  # from so many classifiers on, the axis shows the runs from nearer
SIZES = [20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000]
ROWS = {f"K = {K}, alpha = {'1' if alpha == 1 else f'1/{K}'}": (alpha, K) for alpha, K in reversed(PAPER)}

PAPER_ROW = list(ROWS)[-1]  # K = 3, alpha = 1


@lru_cache(maxsize=len(PAPER))
def pool(alpha: float, K: int) -> np.ndarray:
    """Of enough classifiers for all runs: the share of their K values at which PoB is the surer one."""
    experiment = dirichlet_experiment(RUNS * SIZES[-1], PAPER_CLASSES, K, alpha, rng=[4, K, round(100 * alpha)])
    return experiment.more_confident.mean(axis=1)


@dataclass(frozen=True)
class Runs:
    """The result: RUNS runs of n classifiers, rates and standard errors (RUNS,), and what they converge to."""

    row: str
    K: int
    n: int
    rates: np.ndarray
    errors: np.ndarray
    converged: Rates
    paper: float

    @property
    def truth(self) -> float:
        return self.converged.more_confident[0]

    @property
    def misses(self) -> np.ndarray:
        return np.abs(self.rates - self.truth) > Z * self.errors

    def half(self, n) -> np.ndarray:
        """Half of a 95 % interval from n classifiers."""
        return Z * self.converged.error_of("more_confident", 1) / np.sqrt(n)

    def naive_half(self, n) -> np.ndarray:
        """The same, had each of the n K answers been a draw of its own."""
        return Z * np.sqrt(self.truth * (1 - self.truth) / (n * self.K))


class SampleSizeExplorer(Explorer):
    """Runs of the experiment with n classifiers each, their 95 % intervals, and the width of these against n."""

    n = Steps(PAPER_CLASSIFIERS, SIZES, label="classifiers", say="{:,}".format)
    row = Choice("K = 10, alpha = 1", list(ROWS), label="row")
    seed = IntSlider(0, 0, 20, label="seed")

    presets: ClassVar = {
        "K = 10": Preset(
            "A thousand answers, but of a hundred classifiers: taken for a thousand draws they promise too much.", {}
        ),
        "K = 3, as in the paper": Preset(
            "Each line is the paper's experiment done once more. The diamond is its 82.0: high, but not impossible.",
            dict(row=PAPER_ROW),
        ),
        "n = 20": Preset(
            "Twenty classifiers a run: the rates scatter over more than twenty points.", dict(n=20, row=PAPER_ROW)
        ),
        "n = 2,000": Preset(
            "A hundred times as many classifiers, intervals a tenth as wide.", dict(n=2000, row=PAPER_ROW)
        ),
    }

    def compute(self, n, row, seed) -> Runs:
        alpha, K = ROWS[row]
        shares = np.random.default_rng(seed).permutation(pool(alpha, K))[: RUNS * n].reshape(RUNS, n)
        errors = shares.std(axis=1, ddof=1) / np.sqrt(n)
        return Runs(row, K, n, shares.mean(axis=1), errors, many_rates(K, alpha), PAPER[alpha, K][0])

    def draw(self, result):
        return theme.figure([[runs_panel(result), width_panel(result)]], widths=[1.5, 1])

    def describe(self, result) -> str:
        r = result
        off = (r.paper - r.truth) / r.converged.error_of("more_confident", PAPER_CLASSIFIERS)
        return (
            f"classifiers: {r.n:,} a run, {r.row}. Of {RUNS} runs {RUNS - r.misses.sum()} have an interval that holds "
            f"the converged {100 * r.truth:.1f} %; they end between {100 * r.rates.min():.1f} and "
            f"{100 * r.rates.max():.1f}, a typical interval is ± {100 * r.half(r.n):.2f} "
            f"(± {100 * r.naive_half(r.n):.2f} if all n K answers were draws). "
            f"The paper's {100 * r.paper:.1f}, from {PAPER_CLASSIFIERS}, lies {signed(off, 1)} standard errors off."
        )

    def explain(self, result):
        """Half of the interval: 1.96 standard errors."""
        r = result
        dot = dict(mark="half width", color=palette.OURS)
        half, n = Term(f"{100 * r.half(r.n):.2f}", "± points", **dot), Term(f"{r.n:,}", "classifiers", **dot)
        spread = Term(f"{100 * r.converged.error_of('more_confident', 1):.2f}", "spread of one classifier")
        return [half, f"= {Z:.2f} ·", Over([spread], ["√", n])]


def runs_panel(r: Runs) -> Panel:
    """Every run with its interval; those that miss the converged rate have a sign of their own."""
    order = np.arange(RUNS)
    traces = []
    words = f"a run of {r.n:,}: %{{y:.1f}} %, its interval {{}} the converged rate<extra></extra>"
    for which, name, symbol in ((~r.misses, "holds it", "circle"), (r.misses, "misses it", "x")):
        color = palette.CASES if symbol == "circle" else palette.WRONG
        bars = dict(array=100 * Z * r.errors[which], color=color, thickness=2, width=3)
        mark = dict(size=7, color=color, symbol=symbol)
        traces.append(dict(type="scatter", mode="markers", x=order[which], y=100 * r.rates[which], name=name))
        traces[-1] |= dict(error_y=bars, marker=mark, hovertemplate=words.replace("{}", name.split()[0]))
    diamond = dict(size=13, symbol="diamond-open", color=palette.PRINTED, line=dict(width=2))
    paper = dict(type="scatter", mode="markers", x=[RUNS + 1], y=[100 * r.paper], name="paper, 100", marker=diamond)
    paper |= dict(hovertemplate="the paper's run of 100: %{y:.1f} %<extra></extra>")
    truth = dict(type="line", x0=0, x1=1, xref="domain", y0=100 * r.truth, y1=100 * r.truth)
    x = dict(range=[-1, RUNS + 2.5], tickvals=[], title="run")
    near = r.n >= CLOSER  # it jumps once: before and after, the intervals are seen to shrink
    room = 340 * r.half(CLOSER) if near else 360 * r.half(SIZES[0])
    y = dict(range=[100 * r.truth - room, min(100 * r.truth + room, 103)], nticks=6, title="PoB surer, %")
    return Panel(
        f"{RUNS} runs, line: converged", [*traces, paper], x, y, [truth | dict(line=dict(color=palette.TRUTH, width=3))]
    )


def width_panel(r: Runs) -> Panel:
    """Half width of the interval against n, both logarithmic: a line of slope -1/2."""
    sizes = np.array(SIZES, dtype=float)
    places = np.column_stack([sizes, 100 * r.half(sizes)])
    here = places[SIZES.index(r.n)]
    words = "from %{x:,d} classifiers: ± %{y:.2f} points<extra></extra>"
    line = dict(type="scatter", mode="lines", x=sizes, hovertemplate="%{fullData.name}, " + words)
    dot = dict(type="scatter", mode="markers", x=here[:1], y=here[1:], ids=["half width"], showlegend=False)
    x = dict(type="log", range=[1.2, 3.4], tickvals=[20, 100, 500, 2000], title="classifiers")
    y = dict(type="log", range=[-0.3, 1.2], tickvals=[1, 3, 10], title="± points")
    traces = [
        line
        | dict(y=100 * r.naive_half(sizes), name="if n K draws", line=dict(color=palette.GREY, width=2, dash="dash")),
        line | dict(y=places[:, 1], name="n draws", line=dict(color=palette.OURS, width=3)),
        dot | dict(marker=dict(size=13, color=palette.OURS), hovertemplate=words),
    ]
    return Panel("Half width, 95 %", traces, x, y, handles=[Handle("n", *here, axis="xy", places=places)])
