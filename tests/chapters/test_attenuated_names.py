"""Chapter 05's experiment: one name at a time, all test names at once, and plain sums must agree."""

import numpy as np
import pytest
from scipy.special import softmax

from nbcore.datasets import name_ngrams
from workbook.chapters.c05_perplexity_attenuation.experiment import (
    EQ_15,
    EQ_15_CORRECTED,
    EQ_19,
    EQ_20,
    NAIVE,
    RULES,
    held_out_posteriors,
    name_posterior,
    name_votes,
    posteriors_along_k,
)
from workbook.chapters.names import names_split


def columns_of(split, name):
    """The columns of a name's known n-grams, in its own order, by looking each of them up."""
    marked, known = name + "¶", list(split.vocabulary)
    ngrams = [marked[i : i + m] for m in range(1, split.max_n + 1) for i in range(len(marked) - m + 1)]
    return np.array([known.index(g) for g in ngrams if g != "¶" and g in known], dtype=int)


@pytest.mark.parametrize("max_n", [1, 3])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("k", [1.0, 9.0, np.inf])
def test_one_at_a_time_and_all_at_once(rule, max_n, k):
    split, together = names_split(max_n), held_out_posteriors(rule, max_n, k)
    for i in (0, 100, 1439):
        alone = name_posterior(rule, split, columns_of(split, str(split.test.names[i])), k)
        np.testing.assert_allclose(together[i], alone, rtol=1e-9)
    assert together.shape == (1440, 2)
    np.testing.assert_allclose(together.sum(axis=1), 1)


def test_the_formulas_by_hand():
    split = names_split(2)
    own = columns_of(split, "Nathan")
    p, prior, n = np.exp(split.model.feature_log_prob_[:, own]), np.exp(split.model.class_log_prior_), len(own)
    evidence = prior @ p
    for rule, numerator in {
        NAIVE: p.prod(axis=1) * prior,
        EQ_20: (p.prod(axis=1) * prior) ** (3 / (n + 1)),
        EQ_19: p.prod(axis=1) ** (3 / n) * prior,
        EQ_15: p.sum(axis=1) * prior,
        EQ_15_CORRECTED: (p / evidence).sum(axis=1) * prior,
    }.items():
        np.testing.assert_allclose(name_posterior(rule, split, own, 3.0), numerator / numerator.sum())


def test_k_beyond_its_range_counts_as_n_plus_1():
    split = names_split(2)
    own = columns_of(split, "Bo")
    for rule in (EQ_20, EQ_19):
        last, beyond = posteriors_along_k(rule, split, own, [len(own) + 1.0, 1e6])
        np.testing.assert_array_equal(last, beyond)
    S = split.model.feature_log_prob_[:, own].sum(axis=1)
    np.testing.assert_allclose(name_posterior(EQ_20, split, own, 1e6), softmax(S + split.model.class_log_prior_))
    np.testing.assert_allclose(held_out_posteriors(EQ_20, 2), held_out_posteriors(NAIVE, 2))


@pytest.mark.parametrize("rule", RULES[1:])
@pytest.mark.parametrize("name", ["Anna", "Christopher", ""])
def test_the_votes_add_up_to_the_decision(rule, name):
    split = names_split(3)
    own = columns_of(split, name)
    columns, times = np.unique(own, return_counts=True)
    prior, votes = name_votes(rule, split, columns, times, 2.5)
    p = name_posterior(rule, split, own, 2.5)
    total = np.log(p[1] / p[0]) if rule in (EQ_20, EQ_19) else p[1] - p[0]
    assert prior + votes.sum() == pytest.approx(total)


def test_a_name_without_a_known_ngram_gets_the_prior():
    split = names_split(3)
    for rule in RULES:
        got = name_posterior(rule, split, np.zeros(0, dtype=int), 5.0)
        np.testing.assert_allclose(got, np.exp(split.model.class_log_prior_))


def test_eq_15_as_printed_is_a_mean_weighted_by_how_common_an_ngram_is():
    split = names_split(5)
    counts, _ = name_ngrams(split.test.names[:50], 5, split.vocabulary)
    likelihood, prior = np.exp(split.model.feature_log_prob_), np.exp(split.model.class_log_prior_)
    common = prior @ likelihood
    of_each = likelihood * prior[:, None] / common  # P(c|f)
    for row, printed, mended in zip(
        counts.toarray(), held_out_posteriors(EQ_15, 5), held_out_posteriors(EQ_15_CORRECTED, 5), strict=False
    ):
        np.testing.assert_allclose(printed, np.average(of_each, axis=1, weights=row * common))
        np.testing.assert_allclose(mended, np.average(of_each, axis=1, weights=row))


@pytest.mark.parametrize("function", [name_posterior, name_votes, posteriors_along_k])
def test_an_unknown_rule_is_named(function):
    rest = (np.ones(0),) if function is name_votes else ()
    with pytest.raises(ValueError, match="rule must be one of"):
        function("eq (21)", names_split(1), np.zeros(0, dtype=int), *rest, [1.0])
    with pytest.raises(ValueError, match="rule must be one of"):
        held_out_posteriors("eq (21)", 1)
