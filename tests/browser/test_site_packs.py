"""Packs in a real browser, on a page opened from a file: what packs.js reads is what Python reads."""

import itertools
import shutil
from base64 import b64encode
from pathlib import Path

import numpy as np
import pytest

from workbook.draw.arrays import encode_values as drawn
from workbook.site.packs.frames import Packer

from ..site.reader import Frames

pytestmark = pytest.mark.browser
FOLDER = Path(__file__).parents[2] / "workbook" / "site" / "packs"
SCRIPT = "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in ("load.js", "packs.js"))
NAMES = "Smoothing", "Penalties", "PseudoCount", "Xor"
KINDS = [f"{name}Explorer" for name in NAMES]
PAGE = """<!doctype html><meta charset="utf-8"><title>packs</title>
<script>{script}
globalThis.NB = {{ pack: receivePack, openPack }};</script>"""
AS_JSON = """
async ([name, places]) => {
  const pack = await NB.openPack(name, "packs/");
  const plain = (value) => {
    if (ArrayBuffer.isView(value)) return { numbers: plain(Array.from(value)), shape: value.shape ?? [value.length] };
    if (typeof value === "number" && !Number.isFinite(value)) return { odd: String(value) };
    if (Array.isArray(value)) return value.map(plain);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  };
  const { frame, ...about } = pack;
  return { about, frames: places.map((place) => plain(frame(place))) };
}"""


@pytest.fixture(scope="module")
def site(site, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(site / "packs", folder / "packs")
    (folder / "index.html").write_text(PAGE.format(script=SCRIPT), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def page(browser, site):
    opened = browser.new_page()
    opened.on("request", lambda request: request.url.startswith("file:") or pytest.fail(request.url))
    opened.goto((site / "index.html").as_uri())
    yield opened
    opened.close()


def packed(site, name):
    return Frames.of_script((site / "packs" / f"{name}.js").read_text(encoding="utf-8"))


def plain(value):
    """As the page says it, arrays and what JSON does not know."""
    if isinstance(value, np.ndarray):
        return {"numbers": plain(value.ravel().tolist()), "shape": list(value.shape)}
    if isinstance(value, float) and not np.isfinite(value):
        return {"odd": "NaN" if np.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return {name: plain(item) for name, item in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize("name", KINDS)
def test_the_page_reads_what_python_reads(page, site, name):
    frames = packed(site, name)
    places = [list(place) for place in frames.places]
    assert len(places) >= 4
    backwards = [*places[::-3], *places]  # in another order than they were written, and again
    read = page.evaluate(AS_JSON, [name, backwards])
    assert read["frames"] == [plain(frames[place]) for place in backwards]
    assert read["about"] == frames.about
    counts = [len(control["values"]) for control in frames.about["controls"]]
    missing = [place for place in itertools.product(*map(range, counts)) if place not in frames.places][:1]
    assert page.evaluate(AS_JSON, [name, missing])["frames"] == [None] * len(missing)


def test_numbers_that_are_not_finite_are_read(page, site):
    packer, numbers = Packer(), np.array([[1.5, np.nan], [np.inf, -np.inf]])
    for at in range(2):
        figure = {"data": [{"x": at + numbers, "y": numbers - at}], "layout": {}}
        packer.add((at,), {"figure": drawn(figure), "formula": [], "sentence": ""})
    text = b64encode(packer.to_bytes({"controls": [{"values": [0, 1]}]})).decode()
    (site / "packs" / "Odd.js").write_text(f'NB.pack("Odd", "{text}");', encoding="utf-8")
    frames = packed(site, "Odd")
    read = page.evaluate(AS_JSON, ["Odd", [[0], [1]]])["frames"]
    assert read == [plain(frames[(at,)]) for at in range(2)]
    assert np.array_equal(frames[(1,)]["figure"]["data"][0]["x"], 1 + numbers, equal_nan=True)


def test_a_pack_that_is_not_there_is_an_error_in_words(page):
    said = page.evaluate("NB.openPack('NobodyExplorer', 'packs/').catch((problem) => problem.message)")
    assert said == "packs/NobodyExplorer.js is not there."
