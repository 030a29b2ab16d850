"""Measures in one page of a real Chromium: a step of a slider drawn by our own module, and by Plotly.react."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import plotly.graph_objects as go

from workbook.draw import as_text, drawable, script
from workbook.explorer.explorer import Explorer

from . import Row, Run, Task, compared, explorer_task, first_slider
from .browser import chromium

GOAL, MEDIAN_GOAL = 0.25, 0.17  # the worst explorer, the median of all
FRAMES = 24  # along the first slider

# Each figure by both, in turn, with the browser's layout of it; ms, of all rounds but the first.
DRAW = """async ([pairs, rounds]) => {
    const [ours, theirs] = document.querySelectorAll("div"), times = [[], []];
    ours.replaceChildren();
    delete ours.nbView;
    for (let round = 0; round <= rounds; round++)
        for (const pair of pairs) {
            const [mine, peer] = structuredClone(pair);
            const start = performance.now();
            draw(ours, mine, 880);
            ours.querySelector("svg").getBBox();
            const between = performance.now();
            await Plotly.react(theirs, peer.data, peer.layout, { displayModeBar: false });
            theirs.querySelector("svg").getBBox();
            if (round) times[0].push(between - start), times[1].push(performance.now() - between);
            await new Promise(requestAnimationFrame);
        }
    return times;
}"""


def tasks() -> list[Task]:
    return [explorer_task("drawing", measure_drawing, MEDIAN_GOAL)]


def measure_drawing(kind: type[Explorer], run: Run) -> Row:
    """Draw the frames along the first slider by our module and by plotly."""
    explorer = kind()
    slider = first_slider(kind)
    states = [explorer.state | {slider: value} for value in kind.declared[slider].values[:FRAMES]]
    figures = [explorer.draw(explorer.compute(**state)) for state in states]
    pairs = [[as_text(drawable(figure)), json.loads(go.Figure(figure).to_json(engine="json"))] for figure in figures]
    page = chromium(run).new_page()
    source = files("plotly").joinpath("package_data/plotly.min.js").read_text(encoding="utf-8")
    page.set_content("<div></div><div></div>")
    page.add_script_tag(content=source)
    page.add_script_tag(content=script())
    ours, peer = page.evaluate(DRAW, [pairs, run.repeats(3)])
    page.close()
    name = f"drawing, {kind.__name__} | Plotly.react, {len(ours)} frames"
    return compared(name, np.array(ours) / 1e3, np.array(peer) / 1e3, GOAL)
