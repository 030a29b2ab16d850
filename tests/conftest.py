import os
import shutil
from pathlib import Path

import pytest

from nbcore.datasets.fetchers import CORPORA, FetchError, fetch_file

# scikit-learn's checks of array types run only with this set, before scipy is imported.
os.environ["SCIPY_ARRAY_API"] = "1"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def together(nodeid):
    """What one worker (pytest-xdist) does in one go: a notebook's cells share a kernel, its browser tests a page, the
    tests of a file what they computed. xdist's own groups (3.8) do not reach it under pytest 9.2.
    """
    file, _, test = nodeid.partition("::")
    return f"{file} {test.partition('[')[2]}" if file.endswith("browser/test_notebooks.py") else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return together(nodeid)

    config.option.loadscopereorder = False  # the order is that of the collection
    return Together(config, log)


def pytest_collection_modifyitems(config, items):
    """Workers begin with what takes longest: pages, then notebooks."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: ("/browser/" not in item.nodeid, not item.path.name.endswith(".ipynb")))


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
