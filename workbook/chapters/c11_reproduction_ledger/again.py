"""The tasks of chapter 11 with other numbers."""

from __future__ import annotations

from math import prod, sqrt
from statistics import mean

from scipy.stats import norm

from workbook.questions.again import Again, Generators, plain

__all__ = ["AGAIN"]

AGAIN = Generators()
Z = 1.96  # standard errors to either side of a 95 % interval


@AGAIN("11/half-unit", printed=("0.964", "0.83", "0.7125", "0.5", "0.91", "0.8306", "0.624"))
def half_unit(printed):
    digits = len(printed) - 2
    unit = 10.0**-digits
    return Again(
        f"A source prints an accuracy of {printed}. Ours has no luck in it: it is computed exactly. How far may ours "
        f"lie from {printed} at most, so that the two still agree?",
        unit / 2,
        (unit, 10 * unit / 2, 0.0, unit / 20),
        f"answer = {unit:.10g} / 2",
        help=f"Which numbers are printed as {printed}? Take the smallest and the largest.",
        hints={1: f"Half a unit, rightly, but count the digits after the point: there are {digits}.",
               2: f"Then only a number that ends after {digits} digits could agree.",
               3: f"Half a unit, rightly, but of a digit that the source does not print: it gives {digits}."},
    )  # fmt: skip


@AGAIN("11/one-run", n=((20, 2.0930), (10, 2.2622), (16, 2.1314), (8, 2.3646)), sd=(0.006, 0.004, 0.012))
def one_run(n, sd):
    n, t = n
    width = t * sd * sqrt(1 + 1 / n)
    return Again(
        f"{n} splits of the names gave us a mean accuracy, with a standard deviation of {sd} between splits (n − 1 in "
        "it). A paper shows one split. What is half the width of the 95 % interval for one further split? (Student's t "
        f"with {n - 1} degrees of freedom: {t:.3f}.)",
        width,
        (t * sd / sqrt(n), t * sd, Z * sd, 2 * width, t * sd * (1 + 1 / n), sd * sqrt(1 + 1 / n), 100 * width),
        f"from math import sqrt\n\nanswer = {t} * {sd} * sqrt(1 + 1 / {n})",
        well_done=f"Two sorts of luck add up, as squares: that of the paper's split, 1, and that of our mean, 1/{n}.",
        help=f"The difference of two independent numbers has the sum of their variances: one split, and a mean of {n}.",
        hints={1: f"That is the luck of one split around the true mean. Ours is a mean of only {n}."},
    )


@AGAIN("11/hundred", n=(100, 400, 50, 250), answers=(3, 4, 5), sd=(0.254, 0.3, 0.2), rate=(0.82, 0.7, 0.9))
def hundred(n, answers, sd, rate):
    width = Z * sd / sqrt(n)
    return Again(
        f"A paper prints {100 * rate:.1f} %, a rate from {n} random classifiers with {answers} answers each. Each "
        f"classifier has a share of its answers. The standard deviation of these shares is {sd}. What is half the "
        "width of the 95 % interval of such a rate, as a fraction (not in percent)?",
        width,
        (width / sqrt(answers), sd / sqrt(n), Z * sqrt(rate * (1 - rate) / n), Z * sd, Z * sd / n, 2 * width,
         100 * width),
        f"answer = 1.96 * {sd} / {n}**0.5",
        well_done=f"So a rate from {n} classifiers is known to about {100 * width:.2g} points, whatever its digits.",
        help="The rate is the mean of the shares. What is the standard deviation of a mean?",
        hints={0: f"You took {n * answers} independent answers. The {answers} of one classifier were not drawn "
                  "independently.",
               2: f"You took {n} yes-or-no draws. Each draw is a share, and its standard deviation is given.",
               3: f"That is for a single classifier. The rate is the mean of {n}."},
    )  # fmt: skip


@AGAIN("11/all-twelve", n=(12, 6, 8, 20, 5, 10, 15))
def all_twelve(n):
    def reach(p):
        """Standard errors to either side for an interval that holds with p."""
        return float(norm.ppf((1 + p) / 2))

    each = 0.95 ** (1 / n)
    return Again(
        f"{n} independent numbers. You want intervals so wide that, if nothing is wrong, all {n} lie inside with "
        "probability 0.95. How many standard errors to either side does each interval need?",
        reach(each),
        (Z, reach(1 - 0.05 / n), float(norm.ppf(each)), Z * sqrt(n), reach(0.95**n), each),
        f"from scipy.stats import norm\n\neach = 0.95 ** (1 / {n})\nanswer = norm.ppf((1 + each) / 2)",
        well_done=f"Dividing the 5 % by {n} (Bonferroni) gives nearly the same, and needs no independence.",
        help=f"How probable must it be that one interval holds, so that all {n} do? Then ask how wide that one is.",
        hints={0: f"That holds one number with probability 0.95. All {n}?",
               4: f"You took the power {n}. Each one must be surer than 0.95, not less sure."},
    )  # fmt: skip


@AGAIN("11/eq-8", prior=(0.7, 0.6, 0.4), A=((0.9, 0.1, 0.5), (0.8, 0.2, 0.4), (0.7, 0.3, 0.1)),
       B=((0.6, 0.6, 0.6), (0.5, 0.7, 0.3), (0.4, 0.6, 0.5)))  # fmt: skip
def eq_8(prior, A, B):
    def b(of_prior, of_product):
        weights = [p**of_prior * prod(each) ** of_product for p, each in ((prior, A), (1 - prior, B))]
        return weights[1] / sum(weights)

    means = prior * mean(A), (1 - prior) * mean(B)
    code = [" * ".join(map(plain, each)) for each in (A, B)]
    return Again(
        f"Two classes with P(A) = {prior} and P(B) = {1 - prior:g}. Three features have P(f | A) = "
        f"{', '.join(map(plain, A))} and P(f | B) = {', '.join(map(plain, B))}. Eq. (8) of Carlos (2015) puts the "
        "geometric mean of the three likelihoods in place of their product, and leaves the prior as it is. What is "
        "P(B | F) by eq. (8)?",
        b(1, 1 / 3),
        (b(1, 1), b(1 / 4, 1 / 4), b(0, 1 / 3), 1 - b(1, 1 / 3), means[1] / sum(means),
         (1 - prior) * prod(B) ** (1 / 3), b(1, 1 / 2)),
        f"A = {prior} * ({code[0]}) ** (1 / 3)\nB = (1 - {prior}) * ({code[1]}) ** (1 / 3)\nanswer = B / (A + B)",
        well_done="Eq. (8) leaves the prior as it is, and so it can change decisions; the paper uses eq. (20), which "
        "cannot.",
    )  # fmt: skip
