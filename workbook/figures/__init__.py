"""The papers' figures, for print: each a function of data that returns a matplotlib Figure. Imported when asked.

Figures that differ in their data only share one function.
Nothing is computed here: the numbers come from nbcore, and are drawn as they are given.
"""

from workbook.figures.carlos_2015 import (
    accuracy_by_confidence,
    precision_recall_curves,
    reliability_diagram,
    spread_by_features,
)
from workbook.figures.carlos_rakshit_2016 import class_maps, labelled_points, learning_curves
from workbook.figures.williams_2024 import bounds_on_f, log_ratio_scatter, map_scatter, q_on_simplex, simplex_grid

__all__ = [
    "accuracy_by_confidence", "bounds_on_f", "class_maps", "labelled_points", "learning_curves",
    "log_ratio_scatter", "map_scatter", "precision_recall_curves", "q_on_simplex", "reliability_diagram",
    "simplex_grid", "spread_by_features",
]  # fmt: skip
