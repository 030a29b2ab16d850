"""Hold three tellings of a formula together: the page's TeX, the Coq definition, the function of nbcore.

Each row is a formula of a page, evaluated in exact fractions. `python3 proofs/examples.py` writes Examples.v: coqc
proves there that the Coq definition has this value. tests/test_proofs.py compares nbcore's number with it.
"""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import formulas
import numpy as np

from nbcore import hierarchical, naive_bayes, one_hot, perplexed

FILE = Path(__file__).with_name("Examples.v")
HEAD = """(* Written by examples.py: do not edit. Each value is a formula of a page, evaluated in exact fractions. *)
From NB Require Import Rows.
"""
HILL, CERTAIN = ("03_one_hot_pitfall", "hill-explain", 0, 2), ("03b_worse_and_certain", "certain", 0, 1)
PRIOR = [Fraction(1, 3), Fraction(2, 3)]
HIDDEN, SMALL = "07_hidden_nodes", "07b_small_print"


class Row(NamedTuple):
    """One formula at one set of arguments: the page's value, a term of Coq with a proof of it, nbcore's number."""

    formula: tuple[str, str, int, int]  # page, cell, number of the display, part: the arguments of `read_formula`
    value: Fraction
    coq: str
    number: float
    proof: str = "exactly."


def compute(formula: tuple[str, str, int, int], values: dict[str, Any], ranges: dict[str, int], **index: int):
    """Evaluate a formula of a page."""
    return formulas.evaluate(formulas.read_formula(*formula), values, ranges, **index)


def write(number: Any) -> str:
    """Write a number, or lists of numbers, as Coq reads them."""
    if isinstance(number, Sequence):
        return f"[{'; '.join(map(write, number))}]"
    return str(number) if Fraction(number).denominator == 1 else f"({number.numerator} / {number.denominator})"


def draw(rng: random.Random, size: int) -> list[Fraction]:
    """Draw a probability vector of fractions."""
    parts = [rng.randint(1, 9) for _ in range(size)]
    return [Fraction(part, sum(parts)) for part in parts]


def one_hot_rows(c: list[Fraction], d: list[Fraction]) -> Iterator[Row]:
    """Yield f_j, its bounds and those of the ratio, of the first value in two classes: Williams (2024)."""
    K, (p, q) = len(c), (c[0], d[0])
    formula = "03_one_hot_pitfall", "two-explain", 0, 1
    value = compute(formula, {"\\theta_j": p, "\\theta_v": lambda at: c[at["v"]]}, {"v": K}, j=0)
    yield Row(formula, value, f"f {K} 0 (vector {write(c)})", one_hot.f_factor(np.array(c, float))[0])
    upper = {theta: compute(HILL, {"\\theta_j": theta, "K": K}, {}) for theta in (p, q)}
    yield Row(HILL, upper[p], f"upper {K} {write(p)}", one_hot.q_bounds(float(p), K)[1])
    value = compute(CERTAIN, {"\\theta_jd": q, "K": K}, {})
    yield Row(CERTAIN, value, f"upper {K} {write(q)}", one_hot.extremeness_threshold(float(q), K))
    bounds = {"u(\\theta_jc)": p * upper[p], "u(\\theta_jd)": q * upper[q], "\\ell(\\theta_jc)": p**2,
              "\\ell(\\theta_jd)": q**2}  # fmt: skip  # eq. (9), (10), in the sentence above the display
    numbers, p, q = one_hot.f_ratio_bounds(float(p), float(q), K), write(p), write(q)
    for number, part, coq in ((numbers[0], 0, f"{p} ^ 2 / ({q} * upper {K} {q})"),
                              (numbers[1], 2, f"{p} * upper {K} {p} / {q} ^ 2")):
        formula = "03_one_hot_pitfall", "hill-ratio", 0, part
        yield Row(formula, compute(formula, bounds, {}), coq, number)


def posterior_row(name: str, theta: list[list[Fraction]], likelihood: list[Fraction], numbers: np.ndarray) -> Row:
    """Return a class's posterior given the first value, by Bayes' rule: Williams (2024), eq. (2), (3)."""
    formula = "00_start_here", "crowd", 0, 1
    values = {"P(c)": PRIOR[0], "P(x|c)": likelihood[0], "P(d)": lambda at: PRIOR[at["d"]],
              "P(x|d)": lambda at: likelihood[at["d"]]}  # fmt: skip
    coq = f"{name} 0 (vector {write(PRIOR)}) (table {write(theta)}) 0"
    return Row(formula, compute(formula, values, {"d": 2}), coq, numbers[0, 0])


def smoothing_rows(count: list[int], alpha: Fraction) -> Iterator[Row]:
    """Yield the smoothed share of the first count: by its formula, and as a mean of two shares."""
    values = {"\\alpha": alpha, "N_c": sum(count), "N": sum(count), "\\text{count}": count[0], "n": count[0],
              "K": len(count)}  # fmt: skip
    values["s"] = compute(("02_laplace_smoothing", "pseudo-explain", 1, 3), values, {})
    number = np.exp(naive_bayes.MultinomialNB(alpha=float(alpha)).fit([count, count], [0, 1]).feature_log_prob_[0, 0])
    for cell, display, part in (("tennis-log", 0, 1), ("pseudo-explain", 1, 0), ("pseudo-explain", 1, 1)):
        formula = "02_laplace_smoothing", cell, display, part
        coq = f"smoothed {len(count)} (vector {write(count)}) {write(alpha)} 0"
        yield Row(formula, compute(formula, values, {}), coq, number)


def root_rows(rule: str, prior: list[Fraction], given: list[list[Fraction]], roots: list[Fraction]) -> Iterator[Row]:
    """Yield a root's posteriors of two classes at k = 2, an exponent of 2 / 3: Carlos (2015), eq. (19) and eq. (20)."""
    name, cell = {"exact": ("eq_19", "mean-formula"), "approximate": ("eq_20", "keeps-explain")}[rule]
    formula, n, likelihood = ("05_perplexity_attenuation", cell, 0, 1), len(given[0]), [prod(row) for row in given]
    values = {"P(c)": lambda at: prior[at["c"]], "P(f_i|c)": lambda at: given[at["c"]][at["i"]], "k": 2, "n": n, "Z": 1}
    numerators = [compute(formula, values, {"i": n}, c=c) for c in range(2)]  # Z makes them sum to 1
    logs = [np.log(np.array(some, float)) for some in (likelihood, prior)]
    numbers = perplexed.attenuated_posterior(*logs, n, 2, rule)
    proof = f"unfold {name}, normalised, vector. simpl."
    for root, p, q in zip(roots, map(write, likelihood), map(write, prior), strict=True):
        base, exponent = (p, f"(2 / {n})") if rule == "exact" else (f"({p} * {q})", f"(2 / ({n} + 1))")
        proof += f"\n  rewrite (power_is 3 2 {base} {exponent} {write(root)}) by (lia || (simpl; lra))."
    for c in range(2):
        coq = f"{name} 2 (vector {write(likelihood)}) (vector {write(prior)}) 2 {n} {c}"
        yield Row(formula, numerators[c] / sum(numerators), coq, numbers[c], f"{proof}\n  simpl. lra.")


def node_rows(x: list[list[int]], w: list[Fraction], p: list[list[Fraction]], alpha: Fraction) -> Iterator[Row]:
    """Yield a document's likelihoods and the M-steps for x, two documents of two words at two nodes w, p."""
    two, X = range(2), np.array(x, float)
    leaf, smooth_leaf = (hierarchical.MultinomialLeaf(alpha=float(a)) for a in (0, alpha))
    start = hierarchical.Nodes(np.log(np.array(w, float)), (np.log(np.array(p, float)),))
    joint = [[w[h] * prod(p[h][f] ** x[i][f] for f in two) for h in two] for i in two]
    r = [[share / sum(row) for share in row] for row in joint]
    words = [f for f in two for _ in range(x[1][f])]  # of the second document: f of "order" runs over its tokens
    values = {"P(h|c)": lambda at: w[at["h"]], "P(f|h,c)": lambda at: p[at["h"]][words[at["f"]]],
              "x_if": lambda at: x[at["i"]][at["f"]], "n_i": lambda at: sum(x[at["i"]]),
              "r_ih": lambda at: r[at["i"]][at["h"]], "N_h": lambda at: sum(r[i][at["h"]] * sum(x[i]) for i in two),
              "N_c": sum(map(sum, x)), "\\text{number of documents}": 2, "K": 2, "H": 2, "\\alpha": alpha}

    R, arguments = hierarchical.e_step(X, start, leaf)[0], (X, start.log_prob[None], [start.parameters[0][None]], leaf)
    nodes, tokens = (hierarchical.m_step(X, R, leaf, weights) for weights in ("documents", "tokens"))
    smoothed = hierarchical.m_step(X, R, smooth_leaf, "tokens", smooth_nodes=True)
    counted = naive_bayes.MultinomialNB(alpha=0).fit([*x, *x], [0, 0, 1, 1]).feature_log_prob_[0]
    mixed = hierarchical.mix_nodes(tokens.log_prob, tokens.parameters[0])
    documents, shares, leaves = f"(counts {write(x)}%nat)", f"(vector {write(w)})", f"(table {write(p)})"
    data, table, order, theorem = f"(table {write(x)})", f"(table {write(r)})", "order", "theorem-explain"
    product = f"prod 2 (fun f => sum 2 (fun h => {leaves} h f * {shares} h) ^ {documents} 1 f)"
    for page, cell, display, part, coq, log_prob in (
        (HIDDEN, order, 0, 1, f"sum 2 (joint 2 {documents} {shares} {leaves} 1)",
         hierarchical.sum_of_products(*arguments)[1, 0]),
        (HIDDEN, order, 1, 1, product, hierarchical.product_of_sums(*arguments)[1, 0]),
        (HIDDEN, "em", 0, 1, f"leaf 2 2 {data} {table} 0 0", nodes.parameters[0][0, 0]),
        (HIDDEN, "em", 0, 1, f"new_p 2 2 2 {documents} 0 {shares} {leaves} 0 0", nodes.parameters[0][0, 0]),
        (HIDDEN, "em", 1, 1, f"node_by_documents 2 {table} 0", nodes.log_prob[0]),
        (HIDDEN, "em", 1, 1, f"new_w 2 2 2 {documents} {shares} {leaves} 0", nodes.log_prob[0]),
        (HIDDEN, theorem, 0, 1, f"sum 2 (fun h => leaf 2 2 {data} {table} h 0 * node 2 2 {data} {table} h)", mixed[0]),
        (HIDDEN, theorem, 0, 2, f"naive_bayes 2 2 {data} 0", counted[0]),
        (SMALL, "tokens-explain", 0, 1, f"smoothed_node 2 2 2 {data} {table} {write(alpha)} 0", smoothed.log_prob[0]),
    ):
        formula, ranges = (page, cell, display, part), {"i": 2, "h": 2, "f": len(words)}
        index = {} if cell == order else {"h": 0, "f": 0}
        yield Row(formula, compute(formula, values, ranges, **index), coq, np.exp(log_prob))


def divide(denominator: int, *numerators: int) -> list[Fraction]:
    """Return fractions with a common denominator."""
    return [Fraction(numerator, denominator) for numerator in numerators]


def make_rows() -> Iterator[Row]:
    """Yield all rows."""
    rng = random.Random(2024)
    for K in (2, 3, 5):
        theta, prior = [draw(rng, K), draw(rng, K)], np.array(PRIOR, float)
        yield from one_hot_rows(*theta)
        numbers = one_hot.categorical_posterior(np.array(theta, float), prior)
        yield posterior_row("categorical 2", theta, [row[0] for row in theta], numbers)
        numbers = one_hot.product_of_bernoullis_posterior(np.array(theta, float), prior)
        yield posterior_row(f"one_hot 2 {K}", theta, [row[0] * prod(1 - p for p in row[1:]) for row in theta], numbers)
        yield from smoothing_rows([rng.randint(0, 5) for _ in range(K)], Fraction(1, K))
    yield from root_rows("exact", divide(3, 2, 1), [divide(36, 9, 6, 4), divide(3, 1, 1, 1)], divide(6, 1, 2))
    yield from root_rows("approximate", divide(2, 1, 1), [divide(9, 2, 3), divide(36, 3, 4)], divide(6, 2, 1))
    for x in ([[1, 0], [0, 3]], [[2, 1], [1, 1]]):
        yield from node_rows(x, draw(rng, 2), [draw(rng, 2), draw(rng, 2)], Fraction(1, 2))


def make_file() -> str:
    """Return the text of Examples.v."""
    rows = [f"Example row_{i} : {row.coq} = {write(row.value)}." for i, row in enumerate(make_rows())]
    rows = [fill(row, 118, subsequent_indent="  ", break_on_hyphens=False) for row in rows]
    return HEAD + "".join(f"{row}\nProof. {proof} Qed.\n" for row, (*_, proof) in zip(rows, make_rows(), strict=True))


if __name__ == "__main__":
    FILE.write_text(make_file(), "utf-8")
