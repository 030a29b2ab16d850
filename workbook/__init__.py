"""The workbook's machinery: what the pages in `notebooks/` need on top of `nbcore`."""

from importlib.util import find_spec

__all__ = ["review"]

NEEDED = (
    *("anywidget", "contourpy", "IPython", "ipywidgets", "joblib"),
    *("matplotlib", "pandas", "platformdirs", "plotly", "segno", "tornado", "tqdm", "traitlets"),
)

if missing := [name for name in NEEDED if find_spec(name) is None]:
    raise ImportError(f'The book\'s pages need {", ".join(missing)}: pip install "naive-bayes-workbook[book]".')


def review():
    """Up to five questions that you answered some days ago, with other numbers; what you missed comes first."""
    from workbook.learning import review as ask

    return ask()
