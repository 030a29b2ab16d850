"""One-hot blocks: told by the encoder, or by what chance would not have kept apart; and what is said of them."""

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.one_hot import _disjoint_beyond_chance, encoded_blocks, find_one_hot, one_hot_blocks
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.one_hot.groups import disjoint_probability
from tests.diagnosis.worlds import bells, categories, marks, words

VALUES = np.array([["a", "x", "u"], ["b", "y", "u"], ["c", "x", "v"], ["a", "y", "w"]] * 20, dtype=object)


@pytest.mark.parametrize(
    ("drop", "blocks"),
    [(None, [(0, 1, 2), (3, 4), (5, 6, 7)]), ("first", [(0, 1), (3, 4)]), ("if_binary", [(0, 1, 2), (4, 5, 6)]),
     (["b", "x", "w"], [(0, 1), (3, 4)])],
)  # fmt: skip
def test_the_encoder_tells_its_blocks_by_place(drop, blocks):
    encoder = OneHotEncoder(drop=drop, sparse_output=False).fit(VALUES)
    assert encoded_blocks(encoder) == blocks
    assert encoded_blocks(encoder, 10) == [tuple(j + 10 for j in block) for block in blocks]
    X = encoder.transform(VALUES)
    for block in blocks:
        assert X[:, block].sum(axis=1).max() == 1
    piped = make_pipeline(OrdinalEncoder(), OneHotEncoder(drop="first"))
    assert encoded_blocks(piped.fit(VALUES)) == [(0, 1), (3, 4)]
    assert encoded_blocks(StandardScaler()) == []


def test_rare_values_that_share_a_column_are_counted_as_one():
    X = np.array([["a", "x"]] * 40 + [["b", "y"]] * 30 + [[rare, "x"] for rare in "cdefgh"], dtype=object)
    for drop, blocks in ((None, [(0, 1, 2), (3, 4)]), ("first", [(0, 1)])):
        encoder = OneHotEncoder(min_frequency=5, drop=drop).fit(X)
        assert encoded_blocks(encoder) == blocks
        assert encoder.transform(X).shape[1] == (5 if drop is None else 3)


def test_an_encoder_among_other_columns_is_found_where_it_writes():
    X = np.hstack([np.arange(80.0)[:, None], VALUES, np.arange(80.0)[:, None]])
    columns = ColumnTransformer([("n", "passthrough", [0]), ("o", OneHotEncoder(), [1, 2]), ("m", "drop", [3]),
                                 ("p", make_pipeline(OneHotEncoder()), [3])]).fit(X)  # fmt: skip
    assert encoded_blocks(columns) == [(1, 2, 3), (4, 5), (6, 7, 8)]


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
    assert (found.number, found.interval) == (4, (4, 4))
    assert found.columns == tuple(range(16))
    remedy = found.remedies[0]
    verb = "lower" if remedy.gain > 0 else "raise"
    assert found.sentence == (
        "4 blocks of one-hot columns (column 0, column 1, column 2, column 3, column 4, column 5 and 10 more): one "
        f"variable speaks 4 times on average. Ordinal codes {verb} the log loss from {remedy.before:.3f} to "
        f"{remedy.after:.3f} nats a row."
    )
    assert remedy.name == "ordinal codes (4 columns for 16)"
    assert remedy.estimator[-1].alpha == 2
    assert one_hot_blocks(case) is one_hot_blocks(case), "looked for once"


def test_the_encoder_is_asked_where_it_is_the_last_step():
    """Values so rare that chance might have kept them apart: the encoder knows, and a bare table does not show it."""
    rare, y = np.repeat([["a"], ["b"], ["c"]], [56, 2, 2], axis=0), np.arange(80) // 2 % 2
    model = make_pipeline(OneHotEncoder(drop="first", sparse_output=False), BernoulliNB()).fit(rare, y[:60])
    assert one_hot_blocks(Case(model, rare, y[:60])) == [(0, 1)]
    bare = model[0].transform(rare)
    assert one_hot_blocks(Case(BernoulliNB().fit(bare, y[:60]), bare, y[:60])) == []
    encoder, turned = OneHotEncoder(sparse_output=False), FunctionTransformer(np.fliplr)
    model = make_pipeline(FunctionTransformer(), encoder, turned, BernoulliNB()).fit(VALUES[:, :2], y)
    assert one_hot_blocks(Case(model, VALUES[:, :2], y)) == [(0, 1), (2, 3, 4)]


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
    assert "MixedNB" in remedy.code
    only = Case(GaussianNB().fit(A[:, 3:], a), B[:, 3:], b)
    codes = find_one_hot(only).remedies[0].estimator[-1]
    assert isinstance(codes, CategoricalNB)
    assert codes.alpha == 1


def test_one_block_is_one():
    A, a, B, b = encoded(n_features=1)
    found = find_one_hot(Case(BernoulliNB().fit(A, a), B, b))
    assert found.sentence.startswith("1 block of one-hot columns (column 0, column 1, column 2, column 3):")


def test_where_nothing_is_counted_twice_there_are_no_blocks():
    A, a, B, b = encoded()
    assert find_one_hot(Case(MultinomialNB().fit(A, a), B, b)) is None
    for world in (marks, words):
        A, a, B, b, _ = world(0)
        assert find_one_hot(Case(BernoulliNB().fit(A, a), B, b)) is None
