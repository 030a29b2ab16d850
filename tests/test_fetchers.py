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
from nbcore.datasets.fetchers import CORPORA, Corpus, FetchError, OfflineError, fetch_file, is_cached


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


def test_a_damaged_file_in_the_cache_is_fetched_anew(server, cache):
    cache.mkdir()
    (cache / "names.zip").write_bytes(b"half a file")
    assert fetch_file("names.zip").read_bytes() == ARCHIVE
    assert server.requests == ["/names.zip"]


def test_without_nbcore_data_the_systems_cache_folder_is_used(server, cache, monkeypatch):
    monkeypatch.delenv("NBCORE_DATA")
    monkeypatch.setattr("pooch.os_cache", lambda project: cache / project)
    assert fetch_file("names.zip") == cache / "naive-bayes-workbook" / "names.zip"


def refusal(kind, fetch=datasets.fetch_names):
    """Return the message of the FetchError of exactly this kind that a fetcher raises, checked to be one sentence."""
    with pytest.raises(OSError, match=r"\.$") as error:
        fetch()
    assert type(error.value) is kind
    text = str(error.value)
    assert "\n" not in text
    assert ". " not in text
    return text


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ((200, b"<html>please log in</html>", 26), FetchError,
         "The download of names.zip from {url} was thrown away because its sha256 is not the pinned {sha256}: try "
         "again, on another network if a login page answers in the server's place."),
        ((200, ARCHIVE[:100], len(ARCHIVE)), OfflineError,
         "names.zip is not in the cache yet and {url} broke off: connect to the internet and try again (once "
         "downloaded, it is read from {cache})."),
        *(((status, b"sorry", 5), FetchError, "names.zip could not be downloaded because the server answered "
           f"{status} for {{url}}: try again later.") for status in (404, 503)),
    ],
    ids=["altered", "broken off", "404", "503"],
)  # fmt: skip
def test_a_bad_answer_leaves_nothing_new_in_the_cache(server, cache, answer, kind, words):
    fetch_file("r8-test.txt")
    server.answers["/names.zip"] = answer
    assert refusal(kind) == words.format(cache=cache, **CORPORA["names.zip"]._asdict())
    assert files_in(cache) == ["r8-test.txt"]


def test_without_a_server_the_sentence_says_whether_the_file_is_missing_or_damaged(cache, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/names.zip"
    monkeypatch.setitem(CORPORA, "names.zip", Corpus(url, hashlib.sha256(ARCHIVE).hexdigest()))
    assert not is_cached("names.zip")
    missing = refusal(OfflineError)
    assert missing.startswith(f"names.zip is not in the cache yet and {url} cannot be reached: connect to the internet")
    assert str(cache) in missing
    assert files_in(cache) == []
    cache.mkdir(exist_ok=True)
    (cache / "names.zip").write_bytes(ARCHIVE[:-1])
    assert not is_cached("names.zip")
    assert refusal(OfflineError).startswith(f"names.zip is damaged in the cache and {url} cannot be reached: connect")
    (cache / "names.zip").write_bytes(ARCHIVE)
    assert is_cached("names.zip")
    assert len(datasets.fetch_names().data) == 5


def test_cache_that_cannot_be_written(server, cache):
    cache.write_text("a file where the folder should be")
    said = refusal(FetchError)
    assert said.startswith(f"names.zip cannot be kept in the cache folder {cache} (")
    assert "[Errno" not in said  # the system's words, without its number
    assert said.endswith("set the environment variable NBCORE_DATA to a folder you can write to.")
