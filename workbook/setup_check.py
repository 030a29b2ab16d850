"""Check in plain words, for the first page, that everything is here that the book needs."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

__all__ = ["check_setup"]

NEEDED = ("jupyterlab", "ipywidgets", "anywidget", "plotly", "numpy", "scipy", "scikit-learn", "matplotlib")
PYTHON = (3, 11)


@dataclass(frozen=True)
class SetupCheck:
    """The versions found, a line each, and the names of the parts that are missing."""

    lines: tuple[str, ...]
    missing: tuple[str, ...]

    def __repr__(self):
        verdict = (
            f"Missing: {', '.join(self.missing)}. Start the book with `python3 run.py lab`, which installs all of it."
            if self.missing
            else "Everything is here. If the sliders below do not move, read the list above this cell."
        )
        return "\n".join([*self.lines, verdict])


def check_setup() -> SetupCheck:
    """Check Python and the packages that the pages need."""
    found = {name: installed_version(name) for name in NEEDED}
    old = sys.version_info[:2] < PYTHON
    lines = [f"Python {platform.python_version()}{' is too old' if old else ''}"]
    lines += [f"{name} {number or 'is missing'}" for name, number in found.items()]
    python = [f"Python {PYTHON[0]}.{PYTHON[1]} or newer"] if old else []
    return SetupCheck(tuple(lines), (*python, *(name for name, number in found.items() if number is None)))


def installed_version(name: str) -> str | None:
    """Return the version of a package, None if it is not here."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
