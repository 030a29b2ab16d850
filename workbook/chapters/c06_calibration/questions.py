"""Predictions and exercises of chapter 06, calibration. Every expected value is computed, none is typed."""

from __future__ import annotations

from functools import cache

import numpy as np

from nbcore.calibration import confidence_table, posterior_spread, reliability_bins
from nbcore.perplexed import attenuated_posterior
from workbook.chapters.names import names_split
from workbook.page.drawn import Drawn
from workbook.page.exercises import Exercise, Mistake
from workbook.page.numbers import say
from workbook.page.predictions import Prediction

from .experiment import (
    EDGES,
    TABLE_1,
    best_k,
    flat_k,
    naive_posterior,
    peer_posterior,
    table_rmse,
    training_k,
    validated_k,
)

__all__ = ["CONTENTS"]

BIN = 8  # posteriors from 0.8 to 0.9
FOUR = np.array([[0.95, 0.05], [0.85, 0.15], [0.65, 0.35], [0.1, 0.9]])  # P(female), P(male) of four names
FOUR_Y = np.array([0, 1, 0, 1])
HEIGHTS = np.array([0.4, *[0.025] * 8, 0.4])
MIDDLES = (np.arange(10) + 0.5) / 10
POINTS, ACCURACY = (np.array(column) for column in TABLE_1["perplexed"])
NAIVE_POINTS, NAIVE_ACCURACY = (np.array(column) for column in TABLE_1["naive"])
OFF = NAIVE_ACCURACY - (EDGES[:-1] + EDGES[1:]) / 2
N, TEMPERATURE = 24, 6.0


def diagram(proba, max_n=5, seed=0):
    """Ten bins of the test names."""
    return reliability_bins(names_split(max_n, seed).test.y, proba)


def naive_share_in_bin() -> float:
    """The share that came true where naive Bayes said 0.8 to 0.9."""
    return float(diagram(naive_posterior(names_split(5).test)).observed[BIN])


def naive_mean_in_bin() -> float:
    """What it said there, on average."""
    return float(diagram(naive_posterior(names_split(5).test)).mean_posterior[BIN])


def naive_pairs_in_bin() -> int:
    """How many pairs that is."""
    return int(diagram(naive_posterior(names_split(5).test)).count[BIN])


def flat_share_in_bin() -> float:
    """The same with the k of the flattest histogram."""
    split = names_split(5)
    return float(diagram(attenuated_posterior(*split.test.evidence, flat_k(split))).observed[BIN])


@cache
def growth() -> float:
    """RMSE of naive Bayes with n-grams up to 5 over that with single letters, each the mean of ten splits."""
    short, long = (
        np.mean([diagram(naive_posterior(names_split(n, s).test), n, s).rmse() for s in range(10)]) for n in (1, 5)
    )
    return float(long / short)


def surest_ones() -> float:
    """Accuracy at a confidence of 0.9 or more: eq. (20) with the validated k, minus naive Bayes."""
    split = names_split(5)
    test = split.test
    both = attenuated_posterior(*test.evidence, validated_k(split)), naive_posterior(test)
    ours, naive = (confidence_table(test.y, p, [0.9, 1.0]).accuracy[0] for p in both)
    return float(ours - naive)


def trapped() -> float:
    """RMSE of the sigmoid on posteriors over that of the sigmoid on log odds."""
    trap, platt = (diagram(peer_posterior(names_split(5), name)).rmse() for name in ("sigmoid trap", "Platt"))
    return trap / platt


def pooled(what: str) -> float:
    """Of the four names, in the last of five bins."""
    return float(getattr(reliability_bins(FOUR_Y, FOUR, bins=5), what)[-1])


def spread() -> float:
    """posterior_spread of a hundred names, whose 200 posteriors fill the ten bins as HEIGHTS says."""
    low = np.repeat(MIDDLES[:5], [80, 5, 5, 5, 5])
    return posterior_spread(np.column_stack([low, 1 - low]))


def rmse(d) -> float:
    """RMSE of a reliability diagram: unweighted, full bins only, from the midpoints."""
    return d.rmse()


def distances(d, target=None):
    """observed - midpoint in the bins that are not empty."""
    target = (d.edges[:-1] + d.edges[1:]) / 2 if target is None else target
    return (d.observed - target)[d.count > 0]


def rmses(function) -> list[float]:
    """A learner's function on diagrams with few pairs, with many, and with an empty bin."""
    split = names_split(1)
    cases = [
        reliability_bins(FOUR_Y, FOUR, bins=5),
        reliability_bins(split.test.y, naive_posterior(split.test), bins=10),
        reliability_bins(FOUR_Y, FOUR, bins=4),
    ]
    return [function(d) for d in cases]


def accepted(low: int) -> float:
    """Accuracy of Perplexed Bayes in Table 1, from interval `low` on."""
    return float(np.average(ACCURACY[low:], weights=POINTS[low:]))


CONTENTS = [
    Prediction(
        "06/place",
        question="Naive Bayes has judged 1,440 names that it had not seen, by n-grams of up to five letters. Take all "
        "cases in which it gave a class a posterior from 0.8 to 0.9. In which share of them was it the true class? "
        "Put the bar.",
        truth=naive_share_in_bin,
        drawn=Drawn(
            {"says, on average": naive_mean_in_bin, "came true": naive_share_in_bin}, y="Cases from 0.8 to 0.9", given=1
        ),
        reason=lambda share: (
            f"There are {naive_pairs_in_bin()} such cases, and {say(100 * share)} % came true. A posterior that meant "
            "what it says would have come true in about 85 %."
        ),
    ),
    Exercise(
        "06/pairs",
        task="Four names have P(female) = 0.95, 0.85, 0.65, 0.10; they are female, male, female, male. P(male) is the "
        "rest to 1. Pool all eight posteriors. Which share came true in the bin from 0.8 to 1?",
        expected=lambda: pooled("observed"),
        mistakes=(
            Mistake(
                lambda: float((FOUR_Y == 0)[FOUR[:, 0] >= 0.8].mean()),
                "You counted items: only their P(female), or all four. Every item brings a pair for each class.",
            ),
            Mistake(
                lambda: pooled("mean_posterior"),
                "That is what was said in this bin, on the average. What came true?",
            ),
            Mistake(
                lambda: pooled("count") * pooled("observed") / FOUR.size,
                "You divided by all eight pairs. Divide by those in the bin.",
            ),
            Mistake(
                lambda: pooled("count") / FOUR.size,
                "That is the share of pairs in the bin, a height of the histogram. How many of these came true?",
            ),
        ),
        well_done="The last name speaks here too: it is male, with 0.9. With two classes the diagram is symmetric.",
        solution="answer = 2 / 3  # 0.95: true, 0.85: not, and P(male) = 0.90 of the last name: true",
    ),
    Exercise(
        "06/rmse",
        task="Write rmse(d) for a diagram d as reliability_bins returns it, with arrays d.edges, d.mean_posterior, "
        "d.observed and d.count: the root mean square distance of d.observed from the midpoints of the bins, over the "
        "bins that are not empty, each bin counted alike.",
        expected=rmse,
        evaluate=rmses,
        returns="one number, over all bins that are not empty",
        mistakes=(
            Mistake(
                lambda d: d.rmse(weighted=True),
                "You weighted the bins by their pairs. Here each bin that is not empty counts alike.",
            ),
            Mistake(
                lambda d: d.rmse(ideal="mean"),
                "You measured from the mean posterior in each bin. The paper measures from the midpoint.",
            ),
            Mistake(
                lambda d: float(np.sqrt(np.sum(distances(d) ** 2) / len(d.count))),
                "You divided by the number of all bins. An empty bin has no share that could be right or wrong.",
            ),
            Mistake(
                lambda d: float(np.abs(distances(d)).mean()),
                "That is the mean distance. Square first, then the mean, then the root.",
            ),
            Mistake(lambda d: float(np.mean(distances(d) ** 2)), "The root is missing."),
            Mistake(
                lambda d: float(np.sqrt(np.mean(distances(d, d.edges[:-1]) ** 2))),
                "You measured from the left edges. A midpoint lies between two edges.",
            ),
        ),
        well_done="Three decisions hide in one number: which ideal, which weights, what to do with empty bins.",
        solution="import numpy as np\n\n\ndef rmse(d):\n    middle = (d.edges[:-1] + d.edges[1:]) / 2\n"
        "    full = d.count > 0\n    return np.sqrt(np.mean((d.observed - middle)[full] ** 2))\n\n\nanswer = rmse",
        help="Print your value for a diagram with an empty bin: nan means that the empty bin took part.",
    ),
    Prediction(
        "06/more-features",
        question="You give naive Bayes not only single letters, but n-grams of up to five. It then gets far more names "
        "right. What becomes of the RMSE of its reliability diagram?",
        options={
            "it falls: more evidence, better probabilities": lambda r: r < 0.8,
            "it stays about the same": lambda r: 0.8 <= r < 1.5,
            "it grows, but less than twofold": lambda r: 1.5 <= r < 2,
            "it at least doubles": lambda r: r >= 2,
        },
        truth=growth,
        reason=lambda r: (
            f"It becomes {say(r)} times as large (mean of ten splits). “nna” brings little that “nn” and “na” have not "
            "said, but naive Bayes multiplies all three. The side it picks is right more often; how sure it is, is not."
        ),
    ),
    Exercise(
        "06/spread",
        task="A histogram of posteriors has ten bins, and its heights are scaled to sum 1: 0.4 in the first, 0.4 in "
        "the last, 0.025 in each of the other eight. What is its spread, the standard deviation of the ten heights "
        "(divide by 10)?",
        expected=spread,
        mistakes=(
            Mistake(lambda: HEIGHTS.std(ddof=1), "You divided by 9. The ten heights are all there are: divide by 10."),
            Mistake(
                lambda: float(np.sqrt(HEIGHTS @ (MIDDLES - 0.5) ** 2)),
                "That is how far the posteriors lie from 0.5. The spread is about the heights of the bars.",
            ),
            Mistake(lambda: HEIGHTS.var(), "That is the variance. Take the root."),
            Mistake(lambda: 0.0, "Zero is the spread of a flat histogram: all heights 0.1."),
        ),
        well_done="0 is flat. Two full outer bins give 0.2, the highest that two symmetric classes can reach.",
        solution="import numpy as np\n\nanswer = np.std([0.4] + [0.025] * 8 + [0.4])",
    ),
    Prediction(
        "06/flat",
        question="You choose the k with the flattest histogram, as the paper does by default. Take all cases from 0.8 "
        "to 0.9 again. How many come true now?",
        options={
            "fewer than 80 %: still too sure": lambda p: p < 0.8,
            "80 to 90 %: just as it says": lambda p: 0.8 <= p <= 0.9,
            "more than 90 %: now it is not sure enough": lambda p: p > 0.9,
        },
        truth=flat_share_in_bin,
        reason=lambda p: (
            f"{say(100 * p)} %. A flat histogram claims an accuracy of three quarters, whatever the classifier can do. "
            "This one can do better, so it says less than it knows."
        ),
    ),
    Exercise(
        "06/flat-mean",
        task="Two classes. The histogram of all posteriors is perfectly flat from 0 to 1. The classifier decides for "
        "the larger posterior of each item. What is the mean of these larger posteriors?",
        expected=lambda: float(np.maximum(MIDDLES, 1 - MIDDLES).mean()),
        mistakes=(
            Mistake(lambda: MIDDLES.mean(), "That is the mean of all posteriors. Take the larger one of each item."),
            Mistake(lambda: 1.0, "Only the surest decision has a posterior of 1."),
            Mistake(
                lambda: 2 / 3,
                "That would be the larger of two independent posteriors. Here the two sum to 1.",
            ),
            Mistake(
                lambda: float(np.mean(naive_posterior(names_split(5).test).argmax(axis=1) == names_split(5).test.y)),
                "That is how often the names are decided rightly. The question is what a flat histogram claims.",
            ),
        ),
        well_done="So a flat histogram is calibrated only if the classifier happens to be right three times in four.",
        solution="answer = (0.5 + 1) / 2  # the larger posterior is flat from 0.5 to 1",
    ),
    Prediction(
        "06/training-k",
        question="You choose the k with the smallest RMSE, but on the training names, which the model itself has "
        "counted. Compared with the k from held-out names, what do you get?",
        options={
            "a smaller k: not sure enough": lambda r: r < 0.9,
            "about the same k": lambda r: 0.9 <= r <= 1.1,
            "a larger k: too sure": lambda r: r > 1.1,
        },
        truth=lambda: training_k(names_split(5)) / validated_k(names_split(5)),
        reason=lambda r: (
            f"{say(r)} times as large. The model has seen these very names, so it is right about them more often than "
            "it will be about others. On its own training names it seems to deserve more trust than it does."
        ),
    ),
    Exercise(
        "06/choose-k",
        task="split = names_split(3, seed=1). Find the k in k_grid(split.validation.evidence[2]) whose eq. (20) "
        "posteriors, attenuated_posterior(*part.evidence, k), have the smallest RMSE, with ten bins, on names held out "
        "for this purpose.",
        expected=lambda: validated_k(names_split(3, 1)),
        mistakes=(
            Mistake(
                lambda: best_k(names_split(3, 1).training, 10),
                "You tuned k on the training names. The model has counted them itself.",
            ),
            Mistake(
                lambda: best_k(names_split(3, 1).test, 10),
                "You tuned k on the test names. Then nothing is left to judge it by.",
            ),
            Mistake(
                lambda: flat_k(names_split(3, 1)),
                "That is the k with the flattest histogram. Flat is not calibrated.",
            ),
        ),
        well_done="Held-out names stand in for the names to come. That is why they must be new to the model.",
        solution="import numpy as np\n\nfrom nbcore.calibration import reliability_bins\n"
        "from nbcore.perplexed import attenuated_posterior, k_grid\nfrom workbook.experiments import names_split\n\n"
        "held = names_split(3, seed=1).validation\ngrid = k_grid(held.evidence[2])\n"
        "errors = [reliability_bins(held.y, attenuated_posterior(*held.evidence, k)).rmse() for k in grid]\n"
        "answer = grid[np.argmin(errors)]",
    ),
    Prediction(
        "06/surest",
        question="Naive Bayes and eq. (20) with a k from held-out names decide alike on every name. From each you keep "
        "the names with a confidence of 0.9 or more. Whose names are right more often?",
        options={
            "those of naive Bayes: it is surer": lambda d: d < -0.02,
            "no difference: they decide alike": lambda d: -0.02 <= d <= 0.02,
            "those of eq. (20)": lambda d: d > 0.02,
        },
        truth=surest_ones,
        reason=lambda d: (
            f"They are right more often by {say(100 * d)} points. The decisions are the same, but the lists are not: "
            "naive Bayes is sure of nearly every name, so its list is nearly all names."
        ),
    ),
    Exercise(
        "06/accepted",
        task="The paper's Table 1, Perplexed Bayes: 387, 421, 439, 300, 43 names with a confidence from 0.5 to 0.6, "
        "0.6 to 0.7, ..., 0.9 to 1; of these 0.6149, 0.8361, 0.9703, 0.9766, 1.0000 are right. You act only on a "
        "confidence of 0.7 or more. Which share of your decisions is right?",
        expected=lambda: accepted(2),
        mistakes=(
            Mistake(
                lambda: ACCURACY[2:].mean(),
                "You averaged the three intervals alike. They hold 439, 300 and 43 names.",
            ),
            Mistake(lambda: accepted(0), "That is the accuracy over all names. You act only on the sure ones."),
            Mistake(lambda: accepted(3), "You left out the interval from 0.7 to 0.8."),
            Mistake(
                lambda: float(POINTS[2:].sum() / POINTS.sum()),
                "That is the share of names on which you act. How many of them are right?",
            ),
        ),
        well_done="You act on about half of the names, and almost all are right. That is what a posterior is good for.",
        solution="points, right = [439, 300, 43], [0.9703, 0.9766, 1.0]\n"
        "answer = sum(p * r for p, r in zip(points, right)) / sum(points)",
        tolerance=1e-3,
    ),
    Prediction(
        "06/trap",
        question="Platt's method fits an S-shaped curve that turns a score into a probability. Once we give it the log "
        "odds of naive Bayes, once its posterior. The two carry the same order of names. By how much does the RMSE of "
        "the second exceed that of the first?",
        options={
            "it does not: the order is the same": lambda r: r < 1.2,
            "up to twice as large": lambda r: 1.2 <= r < 2,
            "more than twice as large": lambda r: r >= 2,
        },
        truth=trapped,
        reason=lambda r: (
            f"{say(r)} times as large. Nearly all posteriors are close to 0 or 1, whether the log odds were 4 or 40. "
            "There the S-shaped curve has nothing to tell them apart by."
        ),
    ),
    Exercise(
        "06/temperature",
        task="One temperature for all names, T = 6. Which k gives a name of n = 24 features the same posterior by eq. "
        "(20)?",
        expected=lambda: (N + 1) / TEMPERATURE,
        mistakes=(
            Mistake(lambda: N / TEMPERATURE, "Eq. (20) divides by n + 1: the prior counts as one more factor."),
            Mistake(lambda: TEMPERATURE / (N + 1), "Upside down: a higher temperature is a smaller k."),
            Mistake(lambda: 1 / TEMPERATURE, "That is the exponent, k / (n + 1). How large is k?"),
            Mistake(lambda: TEMPERATURE, "A higher temperature is a smaller k. How does n come in?"),
        ),
        well_done="A name of 11 features would need k = 2. One T for all names is not one k for all names.",
        solution="answer = (24 + 1) / 6",
    ),
    Exercise(
        "06/table-one",
        task="The paper's Table 1, naive Bayes: of the names with a confidence from 0.5 to 0.6, 0.6 to 0.7, ..., 0.9 "
        "to 1, the shares 0.5000, 0.3636, 0.5000, 0.5238, 0.8792 are right (26, 22, 26, 42, 1474 names). What RMSE of "
        "a reliability diagram is that, bins alike, from the midpoints? (With two classes the lower half mirrors it.)",
        expected=lambda: table_rmse("naive"),
        mistakes=(
            Mistake(
                lambda: float(np.sqrt(np.average(OFF**2, weights=NAIVE_POINTS))),
                "You weighted the bins by their names. The paper's RMSE takes each bin alike.",
            ),
            Mistake(lambda: float(np.abs(OFF).mean()), "That is the mean distance. Square, mean, root."),
            Mistake(
                lambda: float(np.sqrt(np.mean((NAIVE_ACCURACY - EDGES[:-1]) ** 2))),
                "You measured from the left edges of the bins.",
            ),
            Mistake(lambda: float(np.mean(OFF**2)), "The root is missing."),
        ),
        well_done="The text says 0.164 for the same 24 features. Table and text cannot be of the same run.",
        solution="import numpy as np\n\nright = np.array([0.5, 0.3636, 0.5, 0.5238, 0.8792])\n"
        "middle = np.array([0.55, 0.65, 0.75, 0.85, 0.95])\nanswer = np.sqrt(np.mean((right - middle) ** 2))",
    ),
]
