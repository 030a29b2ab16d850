"""Chapter 08: how P(1 | x) comes about at one point, by either rule: Carlos & Rakshit (2016), eq. (34), eq. (14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nbcore.hierarchical import GaussianLeaf, MultinomialLeaf, product_of_sums
from workbook.explorer import palette
from workbook.explorer.formatting import say, typeset
from workbook.explorer.formula import Over, Part, Term

__all__ = ["Weighing", "equation", "weigh"]

LEAVES = {"multinomial": MultinomialLeaf(), "gaussian": GaussianLeaf()}
STRONGEST = 2  # nodes that stand in the equation by themselves


@dataclass(frozen=True)
class Weighing:
    """Class 1 at the point x (2,), and what the other class has to say."""

    x: np.ndarray
    prior: float  # P(1)
    weight: np.ndarray  # (H,) P(h | 1)
    at_node: np.ndarray  # (H,) P(x | h, 1)
    by_feature: np.ndarray  # (2,) sum_h P(h | 1) P(x_f | h, 1)
    joint: np.ndarray  # (2,) P(x, c), by the rule
    rule: str

    @property
    def posterior(self) -> float:
        return float(self.joint[1] / self.joint.sum())


def weigh(model, x, side: float = 1.0) -> Weighing:
    """What a fitted model makes of x. side: the unit of length for densities."""
    leaf, row = LEAVES[model.leaf], np.reshape(x, (1, 2)).astype(float)
    parameters = [getattr(model, name) for name in leaf.parameter_names]
    at_node = leaf.log_likelihood(leaf.prepare(row), *(p[1] for p in parameters))[0]
    one = [product_of_sums(leaf.prepare(row[:, [f]]), model.node_log_prob_, [p[:, :, [f]] for p in parameters], leaf)
           for f in (0, 1)]  # fmt: skip
    joint = model.predict_joint_log_proba(row)[0]
    return Weighing(
        row[0], float(np.exp(model.class_log_prior_[1])), np.exp(model.node_log_prob_[1]), side**2 * np.exp(at_node),
        side * np.exp([both[0, 1] for both in one]), side**2 * np.exp(joint), model.rule,
    )  # fmt: skip


def three(value: float) -> str:
    """Three significant digits."""
    return typeset(say(value))


def equation(w: Weighing, names: Sequence[str] = ("0", "1"), head: str = "") -> list[Part]:
    """P(1 | x) = P(x, 1) / (P(x, 1) + P(x, 0)), P(x, 1) written out; the posterior is the mark "x".

    names: of the classes. head: what stands before it, if not the posterior with the place.
    """
    # Numbers that are added have the same number of decimals, three digits for the largest.
    decimals = max(0, 2 - int(np.floor(np.log10(w.joint.max()))))
    one = names[1]

    def number(value, symbol, **look):
        return Term(f"{value:.{decimals}f}", symbol, **look)

    if w.rule == "product_of_sums":
        factors = [Term(three(v), f"P(x<sub>{f}</sub> | {one})") for f, v in enumerate(w.by_feature, 1)]
        numerator = [factors[0], "·", factors[1]]
    else:
        share = w.weight * w.at_node
        order = np.argsort(-share, kind="stable")
        numerator = ["("]
        for h in sorted(order[:STRONGEST]):
            node = f"h<sub>{h + 1}</sub>"
            numerator += [Term(three(w.weight[h]), f"P({node} | {one})"), "·"]
            numerator += [number(w.at_node[h], f"P(x | {node}, {one})"), "+"]
        if len(order) > STRONGEST:
            numerator += [number(share[order[STRONGEST:]].sum(), "the other nodes"), "+"]
        numerator[-1] = ")"
    both = [number(w.joint[c], f"P(x, {names[c]})", color=palette.CLASS_COLORS[c], hatch=palette.CLASS_PATTERNS[c])
            for c in (1, 0)]  # fmt: skip
    at = ", ".join(f"{u:g}" for u in w.x)
    return [
        head or f"P({one} | x = ({at})) =",
        Over([Term(three(w.prior), f"P({one})"), "·", *numerator], [both[0], "+", both[1]]),
        "=",
        Term(f"{w.posterior:.2f}", f"P({one} | x)", mark="x", color=palette.BLACK),
    ]  # fmt: skip
