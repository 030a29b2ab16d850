"""Still pictures of figures for readers without a kernel. Only authors need this: kaleido and a Chromium."""

from __future__ import annotations

import atexit
from functools import cache
from io import BytesIO

import kaleido
import plotly.graph_objects as go
from PIL import Image

from workbook.page import theme

__all__ = ["png"]


@cache
def _browser() -> None:
    """Start one browser; every picture of this kernel is drawn in it."""
    kaleido.start_sync_server(silence_warnings=True)
    atexit.register(kaleido.stop_sync_server, silence_warnings=True)


def png(figure: go.Figure) -> bytes:
    """The figure as a PNG of 64 colours: enough for flat colours and text, a third of the size."""
    _browser()
    size = theme.size()
    raw = kaleido.calc_fig_sync(figure, opts=dict(format="png", width=size.width, height=size.height, scale=1.5))
    small = BytesIO()
    Image.open(BytesIO(raw)).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()
