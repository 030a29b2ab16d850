"""The states in which notebooks start explorers, read off their cells, are those that were run and saved."""

import json

import pytest

from workbook.site.packs.starts import NOTEBOOKS, explorer_classes, in_notebook, starts

PAGES = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
FOUND = [(path, start) for path in PAGES for start in in_notebook(path)]


@pytest.mark.parametrize(("path", "start"), FOUND, ids=lambda given: getattr(given, "id", ""))
def test_the_state_says_what_the_notebook_saved(path, start):
    (output,) = [
        output for output in json.loads(path.read_text("utf-8"))["cells"][start.cell]["outputs"] if "data" in output
    ]
    explorer = explorer_classes()[start.explorer](**start.state)
    sentence = explorer.describe(explorer.compute(**start.state))
    assert sentence.split() == "".join(output["data"]["text/plain"]).split()


def test_every_saved_explorer_is_found():
    """A cell that makes an explorer saves a figure in HTML, and no other cell with an explorer's name does."""
    for path in PAGES:
        cells = json.loads(path.read_text("utf-8"))["cells"]
        shown = [at for at, cell in enumerate(cells) if cell["cell_type"] == "code"
                 and "".join(cell["source"]).splitlines()[-1].split("(")[0].endswith("Explorer")]  # fmt: skip
        assert shown == [start.cell for start in in_notebook(path)]


def test_every_explorer_starts_somewhere_and_ids_are_stable():
    found = starts()
    assert set(found) == set(explorer_classes())
    assert set(found["BayesRuleExplorer"]) == {"00.bayesrule", "00.bayesrule-2"}
    keys = [key for ids in found.values() for key in ids]
    assert len(keys) == len(set(keys)) == len(FOUND)


def test_settings_and_presets_are_followed(tmp_path):
    lines = ["x = 1", "SmoothingExplorer(item='day 15').set(alpha=0)",
             "SmoothingExplorer().preset('Overcast day: a veto')",
             "SmoothingExplorer\n", "print(SmoothingExplorer())", "nothing.known()"]  # fmt: skip
    cells = [{"cell_type": "code", "source": line} for line in lines] + [{"cell_type": "markdown", "source": lines[1]}]
    path = tmp_path / "02_toy.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    first, second = in_notebook(path)
    assert (first.id, first.cell, second.id, second.cell) == ("02.smoothing", 1, "02.smoothing-2", 2)
    assert first.state == second.state == explorer_classes()["SmoothingExplorer"]().preset("Overcast day: a veto").state
