"""What every notebook of the book must be; a new one is held to it as soon as it lies in notebooks/."""

import ast
import re
from base64 import b64decode
from importlib import import_module
from pathlib import Path
from statistics import median

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter

from workbook.chapters.c11_reproduction_ledger.redrawn import redrawn
from workbook.site.packs.starts import explorer_classes

FOLDER = Path(__file__).parents[2] / "notebooks"
PATHS = sorted(FOLDER.glob("[0-9]*.ipynb"))
APPENDICES = sorted(set(FOLDER.glob("*.ipynb")) - set(PATHS))  # no lessons: one letter in place of the number
EXPORTER = HTMLExporter()
DRAWING = {"ipywidgets", "anywidget", "plotly", "matplotlib", "IPython", "seaborn"}


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def book(path):
    return nbformat.read(path, 4)


def code_cells(book):
    return [cell for cell in book.cells if cell.cell_type == "code"]


def lines_of(cell):
    return [line for line in cell.source.splitlines() if line.strip()]


def text_of(book):
    return "\n\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")


def sections(book):
    """Title of each section -> its markdown text and its code; what stands before the first is left out."""
    found, name = {}, None
    for cell in book.cells:
        heading = re.match(r"## (.+)", cell.source) if cell.cell_type == "markdown" else None
        if heading:
            name = heading.group(1)
            found[name] = {"markdown": "", "code": ""}
        if name:
            found[name][cell.cell_type] += cell.source + "\n\n"
    return found


def outputs(book):
    return [output for cell in code_cells(book) for output in cell.outputs]


def pictures(book):
    return [o for o in outputs(book) if "image/png" in o.get("data", {})]


def galleries(book):
    """How many figures of a paper each call of `show_redrawn` shows."""
    papers = re.findall(r'^show_redrawn\("(.+)"\)$', "\n".join(cell.source for cell in code_cells(book)), re.M)
    return [sum(paper == asked for paper, _ in redrawn()) for asked in papers]


@pytest.mark.parametrize("path", APPENDICES, ids=lambda path: path.stem)
def test_an_appendix_is_valid_and_comes_last(path):
    test_it_is_valid_with_an_id_for_every_cell(path, nbformat.read(path, 4))
    test_it_is_small_and_holds_no_widget_state(path, nbformat.read(path, 4))
    test_it_was_run_from_top_to_bottom(nbformat.read(path, 4))
    test_links_to_other_pages_lead_somewhere(nbformat.read(path, 4))
    test_nothing_is_typed_that_depends_on_this_machine(path)
    letter = re.fullmatch(r"([A-Z])_[a-z0-9_]+", path.stem)[1]
    assert nbformat.read(path, 4).cells[0].source.startswith(f"# {letter} · ")
    assert path.name > PATHS[-1].name, "in a list of files, too"


def test_the_file_is_named_and_titled_by_its_number(path, book):
    number = re.fullmatch(r"(\d\db?)_[a-z0-9_]+", path.stem)
    assert number
    assert book.cells[0].source.startswith(f"# {number[1]} · ")


def test_it_is_valid_with_an_id_for_every_cell(path, book):
    nbformat.validate(book)
    ids = [cell.get("id", "") for cell in book.cells]
    assert all(ids)
    assert len(set(ids)) == len(ids)
    assert path.read_text(encoding="utf-8").endswith("}\n")


def test_it_was_run_from_top_to_bottom(book):
    """nbval passes over cells without a count."""
    assert [cell.execution_count for cell in code_cells(book)] == list(range(1, len(code_cells(book)) + 1))


def test_it_shows_no_error_and_no_warning(book):
    assert not [o for o in outputs(book) if o.output_type == "error" or o.get("name") == "stderr"]


def test_it_is_small_and_holds_no_widget_state(path, book):
    assert path.stat().st_size < 500_000
    assert "widgets" not in book.metadata
    assert book.metadata.kernelspec.name == "python3"


def test_it_begins_with_what_why_and_how_long(book):
    head = text_of(book).split("\n## ")[0]
    assert "**You will learn**" in head
    assert re.search(r"^\*\*Time\*\*: about \d+ minutes", head, re.M)
    assert "**Builds on**" in head


def test_it_ends_with_a_takeaway_and_its_sources(book):
    *_, takeaway, sources = sections(book)
    assert takeaway == "Takeaway"
    assert sources == "Sources"
    assert re.search(r"^\*\*.+\*\*$", sections(book)["Takeaway"]["markdown"], re.M), "one sentence, in bold"


def test_sections_predict_explore_explain_and_exercise(book):
    """Every numbered section asks; what is predicted is explained after it, an explorer is introduced before it."""
    order = ["Predict", "Explore", "Explain", "Exercise"]
    for name, part in sections(book).items():
        if not re.match(r"\d", name):
            continue
        steps = re.findall(r"^### (\w+)", part["markdown"], re.M)
        assert set(steps) <= set(order), name
        assert steps[-1:] == ["Exercise"] if "exercise(" in part["code"] else True, name
        assert "predict(" in part["code"] or "exercise(" in part["code"], name
        assert ("Predict" in steps) == ("predict(" in part["code"]), name
        assert ("Exercise" in steps) == ("exercise(" in part["code"]), name
        assert ("Explore" in steps) == ("Explorer(" in part["code"]), name


def test_every_section_reaches_a_number_in_two_ways(book):
    for name, part in sections(book).items():
        if re.match(r"\d", name):
            assert re.search(r"^\s*assert ", part["code"], re.M), name


def test_code_cells_are_short_and_draw_nothing_themselves(book):
    lengths = [len(lines_of(cell)) for cell in code_cells(book)]
    assert median(lengths) <= 3
    assert max(lengths) <= 12
    assert max(len(line) for cell in code_cells(book) for line in lines_of(cell)) <= 92, "wider is cut off at 1280 px"
    for cell in code_cells(book):
        for node in ast.walk(ast.parse(cell.source)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not DRAWING & {name.split(".")[0] for name in names}, cell.source
        assert not re.search(r"^\s*[%!]", cell.source, re.M), "no magics, no shell: the same everywhere"


def test_every_explorer_has_its_picture_sentence_and_alt_text(book):
    shown = [cell for cell in code_cells(book) if re.search(r"^\w+Explorer\(.*\)$", cell.source.strip(), re.M)]
    assert len(pictures(book)) == len(shown)
    for cell in shown:
        (output,) = cell.outputs
        assert b64decode(output.data["image/png"])[:4] == b"\x89PNG"
        sentence = " ".join(output.data["text/plain"].split())
        assert len(sentence) > 40
        assert output.metadata["image/png"]["alt"] == sentence


def test_a_preset_waits_for_a_question_that_comes_after_its_explorer(book):
    after = ""
    for cell in reversed(code_cells(book)):
        for name in re.findall(r"^(\w+Explorer)\(", cell.source, re.M):
            waits = {preset.after for preset in explorer_classes()[name].presets.values()} - {""}
            assert all(f'"{key}"' in after for key in waits), (name, waits)
        after += cell.source


def test_without_a_kernel_the_page_still_shows_every_picture(path, book):
    """As nbconvert makes it: each picture once, with its alt text; no widget that cannot come alive."""
    page = BeautifulSoup(EXPORTER.from_filename(str(path))[0], "html.parser")
    images = page.select("img[src^='data:image/png']")
    drawn = [o.data for o in outputs(book) if o.get("data", {}).get("text/html", "").startswith("<figure style=")]
    displays = [data for data in drawn if "image/png" not in data]  # nbcore's
    assert len(images) == len(pictures(book)) + len(displays) + sum(galleries(book))
    assert all(len(image["alt"]) > 40 and "No description" not in image["alt"] for image in images)
    assert not page.select("[data-mime-type*=widget]")
    assert "Loading widget" not in page.get_text()


def test_links_to_other_pages_lead_somewhere(book):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text_of(book)):
        assert re.match(r"https?://", target) or (FOLDER / target).exists(), target


def leads_somewhere(name):
    """Whether a dotted name, such as nbcore.datasets.load_names, is a module or stands in one."""
    module, _, rest = name.rpartition(".")
    try:
        return bool(import_module(name))
    except ImportError:
        return bool(module) and leads_somewhere(module) and hasattr(import_module(module), rest)


def test_every_module_and_name_that_a_page_names_is_there(book):
    """In code, in code shown as text, and in prose."""
    for cell in book.cells:
        named = re.findall(r"\b(?:nbcore|workbook)(?:\.\w+)+", cell.source)
        for module, names in re.findall(r"from ((?:nbcore|workbook)[.\w]*) import \(?([\w, ]+)", cell.source):
            named += [f"{module}.{name}" for name in re.findall(r"\w+", names)]
        assert not [name for name in named if not leads_somewhere(name)], cell.id


def test_nothing_is_typed_that_depends_on_this_machine(path):
    text = path.read_text(encoding="utf-8")
    assert "/root/" not in text
    assert "/home/" not in text
    assert "/tmp/" not in text
