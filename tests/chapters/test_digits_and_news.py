"""Digits and Reuters R8 as the pages take them."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from nbcore.datasets import fetch_r8
from workbook.chapters.digits import dark_pixels, inked_digits
from workbook.chapters.news import r8_counts


def test_inked_digits_are_scikit_learns_and_cannot_be_written_to():
    pixels, digit = inked_digits()
    there = load_digits()
    np.testing.assert_array_equal(pixels, there.images.reshape(-1, 64) >= 8)
    np.testing.assert_array_equal(pixels, dark_pixels(there.images))
    np.testing.assert_array_equal(digit, there.target)
    with pytest.raises(ValueError, match="read-only"):
        pixels[0, 0] = 1


def test_r8_counts_words_between_spaces(papers_data):
    X, y, X_test, y_test = r8_counts()
    corpus = fetch_r8()
    assert X.shape[0] == len(y) == len(corpus.data) == 5485
    assert X_test.shape == (2189, X.shape[1])
    assert X[0].sum() == len(corpus.data[0].split())
    assert X.shape[1] == len({word for story in corpus.data for word in story.split()})
    known = {word for story in corpus.data for word in story.split()}
    assert X_test[7].sum() == sum(word in known for word in corpus.test_data[7].split())
    assert all(story == story.lower() for story in corpus.data), "lower-cased already"
    np.testing.assert_array_equal(y_test, corpus.test_target)
