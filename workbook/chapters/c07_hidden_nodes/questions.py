"""Predictions and exercises of chapter 07, hidden nodes. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction
from math import log

import numpy as np

from workbook.explorer.formatting import say
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_code, in_words, parameters

from .experiment import (
    STRIPS,
    decided_otherwise,
    end_gains,
    first_step,
    held_out_pairs,
    parted_starts,
    random_difference,
    scattering_digits,
    wedge_angle,
)

__all__ = ["CONTENTS", "DEEPER"]

DEEPER = "07/bound-top"  # with which page 07b begins


def pairs_gained() -> int:
    """Return on how many of the nine pairs "1 or d?" three nodes a class get more held-out images right."""
    return sum(won > lost for won, lost in held_out_pairs("both").values())


def best_share() -> float:
    """Share of hard EM's 20 starts that end within 1 of the best of them."""
    ends = end_gains("hard")
    return float((ends > ends.max() - 1).mean())


DOCUMENTS = 1, 2, 8, 9, 9  # f1 of ten tokens, on page 07b
PROMISE = first_step(0.6, DOCUMENTS)[1]  # how far the bound rises in the first step


@parameters(documents=(
    ((7, 1), (4, 4), (1, 7)), ((5, 1), (3, 3), (1, 5)), ((9, 1), (5, 5), (1, 9)), ((7, 3), (5, 5), (3, 7)),
    ((8, 2), (5, 5), (2, 8)), ((10, 2), (6, 6), (2, 10)), ((11, 1), (6, 6), (1, 11)),
))  # fmt: skip
def dispersion(documents):
    counts = np.array(documents, dtype=float)
    expected, square = counts.mean(), ((counts - counts.mean()) ** 2).sum()
    total = square / expected
    return Exercise(
        "07/dispersion",
        task=f"Three documents have the counts {documents[0]}, {documents[1]} and {documents[2]} of the words f1 and "
        "f2. What is Pearson's ratio? With two words, the sum is divided by n - 1 in place of 2 (n - 1).",
        expected=total / 2,
        mistakes=(
            Mistake(total, "That is the sum. Divide it by n - 1, for n documents."),
            Mistake(total / 3, "You divided by n. The profile was learned from these documents: n - 1."),
            Mistake(total / 4, "You took one word only, or divided by 2 (n - 1), which is for three words."),
            Mistake(square / 2, "Each square is divided by what was expected there."),
            Mistake(square, "Each square is divided by what was expected there, and the sum by n - 1."),
            Mistake(total / 6, "That is the mean of all the terms. Divide their sum by n - 1."),
            Mistake(1, "That is what one profile gives on average. What do these three give?"),
        ),
        help="Both words are equally common. How many f1 are then expected in each document? Then add up (count - "
        "expected)² / expected over all counts.",
        well_done="More than 1: the documents of this class differ more than one profile allows.",
        solution=f"import numpy as np\n\ncounts = np.array({documents})\nexpected = counts.mean()\n"
        "answer = ((counts - expected) ** 2 / expected).sum() / (3 - 1)",
    )


@parameters(prior=(Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)), f1=((0.8, 0.4), (0.7, 0.2), (0.6, 0.3)),
            n=(3, 2, 4), m=(1, 2))  # fmt: skip
def responsibility(prior, f1, n, m):
    w, (a, b) = float(prior), f1

    def shared(first, second, w=w):
        return w * first / (w * first + (1 - w) * second)

    at = a**n * (1 - a) ** m, b**n * (1 - b) ** m
    right = shared(*at)
    by_words = (n * shared(a, b) + m * shared(1 - a, 1 - b)) / (n + m)
    power = f"**{m}" * (m > 1)
    return Exercise(
        "07/responsibility",
        task=f"Two nodes: P(h1|c) = {prior} and P(h2|c) = {1 - prior}. P(f1|h1,c) = {a} and P(f1|h2,c) = {b}; there is "
        f"one other word, f2. A document reads{' f1' * n}{' f2' * m}. What is the responsibility of h1?",
        expected=right,
        mistakes=(
            Mistake(shared(*at, w=0.5), "You left out P(h|c), or the f2; either speaks for the second node, three to "
                    "one.", "You left out P(h|c), or some of the tokens."),
            Mistake(w * at[0], "That is P(x, h1|c). Responsibilities of one document add up to one: divide by the sum "
                    "over the nodes."),
            Mistake(at[0], "That is P(x|h1,c): how probable the document is if h1 wrote it. Asked is how probable h1 "
                    "is."),
            Mistake(by_words, "You shared out every token for itself. One node writes the whole document."),
            Mistake(1 - right, "That is the responsibility of the other node."),
            Mistake(shared(a * (1 - a), b * (1 - b)), f"You took each word once. f1 stands there {in_words(n)} times: "
                    f"{in_words(n)} factors."),
            Mistake(shared(a, b), f"That is after one token f1. The document has {in_words(n + m)} tokens, and each "
                    "brings a factor."),
            Mistake(shared(a, b, w=0.5), f"That is one token, without P(h|c). There are {in_words(n + m)} tokens, and "
                    "the nodes are not equally common."),
            Mistake(w, "That is P(h1|c), before anything was read. What do the "
                    f"{in_words(n + m)} tokens say?"),
            Mistake(0, "That is hard EM: the better node takes all. Soft EM shares."),
        ),
        help="For either node, multiply P(h|c) by the factors of all the tokens. The responsibility is the first of "
        "the two products over their sum.",
        well_done="Bayes' rule once more, one floor down: the node takes the place of the class.",
        solution=f"h1 = {in_code(prior)} * {a}**{n} * {1 - a:g}{power}\n"
        f"h2 = {in_code(1 - prior)} * {b}**{n} * {1 - b:g}{power}\nanswer = h1 / (h1 + h2)",
    )  # fmt: skip


@parameters(documents=(
    ((6, 0), (1, 1), (3, 21)), ((4, 1), (3, 3), (2, 18)), ((5, 1), (2, 4), (1, 15)), ((7, 2), (1, 2), (4, 20)),
    ((9, 1), (1, 3), (4, 30)), ((8, 2), (1, 4), (3, 17)), ((5, 0), (2, 2), (6, 20)), ((10, 2), (2, 3), (5, 40)),
))  # fmt: skip
def document_weights(documents):
    (a, b), (c, d), (e, f) = documents
    first, second = (a + c) / (a + b + c + d), e / (e + f)
    f1, tokens = a + c + e, a + b + c + d + e + f
    return Exercise(
        "07/document-weights",
        task=f"Hard EM gave two documents to h1, {documents[0]} and {documents[1]}, and one to h2, {documents[2]}: "
        "tokens of f1 and f2. P(h|c) counts documents, nothing is smoothed. Which P(f1|c) does product of sums use?",
        expected=2 / 3 * first + 1 / 3 * second,
        mistakes=(
            Mistake(f1 / tokens, "That is naive Bayes, or token weights. Here each of the three documents counts once "
                    "in P(h|c)."),
            Mistake((a / (a + b) + c / (c + d) + second) / 3, "You averaged over documents. Within a node tokens are "
                    f"pooled: the M-step counts {a + c} of {a + b + c + d} at h1."),
            Mistake((first + second) / 2, "You gave both nodes the same weight. How many documents has each?"),
            Mistake(first, "That is P(f1|h1,c). Mix it with the other node."),
            Mistake(second, "That is P(f1|h2,c). Mix it with the other node."),
            Mistake(2 / 3 * first, "That is what h1 brings. h2 writes an f1 now and then, too."),
        ),
        help="P(f1|h,c) is f1 over all tokens of the node, and P(h|c) is the node's share of the documents. Mix them.",
        well_done=f"Naive Bayes says {f1} of {tokens}. One long document counts {e + f} tokens there, and only one "
        "document here.",
        solution=f"answer = 2 / 3 * {a + c} / {a + b + c + d} + 1 / 3 * {e} / {e + f}",
    )  # fmt: skip


@parameters(old=(0.8, 0.9, 0.7, 0.6), new=(0.5, 0.6, 0.4, 0.3))
def gap(old, new):
    first, second = old * np.log(old / new), (1 - old) * np.log((1 - old) / (1 - new))
    back = new * np.log(new / old) + (1 - new) * np.log((1 - new) / (1 - old))
    return Exercise(
        "07/gap",
        task=f"For a document the bound was made with the responsibilities {old} and {1 - old:.1g}. At the bound's top "
        f"a new E-step gives it {new} and {1 - new:.1g}. How far above the bound is its log likelihood there (natural "
        "logarithm)?",
        expected=first + second,
        mistakes=(
            Mistake(first, "That is the part of the first node. The second has one, too, and it is negative."),
            Mistake(second, "That is the part of the second node. Add that of the first."),
            Mistake(back, "You exchanged the old and the new ones: the old ones stand in front."),
            Mistake(-first - second, "The sign: the log likelihood is nowhere below the bound."),
            Mistake((first + second) / np.log(2), "That is in bits. Take the natural logarithm."),
            Mistake(np.log(old / new) + np.log((1 - old) / (1 - new)), "Each logarithm is weighed by the old "
                    "responsibility."),
            Mistake(abs(old - new), "A difference of responsibilities is no difference of logarithms."),
        ),
        help="Section 1: add up r log(r / new r) over the two nodes, where r are the old responsibilities.",
        well_done="Above 0, as always: a sum of this kind is 0 only where old and new are the same.",
        solution=f"from math import log\n\nanswer = {old} * log({old} / {new}) + "
        f"{1 - old:.1g} * log({1 - old:.1g} / {1 - new:.1g})",
    )  # fmt: skip


@parameters(K=(len(STRIPS), 4, 6), H=(5, 2, 7), alpha=(0.3, 0.5, 0.2))
def restored_alpha(K, H, alpha):
    return Exercise(
        "07/restored-alpha",
        task=f"A vocabulary of K = {K} words, H = {H} nodes, P(f|h,c) smoothed with alpha = {alpha}, and P(h|c) "
        "smoothed so that the theorem holds again. Which alpha must naive Bayes use to give the same P(f|c)?",
        expected=H * alpha,
        mistakes=(
            Mistake(alpha, "Count the pseudo-tokens of one word in the whole class: every node adds its own."),
            Mistake(alpha / H, "The nodes do not share one pseudo-token; each adds one."),
            Mistake(alpha * K, "That is what one node gains over all its words. Fix one word, and add up over the "
                    "nodes."),
            Mistake(alpha * H * K, "That is what the class gains in all, over its K words. alpha is the gain of one "
                    "word."),
        ),
        help="Add up over the nodes: how many pseudo-tokens has one word in the whole class?",
        well_done="Smoothing more nodes smooths more: keep that in mind when you compare models with equal alpha.",
        solution=f"answer = {H} * {alpha}",
    )  # fmt: skip


@parameters(f1=(0.2, 0.3, 0.1, 0.25, 0.15, 0.35, 0.12))
def far_out(f1):
    f2 = 1 - f1
    ratio = -log(2 * f1) / log(2 * f2)
    return Exercise(
        "07/far-out",
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
        help="Take logarithms of both sides, and bring all that belongs to x1 on one side.",
        well_done="One node against one class: linear in x1 and x2, as in naive Bayes. So a hidden node brings one "
        "straight boundary, and only where it is alone.",
        solution=f"from math import log\n\n# x1 log({2 * f1:g}) + x2 log({2 * f2:g}) = 0\n"
        f"answer = -log({2 * f1:g}) / log({2 * f2:g})",
    )


CONTENTS = [
    Prediction(
        "07/crowd",
        question="Naive Bayes knows one profile of a digit: its share of dark pixels left, middle and right. Draw "
        "images from it, pixel by pixel, as many as there are real ones. For how many of the ten digits do the real "
        "ones scatter more round the profile?",
        options={
            "nearly all: no two people write alike": lambda n: n > 7,
            "about half": lambda n: 2 < n <= 7,
            "one or two": lambda n: n <= 2,
        },
        truth=scattering_digits,
        reason=lambda n: (
            f"{in_words(n).capitalize()}, the 1. Images of the others keep closer to their profile than pixels that "
            "are drawn one by one."
        ),
    ),
    dispersion,
    Prediction(
        "07/best-start",
        question="Hard EM gives each image to its best node alone. Three nodes, 20 random starts: how many of them "
        "reach a log P(x, h|c) within 1 of the best?",
        options={
            "nearly all": lambda share: share > 0.8,
            "about two in three": lambda share: 0.5 < share <= 0.8,
            "fewer than half": lambda share: share <= 0.5,
        },
        truth=best_share,
        reason=lambda share: (
            f"{round(20 * share)} of 20; the gains go from {end_gains('hard').min() + 0.0:.1f} to "
            f"{end_gains('hard').max():.1f}. A hard assignment is kept as soon as no single image wants to move."
        ),
    ),
    Prediction(
        "07/pairs",
        question="A 1 or a 0? A 1 or a 2? Of nine such pairs, on how many are more held-out images right with three "
        "nodes a class than by naive Bayes?",
        options={
            "all nine: every class is described better": lambda n: n == 9,
            "six to eight": lambda n: 6 <= n < 9,
            "fewer": lambda n: n < 6,
        },
        truth=pairs_gained,
        reason=lambda n: f"On {in_words(n)}. A class that is described better is not yet told apart better.",
    ),
    responsibility,
    Prediction(
        "07/theorem",
        question="Give every image random responsibilities, without any EM, and estimate P(f|h,c) and P(h|c) from "
        "them, counting tokens. How far is the nodes' mixture from naive Bayes' P(f|c)?",
        options={
            "far: the nodes are nonsense": lambda gap: gap > 0.01,
            "close, but not the same": lambda gap: 1e-10 < gap <= 0.01,
            "the same": lambda gap: gap <= 1e-10,
        },
        truth=lambda: random_difference(node_weights="tokens"),
        reason=lambda gap: (
            "Only rounding is left, below 1e-13. Whoever a token was given to, the mixture counts it once, "
            "and the sum over the nodes gives the class its tokens back."
        ),
    ),
    document_weights,
    Prediction(
        "07/bound-top",
        question="EM has one free number, θ. It makes a lower bound, which is nowhere above the log likelihood and "
        f"touches it at the present θ. The M-step goes to the bound's top, {PROMISE:.2f} higher, at another θ. What "
        "does the log likelihood do?",
        options={
            "it may well fall: the bound is another curve": lambda gain: gain < 0,
            "it rises, by as much as the bound": lambda gain: 0 <= gain <= PROMISE + 0.01,
            "it rises by more than that": lambda gain: gain > PROMISE + 0.01,
        },
        truth=lambda: first_step(0.6, DOCUMENTS)[0],
        reason=lambda gain: (
            f"It rises by {gain:.2f}. Both curves start at the same height; the bound climbs by {PROMISE:.2f}, "
            "and the log likelihood is nowhere below it. So the rise of the bound is the least that you get."
        ),
    ),
    gap,
    Prediction(
        "07/flips",
        question="All ten digits, each of 64 pixels a word, three nodes a class, P(h|c) by documents. The sums come "
        "first. How many of the 1,797 images does that decide otherwise than naive Bayes?",
        options={
            "none: it is naive Bayes": lambda n: n == 0,
            "fewer than twenty": lambda n: 0 < n < 20,
            "more than fifty": lambda n: n > 50,
        },
        truth=lambda: decided_otherwise(0.0, "documents")[1],
        reason=lambda n: (
            f"{in_words(n).capitalize()}. The tokens cancel if the documents of every node are equally long on "
            "average, and here they are not quite."
        ),
    ),
    restored_alpha,
    Prediction(
        "07/hard-starts",
        question="Class 1 of chapter 08 has the rows (1, 5) and (5, 1), and two nodes. Hard EM gives each row to one "
        "of them, at the start at random. In how many of a hundred starts do the nodes end apart?",
        options={
            "nearly all": lambda n: n > 80,
            "about half": lambda n: 30 < n <= 80,
            "one in ten, or fewer": lambda n: n <= 30,
        },
        truth=lambda: parted_starts("hard", "hard"),
        reason=lambda n: f"{n} of 100. If both rows begin in one node, the other is empty, and stays so.",
    ),
    Prediction(
        "07/boundary",
        question="The paper says that the boundary of two multinomial nodes is two straight lines through the origin. "
        "Take the angle between the first axis and the lower one. How does it compare at distance 2 and at 100?",
        options={
            "the same: a line through the origin": lambda r: 0.98 < r < 1.02,
            "smaller at 2": lambda r: r <= 0.98,
            "larger at 2": lambda r: r >= 1.02,
        },
        truth=lambda: wedge_angle(2) / wedge_angle(100),
        reason=lambda r: (
            f"It is {say(r)} times as large. A short row says little, and both nodes share it. Far out the nearer "
            "node has it alone, and only there the boundary is nearly straight."
        ),
    ),
    far_out,
]
