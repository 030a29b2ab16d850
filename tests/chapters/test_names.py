"""What `names_split` keeps from the data must be what the plain route through nbcore's parts gives."""

from collections import Counter

import numpy as np
import pytest

from nbcore.datasets import load_names, name_ngrams
from nbcore.naive_bayes import MultinomialNB
from nbcore.perplexed import PerplexedBayes, attenuated_posterior
from workbook.chapters.names import names_split


@pytest.mark.parametrize("max_n", [1, 3, 5])
def test_a_split_is_the_plain_route(max_n):
    split = names_split(max_n, seed=3)
    learn, test = split.training, split.test
    X, vocabulary = name_ngrams(learn.names, max_n)
    model = MultinomialNB().fit(X, learn.y)
    assert list(split.vocabulary) == list(vocabulary)
    X_test, _ = name_ngrams(test.names, max_n, vocabulary)
    plain = PerplexedBayes(MultinomialNB(), k=2.0).fit(X, learn.y).predict_proba(X_test)
    np.testing.assert_allclose(attenuated_posterior(*test.evidence, 2.0), plain, atol=1e-12)
    np.testing.assert_allclose(split.model.predict_proba(X_test), model.predict_proba(X_test), atol=1e-12)
    np.testing.assert_array_equal(test.evidence[2], X_test.toarray().sum(axis=1))


def pairs(part):
    return list(zip(part.names, part.y, strict=True))


def test_the_parts_are_the_corpus_and_the_validation_part_is_new_to_its_model():
    data = load_names(both_lists=False)
    for seed in (0, 1):
        split = names_split(2, seed)
        assert (len(split.training.y), len(split.test.y)) == (5156, 1289)
        assert sorted(pairs(split.training) + pairs(split.test)) == sorted(zip(data.data, data.target, strict=True))
        held, learn, new = split.validation, split.training, set(pairs(split.validation))
        first = [i for i, pair in enumerate(pairs(learn)) if pair not in new]
        assert len(first) + len(held.y) == len(learn.y)
        X, vocabulary = name_ngrams(learn.names[first], 2)
        X_held, _ = name_ngrams(held.names, 2, vocabulary)
        joint = MultinomialNB().fit(X, learn.y[first]).predict_joint_log_proba(X_held)
        np.testing.assert_allclose(held.evidence[0] + held.evidence[1], joint, atol=1e-9)
    assert list(names_split(2, 0).test.names) != list(names_split(2, 1).test.names)


def test_the_names_of_one_list_are_all_that_occur_once():
    times = Counter(load_names().data)
    split = names_split(1, 0, "one list")
    assert len(split.test.y) == 1289
    assert sorted(pairs(split.training) + pairs(split.test)) == sorted(
        (name, y) for name, y in zip(load_names().data, load_names().target, strict=True) if times[name] == 1
    )


def test_the_papers_corpus_has_the_papers_sizes(papers_data):
    split = names_split(1, 0, "paper")
    assert (len(split.training.y), len(split.test.y)) == (6354, 1590)
    assert abs(len(split.validation.y) - 1271) <= 1  # of each class a fifth, rounded


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((0,), "max_n"), ((6,), "at most 5"), ((2.5,), "max_n"), ((2, 0, "mine"), "'embedded' or 'paper'")],
)
def test_bad_input(arguments, words):
    with pytest.raises(ValueError, match=words):
        names_split(*arguments)
