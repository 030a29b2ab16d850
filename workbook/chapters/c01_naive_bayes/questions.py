"""Predictions and exercises of chapter 01, naive Bayes. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log

import numpy as np
from scipy.special import expit, logit, softmax
from scipy.stats import norm

from nbcore.datasets import load_gender_measurements, load_iir_documents, load_names
from nbcore.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from workbook.explorer.formatting import say
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_code, parameters, plain, share

from .experiment import log_odds_of

__all__ = ["CONTENTS"]

DEEPER = "01/empty"  # with which page 01b begins

PEOPLE, DOCS = load_gender_measurements(), load_iir_documents()
HEIGHT, WEIGHT = 0, 1
EIGHT = "\n".join(
    f"{name}: " + "; ".join(f"{feet:g} ft, {pounds:g} lb, {inches:g} in" for feet, pounds, inches in PEOPLE.data[rows])
    for name, rows in (("men", PEOPLE.target == 1), ("women", PEOPLE.target == 0))
)
FOUR = "\n".join(f"{DOCS.target_names[c]}: {words}" for c, words in zip(DOCS.target, DOCS.documents, strict=True))
SET = np.array([["Tokyo Japan".split().count(word) for word in DOCS.feature_names]])
FEMALE, MALE = 0, 1
FAR_BELOW = "What if it is far below the others?"
TO_FEMALE = "male to female. A probability is odds / (1 + odds)."


def gaussian(columns=slice(None), ddof=1, scale=1.0, **options) -> GaussianNB:
    """The source's model of some columns, in other units if scaled."""
    model = GaussianNB(ddof=ddof, var_smoothing=0, priors=[0.5, 0.5], **options)
    return model.fit(PEOPLE.data[:, columns] * scale, PEOPLE.target)


def p_male(model, *row) -> float:
    return float(model.predict_proba([row])[0, MALE])


def height_densities(ddof=1) -> np.ndarray:
    """p(6 ft | female), p(6 ft | male)."""
    return np.exp(gaussian([HEIGHT], ddof).feature_contributions([[6.0]])[0, :, 0])


def height_posterior(ddof=1) -> float:
    """Compute P(male | 6 ft) by height alone."""
    return p_male(gaussian([HEIGHT], ddof), 6.0)


def weight_says(pounds: float) -> float:
    """P(male) by weight alone, however small."""
    (female, male) = gaussian([WEIGHT]).feature_contributions([[pounds]])[0, :, 0]
    return float(expit(male - female))


def least_left_out() -> float:
    """Return the least P(male | 6 ft, 130 lb) of eight models with correlations, each learned from seven people."""
    return min(float(expit(log_odds_of(np.array([6, 130]), out, True))) for out in range(8))


def ends_in_a() -> float:
    """Return how many times as large the share of names that end in a is among the women's as among the men's."""
    names = load_names(both_lists=False)
    ends = np.array([name.endswith("a") for name in names.data])
    return float(ends[names.target == FEMALE].mean() / ends[names.target == MALE].mean())


def corners_of_b() -> float:
    """Count how many of four points far out, one in each direction, naive Bayes gives to B, twice as wide as A."""
    far = 20 * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    log_odds = (norm.logpdf(far, 1, 2) - norm.logpdf(far, -1, 1)).sum(axis=1)
    return float((log_odds > 0).sum())


def tilted_error(rho=0.8, half=1.2) -> float:
    """Share decided wrongly by who knows the correlation: means -half and half in the first feature, else alike."""
    return float(norm.cdf(-half / np.sqrt(1 - rho**2)))


def log_odds_between() -> float:
    """Compute the log odds of male of a person of 6 feet and 150 pounds with feet of 9 inches."""
    female, male = gaussian().predict_joint_log_proba([[6.0, 150.0, 9.0]])[0]
    return float(male - female)


JOINTS = [[-1.0, -2.0], [-1000.0, -1001.0], [-3.0, -5000.0, -4.0], [-5000.0, -3.0, -4.0], [-3.0, -4.0, -5000.0]]


def posteriors_of_cases(function) -> list:
    """A learner's function on moderate and on extreme log joints."""
    said = [function(np.array(case)) for case in JOINTS]
    return [x for s in said for x in ([s] if s is None or s is ... else np.ravel(s))]


def without_shift(joint):
    """Make the slip of leaving the logarithms as they stand."""
    with np.errstate(invalid="ignore"):
        return np.exp(joint) / np.exp(joint).sum()


def shifted_by(chosen):
    """Make the slip of subtracting not the largest: of −3, −5000 and −4 the mean leaves e to the 1666."""

    def posterior_of(joint):
        with np.errstate(over="ignore", invalid="ignore"):
            return without_shift(joint - chosen(joint))

    return posterior_of


def product_of_600_words() -> float:
    """P(document | China) as a plain product: Chinese Chinese Tokyo, 200 times over."""
    p = np.exp(MultinomialNB().fit(DOCS.data, DOCS.target).feature_log_prob_[1])
    words = [DOCS.feature_names.index(word) for word in ["Chinese", "Chinese", "Tokyo"] * 200]
    return float(np.prod(p[words]))


def p_china(model, row=SET, counts=DOCS.data) -> float:
    """Compute P(China | row) by a model of the four documents."""
    return float(model.fit(counts, DOCS.target).predict_proba(row)[0, 1])


def twice() -> float:
    """P(male | height in feet and once more in centimetres)."""
    feet = PEOPLE.data[:, HEIGHT]
    model = GaussianNB(ddof=1, var_smoothing=0, priors=[0.5, 0.5])
    return p_male(model.fit(np.column_stack([feet, 30.48 * feet]), PEOPLE.target), 6.0, 30.48 * 6.0)


@parameters(male=(height_densities()[MALE], 1.2, 0.9, 0.5), female=(height_densities()[FEMALE], 0.4, 0.7, 1.5))
def height_alone(male, female):
    both = male + female
    return Exercise(
        "01/height-alone",
        context=f"density of 6 feet\nmen: {male:.5g}\nwomen: {female:.5g}",
        task="Now use the height alone: 6 feet, equal priors, unbiased variances. What is P(male | 6 ft)? The "
        "densities stand in the table above.",
        expected=male / both,
        mistakes=(
            Mistake(male, "That is the likelihood, p(6 ft | male). The posterior turns the question around, and is at "
                    "most 1."),
            Mistake(male / 2, "That is prior times likelihood, the numerator. Now divide by p(x), the sum of both "
                    "numerators."),
            Mistake(male / 2 / both, "Your numerator has the prior, your denominator has not. Below stands the sum of "
                    "both numerators."),
            Mistake(lambda: height_posterior(ddof=0), "You divided the squares by 4. The source divides by 3: the mean "
                    "came from the same four people.", page_only=True),
            Mistake(female / both, "That is P(female | 6 ft)."),
            Mistake(male / female, f"Those are the odds, {TO_FEMALE}"),
            Mistake(log(male / female), "Those are the log odds of male. Asked is a probability."),
        ),
        well_done="Equal priors cancel: the posterior odds are the ratio of the two densities.",
        help="Bayes' rule with one feature: each class's numerator is its prior times its density at 6 feet. Which "
        "column of the table of densities is the height?",
        solution=f"male, female = {male:g}, {female:g}  # densities of 6 ft\nanswer = male / (male + female)",
        variant_texts=dict(
            task="Two classes with equal priors, and the densities of 6 feet in both. What is P(male | 6 ft)?",
            help="Bayes' rule with one feature: each class's numerator is its prior times its density.",
        ),
    )  # fmt: skip


@parameters(log_odds=(log_odds_between(), -0.9, 1.3, -2.2, 0.7, 1.8, -0.4))
def undecided(log_odds):
    said = plain(round(log_odds, 3))
    return Exercise(
        "01/undecided",
        task="Another person: 6 feet, 150 pounds, feet of 9 inches. With equal priors the log odds of male are "
        f"{said}. Which prior P(male) would leave naive Bayes undecided?",
        expected=share(exp(-log_odds)),
        mistakes=(
            Mistake(exp(-log_odds), f"Those are the prior odds, {TO_FEMALE}"),
            Mistake(log_odds, "That is what the measurements say. Which prior log odds bring the sum to 0? Then a "
                    "probability, please."),
            Mistake(-log_odds, "Those are the prior log odds. Undo the logarithm, then turn odds into a probability."),
            Mistake(share(exp(log_odds)), "The sign: the evidence speaks for a woman, so to balance it the prior must "
                    "speak for a man.", "The sign: the prior has to speak against the evidence, to balance it."),
            Mistake(share(10**-log_odds), "You took powers of ten. These logarithms are natural ones, so take powers "
                    "of e."),
        ),
        well_done="Undecided means that the bars add up to 0: prior log odds against evidence.",
        help="What is the sum of all bars for somebody undecided? Which bar can you choose? It is in log odds; "
        "asked is a probability.",
        solution=f"from math import exp\n\nodds = exp({-log_odds:.4g})\nanswer = odds / (1 + odds)",
        variant_texts=dict(
            task=f"The measurements of a person give log odds of male of {said} (natural logarithm, equal "
            "priors). Which prior P(male) would leave naive Bayes undecided?",
            help="What is the sum of all log odds for somebody undecided? Which part can you choose? Asked is a "
            "probability.",
        ),
    )  # fmt: skip


@parameters(copies=(2, 3, 4), said=(0.96, 0.99, 0.9, 0.8))
def told_twice(copies, said):
    odds = said / (1 - said)
    return Exercise(
        "01/told-twice",
        task=f"Two equally frequent classes, and one measurement. By mistake its column stands in the table {copies} "
        f"times, and naive Bayes says P(B) = {said}. What does it say if it stands there once?",
        expected=share(odds ** (1 / copies)),
        mistakes=(
            Mistake(said, "That is with the copies. Each of them brought the same bar again."),
            Mistake(said / copies, f"You divided the probability by {copies}. Divide the log odds, then go back."),
            Mistake(share(odds / copies), f"You divided the odds by {copies}. Copies multiply the odds by themselves, "
                    "so it is the log odds that are divided."),
            Mistake(odds ** (1 / copies), "Those are the odds. A probability is odds / (1 + odds)."),
            Mistake(log(odds) / copies, "Those are the log odds. Asked is a probability."),
            Mistake(share(odds**copies), "The other way: that is with still more copies."),
            Mistake(said ** (1 / copies), "A root, but of the odds, not of the probability."),
        ),
        well_done="Half the log odds for two copies: the root of the odds. "
        "That root is the cure of a later chapter.",
        help="From the probability to odds. How often do they hold the same factor?",
        solution=f"odds = {said} / (1 - {said})\nonce = odds ** (1 / {copies})\nanswer = once / (1 + once)",
    )  # fmt: skip


@parameters(
    prior=(Fraction(3, 4), Fraction(2, 3), Fraction(2, 5)),
    china=((Fraction(4, 5), Fraction(2, 5), Fraction(1, 5)), (Fraction(3, 5), Fraction(1, 5), Fraction(2, 5)),
           (Fraction(5, 6), Fraction(1, 2), Fraction(1, 6))),
    other=((Fraction(2, 3), Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4)),
           (Fraction(1, 3), Fraction(1, 6), Fraction(1, 2))),
)  # fmt: skip
def absent(prior, china, other):
    def posterior(prior=prior, chinese=lambda c: 1 - c, absent=3):
        """P(China | document): the factor of Chinese, and how many of the other absent words count."""
        joint = [p * chinese(c) * (1 - m) ** absent * t**2 for p, (c, m, t) in ((prior, china), (1 - prior, other))]
        return joint[0] / sum(joint)

    def words(c, m, t):
        return f"{c} for Chinese, {m} for Beijing, Shanghai and Macao, {t} for Tokyo and Japan"

    def product(p, *words):
        return "{} * ({}) * ({}) ** 3 * ({}) ** 2".format(*map(in_code, (p, 1 - words[0], 1 - words[1], words[2])))

    right = posterior()
    return Exercise(
        "01/absent",
        task=f"The document {{Tokyo, Japan}}, as a set. P(China) = {prior}. P(word there | China) is {china[0]} for "
        f"Chinese, {china[1]} for Beijing, Shanghai and Macao, {china[2]} for Tokyo and Japan. P(word there | not "
        f"China) is {other[0]} for Chinese, Tokyo and Japan, {other[1]} for the other three. What is P(China | "
        "document) in the Bernoulli model?",
        expected=right,
        mistakes=(
            Mistake(posterior(chinese=lambda c: 1, absent=0), "You multiplied over the two words that are there. The "
                    "other four are absent: 1 − p each."),
            Mistake(lambda: p_china(MultinomialNB(), counts=DOCS.data > 0), "That is the multinomial model on counts "
                    "cut to one. Its probabilities are shares of tokens.", page_only=True),
            Mistake(lambda: p_china(MultinomialNB()), "That is the multinomial model. Take the shares of documents "
                    "that the task gives.", page_only=True),
            Mistake(posterior(Fraction(1, 2)), "The likelihoods are right. Where did the prior go?"),
            Mistake(1 - right, "That is P(not China | document)."),
            Mistake(posterior(chinese=lambda c: c), "You took Chinese as there. Chinese is not in this document: its "
                    "factor is 1 − p."),
            Mistake(posterior(absent=0), "You counted only one of the four absent words, Chinese. What do Beijing, "
                    "Shanghai and Macao bring?"),
        ),
        well_done="With Chinese in it, this is example 13.2 of Manning et al.; there the two numerators are .005 and "
        ".022.",
        help="Count your factors: the model asks about every word of the vocabulary, in both classes. And the prior?",
        solution=f"china = {product(prior, *china)}\nother = {product(1 - prior, *other)}\n"
        "answer = china / (china + other)",
        variant_texts=dict(
            task=f"The document {{Tokyo, Japan}}, as a set. P(China) = {prior}. P(word there | China) is "
            f"{words(*china)}. P(word there | not China) is {words(*other)}. There are no other words. What is "
            "P(China | document) in the Bernoulli model?",
            well_done="A word that is absent speaks too.",
        ),
    )  # fmt: skip


@parameters(rho=(Fraction(1, 2), Fraction(1, 4), Fraction(1, 3), Fraction(3, 4)), true=(0.8, 0.7, 0.9, 0.6))
def too_sure(rho, true):
    odds = true / (1 - true)

    def times(factor):
        return share(odds ** float(factor))

    return Exercise(
        "01/too-sure",
        task="Two equally frequent normal classes with the same spreads, as many standard deviations apart in one "
        f"feature as in the other and in the same direction, correlation {rho} within each. At some point the true "
        f"P(B) is {true}. What does naive Bayes say there, once it has seen very many items?",
        expected=times(1 + rho),
        mistakes=(
            Mistake(true, "The boundary is right. The probability beside it is not: what both say counts twice."),
            Mistake(share(odds * float(1 + rho)), "You multiplied the odds by 1 + ρ. It is the log odds that are "
                    "multiplied."),
            Mistake(times(2), "Counted exactly twice: that is for a correlation of 1."),
            Mistake(times(1 / (1 + rho)), "Divided: that goes from naive Bayes back to the truth."),
            Mistake(times(1 - rho), "With 1 − ρ. That is for classes that lie in opposite directions, across the "
                    "tilt."),
        ),
        well_done="Log odds times 1 + ρ. The decision is the same, the sureness is not earned.",
        help="From the probability to log odds, then the formula of this section, then back to a probability.",
        solution="odds = 0.8 / 0.2\nnaive = odds**1.5  # log odds times one and a half\nanswer = naive / (1 + naive)",
        variant_texts=dict(
            help="From the probability to log odds, then a factor that the correlation decides, then back.",
            solution=f"odds = {true} / (1 - {true})\nnaive = odds ** (1 + {rho})\nanswer = naive / (1 + naive)",
        ),
    )  # fmt: skip


CONTENTS = [
    Prediction(
        "01/sample",
        context=EIGHT,
        question="A person is 6 feet tall, weighs 130 pounds and has feet of 8 inches. Learn from these eight people, "
        "and take men and women to be equally frequent. What will naive Bayes say?",
        options={
            "a man: six feet is taller than all four women": lambda p: p < 0.1,
            "hard to say: one measurement for a man, two for a woman": lambda p: 0.1 <= p < 0.9,
            "a woman, and nearly certain": lambda p: p >= 0.9,
        },
        truth=lambda: 1 - p_male(gaussian(), *PEOPLE.sample[0]),
        reason=lambda p: (
            f"P(female) = {p:.5f}. Measurements do not vote, one each. Each brings a factor, and 130 pounds is so rare "
            "among these men that its factor alone outweighs the height by far."
        ),
    ),
    height_alone,
    Prediction(
        "01/ninety-nine",
        context=EIGHT,
        question="The same person, 6 feet, 130 pounds, feet of 8 inches. But now you know that of a hundred people in "
        "the room 99 are men. What does naive Bayes say?",
        options={
            "a man: 99 to 1 settles it": lambda p: p < 0.2,
            "about even": lambda p: 0.2 <= p < 0.8,
            "still a woman": lambda p: p >= 0.8,
        },
        truth=lambda: float(expit(logit(1 - p_male(gaussian(), *PEOPLE.sample[0])) - np.log(99))),
        reason=lambda p: (
            f"P(female) = {p:.4f}. The measurements say female by "
            f"{np.exp(logit(1 - p_male(gaussian(), *PEOPLE.sample[0]))):,.0f} to 1, the prior says male by 99 to 1. "
            "Odds multiply, so compare the two numbers."
        ),
    ),
    undecided,
    Prediction(
        "01/twice",
        question="By height alone, 6 feet is male with probability 0.876. Add a second feature: the same height once "
        "more, in centimetres. What does naive Bayes say now?",
        options={
            "still 0.876: nothing new was measured": lambda p: abs(p - height_posterior()) < 0.01,
            "about 0.98": lambda p: p > 0.95,
            "about 0.5: the two cancel": lambda p: p < 0.6,
        },
        truth=twice,
        reason=lambda p: (
            f"P(male) = {say(p)}. Naive Bayes takes the second column for independent news. The odds of "
            f"{np.exp(logit(height_posterior())):.2f} to 1 are squared."
        ),
    ),
    Prediction(
        "01/ends-in-a",
        question="6,445 given names from the US, on two lists: women's and men's. Which share of a list ends in the "
        "letter a? How many times as large is that share among the women's names?",
        options={
            "about twice": lambda ratio: ratio < 4,
            "about 6 times": lambda ratio: 4 <= ratio < 15,
            "about 40 times": lambda ratio: ratio >= 15,
        },
        truth=ends_in_a,
        reason=lambda ratio: (
            f"{ratio:.1f} times: two in five of the women's names, one in a hundred of the men's. One letter in the "
            f"right place is a bar of {np.log(ratio):.1f}, as much as a prior of 98 %."
        ),
    ),
    told_twice,
    Prediction(
        "01/left-out",
        question="Eight people, height and weight. From all of them a model with correlations says P(male) = 0.996 "
        "about 6 feet and 130 pounds. Leave one of the eight out, learn from seven, and ask again; then leave out "
        "another one. How much do its eight answers differ?",
        options={
            "hardly: all above 0.9": lambda least: least > 0.9,
            "a little: some fall to 0.6": lambda least: 0.5 < least <= 0.9,
            "they can be anything between 0 and 1": lambda least: least <= 0.5,
        },
        truth=least_left_out,
        reason=lambda least: (
            f"The least is {least:.2f}, the largest 1.00. A correlation from three or four people hangs on each of "
            "them."
        ),
    ),
    Prediction(
        "01/empty",
        context=FOUR,
        question="A document holds no word of the vocabulary at all. P(China) = 3/4 beforehand. What does the "
        "Bernoulli model say, the one that asks of every word whether it is there?",
        options={
            "3/4: no words, no evidence": lambda p: abs(p - 0.75) < 0.01,
            "less than 3/4: no Chinese stands there": lambda p: p <= 0.74,
            "more than 3/4": lambda p: p >= 0.76,
        },
        truth=lambda: p_china(BernoulliNB(), np.zeros_like(SET)),
        reason=lambda p: (
            f"P(China) = {p:.3f}. For this model six words are absent, and each absence is evidence. No Chinese speaks "
            "against China, no Beijing, no Shanghai, no Macao a little; but no Tokyo and no Japan speak for it, and "
            "louder."
        ),
    ),
    absent,
    Prediction(
        "01/six-hundred",
        question="Copy the document “Chinese Chinese Tokyo” 200 times, 600 words, about two pages. Multiply the 600 "
        "probabilities P(word | China) in Python, as they stand. What comes out?",
        options={
            "a very small number, correct to many digits": lambda product: product > 0,
            "exactly 0": lambda product: product == 0,
            "an error": lambda product: product < 0,
        },
        truth=product_of_600_words,
        reason=lambda product: (
            f"Python says {product}. The least number above 0 that it can hold is about {np.nextafter(0, 1):.0e}, and "
            "the product is far below. It comes out as 0 in the other class too, so Bayes' rule would divide 0 by 0."
        ),
    ),
    Exercise(
        "01/from-logs",
        task="Write posterior_of(log_joint): log_joint is an array with log P(c) + log P(x | c) of every class; the "
        "function returns the posterior of every class, as an array. It must work for −1000 and −1001 as well.",
        expected=softmax,
        evaluate=posteriors_of_cases,
        returns="an array with one probability for each class",
        mistakes=(
            Mistake(
                lambda joint: joint / joint.sum(),
                "You divided the logarithms by their sum. The numerators add up to P(x), their logarithms do not.",
            ),
            Mistake(
                without_shift,
                "Right for −1 and −2. Of −1000 and −1001 you make 0 / 0. What does it change if you first subtract "
                "the same number from all of them?",
            ),
            Mistake(
                shifted_by(np.mean),
                "A shift is right, but this shift is not safe: where one class is far below, some others are far above "
                "what you subtract, and their powers of e are too large. Which shift leaves no power above 1?",
            ),
            Mistake(
                shifted_by(lambda joint: joint[0]),
                f"You shift by the first class. {FAR_BELOW}",
            ),
            Mistake(
                shifted_by(lambda joint: joint[-1]),
                f"You shift by the last class. {FAR_BELOW}",
            ),
            Mistake(
                lambda joint: np.exp(joint - joint.max()),
                "The shift is right. The posteriors must add up to 1: divide by their sum.",
            ),
            Mistake(
                lambda joint: joint - joint.max(),
                "The shift is right, but these are still logarithms. Take their powers of e, then divide by the sum.",
            ),
            Mistake(
                lambda joint: joint - np.logaddexp.reduce(joint),
                "Those are the logarithms of the posteriors, all correct. Take them back to probabilities.",
            ),
            Mistake(
                lambda joint: (joint == joint.max()).astype(float),
                "That is the decision, 1 for the winner. Asked is how sure it is.",
            ),
        ),
        well_done="The shift cancels in the fraction. This is what every line of a naive Bayes program ends with.",
        solution="import numpy as np\n\n\ndef posterior_of(log_joint):\n    p = np.exp(log_joint - np.max(log_joint))\n"
        "    return p / p.sum()\n\n\nanswer = posterior_of",
        help="Try your function on −1 and −2 by hand: the posteriors must add up to 1, and their ratio must be e.",
    ),
    Prediction(
        "01/three-hundred",
        context=EIGHT,
        question="By weight alone, and still from the eight people: the men weigh 165 to 190 pounds, the women 100 to "
        "150. Somebody weighs 300 pounds. What does naive Bayes say?",
        options={
            "a man, nearly certain": lambda p: p < 0.1,
            "undecided: nobody was like that": lambda p: 0.1 <= p < 0.9,
            "a woman, nearly certain": lambda p: p >= 0.9,
        },
        truth=lambda: 1 - weight_says(300.0),
        reason=lambda p: (
            f"P(male) = {weight_says(300.0):.1e}, and P(female) is the rest. The women's bell is twice as wide as the "
            "men's. Far out the wider bell is higher, on both sides, and the model is sure of it."
        ),
    ),
    Prediction(
        "01/wide",
        question="Now two features. Classes A and B are equally frequent round clouds side by side, and B's spread is "
        "twice A's, in both features. Where does naive Bayes decide for B?",
        options={
            "on one side of a straight line": lambda corners: 0 < corners < 4,
            "inside a ring around the middle of B": lambda corners: corners == 0,
            "everywhere outside a ring around A": lambda corners: corners == 4,
        },
        truth=corners_of_b,
        reason=lambda corners: (
            f"Of four points far out, one in each direction, B gets {corners:.0f}. It is the 300 pounds once more: "
            "far out the wider class wins, on every side, even behind A."
        ),
    ),
    Prediction(
        "01/tilt",
        question="Two normal measurements. The first differs between the classes. The second has the same mean and the "
        "same spread in both, so by itself it tells nothing; within each class its correlation with the first is 0.8. "
        "Naive Bayes gives it no weight, and decides 11.5 % of the items wrongly. How many are wrong if the "
        "correlation is known?",
        options={
            "11.5 % as well: the second tells nothing": lambda error: error > 0.11,
            "about 10 %": lambda error: 0.06 < error <= 0.11,
            "about 2 %": lambda error: error <= 0.06,
        },
        truth=tilted_error,
        reason=lambda error: (
            f"{100 * error:.1f} %, a fifth. The second measurement knows nothing of the class, but it knows the noise "
            "of the first, which can then be taken away. Telephones have a second microphone for this: it hears the "
            "street."
        ),
    ),
    too_sure,
]
