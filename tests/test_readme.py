"""The README's code runs, its links lead somewhere, and it names the two commands."""

import re
from pathlib import Path

import nbformat
import pytest

from tools.execute_notebooks import first_picture

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_names_the_two_commands_and_they_exist():
    verbs = re.findall(r"python3 run\.py (\w+)", README)
    assert verbs[:2] == ["lab", "test"]
    usage = (ROOT / "run.py").read_text(encoding="utf-8")
    assert all(f'"{verb}": {verb}' in usage for verb in verbs)


def test_its_example_runs():
    (example,) = re.findall(r"```python\n(.+?)```", README, re.S)
    exec(compile(example, "README", "exec"), {})


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_its_links_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text(encoding="utf-8"))
    for target in targets:
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_binder_opens_notebooks_that_exist():
    opened = re.findall(r"urlpath=lab/tree/(\S+?)\)", README)
    assert opened
    assert all((ROOT / path).exists() for path in opened)


def test_every_notebook_stands_in_the_table():
    listed = set(re.findall(r"\]\((notebooks/\S+?\.ipynb)\)", README))
    assert listed == {path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("*.ipynb")}


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_it_shows_each_chapters_first_picture(path):
    image = f".github/images/{path.stem}.png"
    (alt,) = re.findall(rf'<img src="{image}" width="\d+" alt="([^"]+)">', README)
    assert len(alt) > 30
    assert (ROOT / image).read_bytes() == first_picture(nbformat.read(path, 4)), "save it with run.py notebooks"


def test_its_count_of_claims_is_the_ledgers():
    from workbook.ledger.book import counts, ledger
    from workbook.ledger.claim import VERDICTS

    said = re.search(r"Of (\d+) claims,\s+(\d+)\s+come\s+out,\s+(\d+)\s+differ,\s+(\d+)\s+cannot be,"
                     r"\s+(\d+)\s+are", README)  # fmt: skip
    assert [int(number) for number in said.groups()] == [len(ledger()), *(counts()[v] for v in VERDICTS)]


def test_nothing_is_left_to_fill_in():
    assert not re.search(r"[A-Z]+_CLAIM", README)


def test_the_lectures_press_presets_that_there_are():
    from workbook import explorers

    lectures = re.findall(r"### A lecture of (\d+) minutes\n(.+?)(?=\n##)", README, re.S)
    assert [length for length, _ in lectures] == ["45", "90"]
    for length, text in lectures:
        scenes = re.findall(r"^\| (\d+) \| (\d\d) \| `(\w+)` \| \*(.+?)\* \| (.+) \|$", text, re.M)
        minutes = [int(minute) for minute, *_ in scenes]
        assert minutes == sorted(set(minutes))
        assert int(length) - 8 <= minutes[-1] < int(length)
        for _, chapter, explorer, preset, sentence in scenes:
            assert getattr(explorers, explorer).presets[preset].caption == sentence, (explorer, preset)
            (path,) = (ROOT / "notebooks").glob(f"{chapter}_*.ipynb")
            assert f"{explorer}(" in path.read_text(encoding="utf-8")
