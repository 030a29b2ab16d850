import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

import pytest

from nbcore.datasets.fetchers import CORPORA, FetchError, fetch_file

# scikit-learn's checks of array types run only with this set, before scipy is imported.
os.environ["SCIPY_ARRAY_API"] = "1"
ROOT = Path(__file__).resolve().parents[1]
MADE = """import sys
from workbook.site.build import build
build(sys.argv[1], most=40)"""
TESTS = count()
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_configure(config):
    """Workers and kernels share what they fit, in a folder that is new for every run. What runs in the background
    ignores Ctrl-C, and so would every program that a test starts and interrupts.
    """
    if "NBCORE_FITS" not in os.environ:  # in the process that starts the workers
        os.environ["NBCORE_FITS"] = tempfile.mkdtemp()
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop("NBCORE_FITS"), ignore_errors=True))
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def own_progress(monkeypatch, tmp_path_factory):
    """What a test answers is kept in a file of its own, in a folder that is not there yet; and no test is on Binder."""
    place = tmp_path_factory.getbasetemp() / "progress" / str(next(TESTS)) / "progress.json"
    monkeypatch.setenv("NBCORE_PROGRESS", str(place))
    monkeypatch.delenv("BINDER_SERVICE_HOST", raising=False)


@pytest.fixture(autouse=True)
def closed_figures():
    """A figure that pyplot holds ends with its test."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="session")
def thorough(pytestconfig):
    """Whether this run may take minutes (--slow): what draws by chance draws more then."""
    return pytestconfig.getoption("slow", False)


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


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site, with live questions and explorers on the pages that are rebuilt, made once for all workers."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, ended = shared / "site", shared / "site.ended"
    try:
        (shared / "site.begun").mkdir()
    except FileExistsError:  # by another worker
        while not ended.exists():
            time.sleep(0.2)
    else:
        made = subprocess.run([sys.executable, "-c", MADE, folder], cwd=ROOT, capture_output=True, text=True)
        ended.with_suffix(".new").write_text("" if made.returncode == 0 else made.stdout + made.stderr, "utf-8")
        ended.with_suffix(".new").rename(ended)
    assert ended.read_text("utf-8") == ""
    return folder
