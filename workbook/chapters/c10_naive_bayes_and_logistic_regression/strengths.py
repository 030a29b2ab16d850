"""How strong a penalty is best? A hundred names; nine C beside nine alpha; some bits scaled; with and without coins.

The counts are stored beside this file: python -m workbook.chapters.c10_naive_bayes_and_logistic_regression.strengths
"""

import json
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from .experiment import SEEDS, TEST, letter_features, names_for, penalized

__all__ = [
    "COINS",
    "LEARN",
    "SCALED",
    "STRENGTHS",
    "Strengths",
    "choose_alpha",
    "choose_strength",
    "split_with_coins",
    "strengths",
]

LEARN = 100  # names
COINS = 0, 50
STRENGTHS = tuple(10.0**k for k in range(-4, 5))  # C: the larger, the weaker the penalty; also of alpha
SCALED = {"nothing": slice(0), "endings": slice(26, 52), "coins": slice(52, None), "all": slice(None)}
USUAL = STRENGTHS.index(1.0)
STORED = Path(__file__).parent / "strengths.json"


def split_with_coins(seed, coins):
    """Return a split's rows and classes to learn from, and those for testing: 52 bits and some coins, the first ones.

    The coins of a split are the same wherever they are used.
    """
    X, y = letter_features()
    tossed = np.random.default_rng([seed, COINS[-1]]).integers(0, 2, (len(X), COINS[-1]))
    wide, (own, new) = np.hstack([X, tossed[:, :coins]]), names_for(seed)
    return wide[own[:LEARN]], y[own[:LEARN]], wide[new], y[new]


def pick_columns(scaled, rows):
    """Return which columns of the rows are scaled."""
    return list(range(rows.shape[1]))[SCALED[scaled]]


def scale_some(scaled, model):
    """Return a model that first divides some of the bits by their spread."""
    columns = partial(pick_columns, scaled)
    return make_pipeline(ColumnTransformer([("scale", StandardScaler(), columns)], remainder="passthrough"), model)


def choose_strength(scaled="all"):
    """Return logistic regression that chooses C by cross-validation: five folds, most right, of equals the smallest."""
    return GridSearchCV(scale_some(scaled, penalized(1)), {"logisticregression__C": STRENGTHS})


def choose_alpha():
    """Return naive Bayes that chooses alpha by the same cross-validation, of equals the largest."""
    return GridSearchCV(BernoulliNB(), {"alpha": STRENGTHS[::-1]})


def count_split(seed, coins, scaled):
    """Return a split's counts: right by each alpha, by each C, decided as with alpha 1; and the chosen alpha and C."""
    rows, sex, unseen, true = split_with_coins(seed, coins)
    counted = [BernoulliNB(alpha=alpha).fit(rows, sex).predict(unseen) for alpha in STRENGTHS]
    said = [scale_some(scaled, penalized(C)).fit(rows, sex).predict(unseen) for C in STRENGTHS]
    pairs = (counted, true), (said, true), (said, counted[USUAL])
    chosen = [STRENGTHS.index(*search.fit(rows, sex).best_params_.values())
              for search in (choose_alpha(), choose_strength(scaled))]  # fmt: skip
    return *([int(np.sum(each == aim)) for each in answers] for answers, aim in pairs), chosen


def take(shares, chosen):
    """Return the shares (SEEDS,) of the best row in hindsight, and those of the row chosen in each split."""
    return shares[shares.mean(axis=1).argmax()], shares[chosen, np.arange(SEEDS)]


@dataclass(frozen=True, eq=False)
class Strengths:
    """Hold shares of the test names in each split: right by each alpha and each C, decided as with alpha 1 by each C.

    chosen (2, SEEDS): which of the nine alpha and of the nine C cross-validation takes.
    """

    alphas: np.ndarray
    right: np.ndarray
    alike: np.ndarray
    chosen: np.ndarray

    @property
    def bayes(self):
        """Return the shares that naive Bayes with alpha 1 gets right, (SEEDS,)."""
        return self.alphas[USUAL]

    @property
    def logistic(self):
        """Return the shares right by each C, by the best C in hindsight, and by the chosen C: (11, SEEDS)."""
        return np.vstack([self.right, *take(self.right, self.chosen[1])])

    @property
    def rivals(self):
        """Return what each row of `logistic` is held against: alpha 1, the best alpha in hindsight, the chosen one."""
        return np.vstack([[self.bayes] * len(STRENGTHS), *take(self.alphas, self.chosen[0])])

    @property
    def leads(self):
        """Return the lead of logistic regression: each C, both in hindsight, both chosen: (11, SEEDS)."""
        return self.logistic - self.rivals


@lru_cache(maxsize=len(SCALED) * len(COINS))
def strengths(coins=0, scaled="nothing"):
    """Return the stored shares with this many coins and these bits scaled."""
    *counts, chosen = json.loads(STORED.read_text("utf-8"))[f"{coins} {scaled}"]
    return Strengths(*(np.array(each).T / TEST for each in counts), np.array(chosen).T)


if __name__ == "__main__":
    splits = {f"{coins} {scaled}": [count_split(seed, coins, scaled) for seed in range(SEEDS)]
              for coins in COINS for scaled in SCALED}  # fmt: skip
    counts = {name: list(zip(*each, strict=True)) for name, each in splits.items()}
    STORED.write_text(json.dumps(counts, separators=(",", ":")) + "\n", encoding="utf-8")
