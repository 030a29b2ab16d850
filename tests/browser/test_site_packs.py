"""Packs in a real browser, on a page opened from a file: what packs.js reads is what Python reads."""

import itertools
import json
from base64 import b64encode
from pathlib import Path

import numpy as np
import pytest

from workbook.draw.arrays import encode_values as drawn
from workbook.site.packs.catalog import Catalog
from workbook.site.packs.frames import Packer
from workbook.site.packs.packs import write
from workbook.site.packs.starts import explorer_classes, starts

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
  const { frame, covered, nearest, places: known, ...about } = pack;
  return { about, places: known, frames: places.map((place) => plain(frame(place))) };
}"""
COVERED = "async ([name, places]) => places.map((await NB.openPack(name, 'packs/')).covered)"
NEAREST = """
async ([name, asked]) => {
  const pack = await NB.openPack(name, "packs/");
  return asked.map(([place, moved]) => pack.nearest(place, moved.length > 1 ? moved : moved[0]));
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    write(folder, folder / "kept", lambda line: None, KINDS, most=60)
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
    assert read["places"] == places
    assert read["about"] == frames.about
    counts = [len(control["values"]) for control in frames.about["controls"]]
    missing = [place for place in itertools.product(*map(range, counts)) if place not in frames.places][:1]
    assert page.evaluate(AS_JSON, [name, missing])["frames"] == [None] * len(missing)
    assert page.evaluate(COVERED, [name, [*places[:2], *missing]]) == [*[True] * 2, *[False] * len(missing)]


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


@pytest.mark.parametrize("name", KINDS)
def test_the_moved_controls_win_and_the_others_follow_as_little_as_possible(page, site, name):
    frames = packed(site, name)
    counts = [len(control["values"]) for control in frames.about["controls"]]
    rng = np.random.default_rng(20261122)
    asked = []
    for _ in range(150):
        place = [int(rng.integers(count)) for count in counts]
        moved = sorted(map(int, rng.choice(len(counts), size=rng.integers(1, min(3, len(counts) + 1)), replace=False)))
        asked.append([place, moved])
    found = page.evaluate(NEAREST, [name, asked])

    def cost(other, place, moved):
        far = [abs(a - b) for a, b in zip(other, place, strict=True)]
        others = [step for k, step in enumerate(far) if k not in moved and step]
        return sum(far[k] for k in moved), len(others), sum(others)

    for (place, moved), nearest in zip(asked, found, strict=True):
        assert tuple(nearest) in frames.places
        assert cost(nearest, place, moved) == min(cost(other, place, moved) for other in frames.places)


WALKS = """([places, walks]) => walks.flatMap(([base, k, last]) => [1, -1].map((way) => {
  const visited = [base];
  for (let at = base; at[k] !== (way > 0 ? last : 0); visited.push(at)) {
    const wanted = base.map((index, j) => (j === k ? at[k] + way : index));
    const found = places.has(wanted.join()) ? wanted : nearestPlace([...places.values()], wanted, [k], at);
    if (found[k] === at[k]) break;
    at = found;
  }
  return [k, way, visited];
}))"""


@pytest.mark.parametrize("name", explorer_classes())
def test_step_by_step_a_key_leads_from_one_end_to_the_other(page, name):
    """From every preset and start, in the pack of a draft."""
    catalog = Catalog(explorer_classes()[name], starts()[name])
    places = catalog.places(most=60)
    walks = [
        [base, k, len(values) - 1]
        for base in catalog.bases for k, values in enumerate(catalog.values.values()) if catalog.active(k, base)
    ]  # fmt: skip
    table = f"new Map({json.dumps([[','.join(map(str, place)), place] for place in places])})"
    for k, way, visited in page.evaluate(f"() => ({WALKS})([{table}, {json.dumps(walks)}])"):
        ends = (min, max)[way > 0](place[k] for place in places)
        assert visited[-1][k] == ends, (name, catalog.explorer.state, list(catalog.values)[k])
        assert all((b[k] - a[k]) * way > 0 for a, b in itertools.pairwise(visited))


def test_a_pack_that_is_not_there_is_an_error_in_words(page):
    said = page.evaluate("NB.openPack('NobodyExplorer', 'packs/').catch((problem) => problem.message)")
    assert said == "packs/NobodyExplorer.js is not there."
