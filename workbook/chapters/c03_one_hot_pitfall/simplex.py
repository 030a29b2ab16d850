"""Chapter 03: Q^-4 over the simplex of the other three values, from its corners to its centre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.one_hot import q_bounds, q_factor
from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

__all__ = ["SimplexExplorer"]

HEIGHT = np.sqrt(3) / 2
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, HEIGHT]])  # of the values 1, 2, 3 on the page
SIDE = 61
ACROSS, UP = np.linspace(0, 1, SIDE), np.linspace(0, HEIGHT, SIDE)
GRID = np.linspace(0, 1, 101)
Q_BANDS = np.array(q_bounds(GRID, 4))
FACTORS = ["1−θ₁", "1−θ₂", "1−θ₃"]


def shares_at(points) -> np.ndarray:
    """Shares (..., 3) of the three values at points (..., 2) of the page; outside the triangle, of a point inside."""
    third = points[..., 1] / HEIGHT
    second = points[..., 0] - third / 2
    shares = np.clip(np.stack([1 - second - third, second, third], axis=-1), 0, None)
    return shares / shares.sum(axis=-1, keepdims=True)


SHARES = shares_at(np.stack(np.meshgrid(ACROSS, UP), axis=-1))  # (61, 61, 3)


def shares_towards(uneven: float, direction: int) -> np.ndarray:
    """From the centre (uneven 0) to the edge (1); the direction 0 leads to corner 1, 120 to 2, 240 to 3."""
    step = np.cos(np.radians(direction - np.array([0, 120, 240])))
    return np.clip(1 / 3 + uneven * step / (-3 * step.min()), 0, 1)


@dataclass(frozen=True)
class Simplex:
    """The result: Q^-4 on the page and at one marked theta."""

    theta: np.ndarray  # (4,) the marked one
    shares: np.ndarray  # (3,) of the others in what theta_4 leaves over
    q_map: np.ndarray  # (61, 61) Q^-4 at each point of the page
    q: float  # Q^-4 at the marked theta
    bounds: tuple[float, float]  # of Q^-4 at this theta_4: corner, centre


class SimplexExplorer(Explorer):
    """Q^-4 over the three other probabilities: Williams (2024), eq. (4), (8) and Figure 1(a)."""

    theta4 = FloatSlider(0.0, 0.0, 1.0, step=0.01, label="θ₄")
    uneven = FloatSlider(0.6, 0.0, 1.0, step=0.05, label="To the edge")
    direction = IntSlider(30, 0, 345, step=15, label="Direction, °")

    presets: ClassVar = {
        "Figure 1(a)": Preset("The fourth value never occurs; Q is a hill over the other three.", {}),
        "Corner": Preset(
            "One rival has everything else: two factors are 1, the other one is θ₄. Nothing lies lower.",
            dict(theta4=0.2, uneven=1, direction=0),
        ),
        "Middle of an edge": Preset(
            "Two rivals share equally, the third is absent. Higher than the corner, lower than the centre.",
            dict(theta4=0.2, uneven=1, direction=60),
        ),
        "Centre": Preset("Three equal rivals: the top of the hill.", dict(theta4=0.2, uneven=0)),
    }

    def compute(self, theta4, uneven, direction) -> Simplex:
        shares = shares_towards(uneven, direction)
        theta = np.append((1 - theta4) * shares, theta4)
        everywhere = np.concatenate([(1 - theta4) * SHARES, np.full((SIDE, SIDE, 1), theta4)], axis=-1)
        return Simplex(
            theta=theta,
            shares=shares,
            q_map=q_factor(everywhere)[..., 3],
            q=float(q_factor(theta)[3]),
            bounds=tuple(map(float, q_bounds(theta4, 4))),
        )

    def draw(self, result):
        return theme.figure(
            [[map_panel(result), factor_panel(result), height_panel(result)]], widths=[1.3, 1, 0.9], legend=False
        )

    def describe(self, result) -> str:
        r = result
        return (
            f"θ₄ = {r.theta[3]:.2f}, the others {', '.join(f'{t:.3f}' for t in r.theta[:3])}: Q = "
            f"{' · '.join(f'{1 - t:.3f}' for t in r.theta[:3])} = {r.q:.3f}. At this θ₄ a corner gives "
            f"{r.bounds[0]:.3f}, the centre {r.bounds[1]:.3f}."
        )

    def explain(self, result):
        """Eq. (4): Q is the product of three factors."""
        first, second, third = (
            Term(f"{1 - t:.3f}", name, name, palette.GREY) for t, name in zip(result.theta, FACTORS, strict=False)
        )
        product = Term(f"{result.q:.3f}", "Q<sup>−4</sup>", "Q", palette.Q_FACTOR)
        return [product, "=", first, "·", second, "·", third]


# Where the marked point stands for each pair of its sliders, (21, 24, 2).
PLACES = (
    np.array([[shares_towards(u, d) for d in SimplexExplorer.direction.values] for u in SimplexExplorer.uneven.values])
    @ CORNERS
)


def map_panel(r: Simplex) -> Panel:
    """Q over the triangle, darker is higher; white covers what lies outside it."""
    low, high = r.bounds
    step = max((high - low) / 6, 1e-3)
    hill = dict(
        type="contour", x=ACROSS, y=UP, z=r.q_map, zmin=min(low, high - 1e-2), zmax=high, showscale=False,
        colorscale=[[0, "#FFFFFF"], [1, palette.Q_FACTOR]], hoverinfo="skip", line=dict(color="#FFFFFF", width=1),
        contours=dict(start=low + step, end=high - step / 2, size=step),
    )  # fmt: skip
    cover = dict(type="scatter", mode="lines", fill="toself", fillcolor="white", hoverinfo="skip")
    cover |= dict(line=dict(color="white", width=0))
    left, right = [[-0.2, -0.1], *CORNERS[[0, 2]], [0.5, 1.1], [-0.2, 1.1]], [[1.2, -0.1], *CORNERS[[1, 2]], [0.5, 1.1]]
    covers = [cover | dict(x=x, y=y) for x, y in (np.transpose(left), np.transpose([*right, [1.2, 1.1]]))]
    rim = np.transpose(CORNERS[[0, 1, 2, 0]])
    edge = dict(type="scatter", mode="lines", x=rim[0], y=rim[1], hoverinfo="skip")
    at = r.shares @ CORNERS
    here = dict(type="scatter", mode="markers", x=at[:1], y=at[1:], ids=["Q"], hovertemplate=marked(r))
    dot = dict(size=14, color=palette.HELD, symbol="diamond", line=dict(color=palette.BLACK, width=2))
    traces = [hill, *covers, edge | dict(line=dict(color=palette.BLACK, width=2)), here | dict(marker=dot)]
    places = zip(CORNERS, ("right", "left", "center"), ("middle", "middle", "bottom"), strict=True)
    names = [
        dict(
            x=x,
            y=y,
            text=f"<b>{k}</b>",
            xanchor=a,
            yanchor=b,
            xshift={"right": -12, "left": 12}.get(a, 0),
            yshift=8 * (b == "bottom"),
        )
        for k, ((x, y), a, b) in enumerate(places, start=1)
    ]
    bare = dict(showgrid=False, showticklabels=False, ticks="", showline=False)
    x = bare | dict(range=[-0.1, 1.1])
    y = bare | dict(range=[-0.03, 1.0])
    grip = Handle(("uneven", "direction"), *at, axis="xy", places=PLACES)
    shown = [dict(t, showlegend=False) for t in traces]
    return Panel("Q: darker is higher", shown, x, y, annotations=names, handles=[grip], equal=True)


def marked(r: Simplex) -> str:
    """The words of the marked theta."""
    return f"the marked θ: Q = {r.q:.3f} at θ₄ = {r.theta[3]:.2f}<extra></extra>"


def factor_panel(r: Simplex) -> Panel:
    """The three factors and their product."""
    heights = [*(1 - r.theta[:3]), r.q]
    colors = [palette.GREY] * 3 + [palette.Q_FACTOR]
    names = [*FACTORS, "Q"]
    bars = dict(type="bar", x=np.arange(4), y=heights, width=0.7, showlegend=False, marker=dict(color=colors))
    bars |= dict(ids=names, customdata=names, hovertemplate="%{customdata} = %{y:.3f}<extra></extra>")
    labels = dict(tickvals=np.arange(4), ticktext=names, tickangle=0, showgrid=False)
    return Panel("Three factors", [bars], labels | dict(range=[-0.6, 3.6]), dict(range=[0, 1.05], tickvals=[0, 0.5, 1]))


def height_panel(r: Simplex) -> Panel:
    """Q against theta_4: from the corner's line to the centre's curve, with the curve of the marked shares between."""
    between = np.prod(1 - (1 - GRID)[:, None] * r.shares, axis=1)
    dot = dict(size=12, color=palette.HELD, symbol="diamond", line=dict(color=palette.BLACK, width=2))
    here = dict(type="scatter", mode="markers", x=r.theta[3:], y=[r.q], ids=["Q"], hovertemplate=marked(r), marker=dot)
    band = dict(fill="tonexty", fillcolor=palette.faint(palette.Q_FACTOR, 0.2))
    traces = [
        height_line("centre", Q_BANDS[1], color=palette.Q_FACTOR, dash="dash", width=3),
        height_line("corner", Q_BANDS[0], color=palette.Q_FACTOR, dash="dot", width=3) | band,
        height_line("these shares", between, color=palette.BLACK, width=1),
        here | dict(showlegend=False),
    ]
    grip = Handle("theta4", r.theta[3], r.q, axis="xy", places=np.column_stack([GRID, between]))
    notes = [
        dict(x=0.34, y=0.6, text="centre", xanchor="right", yanchor="bottom"),
        dict(x=0.62, y=0.5, text="corner", xanchor="left", yanchor="top"),
    ]
    x, y = dict(range=[-0.09, 1.06], title="θ₄", tickvals=[0, 0.5, 1]), dict(range=[0, 1.05], tickvals=[0, 0.5, 1])
    return Panel("Corner and centre", traces, x, y, annotations=notes, handles=[grip])


def height_line(name: str, q, **look) -> dict:
    """Q at every theta_4."""
    words = f"{name}: Q = %{{y:.3f}} at θ₄ = %{{x:.2f}}<extra></extra>"
    return dict(type="scatter", mode="lines", x=GRID, y=q, line=look, hovertemplate=words, showlegend=False)
