"""Fill in where the project is published: run.py publish OWNER/REPO; publish "" takes it out; publish alone prints it.

The repository knows its address from one line, home in pyproject.toml. Code reads it by addresses(). Files that are
read as they are have a block between two comments, which this verb writes anew. It needs no environment.
"""

import re
import runpy
from pathlib import Path

from tools.environment import Stop
from tools.files import ROOT, replace

HOME = re.compile(r'^home = "(.*)"$', re.M)
BLOCK = re.compile(r"^(<!-- addresses -->\n|# addresses\n)(.*?)^(?=<!-- end of addresses -->|# end of addresses)",
                   re.M | re.S)  # fmt: skip
NAMES = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?/[A-Za-z0-9_.-]*[A-Za-z0-9_-]")
LINK = """\
    https://your-hub/hub/user-redirect/git-pull?repo={repository}&branch=main&targetpath=book&urlpath=lab/tree/book/notebooks/00_start_here.ipynb
"""
BLOCKS = {  # file -> its block with home, and without
    "README.md": ("""\
**[Read it in your browser]({site})**, with nothing to install.
[![Open the book on Binder](https://mybinder.org/badge_logo.svg)]({binder}00_start_here.ipynb)
[![Tests]({repository}/actions/workflows/test.yml/badge.svg)]({repository}/actions/workflows/test.yml)
""", ""),
    "docs/run.md": ("""\
Get the folder from [its repository]({repository}), with git or as a zip. Or work without installing anything:

- [the website]({site}) has every page; for use without a network take `site.zip` of a
  [release]({repository}/releases), unpack it, and open `index.html` by a double click;
- [Binder]({binder}00_start_here.ipynb) gives you JupyterLab in your browser, after some minutes. Work there is lost
  unless you download it.
""", ""),
    "deploy/README.md": (LINK, LINK.replace("{repository}", "https://your-git-server/book")),
    "CITATION.cff": ("url: {site}\nrepository-code: {repository}\n", ""),
    "pyproject.toml": ("""\
[project.urls]
Homepage = "{site}"
Source = "{repository}"
Issues = "{repository}/issues"
Changelog = "{repository}/blob/main/CHANGELOG.md"
Binder = "{binder}00_start_here.ipynb"
""", ""),
}  # fmt: skip


def addresses(root: Path = ROOT) -> dict[str, str]:
    """Read the addresses by the function of the book, which needs no package."""
    return runpy.run_path(str(ROOT / "workbook" / "home.py"))["addresses"](root)


def publish(arguments: list[str]) -> int:
    """Write home, if it is said, and every block made from it; print the addresses."""
    if len(arguments) > 1 or not all(home == "" or NAMES.fullmatch(home) for home in arguments):
        raise Stop('publish takes OWNER/REPO as GitHub has it, or "", e.g. python3 run.py publish jane/bayes-book.')
    for home in arguments:
        project, count = HOME.subn(f'home = "{home}"', (ROOT / "pyproject.toml").read_text("utf-8"))
        if count != 1:
            raise Stop('pyproject.toml needs one line home = "" under [tool.workbook]: put it back.')
        replace(ROOT / "pyproject.toml", project)
    for name in BLOCKS:
        replace(ROOT / name, fill_block(name))
    print("\n".join(f"{kind}: {address}" for kind, address in addresses(ROOT).items() if address)
          or "The project is published nowhere, and no text leads to it: docs/publish.md has the three steps.")
    return 0


def fill_block(name: str) -> str:
    """Return a file's text with its block made from home."""
    found = addresses(ROOT)
    filled, empty = BLOCKS[name]
    block = filled.format(**found) if found["home"] else empty
    text, count = BLOCK.subn(lambda marks: marks[1] + block, (ROOT / name).read_text("utf-8"))
    if count != 1:
        raise Stop(f"{name} needs one pair of the comments addresses, end of addresses: put them back.")
    return text
