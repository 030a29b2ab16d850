"""Write the API reference of `nbcore` from its docstrings: a page for each module with all its public names."""

from __future__ import annotations

import inspect
import pkgutil
import re
from importlib import import_module

from sphinx.application import Sphinx

import nbcore

__all__ = ["doors", "module_page", "setup"]

# A trailing underscore (theta_), a star or a bar in prose is itself, not markup.
MARKUP = re.compile(r"(`[^`]*`)|(\w_(?!\w)|[*|])")
KINDS = ((inspect.isclass, "autoclass"), (callable, "autofunction"), (lambda thing: True, "autodata"))


def doors() -> list[str]:
    """List the names of the library's public modules."""
    names = (module.name for module in pkgutil.iter_modules(nbcore.__path__))
    return [f"nbcore.{name}" for name in names if not name.startswith("_") and name != "checks"]


def module_page(name: str) -> str:
    """Write the page of one module in reStructuredText."""
    module = import_module(name)
    parts = [name, "=" * len(name), f".. automodule:: {name}\n   :no-members:"]
    return "\n\n".join(parts[:1]) + "\n" + "\n\n".join([*parts[1:], *(_entry(module, part) for part in module.__all__)])


def _entry(module: object, name: str) -> str:
    thing = getattr(module, name)
    kind = next(word for fits, word in KINDS if fits(thing))
    members = "\n   :members:\n   :inherited-members:" if kind == "autoclass" else ""
    return f".. {kind}:: {module.__name__}.{name}{members}\n"


def plain(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Escape what reStructuredText would read as markup: docstrings are prose."""
    if what == "data":  # that of its type
        lines.clear()
    for number, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...", "..", ":")):
            lines[number] = MARKUP.sub(lambda found: found[1] or _literal(found[2]), line)


def foreign(app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object) -> bool | None:
    """Leave out what an estimator has from scikit-learn: it is described there."""
    return True if (getattr(obj, "__module__", None) or "").startswith("sklearn") else None


def _literal(text: str) -> str:
    return f"{text[:-1]}\\{text[-1]}"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension with Sphinx."""
    app.connect("autodoc-process-docstring", plain, priority=100)  # before napoleon makes fields of sections
    app.connect("autodoc-skip-member", foreign)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
