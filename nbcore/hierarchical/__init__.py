"""Classes with hidden nodes, learned by EM: Carlos & Rakshit (2016)."""

from nbcore.hierarchical.classifier import HierarchicalBayes
from nbcore.hierarchical.em import (
    Nodes,
    Run,
    e_step,
    m_step,
    product_of_sums,
    run_em,
    start_from_points,
    start_from_responsibilities,
    sum_of_products,
)
from nbcore.hierarchical.leaves import BernoulliLeaf, GaussianLeaf, MultinomialLeaf, expected_counts, mix_nodes

__all__ = [
    "BernoulliLeaf", "GaussianLeaf", "HierarchicalBayes", "MultinomialLeaf", "Nodes", "Run", "e_step",
    "expected_counts", "m_step", "mix_nodes", "product_of_sums", "run_em", "start_from_points",
    "start_from_responsibilities", "sum_of_products",
]  # fmt: skip
