"""The tasks of chapter 09 with other numbers."""

from __future__ import annotations

from fractions import Fraction

from workbook.questions.again import Again, Generators

__all__ = ["AGAIN"]

AGAIN = Generators()


@AGAIN("09/e-step", K=(4, 5, 6, 8), goals=(2, 3, 4), coaches=(1, 2))
def e_step(K, goals, coaches):
    seen, unseen = Fraction(2, K + 1), Fraction(1, K + 1)
    sport, politics = seen**goals * unseen**coaches, unseen ** (goals + coaches)
    right = sport / (sport + politics)
    return Again(
        f"The two labelled stories are “goal” (sport) and “vote” (politics); the vocabulary has {K} words, alpha = 1, "
        f"equal priors. So P(goal | sport) = {seen} and every other word has {unseen} in sport; P(vote | politics) = "
        f"{seen} and every other word {unseen} in politics. What share of the unlabelled story "
        f"“{' '.join(['goal'] * goals + ['coach'] * coaches)}” goes to sport in the E-step?",
        right,
        (Fraction(2, 3), 1, sport / 2, 1 - right, None, sport, Fraction(1, 2)),
        f"sport = 1 / 2 * ({seen}) ** {goals} * ({unseen}) ** {coaches}\n"
        f"politics = 1 / 2 * ({unseen}) ** ({goals} + {coaches})\nanswer = sport / (sport + politics)",
        hints={0: f"You counted “goal” once. The story says it {goals} times.",
               6: f"That is what “coach” says alone. The story says “goal” as well, {goals} times."},
    )  # fmt: skip


THIRD, FOURTH = Fraction(1, 3), Fraction(1, 4)


@AGAIN("09/m-step", weight=(Fraction(1, 2), FOURTH, Fraction(1, 5), THIRD),
       first=(2 * THIRD, 3 * FOURTH, Fraction(4, 5)))  # fmt: skip
def m_step(weight, first):
    def coach(weight, alpha=1, unlabelled=2 * first + 3 * (1 - first)):
        return (weight * first + alpha) / (1 + weight * unlabelled + 4 * alpha)

    return Again(
        "M-step of semi-supervised naive Bayes. Sport has the labelled story “goal”, and shares of "
        f"{first} of “goal coach” and {1 - first} of “vote law law”. lambda = {weight}: so much an unlabelled story "
        "counts. alpha = 1, four words. What is P(coach | sport)?",
        coach(weight),
        (coach(1), coach(weight, alpha=0), coach(weight, unlabelled=2 * first), coach(weight, unlabelled=2),
         coach(weight, alpha=weight), (weight + 1) / (1 + 2 * weight + 4)),
        f"coach = {weight} * ({first})\nwords = 1 + {weight} * (2 * ({first}) + 3 * (1 - {first}))\n"
        "answer = (coach + 1) / (words + 4)",
        hints={4: "You weighed alpha as well. lambda weighs the unlabelled stories, and alpha stays 1."},
    )  # fmt: skip


@AGAIN("09/missing", classes=(10, 8, 6, 20), labels=(20, 15, 30, 12))
def missing(classes, labels):
    absent = (1 - 1 / classes) ** labels
    return Again(
        f"Suppose each of {classes} classes is equally frequent. You label {labels} items at random. How many of the "
        f"{classes} do you expect to be missing among your labels, on average?",
        classes * absent,
        (absent, 0, None, None, classes * (1 / classes) ** labels, classes * (1 - absent)),
        f"answer = {classes} * (1 - 1 / {classes}) ** {labels}",
        hints={0: f"That is the probability that one certain class is missing. There are {classes} that may be.",
               1: "A random sample is not so even.",
               4: f"That is for all {labels} in one and the same given class. A class is missing if none is in it."},
    )  # fmt: skip


@AGAIN("09/balance", labels=(20, 50, 30, 80), unlabelled=(980, 450, 1_200, 640))
def balance(labels, unlabelled):
    total = labels + unlabelled
    return Again(
        f"{labels} labels, {unlabelled:,} items without. You want all unlabelled items together to count as much as "
        "all labelled ones. Which lambda?",
        labels / unlabelled,
        (labels / total, unlabelled / labels, 1.0, 1 / unlabelled),
        f"answer = {labels} / {unlabelled}",
        well_done="With lambda = 1 the labels are a small part of the data. That is what lambda is for.",
        hints={0: "You divided by all items. Only the unlabelled ones are weighted.",
               2: "That weighs one item like another. In all, the unlabelled ones then win.",
               3: f"Then all {unlabelled:,} count as one labelled item. You have {labels} of these."},
    )  # fmt: skip
