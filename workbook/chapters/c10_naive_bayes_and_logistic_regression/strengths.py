"""How strong a penalty is best? A hundred names, nine values of C, bits as they are or scaled, with and without coins.

The counts are stored beside this file: python -m workbook.chapters.c10_naive_bayes_and_logistic_regression.strengths
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nbcore.naive_bayes import BernoulliNB

from .experiment import SEEDS, TEST, letter_features, names_for, penalized

__all__ = ["COINS", "LEARN", "STRENGTHS", "Strengths", "choose_strength", "split_with_coins", "strengths"]

LEARN = 100  # names
COINS = 0, 50
STRENGTHS = tuple(10.0**k for k in range(-4, 5))  # scikit-learn's C: the larger, the weaker the penalty
STORED = Path(__file__).parent / "strengths.json"


def split_with_coins(seed, coins):
    """Return a split's rows and classes to learn from, and those for testing: 52 bits and some coins, the first ones.

    The coins of a split are the same wherever they are used.
    """
    X, y = letter_features()
    tossed = np.random.default_rng([seed, COINS[-1]]).integers(0, 2, (len(X), COINS[-1]))
    wide, (own, new) = np.hstack([X, tossed[:, :coins]]), names_for(seed)
    return wide[own[:LEARN]], y[own[:LEARN]], wide[new], y[new]


def scaled_or_not(scaled, model):
    """Return a model that divides every bit by its spread first, if scaled."""
    return make_pipeline(*[StandardScaler()] * scaled, model)


def choose_strength(scaled):
    """Return logistic regression that chooses C by cross-validation: five folds, most right, of equals the smallest."""
    return GridSearchCV(scaled_or_not(scaled, penalized(1)), {"logisticregression__C": STRENGTHS})


def count_split(seed, coins, scaled):
    """Return a split's counts: right by naive Bayes, by each C, as naive Bayes decides by each C, and the chosen C."""
    rows, sex, unseen, true = split_with_coins(seed, coins)
    counted = BernoulliNB().fit(rows, sex).predict(unseen)
    said = [scaled_or_not(scaled, penalized(C)).fit(rows, sex).predict(unseen) for C in STRENGTHS]
    chosen = choose_strength(scaled).fit(rows, sex).best_params_["logisticregression__C"]
    right, alike = ([int(np.sum(each == aim)) for each in said] for aim in (true, counted))
    return int(np.sum(counted == true)), right, alike, STRENGTHS.index(chosen)


@dataclass(frozen=True, eq=False)
class Strengths:
    """Hold shares of the test names in each split: right by naive Bayes (SEEDS,), by each C (9, SEEDS), decided alike.

    chosen (SEEDS,): which of the nine C cross-validation takes.
    """

    bayes: np.ndarray
    right: np.ndarray
    alike: np.ndarray
    chosen: np.ndarray

    @property
    def with_choice(self):
        """Return right and alike with a row more, that of the chosen C: (2, 10, SEEDS)."""
        both = np.stack([self.right, self.alike])
        return np.concatenate([both, both[:, self.chosen, np.arange(SEEDS)][:, None]], axis=1)


@lru_cache(maxsize=2 * len(COINS))
def strengths(coins=0, scaled=False):
    """Return the stored shares with this many coins, bits as they are or scaled."""
    bayes, right, alike, chosen = json.loads(STORED.read_text("utf-8"))[f"{coins} {int(scaled)}"]
    shares = (np.array(counts).T / TEST for counts in (bayes, right, alike))
    return Strengths(*shares, np.array(chosen))


if __name__ == "__main__":
    splits = {f"{coins} {int(scaled)}": [count_split(seed, coins, scaled) for seed in range(SEEDS)]
              for coins in COINS for scaled in (False, True)}  # fmt: skip
    counts = {name: list(zip(*each, strict=True)) for name, each in splits.items()}
    STORED.write_text(json.dumps(counts, separators=(",", ":")) + "\n", encoding="utf-8")
