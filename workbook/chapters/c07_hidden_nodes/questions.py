"""Predictions and exercises of chapter 07, hidden nodes. Every expected value is computed, none is typed."""

from __future__ import annotations

from math import factorial, prod

import numpy as np

from nbcore.hierarchical import (
    MultinomialLeaf,
    Nodes,
    e_step,
    m_step,
    mix_nodes,
    product_of_sums,
    run_em,
    sum_of_products,
)
from workbook.explorer.formatting import say
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction

from .experiment import STRIPS, TOKENS, difference, end_gains, ones, random_difference, three_layers

__all__ = ["CONTENTS"]

LEAF = MultinomialLeaf(0.0)
NODE, FEATURE = np.array([0.25, 0.75]), np.array([[0.8, 0.2], [0.4, 0.6]])
BAG = np.array([[3.0, 1.0]])
STUCK = np.array([[3.0, 1.0], [1.0, 7.0]])
LENGTHS = np.array([[6.0, 0.0], [1.0, 1.0], [3.0, 21.0]])  # the first two at node 1, the third at node 2
FOUR = np.array([[4.0, 0.0], [4.0, 0.0], [0.0, 4.0], [2.0, 2.0]])
AT_NODE = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
SMOOTH_H, SMOOTH_ALPHA = 5, 0.3


def all_alike() -> float:
    """Ten tokens, all f1: sum of products over product of sums; nodes of equal weight with P(f1|h,c) = 0.9 and 0.1."""
    product, summed = three_layers(0.5, 0.9, 0.1)
    return float(np.exp(summed[TOKENS] - product[TOKENS]))


def equal_start_gain() -> float:
    """What 1000 steps of EM gain from three nodes that start alike."""
    start = m_step(ones(), np.full((len(ones()), 3), 1 / 3), LEAF)
    path = run_em(ones(), start, LEAF, max_iter=1000, tol=0).path
    return round(float(path[-1] - path[0]), 9)  # what is left is rounding


def best_share() -> float:
    """Share of hard EM's 20 starts that end within 1 of the best of them."""
    ends = end_gains("hard")
    return float((ends > ends.max() - 1).mean())


def without_f2(chance: float | None = None) -> float:
    """How many of FOUR's documents, drawn from their profile (or with this P(f1|c)), have no f2 on average."""
    p = FOUR[:, 0].sum() / FOUR.sum() if chance is None else chance
    return float((p ** FOUR.sum(axis=1)).sum())


CASES = [
    ([3, 1], [0.25, 0.75], [[0.8, 0.2], [0.4, 0.6]]),
    ([0, 2], [0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]]),
    ([2, 1, 1], [0.2, 0.3, 0.5], [[0.5, 0.3, 0.2], [0.1, 0.1, 0.8], [0.6, 0.2, 0.2]]),
]


def of_cases(function) -> list[float]:
    """A learner's function on cases that tell the slips apart."""
    return [function(*map(np.array, case)) for case in CASES]


def by_rule(rule):
    """One of nbcore's rules as a function of counts, P(h|c) and P(f|h,c)."""

    def likelihood(counts, node, feature):
        log_p = rule(counts[None].astype(float), np.log(node)[None], (np.log(feature)[None],), LEAF)
        return float(np.exp(log_p[0, 0]))

    return likelihood


def coefficient(counts) -> float:
    """In how many orders the tokens of a bag can stand."""
    return factorial(int(counts.sum())) / prod(factorial(int(count)) for count in counts)


def bag_responsibility() -> float:
    """P(h1 | BAG)."""
    return float(e_step(BAG, Nodes(np.log(NODE), (np.log(FEATURE),)), LEAF)[0][0, 0])


def at_nodes() -> np.ndarray:
    """prod_f P(f|h,c) of BAG, (2,)."""
    return (FEATURE**BAG).prod(axis=1)


def shared(likelihood: np.ndarray, node: np.ndarray = NODE) -> float:
    """Node 1's share of P(h|c) times a likelihood, (2,)."""
    return float(node[0] * likelihood[0] / (node @ likelihood))


def word_by_word() -> float:
    """The slip of taking the mean of the tokens' own responsibilities."""
    joint = NODE[:, None] * FEATURE
    return float((joint[0] / joint.sum(axis=0)) @ BAG[0] / BAG.sum())


def stuck() -> float:
    """P(f1|h1,c) after ten steps from four equal nodes."""
    start = m_step(STUCK, np.full((2, 4), 1 / 4), LEAF)
    nodes = run_em(STUCK, start, LEAF, max_iter=10, tol=0).nodes
    return float(np.exp(nodes.parameters[0][0, 0]))


def mixed(node_weights: str) -> float:
    """sum_h P(f1|h,c) P(h|c) for LENGTHS."""
    nodes = m_step(LENGTHS, AT_NODE, LEAF, node_weights)
    return float(np.exp(mix_nodes(nodes.log_prob, nodes.parameters[0]))[0])


def restored_alpha() -> float:
    """The alpha of naive Bayes that smoothed nodes amount to: found by trying."""
    rng = np.random.default_rng(0)
    nodes = m_step(
        ones(),
        rng.dirichlet(np.ones(SMOOTH_H), len(ones())),
        MultinomialLeaf(SMOOTH_ALPHA),
        node_weights="tokens",
        smooth_nodes=True,
    )
    candidates = np.arange(1, 501) / 100
    return float(min(candidates, key=lambda alpha: difference(nodes, alpha)))


def no_ink_right() -> float:
    """How many of 182 images from the one profile have no token right, on average, with the real images' lengths."""
    right = ones()[:, 2].sum() / ones().sum()
    return float(((1 - right) ** ones().sum(axis=1)).sum())


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

CHOSEN_ONCE = "The node is chosen once, for the whole document."

CONTENTS = [
    Prediction(
        "07/no-ink-right",
        question=f"{int((ones()[:, 2] == 0).sum())} of the 182 images have no ink at all in the right strip. Now draw "
        "182 images from the one profile: as many tokens each as the real ones have, about 20, and every token right "
        f"with probability {ones()[:, 2].sum() / ones().sum():.2f}. How many of them have no ink right?",
        options={
            "about as many: the profile was learned from these images": lambda n: n > 25,
            "about half as many": lambda n: 8 < n <= 25,
            "two or three": lambda n: n <= 8,
        },
        truth=no_ink_right,
        reason=lambda n: (
            f"On average {say(n)}. Twenty tokens would all have to miss the right strip, and 0.8 to the power of 20 is "
            "about 1 %. Real images with no ink right are no accident: it is a way to write a one."
        ),
    ),
    Exercise(
        "07/without-f2",
        task="A class has four documents of four tokens each: two read f1 f1 f1 f1, one f2 f2 f2 f2, and one f1 f1 f2 "
        "f2. Draw a twin for each from the one profile of the class. How many of the four twins have no f2, on "
        "average?",
        expected=without_f2,
        mistakes=(
            Mistake(lambda: 2, "That is the real number, with which the drawn one is to be compared."),
            Mistake(lambda: without_f2() / 4, "That is the chance of one document. Four are drawn."),
            Mistake(lambda: 4 * FOUR[:, 0].sum() / FOUR.sum(), "That is for a single token. All four must be f1."),
            Mistake(lambda: without_f2(0.5), "The two words are not equally common. What is the profile?"),
            Mistake(lambda: without_f2(6 / 16), "Those are the documents without f1."),
        ),
        well_done="Two are real, and well below one is drawn: one profile does not know that words keep together.",
        solution="answer = 4 * (10 / 16) ** 4",
    ),
    Prediction(
        "07/all-alike",
        question="Two nodes of weight 1/2 each. The first writes the word f1 with probability 0.9, the second with "
        "0.1, so on average it is 0.5. A document has ten tokens, all f1. How many times more probable is it if "
        "one node writes the whole document than if every token is drawn from the average?",
        options={
            "not at all: the average is the same": lambda r: r < 2,
            "about ten times": lambda r: 2 <= r < 50,
            "more than a hundred times": lambda r: r >= 100,
        },
        truth=all_alike,
        reason=lambda r: (
            f"{say(r)} times. One node writes all ten: half of 0.9 to the power of ten, and hardly anything from the "
            "other. The average forgets after each token which node was writing."
        ),
    ),
    Exercise(
        "07/sum-of-products",
        task="Write likelihood(counts, node, feature), with numpy arrays: counts[f] is how often the word f occurs, "
        "node[h] is P(h|c), and feature[h, f] is P(f|h,c). It returns P(x|c), with one node behind the whole document: "
        "eq. (10).",
        expected=by_rule(sum_of_products),
        evaluate=of_cases,
        returns="one number, P(x|c), with the nodes summed",
        help="Take two words and two nodes, do it by hand, and compare.",
        mistakes=(
            Mistake(
                by_rule(product_of_sums),
                "You summed over the nodes before you multiplied: every word picks its node anew. First the product "
                "over the words at each node, then the sum.",
            ),
            Mistake(
                lambda counts, node, feature: float(np.exp(node @ (np.log(feature) @ counts))),
                "You averaged log probabilities. Probabilities of different nodes add up, their logs do not.",
            ),
            Mistake(
                lambda counts, node, feature: float((feature**counts).prod(axis=1).sum()),
                "You forgot P(h|c): every node counts in full. How often does it write at all?",
            ),
            Mistake(
                lambda counts, node, feature: float((feature**counts).prod(axis=1).mean()),
                "All nodes count alike. Weigh each by P(h|c).",
            ),
            Mistake(
                lambda counts, node, feature: float(node @ (feature * counts).prod(axis=1)),
                "You multiplied by the counts. A word that occurs three times brings three factors: that is a power.",
            ),
            Mistake(
                lambda counts, node, feature: float(node @ (feature ** (counts > 0)).prod(axis=1)),
                "Every word that occurs brought one factor only. How many tokens are there?",
            ),
            Mistake(
                lambda counts, node, feature: float(node @ feature.prod(axis=1)),
                "Your answer does not look at the counts: a word that does not occur brings a factor, too.",
            ),
            Mistake(
                lambda counts, node, feature: float(np.log(node @ (feature**counts).prod(axis=1))),
                "That is the logarithm. The task asks for P(x|c) itself.",
            ),
            Mistake(
                lambda counts, node, feature: float(coefficient(counts) * (node @ (feature**counts).prod(axis=1))),
                "You counted in how many orders the words can stand. x is one document: its tokens bring one factor "
                "each, and that is all.",
            ),
            Mistake(
                lambda counts, node, feature: float((node[:, None] * feature**counts).prod(axis=1).sum()),
                f"P(h|c) enters once for every word. {CHOSEN_ONCE}",
            ),
            Mistake(
                lambda counts, node, feature: float(((node[:, None] * feature) ** counts).prod(axis=1).sum()),
                f"P(h|c) enters once for every token. {CHOSEN_ONCE}",
            ),
            Mistake(
                lambda counts, node, feature: float(node @ (feature**counts).prod(axis=0)),
                "You multiplied over the nodes. feature[h, f] has one row for each node: along which axis do its words "
                "stand?",
            ),
            Mistake(
                lambda counts, node, feature: float(node @ (feature**counts).sum(axis=1)),
                "You added the factors of the words. A node writes this word and that word: probabilities multiply.",
            ),
            Mistake(
                lambda counts, node, feature: float((node * (feature**counts).prod(axis=1)).max()),
                "That is the best node only, as in hard EM. The others may have written it too.",
            ),
        ),
        well_done="Product inside, sum outside: that order is the whole difference.",
        solution="def likelihood(counts, node, feature):\n    return node @ (feature**counts).prod(axis=1)\n\n\n"
        "answer = likelihood",
    ),
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
    Prediction(
        "07/equal-start",
        question="The random start gained more than 130 in 30 steps. Now three nodes start exactly alike: every image "
        "belongs to each of them by one third. How much have they gained over one node after 1000 steps of EM?",
        options={
            "more than 100 as well: EM climbs from anywhere": lambda gain: gain > 100,
            "about half of that: it is slower": lambda gain: 20 < gain <= 100,
            "nothing": lambda gain: gain <= 20,
        },
        truth=equal_start_gain,
        reason=lambda gain: (
            f"The gain is {gain + 0.0:.1f}. Equal nodes give every image equal responsibilities, and equal "
            "responsibilities make equal nodes. No step can tell them apart."
        ),
    ),
    Exercise(
        "07/responsibility",
        task="Two nodes: P(h1|c) = 1/4 and P(h2|c) = 3/4. P(f1|h1,c) = 0.8 and P(f1|h2,c) = 0.4; there is one other "
        "word, f2. A document reads f1 f1 f1 f2. What is the responsibility of h1?",
        expected=bag_responsibility,
        mistakes=(
            Mistake(
                lambda: at_nodes()[0] / at_nodes().sum(),
                "You left out P(h|c), or the f2; either speaks for the second node, three to one.",
            ),
            Mistake(
                lambda: NODE[0] * at_nodes()[0],
                "That is P(x, h1|c). Responsibilities of one document add up to one: divide by the sum over the nodes.",
            ),
            Mistake(
                lambda: at_nodes()[0],
                "That is P(x|h1,c): how probable the document is if h1 wrote it. Asked is how probable h1 is.",
            ),
            Mistake(word_by_word, "You shared out every token for itself. One node writes the whole document."),
            Mistake(lambda: 1 - bag_responsibility(), "That is the responsibility of the other node."),
            Mistake(
                lambda: shared(FEATURE.prod(axis=1)),
                "You took each word once. f1 stands there three times: three factors.",
            ),
            Mistake(
                lambda: shared(FEATURE[:, 0]),
                "That is after one token f1. The document has four tokens, and each brings a factor.",
            ),
            Mistake(
                lambda: shared(FEATURE[:, 0], np.ones(2)),
                "That is one token, without P(h|c). There are four tokens, and the nodes are not equally common.",
            ),
            Mistake(lambda: NODE[0], "That is P(h1|c), before anything was read. What do the four tokens say?"),
            Mistake(lambda: 0, "That is hard EM: the better node takes all. Soft EM shares."),
        ),
        well_done="Bayes' rule once more, one floor down: the node takes the place of the class.",
        solution="h1 = 1 / 4 * 0.8**3 * 0.2\nh2 = 3 / 4 * 0.4**3 * 0.6\nanswer = h1 / (h1 + h2)",
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
    Exercise(
        "07/equal-start-profile",
        task="A class of two documents: the first has 3 tokens f1 and 1 token f2, the second 1 token f1 and 7 tokens "
        "f2. Four nodes start exactly alike. What is P(f1|h1,c) after ten steps of soft EM, without smoothing?",
        expected=stuck,
        mistakes=(
            Mistake(
                lambda: (STUCK[:, 0] / STUCK.sum(axis=1)).mean(),
                "You averaged the two documents' shares. The M-step adds up tokens, and the second document has more.",
            ),
            Mistake(
                lambda: STUCK[0, 0] / STUCK[0].sum(),
                "That would be a node that took the first document for its own. What could set it apart from the rest?",
            ),
            Mistake(
                lambda: STUCK[1, 0] / STUCK[1].sum(),
                "That would be a node that took the second document for its own. What could set it apart?",
            ),
            Mistake(lambda: 0.5, "They do learn: one M-step brings them to the tokens of the class."),
        ),
        well_done="All four are naive Bayes. Equal starts waste every node but one.",
        solution="answer = (3 + 1) / (4 + 8)",
    ),
    Prediction(
        "07/theorem",
        question="Now give every image random responsibilities, without any EM, and estimate P(f|h,c) and P(h|c) from "
        "them, counting tokens. How far is the mixture, sum over h of P(f|h,c) P(h|c), from naive Bayes' P(f|c)?",
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
    Exercise(
        "07/document-weights",
        task="Hard EM gave two documents to h1, (6, 0) and (1, 1), and one to h2, (3, 21): tokens of f1 and f2. P(h|c) "
        "counts documents, nothing is smoothed. Which P(f1|c) does product of sums use?",
        expected=lambda: mixed("documents"),
        mistakes=(
            Mistake(
                lambda: mixed("tokens"),
                "That is naive Bayes, or token weights. Here each of the three documents counts once in P(h|c).",
            ),
            Mistake(
                lambda: (LENGTHS[:, 0] / LENGTHS.sum(axis=1)).mean(),
                "You averaged over documents. Within a node tokens are pooled: the M-step counts 7 of 8 at h1.",
            ),
            Mistake(lambda: 0.5, "You gave both nodes the same weight. How many documents has each?"),
            Mistake(lambda: 7 / 8, "That is P(f1|h1,c). Mix it with the other node."),
            Mistake(lambda: 1 / 8, "That is P(f1|h2,c). Mix it with the other node."),
            Mistake(lambda: 2 / 3 * 7 / 8, "That is what h1 brings. h2 writes an f1 now and then, too."),
        ),
        well_done="Naive Bayes says 10 of 32. One long document counts 24 tokens there, and only one document here.",
        solution="answer = 2 / 3 * 7 / 8 + 1 / 3 * 3 / 24",
    ),
    Exercise(
        "07/restored-alpha",
        task=f"A vocabulary of K = {len(STRIPS)} words, H = {SMOOTH_H} nodes, P(f|h,c) smoothed with alpha = "
        f"{SMOOTH_ALPHA}, and P(h|c) smoothed so that the theorem holds again. Which alpha must naive Bayes use to "
        "give the same P(f|c)?",
        expected=restored_alpha,
        mistakes=(
            Mistake(
                lambda: SMOOTH_ALPHA,
                "Count the pseudo-tokens of one word in the whole class: every node adds its own.",
            ),
            Mistake(lambda: SMOOTH_ALPHA / SMOOTH_H, "The nodes do not share one pseudo-token; each adds one."),
            Mistake(
                lambda: SMOOTH_ALPHA * len(STRIPS),
                "That is what one node gains over all its words. Fix one word, and add up over the nodes.",
            ),
            Mistake(
                lambda: SMOOTH_ALPHA * SMOOTH_H * len(STRIPS),
                "That is what the class gains in all, over its K words. alpha is the gain of one word.",
            ),
        ),
        well_done="Smoothing more nodes smooths more: keep that in mind when you compare models with equal alpha.",
        solution="answer = 5 * 0.3",
    ),
]
