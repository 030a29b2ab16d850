"""The fetchers against a server of our own on 127.0.0.1: good, truncated, altered, refused, 404."""

import gzip
import hashlib
import io
import logging
import socket
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pooch
import pytest

from nbcore import datasets
from nbcore.datasets.fetchers import CORPORA, ChecksumError, Corpus, FetchError, OfflineError, fetch_file, is_cached


class Handler(BaseHTTPRequestHandler):
    """Serves `server.answers[path]` = (status, body, length or None[, encoding]) and remembers what was asked."""

    def do_GET(self):
        self.server.requests.append(self.path)
        status, body, length, *encoding = self.server.answers[self.path]
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        if encoding:
            self.send_header("Content-Encoding", *encoding)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def zip_of(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in members.items():
            archive.writestr(f"names/{name.replace('_', '.')}", text)
    return buffer.getvalue()


TERMS = "You may pass these names on with this file.\n"
ARCHIVE = zip_of(README=TERMS, female_txt="Zoë\nGale \nAnn\n", male_txt="Bob\nAnn\n")
TRAIN, TEST = b"ship\tthe boat\nacq\ttakes over\tall", "acq\tcaf\u00e9 bought\n".encode()
BODIES = {"names.zip": ARCHIVE, "r8-train.txt": TRAIN, "r8-test.txt": TEST}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache folder that NBCORE_DATA points to; the folder itself is not there yet."""
    monkeypatch.setenv("NBCORE_DATA", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return tmp_path / "cache"


@pytest.fixture
def server(cache, monkeypatch):
    """A server that answers well, with every corpus pinned to it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.requests, server.answers = [], {f"/{name}": (200, body, len(body)) for name, body in BODIES.items()}
    for name, body in BODIES.items():
        url = f"http://127.0.0.1:{server.server_port}/{name}"
        monkeypatch.setitem(CORPORA, name, Corpus(url, hashlib.sha256(body).hexdigest()))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def files_in(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_every_address_is_pinned():
    assert set(CORPORA) == {"names.zip", "r8-train.txt", "r8-test.txt"}
    for url, sha256 in CORPORA.values():
        owner_and_commit = url.removeprefix("https://raw.githubusercontent.com/").split("/")
        assert url.startswith("https://")
        assert len(owner_and_commit[2]) == 40
        assert len(sha256) == 64
        assert set(owner_and_commit[2] + sha256) <= set("0123456789abcdef")


def test_the_papers_files_are_the_pinned_bytes(papers_data):
    for name, (_, sha256) in CORPORA.items():
        assert hashlib.sha256((papers_data / name).read_bytes()).hexdigest() == sha256


def test_first_call_downloads_with_a_progress_bar_second_call_is_silent(server, cache, capsys, monkeypatch):
    level, lines = pooch.get_logger().level, []
    kept = logging.Handler()
    kept.emit = lines.append
    monkeypatch.setattr(pooch.get_logger(), "handlers", [kept])
    assert fetch_file("names.zip") == cache / "names.zip"
    assert (cache / "names.zip").read_bytes() == ARCHIVE
    first = capsys.readouterr()
    assert first.out == ""
    assert first.err.strip().startswith("names.zip:")  # the bar
    assert "100%" in first.err
    assert lines == []
    assert pooch.get_logger().level == level  # others may want to read it
    assert fetch_file("names.zip") == cache / "names.zip"
    second = capsys.readouterr()
    assert (second.out, second.err) == ("", "")
    assert server.requests == ["/names.zip"]


def test_a_compressed_answer_is_unpacked_and_fills_the_bar(server, cache, capsys):
    packed = gzip.compress(TRAIN)
    server.answers["/r8-train.txt"] = (200, packed, len(packed), "gzip")
    assert fetch_file("r8-train.txt").read_bytes() == TRAIN
    assert f"{len(packed)}.0/{len(packed)}.0" in capsys.readouterr().err  # with a digit: thousands would be k


def test_a_long_file_arrives_in_parts_and_the_bar_counts_each_once(server, capsys, monkeypatch):
    body = bytes(150_000)  # two parts and a bit
    monkeypatch.setitem(CORPORA, "r8-train.txt", Corpus(CORPORA["r8-train.txt"].url, hashlib.sha256(body).hexdigest()))
    server.answers["/r8-train.txt"] = (200, body, len(body))
    assert fetch_file("r8-train.txt").read_bytes() == body
    assert "150k/150k" in capsys.readouterr().err


def test_the_bar_of_a_file_that_does_not_announce_its_length_has_no_end(server, capsys):
    server.answers["/r8-train.txt"] = (200, TRAIN, None)
    fetch_file("r8-train.txt")
    assert "%" not in capsys.readouterr().err


def test_fetch_names_keeps_the_terms_beside_the_archive(server, cache):
    for _ in range(2):
        names = datasets.fetch_names()
        assert names.data.tolist() == ["Ann", "Ann", "Bob", "Gale", "Zoë"]
        assert names.target_names[names.target].tolist() == ["female", "male", "male", "female", "female"]
        assert names.license == TERMS
        assert files_in(cache) == ["names-README.txt", "names.zip"]
        assert (cache / "names-README.txt").read_text(encoding="utf-8") == TERMS
    (cache / "names-README.txt").unlink()
    datasets.fetch_names()
    assert files_in(cache) == ["names-README.txt", "names.zip"]
    assert server.requests == ["/names.zip"]


def test_fetch_r8_reads_label_tab_text(server):
    for _ in range(2):
        r8 = datasets.fetch_r8()
        assert r8.target_names.tolist() == ["acq", "ship"]
        assert (r8.data, r8.target.tolist()) == (["the boat", "takes over\tall"], [1, 0])
        assert (r8.test_data, r8.test_target.tolist()) == (["café bought"], [0])
    assert server.requests == ["/r8-train.txt", "/r8-test.txt"]


def test_what_is_in_the_cache_is_known_without_a_request(server, cache):
    assert not is_cached("r8-test.txt")
    assert server.requests == []
    fetch_file("r8-test.txt")
    assert is_cached("r8-test.txt")
    assert not is_cached("r8-train.txt")
    assert len(server.requests) == 1


def test_a_damaged_file_in_the_cache_is_fetched_anew(server, cache):
    cache.mkdir()
    (cache / "names.zip").write_bytes(b"half a file")
    assert fetch_file("names.zip").read_bytes() == ARCHIVE
    assert server.requests == ["/names.zip"]


def test_a_damaged_file_offline_is_not_cached_and_the_sentence_says_what_is_wrong(cache, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/names.zip"
    monkeypatch.setitem(CORPORA, "names.zip", Corpus(url, hashlib.sha256(ARCHIVE).hexdigest()))
    cache.mkdir()
    (cache / "names.zip").write_bytes(ARCHIVE[:-1])
    assert not is_cached("names.zip")
    with pytest.raises(OfflineError) as error:
        datasets.fetch_names()
    assert sentence(error).startswith(f"names.zip is damaged in the cache and {url} cannot be reached: connect")
    (cache / "names.zip").write_bytes(ARCHIVE)
    assert is_cached("names.zip")
    assert len(datasets.fetch_names().data) == 5


def sentence(error):
    """The message, checked to be one sentence on one line."""
    text = str(error.value)
    assert "\n" not in text
    assert text.endswith(".")
    assert ". " not in text
    return text


def test_altered_bytes(server, cache):
    server.answers["/names.zip"] = (200, b"<html>please log in</html>", 26)
    with pytest.raises(ChecksumError) as error:
        datasets.fetch_names()
    text = sentence(error)
    assert (
        f"http://127.0.0.1:{server.server_port}/names.zip was thrown away because its sha256 is not the pinned" in text
    )
    assert CORPORA["names.zip"].sha256 in text
    assert "try again" in text
    assert files_in(cache) == []


def test_altered_bytes_do_not_replace_a_cached_file(server, cache):
    fetch_file("r8-test.txt")
    server.answers["/r8-train.txt"] = (200, b"nonsense", 8)
    with pytest.raises(ChecksumError):
        datasets.fetch_r8()
    assert files_in(cache) == ["r8-test.txt"]


def test_download_that_breaks_off(server, cache):
    server.answers["/names.zip"] = (200, ARCHIVE[:100], len(ARCHIVE))
    with pytest.raises(OfflineError) as error:
        datasets.fetch_names()
    assert (
        sentence(error) == f"The download of names.zip from {CORPORA['names.zip'].url} broke off half-way: try again."
    )
    assert files_in(cache) == []


def test_connection_refused(cache, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/names.zip"
    monkeypatch.setitem(CORPORA, "names.zip", Corpus(url, "0" * 64))
    with pytest.raises(OfflineError) as error:
        datasets.fetch_names()
    text = sentence(error)
    assert text.startswith(f"names.zip is not in the cache yet and {url} cannot be reached: connect to the internet")
    assert str(cache) in text
    assert files_in(cache) == []


@pytest.mark.parametrize("status", [404, 503])
def test_server_that_refuses(server, cache, status):
    server.answers["/names.zip"] = (status, b"sorry", 5)
    with pytest.raises(FetchError) as error:
        datasets.fetch_names()
    assert not isinstance(error.value, OfflineError | ChecksumError)
    assert sentence(error) == (
        f"names.zip could not be downloaded because the server answered {status} for {CORPORA['names.zip'].url}: "
        "try again later."
    )
    assert files_in(cache) == []


def test_cache_that_cannot_be_written(server, cache):
    cache.write_text("a file where the folder should be")
    with pytest.raises(FetchError) as error:
        datasets.fetch_names()
    assert sentence(error).startswith(f"names.zip cannot be kept in the cache folder {cache} (")
    assert "[Errno" not in sentence(error)  # the system's words, without its number
    assert sentence(error).endswith("set the environment variable NBCORE_DATA to a folder you can write to.")


def test_without_nbcore_data_the_systems_cache_folder_is_used(server, cache, monkeypatch):
    monkeypatch.delenv("NBCORE_DATA")
    monkeypatch.setattr("pooch.os_cache", lambda project: cache / project)
    assert fetch_file("names.zip") == cache / "naive-bayes-workbook" / "names.zip"


def test_every_fetch_error_is_an_os_error():
    assert issubclass(FetchError, OSError)
    assert all(issubclass(kind, FetchError) for kind in (datasets.OfflineError, datasets.ChecksumError))
