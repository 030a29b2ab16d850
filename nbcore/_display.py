"""What every display shares: axes of matplotlib, loaded when it draws, and the picture that a notebook shows."""

from base64 import b64encode
from html import escape
from io import BytesIO
from typing import Any

FOR, AGAINST = "#0072B2", "#D55E00"  # Okabe and Ito's blue and vermillion
PALE, GREY, DARK = "#DDDDDD", "#999999", "#333333"


def import_pyplot() -> Any:
    """Return matplotlib.pyplot; ImportError that names the extra if matplotlib is not installed."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError('A picture needs matplotlib: pip install "naive-bayes-workbook[plot]".') from error
    return pyplot


class Display:
    """Base of displays: `plot` sets `ax_` and `figure_`; `repr` is the picture in words, its alt text in a notebook."""

    ax_: Any
    figure_: Any

    def _start(self, ax: Any) -> Any:
        """Set and return the axes to draw on: those given, or new ones, laid out so that no label is cut off."""
        pyplot = import_pyplot()
        self.ax_ = pyplot.subplots(layout="constrained")[1] if ax is None else ax
        self.figure_ = self.ax_.figure
        return self.ax_

    def _repr_html_(self) -> str | None:
        """Return the picture with its alt text, and take it from pyplot, which would show it a second time."""
        if not hasattr(self, "figure_"):
            return None
        png = BytesIO()
        self.figure_.savefig(png, format="png", dpi=100)
        import_pyplot().close(self.figure_)
        source = f"data:image/png;base64,{b64encode(png.getvalue()).decode()}"
        return f'<figure><img alt="{escape(repr(self))}" src="{source}" style="max-width: 100%"></figure>'
