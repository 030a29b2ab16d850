"""Chapter 02: alpha as imaginary observations, a symmetric Dirichlet prior on the probabilities of K words."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import ClassVar

import numpy as np
from scipy.stats import beta

from workbook.explorer import palette, theme
from workbook.explorer.controls import IntSlider, LogSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import say
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

__all__ = ["PseudoCountExplorer"]

SIZES = (*range(2, 13), 15, 20, 30, 50, 100, 200, 500, 1000)
GRID, AROUND = np.linspace(0, 1, 201), np.linspace(-5, 5, 121)
WORDS = {"posterior mean": "posterior mean", "n / N": "n / N, the share in the data", "1 / K": "1 / K, the prior mean"}
ROWS, WIDE = (5, 10, 20, 32), 1.7  # tokens above each other, and how many columns there are to a row
MOST = 1300  # tokens that are drawn one by one; of more of them a mark stands for ten, or a hundred
MANY, FEW = 100, 4  # from so many other tokens and words on p is small, whatever alpha and n
WORD, OTHERS, REAL, IMAGINARY = "this word", "all other words", "real token", "imaginary token"


@dataclass(frozen=True)
class PseudoCounts:
    """The result: one word's probability p, seen n times among N tokens of K possible words."""

    alpha: float
    n: int
    N: int
    K: int
    p: np.ndarray  # where the densities are drawn, close together where they are steep
    prior: np.ndarray  # density of p before the data
    posterior: np.ndarray  # density after the data
    mean: float  # posterior mean
    interval: tuple[float, float]  # central 95 % of the posterior
    weight: float  # N / (N + alpha K): what the data keep

    @property
    def frequency(self) -> float:
        """n / N, the unsmoothed estimate; nan without data."""
        return self.n / self.N if self.N else np.nan

    @property
    def tokens(self) -> dict[tuple[str, str], float]:
        """How many there are of each kind."""
        others = dict(zip((REAL, IMAGINARY), (self.N - self.n, self.alpha * (self.K - 1)), strict=True))
        own = {REAL: self.n, IMAGINARY: self.alpha}
        return {(WORD, kind): own[kind] for kind in own} | {(OTHERS, kind): others[kind] for kind in others}


def marginal(alpha: float, n: int, N: int, K: int):
    """One coordinate of Dirichlet(alpha + counts) is Beta(alpha + n, alpha (K - 1) + N - n)."""
    return beta(alpha + n, alpha * (K - 1) + N - n)


class PseudoCountExplorer(Explorer):
    """(n + alpha) / (N + alpha K) counts real and imaginary tokens: the posterior mean under Dirichlet(alpha)."""

    alpha = LogSlider(1.0, 0.01, 100, label="alpha")
    n = IntSlider(0, 0, 40, label="n, seen")
    others = IntSlider(8, 0, 160, label="N − n, others")
    K = Steps(6, SIZES, say="{:g}".format, label="K, words")

    presets: ClassVar = {
        "Never seen, still possible": Preset(
            "Tokyo was never seen among 8 tokens about China. One hollow token speaks for it: one of fourteen.", {}
        ),
        "No data: the prior": Preset("Before the first token all are hollow, one for each word.", dict(n=0, others=0)),
        "Data win": Preset("Two hundred solid tokens: six hollow ones hardly matter.", dict(n=40, others=160)),
        "The prior wins": Preset(
            "The same tokens against 600 hollow ones, a hundred for each word.", dict(n=40, others=160, alpha=100)
        ),
        "A large vocabulary": Preset(
            "The same tokens, alpha is 1 again. But a thousand words get a hollow token each.",
            dict(n=40, others=160, K=1000),
        ),
    }

    def compute(self, alpha, n, others, K) -> PseudoCounts:
        N = n + others
        before, after = marginal(alpha, 0, 0, K), marginal(alpha, n, N, K)
        steep = [d.mean() + d.std() * AROUND for d in (before, after)]
        p = np.unique(np.clip(np.concatenate([GRID, *steep]), 0, 1))
        inside = np.clip(
            p, 1e-5, 1 - 1e-5
        )  # a density may be infinite at the ends: the nearest inner point stands there
        return PseudoCounts(
            alpha=alpha,
            n=n,
            N=N,
            K=K,
            p=p,
            prior=before.pdf(inside),
            posterior=after.pdf(inside),
            mean=float(after.mean()),
            interval=tuple(map(float, after.ppf([0.025, 0.975]))),
            weight=N / (N + alpha * K),
        )

    def draw(self, result):
        return theme.figure([[token_panel(result), density_panel(result)]], widths=[1, 1.1])

    def describe(self, result) -> str:
        r = result
        pull = f"the data n/N = {r.n}/{r.N} = {r.frequency:.3f}, weight {r.weight:.2f}, and" if r.N else "no data, only"
        return (
            f"Posterior mean ({r.n} + {r.alpha:g}) / ({r.N} + {r.alpha * r.K:g})"
            f" = {say(r.mean)}: {pull} the prior mean 1/K = {say(1 / r.K)}. "
            f"95 % of the posterior lies in [{r.interval[0]:.3f}, {r.interval[1]:.3f}]."
        )

    def explain(self, result):
        return smoothed_estimate(result)


def smoothed_estimate(r: PseudoCounts) -> list[Part]:
    """(n + alpha) / (N + alpha K)."""
    seen = Term(str(r.n), "n", *((mark(WORD, REAL), palette.BLACK) if r.n else ()))
    alpha = Term(f"{r.alpha:g}", "alpha", mark(WORD, IMAGINARY), palette.GREEN)
    quotient = Over(
        [seen, "+", alpha], [Term(str(r.N), "N"), "+", alpha, "·", Term(str(r.K), "K", "1 / K", palette.GREEN)]
    )
    return [quotient, "=", Term(say(r.mean), "posterior mean", "posterior mean", palette.ESTIMATE)]


def mark(word: str, kind: str) -> str:
    """The name of the tokens of one kind."""
    return f"{kind}, {word}"


def token_panel(r: PseudoCounts) -> Panel:
    """Real tokens solid, imaginary ones hollow: those of this word on the left, all others on the right."""
    unit = 10 ** max(0, ceil(np.log10(sum(r.tokens.values()) / MOST)))
    cells = {key: ceil(count / unit) for key, count in r.tokens.items()}
    own, others = (sum(cells[word, kind] for kind in (REAL, IMAGINARY)) for word in (WORD, OTHERS))
    rows, first = next(fit for fit in places(own, others) if fit)
    columns = WIDE * rows
    size = round(min(18, 0.5 * theme.size().height / rows), 1)
    traces, begin = [], {WORD: 0, OTHERS: first * rows}
    for (word, kind), count in r.tokens.items():
        at = begin[word] + np.arange(cells[word, kind])
        begin[word] += cells[word, kind]
        part = count / unit - (len(at) - 1)  # of the last one, which is as large as that part
        cut = len(at) - (part < 1 - 1e-9)
        traces.append(token_trace(word, kind, count, (at[:cut] // rows, at[:cut] % rows), size))
        if len(at[cut:]):
            last = token_trace(word, kind, count, (at[cut:] // rows, at[cut:] % rows), size * max(0.25, part**0.5))
            traces.append(last | dict(showlegend=False))
    names = dict(tickvals=[0, first + (others // rows) / 2], ticktext=[WORD, OTHERS], ticks="")
    x = dict(range=[-0.6 - 0.06 * columns, columns - 0.4], showgrid=False, **names)
    y = dict(range=[-0.6, rows - 0.4], showgrid=False, tickvals=[])
    title = "Tokens, real and imaginary" + (f": a mark is {unit} of them" if unit > 1 else "")
    return Panel(title, traces, x, y)


def places(own: int, others: int):
    """For every number of rows: (rows, the column where the other words begin) if all the tokens fit, else None."""
    for rows in ROWS:
        first = max(ceil(own / rows) + 1, ceil(0.2 * WIDE * rows))  # room for the name under the word's own
        yield (rows, first) if rows == ROWS[-1] or first + ceil(others / rows) <= WIDE * rows else None


def token_trace(word: str, kind: str, count: float, at: tuple[np.ndarray, np.ndarray], size: float) -> dict:
    """The tokens of one kind, a mark each."""
    symbol, color = ("circle", palette.BLACK) if kind == REAL else ("circle-open", palette.GREEN)
    marker = dict(symbol=symbol, color=color, size=size, line=dict(width=1.5))
    told = f"{word}: {count:g} {kind}{'' if count == 1 else 's'}<extra></extra>"
    points = dict(type="scatter", mode="markers", x=at[0], y=at[1], name=kind, marker=marker, hovertemplate=told)
    return points | dict(showlegend=word == OTHERS, meta=dict(mark=mark(word, kind)))


def density_panel(r: PseudoCounts) -> Panel:
    """Prior and posterior density of p, with the three estimates as lines."""
    top = max(1.2 * np.max(r.posterior[1:-1]), 2.0)
    line = dict(type="scatter", mode="lines", x=r.p)
    line |= dict(hovertemplate="%{fullData.name}: density %{y:.3g} at p = %{x:.3f}<extra></extra>")
    traces = [
        line | dict(y=r.prior, name="prior", line=dict(color=palette.BEFORE, dash="dash", width=2)),
        line | dict(y=r.posterior, name="posterior", line=dict(color=palette.ESTIMATE, width=3), fill="tozeroy",
                    fillcolor=palette.faint(palette.ESTIMATE, 0.25)),
    ]  # fmt: skip
    traces += [marker_line(r.mean, top, "posterior mean", palette.ESTIMATE, "solid")]
    traces += [marker_line(r.frequency, top, "n / N", palette.BLACK, "dot")] if r.N else []
    traces += [marker_line(1 / r.K, top, "1 / K", palette.GREEN, "dashdot")]
    x, y = dict(range=[-0.03 * right_end(r), right_end(r)], title="p"), dict(range=[0, top], nticks=5)
    return Panel("Density of p = P(word | class)", traces, x, y, handles=lines_to_drag(r, top))


def right_end(r: PseudoCounts) -> float:
    """Where the axis of p ends: among so many other tokens and words all estimates lie far to the left."""
    return 0.4 if r.N - r.n >= MANY and r.K >= FEW else 1.0


def lines_to_drag(r: PseudoCounts, top: float) -> list[Handle]:
    """K moves 1/K; n moves n/N, unless there is no other word; alpha moves the mean, unless these two are one."""
    declared = PseudoCountExplorer
    K, n, alpha = (np.array(control.values) for control in (declared.K, declared.n, declared.alpha))
    handles = [Handle("K", x=1 / r.K, y=0.6 * top, places=1 / K, shape="line")]
    if others := r.N - r.n:
        handles.append(Handle("n", x=r.frequency, y=0.85 * top, places=n / (n + others), shape="line"))
    if r.N and r.n * r.K != r.N:
        means = (r.n + alpha) / (r.N + alpha * r.K)
        handles.append(Handle("alpha", x=r.mean, y=0.35 * top, places=means, shape="line"))
    return handles


def marker_line(x: float, top: float, name: str, color: str, dash: str) -> dict:
    """A vertical line with an entry in the legend."""
    line, told = dict(color=color, dash=dash, width=3), f"{WORDS[name]}: p = {x:.3f}<extra></extra>"
    at = dict(type="scatter", mode="lines", x=[x, x], y=[0, top])
    return at | dict(name=name, line=line, hovertemplate=told, meta=dict(mark=name))
