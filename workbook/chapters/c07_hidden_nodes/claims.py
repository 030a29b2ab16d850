"""The ledger's entries for Carlos & Rakshit (2016), sections 2 to 3.2.

Each is measured on 182 handwritten ones, bags of three words (`digit_strips`), with H = 3 nodes unless said otherwise.
The differences are in P(f|c), between what product of sums multiplies and what naive Bayes learns.
"""

from functools import partial

import numpy as np

from nbcore.hierarchical import (
    MultinomialLeaf,
    e_step,
    expected_counts,
    m_step,
    product_of_sums,
    sum_of_products,
)
from workbook.ledger.claim import EQUATION, Claim, Measured

from .experiment import STARTS, difference, end_gains, naive_profile, ones, pixel_ends, random_difference, runs

__all__ = ["CLAIMS", "node_share_gap", "smallest_step"]

CHAPTER, DEEPER = "07_hidden_nodes", "07b_small_print"
ROUNDING = 1e-13  # what "equal" means for sums of 182 products


def learned_difference(node_weights, alpha=0.0):
    """Largest `difference` at the end of soft EM, over the starts."""
    return max(difference(run.nodes, alpha) for run in runs("soft", node_weights, 3, alpha))


def readings_of_the_theorem():
    """Return how far product of sums is from naive Bayes: nodes by documents, by tokens, and by EM of eq. (14) itself.

    Eq. (14) draws a node for every token: a row is one token, and each word's row counts as often as the word occurs.
    """
    leaf, words = MultinomialLeaf(0.0), np.diag(ones().sum(axis=0))
    responsibility, _ = e_step(np.eye(3), runs()[0].nodes, leaf)
    own = difference(m_step(words, responsibility, leaf, "tokens"))
    return learned_difference("documents"), learned_difference("tokens"), own


def smallest_step(node_weights, H):
    """The smallest change that one step of soft EM makes to log P(X|theta), over all steps of all starts."""
    return min(float(np.diff(run.path).min()) for run in runs("soft", node_weights, H))


def one_node(alpha):
    """Largest difference in log P(x|c), over all rows, between sum of products with one node and naive Bayes."""
    leaf = MultinomialLeaf(alpha)
    nodes = m_step(ones(), np.ones((len(ones()), 1)), leaf)
    score = sum_of_products(ones(), nodes.log_prob[None], (nodes.parameters[0][None],), leaf)[:, 0]
    return float(np.abs(score - ones() @ naive_profile(alpha)).max())


def bend(rule):
    """Largest second difference of log P(x|c) along bags of 20 tokens, from all in the left to all in the right."""
    nodes, x = runs()[0].nodes, np.arange(21.0)
    bags = np.column_stack([20 - x, np.zeros_like(x), x])
    arguments = bags, nodes.log_prob[None], (nodes.parameters[0][None],), MultinomialLeaf(0.0)
    return float(np.diff(rule(*arguments)[:, 0], 2).max())


def counts_lost():
    """Largest relative difference between a feature's count and the sum of its counts at the nodes."""
    responsibility = np.random.default_rng(0).dirichlet(np.ones(3), size=len(ones()))
    return float(np.abs(expected_counts(ones(), responsibility).sum(axis=0) / ones().sum(axis=0) - 1).max())


def node_share_gap():
    """How far P(h|c) by documents lies from P(h|c) by tokens, for the responsibilities that soft EM ends with."""
    responsibility, _ = e_step(ones(), runs()[0].nodes, MultinomialLeaf(0.0))
    by_documents, by_tokens = (
        np.exp(m_step(ones(), responsibility, MultinomialLeaf(0.0), w).log_prob) for w in ("documents", "tokens")
    )
    return float(np.abs(by_documents - by_tokens).max())


def _entry(id, place, quote, statement, ours, verdict="reproduced", note="", stated=None, rounding=0.0,
           reading="exact", chapter=CHAPTER):  # fmt: skip
    kind, runs = ("sample", STARTS) if place == "section 2.6" else ("", None)
    measure = None if ours is None else lambda: Measured(ours(), kind=kind, runs=runs)
    return Claim(id=f"N16-{id}", place=place, quote=quote, statement=statement, stated=stated, ours=measure,
                 verdict=verdict, reading=reading, chapter=chapter, note=note, rounding=rounding)  # fmt: skip


def quantiles(values):
    """The worst, the median and the best."""
    return tuple(float(v) for v in np.quantile(values, [0, 0.5, 1]))


CLAIMS = (
    _entry(
        "S22-01",
        "section 2.2",
        "They represent discriminative classifiers, which learn the probability of the labels given the features "
        "P(c|F) directly (Ng and Jordan, 2001)",
        "Undirected graphical models represent discriminative classifiers.",
        None,
        "false",
        "They represent joint distributions: naive Bayes, a tree, is one of them without its arrows, and so is the "
        "Boltzmann machine that the section names. A conditional one is a special case.",
    ),
    _entry(
        "S24-01",
        "section 2.4",
        "The naive Bayes classifier is a special case of a hierarchical Bayesian classifier because it consists of a "
        "tree that is only two layers deep",
        "Naive Bayes is the two-layer case (ours: one node, difference in log P(x|c) at alpha = 0, 0.1, 1, 10).",
        lambda: tuple(one_node(alpha) for alpha in (0.0, 0.1, 1.0, 10.0)),
        stated=(0.0,) * 4,
        rounding=1e-11,  # log P(x|c) is a sum of some 20 numbers of size 1 to 30
    ),
    _entry(
        "S24-02",
        "section 2.4",
        "there has been no earlier study establishing the conditions for linearity and non-linearity in such models",
        "There was no earlier study of when such models are linear.",
        None,
        "not testable here",
        "“To our knowledge”, says the paper. We have not searched the literature.",
    ),
    _entry(
        "S25-01",
        "section 2.5, eq. (5) to (7)",
        "EM tries to solve for the parameters θ that maximize the log likelihood of the observed data",
        "EM, by eq. (7), climbs log P(X|theta) (ours: smallest change in a step, H = 2; below 0 by rounding).",
        lambda: smallest_step("documents", 2),
        note="A theorem: Dempster et al. (1977). Page 07b proves it.",
        chapter=DEEPER,
    ),
    _entry(
        "S25-02",
        "section 2.5",
        "The parameters of the directed graphical model are at first randomly initialized.",
        "The parameters are at first randomly initialised.",
        None,
        "not stated well enough",
        "From which distribution is not said. Random shares of the rows serve here; equal ones never move.",
        reading="fixed",
    ),
    _entry(
        "S26-01",
        "section 2.6",
        "the final state reached depends on the initial set of parameters used",
        "Where EM ends depends on the start (ours: hard EM, worst, median, best gain of 20 over naive Bayes).",
        lambda: quantiles(end_gains("hard")),
        note="The paper trains by soft EM. On these three words its starts end alike; on 64 they do not: N16-S26-02.",
    ),
    _entry(
        "S26-02",
        "section 2.6",
        "expectation maximization can lead to suboptimal learning on account of local maxima",
        "EM has local maxima (ours: soft EM on 64 pixels, worst, median and best end of 20, less the best).",
        lambda: quantiles(pixel_ends() - pixel_ends().max()),
    ),
    _entry(
        "S3-01",
        "section 3",
        "yields a linear decision boundary whereas using the sum of products results in a non-linear decision boundary",
        "Product of sums is linear in the counts, sum of products is not (ours: largest second difference).",
        lambda: (bend(product_of_sums), bend(sum_of_products)),
        note="Product of sums always; sum of products unless its nodes are alike.",
    ),
    _entry(
        "E21-01",
        "eq. (21), eq. (26)",
        EQUATION,
        "A feature's counts at the nodes add up to its count in the class (ours: largest relative difference).",
        counts_lost,
        stated=0.0,
        rounding=ROUNDING,
    ),
    *(
        _entry(
            f"{place}-01",
            section,
            quote,
            f"{em.capitalize()} EM, eq. ({share}): product of sums is naive Bayes (ours: random responsibilities).",
            partial(random_difference, em, node_weights="tokens"),
            stated=0.0,
            rounding=ROUNDING,
        )
        for place, section, em, share, quote in (
            ("S321", "section 3.2.1", "hard", 22, "learnt using hard expectation maximization"),
            ("S322", "section 3.2.2", "soft", 27, "learnt using soft expectation maximization"),
        )
    ),
    _entry(
        "S32-01",
        "section 3.2",
        "expectation maximization over any data-set results in the learning of multinomial parameters that when "
        "combined using Equation 15 yield a classifier with the same classification performance",
        "EM over any data set makes product of sums naive Bayes (ours: P(h|c) by documents, as eq. (7) asks; by "
        "tokens, as eq. (22) and (27) have it; by EM of eq. (14) itself, where every token has a node).",
        readings_of_the_theorem,
        "not stated well enough",
        "Proved with P(h|c) by tokens, eq. (22) and (27), and true of EM for eq. (14) itself. But section 3.2 shares "
        "out whole documents, m_h(d). For these eq. (7) counts documents, and then it fails; by tokens some steps "
        "lower log P(X|theta) of eq. (34).",
        (0.0,) * 3,
        ROUNDING,
        "fixed",
        DEEPER,
    ),
    _entry(
        "S4-01",
        "section 4",
        "the smoothing used was Laplace smoothing",
        "Laplace smoothing was used; section 3.2 proves the unsmoothed case (ours: tokens, alpha = 1).",
        lambda: learned_difference("tokens", 1.0),
        "not stated well enough",
        "With P(f|h,c) smoothed the theorem fails, unless P(h|c) is (N_h + aK) / (N_c + HaK): then it is naive "
        "Bayes with alpha = aH.",
        reading="fixed",
        chapter=DEEPER,
    ),
)
