"""The tasks of chapter 05 with other numbers."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, prod
from statistics import mean

from workbook.questions.again import Again, Generators, share

__all__ = ["AGAIN"]

AGAIN = Generators()


@AGAIN("05/copies-outvote", n=(3, 2, 4), ratio=(3, 2, 4, 5),
       prior=(Fraction(1, 5), Fraction(1, 4), Fraction(1, 8), Fraction(1, 10)))  # fmt: skip
def copies_outvote(n, ratio, prior):
    odds, p = float(prior / (1 - prior)), float(prior)
    return Again(
        f"Class A has the prior {prior}. A feature favours A by {ratio} to 1. It stands in the table {n} times. What "
        "does naive Bayes say for P(A | the copies)?",
        share(ratio**n * odds),
        (share(ratio * odds), share(ratio**n), share((ratio * odds) ** n), share(n * ratio * odds), ratio**n * odds,
         share(ratio**n * p), p * share(ratio) ** n),
        f"odds = {ratio}**{n} * ({prior}) / (1 - {prior})\nanswer = odds / (1 + odds)",
        well_done="The copies say nothing new, and naive Bayes counts every one of them.",
        hints={1: "The votes are there. Where did the prior go?",
               3: "You added the votes. Naive Bayes multiplies likelihoods.",
               5: f"You took {prior} as odds. A probability of {prior} leaves how much for B?"},
    )  # fmt: skip


@AGAIN("05/geometric-mean", parts=((2, 32, 4), (2, 16, 5), (3, 8, 20), (10, 4, 30), (6, 2, 50), (25, 4, 12)))
def geometric_mean(parts):
    p = [1 / n for n in parts]
    root = prod(p) ** (1 / 3)
    said = " * ".join(f"1 / {n}" for n in parts)
    return Again(
        f"A class gives the three features of an item the probabilities 1/{parts[0]}, 1/{parts[1]} and 1/{parts[2]}. "
        "What is P(x | c) by equation (7), the geometric mean?",
        root,
        (prod(p), mean(p), 1 / root, prod(p) ** 0.5, prod(p) ** 0.25, prod(p) ** -0.25, prod(p) / 3),
        f"answer = ({said}) ** (1 / 3)",
        well_done=f"Its reciprocal is the perplexity, {1 / root:.3g}: as if each feature were one face of a die with "
        "so many faces.",
    )


@AGAIN("05/eq-20", prior=(0.25, 0.4, 0.3), A=((0.4, 0.2, 0.5), (0.6, 0.3, 0.2), (0.5, 0.1, 0.7)),
       B=((0.1, 0.25, 0.1), (0.2, 0.2, 0.4), (0.3, 0.4, 0.1)))  # fmt: skip
def eq_20(prior, A, B):
    odds, ratio = prior / (1 - prior), prod(A) / prod(B)
    return Again(
        f"Two classes with priors P(A) = {prior} and P(B) = {1 - prior:g}. An item has three features; class A gives "
        f"them the probabilities {A} and class B {B}. What is P(A | x) by equation (20) with k = 1?",
        share((odds * ratio) ** (1 / 4)),
        (share((odds * ratio) ** (1 / 3)), share(odds * ratio ** (1 / 3)), share(odds * ratio ** (1 / 4)),
         share(odds * ratio), share(odds * sum(A) / sum(B))),
        f"A = {prior} * {A[0]} * {A[1]} * {A[2]}\nB = (1 - {prior}) * {B[0]} * {B[1]} * {B[2]}\n"
        "odds = (A / B) ** (1 / 4)\nanswer = odds / (1 + odds)",
        well_done="The class that naive Bayes decides for, with less confidence.",
        hints={1: "You took the root of the likelihood only. That is equation (19)."},
    )  # fmt: skip


@AGAIN("05/border", n=(12, 9, 16, 20), said=(1.6, 2.3, 3.1), prior=(0.5, 0.7, 0.9))
def border(n, said, prior):
    k = n * prior / said
    return Again(
        f"A name has {n} n-grams. Together they favour male by log odds of {said}. The prior favours female, by "
        f"{prior}. Naive Bayes says male. Above which k does equation (19) say male too?",
        k,
        ((n + 1) * prior / said, n * said / prior, prior / said, n, ceil(k), said / prior, n * prior),
        f"answer = {n} * {prior} / {said}",
    )


@AGAIN("05/temperature", long=(24, 19, 31), short=(9, 7, 12, 14), T=(10.0, 8.0, 5.0))
def temperature(long, short, T):
    k = (long + 1) / T
    return Again(
        f"At some k equation (20) divides the log numerators of a name with {long} n-grams by the temperature T = "
        f"{T:g}. By which temperature does it divide those of a name with {short} n-grams, at the same k?",
        (short + 1) / k,
        (T * short / long, T, T * (long + 1) / (short + 1), k * short, k, k / (short + 1)),
        f"k = ({long} + 1) / {T}\nanswer = ({short} + 1) / k",
        hints={3: f"That is k times {short}. In T, k stands below the bar."},
    )
