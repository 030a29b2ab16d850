"""On the site, opened from disk as after a double click: until a page's first figure stands, and from key to redraw."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import ROOT, MissingError, Row, Run, Task, spread
from .browser import FIGURE, chromium, press

SITE = ROOT / "site"
SIZE = {"width": 1280, "height": 720}
START, KEY, KEY_90 = 1.5, 0.020, 0.033  # s
LOADS, BLOCKS, PRESSES = 3, 4, 3
EXPLORER = ".nb-live[data-explorer]"
ALL_ALIVE = "([place, figure]) => [...document.querySelectorAll(place)].every((each) => each.querySelector(figure))"

# ms since the page was asked for, in the first task after the frame in which the first figure came to stand.
FIRST = """shown => new Promise((resolve) => {
    const look = () => document.querySelector(shown)
        ? setTimeout(() => resolve(performance.now())) : requestAnimationFrame(look);
    look();
})"""


def tasks(_) -> list[Task]:
    return [Task("the site", site)]


def site(run: Run) -> Iterator[Row]:
    """Every page with explorers; each explorer by its first slider."""
    numbered = sorted(SITE.glob("[0-9][0-9]_*.html"))
    pages = [path for path in numbered if "data-explorer" in path.read_text(encoding="utf-8")]
    if not pages:
        raise MissingError("there is no site to measure: python3 run.py site makes one, in some ten minutes.")
    starts, keys = [], []
    for path in pages:
        run.say(f"    {path.stem}")
        starts += [start(path, run) for _ in range(run.repeats(LOADS))]
        keys += key_presses(path, run)
    name = f"the site: a page opened, to its first figure, {len(pages)} pages, {len(starts)} times"
    yield Row(name, spread(starts), goal=f"p90 <= {1e3 * START:g} ms", met=bool(np.percentile(starts, 90) <= START))
    median, late = np.percentile(keys, [50, 90])
    name = f"the site: key press to redraw, {len(keys)} presses"
    goal = f"<= {1e3 * KEY:g} ms, p90 <= {1e3 * KEY_90:g} ms"
    yield Row(name, spread(keys), goal=goal, met=bool(median <= KEY and late <= KEY_90))


def start(path, run: Run) -> float:
    """Seconds from asking for the page to its first figure, in a context that keeps nothing."""
    context = chromium(run).new_context(viewport=SIZE)
    page = context.new_page()
    page.goto(path.as_uri(), wait_until="commit")
    found = page.evaluate(FIRST, f"{EXPLORER} {FIGURE} svg")
    context.close()
    return found / 1e3


def key_presses(path, run: Run) -> list[float]:
    """Seconds of presses on the first slider of every explorer of a page; a first block each warms up."""
    page = chromium(run).new_page(viewport=SIZE)
    page.goto(path.as_uri())
    page.wait_for_function(ALL_ALIVE, arg=[EXPLORER, f"{FIGURE} svg"])
    found = []
    for place in page.locator(EXPLORER).all():
        for block in range(run.repeats(BLOCKS) + 1):
            presses = press(page, place, place.locator(FIGURE), PRESSES, "Right" if block % 2 else "Left")
            found += presses if block else []
    page.close()
    return found
