"""Packs are written within their room, computed once, and again only if something changed."""

import json
from base64 import b64decode
from itertools import product

import numpy as np
import pytest

from workbook.site.packs import cache, packs
from workbook.site.packs.cache import CacheFile, fingerprint, sources
from workbook.site.packs.catalog import Catalog
from workbook.site.packs.starts import explorer_classes, starts

from . import every_state
from .reader import Frames

KIND = "SmoothingExplorer"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder, lines = tmp_path_factory.mktemp("site"), []
    report = packs.write(folder / "site", folder / "kept", lines.append, [KIND, "PseudoCountExplorer"], most=40)
    return folder, lines, report


def catalog(name):
    return Catalog(explorer_classes()[name], starts()[name])


def frames(folder, name):
    return Frames.of_script((folder / "site" / "packs" / f"{name}.js").read_text("utf-8"))


# --- which states -----------------------------------------------------------------------------------------------------


def test_a_site_holds_every_state_once_and_a_draft_those_near_its_starts_and_presets():
    known = catalog(KIND)
    every = list(product(*(range(len(values)) for values in known.values.values())))
    whole, draft = known.places(), known.places(40)
    assert sorted(whole) == sorted(every)
    assert set(known.bases) < set(draft) < set(whole)
    assert len(draft) == len(set(draft)) == 40
    steps = {place: min(np.abs(np.subtract(place, base)).sum() for base in known.bases) for place in whole}
    assert max(steps[place] for place in draft) <= min(steps[place] for place in set(whole) - set(draft))
    assert known.places(1) == known.bases


# --- what is written --------------------------------------------------------------------------------------------------


def test_the_report_says_what_is_there(written):
    folder, lines, report = written
    assert [found.name for found in report] == [KIND, "PseudoCountExplorer"]
    assert [line[:5] for line in lines] == ["[1/2]", "[2/2]"]
    for found in report:
        held = frames(folder, found.name)
        assert found.states == len(held.places) <= 40
        text = (folder / "site" / "packs" / f"{found.name}.js").read_text("utf-8")
        assert found.size == len(b64decode(text.split('"')[3]))
        assert str(found).startswith(f"{found.name}: {found.states} of")


def test_a_pack_tells_of_its_controls(written):
    folder, *_ = written
    about = frames(folder, KIND).about
    alpha, item = about["controls"]
    assert (item["name"], item["label"], item["kind"]) == ("item", "votes on", "grid")
    assert alpha["said"][:2] == ["0", "0.001"]
    assert item["said"][item["default"]] == "Gloria"
    assert about["starts"] == {"02.smoothing": [0, item["said"].index("day 15")]}
    both = catalog("BayesRuleExplorer").about()
    assert both["controls"][0]["values"][both["starts"]["00.bayesrule-2"][0]] == 0.2
    explorer = explorer_classes()[KIND]
    assert [preset["name"] for preset in about["presets"]] == list(explorer.presets)
    for preset in about["presets"]:
        values = [control["values"][at] for control, at in zip(about["controls"], preset["place"], strict=True)]
        assert values == list(explorer().preset(preset["name"]).state.values())
        assert preset["caption"] == explorer.presets[preset["name"]].caption


def test_every_state_is_compared_with_the_kernel_and_a_difference_is_told(written, capsys, monkeypatch):
    folder, *_ = written
    assert not every_state.main(folder / "site", "PseudoCountExplorer")
    states = len(frames(folder, "PseudoCountExplorer").places)
    assert capsys.readouterr().out == f"PseudoCountExplorer: {states} states, 0 differ\n"
    kernel = Catalog.frame
    monkeypatch.setattr(Catalog, "frame", lambda self, place: kernel(self, place) | {"sentence": "Not this."})
    _, compared, faults = every_state.compare(folder / "site" / "packs" / "PseudoCountExplorer.js")
    assert len(faults) == compared == states
    assert every_state.main(folder / "site", "NoSuchExplorer")


@pytest.mark.parametrize("name", explorer_classes())
def test_every_explorer_has_a_catalog(name):
    known = catalog(name)
    about = json.loads(json.dumps(known.about()))
    assert [control["name"] for control in about["controls"]] == list(explorer_classes()[name].declared)
    for control in about["controls"]:
        assert len(control["values"]) == len(control["said"]) > 1
        assert control["kind"] in {"slider", "grid", "text"}
    for place in [*about["starts"].values(), *(preset["place"] for preset in about["presets"])]:
        assert known.place(known.state(tuple(place))) == tuple(place)


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_what_did_not_change_is_not_computed_again(written, monkeypatch):
    folder, _, report = written
    before = (folder / "site" / "packs" / f"{KIND}.js").read_bytes()
    monkeypatch.setattr(packs.ProcessPoolExecutor, "submit", lambda *_: pytest.fail("something was computed"))
    again = packs.write(folder / "site", folder / "kept", lambda line: None, [KIND, "PseudoCountExplorer"], most=40)
    assert all(found.cached for found in again)
    assert not any(found.cached for found in report)
    assert [(found.states, found.size) for found in again] == [(f.states, f.size) for f in report]
    assert (folder / "site" / "packs" / f"{KIND}.js").read_bytes() == before


def test_what_changed_is_computed_again_and_nothing_else(written, monkeypatch):
    folder, *_ = written
    changed = lambda kind: "!" * (kind.__name__ == KIND)  # noqa: E731
    monkeypatch.setattr(packs, "fingerprint", lambda kind, *more: fingerprint(kind, *more, *changed(kind)))
    again = packs.write(folder / "site", folder / "kept", lambda line: None, [KIND, "PseudoCountExplorer"], most=40)
    assert [found.cached for found in again] == [False, True]


def test_two_builds_give_the_same_bytes(written, tmp_path):
    folder, *_ = written
    packs.write(tmp_path / "site", tmp_path / "kept", lambda line: None, [KIND], most=40)
    name = f"site/packs/{KIND}.js"
    assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_a_fingerprint_follows_code_data_and_details(monkeypatch, tmp_path):
    kind = explorer_classes()[KIND]
    files = {path.relative_to(cache.ROOT).as_posix() for path in sources(kind.__module__)}
    assert {"workbook/chapters/c02_laplace_smoothing/experiment.py", "nbcore/naive_bayes/categorical.py",
            "workbook/explorer/theme.py", "nbcore/datasets/data/us_given_names.csv"} <= files  # fmt: skip
    assert not any("c05_" in path for path in files)
    assert fingerprint(kind, 1) == fingerprint(kind, 1) != fingerprint(kind, 2)
    before, changed = fingerprint(kind), cache.ROOT / "workbook/explorer/theme.py"
    read = cache.Path.read_bytes
    monkeypatch.setattr(cache.Path, "read_bytes", lambda path: read(path) + (b"#" if path == changed else b""))
    assert fingerprint(kind) != before


def test_kept_holds_as_long_as_what_it_depends_on(tmp_path):
    path = tmp_path / "new" / "Name.pack"
    assert CacheFile(path, ("a",)).get() is None
    CacheFile(path, ("a",)).put({"states": 3, "data": b"\n{}\0"})
    assert CacheFile(path, ("a",)).get() == {"states": 3, "data": b"\n{}\0"}
    assert CacheFile(path, ("b",)).get() is None
    CacheFile(path, ("b",)).put({"need": 5})
    assert CacheFile(path, ("b",)).get() == {"need": 5}
    assert [found.name for found in path.parent.iterdir()] == ["Name.pack"]
