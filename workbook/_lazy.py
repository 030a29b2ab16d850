"""Lazy imports (PEP 562): a module lists them under `if TYPE_CHECKING:`, and each is made at its first use.

So an editor finds the names, and a page that imports one name loads one chapter.
"""

import ast
import inspect
import sys
from collections.abc import Callable
from importlib import import_module

__all__ = ["lazy_names"]


def lazy_names(name: str) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` for the module with this name, which is being imported."""
    tree = ast.parse(inspect.getsource(sys.modules[name]))
    listed = next(node for node in tree.body if isinstance(node, ast.If)).body
    module_of = {alias.name: node.module for node in listed for alias in node.names}

    def get(wanted: str) -> object:
        if wanted not in module_of:
            raise AttributeError(f"module {name!r} has no attribute {wanted!r}; it has {', '.join(sorted(module_of))}")
        return getattr(import_module(module_of[wanted]), wanted)

    return sorted(module_of), get, lambda: sorted(module_of)
