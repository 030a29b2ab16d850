"""Every explorer's figures, made once for all the tests of a worker."""

import json
from functools import cache
from typing import NamedTuple

from workbook import explorers
from workbook.draw import as_text, drawable

NAMES = [name for name in explorers.__all__ if name.endswith("Explorer")]
# What can be seen of every mark; a hatch has another name on another page.
MARKS = """figure => [...figure.querySelectorAll(".nb-marks > g path, .nb-marks > g text")].map((mark) =>
    ["d", "fill", "stroke", "stroke-width", "stroke-dasharray", "x", "y"].map((name) => mark.getAttribute(name) ?? "")
        .map((value) => value.replace(/nb-\\d+-hatch-\\d+/, "hatch")).concat(mark.textContent).join(" "))"""
DRAW = """([figure, width]) => {
    const root = document.body.firstChild;
    root.replaceChildren();
    delete root.nbView;
    draw(root, figure, width);
}"""


class Made(NamedTuple):
    preset: str | None
    figure: dict
    text: dict  # as it travels to a page
    parts: list  # of its equation


@cache
def states(name: str) -> list[tuple]:
    """As the explorer starts, and in every preset: the preset, the explorer and what it computed."""
    kind = getattr(explorers, name)
    found = [(preset, kind().preset(preset) if preset else kind()) for preset in (None, *kind.presets)]
    return [(preset, explorer, explorer.compute(**explorer.state)) for preset, explorer in found]


@cache
def figures(name: str) -> list[Made]:
    found = []
    for preset, explorer, result in states(name):
        figure = explorer.draw(result)
        found.append(Made(preset, figure, as_text(drawable(figure)), explorer.explain(result)))
    return found


def call(page, function: str, argument):
    """page.evaluate of what JSON can hold: playwright itself looks at every number of a figure, many times as long."""
    inside = f"async (text) => JSON.stringify(await ({function})(JSON.parse(text))) ?? 'null'"
    return json.loads(page.evaluate(inside, json.dumps(argument)))
