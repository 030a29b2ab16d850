"""The examples in nbcore's docstrings run, and whoever looks up an estimator finds one."""

import doctest
import inspect
import pkgutil
from importlib import import_module

import pytest
from sklearn.base import BaseEstimator

import nbcore

MODULES = [module.name for module in pkgutil.walk_packages(nbcore.__path__, "nbcore.")]


def examples(thing):
    return doctest.DocTestParser().get_examples(thing.__doc__ or "")


def public():
    """Every public class and function of the library, at its one address."""
    for module in (import_module(name) for name in MODULES if name.count(".") == 1 and "._" not in name):
        yield from (getattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("name", MODULES)
def test_its_examples_run(name):
    failed = []
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF, verbose=False)
    for test in doctest.DocTestFinder(exclude_empty=True).find(import_module(name)):
        runner.run(test, out=failed.append)
    assert not failed, "".join(failed)


def test_every_estimator_and_ten_functions_show_how_they_are_used():
    estimators = {thing for thing in public() if inspect.isclass(thing) and issubclass(thing, BaseEstimator)}
    assert not [thing.__name__ for thing in estimators if not examples(thing)]
    assert len({thing for thing in public() if inspect.isfunction(thing) and examples(thing)}) >= 10
