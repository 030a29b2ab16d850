"""Handwritten digits as bags of three words: dark pixels in the left, the middle and the right of the image."""

from functools import cache

import numpy as np
from sklearn.datasets import load_digits

__all__ = ["STRIPS", "count_strips", "ones"]

STRIPS = "left", "middle", "right"
DARK = 8  # of 16 grey levels
COLUMNS = slice(0, 3), slice(3, 5), slice(5, 8)  # of 8; the middle is as wide as an upright stroke


def count_strips(images):
    """Dark pixels in the three strips of images (n, 8, 8) with grey levels 0 to 16: counts (n, 3), floats."""
    by_column = (np.asarray(images) >= DARK).sum(axis=1)
    return np.stack([by_column[:, part].sum(axis=1) for part in COLUMNS], axis=1).astype(float)


@cache
def ones():
    """The counts of the 182 ones among scikit-learn's 1,797 digits, (182, 3); not to be written to."""
    digits = load_digits()
    counts = count_strips(digits.images[digits.target == 1])
    counts.flags.writeable = False
    return counts
