import os
import shutil
from pathlib import Path

import pytest

from nbcore.datasets.fetchers import CORPORA, FetchError, fetch_file

# scikit-learn's checks of array types run only with this set, before scipy is imported.
os.environ["SCIPY_ARRAY_API"] = "1"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
FIRST = {"pages": 0, "cells": 1, "file": 2}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """For workers (pytest-xdist, --dist loadgroup): what belongs together stays on one, and the longest comes first.

    A notebook's cells share a kernel, its browser tests a page ("pages ..."), the tests of a file what they computed.
    """
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            kind = "cells" if item.path.suffix == ".ipynb" else "file"
            item.add_marker(pytest.mark.xdist_group(f"{kind} {item.nodeid.partition('::')[0]}"))
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: FIRST[item.get_closest_marker("xdist_group").args[0].split()[0]])


@pytest.fixture(scope="session")
def papers_data(tmp_path_factory):
    """Fill the fetchers' cache with the papers' corpora: from ../shared/data where that exists, else by download."""
    with pytest.MonkeyPatch.context() as patch:
        if SHARED.is_dir():
            folder = tmp_path_factory.mktemp("corpora")
            for name in CORPORA:
                shutil.copyfile(SHARED / name, folder / name)
            patch.setenv("NBCORE_DATA", str(folder))
        try:
            paths = [fetch_file(name) for name in CORPORA]
        except FetchError as error:
            if SHARED.is_dir():
                raise
            pytest.skip(f"The papers' corpora cannot be downloaded here. {error}")
        yield paths[0].parent
