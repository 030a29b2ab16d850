"""The examples in nbcore's docstrings run, and whoever looks up an estimator finds one."""

import doctest
import inspect
import pkgutil
import re
from importlib import import_module

import pytest
from sklearn.base import BaseEstimator

import nbcore
from nbcore._base import CountingNB

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


def list_methods():
    """List each public method of the base models, once, with the class that writes it."""
    models = [thing for thing in public() if inspect.isclass(thing) and issubclass(thing, CountingNB)]
    owners = {owner: None for model in models for owner in model.__mro__ if owner.__module__.startswith("nbcore.")}
    return [pytest.param(owner, name, id=f"{owner.__name__}.{name}") for owner in owners
            for name, method in vars(owner).items() if inspect.isfunction(method) and name[0] != "_"]  # fmt: skip


@pytest.mark.parametrize(("owner", "name"), list_methods())
def test_a_method_says_what_it_takes_and_returns_and_shows_it(owner, name):
    """What raises itself says that, too. A method may refer to another one of its class or of a base, `Base.method`."""
    method, bases = vars(owner)[name], {base.__name__: base for base in owner.__mro__}
    for base, other in re.findall(r"`(\w+)\.(\w+)`", method.__doc__):
        method = vars(bases[base])[other] if base in bases else method
    if len(inspect.signature(method).parameters) == 1:
        return  # it takes nothing: its first sentence says what it returns
    sections = re.findall(r"^(\w+)\n-+$", inspect.getdoc(method), re.M)
    raises = ["Raises"] if "Raises" in sections or re.search(r"^ +raise ", inspect.getsource(method), re.M) else []
    assert sections == ["Parameters", "Returns", *raises, "Examples"]
    assert examples(method)
