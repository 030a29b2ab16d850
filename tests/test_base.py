"""What every estimator shares: shares of classes, rows held out, sums by class, labels as numbers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from nbcore._base import (
    BaseNB,
    blocks,
    hold_out,
    log,
    sum_by_class,
)


@pytest.mark.parametrize(("fraction", "held_of_each"), [(0.2, [8, 2, 1, 1, 0]), (0.9, [36, 9, 2, 1, 0]),
                                                        (0.01, [1, 1, 1, 1, 0]), (0.5, [20, 5, 2, 1, 0])])  # fmt: skip
def test_of_each_class_a_share_is_held_out_and_of_one_row_none(fraction, held_of_each):
    code = np.repeat(np.arange(5), [40, 10, 3, 2, 1])[np.random.default_rng(1).permutation(56)]
    learn, held = hold_out(code, fraction, np.random.default_rng(0))
    assert_array_equal(np.sort(np.concatenate([learn, held])), np.arange(56))
    assert_array_equal(held, np.sort(held))
    assert_array_equal(np.bincount(code[held], minlength=5), held_of_each)
    assert (np.bincount(code[learn], minlength=5) > 0).all()


def test_the_rows_held_out_are_chosen_at_random():
    code = np.zeros(50, dtype=int)
    draws = [hold_out(code, 0.2, np.random.default_rng(seed))[1] for seed in range(40)]
    assert_array_equal(draws[0], hold_out(code, 0.2, np.random.default_rng(0))[1])
    assert set(np.concatenate(draws)) == set(range(50))


def test_blocks_follow_one_another():
    assert list(blocks(10, 4)) == [slice(0, 4), slice(4, 8), slice(8, 12)]
    assert list(blocks(8, 4)) == [slice(0, 4), slice(4, 8)]
    assert list(blocks(0)) == []
    assert len(list(blocks(4097))) == 2


def test_rows_are_summed_class_by_class_with_their_weights():
    rng = np.random.default_rng(0)
    X, y, weight = rng.integers(9, size=(5000, 3)), rng.integers(2, size=5000), rng.random(5000)
    expected = [(weight[y == c, None] * X[y == c]).sum(axis=0) for c in range(3)]
    for given in (X, X.astype(float), sparse.csr_array(X)):
        assert_allclose(sum_by_class(given, y, weight, 3), expected)


class Told(BaseNB):
    """P(c, x) is what x says."""

    def fit(self, X, y):
        self.classes_, self.class_log_prior_, self.n_features_in_ = np.unique(y), np.log([0.2, 0.8]), 2
        return self

    def _joint_log_likelihood(self, X):
        return log(X)


def test_a_classifier_has_to_say_no_more_than_its_joint_probabilities():
    model = Told().fit(None, ["b", "a"])
    X = [[0.1, 0.3], [0.0, 0.0], [0.0, 0.2], [0.2, 0.2]]
    assert_allclose(model.predict_proba(X), [[0.25, 0.75], [0.2, 0.8], [0, 1], [0.5, 0.5]])
    assert_allclose(np.exp(model.predict_joint_log_proba(X)), X)
    assert model.predict(X).tolist() == ["b", "b", "b", "a"]
    with pytest.raises(ValueError, match="3 features"):
        model.predict(np.ones((1, 3)))
    assert model.n_features_in_ == 2
