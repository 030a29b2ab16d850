"""Figures as objects of plotly, whose traces and layout tests read by attribute."""

import plotly.graph_objects as go


def plotly_figure(figure: dict) -> go.Figure:
    """Wrap a figure ({"data", "layout"}) in a plotly object, unchecked."""
    return go.Figure(figure, _validate=False)


def figure_of(explorer, result) -> go.Figure:
    """Draw a result of an explorer as a plotly object, unchecked."""
    return plotly_figure(explorer.draw(result))
