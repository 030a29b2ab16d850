"""Ways to mend the posteriors of naive Bayes on a split of the names, each fitted once: k of eq. (20), and its peers.

Everything is chosen on the validation part, which the model there has not seen, and judged on the test part; only the
flat k of Carlos (2015) comes from training posteriors. Two classes; posteriors are (n, 2).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from nbcore import perplexed
from nbcore.calibration import ReliabilityBins, fit_temperature, log_loss, reliability_bins, temperature_scale
from nbcore.checks import one_of

__all__ = ["PEERS", "Scores", "flat_k", "naive_posterior", "peer_posterior", "scores", "training_k", "validated_k"]


def log_joint(part):
    """log P(c, x) of each name of a Part, (n, C) in nats."""
    return part.evidence[0] + part.evidence[1]


def log_odds(part):
    """log P(class 1 | x) / P(class 0 | x) of naive Bayes, (n,): it never rounds to certainty."""
    return log_joint(part) @ [-1.0, 1.0]


def naive_posterior(part):
    """P(c | x) of naive Bayes for each name of a Part, (n, C)."""
    return temperature_scale(log_joint(part), 1.0)


# ---------------------------------------------------------------------------------------------- the coefficient k


@cache
def flat_k(split, bins=10):
    """The k of the grid with the flattest histogram of training posteriors: Carlos (2015), section 5."""
    return perplexed.flattest_k(split.training.evidence, bins)


def best_k(part, bins):
    """The k of the grid with the smallest RMSE of the reliability diagram of a Part: Carlos (2015), section 5.2."""
    return perplexed.best_k(part.evidence, part.y, bins, objective="rmse")


@cache
def validated_k(split, bins=10):
    """The k with the smallest RMSE on the validation part: Carlos (2015), section 5.2, figure 5."""
    return best_k(split.validation, bins)


@cache
def training_k(split, bins=10):
    """The k with the smallest RMSE on the training names, which the model has counted itself: too large."""
    return best_k(split.training, bins)


# ------------------------------------------------------------------------------------------------------- the peers


def _temperature(split):
    T = fit_temperature(split.validation.y, log_joint(split.validation))
    return temperature_scale(log_joint(split.test), T)


def _logistic(feature):
    """Logistic regression on one feature of a Part, without a penalty."""

    def posterior(split):
        held = split.validation
        model = LogisticRegression(C=np.inf, solver="newton-cholesky").fit(feature(held), held.y)
        return model.predict_proba(feature(split.test))

    return posterior


def _isotonic(split):
    held = split.validation
    rising = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(log_odds(held), held.y)
    p = rising.predict(log_odds(split.test))
    return np.column_stack([1 - p, p])


PEERS: dict[str, Callable] = {
    "temperature": _temperature,
    "Platt": _logistic(lambda part: log_odds(part)[:, None]),
    "isotonic": _isotonic,
    # What CalibratedClassifierCV(method="sigmoid") does to a classifier that has predict_proba only.
    "sigmoid trap": _logistic(lambda part: naive_posterior(part)[:, 1:]),
}


@cache
def peer_posterior(split, name):
    """Posteriors of the test names, (n, 2), after one of PEERS was fitted to the validation part.

    "temperature": Guo et al. (2017); "Platt": logistic regression on log odds, Platt (1999); "isotonic": Zadrozny and
    Elkan (2002); "sigmoid trap": logistic regression on the posterior itself. ValueError for another name.
    """
    one_of("name", name, PEERS)
    return PEERS[name](split)


# ------------------------------------------------------------------------------------------------------ the judges


@dataclass(frozen=True, eq=False)
class Scores:
    """How good posteriors are: the reliability diagram and four numbers, 0 is best in each."""

    diagram: ReliabilityBins
    rmse: float
    ece: float
    brier: float
    log_loss: float


def scores(y, proba, bins=10):
    """Scores of posteriors (n, 2) for labels y (n,) of 0 and 1; only RMSE and ECE depend on the bins.

    Brier score and log loss are those of scikit-learn, which takes 2 ms for its checks: too long for a slider. A true
    class of posterior 0 counts as the smallest step of a float, as it does there: isotonic regression says 0.
    """
    diagram = reliability_bins(y, proba, bins)
    own = proba[np.arange(len(y)), y]
    loss = log_loss(y, np.log(proba.clip(min=np.finfo(float).eps)))
    return Scores(diagram, diagram.rmse(), diagram.ece(), float(np.mean((1 - own) ** 2)), loss)
