"""The site in Firefox and WebKit: every page opens and is drawn; a page is used by key and pointer."""

import subprocess
import sys
import time
from itertools import product

import pytest

from ..servers import ROOT
from .engines import ENGINES
from .served import NARROW, WIDE, served

NAMES = [pytest.param(name, marks=() if name == "firefox" else pytest.mark.slow) for name in ENGINES]
OPEN = """return document.readyState === 'complete'
    && !document.querySelector('.nb-live:not(.nb-on, .pane *), .nb-live:not(.pane *) .nb-trouble')"""
FIGURES = "return [...document.querySelectorAll('[data-explorer] .nb-marks')].map((one) => one.childElementCount)"
WIDTH = "return document.documentElement.scrollWidth"
PLACE = """const one = document.querySelector(arguments[0]), at = one.getBoundingClientRect();
    const room = one.closest('.nb-controls') ? 0 : 80;  // controls stick to the foot
    if (at.top < 60 || at.bottom > innerHeight - room) one.scrollIntoView({block: 'center'});
    const {x, y, width, height} = one.getBoundingClientRect(); return [x + arguments[1] * width, y + height / 2]"""
BOX = "[data-explorer=SmoothingExplorer]"
SLIDER = f"{BOX} input[type=range]"
SENTENCE = f"return document.querySelector('{BOX} .nb-sentence').textContent"


@pytest.fixture(scope="module", params=NAMES)
def engine(request, tmp_path_factory):
    kind, is_there = ENGINES[request.param]
    if not is_there:
        pytest.skip(f"{request.param} is not on this machine")
    browser = kind(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture
def opened(engine, site):
    """open(page, base, size): the page, with everything alive."""
    with served(site) as bases:
        yield lambda page, base, size: visit(engine, page, site, bases[base], size)


def visit(engine, page, folder, base, size):
    engine.open(page, folder, base, size)
    engine.wait(OPEN)
    assert (wide := engine.ask(WIDTH)) <= size["width"], (wide, page, base)
    assert min(engine.ask(FIGURES), default=1) > 0, (page, base)
    return engine


def place(engine, box, share=0.5):
    """Bring an element into view; return where its middle is, or another share of its width, once it stands still."""
    before = None
    while (found := engine.ask(PLACE, box, share)) != before:
        before = found
        time.sleep(0.1)
    return found


@pytest.mark.parametrize(("base", "size"), [("file", NARROW), ("http", WIDE)], ids=["file", "http"])
def test_a_page_is_used_by_key_and_pointer(opened, base, size):
    page = opened("02_laplace_smoothing.html", base, size)
    page.ask("location.hash = '02.smoothing'")
    page.wait(f"return document.querySelector('{SLIDER}').offsetWidth")
    page.ask("dispatchEvent(new Event('wheel'))")  # a reader moves: the page keeps its address in sight no longer

    def drag_grip():
        x, y = place(page, f"{BOX} .nb-over [data-control]")
        page.drag([x, y], [x + 30, y])  # a draft holds the states near to its start

    for way in (lambda: page.drag(place(page, SLIDER, 0.1)), lambda: page.press("ArrowLeft"), drag_grip,
                lambda: press(page, "Gloria: a veto")):  # fmt: skip
        before = page.ask(SENTENCE)
        way()
        page.wait(f"{SENTENCE} !== arguments[0]", before)
    press(page, "Numbers")
    page.wait(f"return document.querySelector('{BOX} td')")
    asked = "[data-question='02/overcast']"
    page.drag(place(page, f"{asked} input"))
    page.drag(place(page, f"{asked} button.primary, {asked} button"))
    page.wait(f"return document.querySelector(\"{asked}\").innerText.includes('Computed:')")
    page.wait("""const all = [...document.querySelectorAll("[data-question] input[type=text]")];
        const one = all.find((e) => e.offsetWidth)?.closest("[data-question]");
        if (one) one.id = "exercise"; return one""")
    page.drag(place(page, "#exercise input"))
    page.press("1", "Enter")
    page.wait("return /Not yet|Right/.test(document.querySelector('#exercise').innerText)")


def press(page, name):
    """Press a button of the explorer by the pointer."""
    page.ask(f"[...document.querySelectorAll('{BOX} button')].find((e) => e.innerText === '{name}').id = '{name}'")
    page.drag(place(page, f"[id='{name}']"))


@pytest.mark.slow
def test_every_page_is_drawn(engine, tmp_path_factory):
    folder = tmp_path_factory.mktemp("every") / "site"
    code = "import sys; from workbook.site.build import build; build(sys.argv[1], most=4)"
    subprocess.run([sys.executable, "-c", code, folder], cwd=ROOT, check=True)  # here Sphinx's warnings of itself raise
    with served(folder) as bases:
        for page, base, size in product(sorted(folder.rglob("*.html")), bases, (WIDE, NARROW)):
            visit(engine, page.relative_to(folder), folder, bases[base], size)
