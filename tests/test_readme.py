"""The README's code runs, its links lead somewhere, and it names the two commands."""

import re
from pathlib import Path

import nbformat
import pytest

from tools.execute_notebooks import first_picture
from tools.verbs import VERBS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_names_the_two_commands_and_they_exist():
    verbs = re.findall(r"python3 run\.py (\w+)", README)
    assert verbs[:2] == ["lab", "test"]
    assert set(verbs) <= set(VERBS)


def test_its_example_runs_and_shows_every_kind_of_estimator(capsys):
    _, example = re.findall(r"```python\n(.+?)```", README, re.S)
    scope = {}
    exec(compile(example, "README", "exec"), scope)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    shown = "MultinomialNB", "PerplexedBayes", "HierarchicalBayes", "SemiSupervisedNB"
    for line, name in zip(lines, shown, strict=True):
        assert line.startswith(f"{name}(")
        assert 0 < float(line.split()[-1]) < float(line.split()[-2]) < 5
    only_code = [line for line in example.splitlines() if line and not line.startswith(("from", "import"))]
    assert len(only_code) <= 12


def test_its_ten_lines_are_those_of_chapter_12_where_they_are_run():
    lines, _ = re.findall(r"```python\n(.+?)```", README, re.S)
    cells = nbformat.read(ROOT / "notebooks" / "12_your_own_table.ipynb", 4).cells
    assert any(f"```python\n{lines}```" in cell.source for cell in cells)
    assert len(lines.splitlines()) == 10


def test_it_names_every_module_of_the_library():
    modules = {path.stem for path in (ROOT / "nbcore").iterdir() if not path.name.startswith(("_", "py.", "checks"))}
    assert set(re.findall(r"^\| `nbcore\.(\w+)` \|", README, re.M)) == modules


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_its_links_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text(encoding="utf-8"))
    for target in targets:
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_binder_opens_notebooks_that_exist():
    opened = re.findall(r"urlpath=lab/tree/(\S+?)\)", README)
    assert opened
    assert all((ROOT / path).exists() for path in opened)


def test_it_links_to_every_notebook():
    listed = set(re.findall(r"\]\((notebooks/\S+?\.ipynb)\)", README))
    assert listed == {path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("*.ipynb")}


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")), ids=lambda path: path.stem)
def test_it_shows_each_chapters_first_picture(path):
    image = f".github/images/{path.stem}.png"
    (alt,) = re.findall(rf'<img src="{image}" width="\d+" alt="([^"]+)">', README)
    assert len(alt) > 30
    assert (ROOT / image).read_bytes() == first_picture(nbformat.read(path, 4)), "save it with run.py notebooks"


def test_its_count_of_claims_is_the_ledgers():
    from workbook.ledger.book import counts, ledger
    from workbook.ledger.claim import VERDICTS

    said = re.search(r"Of (\d+) claims, (\d+) are reproduced, (\d+) matched by choice, (\d+) within luck, "
                     r"(\d+) differ, (\d+) are false, (\d+) are not stated well enough, (\d+) are shown by an example, "
                     r"(\d+) are not testable here", " ".join(README.split()))  # fmt: skip
    assert [int(number) for number in said.groups()] == [len(ledger()), *(counts()[v] for v in VERDICTS)]


def there(path):
    """Whether a path leads somewhere; NN stands for any chapter's number. A bare name is that of a room in a flat."""
    pattern = path.rstrip("/").replace("NN", "[0-9][0-9]")
    flat = ROOT / "workbook" / "chapters" / "c05_perplexity_attenuation"
    return any(ROOT.glob(pattern)) or any(flat.glob(pattern))


@pytest.mark.parametrize(("page", "least"), [("README.md", 2), ("CONTRIBUTING.md", 40), ("CHANGELOG.md", 0)])
def test_every_path_it_names_is_there(page, least):
    """What stands in backquotes and looks like a path; a name to be chosen is written <so>."""
    text = (ROOT / page).read_text(encoding="utf-8")
    looks = r"[\w.][\w./*-]*/[\w./*-]*|[\w./*-]+\.(py|js|css|md|toml|lock|ipynb|json|yml|cff)"
    paths = [name for name in re.findall(r"`([^`\s]+)`", text) if re.fullmatch(looks, name)]
    made = {".venv", ".venv.lock", ".jupyter/", "site/", ".site-cache/", "my-pages/"}  # by run.py, where it has run
    assert len(paths) >= least
    assert [path for path in paths if not there(path) and path not in made] == []


def test_the_map_of_the_house_shows_rooms_that_are_there():
    """The indented tree at the head of CONTRIBUTING: two spaces a floor; its names are all the library has."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (tree,) = re.findall(r"## The map of the house\n.*?```\n(.+?)```", page, re.S)
    above, found = [], []
    for line in tree.splitlines():
        floor = (len(line) - len(line.lstrip())) // 2
        names = re.split(r" {2,}", line.strip())[0].split(", ")
        found += ["/".join([*above[:floor], name.rstrip("/")]) for name in names]
        above = [*above[:floor], names[0].rstrip("/")]
    assert [path for path in found if not (ROOT / path).exists()] == []
    rooms = {path.name for path in (ROOT / "nbcore").iterdir()} - {"__init__.py", "py.typed", "__pycache__"}
    assert {path.partition("/")[2] for path in found if path.startswith("nbcore/")} == rooms
    assert {"nbcore", "workbook", "notebooks", "tests", "benchmarks", "tools", "binder", "run.py"} <= set(found)


def test_nothing_is_left_to_fill_in():
    assert not re.search(r"[A-Z]+_CLAIM", README)
