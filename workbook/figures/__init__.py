"""The papers' figures, for print: each a function of data that returns a matplotlib Figure. Imported when asked.

`FIGURES` says which function draws which figure; where figures differ in their data only, they share one function.
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
    "FIGURES", "accuracy_by_confidence", "bounds_on_f", "class_maps", "labelled_points", "learning_curves",
    "log_ratio_scatter", "map_scatter", "precision_recall_curves", "q_on_simplex", "reliability_diagram",
    "simplex_grid", "spread_by_features",
]  # fmt: skip

# (paper, figure) -> the function that draws it.
FIGURES = {
    ("Williams (2024)", "1(a)"): q_on_simplex,
    ("Williams (2024)", "1(b)"): bounds_on_f,
    ("Williams (2024)", "2(a)"): log_ratio_scatter,
    ("Williams (2024)", "2(b)"): log_ratio_scatter,
    ("Williams (2024)", "3"): map_scatter,
    ("Carlos (2015)", "1"): reliability_diagram,
    ("Carlos (2015)", "2"): spread_by_features,
    ("Carlos (2015)", "3"): accuracy_by_confidence,
    ("Carlos (2015)", "4"): reliability_diagram,
    ("Carlos (2015)", "5"): reliability_diagram,
    ("Carlos (2015)", "6"): precision_recall_curves,
    ("Carlos & Rakshit (2016)", "1"): labelled_points,
    ("Carlos & Rakshit (2016)", "2"): class_maps,
    ("Carlos & Rakshit (2016)", "3"): learning_curves,
    ("Carlos & Rakshit (2016)", "4"): class_maps,
}
