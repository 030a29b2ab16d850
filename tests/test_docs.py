"""README and docs/: code runs, links lead somewhere, every number of a result is computed, and README stays short."""

import re
import tomllib
from base64 import b64decode
from html import unescape
from pathlib import Path

import nbformat
import numpy as np
import plotly
import pytest

from benchmarks import browser, drawing, saved
from nbcore import displays
from nbcore.datasets import load_hair_eye_color, load_names
from tests import which_model
from tests.diagnosis import rates, worlds
from tools.verbs import VERBS
from workbook import explorers
from workbook.book import counts, ledger
from workbook.chapters import chapter_packages
from workbook.learning import contents
from workbook.lectures import find, known
from workbook.ledger.claim import VERDICTS
from workbook.questions.exercises import Exercise
from workbook.questions.predictions import Prediction
from workbook.questions.schedule import WAITS

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
DOCS = ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]
PAGES = [*DOCS, "deploy/README.md", "proofs/README.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def text(page):
    return (ROOT / page).read_text("utf-8")


README, LIBRARY = text("README.md"), text("docs/library.md")


# --- the README ------------------------------------------------------------------------------------------------------


def test_it_is_read_in_a_minute():
    assert len(README.splitlines()) <= 110
    assert len(README.split()) <= 1000
    assert len(re.findall(r"!\[|<img", re.sub(r"(?s)<!-- addresses.*?end of addresses", "", README))) == 1


def test_it_names_the_two_commands_and_they_exist():
    (block,) = re.findall(r"\n\n((?:    python3 run\.py .+\n)+)", README)
    assert re.findall(r"run\.py (\w+)", block) == ["lab", "test"]


@pytest.mark.parametrize("page", PAGES)
def test_every_verb_that_is_named_exists(page):
    assert set(re.findall(r"python3 run\.py ([a-z]+)", text(page))) <= set(VERBS)


def test_it_lists_every_notebook_by_its_number_and_title():
    listed = re.findall(r"^- (\w+) \[(.+?)\]\(notebooks/(\S+?)\): \S", README, re.M)
    titles = [re.match(r"# (\w+) · (.+)", nbformat.read(path, 4).cells[0].source).groups() for path in NOTEBOOKS]
    assert listed == [(*title, path.name) for title, path in zip(titles, NOTEBOOKS, strict=True)]


@pytest.mark.parametrize(("letter", "control"), [
    ("alpha", "alpha"), ("k", "k"), ("K", "K"), ("alpha of a Dirichlet", "alpha"),
])  # fmt: skip
def test_where_a_letter_can_be_moved_it_can(letter, control):
    (chapter,) = re.findall(rf"^\| {letter} \|.*\| (\d\d) \|$", README, re.M)
    kinds = [getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")]
    here = [kind for kind in kinds if f".{chapter_packages()[chapter]}." in kind.__module__]
    assert any(control in kind.declared for kind in here)


def test_its_picture_and_alt_text_are_the_first_that_the_notebook_saves():
    cells = nbformat.read(ROOT / "notebooks" / "01_naive_bayes.ipynb", 4).cells
    saved = (output.get("data", {}) for cell in cells for output in cell.get("outputs", ()))
    data = next(data for data in saved if "image/png" in data)
    picture, alt = b64decode(data["image/png"]), unescape(re.search('<img alt="([^"]*)"', data["text/html"])[1])
    assert (ROOT / "docs" / "picture.png").read_bytes() == picture
    assert re.findall(r"!\[(.*?)\]\(docs/picture\.png\)", README) == [alt]
    assert "*Chapter 01: " in README
    assert len(picture) < 200_000


# --- code, links, paths ----------------------------------------------------------------------------------------------


def test_the_librarys_example_runs_and_shows_every_kind_of_estimator(capsys):
    _, example, *_ = re.findall(r"```python\n(.+?)```", LIBRARY, re.S)
    exec(compile(example, "library.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    shown = "MultinomialNB", "PerplexedBayes", "HierarchicalBayes", "SemiSupervisedNB"
    for line, name in zip(lines, shown, strict=True):
        assert line.startswith(f"{name}(")
        assert 0 < float(line.split()[-1]) < float(line.split()[-2]) < 5
    only_code = [line for line in example.splitlines() if line and not line.startswith(("from", "import"))]
    assert len(only_code) <= 12


def test_what_answers_how_do_i_runs_piece_after_piece(capsys):
    """The page has a piece of code for every question; what they share is one namespace."""
    section = LIBRARY.partition("## How do I ...")[2].partition("\n## ")[0]
    pieces, names, shown = re.findall(r"```python\n(.+?)```", section, re.S), {}, []
    assert len(pieces) == len(re.findall(r"^\*\*.+?\?\*\*", section, re.M)) >= 4
    for piece in pieces:
        exec(compile(piece, "library.md", "exec"), names)
        shown.append(capsys.readouterr().out)
    assert "gaussian" in shown[0]
    assert "1. drift" in shown[1]
    assert re.findall(r"have moved: (\w+)", shown[1]) == ["body_mass_g"]
    assert np.allclose(names["calibrated"].predict_proba(names["X_new"]).sum(axis=1), 1)
    joint = names["contributions"].sum(axis=1) + names["model"].class_log_prior_
    assert np.allclose(joint, names["model"].predict_joint_log_proba(names["X_new"][:1])[0])


def test_the_table_of_peers_bears_out_what_is_said_of_it():
    """A difference is sure if its interval leaves out zero."""
    head, _, *lines = LIBRARY.partition("<!-- peers -->\n")[2].partition("<!-- end")[0].splitlines()
    names = [cell.split(",")[0] for cell in re.findall(r" ([a-z]+, [\d,]+ x \d+) ", head)]
    more, less = [{name: re.fullmatch(r"([+-][\d.]+) ± ([\d.]+)", cell.strip()).groups() for name, cell in
                   zip(names, line.split("|")[2:-1], strict=True)} for line in lines[-2:]]  # fmt: skip
    higher, lower, worse = ({name for name, (mean, half) in row.items() if sign * float(mean) > float(half)}
                            for row, sign in ((more, 1), (less, -1), (more, -1)))  # fmt: skip
    assert lower == {"penguins", "titanic", "cancer", "digits"}
    assert higher == {"cancer", "digits"}
    assert {name for name in worse if abs(float(more[name][0])) > 0.01} == {"bells"}
    assert names == [name for name, *_ in which_model.tables()]


def test_every_module_of_the_library_is_named():
    modules = {path.stem for path in (ROOT / "nbcore").iterdir() if not path.name.startswith(("_", "py.", "checks"))}
    assert set(re.findall(r"^\| `nbcore\.(\w+)` \|", LIBRARY, re.M)) == modules


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    folder = (ROOT / page).parent
    for target in re.findall(r"\]\(([^)#]+)\)", text(page)):
        assert target.startswith("https://") or (folder / target).exists(), target


def test_every_page_of_docs_is_reached_from_the_readme():
    linked, waiting = set(), ["README.md"]
    while waiting:
        page = waiting.pop()
        found = {(ROOT / page).parent / target for target in re.findall(r"\]\(([\w./-]+\.md)\)", text(page))}
        names = {path.resolve().relative_to(ROOT).as_posix() for path in found} - linked
        linked |= names
        waiting += names
    assert set(DOCS) <= linked | {"README.md"}


def is_there(path, page):
    """Look for a path in the project, beside its page, in a chapter's package; NN stands for any chapter's number."""
    folders = ROOT, (ROOT / page).parent, ROOT / "workbook" / "chapters" / "c05_perplexity_attenuation"
    return any(any(folder.glob(path.rstrip("/").replace("NN", "[0-9][0-9]"))) for folder in folders)


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_is_named_is_there(page):
    """What stands in backquotes and looks like a path; a name to be chosen is written <so>."""
    looks = r"[\w.][\w./*-]*/[\w./*-]*|[\w./*-]+\.(py|js|css|md|toml|lock|ipynb|json|yml|cff)"
    paths = [name for name in re.findall(r"`([^`\s]+)`", text(page)) if re.fullmatch(looks, name)]
    made = {".venv", ".venv.lock", ".jupyter/", "site/", "site/index.html", ".site-cache/", "my-pages/"}  # by run.py
    paths = [f".github/workflows/{path}" if path == "release.yml" else path for path in paths if path not in made]
    assert len(paths) >= (40 if page == "CONTRIBUTING.md" else 0)
    assert [path for path in paths if not is_there(path, page)] == []


def test_the_map_of_the_code_shows_files_that_are_there():
    """The tree at the head of CONTRIBUTING, two spaces of indent a level, has all modules of the library."""
    (tree,) = re.findall(r"## Map of the code\n.*?```\n(.+?)```", text("CONTRIBUTING.md"), re.S)
    above, found = [], []
    for line in tree.splitlines():
        level = (len(line) - len(line.lstrip())) // 2
        names = re.split(r" {2,}", line.strip())[0].split(", ")
        found += ["/".join([*above[:level], name.rstrip("/")]) for name in names]
        above = [*above[:level], names[0].rstrip("/")]
    assert [path for path in found if not (ROOT / path).exists()] == []
    modules = {path.name for path in (ROOT / "nbcore").iterdir()} - {"__init__.py", "py.typed", "__pycache__"}
    assert {path.partition("/")[2] for path in found if path.startswith("nbcore/")} == modules
    folders = {"nbcore", "workbook", "notebooks", "docs", "proofs", "tests", "benchmarks", "tools", "binder", "run.py"}
    assert folders <= set(found)


# --- numbers ---------------------------------------------------------------------------------------------------------


def read_minutes():
    """Number of each chapter -> its minutes, as its first cell says them."""
    pattern = r"\*\*Time\*\*: about (\d+) minutes to read, (\d+) for the exercises"
    return {path.name[:2]: sum(map(int, re.search(pattern, path.read_text("utf-8")).groups()))
            for path in NOTEBOOKS if path.name[0].isdigit()}  # fmt: skip


def round_half_up(value, unit=1):
    return unit * int(value / unit + 0.5)


def sum_times():
    each, course = read_minutes(), ["00", "01", "02", "03", "05", "06"]
    hours = [round_half_up(sum(some) / 60) for some in ([each[number] for number in course], each.values())]
    return min(each.values()), max(each.values()), *course, *hours


def minutes_of_tests():
    """Minutes of a whole run, to the nearest five, from CONTRIBUTING's own measurement."""
    took, seconds = map(int, re.search(r"took (\d+) min (\d+) s on a fresh clone", text("CONTRIBUTING.md")).groups())
    return round_half_up(took + seconds / 60, 5)


def read_measurement(row, cell, number=0):
    """A number in a cell of the bench's saved rows of whole pages: 1 is ours, 2 what it was compared with."""
    (cells,) = [cells for cells in saved.load()["pages"] if cells[0].startswith(row)]
    return float(re.findall(r"\d+(?:\.\d+)?", cells[cell])[number])


MEMORY = "a class of 30, chapter 02: memory a student"
READY = "a class of 30, chapter 02: all ready"
STEP = "a class of 30, chapter 02: a step, CPU"


def measure_class():
    """MB and seconds of CPU a student until the chapter has run, ms of CPU a step."""
    return round(read_measurement(MEMORY, 1)), round(read_measurement(READY, 1)), round(read_measurement(STEP, 1))


def estimate_class():
    """The table of deploy/README.md: seconds until 30 and 100 are ready, ms and cores while they drag."""
    each, step = read_measurement(READY, 1), 2 * read_measurement(STEP, 1)  # two steps a second
    return (round(read_measurement(READY, 2)), round(each * 100 / 8), round_half_up(step), f"{30 * step / 1000:.1f}",
            round(100 * step / 1000))  # fmt: skip


def count_exports():
    """Questions, predictions and exercises that go to Moodle and QTI."""
    items = [item for number in chapter_packages() for item in contents(number).values()]
    exercises = sum(isinstance(item, Exercise) and not item.evaluate for item in items)
    predictions = sum(isinstance(item, Prediction) and not item.drawn for item in items)
    return predictions + exercises, predictions, exercises


def verdicts():
    return len(ledger()), *(counts()[verdict] for verdict in VERDICTS)


def python():
    """The oldest Python that pyproject.toml allows."""
    return (tomllib.loads(text("pyproject.toml"))["project"]["requires-python"].removeprefix(">="),)


def time_lectures():
    *chapters, short, long = (find(name).minutes for name in known())
    return short, long, min(chapters), max(chapters)


def megabytes_of_plotly():
    return (f"{(Path(plotly.__file__).parent / 'package_data' / 'plotly.min.js').stat().st_size / 1e6:.1f}",)


# Page, sentence with the numbers in brackets, what computes them.
FACTS = [
    ("README.md", r"A chapter takes (\d+) to (\d+) minutes .* Chapters (\d+), (\d+), (\d+), (\d+), (\d+) and (\d+) "
                  r"are a course of (\d+) hours; the whole book takes (\d+)\.", sum_times),
    ("README.md", r"about (\d+) minutes on two cores", lambda: (minutes_of_tests(),)),
    ("README.md", r"Python (\S+) or newer", python),
    ("README.md", r"Of (\d+) claims " + ", ".join(rf"(\d+) (?:are )?{verdict}?" for verdict in VERDICTS), verdicts),
    ("docs/run.md", r"Python (\S+) or newer", python),
    ("docs/classes.md", r"takes (\d+) MB of memory .* and (\d+) s of CPU .* then (\d+) ms for each step",
     measure_class),
    ("docs/exports.md", r"(\d+) questions travel to Moodle and QTI: (\d+) predictions and (\d+) exercises",
     count_exports),
    ("docs/library.md", r"small tables, (\S+) names", lambda: (f"{len(load_names().data):,}",)),
    ("docs/library.md", r"past the (\d+) loudest .* beyond (\d+) nats", lambda: (displays.COLUMNS, displays.REACH)),
    ("docs/library.md", r"mostly (\S+) rows to learn from and (\d+) held out; each world of `code` has (\d+) seeds",
     lambda: (f"{worlds.TRAIN:,}", worlds.HELD, rates.SEEDS)),
    ("docs/speed.md", r"plotly\.js \((\S+) MB\)", megabytes_of_plotly),
    ("docs/speed.md", r"pressed (\d+) ms after", lambda: (browser.SETTLED,)),
    ("docs/speed.md", r"press at most (\S+) for each explorer and (\S+) for the median, of drawing (\S+) and (0.\d+)",
     lambda: (browser.GOAL, browser.MEDIAN_GOAL, drawing.GOAL, drawing.MEDIAN_GOAL)),
    ("docs/teaching.md", r"of (\d+) minutes on the whole book, .* of (\d+) minutes, .* \((\d+) to (\d+) minutes\)",
     time_lectures),
    ("docs/teaching.md", r"beside (\d+) students", lambda: (str(len(load_hair_eye_color().data)),)),
    ("docs/teaching.md", r"due (\d+), (\d+) and (\d+) days", lambda: WAITS),
    ("deploy/README.md", r"(\d+) MB \|", lambda: measure_class()[:1]),
    ("deploy/README.md", r"has run \| (\d+) s \| (\d+) s on 2 cores \| (\d+) s on 8 cores",
     lambda: (measure_class()[1], *estimate_class()[:2])),
    ("deploy/README.md", r"twice a second \| (\d+) ms a second \| (\S+) of a core \| (\d+) cores",
     lambda: estimate_class()[2:]),
    ("deploy/README.md", r"Of a student's (\d+) resident MB, (\d+) are libraries",
     lambda: (round(read_measurement(MEMORY, 2)), round(read_measurement(MEMORY, 2) - read_measurement(MEMORY, 1)))),
]  # fmt: skip
SIZES = r"8 GB and 2 cores d?o? ?for thirty, 32 GB and 8 cores for\s+a hundred, ten such nodes for a thousand"
# Numerals that are no result: names of chapters, equations, versions and licences, a citation, years, and what was
# set (the bench's file of rows) or tried by hand with its date.
NO_RESULTS = [
    r"[Cc]hapters? \d\d", r"^- \d\db? \[", r"\| \d\d \|$", r"eq\. \(\d+\)", r"CC BY 4\.0", r"QTI 2\.1", r"\(\d{4}\)",
    r"(Williams|Carlos), \d{4}", r"323, 2009, 122-124", r"sha256", SIZES, r"a CSV file", r"alpha = 0",
    r"-1 is no class", r"its 95 % interval", r"(?:\d+, )*\d+ px", r"(?:Serif|Sans) \d", r"about \d+ characters",
    r"at most 12 screens of 1280 x 720 and 16 of 390 x 844", r"[\d.]+ to 1", r"e\^-72",
    r"Tried: joblib 1\.6\.0, and pyspark 4\.3\.0",
    r"^\| (no smoothing|a row 500) .*$", r"Tried, not read: .* on \d+ November \d{4}",
]  # fmt: skip
NUMERAL = r"\d+(?:[.,]\d+)*"


def prose(page):
    """A page's text in one piece a paragraph, without code, addresses of links, and what other tests hold."""
    made = r"<!-- (bench|addresses|rates|peers|larger) -->.*?<!-- end of \1 -->"
    found = re.sub(rf"(?s){made}|```.*?```|!\[.*?\]\(.*?\)", "", text(page))
    found = re.sub(r"(?m)^    (?!python3 run\.py test).*$", "", found).replace("python3", "python")
    found = re.sub(r"`[^`]*`", "`code`", re.sub(r"\]\([^)]*\)", "](link)", found))
    found = re.sub(r"(?m)^ +", "", re.sub(r"(?m)^\d\. ", "- ", found))
    return re.sub(r"(?<=[^\n|])\n(?=[^\n|#-])", " ", found)


@pytest.mark.parametrize(("page", "sentence", "computed"), FACTS, ids=range(len(FACTS)))
def test_a_number_of_a_result_is_computed(page, sentence, computed):
    (found,) = re.finditer(sentence, prose(page))
    assert list(found.groups()) == [str(value) for value in computed()]


@pytest.mark.parametrize("page", DOCS)
def test_every_other_numeral_is_no_result(page):
    words = prose(page)
    patterns = [sentence for where, sentence, _ in FACTS if where == page] + NO_RESULTS
    held = [found.span() for pattern in patterns for found in re.finditer(pattern, words, re.M)]
    loose = [words[max(0, number.start() - 40) : number.end() + 20] for number in re.finditer(NUMERAL, words)
             if not any(start <= number.start() and number.end() <= end for start, end in held)]  # fmt: skip
    assert loose == [], "compute it in FACTS, or say in NO_RESULTS why it is none"


def test_the_machines_for_a_class_are_large_enough():
    """Memory for everybody, with a fifth to spare, in GB of 1,000 MB."""
    assert re.search(SIZES, text("docs/classes.md"))
    assert re.search(SIZES, text("deploy/README.md"))
    for students, gigabytes in ((30, 8), (100, 32)):
        assert 1.2 * students * read_measurement(MEMORY, 1) <= 1000 * gigabytes


def test_the_table_of_speed_is_whole():
    assert np.isfinite(list(saved.load()["explorers"].values())).all()
