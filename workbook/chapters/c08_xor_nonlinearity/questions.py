"""Predictions and exercises of chapter 08, XOR and non-linearity. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import exp, log, pi

import numpy as np

from nbcore.datasets import load_xor
from nbcore.hierarchical import MultinomialLeaf, Nodes, e_step
from nbcore.naive_bayes import MultinomialNB
from workbook.explorer.formatting import say
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_words, parameters

from .experiment import (
    TABLE_4,
    additive_right,
    best_of_starts,
    boundary_angle,
    digits_split,
    fit_digits,
    fit_shape,
    lines_right,
    points_right,
    r8_found,
    shape_data,
    xor_starts,
)

__all__ = ["CONTENTS"]

HOW_MANY = "How many of the four points can you get right?"
POINTS = "Points (1, 1) and (5, 5) are class 0, points (1, 5) and (5, 1) are class 1."


def says_of_five_one() -> float:
    """What naive Bayes says of class 1 at (5, 1), trained on the four points."""
    xor = load_xor()
    return float(MultinomialNB().fit(xor.data, xor.target).predict_proba([[5, 1]])[0, 1])


@cache
def apart() -> float:
    """By how much the shares of (1, 1) and (5, 5) in a node of class 0 differ, where EM has ended."""
    model, leaf = best_of_starts(xor_starts(smoothing=0.0)), MultinomialLeaf(alpha=0)
    nodes = Nodes(model.node_log_prob_[0], (model.feature_log_prob_[0],))
    return float(np.ptp(e_step(np.array([[1.0, 1.0], [5.0, 5.0]]), nodes, leaf)[0][:, 0]))


@cache
def without_joint_nodes() -> float:
    """Which shapes lose nothing when the sum is taken first: 1 ring, 2 dots, 4 XOR, 8 S, added up."""
    lost = 0
    for place, shape in enumerate(TABLE_4):
        model, test = fit_shape(shape), shape_data(shape).test
        last = model.score(*test)
        lost += 2**place * (model.set_params(rule="product_of_sums").score(*test) >= last)
    return float(lost)


@cache
def near_to_far() -> float:
    """The boundary's angle at radius 2, as a share of that at radius 100."""
    model = best_of_starts(xor_starts(smoothing=0.0))
    return boundary_angle(model, 2) / boundary_angle(model, 100)


@cache
def steps_or_starts() -> float:
    """Of 1,000 points of the S: how many more are right with three times the steps than with three times the starts."""
    right = [fit_shape("s", start="responsibilities", n_starts=starts, max_iter=steps).score(*shape_data("s").test)
             for starts, steps in ((30, 100), (10, 300))]  # fmt: skip
    return float(round(1000 * (right[1] - right[0])))


def gain_of_order() -> float:
    """Of the 2,189 test stories of R8: how many more are right with the sum last, alpha = 1, mean of five seeds."""
    (row,) = [row for row in r8_found()["order"] if (row["alpha"], row["counted"]) == (1.0, "tokens, smoothed")]
    return float(np.mean(row["only_last"]) - np.mean(row["only_first"]))


@cache
def error_left() -> float:
    """Share of the errors of naive Bayes on the digits that three nodes per digit still make, over five splits."""
    errors = np.zeros(2)
    for seed in range(5):
        _, X, _, y = digits_split(seed)
        errors += [1 - fit_digits(H, seed).score(X, y) for H in (1, 3)]
    return float(errors[1] / errors[0])


@cache
def hard_starts() -> float:
    """How many of a hundred starts of hard EM get all four points."""
    fits = xor_starts(2, smoothing=1.0, n_starts=100, seed=1, em="hard")
    return float(sum(points_right(fit).all() for fit in fits))


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
        "probable is it by the sum of products as by the product of sums?",
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


@parameters(first=(0.3, 0.4, 0.35, 0.25), step=(0.01, 0.02, 0.03))
def nearly_equal(first, step):
    start, rows = np.array([first, first + step]), np.array([[1, 5], [5, 1]])
    p = start ** rows[:, :1] * (1 - start) ** rows[:, 1:]  # (rows, nodes)
    shares = p / p.sum(axis=1, keepdims=True)
    words = np.array([start, 1 - start]) / np.array([start, 1 - start]).sum(axis=1, keepdims=True)
    f1_words = rows[:, 0] @ shares / 6
    profile = f1_words / shares.sum(axis=0)
    gap, second = np.diff(profile)[0], f"{first + step:g}"
    return Exercise(
        "08/nearly-equal",
        task=f"Class 1 has the rows (1, 5) and (5, 1). Its nodes start nearly equal: P(f1|h) = {first} for the first "
        f"and {second} for the second, P(h|c) = 1/2 each. They are {step:.2f} apart. How far apart are their P(f1|h) "
        "after one step of soft EM without smoothing? Give three significant digits.",
        expected=gap,
        nearly=False,
        mistakes=(
            Mistake(step, "The start is no fixed point. Share out both rows, then count again."),
            Mistake(0.0, "Equal nodes would stay equal. These are not quite: whose is more of row (5, 1)?"),
            Mistake(4 / 6, "You gave each row to the node that wants it more. Soft EM shares it."),
            Mistake(-gap, "The sign: the second node starts with more of f1, and keeps more."),
            Mistake(profile[0], "That is P(f1|h) of the first node. How far off is the second?"),
            Mistake(profile[1], "That is P(f1|h) of the second node. How far off is the first?"),
            Mistake(np.diff(shares[1])[0], "So far apart are their shares of row (5, 1). Count f1 and f2 with them, of "
                    "both rows."),
            Mistake(round(gap, 3), "Rounded too far: the 0 behind the point is no significant digit. Give one digit "
                    "more.", page_only=True),
            Mistake(np.diff(f1_words)[0], "The first words are shared out rightly. Divide them by the words that "
                    "the node itself has now."),
            Mistake(np.diff((5 * words[0] + words[1]) / (6 * words.sum(axis=0)))[0], "You shared out each word by "
                    "itself. A row goes to the nodes as a whole: six words, multiplied."),
            Mistake(8 / 3 * step, f"So fast they part near the middle, at 1/2. These start at {first}: do the step "
                    "with their numbers.", page_only=True),
            Mistake(gap / step, "That is by how much the gap has grown. Asked is the gap itself."),
        ),
        help="E step: for each row, the share that each node has in it. M step: each node adds up its shares of the "
        "words of both rows, and divides by the number of words that it then has.",
        well_done="Three times as far, in one step, and near the middle by 8/3 with every further step. From exactly "
        "equal nodes it is three times nothing: so a start must be random, and the nearer it is to equal, the longer "
        "EM seems to stand still.",
        solution="import numpy as np\n\nrows = np.array([[1, 5], [5, 1]])\n"
        f"node = np.array([[{first:.2f}, {1 - first:.2f}], [{first + step:.2f}, {1 - first - step:.2f}]])\n"
        "p = (node[None] ** rows[:, None]).prod(axis=2)  # (rows, nodes)\nshare = p / p.sum(axis=1, keepdims=True)\n"
        "f1 = share.T @ rows[:, 0] / (6 * share.sum(axis=0))\nanswer = f1[1] - f1[0]",
        variant_texts=dict(well_done="They part. From exactly equal nodes nothing would: so a start must be random."),
    )  # fmt: skip


@parameters(features=(2, 3, 5), floor=(0.01, 0.04, 0.001, 0.02))
def floored(features, floor):
    density = -features / 2 * log(2 * pi * floor)
    return Exercise(
        "08/floor",
        task=f"A Gaussian node holds one single point, with {in_words(features)} features. Both variances have fallen "
        f"to the floor, {floor}. What is the log density of the node at that point (natural logarithm)?",
        expected=density,
        mistakes=(
            Mistake(density / features, f"That is one feature. There are {in_words(features)}, and logarithms add."),
            Mistake(-density, "The sign: a narrow Gaussian is high, so its density is above 1."),
            Mistake(exp(density), "That is the density. Take its logarithm."),
            Mistake(-features / 2 * log(floor), "You left out 2 pi."),
            Mistake(-features * log(floor), "You left out 2 pi, and a square root."),
            Mistake(2 * density, "A root is missing: in front of the exponential stands 1 / sqrt(2 pi v)."),
            Mistake(-features / 2 * log(2 * pi * floor**2), f"{floor} is the variance, and the standard deviation is "
                    "its square root."),
        ),
        well_done="Let the floor go to 0 and this grows without end: the likelihood has no maximum, and EM divides by "
        "0. So there must be a floor.",
        solution=f"from math import log, pi\n\nanswer = {features} * (-0.5 * log(2 * pi * {floor}))",
        variant_texts=dict(
            task=f"A Gaussian node holds one single point, with {features} features. All variances have fallen to the "
            f"floor, {floor}. What is the log density of the node at that point (natural logarithm)?"
        ),
    )  # fmt: skip


@parameters(f1=(0.2, 0.3, 0.1, 0.25, 0.15, 0.35, 0.12))
def far_out(f1):
    f2 = 1 - f1
    ratio = -log(2 * f1) / log(2 * f2)
    return Exercise(
        "08/far-out",
        task=f"Far from the origin only the nearer node of class 1 counts: P(f1|h) = {f1}, P(f2|h) = {f2:g}. Class 0 "
        f"has P(f1) = P(f2). Without the constant factors the boundary is where {f1}^x1 {f2:g}^x2 = (1/2)^(x1 + x2). "
        "What is x2 / x1 there?",
        expected=ratio,
        mistakes=(
            Mistake(f2 / f1, "That is the ratio of the probabilities. They stand to the powers x1 and x2."),
            Mistake(1 / ratio, "That is x1 / x2."),
            Mistake(log(f1) / log(f2), "You left out class 0: both sides depend on x1 and x2."),
            Mistake(f1 / f2, "A ratio of two probabilities is not enough: take logarithms of both sides."),
            Mistake(-ratio, "A sign is lost: one of the two logarithms is negative."),
        ),
        well_done="One node against one class: linear in x1 and x2, as in naive Bayes. So a hidden node brings one "
        "straight boundary, and only where it is alone.",
        solution=f"from math import log\n\n# x1 log({2 * f1:g}) + x2 log({2 * f2:g}) = 0\n"
        f"answer = -log({2 * f1:g}) / log({2 * f2:g})",
    )


CONTENTS = [
    Prediction(
        "08/line",
        question=f"{POINTS} You may draw one straight "
        "line through the origin, and say which side is which class. "
        + HOW_MANY,
        options={
            "2 at most": lambda n: n == 2,
            "3 at most": lambda n: n == 3,
            "all 4, with the right angle": lambda n: n == 4,
        },
        truth=lambda: float(lines_right()),
        reason=lambda n: (
            f"{say(n)}. Seen from the origin, (1, 1) and (5, 5) lie in the same direction, in between (5, 1) and "
            "(1, 5). A line can cut off one of the outer two, never both."
        ),
    ),
    Prediction(
        "08/tie",
        context=POINTS,
        question="Now multinomial naive Bayes is trained on these four points: x1 and x2 are counts. It is asked about "
        "(5, 1), a point it was trained on. What does it say?",
        options={
            "class 1: it has seen the point": lambda p: p > 0.5 + 1e-9,
            "it cannot decide: one half each": lambda p: abs(p - 0.5) <= 1e-9,
            "class 0: some point it must miss": lambda p: p < 0.5 - 1e-9,
        },
        truth=says_of_five_one,
        reason=lambda p: (
            "P(class 1) is exactly one half. Add up the counts: both classes have each word six times. "
            "Naive Bayes has seen no difference between them."
        ),
    ),
    Prediction(
        "08/additive",
        context=POINTS,
        question="Choose b and two functions f and g, any you like: steps, waves, parabolas. Class 1 is said where "
        f"b + f(x1) + g(x2) > 0, class 0 where it is < 0. {HOW_MANY}",
        options={
            "all 4: some pair of curves does it": lambda n: n == 4,
            "still 3: shape does not matter": lambda n: n == 3,
            "2: there is more to go wrong": lambda n: n == 2,
        },
        truth=lambda: float(additive_right()),
        reason=lambda n: (
            "At four points only the four values f(1), f(5), g(1), g(5) matter, and b. Each of the four speaks once at "
            "a point of class 0 and once at one of class 1. What helps the one harms the other by as much."
        ),
    ),
    Prediction(
        "08/kinds",
        question="EM gives each class two nodes that count words. Class 1 has the rows (1, 5) and (5, 1), class 0 the "
        "rows (1, 1) and (5, 5). What becomes of the two nodes of class 0?",
        options={
            "one takes (1, 1), the other (5, 5)": lambda d: d > 0.9,
            "each leans towards one of the rows": lambda d: 0.1 < d <= 0.9,
            "they do not tell its rows apart": lambda d: d <= 0.1,
        },
        truth=apart,
        reason=lambda d: (
            "A node that counts words knows their shares, and (1, 1) and (5, 5) have the same: half and half. Five "
            "times as many words are no other kind. The rows of class 1 differ in shares, and there it is otherwise."
        ),
    ),
    sum_of_products,
    Prediction(
        "08/hard-starts",
        context=POINTS,
        question="Hard EM gives each row to one node, the best one. Every class has two rows and two nodes. Of a "
        "hundred random starts, how many end with all four points right?",
        options={
            "nearly all": lambda n: n > 80,
            "about half": lambda n: 30 < n <= 80,
            "one in ten, or fewer": lambda n: n <= 30,
        },
        truth=hard_starts,
        reason=lambda n: (
            f"{n:.0f} of 100. The rows of class 1 must begin in different nodes. If both begin in the same one, it "
            "becomes their mean, and no row has a reason to leave."
        ),
    ),
    nearly_equal,
    floored,
    Prediction(
        "08/boundary",
        question="The paper says that the boundary of the multinomial nodes is two straight lines through the origin. "
        "Take the angle between the horizontal axis and the lower one. How does the angle at distance 2 compare with "
        "that at distance 100?",
        options={
            "the same: it is a line through the origin": lambda r: 0.98 < r < 1.02,
            "smaller near the origin: class 0's wedge is wider there": lambda r: r <= 0.98,
            "larger near the origin: class 0's wedge is narrower there": lambda r: r >= 1.02,
        },
        truth=near_to_far,
        reason=lambda r: (
            f"It is {say(r)} times as large. A short row says little, and both nodes of class 1 still share it. Far "
            "out the nearer node has it alone, and only there the boundary is nearly straight."
        ),
    ),
    far_out,
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
            "Nine dots in a grid: a point is inside if its x1 is in one of three bands and its x2 is, too. That is one "
            "function for each feature. The other three shapes ask of x1 something that depends on x2."
        ),
    ),
    Prediction(
        "08/steps",
        question="An S again, but every point is shared out at random among the ten nodes, so that all begin in the "
        "middle. Ten such starts, 100 steps of EM each, and the best on the validation points: 67 of 1,000 test points "
        "are wrong. (From data points: 26.) You may spend three times as much. What helps more?",
        options={
            "30 starts of 100 steps": lambda n: n < -10,
            "10 starts of 300 steps": lambda n: n > 10,
            "neither, by much": lambda n: -10 <= n <= 10,
        },
        truth=steps_or_starts,
        reason=lambda n: (
            f"With more steps {say(n)} more points are right than with more starts. EM was not caught, it was on its "
            "way. Where all nodes are nearly alike, they see nearly the same points, and part slowly."
        ),
    ),
    Prediction(
        "08/digits",
        question="Handwritten digits, 8 by 8 pixels. Naive Bayes has one picture per digit and gets about one in ten "
        "wrong. Give every digit three nodes. How many of the errors are left, on average over five splits?",
        options={
            "nearly all: nobody says which node is what": lambda r: r > 0.85,
            "between half and three quarters": lambda r: 0.45 < r <= 0.85,
            "hardly any": lambda r: r <= 0.45,
        },
        truth=error_left,
        reason=lambda r: (
            f"{say(100 * r)} %. A 1 with a foot and a 1 without are two pictures; their mean is neither. EM finds "
            "the two without a label for them."
        ),
    ),
    Prediction(
        "08/order",
        question="Two nodes with alpha = 1, P(h|c) in tokens and smoothed too. Keep them, and take the sum first "
        "instead of last: that is naive Bayes with alpha = 2 (chapter 07). Are fewer of the 2,189 test stories right "
        "then, on average over five seeds?",
        options={
            "no change, up to 10 either way: the nodes did not help": lambda n: -10 <= n <= 10,
            "fewer, by more than 10": lambda n: n > 10,
            "more, by more than 10": lambda n: n < -10,
        },
        truth=gain_of_order,
        reason=lambda n: (
            f"{n:.0f} fewer. Smoothing twice as much costs that, and a bit more; two nodes, summed last, win it back. "
            "Beside naive Bayes with alpha = 1 the two cancel, and the nodes seem to do nothing."
        ),
    ),
]
