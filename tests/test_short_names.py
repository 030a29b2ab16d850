"""The short addresses of the library: what `from nbcore import ...` gives, and when it is loaded."""

import inspect
import subprocess
import sys
from importlib import import_module
from operator import attrgetter

import pytest

import nbcore


def test_a_short_name_is_the_one_of_its_module():
    for name in set(nbcore.__all__) - {"__version__"}:
        thing = getattr(nbcore, name)
        assert thing.__name__ == name
        module = import_module(".".join(thing.__module__.split(".")[:2]))
        assert getattr(module, name) is thing
    assert dir(nbcore) == sorted(nbcore.__all__), "for completion"
    with pytest.raises(AttributeError, match="module 'nbcore' has no attribute 'diagnosee'"):
        _ = nbcore.diagnosee


def test_importing_nbcore_loads_nothing_and_asking_does():
    loaded = "print('sklearn' in sys.modules)"
    code = f"import sys, nbcore; {loaded}; from nbcore import MixedNB; {loaded}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.parametrize("call", ["diagnose", "MixedNB.fit", "Adjusted.fit", "NomogramDisplay.from_estimator"])
def test_help_shows_a_signature_as_it_is_written(call):
    assert len(str(inspect.signature(attrgetter(call)(nbcore)))) < 120
