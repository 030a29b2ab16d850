"""Cache of computed packs: an entry holds as long as no code, data or library changed that it came from."""

from __future__ import annotations

import ast
import json
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

__all__ = ["CacheFile", "fingerprint", "sources"]

ROOT = Path(__file__).parents[3]
LIBRARIES = "numpy", "scipy", "scikit-learn", "plotly", "contourpy"
PACKER = "workbook.site.packs.packs"  # the code that makes packs matters, too
DATA = "*.csv", "*.json", "data/*.csv", "data/*.json"


class CacheFile:
    """A dict in a file, valid for equal dependencies; its entry "data" may be bytes."""

    def __init__(self, path: Path, depends: tuple):
        self.path, self.key = path, sha256(repr(depends).encode()).hexdigest()

    def get(self) -> dict | None:
        """Return the dict from the file; None if there is no file, or it was written for other dependencies."""
        if not self.path.is_file():
            return None
        head, _, data = self.path.read_bytes().partition(b"\n")
        found = json.loads(head)
        if found.pop("key") != self.key:
            return None
        return found | ({"data": data} if data else {})

    def put(self, entry: dict) -> None:
        """Replace the file by this dict, with the key of its dependencies, in one step."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        head = {name: value for name, value in entry.items() if name != "data"} | {"key": self.key}
        new = self.path.with_suffix(f"{self.path.suffix}.new")
        new.write_bytes(json.dumps(head).encode() + b"\n" + entry.get("data", b""))
        new.replace(self.path)


def fingerprint(kind: type, *details: object) -> str:
    """Hash all that an explorer's frames may depend on: code, data, libraries, and further details."""
    found = sha256(repr([(name, version(name)) for name in LIBRARIES]).encode() + repr(details).encode())
    for path in sorted(sources(kind.__module__) | sources(PACKER)):
        found.update(path.relative_to(ROOT).as_posix().encode() + sha256(path.read_bytes()).digest())
    return found.hexdigest()


@lru_cache(maxsize=1024)
def sources(module: str) -> frozenset[Path]:
    """List the files of a module and of all modules of the project that it imports, with the data beside them."""
    found, left = set(), [module]
    while left:
        name = left.pop()
        path = _file(name)
        if path is None or path in found:
            continue
        found |= {path, *(data for pattern in DATA for data in path.parent.glob(pattern))}
        left += _imports(name, path)
    return frozenset(found)


def _file(module: str) -> Path | None:
    """Return the file of a module of the project, None for any other module."""
    if module.split(".")[0] not in ("workbook", "nbcore"):
        return None
    base = ROOT.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


@lru_cache(maxsize=1024)
def _imports(module: str, path: Path) -> list[str]:
    """List the modules that the file of a module imports, and names that may be modules."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found = [package]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return found
