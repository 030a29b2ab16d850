"""Predictions and exercises of chapter 09, semi-supervised EM. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from nbcore.naive_bayes import MultinomialNB
from nbcore.semi_supervised import SemiSupervisedNB
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_words, parameters

from .experiment import (
    LEARN,
    SPLITS,
    STORIES,
    accuracies,
    gains,
    label_budget,
    long_budget,
    node_budget,
    plane_dots,
    plane_run,
)

__all__ = ["CONTENTS"]


def few_labels() -> float:
    """Mean gain with 20 labels."""
    return float(gains(20).mean())


def drawer_closed() -> float:
    """What alpha = 0.1 in place of 1 adds to 20 labels alone: mean of the page's splits."""
    light, heavy = (accuracies(20, alpha, SPLITS)[:, 0].mean() for alpha in (0.1, 1.0))
    return float(light - heavy)


def many_labels() -> float:
    """Mean gain with 320 labels."""
    return float(gains(320).mean())


def labels_let_go() -> float:
    """Mean gain with 640 labels that are used for the first model only."""
    return float(gains(640, clamp=False).mean())


def across() -> float:
    """How many more dots are right after EM than before, if the true boundary is at 1.4."""
    truth, models = plane_dots()[:, 0] > 1.4, plane_run().models_
    before, after = (np.sum(model.predict(plane_dots()) == truth) for model in (models[0], models[-1]))
    return float(after - before)


def gone_on() -> float:
    """Mean gain with 80 labels after 40 steps."""
    runs = [long_budget(80, seed=seed).accuracy for seed in range(SPLITS)]
    return float(np.mean([run[-1] - run[0] for run in runs]))


def three_nodes(n_labels=160) -> float:
    """Mean gain with three nodes per class over the same nodes from the labels alone."""
    return float(np.mean([node_budget(n_labels, 3, seed).gain for seed in range(SPLITS)]))


def missed() -> float:
    """How many digits the page's splits miss among 20 labels, on average."""
    return float(np.mean([10 - len(label_budget(20, seed=seed).classes) for seed in range(SPLITS)]))


def tiny_lambda() -> float:
    """Mean gain with 20 labels and lambda = 0.01."""
    return float(gains(20, weight=0.01).mean())


def imagined() -> float:
    """Mean gain with 320 labels on digits drawn from naive Bayes itself."""
    return float(gains(320, imagined=True).mean())


def gained(share: float) -> str:
    """Say a mean gain in points."""
    return f"{100 * share:+.1f} points, the mean of {SPLITS} splits."


TWENTY = f"Of {LEARN:,} digits 20 have a label."
DRAWER = f"{TWENTY} The others lie in a drawer, for EM."
DOTS = "Gaussian naive Bayes learns from four labelled dots; EM adds 200 without labels, in two clusters."
LONGER = [*STORIES[:3], [0, 0, 1, 2]]  # the last story says "vote law law"
HALF = Fraction(1, 2)  # the weight of an unlabelled story


def coach(weight=HALF) -> float:
    """P(coach | sport) after one step with lambda = weight."""
    model = SemiSupervisedNB(MultinomialNB(), unlabelled_weight=float(weight), max_iter=1, tol=0)
    return float(np.exp(model.fit(LONGER, [0, 1, -1, -1]).estimator_.feature_log_prob_[0, 1]))


# log P(x, c) of four rows and two classes, and the labels of two of them
JOINT, GIVEN, LAMBDA = np.array([[-2.0, -3.0], [-4.0, -1.5], [-2.5, -2.0], [-6.0, -3.5]]), np.array([0, 0, -1, -1]), 0.5
CASES = [
    (JOINT, GIVEN, LAMBDA),
    (JOINT - 800, np.array([1, -1, 0, -1]), 1.0),
    (JOINT, np.array([-1, 0, 1, 1]), 0.1),
]


def objective(joint, y, weight, row=np.logaddexp.reduce) -> float:
    """Labelled log P(x, y) plus lambda times unlabelled log P(x); row: what an unlabelled row gives."""
    known = y >= 0
    return float(joint[known, y[known]].sum() + weight * sum(map(row, joint[~known])))


def objective_of_cases(function) -> list[float]:
    """A learner's function on cases that tell the slips apart."""
    with np.errstate(divide="ignore"):  # exp(-800) is 0: that is one of the slips
        return [function(joint.copy(), y.copy(), weight) for joint, y, weight in CASES]


def posterior(joint):
    """log P(c | x)."""
    return joint - np.logaddexp.reduce(joint, axis=1)[:, None]


def through_exp(joint, y, weight) -> float:
    """The slip of leaving log space."""
    with np.errstate(divide="ignore"):
        return objective(joint, y, weight, row=lambda row: np.log(np.exp(row).sum()))


@parameters(K=(4, 5, 6, 8), goals=(2, 3, 4), coaches=(1, 2))
def e_step(K, goals, coaches):
    seen, unseen = Fraction(2, K + 1), Fraction(1, K + 1)
    sport, politics = seen**goals * unseen**coaches, unseen ** (goals + coaches)
    right = sport / (sport + politics)
    often = {2: "twice"}.get(goals, f"{in_words(goals)} times")
    story = " ".join(["goal"] * goals + ["coach"] * coaches)
    return Exercise(
        "09/e-step",
        task=f"The two labelled stories are “goal” (sport) and “vote” (politics); the vocabulary has {in_words(K)} "
        f"words, alpha = 1, equal priors. So P(goal | sport) = P(vote | politics) = {seen}, and in either class every "
        f"other word has {unseen}. What share of the unlabelled story “{story}” goes to sport in the E-step?",
        expected=right,
        mistakes=(
            Mistake(Fraction(2, 3), f"You counted “goal” once. The story says it {often}."),
            Mistake(1.0, "That is the winning class, all or nothing. The E-step hands out shares: the posterior."),
            Mistake(sport / 2, "That is the joint probability P(sport, story). Divide by the sum over both classes."),
            Mistake(1 - right, "That is the share of politics."),
            Mistake(0.67, "That is the share of “goal coach”. This story says “goal” twice.", page_only=True),
            Mistake(sport, "That is P(story | sport). Take the prior times it, and divide by the sum over both "
                    "classes."),
            Mistake(Fraction(1, 2), f"That is what “coach” says alone. The story says “goal” as well, {often}."),
        ),
        well_done="The E-step is prediction, nothing else. “coach” said nothing, but it was there.",
        solution="sport = 1 / 2 * (2 / 5) ** 2 * (1 / 5)\npolitics = 1 / 2 * (1 / 5) ** 3\n"
        "answer = sport / (sport + politics)",
        variant_texts=dict(
            solution=f"sport = 1 / 2 * ({seen}) ** {goals} * ({unseen}) ** {coaches}\n"
            f"politics = 1 / 2 * ({unseen}) ** ({goals} + {coaches})\nanswer = sport / (sport + politics)"
        ),
    )  # fmt: skip


@parameters(weight=(Fraction(1, 2), Fraction(1, 4), Fraction(1, 5), Fraction(1, 3)),
            first=(Fraction(2, 3), Fraction(3, 4), Fraction(4, 5)))  # fmt: skip
def m_step(weight, first):
    def coach(weight, alpha=1, unlabelled=2 * first + 3 * (1 - first)):
        return (weight * first + alpha) / (1 + weight * unlabelled + 4 * alpha)

    return Exercise(
        "09/m-step",
        task=f"Now the M-step, with lambda = {weight}: an unlabelled story counts half. And let the last story be "
        f"“vote law law”: its shares stay the same. So sport has the labelled story “goal”, and shares of {first} of "
        f"“goal coach” and {1 - first} of “vote law law”. alpha = 1, four words. What is P(coach | sport)?",
        expected=coach(weight),
        mistakes=(
            Mistake(coach(1), "You gave unlabelled stories their full weight. Where is lambda?"),
            Mistake(coach(weight, alpha=0), "That is without smoothing. Add alpha to the count, and alpha for every "
                    "word below."),
            Mistake(coach(weight, unlabelled=2 * first), "The count of “coach” is right. Below stand all words of "
                    "sport: “vote law law” has a share, too."),
            Mistake(coach(weight, unlabelled=2), "Above it is right. Below stand shares of every word of both stories; "
                    "the last one says “law” twice."),
            Mistake(coach(weight, alpha=weight), "You halved alpha as well. lambda weighs the unlabelled stories, and "
                    "alpha stays 1.",
                    "You weighed alpha as well. lambda weighs the unlabelled stories, and alpha stays 1."),
            Mistake((weight + 1) / (1 + 2 * weight + 4), "You gave the whole of “goal coach” to sport, and nothing of "
                    "“vote law law”. Count shares."),
        ),
        well_done="Counting, with fractions of stories. The word was in no labelled story, and has a class now.",
        solution="coach = 1 / 2 * 2 / 3\nwords = 1 + 1 / 2 * (2 * 2 / 3 + 3 * 1 / 3)\n"
        "answer = (coach + 1) / (words + 4)",
        variant_texts=dict(
            task="M-step of semi-supervised naive Bayes. Sport has the labelled story “goal”, and shares of "
            f"{first} of “goal coach” and {1 - first} of “vote law law”. lambda = {weight}: so much an unlabelled "
            "story counts. alpha = 1, four words. What is P(coach | sport)?",
            solution=f"coach = {weight} * ({first})\nwords = 1 + {weight} * (2 * ({first}) + 3 * (1 - {first}))\n"
            "answer = (coach + 1) / (words + 4)",
        ),
    )  # fmt: skip


@parameters(classes=(10, 8, 6, 20), labels=(20, 15, 30, 12))
def missing(classes, labels):
    absent = (1 - 1 / classes) ** labels
    return Exercise(
        "09/missing",
        task="Suppose each of the ten digits is equally frequent. You label 20 digits at random. How many of the ten "
        "do you expect to be missing among your labels, on average?",
        expected=classes * absent,
        mistakes=(
            Mistake(absent, "That is the probability that one certain digit is missing. There are ten that may be.",
                    f"That is the probability that one certain class is missing. There are {classes} that may be."),
            Mistake(0, "Two of each is the average. A random sample is not so even.",
                    "A random sample is not so even."),
            Mistake(2, "That is what one split shows. Over all splits: how likely is it that one certain digit is "
                    "missing?", page_only=True),
            Mistake(missed, "That is the average of this page's splits, which has luck in it. What do you expect "
                    "before you draw?", page_only=True),
            Mistake(classes * (1 / classes) ** labels, "That is ten times the probability that all 20 are the same "
                    "given digit. It is missing if none is.", f"That is for all {labels} in one and the same given "
                    "class. A class is missing if none is in it."),
            Mistake(classes * (1 - absent), "That is how many you expect to be there."),
        ),
        well_done="A class that no label names can never be predicted, whatever EM does. Draw the labels class by "
        "class if you can.",
        solution=f"answer = {classes} * {1 - 1 / classes:.12g} ** {labels}",
        variant_texts=dict(
            task=f"Suppose each of {classes} classes is equally frequent. You label {labels} items at random. How many "
            f"of the {classes} do you expect to be missing among your labels, on average?"
        ),
    )  # fmt: skip


@parameters(labels=(20, 50, 30, 80), unlabelled=(LEARN - 20, 450, 1_200, 640))
def balance(labels, unlabelled):
    total = labels + unlabelled
    return Exercise(
        "09/balance",
        task=f"{labels} labels, {unlabelled:,} digits without. You want all unlabelled digits together to count as "
        "much as all labelled ones. Which lambda?",
        expected=labels / unlabelled,
        mistakes=(
            Mistake(labels / total, "You divided by all digits. Only the unlabelled ones are weighted."),
            Mistake(unlabelled / labels, "That is upside down: it would make unlabelled ones count more."),
            Mistake(1.0, "That weighs one digit like another. In all, the unlabelled ones then win "
                    f"{unlabelled / labels:.3g} to 1."),
            Mistake(1 / unlabelled, f"Then all {unlabelled:,} count as one labelled digit. You have {labels} of "
                    "these."),
        ),
        well_done="With lambda = 1 the labels are 2 % of the data. That is what lambda is for.",
        solution=f"answer = {labels} / {unlabelled}",
        variant_texts=dict(well_done="With lambda = 1 the labels are a small part of the data. That is what lambda is "
                           "for."),
    )  # fmt: skip


CONTENTS = [
    e_step,
    m_step,
    Prediction(
        "09/across",
        context=DOTS,
        question="The same dots, the same four labels. But now the true boundary is at x₁ = 1.4, inside the right "
        "cluster. The four labels alone get 180 of the 200 dots right. And after 20 steps of EM?",
        options={
            "more: 200 dots say more than four": lambda d: d > 5,
            "about as many: the labels are kept": lambda d: abs(d) <= 5,
            "fewer": lambda d: d < -5,
        },
        truth=across,
        reason=lambda d: (
            f"{180 + d:.0f}. EM cannot see which boundary is the true one. It gets the same dots and the same labels, "
            "so it takes the same steps, into the gap. This time that is the wrong place."
        ),
    ),
    Prediction(
        "09/twenty",
        question=f"{TWENTY} From these alone naive Bayes (alpha = 1) gets 46 % of unseen digits "
        "right. Now EM uses the 980 others, with no label. What happens to the accuracy?",
        options={
            "nothing: without labels there is nothing to learn": lambda d: abs(d) < 0.02,
            "it rises by about ten points": lambda d: 0.05 < d < 0.2,
            "it rises to that of 1,000 labels, 89 %": lambda d: d >= 0.35,
            "it falls": lambda d: d <= -0.02,
        },
        truth=few_labels,
        reason=lambda d: (
            f"On average of 20 random splits {100 * d:+.1f} points. Unlabelled digits say which pixels go together, "
            "so alike images gather; two labelled sevens only have to name the gathering. But some digits are not "
            "among the 20, and nothing is ever named after them. Keep the number: the page asks for a control."
        ),
    ),
    Prediction(
        "09/three-hundred",
        question="Now 320 of the 1,000 digits have a label. They alone give 87 %. EM adds the other 680 without "
        "labels. What happens?",
        options={
            "it rises: more data cannot hurt": lambda d: d > 0.005,
            "nothing much: the labels have said it all": lambda d: abs(d) <= 0.005,
            "it falls": lambda d: d < -0.005,
        },
        truth=many_labels,
        reason=lambda d: (
            f"{gained(d)} EM sorts images into ten heaps that make the pixels "
            "likely. Where the model is wrong, as independent pixels are, the likeliest heaps are not quite the digits."
        ),
    ),
    Prediction(
        "09/closed",
        context=DRAWER,
        question="20 labels and alpha = 1: 46 % alone, 57 % with the drawer. Now close the drawer, and take alpha = "
        "0.1. How many of the unseen digits do the 20 labels alone get right?",
        options={
            "fewer: with two labels of a kind one must smooth": lambda d: d < -0.01,
            "about the same: alpha is a detail": lambda d: abs(d) <= 0.01,
            "a bit more, about 50 %": lambda d: 0.01 < d < 0.06,
            "about 56 %": lambda d: d >= 0.06,
        },
        truth=drawer_closed,
        reason=lambda d: (
            f"{100 * d:+.1f} points, and nobody opened the drawer. Two labels of a digit and alpha = 1 keep every "
            "P(ink) between 1/4 and 3/4: the pictures stay grey. With 0.1 it goes from 0.05 to 0.95."
        ),
    ),
    missing,
    Prediction(
        "09/stop",
        context=DRAWER.replace("20", "80"),
        question="80 labels. In ten steps EM adds 1.5 points, on average of 20 splits, and the objective still rises. "
        "How much has it added after 40 steps?",
        options={
            "more: a better model of the digits": lambda d: d > 0.02,
            "as much: after ten steps little moves": lambda d: 0.01 < d <= 0.02,
            "nothing, or less than nothing": lambda d: d <= 0.01,
        },
        truth=gone_on,
        reason=lambda d: (
            f"{100 * d:+.1f} points: what was gained is gone. EM gains in its first steps, while the heaps still are "
            "what the labels made them. Then they move where the pixels are likelier."
        ),
    ),
    Exercise(
        "09/objective",
        task="Write objective(joint, y, weight): joint (n, C) holds log P(x, c) of every row and class, y (n,) the "
        "class index of labelled rows and -1 elsewhere. Return the sum of log P(x, y) over labelled rows, plus "
        "weight times the sum of log P(x) over the others. (No smoothing here. Joints may be as low as -800.)",
        expected=objective,
        evaluate=objective_of_cases,
        returns="one number, summed over the rows",
        help="Take two rows, one labelled and one not, do it by hand, and compare.",
        mistakes=(
            Mistake(
                through_exp,
                "Right where numbers are moderate. But exp(-800) is 0, and its logarithm minus infinity. Use "
                "np.logaddexp.reduce.",
            ),
            Mistake(
                lambda joint, y, weight: objective(joint, y, 1.0),
                "You left the weight out. An unlabelled row counts lambda.",
            ),
            Mistake(
                lambda joint, y, weight: float(
                    joint[np.arange(len(y)), y].sum() + weight * np.logaddexp.reduce(joint[y < 0], axis=1).sum()
                ),
                "-1 is an index, too: it takes the last class. Pick the labelled rows first, then their classes.",
            ),
            Mistake(
                lambda joint, y, weight: weight * objective(joint, y, 1.0),
                "You weighed the labelled rows as well. lambda belongs to the second sum alone.",
            ),
            Mistake(
                lambda joint, y, weight: float(weight * np.logaddexp.reduce(joint[y < 0], axis=1).sum()),
                "That is the second sum. Where are the labelled rows?",
            ),
            Mistake(
                lambda joint, y, weight: float(
                    joint[y >= 0][:, y[y >= 0]].sum() + weight * np.logaddexp.reduce(joint[y < 0], axis=1).sum()
                ),
                "joint[known][:, y[known]] pairs every labelled row with every label. Give both indices at once.",
            ),
            Mistake(
                lambda joint, y, weight: float(
                    joint[y >= 0, y[y >= 0]].mean() + weight * np.logaddexp.reduce(joint[y < 0], axis=1).mean()
                ),
                "You took means. The objective adds the rows up.",
            ),
            Mistake(
                lambda joint, y, weight: float(
                    joint[y >= 0, y[y >= 0]].sum() + weight * np.logaddexp.reduce(joint[y < 0], axis=None)
                ),
                "You summed rows and classes in one logarithm. Each row has its own: sum over its classes, axis=1.",
            ),
            Mistake(
                lambda joint, y, weight: objective(joint, y, weight, row=np.max),
                "You took the best class of an unlabelled row. P(x) is the sum over all classes.",
            ),
            Mistake(
                lambda joint, y, weight: objective(joint, y, weight, row=np.sum),
                "You added logarithms over the classes: that is a product. P(x) is a sum of probabilities.",
            ),
            Mistake(
                lambda joint, y, weight: objective(joint, np.full_like(y, -1), 1.0),
                "You took log P(x) of every row. A labelled row gives log P(x, y), with its own class.",
            ),
            Mistake(
                lambda joint, y, weight: (
                    objective(joint, y, weight) + weight * np.logaddexp.reduce(joint[y >= 0], axis=1).sum()
                ),
                "You counted the labelled rows twice: once with their label, and again among the rows without.",
            ),
            Mistake(
                lambda joint, y, weight: objective(posterior(joint), y, weight),
                "You took posteriors, P(c | x). The objective wants the joint as it is given: it asks for likely rows.",
            ),
            Mistake(
                lambda joint, y, weight: -objective(joint, y, weight),
                "The sign is turned round. EM climbs: this is to be made large, not small.",
            ),
        ),
        well_done="Two kinds of rows, two kinds of terms. The second kind is all that EM can raise without a label.",
        solution="import numpy as np\n\n\ndef objective(joint, y, weight):\n    known = y >= 0\n"
        "    labelled = joint[known, y[known]].sum()\n"
        "    return labelled + weight * np.logaddexp.reduce(joint[~known], axis=1).sum()\n\n\nanswer = objective",
    ),
    Prediction(
        "09/let-go",
        question="640 of 1,000 digits are labelled: 88.5 % alone. Now do as the text says: use the labels for the "
        "first model, then re-train ten times on predictions for all digits, labelled ones too. What happens?",
        options={
            "little: the first model knows the labels": lambda d: d > -0.02,
            "it falls by about 3 points": lambda d: -0.05 < d <= -0.02,
            "it falls by about 8 points": lambda d: d <= -0.05,
        },
        truth=labels_let_go,
        reason=lambda d: (
            f"{gained(d)} After the first step nothing holds the model to the "
            "labels. It climbs to a maximum of the likelihood of pixels that lies near the digits, and it forgets "
            "on the way."
        ),
    ),
    Prediction(
        "09/tiny",
        question="20 labels again (alpha = 1), but careful: lambda = 0.01. All 980 unlabelled digits count as 9.8. "
        "What does EM do to the accuracy of 46 %?",
        options={
            "it gains a little": lambda d: d > 0.01,
            "nothing to speak of": lambda d: abs(d) <= 0.01,
            "it loses": lambda d: d < -0.01,
        },
        truth=tiny_lambda,
        reason=lambda d: (
            f"{100 * d:+.1f} points. With one or two labels smoothing keeps a class grey: alpha = 1 outweighs them. "
            "The digit that happened to be labelled most often is the least grey, and has the largest P(c). So it "
            "takes more than its share of the unlabelled digits, and both grow. With a heavy alpha caution is not safe."
        ),
    ),
    balance,
    Prediction(
        "09/true-model",
        question="With 320 labels and real digits EM costs 1.6 points. Now make digits: learn P(ink | digit) from all "
        "real ones, and draw every pixel by it, on its own. 320 labels alone give 95 % of these. What does EM do?",
        options={
            "it costs as much: labels say it all": lambda d: d < -0.008,
            "it costs less than half as much": lambda d: -0.008 <= d < 0,
            "it gains": lambda d: d > 0,
        },
        truth=imagined,
        reason=lambda d: (
            f"{100 * d:+.2g} points, and with 20 labels {100 * gains(20, imagined=True).mean():+.0f}. Naive Bayes is "
            "true for these: the heaps that make pixels likely are the digits. So it was not too many labels that "
            "hurt, but a wrong model."
        ),
    ),
    Prediction(
        "09/nodes",
        question="160 labels. EM costs naive Bayes 2.1 points: it has one heap for all ways to write a digit. Give "
        "each digit three, the hidden nodes of chapter 07. What do the 840 others add to what as many nodes learn from "
        "the 160 labels alone?",
        options={
            "they cost about as much": lambda d: d < -0.01,
            "they change hardly anything": lambda d: abs(d) <= 0.01,
            "they add something": lambda d: d > 0.01,
        },
        truth=three_nodes,
        reason=lambda d: (
            f"{gained(d)} With 30 heaps in place of ten, a heap may be one way to "
            "write one digit. The same digits, the same labels, and a model that is less wrong."
        ),
    ),
]
