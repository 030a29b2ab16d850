"""Four shapes in a square that no single Gaussian per class can learn: Carlos and Rakshit (2016), figure 4."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Bunch, check_array

from nbcore._base import Floats
from nbcore.checks import is_number, one_of, require, require_count

# Rectangles (left, right, bottom, top) in the unit square.
XOR_SQUARES = [(0, 0.47, 0.53, 1), (0.53, 1, 0, 0.47)]
S_BARS = [(0.2, 0.8, low, high) for low, high in ((0.1, 0.2), (0.45, 0.55), (0.8, 0.9))]  # the three strokes across
S_BARS += [(0.2, 0.3, 0.5, 0.9), (0.7, 0.8, 0.1, 0.5)]  # down on the upper left, down on the lower right


def _in_rectangles(x: Floats, y: Floats, rectangles: Sequence[tuple[float, ...]]) -> NDArray[np.bool_]:
    """Return whether each point lies in one of the rectangles."""
    edges = np.array(rectangles)[:, :, np.newaxis]
    left, right, bottom, top = edges.swapaxes(0, 1)
    return ((left <= x) & (x <= right) & (bottom <= y) & (y <= top)).any(axis=0)


def _in_dots(x: Floats, y: Floats) -> NDArray[np.bool_]:
    """Return whether each point lies in a disc of radius .1275 around (1/6, 1/2, 5/6) x (1/6, 1/2, 5/6)."""
    centre_x, centre_y = ((np.clip(np.floor(3 * v), 0, 2) + 0.5) / 3 for v in (x, y))
    return np.hypot(x - centre_x, y - centre_y) <= 0.1275


SHAPES = {
    "ring": lambda x, y: ((radius := np.hypot(x - 0.5, y - 0.5)) >= 0.28) & (radius <= 0.43),
    "dots": _in_dots,
    "xor": lambda x, y: _in_rectangles(x, y, XOR_SQUARES),
    "s": lambda x, y: _in_rectangles(x, y, S_BARS),
}


def is_inside(shape: str, points: ArrayLike, width: float = 500.0) -> NDArray[np.bool_]:
    """Return whether each of `points` (n, 2) of the square [0, width]^2 lies in the shape, edge included: bool (n,)."""
    one_of("shape", shape, SHAPES)
    require(is_number(width, 0) and width > 0, "width", width, "a finite number > 0")
    places: Floats = np.asarray(check_array(points, dtype=float, input_name="points"))
    require(places.shape[1] == 2, "points", places.shape, "of shape (n, 2)")
    x, y = places.T / width
    return SHAPES[shape](x, y)


def make_shape(shape: str, n: int, rng: np.random.Generator | int, width: float = 500.0) -> Bunch:
    """Draw n points, uniform on the square [0, width]^2, and label those inside the shape 1, the others 0.

    The paper gives no measures; these meet its naive Bayes accuracies (table 4). As fractions of the width:
    "ring" .28 <= radius <= .43 around the centre; "dots" 3 x 3 discs of radius .1275 around 1/6, 1/2, 5/6; "xor" the
    upper left and lower right corner squares of side .47; "s" bars .1 thick within x .2-.8, y .1-.9.

    Parameters
    ----------
    shape : "ring", "dots", "xor" or "s"
    n : int >= 1
    rng : numpy Generator (advanced by the call), or an int seed >= 0
    width : float > 0, the side of the square

    Returns
    -------
    Bunch with data (n, 2) float, target (n,) int, feature_names x, y, target_names, source.

    Examples
    --------
    >>> from nbcore.datasets import make_shape
    >>> ring = make_shape("ring", 1000, rng=0)
    >>> ring.data.shape, int(ring.target.sum())
    ((1000, 2), 329)
    """
    require_count("n", n)
    is_seed = isinstance(rng, int | np.integer) and is_number(rng, 0)
    require(is_seed or isinstance(rng, np.random.Generator), "rng", rng, "a numpy Generator or an int seed >= 0")
    points = np.random.default_rng(rng).uniform(size=(n, 2)) * width
    return Bunch(
        data=points,
        target=is_inside(shape, points, width).astype(int),
        feature_names=["x", "y"],
        target_names=np.array(["outside", "inside"]),
        source="Carlos and Rakshit (2016), section 4.4 and figure 4",
    )
