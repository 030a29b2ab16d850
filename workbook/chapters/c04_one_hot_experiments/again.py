"""The tasks of chapter 04 with other numbers."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, sqrt
from statistics import mean, pstdev, stdev

from workbook.questions.again import Again, Generators, share

__all__ = ["AGAIN"]

AGAIN = Generators()
Z = 1.96


def posterior(*joint) -> float:
    """Of the last of these."""
    return float(joint[-1] / sum(joint))


@AGAIN("04/pob-posterior", prior=(Fraction(3, 4), Fraction(2, 3), Fraction(3, 5), Fraction(2, 5)),
       A=((0.2, 0.4, 0.4), (0.3, 0.5, 0.2), (0.1, 0.6, 0.3)),
       B=((0.6, 0.3, 0.1), (0.5, 0.1, 0.4), (0.7, 0.2, 0.1)))  # fmt: skip
def pob_posterior(prior, A, B):
    def b(power=(1, 1, 1), even=False):
        """P(B | bits) with these powers of the first theta and of the other two zeros, and its numerator."""
        joint = [p * t[0] ** power[0] * (1 - t[1]) ** power[1] * (1 - t[2]) ** power[2]
                 for p, t in ((1.0 if even else float(prior), A), (1.0 if even else float(1 - prior), B))]  # fmt: skip
        return posterior(*joint)

    every = [float(p) * t[0] * (1 - t[0]) * (1 - t[1]) * (1 - t[2]) for p, t in ((prior, A), (1 - prior, B))]
    zeros = float(1 - prior) * (1 - B[1]) * (1 - B[2])
    return Again(
        f"Two classes with priors P(A) = {prior} and P(B) = {1 - prior}. A variable has three values, with "
        f"probabilities {A} in A and {B} in B. You see the first value, encoded as the bits 1, 0, 0. What is "
        "P(B | bits) if the bits count as independent?",
        b(),
        (b((1, 0, 0)), b(even=True), posterior(*every), b((1, 0, 1)), b((1, 1, 0)), 1 - b(), b((1, 0, 0), even=True),
         b() / (1 - b()), 100 * b(), zeros, zeros * B[0]),
        f"A = {prior} * {A[0]} * (1 - {A[1]}) * (1 - {A[2]})\n"
        f"B = {1 - prior} * {B[0]} * (1 - {B[1]}) * (1 - {B[2]})\nanswer = B / (A + B)",
        well_done="A bit that is 0 speaks too, in either class.",
    )  # fmt: skip


@AGAIN("04/clustered-error", surer=((4, 4, 1, 3, 3), (4, 2, 1, 4, 3), (0, 3, 4, 4, 2),
                                   (1, 2, 2, 4, 4), (3, 3, 4, 1, 2), (2, 4, 3, 4, 4)))  # fmt: skip
def clustered_error(surer):
    shares = [n / 4 for n in surer]
    rate, error = mean(shares), stdev(shares) / sqrt(5)
    said = f"{', '.join(map(str, surer[:4]))} and {surer[4]}"
    return Again(
        f"Five random classifiers, K = 4 values each. PoB is the surer one at {said} of the four values. The rate is "
        f"{sum(surer)} of 20. What is its standard error, as a share? (The classifiers are independent; the four "
        "answers of one classifier are not. Use n − 1 in the standard deviation.)",
        error,
        (sqrt(rate * (1 - rate) / 20), sqrt(rate * (1 - rate) / 5), 4 * error, stdev(shares), pstdev(shares) / sqrt(5),
         rate, 100 * error, Z * error, stdev(shares) / 2),
        f"import numpy as np\n\nshares = np.array({list(surer)}) / 4\nanswer = shares.std(ddof=1) / np.sqrt(5)",
    )  # fmt: skip


@AGAIN("04/how-many", n=(100, 200, 50, 400), error=(2.5, 2, 4, 3), half=(0.5, 0.25, 0.8))
def how_many(n, error, half):
    times = (Z * error / half) ** 2
    return Again(
        f"With {n} classifiers the standard error of a rate is {error:g} percentage points. How many classifiers do "
        f"you need for a 95 % interval of ± {half:g} points? (1.96 standard errors to either side.)",
        n * times,
        (n * (error / half) ** 2, n * (2 * error / half) ** 2, n * Z * error / half, times, n * (Z * error) ** 2,
         4 * n * times),
        f"answer = {n} * (1.96 * {error} / {half}) ** 2",
        well_done="The error falls with the square root: an interval half as wide costs four times as many.",
        help=f"How wide is the interval with {n}? By which factor must it shrink? And how does it shrink with n?",
        hints={0: f"That makes the standard error {half:g} points. The interval reaches 1.96 of them to either side.",
               3: f"That is how many times as many you need. The {error:g} points came from {n} classifiers already.",
               4: f"That makes the interval ± 1 point. You have not used the {half:g} yet.",
               5: f"That is for an interval {half:g} points wide in all. It may reach so far to either side."},
    )  # fmt: skip


@AGAIN("04/slope-six", K=(6, 4, 5, 8), c=(0.9, 0.8, 0.7), d=(0.1, 0.2, 0.3))
def slope_six(K, c, d):
    n, ratio = K - 1, log(c / d)
    others = (1 - c) / n, (1 - d) / n
    zero = log((1 - others[0]) / (1 - others[1]))
    slope = 1 + n * zero / ratio
    return Again(
        f"K = {K}. In class c the value j has probability {c} and the other {n} share the rest equally; in class d it "
        f"has {d} and the others share the rest equally, too. What is the slope, log(f_jc / f_jd) divided by "
        "log(theta_jc / theta_jd)?",
        slope,
        (1 + K * zero / ratio, 1 + zero / ratio, 1 + n * log(others[0] / others[1]) / ratio,
         n * log(others[0] / others[1]), 2 - slope, slope - 1, slope * ratio, exp(slope * ratio), 2),
        f"import numpy as np\n\ntheta, n = np.log({c} / {d}), {n}\n"
        f"zeros = n * np.log((1 - (1 - {c}) / n) / (1 - (1 - {d}) / n))\nanswer = (theta + zeros) / theta",
        help="Write f of both classes as theta times equal factors. Then take logarithms of both ratios.",
        hints={8: f"That holds when one other value has nearly all the rest. Here {n} share it equally."},
    )  # fmt: skip


@AGAIN("04/flip", c=(0.3, 0.2, 0.4), d=(0.5, 0.6, 0.45, 0.7))
def flip(c, d):
    border = d**2 / (c**2 + d**2)
    return Again(
        f"K = 2. The value seen has probability {c} in class c and {d} in class d. Above which prior of c does the "
        "product of Bernoullis decide for c?",
        border,
        (d / (c + d), (d / c) ** 2, (c / d) ** 2, (d / (c + d)) ** 2, 1 - border),
        f"c, d = {c}**2, {d}**2  # K = 2 squares the likelihoods\nanswer = d / (c + d)",
    )


@AGAIN("04/undo", prior=(Fraction(1, 5), Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)), said=(0.95, 0.9, 0.99, 0.8))
def undo(prior, said):
    before, after = float(prior / (1 - prior)), said / (1 - said)
    evidence = after / before
    right = share(before * sqrt(evidence))
    return Again(
        f"Two classes with P(A) = {prior}, and a table in which every variable has two values. Naive Bayes on all the "
        f"one-hot bits says P(A | x) = {said}. What does the categorical model say, with the same thetas?",
        right,
        (said / 2, share(sqrt(after)), share(sqrt(evidence)), share(before * evidence ** (2 / 3)), share(after / 2),
         share(before * sqrt(after)), before * sqrt(evidence), 1 - right),
        f"prior, said = {prior} / (1 - {prior}), {said} / (1 - {said})  # odds\nevidence = said / prior\n"
        "odds = prior * evidence ** (1 / 2)\nanswer = odds / (1 + odds)",
        hints={5: f"The prior was in the {said} already. Take it out before you halve the evidence."},
    )  # fmt: skip
