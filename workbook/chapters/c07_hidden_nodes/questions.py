"""Predictions and exercises of chapter 07, hidden nodes. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from nbcore.hierarchical import (
    MultinomialLeaf,
    Nodes,
    e_step,
    m_step,
    run_em,
)
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_code, in_words, parameters

from .experiment import STRIPS, end_gains, held_out_pairs, ones, random_difference, strips_of_digit
from .experiment import dispersion as measure_dispersion
from .sampled import spread

__all__ = ["CONTENTS", "DEEPER"]

DEEPER = "07/bound-top"  # with which page 07b begins

LEAF = MultinomialLeaf(0.0)


def scattering_digits() -> int:
    """Return how many digits scatter more than 95 of 100 sets drawn from their one profile."""
    return sum(measure_dispersion(strips_of_digit(digit)) > spread(digit, 1)[2] for digit in range(10))


def pairs_gained() -> int:
    """Return on how many of the nine pairs "1 or d?" three nodes a class get more held-out images right."""
    return sum(won > lost for won, lost in held_out_pairs().values())


def equal_start_gain() -> float:
    """What 1000 steps of EM gain from three nodes that start alike."""
    start = m_step(ones(), np.full((len(ones()), 3), 1 / 3), LEAF)
    path = run_em(ones(), start, LEAF, max_iter=1000, tol=0).path
    return round(float(path[-1] - path[0]), 9)  # what is left is rounding


def best_share() -> float:
    """Share of hard EM's 20 starts that end within 1 of the best of them."""
    ends = end_gains("hard")
    return float((ends > ends.max() - 1).mean())


FEW = np.array([[1.0, 9.0], [2.0, 8.0], [8.0, 2.0], [9.0, 1.0], [9.0, 1.0]])  # the documents of the lower bound


def first_step(theta: float = 0.6) -> tuple[float, float]:
    """What a step of EM from theta = P(f1|h1,c) gains in log likelihood, and how high its bound's top is.

    The second node keeps to 1/2, and so do the P(h|c).
    """
    half = np.log([0.5, 0.5])
    before = e_step(FEW, Nodes(half, (np.log([[theta, 1 - theta], [0.5, 0.5]]),)), LEAF)
    profile = np.stack([m_step(FEW, before[0], LEAF).parameters[0][0], half])
    after = e_step(FEW, Nodes(half, (profile,)), LEAF)
    gap = (before[0] * np.log(before[0] / after[0])).sum()
    gain = after[1].sum() - before[1].sum()
    return float(gain), float(gain - gap)

@parameters(documents=(
    ((6, 0), (3, 3), (0, 6)), ((5, 1), (2, 4), (2, 4)), ((4, 0), (1, 3), (1, 3)), ((8, 0), (4, 4), (0, 8)),
))  # fmt: skip
def dispersion(documents):
    counts = np.array(documents, dtype=float)
    expected, square = counts.mean(), ((counts - counts.mean()) ** 2).sum()
    total = square / expected
    return Exercise(
        "07/dispersion",
        task=f"Three documents of {in_words(sum(documents[0]))} tokens each have the counts {documents[0]}, "
        f"{documents[1]} and {documents[2]} of the words f1 and f2. What is Pearson's ratio? With two words, the sum "
        "is divided by n - 1 in place of 2 (n - 1).",
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


CONTENTS = [
    Prediction(
        "07/crowd",
        question="A digit's profile is its share of dark pixels left, middle and right. Draw as many images from it as "
        "there are real ones. For how many of the ten digits do real images scatter more than drawn ones?",
        options={
            "nearly all: no two people write alike": lambda n: n > 7,
            "about half": lambda n: 2 < n <= 7,
            "one or two": lambda n: n <= 2,
        },
        truth=scattering_digits,
        reason=lambda n: (
            f"{in_words(n).capitalize()}, the 1: there is more than one way to write it. Images of the others keep "
            "closer to their profile than pixels that are drawn one by one."
        ),
    ),
    dispersion,
    responsibility,
    Prediction(
        "07/equal-start",
        question="Three nodes start exactly alike: every image belongs to each of them by one third. What have they "
        "gained over one node after 1000 steps of soft EM?",
        options={
            "more than 100: EM climbs from anywhere": lambda gain: gain > 100,
            "20 to 100: it is slow": lambda gain: 20 < gain <= 100,
            "nothing": lambda gain: gain <= 20,
        },
        truth=equal_start_gain,
        reason=lambda gain: (
            f"The gain is {gain + 0.0:.1f}. Equal nodes give every image equal responsibilities, and equal "
            "responsibilities make equal nodes. No step can tell them apart."
        ),
    ),
    Prediction(
        "07/best-start",
        question="Hard EM, three nodes, 20 random starts. How many of them end within 1 of the best?",
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
        reason=lambda n: (
            f"On {in_words(n)}. EM looks at one class at a time, and never hears of the other one."
        ),
    ),
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
        question=f"θ is 0.6, and there the bound touches the log likelihood. Its top is {first_step()[1]:.2f} higher, "
        "at another θ. The M-step goes there. What does the log likelihood do in this step?",
        options={
            "it may well fall: the bound is another curve": lambda gain: gain < 0,
            "it rises, by as much as the bound": lambda gain: 0 <= gain <= first_step()[1] + 0.01,
            "it rises by more than that": lambda gain: gain > first_step()[1] + 0.01,
        },
        truth=lambda: first_step()[0],
        reason=lambda gain: (
            f"It rises by {gain:.2f}. Both curves start at the same height; the bound climbs by {first_step()[1]:.2f}, "
            "and the log likelihood is nowhere below it. So the rise of the bound is the least that you get."
        ),
    ),
    restored_alpha,
]
