"""One-hot blocks: what chance would not have kept apart, and what is said of it."""

import numpy as np
from sklearn.preprocessing import OneHotEncoder

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.one_hot import _disjoint_beyond_chance, find_one_hot, one_hot_blocks
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.one_hot.groups import disjoint_probability
from tests.diagnosis.worlds import bells, categories, marks, words


def test_whether_chance_kept_columns_apart_is_asked_within_the_classes():
    """The product of the chances, column by column and class by class, against the level of one pair of columns."""
    code = np.repeat([0, 1], 100)
    Z = np.zeros((200, 3))
    for k, (start, stop) in enumerate([(0, 20), (20, 45), (45, 60)]):
        Z[start:stop, k] = Z[100 + start : 100 + stop, k] = 1
    chance = np.prod([disjoint_probability(25, 20, 100), disjoint_probability(15, 45, 100)]) ** 2
    level = 0.05 / 8 / 9
    assert chance < level
    assert _disjoint_beyond_chance(Z, (0, 1, 2), code)
    pair = disjoint_probability(20, 15, 100) ** 2
    assert _disjoint_beyond_chance(Z, (0, 2), code) == (pair < level)
    code, told, rng = np.repeat([0, 1], [100, 60]), [], np.random.default_rng(0)
    for _ in range(60):  # so many ones of two columns in either class, about where it turns
        (n, m, i, k), Z = rng.integers(5, 25, size=4), np.zeros((160, 3))
        Z[:n, 0] = Z[n : n + m, 1] = Z[100 : 100 + i, 0] = Z[100 + i : 100 + i + k, 1] = 1
        told.append(_disjoint_beyond_chance(Z, (0, 1), code))
        assert told[-1] == (disjoint_probability(n, m, 100) * disjoint_probability(i, k, 60) < level)
    assert 10 < sum(told) < 50


def encoded(seed=0, n_features=4, numbers=0):
    """Four values of each variable, one-hot; behind so many measurements."""
    A, a, B, b, _ = categories(seed, n_features)
    C, _, D, *_ = bells(seed, max(1, numbers))
    encoder = OneHotEncoder(sparse_output=False).fit(np.vstack([A, B]))
    return (np.hstack([C[:, :numbers], encoder.transform(A)]), a, np.hstack([D[:, :numbers], encoder.transform(B)]), b)


def test_blocks_are_seen_in_a_bare_table_and_told_with_what_codes_would_give():
    A, a, B, b = encoded()
    case = Case(BernoulliNB(alpha=2).fit(A, a), B, b)
    found = find_one_hot(case)
    blocks = [list(range(4 * k, 4 * k + 4)) for k in range(4)]
    assert found.details["blocks"] == blocks
    assert found.columns == tuple(range(16))
    remedy = found.remedies[0]
    assert found.sentence == (
        "4 blocks of one-hot columns (column 0, column 1, column 2, column 3, column 4, column 5 and 10 more): one "
        "variable speaks 4 times on average."
    )
    assert remedy.name == "ordinal codes (4 columns for 16)"
    assert remedy.estimator[-1].alpha == 2
    assert one_hot_blocks(case) is one_hot_blocks(case), "looked for once"


def test_columns_that_vary_in_no_row_are_in_no_block():
    A, a, B, b = encoded(n_features=1)
    for Z in (A, B):
        Z[:, 1] = 0
    A, B = (np.hstack([np.ones((len(Z), 1)), Z]) for Z in (A, B))
    case = Case(BernoulliNB().fit(A, a), B, b)
    assert one_hot_blocks(case) == [(1, 3, 4)]
    constant = Case(BernoulliNB().fit(A, a), np.ones_like(B), b)
    assert one_hot_blocks(constant) == []


def test_among_measurements_the_codes_go_to_categories_and_the_rest_to_bells():
    A, a, B, b = encoded(n_features=2, numbers=3)
    found = find_one_hot(Case(GaussianNB().fit(A, a), B, b))
    assert found.details["blocks"] == [[3, 4, 5, 6], [7, 8, 9, 10]]
    assert found.sentence.startswith("2 blocks of one-hot columns (column 3, column 4, ")
    remedy = found.remedies[0]
    assert remedy.name == "ordinal codes (5 columns for 11)"
    assert remedy.estimator[-1].columns == [("categorical", [3, 4]), ("gaussian", [0, 1, 2])]
    only = Case(GaussianNB().fit(A[:, 3:], a), B[:, 3:], b)
    codes = find_one_hot(only).remedies[0].estimator[-1]
    assert isinstance(codes, CategoricalNB)
    assert codes.alpha == 1


def test_one_block_is_one():
    A, a, B, b = encoded(n_features=1)
    found = find_one_hot(Case(BernoulliNB().fit(A, a), B, b))
    assert found.sentence.startswith("1 block of one-hot columns (column 0, column 1, column 2, column 3):")


def test_gaps_are_in_no_block():
    A, a, B, b = encoded(n_features=1)
    B[3, 2] = np.nan
    assert find_one_hot(Case(GaussianNB().fit(A, a), B, b)) is None


def test_where_nothing_is_counted_twice_there_are_no_blocks():
    A, a, B, b = encoded()
    assert find_one_hot(Case(MultinomialNB().fit(A, a), B, b)) is None
    for world in (marks, words):
        A, a, B, b, _ = world(0)
        assert find_one_hot(Case(BernoulliNB().fit(A, a), B, b)) is None
