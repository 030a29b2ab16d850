"""Chapter 05: one name, five rules, and what k does to two of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.datasets import END
from workbook.chapters.names import LONGEST, names_split
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider, Steps, Text
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel
from workbook.items import Item, isolate_text, label, name_item

from .copies import probability, sure
from .experiment import (
    EQ_15,
    EQ_15_CORRECTED,
    EQ_19,
    EQ_20,
    NAIVE,
    NAME_RULES,
    held_out_posteriors,
    name_posterior,
    name_votes,
    posteriors_along_k,
)

__all__ = ["AttenuationExplorer"]

# Names that a reader without a kernel can choose: long and short, usual and not, on one list or on both.
NAME_CHOICES = (
    "Al", "Alexandra", "Andrea", "Bo", "Charlie", "Gabriel", "George", "Glover", "Guadalupe", "Joshua", "Malcolm",
    "Maximilian", "Noah", "Olivia", "Robin", "Zoe",
)  # fmt: skip
MOST_FEATURES = 6
TOP = "n + 1"
ALL = 1000.0  # above n + 1 of any name that can be typed; infinity could not be sent to the page
K = Steps(
    2.5,
    [*np.arange(1, 6, 0.25).tolist(), *map(float, range(6, 13)), 14.0, 16.0, 20.0, 25.0, 30.0, 40.0, ALL],
    say=lambda k: TOP if k == ALL else f"{k:g}",
    label="k",
)
LOOKS = {
    NAIVE: (palette.NAIVE_BAYES, "dash", "square"),
    EQ_20: (palette.ATTENUATED, "solid", "circle"),
    EQ_19: (palette.EQ_19, "dot", "diamond"),
    EQ_15: (palette.EQ_15, "dashdot", "x"),
    EQ_15_CORRECTED: (palette.EQ_15, "longdash", "triangle-up"),
}
SCALES = {EQ_20: lambda k, n: k / (n + 1), EQ_19: lambda k, n: k / n}  # what an n-gram's log odds shrink by
DIVIDES = {EQ_20: "n + 1", EQ_19: "n"}
TERMS = {EQ_15: "Σ P(f | {0}) P({0})", EQ_15_CORRECTED: "Σ P({0} | f)"}
SHORT = {NAIVE: "naive B.", EQ_15_CORRECTED: "corr."} | {r: r[3:] for r in (EQ_20, EQ_19, EQ_15)}


@dataclass(frozen=True)
class Attenuation:
    """The result: a name with n known n-grams; posteriors are those of the second class, male."""

    name: str
    max_n: int
    rule: str
    k: float  # as chosen
    used: float  # never above n + 1
    n: int
    item: Item
    classes: tuple[str, str]
    posterior: dict[str, float]  # of every rule
    grid: np.ndarray  # values of k from 1 to n + 1
    along_k: dict[str, np.ndarray]  # eq (20) and (19) at these
    prior: float  # what the prior adds to `total`, and each n-gram (all its occurrences together)
    votes: np.ndarray
    log_odds: tuple[float, float]  # of the prior and of all n-grams together, before anything is attenuated
    whole: float  # what eq (15) divides by: the sum of the P(f), corrected the number of n-grams
    accuracy: tuple[float, float]  # on the test names: of the rule, of naive Bayes
    changes: int  # test names that the rule decides otherwise
    tested: int

    @property
    def total(self) -> float:
        return float(self.prior + self.votes.sum())

    @property
    def evened(self) -> float | None:
        """Return what the prior would add to eq (19) if it were scaled as the n-grams are; None for other rules."""
        return self.log_odds[0] * SCALES[EQ_19](self.used, self.n) if self.n and self.rule == EQ_19 else None

    @property
    def shown(self) -> tuple[str, ...]:
        """The rules to compare: eq (15) in both forms only where it is asked for."""
        return NAME_RULES if self.rule in TERMS else tuple(rule for rule in NAME_RULES if rule not in TERMS)

    def along(self, k) -> np.ndarray:
        """The posterior by eq (20) or (19) at these k, which may lie beyond n + 1."""
        prior, ngrams = self.log_odds
        scale = SCALES[self.rule](np.minimum(k, self.n + 1), self.n)
        return probability(scale * (prior + ngrams) if self.rule == EQ_20 else prior + scale * ngrams)

    def changed(self, rule: str) -> bool:
        """Tell whether a rule decides otherwise than naive Bayes does."""
        return (self.posterior[rule] > 0.5) != (self.posterior[NAIVE] > 0.5)


@lru_cache(maxsize=LONGEST)
def columns_of(max_n: int) -> dict[str, int]:
    """The model's column of every n-gram that it knows."""
    return {ngram: j for j, ngram in enumerate(names_split(max_n).vocabulary)}


@lru_cache(maxsize=64)
def known(name: str, max_n: int) -> tuple[Item, np.ndarray]:
    """A name's n-grams, and the model's column of each occurrence; counted once, wherever k goes."""
    item = name_item(name, columns_of(max_n), max_n)
    return item, np.repeat(item.columns, item.times.astype(int))


@lru_cache(maxsize=64)
def along_k(name: str, max_n: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """A grid of k, and eq (20) and (19) on it."""
    _, columns = known(name, max_n)
    grid = np.geomspace(1, len(columns) + 1, 20)
    return grid, {rule: posteriors_along_k(rule, names_split(max_n), columns, grid)[:, 1] for rule in SCALES}


@lru_cache(maxsize=64)
def evidence_of(name: str, max_n: int) -> float:
    """The sum of P(f) over the n-grams of a name."""
    model, (_, columns) = names_split(max_n).model, known(name, max_n)
    return float(np.exp(model.feature_log_prob_[:, columns].T + model.class_log_prior_).sum())


class AttenuationExplorer(Explorer):
    """A name's posterior by naive Bayes and by eq. (15), (19) and (20) of Carlos (2015), and what k does to it."""

    k = K
    max_n = IntSlider(LONGEST, 1, LONGEST, label="n-grams up to")
    rule = Choice(EQ_20, [EQ_19, EQ_20, EQ_15, EQ_15_CORRECTED], label="Rule")
    name = Text("William", label="Name", forbidden=END, chosen=NAME_CHOICES)

    presets: ClassVar = {
        "Surely male": Preset("Nearly all n-grams of Norwood speak for male.", dict(name="Norwood")),
        "Surely female": Preset("Nearly all n-grams of Annabelle speak for female.", dict(name="Annabelle")),
        "Ambiguous": Preset("The n-grams of Stanley pull both ways.", dict(name="Stanley")),
        "Sure and wrong": Preset("A man's name; 22 of its 29 n-grams say female.", dict(name="Gabriel")),
        "k = 1": Preset(
            "Only the likelihood shrinks in equation (19), the prior stays: William changes sides.",
            dict(k=1, rule=EQ_19),
        ),
        "k = n + 1: naive Bayes again": Preset(
            "At k = n + 1 the root of equation (20) is gone. This is naive Bayes.", dict(k=ALL)
        ),
    }

    def compute(self, k, max_n, rule, name) -> Attenuation:
        split, (item, columns) = names_split(max_n), known(name, max_n)
        n, y = len(columns), split.test.y
        used = float(min(k, n + 1))
        prior, votes = name_votes(rule, split, item.columns, item.times, used)
        prior_odds, ngram_odds = name_votes(EQ_19, split, item.columns, item.times, n)  # k = n: naive Bayes
        naive, decided = (held_out_posteriors(r, max_n, k).argmax(axis=1) for r in (NAIVE, rule))
        grid, lines = along_k(name, max_n)
        return Attenuation(
            name=name,
            max_n=max_n,
            rule=rule,
            k=k,
            used=used,
            n=n,
            item=item,
            classes=split.classes,
            posterior={r: float(name_posterior(r, split, columns, used)[1]) for r in NAME_RULES},
            grid=grid,
            along_k=lines,
            prior=prior,
            votes=votes,
            log_odds=(prior_odds, ngram_odds.sum()),
            whole=evidence_of(name, max_n) if rule == EQ_15 else n,
            accuracy=(float(np.mean(decided == y)), float(np.mean(naive == y))),
            changes=int(np.sum(naive != decided)),
            tested=len(y),
        )

    def draw(self, result):
        return theme.figure([[votes_panel(result), rules_panel(result), k_panel(result)]], widths=[1.15, 1, 1])

    def explain(self, result):
        r = result
        color, _, _ = LOOKS[r.rule]
        said = sure(r.total) if r.rule in SCALES else f"{r.posterior[r.rule]:.3f}"
        answer = Term(said, f"P({r.classes[1]} | name)", r.rule, color)
        if not r.n:
            return [answer, "=", Term(said, f"P({r.classes[1]})"), ": the prior, for no n-gram is known"]
        return [*(log_odds_of(r) if r.rule in SCALES else mean_of(r)), answer]

    def describe(self, result) -> str:
        r = result
        said = r.posterior[r.rule]
        dropped = f" ({r.item.unseen} never seen, dropped)" if r.item.unseen else ""
        beside = "the decision changes" if r.changed(r.rule) else "the same decision"
        finding = f"{r.rule} says P({r.classes[1]}) = {said:.3f}, naive Bayes {sure(sum(r.log_odds))}: {beside}"
        return (
            f"k = {K.say(r.k)}{clipped(r)}, n-grams up to {r.max_n}. "
            f"{isolate_text(r.name)}, n = {r.n}{dropped}: {finding}. "
            f"Of {r.tested:,} test names {r.rule} decides {r.changes} otherwise; "
            f"accuracy {r.accuracy[0]:.3f}, naive Bayes {r.accuracy[1]:.3f}."
        )


def clipped(r: Attenuation) -> str:
    """Return the words for the k that is used, if the rule has one."""
    if r.rule in (EQ_15, EQ_15_CORRECTED):
        return " (no k in this rule)"
    if r.k == ALL:
        return f" = {r.used:g}"
    return f" (above n + 1, so {r.used:g} is used)" if r.k > r.used else ""


def log_odds_of(r: Attenuation) -> list:
    """Eq (20) or (19) up to its posterior: the prior is attenuated with the n-grams, or is not."""
    prior, ngrams, total = (typeset(f"{value:.3f}") for value in (*r.log_odds, r.total))
    features = r.n + 1 if r.rule == EQ_20 else r.n
    scale = Over([Term(f"{r.used:g}", "k", "k", palette.NOW)], [Term(f"{features}", DIVIDES[r.rule])])
    own = Term(ngrams, "n-grams")
    found = Term(total, f"log odds of {r.classes[1]}", "sum", *look_of(r.total))
    if r.rule == EQ_20:
        return [scale, "· (", Term(prior, "prior"), "+", own, ") =", found, ", so"]
    return [Term(prior, "prior", "prior", *look_of(r.prior)), "+", scale, "·", own, "=", found, ", so"]


def mean_of(r: Attenuation) -> list:
    """Eq (15) up to its posterior: the share of one class in a sum over the n-grams."""
    parts = [typeset(f"{p * r.whole:.4g}") for p in (r.posterior[r.rule], 1 - r.posterior[r.rule])]
    male, female = (Term(part, TERMS[r.rule].format(name)) for part, name in zip(parts, r.classes[::-1], strict=True))
    return [Over([male], [male, "+", female]), "="]


def look_of(value: float) -> tuple[str, str]:
    """Colour and hatch of the class that a bar speaks for."""
    side = int(value > 0)
    return palette.CLASS_COLORS[side], palette.CLASS_PATTERNS[side]


def votes_panel(r: Attenuation) -> Panel:
    """Draw what the prior and the n-grams add, and their sum; outlined: the prior if it shrank as they do."""
    strongest = np.sort(np.argsort(-np.abs(r.votes), kind="stable")[:MOST_FEATURES])
    logs, first, more = r.rule in SCALES, r.rule in SCALES or not r.n, len(r.votes) - len(strongest)
    ngrams = [label(r.item.features[f], r.item.times[f]) for f in strongest]
    names = ["prior"] * first + ngrams + ["others"] * (more > 0) + ["sum"]
    words = ["the prior"] * first + [f"n-gram {ngram}" for ngram in ngrams] + [f"{more} more n-grams"] * (more > 0)
    walk = np.array([*[r.prior] * first, *r.votes[strongest], *[np.delete(r.votes, strongest).sum()] * (more > 0)])
    ends = np.cumsum(walk)
    length, base = np.append(walk, walk.sum()), np.concatenate([[0.0], ends, [0.0]])[[*range(len(walk)), -1]]
    bar = dict(type="bar", orientation="h", showlegend=False)
    unit = f"log odds of {r.classes[1]}" if logs else f"P({r.classes[1]}) − P({r.classes[0]})"
    told = dict(customdata=[*words, "the sum"], hovertemplate=f"%{{customdata}}: %{{x:.3g}}, {unit}<extra></extra>")
    ids = ["prior"] * first + [f"bar {at}" for at in range(len(words) - first)] + ["sum"]
    color = theme.class_marker((length > 0).astype(int))
    traces = [bar | told | dict(y=np.arange(len(names)), x=length, base=base, marker=color, width=0.5, ids=ids)]
    edge = max(0.05, np.abs(ends).max(initial=0.0))
    if r.evened is not None:
        small = [r.evened, r.total - r.prior + r.evened]
        edge = max(edge, *np.abs(small))
        said = f"%{{customdata}}, if the prior shrank too: %{{x:.3g}}, {unit}<extra></extra>"
        look = dict(marker=theme.OUTLINE, width=0.8, name="if the prior shrank too", showlegend=True)
        ends_only = dict(y=[0, len(walk)], x=small, customdata=["the prior", "the sum"], hovertemplate=said)
        traces.append(bar | ends_only | look)
    upright = dict(type="line", x0=0, x1=0, y0=0, y1=1, yref="domain", line=dict(color=palette.BLACK, width=1))
    y = dict(tickvals=np.arange(len(names)), ticktext=names, range=[len(names) - 0.4, -0.6], showgrid=False)
    title = f"← {r.classes[0]} · log odds · {r.classes[1]} →" if logs else unit
    return Panel("Who says what", traces, dict(range=[-1.12 * edge, 1.12 * edge], nticks=4, title=title), y, [upright])


def rules_panel(r: Attenuation) -> Panel:
    """The posterior of every rule as a bar from 1/2 towards the class that it chooses, and its number."""
    traces, notes = [], []
    for at, rule in enumerate(r.shown):
        color, _, symbol = LOOKS[rule]
        p = r.posterior[rule]
        mark = dict(symbol=symbol, size=[0, 11], opacity=1, color=color, line=dict(color=palette.BLACK, width=1))
        shown = dict(type="scatter", mode="lines+markers", x=[0.5, p], y=[at, at], name=rule, legendrank=at)
        said = sure(sum(r.log_odds)) if rule == NAIVE else f"{p:.3f}"
        words = f"%{{fullData.name}}: P({r.classes[1]}) = {said}<extra></extra>"
        look = dict(line=dict(color=color, width=17), marker=mark, meta=dict(mark=rule))
        traces.append(shown | look | dict(hovertemplate=words))
        side = dict(x=0.98, xanchor="right") if p < 0.5 else dict(x=0.02, xanchor="left")
        if not r.changed(rule):
            notes.append(side | dict(y=at, text=said))
        elif len(r.shown) == len(NAME_RULES):  # no room for two lines
            notes.append(side | dict(y=at, text="changed"))
        else:
            notes += [side | dict(y=at - 0.15, text=said), side | dict(y=at + 0.15, text="changed")]
    bold = [f"<b>{SHORT[rule]}</b>" if rule == r.rule else SHORT[rule] for rule in r.shown]
    y = dict(tickvals=np.arange(len(r.shown)), ticktext=bold, range=[len(r.shown) - 0.4, -0.6], showgrid=False)
    middle = dict(type="line", x0=0.5, x1=0.5, y0=0, y1=1, yref="domain", line=dict(color=palette.BLACK, width=1))
    x = dict(range=[-0.04, 1.04], tickvals=[0, 0.5, 1], title=f"P({r.classes[1]})")
    handles = []
    if r.n and r.rule in SCALES:
        end = dict(x=r.posterior[r.rule], y=r.shown.index(r.rule))
        handles.append(Handle("k", **end, places=r.along(K.values), shape="bar"))
    return Panel("Every rule", traces, x, y, [middle], notes, handles)


def k_panel(r: Attenuation) -> Panel:
    """The posterior against k; eq (15) and naive Bayes have none."""
    line = dict(type="scatter", mode="lines", x=r.grid, showlegend=False)
    words = f"P({r.classes[1]}) = %{{y:.3f}}<extra></extra>"
    ends = r.grid[[0, -1]]
    traces = []
    for rule in reversed(r.shown):
        color, dash, symbol = LOOKS[rule]
        pen = dict(line=dict(color=color, dash=dash, width=4 if rule == r.rule else 2))
        if rule not in r.along_k:
            flat = dict(x=ends, y=[r.posterior[rule]] * 2, hovertemplate=f"{rule}, whatever k: {words}")
            traces.append(line | flat | pen)
            continue
        line["hovertemplate"] = f"{rule}, k = %{{x:.3g}}: {words}"
        at = dict(mode="markers", x=[r.used], y=[r.posterior[rule]], marker=dict(symbol=symbol, size=11, color=color))
        traces += [line | dict(y=r.along_k[rule]) | pen, line | at]
    now = dict(type="line", x0=r.used, x1=r.used, y0=0, y1=1, yref="domain", line=dict(width=2, color=palette.NOW))
    now["name"] = "k"
    half = dict(type="line", x0=0, x1=1, xref="domain", y0=0.5, y1=0.5, line=dict(color=palette.BLACK, width=1))
    x = dict(tickvals=[1, 1 + r.n], range=[0.9 - 0.1 * r.n, 1.05 + 1.05 * r.n], title=f"k, to n + 1 = {r.n + 1}")
    y = dict(range=[-0.04, 1.04], tickvals=[0, 0.5, 1])
    grip = Handle("k", r.used, 0.5, places=np.minimum(K.values, r.n + 1), shape="line")
    return Panel(f"P({r.classes[1]}) against k", traces, x, y, [now, half], handles=[grip])
