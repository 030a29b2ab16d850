"""What Sphinx reads: the notebooks as the site shows them, and the pages around them, written to a folder."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from urllib.parse import quote

import nbformat
import yaml

from workbook.site import ledger, lectures, reference
from workbook.site.cells import Pictures, on_site
from workbook.site.settings import REPOSITORY, TITLE
from workbook.site.words import for_site

__all__ = ["BINDER", "ROOT", "chapters", "notebook", "section", "write"]

ROOT = Path(__file__).resolve().parents[2]
BINDER = f"https://mybinder.org/v2/{REPOSITORY.removeprefix('https://github.com/').join(['gh/', '/main'])}?urlpath="
ON_GITHUB = f"{REPOSITORY}/blob/main/"


def chapters() -> list[Path]:
    """The notebooks, in the order of the book."""
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def section(text: str, heading: str) -> str:
    """What stands under a heading of the second level."""
    return re.search(rf"^## {re.escape(heading)}\n(.+?)(?=^## |\Z)", text, re.M | re.S)[1].strip()


def write(folder: Path, pictures: Path) -> None:
    """All sources into an empty folder; pictures: the folder of the saved pictures."""
    readme = (ROOT / "README.md").read_text("utf-8")

    def save(name: str, picture: bytes) -> None:
        path = pictures / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture)

    for path in chapters():
        nbformat.write(notebook(path, save), folder / path.name)
    (folder / "reference").mkdir()
    for name in reference.doors():
        (folder / "reference" / f"{name.partition('.')[2]}.rst").write_text(reference.module_page(name), "utf-8")
    pages = {
        "index": _front(),
        "lectures": _lectures(readme),
        "ledger": _ledger(),
        "reference/index": reference.index(_outside(section(readme, "The library"))),
        "run": _run(readme),
        "about": _about(),
    }
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, "utf-8")


def notebook(path: Path, save) -> nbformat.NotebookNode:
    """A notebook as the site shows it; save(name, bytes) keeps a picture."""
    book = nbformat.read(path, 4)
    started: Counter[str] = Counter()

    def new_id(explorer: str) -> str:
        started[explorer] += 1
        again = f"-{started[explorer]}" if started[explorer] > 1 else ""
        return f"{path.name[:2]}.{explorer.removesuffix('Explorer').lower()}{again}"

    pictures = Pictures(path.name[:2], save)
    book.cells = [shown for cell in book.cells if (shown := on_site(cell, new_id, pictures))]
    for cell in book.cells:
        if cell.cell_type == "markdown":
            cell.source = for_site(path.stem, cell.source)
    title, _, rest = book.cells[0].source.partition("\n")
    book.cells[0].source = f"{title}\n\n{_where(path)}\n{rest}"
    return book


def _where(path: Path) -> str:
    """Where a page can be run."""
    place = f"notebooks/{path.name}"
    binder = f"{BINDER}{quote('lab/tree/' + place, safe='/')}"
    return f"[Open in Binder]({binder}) · [Run it on your machine](run.md) · [The notebook]({ON_GITHUB}{place})\n"


def _outside(text: str) -> str:
    """Text of the README: its links to files lead to the repository."""
    return re.sub(r"\]\((?!https?:|#)([^)]+)\)", rf"]({ON_GITHUB}\1)", text)


# --- the pages around the chapters -----------------------------------------------------------------------------------


def _front() -> str:
    start = nbformat.read(ROOT / "notebooks" / "00_start_here.ipynb", 4)
    text = "\n\n".join(cell.source for cell in start.cells if cell.cell_type == "markdown")
    book = "\n".join(path.stem for path in chapters())
    return f"""# {TITLE}

An interactive book on naive Bayes classifiers. You predict, move a slider, and are corrected.

Nothing to install: every figure on these pages answers to its sliders, predictions and exercises answer too, and your
answers stay in your browser. No page asks for anything from elsewhere; the whole site also works from a folder on your
disk, without a network.

**[Start here](00_start_here.ipynb)**: how a page works, and one line of mathematics that all of it stands on.

## The book

{section(text, "What this book is")}

{section(text, "The map")}

What the letters mean: [Notation](A_notation.ipynb).

## For lecturers

[Two lectures](lectures.md), of 45 and of 90 minutes: a link for each scene, with the sentence to say. `?lecture` behind a
page's address gives projector sizes, `?embed=` with an explorer's name shows that explorer alone, for slides and courses.

## For engineers

[nbcore](reference/index.md) is the library behind the pages: naive Bayes estimators for scikit-learn's pipelines, with
exact smoothing, calibrated posteriors, hidden nodes and unlabelled rows. Every claim of the papers that it was tested
against stands in [the ledger](ledger.md).

```{{toctree}}
:hidden:
:caption: The book

{book}
```

```{{toctree}}
:hidden:
:caption: Beside the book

lectures
ledger
reference/index
run
about
```
"""


def _lectures(readme: str) -> str:
    pages = {path.name[:2]: path.stem for path in chapters()}
    scenes = re.search(r"### A lecture of 45 minutes\n.+?(?=^## )", readme, re.M | re.S)[0]
    text = re.sub(r"^###", "##", scenes, flags=re.M)
    text = re.sub(r"Open the chapters' pages in tabs.*?\n(?=Let the room)", "", text, flags=re.S)
    return f"""# Lectures

Each link under *press* opens its page in projector sizes, with that preset pressed; the presets above the figure are the
running order. Everything works by keyboard: Tab to a slider, then the arrow keys.

{lectures.linked(text, pages)}
"""


def _ledger() -> str:
    return f"""# The ledger of claims

What five sources on naive Bayes state, what our code computes, and whether the two agree. An address such as
`ledger.html#C15-T1-03` leads to one claim. What the verdicts mean, and how luck is told from a mistake:
[chapter 11](11_reproduction_ledger.ipynb). As CSV, JSON and RO-Crate: `python3 run.py claims --export DIR`.

```{{raw}} html
{ledger.table()}
```
"""


def _run(readme: str) -> str:
    _, binder = section(readme, "Two commands").rsplit("\n\n", 1)
    return f"""# Run it on your machine

On this site figures, predictions and exercises are live, and functions are not: to write code, open the notebooks.

Get the book from [its repository]({REPOSITORY}), with git or as a zip, and start it from its folder:

{_outside(section(readme, "Two commands"))}
"""


def _about() -> str:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    sources = "\n".join(f"- {_reference(entry)}" for entry in cited["references"])
    return f"""# Licence and citation

Code is under the MIT licence, text and figures are under
[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/); the data carry their own licences. The words of both, and those
of the data: [LICENSE]({ON_GITHUB}LICENSE).

## To cite the book

{cited["authors"][0]["name"]}. *{cited["title"]}*, version {cited["version"]}. [{REPOSITORY}]({REPOSITORY}). The same for
citation managers: [CITATION.cff]({ON_GITHUB}CITATION.cff).

## The sources it reproduces

{sources}
"""


def _reference(entry: dict) -> str:
    authors = " and ".join(person.get("family-names", person.get("name")) for person in entry["authors"])
    year = f" ({entry['year']})" if "year" in entry else ""
    title = f"[{entry['title']}]({entry['url']})" if "url" in entry else f"*{entry['title']}*"
    return f"{authors}{year}: {title}. {entry.get('notes', '')}"
