"""Refusals name the argument, the value found and what is allowed."""

import numpy as np
import pytest

from nbcore import checks as ch

REFUSED = [
    (lambda: ch.refuse("k", 0, "above 0"), "k must be above 0; got 0."),
    (lambda: ch.require(False, "k", "x", "above 0"), "k must be above 0; got 'x'."),
    (lambda: ch.require_every(np.eye(2)[0] > 0, "p", np.array([0, 2]), "at most 1"), "p must be at most 1; got 2."),
    (lambda: ch.one_of("rule", "eq", ("a", "b")), "rule must be one of 'a', 'b'; got 'eq'."),
    (lambda: ch.one_of("rule", ["a"], ("a", "b")), "rule must be one of 'a', 'b'; got ['a']."),
    (lambda: ch.require_count("bins", 0), "bins must be an integer >= 1; got 0."),
    (lambda: ch.require_count("bins", True), "bins must be an integer >= 1; got True."),
    (lambda: ch.require_count("K", 1, least=2), "K must be an integer >= 2; got 1."),
    (lambda: ch.require_number("tol", -1, low=0), "tol must be a finite number >= 0; got -1."),
    (lambda: ch.require_number("tol", 2, 0, 1), "tol must be a finite number from 0 to 1; got 2."),
    (lambda: ch.require_number("tol", float("nan")), "tol must be a finite number; got nan."),
    (lambda: ch.require_number("k", 0, above=0), "k must be a finite number > 0; got 0."),
    (lambda: ch.require_number("share", 1.0, above=0, below=1), "share must be a finite number > 0 and < 1; got 1.0."),
    (lambda: ch.check_distributions("p", 1.0), "p must be an array whose last axis has 2 or more entries; got ()."),
    (
        lambda: ch.check_distributions("p", [[0.5, 0.25]]),
        "p must be probability vectors: the sum along the last axis 1; got 0.75.",
    ),
    (lambda: ch.check_distributions("p", [-0.5, 1.5]), "p must be probabilities from 0 to 1; got -0.5."),
    (lambda: ch.check_logarithms("S", np.eye(2)[:0]), "S must be of shape (..., C) with C >= 2 classes; got (0, 2)."),
    (lambda: ch.check_logarithms("S", [0.0]), "S must be of shape (..., C) with C >= 2 classes; got (1,)."),
    (lambda: ch.check_logarithms("S", [0.0, np.inf]), "S must be logarithms: finite or -inf; got inf."),
    (lambda: ch.check_logarithms("S", [0.0, np.nan]), "S must be logarithms: finite or -inf; got nan."),
    (lambda: ch.check_probabilities("p", [0.5, float("nan")]), "p must be probabilities from 0 to 1; got nan."),
    (lambda: ch.check_probabilities("p", [1.1]), "p must be probabilities from 0 to 1; got 1.1."),
    (lambda: ch.check_probabilities("p", [[1.1]], 0.01), "p must be probabilities from 0 to 1; got 1.1."),
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=lambda part: part if isinstance(part, str) else "")
def test_a_refusal_says_what_and_why(call, message):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 (the whole message is compared)
        call()
    assert str(refusal.value) == message


def test_what_is_good_passes():
    ch.require(True, "k", 0, "anything")
    ch.require_every(np.array([True]), "p", np.array([1.0]), "at most 1")
    ch.one_of("rule", np.str_("a"), ("a", "b"))
    ch.require_count("bins", np.int64(3))
    ch.require_number("tol", np.float32(0.5), 0, 1)
    ch.require_number("k", 1e-300, above=0)
    assert ch.check_logarithms("S", [0, -np.inf]).tolist() == [0, -np.inf]
    assert ch.check_distributions("p", np.float32([0.5, 0.49999])).dtype == float
    assert ch.check_probabilities("p", [[0.0, 1.0000001]], 1e-6).tolist() == [[0.0, 1.0000001]]
    assert all(map(ch.is_number, (1, 0.5, np.int64(2))))
    assert not any(map(ch.is_number, (True, np.True_, "1", float("inf"), float("nan"))))


def test_a_bound_that_is_allowed_is_allowed_itself():
    for end in (0, 1):
        ch.require_number("tol", end, 0, 1)
    ch.require_count("K", 2, least=2)
    assert ch.check_probabilities("p", [0, 1.5], 0.5).tolist() == [0, 1.5]
    off = np.sqrt(np.finfo(np.float32).eps)  # what the sum of so narrow numbers may be above 1
    assert ch.check_distributions("p", np.array([1, off], np.float32)).sum() == 1 + float(off)
    with pytest.raises(ValueError, match="the sum along the last axis 1"):
        ch.check_distributions("p", np.array([1, np.nextafter(off, np.float32(1))], np.float32))
