"""What is remembered is bounded: a kernel that runs for a day does not fill up with every state of every slider."""

import functools
import inspect
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("nbcore", "workbook")
    for path in sorted((ROOT / package).rglob("*.py"))
]


def caches(module):
    """Every functools cache of a module, of its classes too: its name and the cached function."""
    holders = [module, *(thing for _, thing in inspect.getmembers(module, inspect.isclass))]
    for holder in holders:
        for name, thing in vars(holder).items():
            if isinstance(thing, functools._lru_cache_wrapper) and thing.__module__ == module.__name__:
                yield name, thing


@pytest.mark.parametrize("name", MODULES)
def test_every_cache_has_a_bound_or_no_arguments(name):
    unbounded = [
        function
        for function, cache in caches(import_module(name))
        if cache.cache_parameters()["maxsize"] is None and inspect.signature(cache).parameters
    ]
    assert not unbounded


def test_the_walk_finds_caches():
    found = {function for name in MODULES for function, _ in caches(import_module(name))}
    assert {"names_split", "_many", "chapter_packages"} <= found
    assert len(found) > 30
