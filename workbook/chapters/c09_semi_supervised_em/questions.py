"""Predictions and exercises of chapter 09, semi-supervised EM. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction
from math import log, log10

import numpy as np

from workbook.explorer.formatting import signed
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_words, parameters

from .experiment import LEARN, SPLITS, climb, label_budget, plane_dots, plane_run

__all__ = ["CONTENTS"]


def across() -> float:
    """Return how many more dots are right after EM than before, if the true boundary is at 1.4."""
    truth, models = plane_dots()[:, 0] > 1.4, plane_run().models_
    before, after = (np.sum(model.predict(plane_dots()) == truth) for model in (models[0], models[-1]))
    return float(after - before)


def two_of_each() -> float:
    """Return what 20 labels get right without EM, two of each digit, less 20 at random: the mean of all splits."""
    equal, random = ([label_budget(20, steps=0, seed=seed, equal=equal).accuracy[0] for seed in range(SPLITS)]
                     for equal in (True, False))  # fmt: skip
    return float(np.mean(equal) - np.mean(random))


def last_gain(n_labels: int, imagined: bool = False) -> float:
    """Return what all steps of EM add to some labels, the mean of all splits."""
    return float(climb(n_labels, imagined).gain[:, -1].mean())


def steps_to_pass() -> float:
    """Return after how many steps EM is above the model of all labels, with 320 labels: the mean of all splits."""
    return float((climb(320).above > 0).argmax(axis=1).mean())


def in_points(share: float) -> str:
    """Return a mean gain in points as text."""
    return f"{signed(100 * share, 1)} points, the mean of {SPLITS} splits."


DIGITS = f"Of {LEARN:,} digits some have a label; EM reads the others, too. Bernoulli naive Bayes."
DOTS = "Gaussian naive Bayes learns from four labelled dots; EM adds 200 without labels, in two clusters."


@parameters(K=(4, 5, 6, 8), goals=(2, 3, 4), coaches=(1, 2))
def e_step(K, goals, coaches):
    seen, unseen = Fraction(2, K + 1), Fraction(1, K + 1)
    sport, politics = seen**goals * unseen**coaches, unseen ** (goals + coaches)
    right = sport / (sport + politics)
    often = {2: "twice"}.get(goals, f"{in_words(goals)} times")
    story = " ".join(["goal"] * goals + ["coach"] * coaches)
    return Exercise(
        "09/e-step",
        task=f"Labelled are “goal” (sport) and “vote” (politics); {in_words(K)} words, alpha = 1, equal priors. So "
        f"P(goal | sport) = P(vote | politics) = {seen}, and any other word has {unseen} in either class. What share "
        f"of “{story}” goes to sport in the E-step?",
        expected=right,
        mistakes=(
            Mistake(Fraction(2, 3), f"You counted “goal” once. The story says it {often}."),
            Mistake(1.0, "That is the winning class, all or nothing. The E-step hands out shares: the posterior."),
            Mistake(sport / 2, "That is the joint probability P(sport, story). Divide by the sum over both classes."),
            Mistake(1 - right, "That is the share of politics."),
            Mistake(2 * right / (1 + right), "You let “coach” speak for sport, too. Both classes give it the same."),
            Mistake(sport, "That is P(story | sport). Take the prior times it, and divide by the sum over both "
                    "classes."),
            Mistake(Fraction(1, 2), f"That is what “coach” says alone. The story says “goal” as well, {often}."),
        ),
        help="Multiply the prior and three probabilities for each class. Then divide one product by the sum of both.",
        well_done="The E-step is prediction, nothing else. “coach” said nothing, but it was there.",
        solution="sport = 1 / 2 * (2 / 5) ** 2 * (1 / 5)\npolitics = 1 / 2 * (1 / 5) ** 3\n"
        "answer = sport / (sport + politics)",
        variant_texts=dict(
            solution=f"sport = 1 / 2 * ({seen}) ** {goals} * ({unseen}) ** {coaches}\n"
            f"politics = 1 / 2 * ({unseen}) ** ({goals} + {coaches})\nanswer = sport / (sport + politics)"
        ),
    )  # fmt: skip


@parameters(first=(Fraction(2, 3), Fraction(3, 4), Fraction(4, 5), Fraction(3, 5)), laws=(2, 3))
def m_step(first, laws):
    last = 1 - first  # the share of the last story in sport
    words = 1 + 2 * first + (1 + laws) * last

    def coach(count=first, words=words, alpha=1):
        return (count + alpha) / (words + 4 * alpha)

    story = " ".join(["vote"] + ["law"] * laws)
    return Exercise(
        "09/m-step",
        task=f"Now let the last story be “{story}”; the shares stay {first} and {last}. So sport has the labelled "
        f"story “goal”, {first} of “goal coach” and {last} of “{story}”. alpha = 1, four words. What is P(coach | "
        "sport)?",
        expected=coach(),
        mistakes=(
            Mistake(coach(alpha=0), "That is without smoothing. Add alpha to the count, and alpha for every word "
                    "below."),
            Mistake(coach(words=1 + 2 * first), f"The count of “coach” is right. Below stand all words of sport: "
                    f"“{story}” has a share, too."),
            Mistake(coach(words=1 + 2 * first + 2 * last), "Above it is right. Below stand shares of every word; the "
                    "last story says “law” more than once."),
            Mistake(coach(1, 3), "You gave the whole of “goal coach” to sport, and nothing of the last story. Count "
                    "shares."),
            Mistake(coach(last), "You took the share of politics in “goal coach”."),
        ),
        help="How many words are there in sport, if a story gives its share of each? Then smooth as ever.",
        well_done="Counting, with fractions of stories. The word was in no labelled story, and has a class now.",
        solution=f"first, last = {first.numerator} / {first.denominator}, {last.numerator} / {last.denominator}\n"
        f"words = 1 + 2 * first + {1 + laws} * last\nanswer = (first + 1) / (words + 4)",
        variant_texts=dict(
            task=f"M-step of semi-supervised naive Bayes. Sport has the labelled story “goal”, and shares of {first} "
            f"of “goal coach” and {last} of “{story}”. alpha = 1, four words. What is P(coach | sport)?"
        ),
    )  # fmt: skip


@parameters(labelled=((0.02, 0.06), (0.03, 0.01), (0.05, 0.2)),
            other=((0.03, 0.05), (0.02, 0.07), (0.1, 0.06), (0.04, 0.02)))
def objective(labelled, other):
    (own, rival), (a, b) = labelled, other
    right = log(own) + log(a + b)
    return Exercise(
        "09/objective",
        task=f"A labelled row has P(x, y) = {own} for its own class, and {rival} for the other one. An unlabelled row "
        f"has {a} and {b}. What do these two rows add to the objective, in nats?",
        expected=right,
        mistakes=(
            Mistake(log(own + rival) + log(a + b), "You summed over the classes of the labelled row. It has a label: "
                    "take P(x, y) of its own class."),
            Mistake(log(own) + log(max(a, b)), "You took the best class of the unlabelled row. P(x) is the sum over "
                    "all classes."),
            Mistake(log(own) + log(a) + log(b), "You added logarithms over the classes: that is a product. P(x) is a "
                    "sum of probabilities."),
            Mistake(own * (a + b), "That is the product of the two. The objective is its natural logarithm."),
            Mistake(log10(own * (a + b)), "That is another logarithm. A nat belongs to the natural one."),
            Mistake(-right, "The sign is turned round. EM climbs: this is to be made large."),
            Mistake(log(own / (own + rival)), "You took P(y | x). The objective asks for likely rows, P(x, y)."),
            Mistake(log(own), "That is the labelled row. What does the other one add?"),
            Mistake(log(a + b), "That is the unlabelled row. What does the labelled one add?"),
        ),
        help="Of the labelled row you need one of its two numbers, of the other row the sum of both.",
        well_done="Two kinds of rows, two kinds of terms. Only the first knows a label.",
        solution=f"from math import log\n\nanswer = log({own}) + log({a} + {b})",
        variant_texts=dict(
            task="Semi-supervised EM climbs log P(x, y) of labelled rows plus log P(x) of the others. A labelled row "
            f"has P(x, y) = {own} for its own class, and {rival} for the other one. An unlabelled row has {a} and "
            f"{b}. What do they add, in nats?"
        ),
    )  # fmt: skip


CONTENTS = [
    Prediction(
        "09/across",
        context=DOTS,
        question="Two clusters of dots, two labels in each; but the true boundary cuts the right cluster, at x₁ = 1.4. "
        "The four labels alone get 180 of 200 dots right. And after 12 steps of EM on all dots?",
        options={
            "more: 200 dots say more than four": lambda d: d > 5,
            "about as many: the labels are kept": lambda d: abs(d) <= 5,
            "fewer": lambda d: d < -5,
        },
        truth=across,
        reason=lambda d: (
            f"{180 + d:.0f}. EM cannot see which boundary is the true one. It leads its own into the gap between the "
            "clusters, wherever the truth lies. This time that is the wrong place."
        ),
    ),
    e_step,
    m_step,
    Prediction(
        "09/two-each",
        context=DIGITS,
        question="20 digits, drawn at random, get a label: 56 % right by these alone, 58 % after 60 steps of EM on the "
        "980 others. Now label two of each digit, and no EM. How many are right?",
        options={
            "about 46 %": lambda d: d < -0.05,
            "about 56 %: 20 labels are 20 labels": lambda d: abs(d) <= 0.05,
            "about 66 %": lambda d: d > 0.05,
        },
        truth=two_of_each,
        reason=lambda d: (
            f"{100 * d:+.1f} points, without a single unlabelled digit. At random, most draws leave some digit without "
            "a label: that digit is never predicted."
        ),
    ),
    Prediction(
        "09/eighty",
        context=DIGITS,
        question="Now 80 labels, eight of each digit: 81 % right by these alone. One step of EM on the 920 others adds "
        "2.0 points. What have 60 steps added?",
        options={
            "more: EM goes on learning": lambda d: d > 0.025,
            "0 to 2.5 points: the first step said it": lambda d: 0 <= d <= 0.025,
            "less than nothing": lambda d: d < 0,
        },
        truth=lambda: last_gain(80),
        reason=lambda d: f"{in_points(d)} EM went on, past what its first step had won.",
    ),
    Prediction(
        "09/star",
        context=DIGITS,
        question="Score two models by the objective, which EM climbs: EM, started from 320 labels, and the same model, "
        "told all 1,000 labels. Which one is higher?",
        options={
            "the model told all labels": lambda steps: steps == 0,
            "EM, after three steps or more": lambda steps: steps > 2.5,
            "EM, from its first step or two on": lambda steps: 0 < steps <= 2.5,
        },
        truth=steps_to_pass,
        reason=lambda steps: (
            f"It takes {steps:g} step on average of {SPLITS} splits. The model told all labels makes rows likely "
            "with their labels; EM makes 680 of them likely under whatever label."
        ),
    ),
    objective,
    Prediction(
        "09/true-model",
        context=DIGITS,
        question="Now draw digits, every pixel on its own, by P(ink | digit) of the real ones: naive Bayes is true of "
        "them. 320 labels alone get 94 % right. After EM?",
        options={
            "fewer": lambda d: d < -0.005,
            "as many, to half a point": lambda d: abs(d) <= 0.005,
            "more": lambda d: d > 0.005,
        },
        truth=lambda: last_gain(320, imagined=True),
        reason=lambda d: (
            f"{in_points(d)} What makes these pixels likely is the digit. So it was not too many labels that hurt."
        ),
    ),
]
