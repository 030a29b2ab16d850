"""Handwritten digits as bags of three words: dark pixels in the left, the middle and the right of the image."""

from functools import cache

import numpy as np
from sklearn.datasets import load_digits

__all__ = ["STRIPS", "count_strips", "dark_pixels", "ones"]

STRIPS = "left", "middle", "right"
DARK = 8  # of 16 grey levels
COLUMNS = slice(0, 3), slice(3, 5), slice(5, 8)  # of 8; the middle is as wide as an upright stroke


def dark_pixels(images):
    """Which of the 64 pixels of images (n, 8, 8) with grey levels 0 to 16 are dark: 0.0 and 1.0, (n, 64)."""
    return (np.asarray(images) >= DARK).reshape(len(images), -1).astype(float)


def count_strips(images):
    """Dark pixels in the three strips of images (n, 8, 8) with grey levels 0 to 16: counts (n, 3)."""
    by_column = dark_pixels(images).reshape(-1, 8, 8).sum(axis=1)
    return np.stack([by_column[:, part].sum(axis=1) for part in COLUMNS], axis=1)


@cache
def ones():
    """The counts of the 182 ones among scikit-learn's 1,797 digits, (182, 3); not to be written to."""
    digits = load_digits()
    counts = count_strips(digits.images[digits.target == 1])
    counts.flags.writeable = False
    return counts
