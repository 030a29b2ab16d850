"""Where the project is published: every address is made from home in pyproject.toml, "OWNER/REPO" or "" for nowhere.

This file needs the standard library alone: tools/ and setup.py run it by its path, without the packages of the book.
"""

import tomllib
from pathlib import Path

__all__ = ["addresses"]

ROOT = Path(__file__).resolve().parents[1]


def addresses(root: Path = ROOT) -> dict[str, str]:
    """Return home and the addresses made from it, all "" while the project in this folder is published nowhere.

    repository on GitHub; site on GitHub Pages; binder, to which the name of a notebook is added; raw, to which
    TAG/PATH is added.
    """
    path = root / "pyproject.toml"
    home = tomllib.loads(path.read_text("utf-8"))["tool"]["workbook"]["home"] if path.exists() else ""
    owner, _, name = home.partition("/")
    host = f"{owner}.github.io".lower()
    made = {
        "repository": f"https://github.com/{home}",
        "site": f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/",
        "binder": f"https://mybinder.org/v2/gh/{home}/main?urlpath=lab/tree/notebooks/",
        "raw": f"https://raw.githubusercontent.com/{home}/",
    }
    return {"home": home} | {kind: address if home else "" for kind, address in made.items()}
