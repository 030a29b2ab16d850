"""Predictions and exercises of chapter 08, XOR and non-linearity. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np

from nbcore.datasets import load_xor
from nbcore.naive_bayes import GaussianNB
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_words, parameters

from .experiment import (
    TABLE_4,
    additive_right,
    fit_shape,
    r8_found,
    shape_data,
)

__all__ = ["CONTENTS"]

STORIES = 2189  # to test with, of R8
POINTS = "Points (1, 1) and (5, 5) are class 0, points (1, 5) and (5, 1) are class 1."


def right_with_the_sum() -> float:
    """Return how many of the four points GaussianNB decides rightly, with x1 + x2 as a third column."""
    xor = load_xor()
    X = np.column_stack([xor.data, xor.data.sum(axis=1)])
    return float((GaussianNB().fit(X, xor.target).predict(X) == xor.target).sum())


@cache
def without_joint_nodes() -> float:
    """Return which shapes lose nothing with the sum first: 1 for the ring, 2 dots, 4 XOR, 8 S, added up."""
    lost = 0
    for place, shape in enumerate(TABLE_4):
        model, test = fit_shape(shape), shape_data(shape).test
        last = model.score(*test)
        lost += 2**place * (model.set_params(rule="product_of_sums").score(*test) >= last)
    return float(lost)


def won_by_alpha() -> float:
    """Return how many more stories of R8 naive Bayes has right with its best alpha than with alpha = 1."""
    naive = dict(map(tuple, r8_found()["naive"]))
    return float(round(STORIES * (max(naive.values()) - naive[1.0])))


@parameters(low=(0.4, -0.3, 0.9), high=(1.1, 0.6, -1.5), other=(2.0, 1.2, 2.5))
def fourth(low, high, other):
    return Exercise(
        "08/fourth",
        task=f"Some naive Bayes on x1 and x2 has the log odds L(1, 1) = {low}, L(5, 5) = {high} and L(1, 5) = {other}. "
        "What is L(5, 1)?",
        expected=low + high - other,
        mistakes=(
            Mistake(low + high + other, "The sum over one class is equal to the sum over the other. On which side is "
                    "L(1, 5)?"),
            Mistake(other - low - high, "The sign: L(5, 1) stands beside L(1, 5), and both together are the sum of "
                    "the other two."),
            Mistake(low + high, "That is what L(1, 5) and L(5, 1) are together."),
            Mistake((low + high) / 2, "You shared the sum out evenly. L(1, 5) is given."),
            Mistake(-other, "That is L(1, 5) with its sign turned. The two of the other class have a part in it."),
            Mistake(other, "(5, 1) is the mirror image of (1, 5), but f and g may differ."),
            Mistake(other + high - low, "You took L(1, 1) away. Both points of the other class are added."),
            Mistake(other + low - high, "You took L(5, 5) away. Both points of the other class are added."),
        ),
        help="Section 1: L(1, 1) + L(5, 5) = L(1, 5) + L(5, 1). Put in the three numbers.",
        well_done="Three of the log odds say the fourth. All else that a naive Bayes has learned cannot change it.",
        solution=f"answer = {low} + {high} - {other}",
    )  # fmt: skip


@parameters(prior=(Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)), f1=(0.2, 0.3, 0.1), n=(3, 2, 4))
def sum_of_products(prior, f1, n):
    w, nodes = np.array([prior, 1 - prior], dtype=float), np.array([[f1, 1 - f1], [1 - f1, f1]])
    counts = np.array([1, n])
    at = (nodes**counts).prod(axis=1)
    last, first = w @ at, ((w @ nodes) ** counts).prod()
    return Exercise(
        "08/sum-of-products",
        task=f"A class has two hidden nodes with P(h|c) = {prior} and {1 - prior}. Node 1 has P(f1|h) = {f1} and "
        f"P(f2|h) = {1 - f1:g}, node 2 the reverse. A row x has f1 once and f2 {in_words(n)} times. How many times as "
        "probable is it by the sum of products as by the product of sums? Give three significant digits.",
        expected=last / first,
        mistakes=(
            Mistake(first / last, "The other way round: which one shall be above?"),
            Mistake(last, "That is P(x|c) by the sum of products. Divide it by the same for the product of sums."),
            Mistake(first, "That is P(x|c) by the product of sums: the second half of what is asked."),
            Mistake((n + 1) * last, f"The multinomial coefficient, {n + 1} here, stands in both and cancels. Where is "
                    "the product of sums?"),
            Mistake((n + 1) * last / first, "You gave the multinomial coefficient to one of the two only. It cancels."),
            Mistake(np.exp(w @ np.log(at)) / first, "You averaged the logarithms. Probabilities of alternatives add "
                    "up; their logarithms do not."),
            Mistake(at.sum() / first, "You forgot P(h|c) in the sum of products: how often does this class use each "
                    "node?"),
            Mistake(last / 0.5 ** (n + 1), "In the product of sums you gave both nodes the same weight."),
            Mistake((w * at).max() / first, "You took the better node alone. The row may come from the other one as "
                    "well."),
            Mistake((w * at).min() / first, "You took the node alone that is used more. Which of the two suits the "
                    "row?"),
            Mistake(w @ nodes.prod(axis=1) / (w @ nodes).prod(), f"Each feature was counted once. f2 is there "
                    f"{in_words(n)} times: a power of {n}."),
        ),
        help="Sum of products: for each node P(h|c) times P(f1|h) times P(f2|h) to its power, then add. Product of "
        "sums: first the mean of P(f1|h) and of P(f2|h) over the nodes, weighted by P(h|c).",
        well_done=f"{last:.3g} against {first:.3g}: f2 three times in four is the work of node 1, and only the sum of "
        "products can let one node write the whole row.",
        solution="sum_of_products = 1/4 * 0.2 * 0.8**3 + 3/4 * 0.8 * 0.2**3\n"
        "f1, f2 = 1/4 * 0.2 + 3/4 * 0.8, 1/4 * 0.8 + 3/4 * 0.2  # the nodes, mixed\n"
        "answer = sum_of_products / (f1 * f2**3)",
        variant_texts=dict(
            well_done="Only the sum of products can let one node write the whole row.",
            solution=f"w, p, n = {prior}, {f1}, {n}\nsum_of_products = w * p * (1 - p)**n + (1 - w) * (1 - p) * p**n\n"
            "f1 = w * p + (1 - w) * (1 - p)  # the nodes, mixed\nanswer = sum_of_products / (f1 * (1 - f1) ** n)",
        ),
    )  # fmt: skip


@parameters(n=(3, 4, 5, 6, 7, 8))
def diagonal(n):
    squares = n * n
    return Exercise(
        "08/diagonal",
        task=f"A board of {n} times {n} squares. Inside are the {in_words(n)} squares of one diagonal. You may choose "
        "b, f (a number for each column) and g (one for each row); a square is called inside where b + f + g > 0. How "
        "many of the squares can be right, at most?",
        expected=squares - n + 1,
        nearly=False,
        mistakes=(
            Mistake(squares, "Two squares of the diagonal make an XOR with the two that share their rows and columns."),
            Mistake(squares - n, "That is “outside” everywhere. Can you get one of the diagonal, too?"),
            Mistake(squares - 1, "Only one wrong? Then two squares of the diagonal are inside and all others outside: "
                    "look at the rows of those two."),
            Mistake(n, "“Inside” everywhere has these. The squares off the diagonal count, too."),
            Mistake(n - 1, "Asked is how many are right, not how many are wrong."),
            Mistake(1, "Asked is how many of all squares are right, not how many of the diagonal."),
        ),
        help="Of any two rows, all that is inside in one must be inside in the other. Begin with “outside” everywhere, "
        "then let squares of the diagonal in, one by one: what comes in with the second?",
        well_done="One square of the diagonal is free. The second brings one wrong square with it, the third two.",
        solution=f"n = {n}\nright_outside = n * n - n\nanswer = right_outside + 1",
    )


CONTENTS = [
    Prediction(
        "08/additive",
        question=f"{POINTS} A rule adds up three numbers: b in any case, f if x1 is 5, g if x2 is 5. Where the sum is "
        "above 0 it says class 1, below 0 class 0. You choose the three. How many of the four can be right?",
        options={
            "2 at most": lambda n: n == 2,
            "3 at most": lambda n: n == 3,
            "all 4": lambda n: n == 4,
        },
        truth=lambda: float(additive_right()),
        reason=lambda n: (
            "Over the two points of class 0 the sums add up to 2b + f + g, and over those of class 1 as well. One "
            "should be below 0, the other above."
        ),
    ),
    fourth,
    Prediction(
        "08/column",
        context=POINTS,
        question="Naive Bayes with bells gets a third column: x1 + x2. How many of the four points are right then?",
        options={
            "none: a tie at each": lambda n: n == 0,
            "3 at most: adding up is all it does anyway": lambda n: 0 < n <= 3,
            "all 4": lambda n: n == 4,
        },
        truth=right_with_the_sum,
        reason=lambda n: (
            "Class 1 has the sum 6 twice, class 0 has 2 and 10: a needle and a wide bell with the same middle. They "
            "make a parabola of x1 + x2, and that is no function of x1 plus one of x2."
        ),
    ),
    sum_of_products,
    Prediction(
        "08/joint",
        question="Ten Gaussian nodes per class have learned four shapes: a ring; nine dots, three by three; two "
        "squares in opposite corners (XOR); an S. Keep every number, but take the sum over the nodes first. On which "
        "shape are at least as many test points right as before?",
        options={
            "on none: each needs the sum last": lambda n: n == 0,
            "on the ring": lambda n: n == 1,
            "on the dots": lambda n: n == 2,
            "on the S": lambda n: n == 8,
        },
        truth=without_joint_nodes,
        reason=lambda n: (
            "Of any two horizontal lines through the dots one has all that is inside of the other: such a shape is one "
            "function for each feature. The other three have lines that each have something of their own."
        ),
    ),
    diagonal,
    Prediction(
        "08/order",
        question="With the best of six alphas, two nodes per class have 22 more of the 2,189 test stories of R8 right "
        "than naive Bayes with alpha = 1 has (mean of five seeds). Now naive Bayes has its best alpha, too. How many "
        "of the 22 does it win that way?",
        options={
            "hardly any: the gain was non-linear": lambda n: n < 5,
            "about half": lambda n: 5 <= n <= 14,
            "most of them: 15 or more": lambda n: n > 14,
        },
        truth=won_by_alpha,
        reason=lambda n: (
            f"{n:.0f}. Naive Bayes is additive whatever its alpha is, so these ask for no curve: alpha brought them, "
            "and not the nodes."
        ),
    ),
]
