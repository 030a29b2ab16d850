"""Handwritten digits as the pages take them: dark or light, no grey."""

from functools import lru_cache

import numpy as np
from sklearn.datasets import load_digits

__all__ = ["INK", "dark_pixels", "inked_digits"]

INK = 8  # of 16 shades of grey: from here on a pixel counts as dark


def dark_pixels(images):
    """Return which pixels of images (n, 8, 8) or (n, 64), grey 0 to 16, are dark, as 0.0 and 1.0, (n, 64)."""
    grey = np.asarray(images)
    return (grey >= INK).reshape(len(grey), 64).astype(float)


@lru_cache(maxsize=1)  # no arguments
def inked_digits():
    """Return all 1,797 digits as 0 and 1, (1797, 64) float, and which digit each is, (1797,); both are read-only."""
    digits = load_digits()
    pixels, target = dark_pixels(digits.data), digits.target
    pixels.flags.writeable = target.flags.writeable = False
    return pixels, target
