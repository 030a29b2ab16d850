"""Plugin of pytest under which scikit-learn's own tests of naive Bayes meet nbcore's classes.

A difference that may have a reason (the words of an error, `force_alpha`) is noted and the test goes on, so that its
later assertions are reached. At the end the notes are written as JSON: test -> list of notes.
"""

import json
import os
import re
import warnings
from collections import defaultdict
from contextlib import contextmanager
from functools import wraps
from types import SimpleNamespace

import pytest
import sklearn.naive_bayes

from nbcore import naive_bayes

NOTES = defaultdict(set)


def note(text):
    """Write down a difference of the test that runs."""
    NOTES[os.environ["PYTEST_CURRENT_TEST"].partition("::")[2].rpartition(" ")[0]].add(text)


def replace_class(name):
    """Put nbcore's class, or a skip, where scikit-learn's tests import theirs; `force_alpha` is noted and left out."""
    @wraps(getattr(sklearn.naive_bayes, name), updated=())
    def make(**settings):
        if not hasattr(naive_bayes, name):
            pytest.skip(f"no {name}")
        if settings.pop("force_alpha", None) is not None:
            note("force_alpha")
        return getattr(naive_bayes, name)(**settings)

    setattr(sklearn.naive_bayes, name, make)


for each in ("BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"):
    replace_class(each)


@contextmanager
def raises(error, match):
    """Expect an error of this type as pytest does; note it if its words are others."""
    with pytest.raises(error) as caught:
        yield
    if not re.search(match, str(caught.value)):
        note("other words")


@contextmanager
def warns(kind, match):
    """Let code run that scikit-learn warns of; note it if there is no such warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    if not any(issubclass(each.category, kind) and re.search(match, str(each.message)) for each in caught):
        note("no warning")


def pytest_collection_modifyitems(items):
    for item in items:
        item.module.pytest = SimpleNamespace(raises=raises, warns=warns)


def pytest_runtest_logreport(report):
    text = report.longrepr.reprcrash.message.partition("\n")[0] if report.failed else report.outcome
    if report.when == "call" or not report.passed:
        NOTES[report.nodeid.partition("::")[2]].add(text)


def pytest_sessionfinish():
    with open(os.environ["NOTES"], "w", encoding="utf-8") as file:
        json.dump({name: sorted(notes) for name, notes in NOTES.items()}, file)
