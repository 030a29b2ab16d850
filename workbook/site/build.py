"""Build the website (`run.py site`): pages, questions and the frames of every explorer, in one folder."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace

from workbook.chapters import chapter_packages
from workbook.site.pages import source
from workbook.site.pages.settings import SETTINGS

__all__ = ["MARK", "Refused", "build", "pages", "prepared", "zipped"]

MARK = ".made-by-run-py-site"  # a file in every folder that was built here: no other folder is emptied
COLORS = re.compile(r"\x1b\[[0-9;]*m")


class Refused(Exception):  # noqa: N818
    """Error that says in one sentence why there is no site."""


def build(
    folder: Path,
    packs: bool = True,
    classes: Sequence[str] | None = None,
    most: int | None = None,
    say: Callable[[str], None] = print,
    chapters: Sequence[str] | None = None,
) -> None:
    """Build the site anew into a folder.

    packs: whether explorers and questions are live; classes: only these explorers; most: states of each explorer;
    chapters: only the questions of these, and no lectures.
    """
    folder, start = prepared(Path(folder)), time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        say("Pages ...")
        asked = [f"../questions/{number}.js" for number in chapters or chapter_packages()]
        pages(folder, Path(work), [*_script(Path(work)), *asked] if packs else [])
    if packs:
        _write_live(folder, classes, most, say, chapters)
    (folder / ".nojekyll").touch()  # else GitHub Pages hides the folders that begin with an underscore
    (folder / MARK).touch()
    say(f"Written in {time.monotonic() - start:.0f} s.")


def prepared(folder: Path) -> Path:
    """Empty a folder for the site and return it; Refused if it holds anything but a site."""
    if folder.exists() and not folder.is_dir():
        raise Refused(f"{folder} is a file: say another folder for the site.")
    if folder.is_dir() and any(folder.iterdir()):
        if not (folder / MARK).exists():
            raise Refused(f"{folder} holds other things than a site: say an empty folder, or one that is not there.")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
    return folder


def pages(folder: Path, work: Path, live: list[str]) -> None:
    """Let Sphinx build the pages; live: the files of _static that pages with explorers load. A warning is an error."""
    sources, extra, warnings = work / "source", work / "extra", StringIO()
    for made in (sources, extra, work / "static"):
        made.mkdir(exist_ok=True)
    source.write(sources, extra)
    own = {"html_static_path": [*SETTINGS["html_static_path"], str(work / "static")]}
    settings = SETTINGS | own | {"html_extra_path": [str(extra)], "site_files": live}
    try:
        with docutils_namespace():  # what is registered is forgotten again: a second site in one process is no warning
            built = work / "html"  # MyST-NB writes beside it
            app = Sphinx(sources, None, built, work / "doctrees", "html", settings, None, warnings, freshenv=True)
            app.build(force_all=True)
    except SphinxError as problem:
        raise Refused(f"Sphinx stopped: {problem}") from problem
    if warnings.getvalue():
        raise Refused(f"Sphinx warns, so there is no site: {COLORS.sub('', warnings.getvalue()).strip()}")
    shutil.copytree(built, folder, dirs_exist_ok=True)


def _script(work: Path) -> list[str]:
    """Write the player's script and style to where Sphinx finds them, and return their names."""
    from workbook.site.player.script import site_script, site_style

    (work / "static").mkdir()
    (work / "static" / "nb.js").write_text(site_script(), "utf-8")
    (work / "static" / "nb.css").write_text(site_style(), "utf-8")
    return ["nb.js", "nb.css"]


def _write_live(folder: Path, classes, most, say: Callable[[str], None], chapters) -> None:
    """Write the scripts with questions and frames."""
    from workbook.site.lectures import shown
    from workbook.site.packs import packs
    from workbook.site.pages import stills
    from workbook.site.player import questions, variants

    questions.write(folder, say, chapters)
    variants.write(folder, say, chapters)
    packs.write(folder, source.ROOT / ".site-cache", say, classes, most)
    if not chapters:
        stills.write(folder)
        shown.write(folder, say)


def zipped(folder: Path) -> Path:
    """Write the site as FOLDER.zip beside it: unpacked it is one folder, whose index.html opens by a double click."""
    folder = folder.resolve()
    return Path(shutil.make_archive(str(folder), "zip", folder.parent, folder.name))
