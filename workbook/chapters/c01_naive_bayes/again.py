"""The tasks of chapter 01 with other numbers."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, log10, sqrt

from workbook.questions.again import Again, Generators, plain, share

__all__ = ["AGAIN"]

AGAIN = Generators()


def odds(p) -> float:
    return float(p / (1 - p))


@AGAIN("01/height-alone", male=(1.57888, 1.2, 0.9, 0.5), female=(0.223459, 0.4, 0.7, 1.5))
def height_alone(male, female):
    both = male + female
    return Again(
        f"Two classes with equal priors. At the height of a person the density is {male} per foot among men and "
        f"{female} among women. What is P(male | height)?",
        male / both,
        (male, male / 2, male / 2 / both, None, female / both, male / female, log(male / female)),
        f"male, female = {male}, {female}\nanswer = male / (male + female)",
        help="Bayes' rule with one feature: each class's numerator is its prior times its density.",
        hints={0: "That is the likelihood of male. The posterior turns the question around, and is at most 1.",
               4: "That is P(female | height)."},
    )  # fmt: skip


@AGAIN("01/inches", density=(1.57888, 0.8, 2.4, 1.3),
       units=(("foot", "inches", 12), ("yard", "feet", 3), ("metre", "decimetres", 10)))  # fmt: skip
def inches(density, units):
    large, small, ratio = units
    return Again(
        f"The density of a length is {density} per {large}. Suppose all lengths had been written down in {small} "
        f"({ratio} to a {large}). What is the density at the same place then?",
        density / ratio,
        (density, density * ratio, 1.0, density / ratio**2, density / sqrt(ratio), None),
        f"answer = {density} / {ratio}  # per {large} -> per one of the {small}",
        help="Take a short stretch. The probability of it does not depend on the unit; its length does.",
        hints={1: "The other way: the new unit is shorter, so it holds less.",
               3: f"Divided by {ratio**2}, the factor of an area or a variance. This is a length.",
               4: f"Divided by the root of {ratio}. Probability per {large}: how much of it for one of the {small}?"},
    )  # fmt: skip


@AGAIN("01/undecided", said=(-1.604, -0.9, 1.3, -2.2, 0.7, 1.8, -0.4))
def undecided(said):
    return Again(
        f"The measurements of a person give log odds of male of {plain(said)} (natural logarithm, equal priors). Which "
        "prior P(male) would leave naive Bayes undecided?",
        share(exp(-said)),
        (exp(-said), said, -said, share(exp(said)), share(10**-said)),
        f"from math import exp\n\nodds = exp(-({said}))\nanswer = odds / (1 + odds)",
        help="What is the sum of all log odds for somebody undecided? Which part can you choose? Asked is a "
        "probability.",
        hints={3: "The sign: the prior has to speak against the evidence, to balance it."},
    )


@AGAIN("01/absent", prior=(Fraction(3, 4), Fraction(2, 3), Fraction(2, 5)),
       china=((Fraction(4, 5), Fraction(2, 5), Fraction(1, 5)), (Fraction(3, 5), Fraction(1, 5), Fraction(2, 5)),
              (Fraction(5, 6), Fraction(1, 2), Fraction(1, 6))),
       other=((Fraction(2, 3), Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4)),
              (Fraction(1, 3), Fraction(1, 6), Fraction(1, 2))))  # fmt: skip
def absent(prior, china, other):
    def joint(p, words):
        return p * (1 - words[0]) * (1 - words[1]) ** 3 * words[2] ** 2

    there = prior * china[2] ** 2, (1 - prior) * other[2] ** 2
    with_chinese = [p * c * (1 - m) ** 3 for p, (c, m, _) in zip(there, (china, other), strict=True)]
    no_chinese = [p * (1 - c) for p, (c, _, _) in zip(there, (china, other), strict=True)]
    ours, theirs = joint(prior, china), joint(1 - prior, other)
    even = joint(1, china), joint(1, other)
    code = [f"{p} * (1 - {c}) * (1 - {m}) ** 3 * ({t}) ** 2"
            for p, (c, m, t) in ((prior, china), (1 - prior, other))]  # fmt: skip
    return Again(
        f"The document {{Tokyo, Japan}}, as a set. P(China) = {prior}. P(word there | China) is {china[0]} for "
        f"Chinese, {china[1]} for Beijing, Shanghai and Macao, {china[2]} for Tokyo and Japan. P(word there | not "
        f"China) is {other[0]} for Chinese, {other[1]} for Beijing, Shanghai and Macao, {other[2]} for Tokyo and "
        "Japan. There are no other words. What is P(China | document) in the Bernoulli model?",
        ours / (ours + theirs),
        (there[0] / sum(there), None, None, even[0] / sum(even), theirs / (ours + theirs),
         with_chinese[0] / sum(with_chinese), no_chinese[0] / sum(no_chinese)),
        f"china = {code[0]}\nother = {code[1]}\nanswer = china / (china + other)",
        well_done="A word that is absent speaks too.",
    )  # fmt: skip


@AGAIN("01/border", mean=(2, 3, 4, 5), prior=(0.8, 0.7, 0.9, 0.6))
def border(mean, prior):
    shift = log(odds(prior)) / mean
    return Again(
        f"Class A is normal with mean 0, class B with mean {mean}, both with variance 1. P(A) = {prior}. At which x is "
        "naive Bayes undecided?",
        mean / 2 + shift,
        (mean / 2, mean / 2 - shift, mean / 2 + shift * mean, shift, mean / 2 + log10(odds(prior)) / mean),
        f"from math import log\n\n# log odds of B: {mean} (x - {mean / 2}) - log(P(A) / P(B))\n"
        f"answer = {mean} / 2 + log({prior} / (1 - {prior})) / {mean}",
        hints={2: f"The log odds of B grow by how much when x grows by 1? Not by 1: the means are {mean} apart."},
    )


@AGAIN("01/too-sure", rho=(Fraction(1, 2), Fraction(1, 4), Fraction(1, 3), Fraction(3, 4)), true=(0.8, 0.7, 0.9, 0.6))
def too_sure(rho, true):
    def times(factor):
        return share(odds(true) ** float(factor))

    return Again(
        "Two equally frequent classes with equal spreads, equally far apart in both features and in the same "
        f"direction, correlation ρ = {rho} within each. At some point the true P(B) is {true}. What does naive Bayes "
        "say there, once it has seen very many items?",
        times(1 + rho),
        (true, share(odds(true) * float(1 + rho)), times(2), times(1 / (1 + rho)), times(1 - rho)),
        f"odds = {true} / (1 - {true})\nnaive = odds ** (1 + {rho})\nanswer = naive / (1 + naive)",
        help="From the probability to log odds, then a factor that the correlation decides, then back.",
        hints={0: "The boundary is right. The probability beside it is not: naive Bayes counts what both say twice."},
    )
