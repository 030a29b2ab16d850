"""Chapter 06: each way to mend the posteriors as a curve over the log odds of naive Bayes, with the truth beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import beta

from nbcore.perplexed import attenuated_posterior
from workbook.chapters.names import names_split
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider, LogSlider, Toggle
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed, typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import PEERS, calibrated_k, decisions_changed, log_odds, peer_curve, peer_posterior, scores

__all__ = ["CurvesExplorer"]

LENGTH = 5  # the longest n-grams
NAIVE, TEMPERATURE, K, PLATT, ISOTONIC, TRAP = "naive Bayes", "temperature", "eq. (20)", *list(PEERS)[1:]
ALL = "all together"
METHODS = [TEMPERATURE, K, PLATT, ISOTONIC, TRAP]
LINES = {  # colour and dash; eq. (20) is a dot for each name
    NAIVE: (palette.NAIVE_BAYES, "dot"), TEMPERATURE: (palette.ATTENUATED, "dash"), K: (palette.ATTENUATED, "solid"),
    PLATT: (palette.ORANGE, "solid"), ISOTONIC: (palette.SKY, "dashdot"), TRAP: (palette.GREY, "longdash"),
}  # fmt: skip
SHORT = {TEMPERATURE: "temp.", K: "(20)", PLATT: "Platt", ISOTONIC: "isot.", TRAP: "trap"}
FAR, NEAR = (40.0, 12.0), (6.0, 4.0)  # how far to both sides, and at which s the grip stands
GROUPS = 20
LOW, HIGH = -0.06, 1.06  # where the names stand: the women under the curves, the men above


@dataclass(frozen=True)
class Truth:
    """Test names in groups of one size along s: the share of men, and where it may lie (95 %, Clopper and Pearson)."""

    group: np.ndarray  # of every name
    s: np.ndarray
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def missed(self, male: np.ndarray) -> int:
        """In how many groups the mean of P(male), (n,), lies outside."""
        said = np.bincount(self.group, male) / np.bincount(self.group)
        return int(np.sum((said < self.low - 1e-12) | (said > self.high + 1e-12)))


@lru_cache(maxsize=10)
def truth_of(seed: int) -> Truth:
    """Group the test names by their log odds s, and count how many of each group are male."""
    test = names_split(LENGTH, seed).test
    s, group = log_odds(test), np.empty(len(test.y), dtype=int)
    for number, rows in enumerate(np.array_split(np.argsort(s, kind="stable"), GROUPS)):
        group[rows] = number
    n, men = np.bincount(group), np.bincount(group, test.y)
    low = np.where(men > 0, beta.ppf(0.025, np.maximum(men, 1), n - men + 1), 0.0)
    high = np.where(men < n, beta.ppf(0.975, men + 1, np.maximum(n - men, 1)), 1.0)
    return Truth(group, np.bincount(group, s) / n, men / n, low, high)


@dataclass(frozen=True)
class Found:
    """Hold a method's P(male) of each test name, decisions changed, accuracy, log loss, and groups missed."""

    male: np.ndarray
    changed: int
    right: float
    loss: float
    missed: int


def found(seed: int, proba: np.ndarray) -> Found:
    """Judge posteriors (n, 2) of the test names."""
    split = names_split(LENGTH, seed)
    y, male = split.test.y, proba[:, 1]
    right = float(np.mean(proba.argmax(axis=1) == y))
    return Found(male, decisions_changed(split, proba), right, scores(y, proba).log_loss, truth_of(seed).missed(male))


@lru_cache(maxsize=10 * 6)
def fitted(seed: int, method: str) -> Found:
    """A method as it was fitted to the validation names, and naive Bayes."""
    split = names_split(LENGTH, seed)
    if method == K:
        return found(seed, attenuated_posterior(*split.test.evidence, calibrated_k(split)))
    return found(seed, both(expit(log_odds(split.test))) if method == NAIVE else peer_posterior(split, method))


@lru_cache(maxsize=10 * 4)
def cut_of(seed: int, method: str) -> float:
    """The s at which a fitted curve passes one half."""
    curve = peer_curve(names_split(LENGTH, seed), method)
    return float(brentq(lambda s: curve(np.array([s]))[0] - 0.5, -FAR[0], FAR[0]))


def both(male: np.ndarray) -> np.ndarray:
    """P(female), P(male)."""
    return np.column_stack([1 - male, male])


@dataclass(frozen=True)
class Curves:
    """The result: the state, what the method finds, and its curves on the grid s by name."""

    method: str
    T: float
    near: bool
    seed: int
    s: np.ndarray
    lines: dict[str, np.ndarray]
    own: Found

    @property
    def truth(self) -> Truth:
        return truth_of(self.seed)

    @property
    def naive(self) -> Found:
        return fitted(self.seed, NAIVE)

    @property
    def all(self) -> dict[str, Found]:
        """Return the judged posteriors of each method; a temperature changes no decision, whatever T is."""
        return {method: fitted(self.seed, method) for method in METHODS}

    @property
    def cut(self) -> float:
        """Return the log odds s at which the method's P(male) passes one half."""
        return cut_of(self.seed, self.method) if self.method in (PLATT, ISOTONIC, TRAP) else 0.0

    @property
    def at(self) -> float:
        """The s at which the grip of T stands."""
        return (NEAR if self.near else FAR)[1]


class CurvesExplorer(Explorer):
    """P(male) over the log odds s of naive Bayes: temperature, eq. (20), Platt, isotonic, a sigmoid of a sigmoid."""

    method = Choice(TEMPERATURE, [*METHODS, ALL], label="method")
    T = LogSlider(3.98, 1, 20, per_decade=40, label="T", when={"method": TEMPERATURE})
    seed = IntSlider(0, 0, 9, label="split seed")
    near = Toggle(False, label="look near s = 0")

    presets: ClassVar = {
        "Naive Bayes": Preset("Temperature 1: far too steep. The truth rises slowly, this curve jumps.", dict(T=1.0)),
        "Stretch": Preset("A temperature stretches the curve. It turns about s = 0, so no decision changes.", {}),
        "Shift": Preset(
            "Platt stretches and shifts: the curve passes one half to the left of 0. The names between change sides.",
            dict(method=PLATT, near=True),
        ),
        "Any rising curve": Preset(
            "Isotonic may take any rising form: it follows the validation names, their luck included.",
            dict(method=ISOTONIC),
        ),
        "The trap": Preset(
            "A sigmoid of a sigmoid: it has used up its range before the log odds have said half of what they know.",
            dict(method=TRAP),
        ),
        "All": Preset("Stretch and shift can hardly be told apart; the trap can.", dict(method=ALL)),
    }

    def compute(self, method, T, seed, near) -> Curves:
        split, reach = names_split(LENGTH, seed), (NEAR if near else FAR)[0]
        s = np.linspace(-reach, reach, 321)
        lines = {NAIVE: expit(s)}
        if method == TEMPERATURE:
            lines[TEMPERATURE] = expit(s / T)
            own = found(seed, both(expit(log_odds(split.test) / T)))
        else:
            lines |= {name: peer_curve(split, name)(s) for name in PEERS if method in (name, ALL)}
            own = fitted(seed, NAIVE if method == ALL else method)
        return Curves(method, T, near, seed, s, lines, own)

    def draw(self, result):
        return theme.figure([[curves_panel(result), changes_panel(result)]], widths=[3.4, 1])

    def explain(self, result) -> list[Part]:
        r = result
        if r.method == ALL:
            return all_explained(r)
        return {TEMPERATURE: stretched, K: attenuated, PLATT: shifted, ISOTONIC: free, TRAP: trapped}[r.method](r)

    def describe(self, result) -> str:
        r = result
        if r.method == ALL:
            told = ", ".join(f"{name} {f.changed} ({f.loss:.3f})" for name, f in r.all.items())
            return (
                f"Split {r.seed}. Decisions changed, of {len(r.own.male):,}, and log loss: {told}; "
                f"naive Bayes {r.naive.loss:.3f}."
            )
        name = f"temperature {r.T:g}" if r.method == TEMPERATURE else r.method
        own, naive = r.own, r.naive
        return (
            f"Split {r.seed}, {name}: {own.changed} of {len(own.male):,} decisions changed; right {own.right:.3f}, "
            f"naive Bayes {naive.right:.3f}. Log loss {own.loss:.3f}, naive Bayes {naive.loss:.3f}. It misses the "
            f"bar of the truth in {own.missed} of {GROUPS} groups, naive Bayes in {naive.missed}."
        )


# --- the equation -------------------------------------------------------------------------------------------------


def stretched(r: Curves) -> list[Part]:
    """The temperature at the grip."""
    now = r.at / r.T
    value = Term(f"{expit(now):.3f}", "P(male)", TEMPERATURE, LINES[TEMPERATURE][0])
    naive = Term(f"{expit(r.at):.3f}", "naive Bayes", NAIVE, LINES[NAIVE][0])
    quotient = Over([Term(f"{r.at:g}", "s")], [Term(f"{r.T:g}", "T")])
    return ["sigmoid(", quotient, ") = sigmoid(", Term(f"{now:.2f}", "stretched"), ") =", value, "instead of", naive]


def attenuated(r: Curves) -> list[Part]:
    """Eq. (20) as a temperature of each name."""
    split = names_split(LENGTH, r.seed)
    k, n = calibrated_k(split), np.quantile(split.test.evidence[2], [0.05, 0.95]).round()
    parts: list[Part] = ["T = (n + 1) / k:"]
    for features in n:
        whole = Over([Term(f"{features:g}", "n"), "+ 1"], [Term(f"{k:.2f}", "k")])
        parts += [whole, "=", Term(f"{(features + 1) / k:.2f}", "T"), "," if features == n[0] else "; one half at s ="]
    return [*parts, Term("0", "s", "cut", LINES[K][0])]


def shifted(r: Curves) -> list[Part]:
    """Platt's line, and where it is 0."""
    one, zero = logit(peer_curve(names_split(LENGTH, r.seed), PLATT)(np.array([1.0, 0.0])))
    line = [Term(f"{one - zero:.3f}", "w"), "· s +", Term(typeset(f"{zero:.3f}"), "b")]
    return ["sigmoid(", *line, ") = 1/2 at s =", Term(signed(r.cut), "−b / w", "cut", LINES[PLATT][0])]


def free(r: Curves) -> list[Part]:
    """Return how low and how high isotonic regression goes, and where it passes one half."""
    ends = r.own.male.min(), r.own.male.max()
    low, high = (Term(f"{end:.3f}", word) for end, word in zip(ends, ("lowest", "highest"), strict=True))
    cut = Term(signed(r.cut), "", "cut", LINES[ISOTONIC][0])
    return ["any rising curve: from", low, "to", high, "; P(male) = 1/2 at s =", cut]


def trapped(r: Curves) -> list[Part]:
    """The ends of a sigmoid whose argument lies between 0 and 1."""
    b, whole = logit(peer_curve(names_split(LENGTH, r.seed), TRAP)(np.array([-700.0, 700.0])))
    ends = Term(f"{expit(b):.3f}", "lowest", TRAP, LINES[TRAP][0]), Term(f"{expit(whole):.3f}", "highest")
    w = Term(f"{whole - b:.2f}", "w")
    return ["sigmoid(", w, "· P +", Term(typeset(f"{b:.2f}"), "b"), "), P from 0 to 1 =", ends[0], "to", ends[1]]


def all_explained(r: Curves) -> list[Part]:
    """Return the line of the log odds at which each peer passes one half."""
    parts: list[Part] = ["P(male) = 1/2 at s ="]
    for name in PEERS:
        at = 0.0 if name == TEMPERATURE else cut_of(r.seed, name)
        parts += [Term(signed(at) if at else "0", name, name, LINES[name][0]), ","]
    return parts[:-1]


# --- the picture --------------------------------------------------------------------------------------------------


def curves_panel(r: Curves) -> Panel:
    """Curves over s, the names below and above, the truth with its bars."""
    traces = [*names_traces(r), *truth_traces(r)]
    if r.method == K:
        traces.append(cloud(r))
    words = "%{fullData.name}: P(male) = %{y:.3f} at s = %{x:.1f}<extra></extra>"
    for name, p in r.lines.items():
        color, dash = LINES[name]
        line = dict(color=color, dash=dash, width=2 if name == NAIVE else 3)
        traces.append(dict(type="scatter", mode="lines", x=r.s, y=p, name=name, line=line, hovertemplate=words)
                      | dict(meta=dict(mark=name)))  # fmt: skip
    shapes, handles = [], []
    if r.method == TEMPERATURE:
        places = expit(r.at / np.array(CurvesExplorer.T.values))
        handles = [Handle("T", r.at, expit(r.at / r.T), axis="y", places=places)]
    elif r.method != ALL:
        cut = dict(type="line", x0=r.cut, x1=r.cut, y0=0, y1=0.5, name="cut")
        shapes = [cut | dict(line=dict(color=LINES[r.method][0], width=2, dash="dash"))]
    half = dict(type="line", x0=0, x1=0, y0=0, y1=1, line=dict(color=palette.PALE, width=2))
    x = dict(range=[r.s[0], r.s[-1]], title="s, log odds of naive Bayes for male", nticks=9)
    y = dict(range=[-0.12, 1.12], tickvals=[0, 0.25, 0.5, 0.75, 1])
    title = "P(male); names: women below, men above"
    return Panel(title, traces, x, y, [half, *shapes], handles=handles, narrow=1.6)


def names_traces(r: Curves) -> list[dict]:
    """A stroke for every name, and a larger black one, which says the name, for each that is decided otherwise."""
    test = names_split(LENGTH, r.seed).test
    s, inside = log_odds(test), np.abs(log_odds(test)) <= r.s[-1]
    traces = []
    for c, (name, y) in enumerate((("female", LOW), ("male", HIGH))):
        x = s[inside & (test.y == c)]
        marker = dict(symbol="line-ns", size=8, color=palette.CLASS_COLORS[c], opacity=0.45, line=dict(width=1))
        traces.append(dict(type="scatter", mode="markers", x=x, y=np.full(len(x), y), marker=marker, name=name)
                      | dict(hoverinfo="skip", showlegend=False))  # fmt: skip
    if r.own.changed:
        proba = both(r.own.male)
        other = inside & (proba.argmax(axis=1) != (s > 0))
        words = [f"{name}: s = {signed(at, 1)}, now {p:.3f}"
                 for name, at, p in zip(test.names[other], s[other], r.own.male[other], strict=True)]  # fmt: skip
        marker = dict(symbol="line-ns", size=16, color=palette.WRONG, line=dict(width=2))
        traces.append(dict(type="scatter", mode="markers", x=s[other], y=np.where(test.y[other], HIGH, LOW))
                      | dict(marker=marker, name="decided otherwise", text=words)
                      | dict(hovertemplate="%{text}<extra></extra>"))  # fmt: skip
    return traces


def truth_traces(r: Curves) -> list[dict]:
    """The share of men in each group, with a bar for what 95 % of the luck explains."""
    t = r.truth
    seen = np.abs(t.s) <= r.s[-1]
    x, gap = t.s[seen], np.full(seen.sum(), np.nan)
    upright = np.column_stack([t.low[seen], t.high[seen], gap]).ravel()
    bars = dict(type="scatter", mode="lines", x=np.repeat(x, 3), y=upright, hoverinfo="skip", showlegend=False)
    count = np.bincount(t.group)[seen]
    words = [f"{n} names: {share:.3f} are men, {low:.3f} to {high:.3f} would be luck" for n, share, low, high
             in zip(count, t.share[seen], t.low[seen], t.high[seen], strict=True)]  # fmt: skip
    dots = dict(type="scatter", mode="markers", x=x, y=t.share[seen], name="truth", text=words)
    return [
        bars | dict(line=dict(color=palette.TRUTH, width=3)),
        dots | dict(marker=dict(size=9, color=palette.TRUTH, symbol="diamond"), hovertemplate="%{text}<extra></extra>"),
    ]


def cloud(r: Curves) -> dict:
    """Eq. (20): no curve, for names of one s but of other lengths get other posteriors."""
    test = names_split(LENGTH, r.seed).test
    s = log_odds(test)
    inside = np.abs(s) <= r.s[-1]
    marker = dict(size=4, color=LINES[K][0], symbol="diamond", opacity=0.6)
    words = "eq. (20), %{customdata} n-grams: P(male) = %{y:.3f} at s = %{x:.1f}<extra></extra>"
    return dict(type="scatter", mode="markers", x=s[inside], y=r.own.male[inside], name=K, marker=marker) | dict(
        customdata=test.evidence[2][inside].astype(int), hovertemplate=words
    )


def changes_panel(r: Curves) -> Panel:
    """Return how many decisions each method changes."""
    counts = [r.all[method].changed for method in METHODS]
    seats = np.arange(len(METHODS))[::-1]
    colors = [LINES[method][0] for method in METHODS]
    rims = [3 if r.method == method else 0 for method in METHODS]
    bar = dict(type="bar", orientation="h", y=seats, x=counts, width=0.6, text=[f"{n}" for n in counts])
    bar |= dict(marker=dict(color=colors, line=dict(color=palette.BLACK, width=rims)), textposition="outside")
    words = f"%{{customdata}}: %{{x}} of {len(r.own.male):,} decisions changed<extra></extra>"
    bar |= dict(customdata=METHODS, hovertemplate=words)
    y = dict(tickvals=seats, ticktext=[SHORT[method] for method in METHODS], range=[-0.6, len(METHODS) - 0.4])
    x = dict(range=[0, 210], tickvals=[0, 100, 200])  # 162 at most, and the number beside it
    return Panel("Changed", [bar | dict(showlegend=False)], x, y, narrow=0.55)
