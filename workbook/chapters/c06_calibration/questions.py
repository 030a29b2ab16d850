"""Predictions and exercises of chapter 06, calibration. Every expected value is computed, none is typed."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.stats import norm

from nbcore.calibration import reliability_bins
from nbcore.perplexed import attenuated_posterior, best_k
from workbook.chapters.names import CORPORA, names_split
from workbook.explorer.formatting import say
from workbook.questions.drawn import Drawn
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import parameters, plain

from .experiment import (
    EDGES,
    TABLE_1,
    calibrated_k,
    costs,
    decided_alike,
    flat_k,
    log_odds,
    naive_posterior,
    split_deviation,
    table_rmse,
    training_k,
    validated_k,
)

__all__ = ["CONTENTS", "DEEPER"]

DEEPER = "06/money"  # with which page 06b begins

TESTED = f"{CORPORA['one list'][1]:,} names"
JUDGED = f"Naive Bayes has judged {TESTED} that were not among its training rows, by n-grams of up to five letters."
ROOT = f"{JUDGED} Eq. (20) multiplies its log odds by k / (n + 1), for a name of n n-grams."
BIN = 8  # posteriors from 0.8 to 0.9
FOUR = np.array([[0.95, 0.05], [0.85, 0.15], [0.65, 0.35], [0.1, 0.9]])  # P(female), P(male) of four names
FOUR_Y = np.array([0, 1, 0, 1])
MIDDLES = (np.arange(10) + 0.5) / 10


def diagram(proba, max_n=5, seed=0):
    """Ten bins of the test names."""
    return reliability_bins(names_split(max_n, seed).test.y, proba)


def naive_share_in_bin() -> float:
    """The share that came true where naive Bayes said 0.8 to 0.9."""
    return float(diagram(naive_posterior(names_split(5).test)).observed[BIN])


def naive_mean_in_bin() -> float:
    """Return the mean posterior of naive Bayes in the bin BIN."""
    return float(diagram(naive_posterior(names_split(5).test)).mean_posterior[BIN])


def naive_pairs_in_bin() -> int:
    """Return how many pairs of naive Bayes lie in the bin BIN."""
    return int(diagram(naive_posterior(names_split(5).test)).count[BIN])


def flat_share_in_bin() -> float:
    """Return how often the pairs of BIN come true under eq. (20) with the k of the flattest histogram."""
    split = names_split(5)
    return float(diagram(attenuated_posterior(*split.test.evidence, flat_k(split))).observed[BIN])


@cache
def growth() -> float:
    """RMSE of naive Bayes with n-grams up to 5 over that with single letters, each the mean of ten splits."""
    short, long = (
        np.mean([diagram(naive_posterior(names_split(n, s).test), n, s).rmse() for s in range(10)]) for n in (1, 5)
    )
    return float(long / short)


@cache
def naive_costs() -> np.ndarray:
    """Return of ten splits what naive Bayes costs, over asking for every name, and its mistakes a decision, (10, 2)."""
    found = []
    for test in (names_split(5, seed).test for seed in range(10)):
        odds, sure = log_odds(test), naive_posterior(test).max(axis=1) >= 0.9
        price = costs((odds > 0) == test.y, np.abs(odds), 10)
        found.append((price[np.sum(sure)] / price[0], np.mean((odds > 0)[sure] != test.y[sure])))
    return np.array(found)


def others():
    """The split of the exercise on choosing k: its k is apart from those of other splits, parts and yardsticks."""
    return names_split(2, 4)


def least_loss(part) -> float:
    """The k with the least log loss on the names of a Part."""
    return best_k(part.evidence, part.y)


@cache
def alike_briers() -> list[float]:
    """Return the Brier scores of the three models of `decided_alike`, means of ten splits."""
    splits = [names_split(5, seed) for seed in range(10)]
    scores = [[np.mean((p[:, 1] - s.test.y) ** 2) for p in decided_alike(s).values()] for s in splits]
    return np.mean(scores, axis=0).tolist()


@cache
def twins_right() -> float:
    """Return how often naive Bayes is right about test rows whose name was counted with the other label: ten splits."""
    hits = []
    for split in (names_split(5, seed, "embedded") for seed in range(10)):
        learned = np.isin(split.test.names, split.training.names)
        hits += [*((log_odds(split.test) > 0)[learned] == split.test.y[learned])]
    return float(np.mean(hits))


def apart() -> float:
    """Return how often two splits differ in RMSE as much as the paper's table and text do, by a normal spread."""
    return float(2 * norm.sf((table_rmse("naive") - 0.164) / (np.sqrt(2) * split_deviation())))


@parameters(said=((0.95, 0.85, 0.65, 0.10), (0.9, 0.82, 0.3, 0.15), (0.97, 0.6, 0.88, 0.05), (0.83, 0.12, 0.92, 0.07),
                  (0.91, 0.08, 0.86, 0.4)), true=("fmfm", "ffmm", "mffm", "fmmm"))  # fmt: skip
def pairs(said, true):
    every = [(p, c == "f") for p, c in zip(said, true, strict=True)]
    every += [(1 - p, c == "m") for p, c in zip(said, true, strict=True)]
    inside = [(p, right) for p, right in every if p >= BIN / 10]
    observed = np.mean([right for _, right in inside])
    return Exercise(
        "06/pairs",
        task=f"Four names have P(female) = {', '.join(f'{p:.2f}' for p in said)}; they are "
        f"{', '.join('female' if c == 'f' else 'male' for c in true)}. P(male) is the rest to 1. Pool all eight "
        f"posteriors. Which share came true in the bin from {BIN / 10} to 1?",
        expected=observed,
        mistakes=(
            Mistake(np.mean([right for p, right in every[:4] if p >= 0.8]), f"You looked at P(female) only. P(male) = "
                    f"{1 - said[3]:.2f} of the last name lies in the bin too.",
                    "You looked at P(female) only. P(male) of some names lies in the bin too."),
            Mistake(np.mean([p for p, _ in inside]), "That is what was said in this bin, on the average. What came "
                    "true?"),
            Mistake(sum(right for _, right in inside) / 8, "You divided by all eight pairs. Divide by those in the "
                    "bin."),
            Mistake(len(inside) / 8, "That is the share of pairs in the bin, a height of the histogram. How many of "
                    "these came true?"),
            Mistake(1 - observed, "That is the share that did not come true. The last name is male, and its pair in "
                    "the bin says so.", "That is the share that did not come true."),
        ),
        well_done=f"The last name speaks here too: it is male, with {1 - said[3]:.2g}. With two classes the diagram is "
        "symmetric.",
        help="Write down all eight pairs of a name and a class. Which lie in the bin, and which of these are true?",
        solution=f"# {said[0]}: true, {said[1]}: not,\n# P(male) = {1 - said[3]:.2f} of the last: true\nanswer = 2 / 3",
        variant_texts=dict(
            well_done="Every name speaks twice: with two classes the diagram is symmetric.",
            solution=f"female = {list(said)}\ntrue = {true!r}\n"
            'pairs = [*zip(female, (c == "f" for c in true)), *((1 - p, c == "m") for p, c in zip(female, true))]\n'
            "inside = [right for p, right in pairs if p >= 0.8]\nanswer = sum(inside) / len(inside)",
        ),
    )  # fmt: skip


@parameters(wrong=(25, 20, 40, 30), asking=(2, 3, 4, 7))
def price(wrong, asking):
    threshold = 1 - asking / wrong
    return Exercise(
        "06/price",
        task=f"A wrong decision costs {wrong}, asking a person costs {asking}, a right decision costs nothing. Your "
        "model is calibrated. From which confidence on do you decide?",
        expected=threshold,
        mistakes=(
            Mistake(asking / wrong, "That is how often a decision may be wrong. From which confidence on is it wrong "
                    "that rarely?"),
            Mistake(wrong / (wrong + asking), "You took the prices as odds. A right decision costs nothing: compare "
                    f"(1 − P) times {wrong} with {asking}."),
            Mistake(1 - 1 / wrong, "That would be right if asking cost 1."),
            Mistake(0.9, "That was the threshold for the prices 10 and 1. Work it out for these.", page_only=True),
            Mistake(0.5, f"Then you decide every name. At 0.5 a decision costs {wrong / 2:g} on average, asking costs "
                    f"{asking}."),
        ),
        well_done=f"No labels were needed: the threshold follows from the prices, as long as a {threshold} means "
        f"{threshold}.",
        solution=f"# (1 - P) * {wrong} <= {asking}\nanswer = 1 - {asking} / {wrong}",
        nearly=False,
        help="What does a decision with confidence P cost on average? Put it equal to what asking costs.",
        variant_texts=dict(well_done="No labels were needed: the threshold follows from the prices, as long as the "
                           "model is calibrated."),
    )  # fmt: skip


@parameters(table=(
    tuple(zip(*TABLE_1["perplexed"], strict=True)),
    ((210, 0.5524), (180, 0.6222), (260, 0.7615), (340, 0.8794), (90, 0.9667)),
    ((95, 0.5053), (130, 0.7), (150, 0.72), (80, 0.9125), (60, 0.9833)),
    ((160, 0.55), (140, 0.6714), (120, 0.825), (200, 0.89), (310, 0.9806)),
    ((320, 0.5938), (250, 0.64), (180, 0.8), (90, 0.9), (30, 1.0)),
    ((70, 0.5714), (110, 0.6455), (190, 0.7), (240, 0.9292), (160, 0.9875)),
))  # fmt: skip
def accepted(table):
    names, right = np.array(table).T
    names = names.astype(int)

    def accuracy(first):
        return np.average(right[first:], weights=names[first:])

    return Exercise(
        "06/accepted",
        task=f"The paper's Table 1, Perplexed Bayes: {', '.join(map(str, names))} names with a confidence from "
        f"{EDGES[0]} to {EDGES[1]}, {EDGES[1]} to {EDGES[2]}, ..., {EDGES[4]} to 1; of these "
        f"{', '.join(f'{share:.4f}' for share in right)} are right. You act only on a confidence of {EDGES[2]} or "
        "more. Which share of your decisions is right?",
        expected=accuracy(2),
        mistakes=(
            Mistake(right[2:].mean(), f"You averaged the three intervals alike. They hold {names[2]}, {names[3]} and "
                    f"{names[4]} names."),
            Mistake(accuracy(0), "That is the accuracy over all names. You act only on the sure ones."),
            Mistake(accuracy(3), f"You left out the interval from {EDGES[2]} to {EDGES[3]}."),
            Mistake(names[2:].sum() / names.sum(), "That is the share of names on which you act. How many of them are "
                    "right?"),
            Mistake(np.sum(right[2:] * names[2:]) / names.sum(), "You divided by all names. Divide by those on which "
                    "you act."),
        ),
        well_done="You act on about half of the names, and almost all are right. That is what a posterior is good for.",
        help="Of each interval that you act on: how many names are right? Add these up, and divide by all names there.",
        solution=f"points, accuracies = {names[2:].tolist()}, {right[2:].tolist()}\n"
        "answer = sum(count * share for count, share in zip(points, accuracies)) / sum(points)",
        variant_texts=dict(
            task=f"A model has {', '.join(map(str, names))} names with a confidence from 0.5 to 0.6, 0.6 to 0.7, ..., "
            f"0.9 to 1; of these {', '.join(map(plain, right))} are right. You act only on a confidence of 0.7 or "
            "more. Which share of your decisions is right?",
            well_done="Fewer decisions, and more of them right. That is what a posterior is good for.",
        ),
    )  # fmt: skip


@parameters(said=((0.95, 0.65), (0.8, 0.6), (0.9, 0.65), (0.85, 0.55)), right=((7, 8), (6, 9), (8, 9), (5, 7)))
def parts(said, right):
    gaps, share = np.array(said) - np.array(right) / 10, np.array(right) / 10
    first, second = np.mean(gaps**2), np.mean(share * (1 - share))
    return Exercise(
        "06/two-parts",
        task=f"Ten names are told {said[0]}, and {right[0]} of them are right. Ten other names are told {said[1]}, and "
        f"{right[1]} are right. How large is the calibration part of their Brier score?",
        expected=first,
        mistakes=(
            Mistake(second, "That is the refinement part, how mixed the groups are. How far off are the promises?"),
            Mistake(first + second, "That is the whole Brier score. Asked is its calibration part."),
            Mistake(np.mean(abs(gaps)), "That is the mean gap. Square each gap first."),
            Mistake(np.sum(gaps**2), "You added the two groups up. Each has half of the names: take the mean."),
            Mistake(np.sqrt(first), "That is the root of it. The Brier score takes no root."),
            Mistake(np.mean(gaps) ** 2, "You let the gaps cancel. Square each of them, then take the mean."),
        ),
        well_done="Both groups count by their names, and the gaps do not cancel.",
        solution=f"answer = (({said[0]} - {right[0]} / 10) ** 2 + ({said[1]} - {right[1]} / 10) ** 2) / 2",
        help="For each group: what it was told, less the share that is right. Square it, and take the mean.",
    )


@parameters(said=((0.9, 0.8, 0.6, 0.3), (0.7, 0.9, 0.5, 0.2), (0.8, 0.6, 0.9, 0.4), (0.6, 0.7, 0.2, 0.9)),
            true=("fmfm", "ffmm", "mffm", "fmmf"))  # fmt: skip
def brier(said, true):
    own = np.array([p if c == "f" else 1 - p for p, c in zip(said, true, strict=True)])
    expected = np.mean((1 - own) ** 2)
    return Exercise(
        "06/brier",
        task=f"Four names have P(female) = {', '.join(map(str, said))}; they are "
        f"{', '.join('female' if c == 'f' else 'male' for c in true)}. What is the Brier score?",
        expected=expected,
        mistakes=(
            Mistake(np.mean((1 - np.array(said)) ** 2), "You took P(female) of every name. Take the posterior of the "
                    "true class: of a male name P(male)."),
            Mistake(np.mean(1 - own), "That is the mean distance from 1. Square each distance first."),
            Mistake(np.sum((1 - own) ** 2), "That is the sum. Divide by the number of names."),
            Mistake(np.sqrt(expected), "The Brier score takes no root."),
            Mistake(2 * expected, "You summed over both classes. With two classes, the true one is enough."),
            Mistake(np.mean(own**2), "You squared the posteriors. Square their distances from 1."),
        ),
        well_done="One surely wrong name costs more than many slightly doubtful ones.",
        solution=f"own = {[round(float(p), 2) for p in own]}  # of the true class\n"
        "answer = sum((1 - p) ** 2 for p in own) / 4",
        help="Write down the posterior of each name's true class, then its distance from 1, squared. Take the mean.",
    )  # fmt: skip


CONTENTS = [
    Prediction(
        "06/place",
        question=f"{JUDGED} Take all pairs of a name and a class with a posterior from {BIN / 10} to {(BIN + 1) / 10}. "
        "In which share of them was it the true class? Put the bar.",
        truth=naive_share_in_bin,
        drawn=Drawn(
            {"says, on average": naive_mean_in_bin, "came true": naive_share_in_bin},
            y=f"Pairs from {BIN / 10} to {(BIN + 1) / 10}",
            given=1,
        ),
        reason=lambda share: (
            f"There are {naive_pairs_in_bin()} such pairs, and {say(100 * share)} % came true. A posterior that meant "
            "what it says would have come true in about 85 %."
        ),
    ),
    pairs,
    brier,
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
    Prediction(
        "06/flat",
        context=ROOT,
        question="You choose the k with the flattest histogram, as the paper does by default. Take all pairs from "
        f"{BIN / 10} to {(BIN + 1) / 10} again. How many come true now?",
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
        "the larger posterior of each name. What is the mean of these larger posteriors?",
        expected=lambda: float(np.maximum(MIDDLES, 1 - MIDDLES).mean()),
        mistakes=(
            Mistake(lambda: MIDDLES.mean(), "That is the mean of all posteriors. Take the larger one of each name."),
            Mistake(lambda: 1.0, "Only the surest decision has a posterior of 1."),
            Mistake(lambda: 2 / 3, "That would be the larger of two independent posteriors. Here the two sum to 1."),
            Mistake(
                lambda: float(np.mean(naive_posterior(names_split(5).test).argmax(axis=1) == names_split(5).test.y)),
                "That is how often the names are decided rightly. The question is what a flat histogram claims.",
            ),
        ),
        well_done="So a flat histogram is calibrated only if the classifier happens to be right three times in four.",
        solution="# the larger posterior is flat from 0.5 to 1\nanswer = (0.5 + 1) / 2",
        help="Of each name take the larger of its two posteriors. From where to where do they lie, and how?",
    ),
    Prediction(
        "06/training-k",
        context=ROOT,
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
        context=ROOT,
        task="Take another split and n-grams of up to two: others = names_split(2, seed=4). Which k gives eq. (20) the "
        "least log loss on others.validation? Try k from 1 to 12 in steps of 0.05.",
        expected=lambda: least_loss(others().validation),
        mistakes=(
            Mistake(
                lambda: least_loss(others().training),
                "You tuned k on the training names. The model has counted them itself.",
            ),
            Mistake(
                lambda: training_k(others()),
                "You tuned k on the training names, and by RMSE. Take names that the model has not counted, and log "
                "loss.",
            ),
            Mistake(
                lambda: least_loss(others().test),
                "You tuned k on the test names. Then nothing is left to judge it by.",
            ),
            Mistake(lambda: validated_k(others()), "That k has the smallest RMSE. Asked is the least log loss."),
            Mistake(lambda: flat_k(others()), "That is the k with the flattest histogram. Flat is not calibrated."),
            Mistake(
                lambda: least_loss(names_split(2).validation),
                "Those are the names of seed 0, which names_split takes if you say nothing. Asked is seed 4.",
            ),
            Mistake(
                lambda: calibrated_k(names_split(5)),
                "That is a k for n-grams of up to five, as on this page. Asked are n-grams of up to two.",
            ),
            Mistake(lambda: flat_k(names_split(5)), "That is this page's flat k. Take others, and log loss."),
        ),
        well_done="Held-out names stand in for the names to come. That is why they must be new to the model.",
        solution="import numpy as np\n\nfrom nbcore.perplexed import attenuated_posterior\n"
        "from workbook.experiments import names_split\n\nheld = names_split(2, seed=4).validation\n\n\n"
        "def loss_at(k):\n    p = attenuated_posterior(*held.evidence, k)\n"
        "    return -np.log(p[np.arange(len(p)), held.y]).mean()\n\n\n"
        "answer = min(np.arange(1, 12, 0.05), key=loss_at)",
        help="Take the validation part of that split, and of each k the log loss there. Which is the least?",
        tolerance=3.6e-2,  # 0.07: a search between the steps of the grid is right as well
        nearly=False,
    ),
    Prediction(
        "06/money",
        question="A wrong decision costs 10, asking a person, who knows, costs 1, a right decision costs nothing. You "
        "take naive Bayes at its word: you decide wherever it is 0.9 sure or more, and ask elsewhere. What do you pay, "
        "on average over ten splits, compared with asking for every name?",
        options={
            "half as much, or less": lambda r: r <= 0.5,
            "from half as much to nine tenths": lambda r: 0.5 < r < 0.9,
            "about the same, give or take a tenth": lambda r: 0.9 <= r <= 1.1,
            "more than a tenth more": lambda r: r > 1.1,
        },
        truth=lambda: float(naive_costs()[:, 0].mean()),
        reason=lambda r: (
            f"{say(r)} times as much, dearer on {np.sum(naive_costs()[:, 0] > 1)} splits. Of a hundred decisions "
            f"{100 * naive_costs()[:, 1].mean():.0f} are wrong, where it promised fewer than one."
        ),
    ),
    price,
    accepted,
    Prediction(
        "06/one-number",
        question="Two models decide as naive Bayes does. The first says the same number of every choice, the share "
        "that is right: on ten splits its mean RMSE is 0.019. The second divides the log odds of naive Bayes by a "
        "temperature: RMSE 0.041. Which has the smaller Brier score?",
        options={
            "the first, by a tenth or more": lambda r: r < 0.9,
            "about the same: they decide alike": lambda r: 0.9 <= r <= 1.1,
            "the second, by a tenth or more": lambda r: r > 1.1,
        },
        truth=lambda: alike_briers()[1] / alike_briers()[2],
        reason=lambda r: (
            "{1:.3f} against {2:.3f} (naive Bayes {0:.3f}), means of ten splits. Calibration is one part of the Brier "
            "score. The other part is how well a model tells sure names from doubtful ones, and one number for all "
            "tells nothing.".format(*alike_briers())
        ),
    ),
    parts,
    Prediction(
        "06/twins",
        question="Now take all 7,203 rows. A name on both lists has two rows, one female and one male. Of some test "
        "rows the other row, the twin, is among the training names. How often does naive Bayes, with n-grams of up to "
        "five, decide these rightly, on ten splits together?",
        options={
            "nearly as often as the others": lambda p: p > 0.6,
            "about every second time, like a coin": lambda p: 0.4 <= p <= 0.6,
            "clearly less often than a coin": lambda p: p < 0.4,
        },
        truth=twins_right,
        reason=lambda p: (
            f"{say(100 * p)} %. The model has learned this very name, with the other label, and it often repeats what "
            "it was told."
        ),
    ),
    Prediction(
        "06/two-runs",
        question="On 200 random splits of the paper's names the RMSE has a standard deviation of 0.027. How often are "
        "those of two splits at least as far apart as 0.227 and 0.164?",
        options={
            "in fewer than 1 of 100 pairs": lambda p: p < 0.01,
            "in about 2 of 100": lambda p: 0.01 <= p < 0.05,
            "in about 10 of 100": lambda p: 0.05 <= p < 0.2,
            "in more than a third": lambda p: p >= 0.2,
        },
        truth=apart,
        reason=lambda p: f"In {100 * p:.0f} of 100. The difference of two splits is √2 times as noisy as either.",
    ),
]
