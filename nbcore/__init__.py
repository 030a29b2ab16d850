"""nbcore: the naive Bayes classifiers and analytic quantities behind the workbook.

The numbers (`nbcore.naive_bayes`, `nbcore.datasets`) need only numpy, scipy and scikit-learn; the pictures
(`nbcore.explorers`, `nbcore.learning`) are imported when a notebook asks for them.
"""

__version__ = "0.1.0"


def lecture(on: bool = True) -> None:
    """Projector sizes (fonts of 18 pt and more) for every explorer; `lecture(False)` goes back to page sizes."""
    from nbcore.explorers import lecture as switch

    switch(on)
