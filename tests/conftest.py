import os
import shutil
from pathlib import Path

import pytest

from nbcore.datasets.fetchers import CORPORA, FetchError, fetch_file

# scikit-learn's checks of array types run only with this set, before scipy is imported.
os.environ["SCIPY_ARRAY_API"] = "1"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


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
