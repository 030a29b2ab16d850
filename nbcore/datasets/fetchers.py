"""Download a pinned file once, check its sha256, and read it from the cache ever after.

The cache is the system's usual cache folder for "naive-bayes-workbook"; set the environment variable NBCORE_DATA
to keep it elsewhere (a shared folder in a lecture hall, say). A file that is already there is never downloaded again.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple


class FetchError(OSError):
    """Error of a fetcher; its message is one sentence that says what to do."""


class OfflineError(FetchError):
    """The server could not be reached, or the connection broke off."""


class Corpus(NamedTuple):
    """The address of a file, and the sha256 that proves it is the right one."""

    url: str
    sha256: str


GITHUB = "https://raw.githubusercontent.com"
NLTK_DATA = f"{GITHUB}/nltk/nltk_data/5db857e6f7df11eabb5e5665836db9ec8df07e28"
TEXT_GCN = f"{GITHUB}/yao8839836/text_gcn/962223652e9bb164ac2d83cd09fc7b8845ce860b"

CORPORA = {
    "names.zip": Corpus(
        f"{NLTK_DATA}/packages/corpora/names.zip", "0eec7e958b34982662b8f05824ae64642dea097b08057ade65c252191c5fe7ca"
    ),
    "r8-train.txt": Corpus(
        f"{TEXT_GCN}/data/R8/train.txt", "3ed60c905aaa95b96c3fc4afb6d14ad2e20106c59c5b9dda950dcb3075eecfbe"
    ),
    "r8-test.txt": Corpus(
        f"{TEXT_GCN}/data/R8/test.txt", "2ba368c42e6808bc3dc68b8f7879eb07a2810ed137f0b304e2213b689677e561"
    ),
}


def _import_extra(package: str) -> ModuleType:
    """Import and return a package that only downloads need."""
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(f'Downloads need {package}: pip install "naive-bayes-workbook[fetch]".') from error


def _make_cache(name: str) -> Any:
    """Return the pooch that caches the file `name`."""
    pooch = _import_extra("pooch")
    url, sha256 = CORPORA[name]
    files = {"base_url": "", "registry": {name: f"sha256:{sha256}"}, "urls": {name: url}}
    return pooch.create(pooch.os_cache("naive-bayes-workbook"), env="NBCORE_DATA", **files)


def is_cached(name: str) -> bool:
    """Return whether the file `name` (a key of CORPORA) is whole in the cache: `fetch_file` stays offline."""
    path = _make_cache(name).abspath / name
    return path.is_file() and bool(_import_extra("pooch").file_hash(str(path)) == CORPORA[name].sha256)


def fetch_file(name: str) -> Path:
    """Return the path of the cached file `name` (a key of CORPORA), downloading it first if need be.

    OfflineError: the server cannot be reached or the connection broke off. FetchError: the server refused, as by 404,
    the download is not the pinned file, and nothing of it stays in the cache, or the cache folder cannot be written.
    """
    requests = _import_extra("requests")
    url, sha256 = CORPORA[name]
    cache = _make_cache(name)
    try:
        return Path(_fetch_quietly(cache, name))
    except requests.HTTPError as error:
        code = error.response.status_code
        message = f"{name} could not be downloaded because the server answered {code} for {url}: try again later."
        raise FetchError(message) from error
    except requests.RequestException as error:
        lacking = "is damaged in the cache" if (cache.abspath / name).is_file() else "is not in the cache yet"
        lost = "broke off" if isinstance(error, requests.exceptions.ChunkedEncodingError) else "cannot be reached"
        message = f"{name} {lacking} and {url} {lost}: connect to the internet and try again "
        message += f"(once downloaded, it is read from {cache.abspath})."
        raise OfflineError(message) from error
    except ValueError as error:  # pooch's word for a checksum mismatch
        message = f"The download of {name} from {url} was thrown away because its sha256 is not the pinned {sha256}: "
        message += "try again, on another network if a login page answers in the server's place."
        raise FetchError(message) from error
    except OSError as error:
        message = f"{name} cannot be kept in the cache folder {cache.abspath} ({error.strerror or error}): "
        message += "set the environment variable NBCORE_DATA to a folder you can write to."
        raise FetchError(message) from error


def _fetch_quietly(cache: Any, name: str) -> str:
    """Fetch through pooch without its log lines, as the progress bar says enough, and return the path."""
    logger = _import_extra("pooch").get_logger()
    level = logger.level
    logger.setLevel("WARNING")
    try:
        return cache.fetch(name, downloader=_download_with_progress)
    finally:
        logger.setLevel(level)


def _download_with_progress(url: str, output_file: str, cache: Any) -> None:
    """Write the response of `url` to `output_file` under a progress bar; pooch calls this only on a cache miss."""
    requests, tqdm = _import_extra("requests"), _import_extra("tqdm").tqdm
    with requests.get(url, stream=True, timeout=30) as response, open(output_file, "wb") as file:
        response.raise_for_status()
        size = int(response.headers.get("Content-Length", 0)) or None
        with tqdm(desc=url.rpartition("/")[2], total=size, unit="B", unit_scale=True) as bar:
            for chunk in response.iter_content(chunk_size=1 << 16):
                file.write(chunk)
                bar.update(response.raw.tell() - bar.n)  # bytes on the wire: the server may have compressed them
