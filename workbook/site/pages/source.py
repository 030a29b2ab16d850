"""Write the sources that Sphinx reads: the notebooks as the site shows them, and the pages around them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from string import Template

import nbformat
import yaml

from workbook.home import addresses
from workbook.lectures import find, known
from workbook.site.packs.starts import in_notebook, page_number
from workbook.site.pages import ledger, reference
from workbook.site.pages.cards import read_card, write_cards
from workbook.site.pages.cells import Pictures, on_site
from workbook.site.pages.parts import write_parts
from workbook.site.pages.settings import TITLE
from workbook.site.pages.words import for_site

__all__ = ["ROOT", "chapters", "notebook", "write"]

ROOT = Path(__file__).resolve().parents[3]
PROSE = Path(__file__).parent / "prose"
SOURCES = re.compile(r"^## Sources\n\n(.+)", re.S)
FOLD = r"<details class='sources'><summary>Sources</summary>\n\n\1\n\n</details>"
DOCS = ROOT / "docs"
PUBLISHED = addresses()
ON_GITHUB = PUBLISHED["repository"] and f"{PUBLISHED['repository']}/blob/main/"


def chapters() -> list[Path]:
    """List the notebooks: a sitting after the other, the appendices, the deeper pages."""
    return sorted((ROOT / "notebooks").glob("*.ipynb"), key=lambda path: (page_number(path).endswith("b"), path.name))


def stems() -> dict[str, str]:
    """Map the number of each page ("02", "02b") to its name ("02_laplace_smoothing")."""
    return {page_number(path): path.stem for path in chapters() if path.name[0].isdigit()}


def write(folder: Path, extra: Path) -> None:
    """Write all sources into an empty folder; extra: folder of what Sphinx copies, such as pictures."""

    def save(name: str, picture: bytes) -> None:
        path = extra / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture)

    for path in chapters():
        nbformat.write(notebook(path, save), folder / path.name)
    (folder / "reference").mkdir()
    for name in reference.doors():
        (folder / "reference" / f"{name.partition('.')[2]}.rst").write_text(reference.module_page(name), "utf-8")
    filled = fields()
    for path in PROSE.glob("*.md"):
        place = folder / ("reference/index.md" if path.stem == "library" else path.name)
        place.write_text(Template(path.read_text("utf-8")).substitute(filled), "utf-8")
    for path in DOCS.glob("*.md"):
        if path.stem != "library":
            (folder / path.name).write_text(on_site_links(path.read_text("utf-8")), "utf-8")
    (extra / "proofs").mkdir()
    for path in (ROOT / "LICENSE", ROOT / "CITATION.cff", *(ROOT / "proofs").glob("*.v")):
        (extra / f"{path.relative_to(ROOT)}.txt").write_bytes(path.read_bytes())


# --- a chapter -------------------------------------------------------------------------------------------------------


def notebook(path: Path, save: Callable[[str, bytes], None]) -> nbformat.NotebookNode:
    """Convert a notebook for the site; save(name, bytes) writes a picture."""
    book = nbformat.read(path, 4)
    ids = {start.cell: start.id for start in in_notebook(path)}
    pictures = Pictures(page_number(path), save)
    shown = (on_site(cell, ids.get(at), pictures) for at, cell in enumerate(book.cells))
    book.cells = [cell for cell in shown if cell]
    for cell in book.cells:
        if cell.cell_type == "markdown":
            text = for_site(path.stem, cell.source)
            cell.source = re.sub(r"\[(proofs/\w+\.v)\]\(\.\./\1\)", r'<a href="\1.txt">\1</a>', text)
    book.cells[-1].source = f"{SOURCES.sub(FOLD, book.cells[-1].source)}\n\n{where(path)}"
    return book


def where(path: Path) -> str:
    """Return the links to where a page can be run."""
    links = {"Run it on your machine": "run.md"}
    if ON_GITHUB:
        links["Open in Binder"] = PUBLISHED["binder"] + path.name
        links["The notebook"] = f"{ON_GITHUB}notebooks/{path.name}"
    return " · ".join(f"[{words}]({address})" for words, address in links.items()) + "\n"


# --- the pages around the chapters -----------------------------------------------------------------------------------


def fields() -> dict[str, str]:
    """Return what is filled into the texts: cards, parts, lists, the citation, the ledger."""
    cards = {page_number(path): read_card(path) for path in chapters() if path.name[0].isdigit()}
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    return {
        "title": TITLE,
        "cards": write_cards(cards),
        "pages": sum(map(str.isdigit, cards)),
        "parts": write_parts(),
        "chapters": "\n".join(path.stem for path in chapters()),
        "lectures": list_lectures(),
        "ledger": ledger.table(),
        "library": on_site_links((DOCS / "library.md").read_text("utf-8")),
        "modules": "\n".join(name.partition(".")[2] for name in reference.doors()),
        "authors": " and ".join(map(full_name, cited["authors"])),
        "version": cited["version"],
        "repository": PUBLISHED["repository"] and f" <{PUBLISHED['repository']}>.",
        "sources": "\n".join(f"- {cite(entry)}" for entry in cited["references"]),
    }


def list_lectures() -> str:
    """Return a list of the lectures as Markdown: of the whole book first, then of its chapters."""
    found = sorted(map(find, known()), key=lambda lecture: lecture.name in stems())
    return "\n".join(f'- <a href="lecture.html?order={one.name}">{one.name} · {one.title}</a>, {one.minutes:g} minutes'
                     for one in found)  # fmt: skip


def on_site_links(text: str) -> str:
    """Convert the links of a text of docs/: to pages of the site, or to files of the repository if it is published."""

    def linked(found: re.Match) -> str:
        words, target = found.groups()
        name = target.rpartition("/")[2]
        if target.startswith("../notebooks/"):
            return f"[{words}](/{name})"
        if target.startswith("../"):
            return f"[{words}]({ON_GITHUB}{target.removeprefix('../')})" if ON_GITHUB else words
        return f"[{words}](/{'reference/index.md' if name == 'library.md' else name})"

    return re.sub(r"\[([^]]+)\]\((?!https?:|#)([^)]+)\)", linked, text)


def cite(entry: dict) -> str:
    """Return an entry of CITATION.cff as a line."""
    year = f" ({entry['year']})" if "year" in entry else ""
    title = f"[{entry['title']}]({entry['url']})" if "url" in entry else f"*{entry['title']}*"
    return f"{' and '.join(map(full_name, entry['authors']))}{year}: {title}. {entry.get('notes', '')}"


def full_name(person: dict) -> str:
    """Return the name of a person or a group in CITATION.cff."""
    return person.get("name") or f"{person['given-names']} {person['family-names']}"
