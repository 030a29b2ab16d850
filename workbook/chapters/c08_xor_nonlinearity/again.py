"""The tasks of chapter 08 with other numbers."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, pi

import numpy as np

from workbook.questions.again import Again, Generators, plain

__all__ = ["AGAIN"]

AGAIN = Generators()


@AGAIN("08/sum-of-products", prior=(Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)), f1=(0.2, 0.3, 0.1), n=(3, 2, 4))
def sum_of_products(prior, f1, n):
    w, p = float(prior), f1
    at = p * (1 - p) ** n, (1 - p) * p**n
    mixed = w * p + (1 - w) * (1 - p)
    last, first = w * at[0] + (1 - w) * at[1], mixed * (1 - mixed) ** n
    return Again(
        f"A class has two hidden nodes with P(h|c) = {prior} and {1 - prior}. Node 1 has P(f1|h) = {p} and P(f2|h) = "
        f"{1 - p:g}, node 2 the reverse. A row x has f1 once and f2 {n} times. How many times as probable is it by the "
        "sum of products as by the product of sums?",
        last / first,
        (first / last, last, first, (n + 1) * last, (n + 1) * last / first,
         exp(w * log(at[0]) + (1 - w) * log(at[1])) / first, sum(at) / first, last / 0.5 ** (n + 1),
         max(w * at[0], (1 - w) * at[1]) / first, min(w * at[0], (1 - w) * at[1]) / first,
         p * (1 - p) / (mixed * (1 - mixed))),
        f"w, p, n = {prior}, {p}, {n}\nsum_of_products = w * p * (1 - p)**n + (1 - w) * (1 - p) * p**n\n"
        "f1 = w * p + (1 - w) * (1 - p)  # the nodes, mixed\nanswer = sum_of_products / (f1 * (1 - f1) ** n)",
        well_done="Only the sum of products can let one node write the whole row.",
        hints={3: f"The multinomial coefficient, {n + 1} here, stands in both and cancels. Where is the product of "
                  "sums?",
               10: f"Each feature was counted once. f2 is there {n} times: a power of {n}."},
    )  # fmt: skip


@AGAIN("08/nearly-equal", first=(0.3, 0.4, 0.35, 0.25), step=(0.01, 0.02, 0.03))
def nearly_equal(first, step):
    f1, rows = np.array([first, first + step]), np.array([[1, 5], [5, 1]])
    p = f1 ** rows[:, :1] * (1 - f1) ** rows[:, 1:]  # (rows, nodes)
    shares = p / p.sum(axis=1, keepdims=True)
    words = np.array([f1, 1 - f1]) / np.array([f1, 1 - f1]).sum(axis=1, keepdims=True)

    def counted(shares):
        return (rows[:, 0] @ shares) / 6

    def gap(values):
        return float(values[1] - values[0])

    profile = counted(shares) / shares.sum(axis=0)
    second = plain(first + step)
    return Again(
        f"Class 1 has the rows (1, 5) and (5, 1). Its nodes start nearly equal: P(f1|h) = {plain(first)} for the first "
        f"and {second} for the second, P(h|c) = 1/2 each. They are {step} apart. How far apart are their P(f1|h) after "
        "one step of soft EM without smoothing? Give three significant digits.",
        gap(profile),
        (step, 0.0, 4 / 6, -gap(profile), profile[0], profile[1], gap(shares[1]), None,
         gap(counted(shares)), gap((5 * words[0] + words[1]) / (6 * words.sum(axis=0))), None, gap(profile) / step),
        f"import numpy as np\n\nrows, f1 = np.array([[1, 5], [5, 1]]), np.array([{first}, {second}])\n"
        "node = np.stack([f1, 1 - f1], axis=1)\n"
        "p = (node[None] ** rows[:, None]).prod(axis=2)  # (rows, nodes)\nshare = p / p.sum(axis=1, keepdims=True)\n"
        "f1 = share.T @ rows[:, 0] / (6 * share.sum(axis=0))\nanswer = f1[1] - f1[0]",
        well_done="They part. From exactly equal nodes nothing would: so a start must be random.",
    )  # fmt: skip


@AGAIN("08/floor", features=(2, 3, 5), floor=(0.01, 0.04, 0.001, 0.02))
def floor(features, floor):
    density = -features / 2 * log(2 * pi * floor)
    return Again(
        f"A Gaussian node holds one single point, with {features} features. All variances have fallen to the floor, "
        f"{floor}. What is the log density of the node at that point (natural logarithm)?",
        density,
        (density / features, -density, exp(density), -features / 2 * log(floor), -features * log(floor), 2 * density,
         -features / 2 * log(2 * pi * floor**2)),
        f"from math import log, pi\n\nanswer = {features} * (-0.5 * log(2 * pi * {floor}))",
        hints={0: f"That is one feature. There are {features}, and logarithms add.",
               6: f"{floor} is the variance, and the standard deviation is its square root."},
    )  # fmt: skip


@AGAIN("08/far-out", f1=(0.2, 0.3, 0.1, 0.25, 0.15, 0.35, 0.12))
def far_out(f1):
    f2 = 1 - f1
    ratio = -log(2 * f1) / log(2 * f2)
    return Again(
        f"Far from the origin only the nearer node of class 1 counts: P(f1|h) = {f1}, P(f2|h) = {f2:g}. Class 0 has "
        f"P(f1) = P(f2) = 1/2. Without the constant factors the boundary is where {f1}^x1 {f2:g}^x2 = "
        "(1/2)^(x1 + x2). What is x2 / x1 there?",
        ratio,
        (f2 / f1, 1 / ratio, log(f1) / log(f2), f1 / f2, -ratio),
        f"from math import log\n\nanswer = -log(2 * {f1}) / log(2 * {f2:g})",
    )
