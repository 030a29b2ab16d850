"""Handwritten digits as bags of three words: dark pixels in the left, the middle and the right of the image."""

from functools import lru_cache

import numpy as np

from nbcore.datasets import dark_pixels, inked_digits

__all__ = ["STRIPS", "count_strips", "ones"]

STRIPS = "left", "middle", "right"
COLUMNS = slice(0, 3), slice(3, 5), slice(5, 8)  # of 8; the middle is as wide as an upright stroke


def count_strips(images):
    """Dark pixels in the three strips of images (n, 8, 8) with grey levels 0 to 16: counts (n, 3)."""
    return strips_of(dark_pixels(images))


def strips_of(dark):
    """The same of pixels that are dark or not, (n, 64)."""
    by_column = dark.reshape(-1, 8, 8).sum(axis=1)
    return np.stack([by_column[:, part].sum(axis=1) for part in COLUMNS], axis=1)


@lru_cache(maxsize=1)  # no arguments
def ones():
    """The counts of the 182 ones among scikit-learn's 1,797 digits, (182, 3); not to be written to."""
    pixels, digit = inked_digits()
    counts = strips_of(pixels[digit == 1])
    counts.flags.writeable = False
    return counts
