"""Real set-ups by a real pip in a small book of three packages; the last one is that of the real book.

Only `run.py test --slow` runs them. "Online" means: the packages lie in a folder; "offline": the index does not answer.
"""

import base64
import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[1]
LOCK = "requirements.lock"
PYTHON = getattr(sys, "_base_executable", sys.executable)
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such thing.")
PLAIN = {name: value for name, value in os.environ.items()
         if not re.match("PIP_|PYTHON|VIRTUAL_ENV|.*_proxy$", name, re.IGNORECASE)} | {"PIP_CONFIG_FILE": os.devnull}


def wheel(house, name, version):
    """A wheel of one package with one module; the line of a lock that pins it."""
    path, info = house / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    files = {f"{name}/__init__.py": f"version = {version!r}\n",
             f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
             f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
             f"{info}/entry_points.txt": f"[console_scripts]\n{name} = {name}:print\n"}

    def row(path, text):
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        return f"{path},sha256={digest},{len(text)}\n"

    files[f"{info}/RECORD"] = "".join(row(*file) for file in files.items()) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(zipfile.ZipInfo(file), text)  # with no date in it: the same package is the same file
    return f"{name}=={version} \\\n    --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


class Book:
    """A small book in a folder, and what is said and done there."""

    def __init__(self, folder, house):
        self.folder, self.house, self.site = folder, house, None
        self.online = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(house)}

    def lock(self, **versions):
        text = "".join(wheel(self.house, name, version) for name, version in versions.items())
        for name in (LOCK, "requirements-site.lock", "requirements-test.lock"):
            (self.folder / name).write_text(text)

    def command(self, **env):
        """run.py setup, for subprocess; env: other variables than those of a network that works."""
        return dict(args=[PYTHON, "run.py", "setup"], cwd=self.folder, env=PLAIN | (env or self.online), text=True)

    def setup(self, **env):
        """(code, output, errors) of run.py setup."""
        ended = subprocess.run(**self.command(**env), capture_output=True)
        assert "Traceback" not in ended.stderr, ended.stderr
        return ended.returncode, ended.stdout, ended.stderr

    def start(self, **env):
        """Start run.py setup and give its process."""
        return subprocess.Popen(**self.command(**env), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def offline(self):
        with socket.socket() as holder:
            holder.bind(("127.0.0.1", 0))
            return self.setup(PIP_INDEX_URL=f"http://127.0.0.1:{holder.getsockname()[1]}/simple", PIP_RETRIES="1")

    def inside(self, code):
        """What the environment's own Python prints."""
        python = self.folder / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        return subprocess.check_output([python, "-P", "-c", code], text=True, cwd=self.folder, env=PLAIN).strip()

    def file(self, path):
        return next((self.folder / ".venv").glob(f"**/site-packages/{path}"))

    def versions(self, *names):
        return [self.inside(f"import {name}; print({name}.version)") for name in names]


def copy(source, house, folder):
    shutil.copytree(source, folder, symlinks=True)
    return Book(folder, house)


@pytest.fixture(scope="session")
def bare(tmp_path_factory):
    """A book that was never set up, and its packages."""
    folder = tmp_path_factory.mktemp("books") / "bare"
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "run.py", folder)
    (folder.parent / "house").mkdir()
    Book(folder, folder.parent / "house").lock(one="1", two="1")
    return folder


@pytest.fixture(scope="session")
def ready(bare):
    """The same, set up."""
    book = copy(bare, bare.parent / "house", bare.parent / "ready")
    code, said, errors = book.setup()
    assert (code, errors) == (0, ""), said + errors
    assert book.versions("one", "two") == ["1", "1"]
    return book.folder


@pytest.fixture
def new(bare, tmp_path):
    return copy(bare, bare.parent / "house", tmp_path / "new")


@pytest.fixture
def book(ready, tmp_path):
    """A copy of one that was set up: its first start tells .venv where it is."""
    book = copy(ready, ready.parent / "house", tmp_path / "book")
    code, said, errors = book.setup()
    assert (code, errors) == (0, "")
    assert "moved or copied" in said
    assert "Making" not in said
    return book


def test_a_new_lock_without_a_network_leaves_the_old_book(book):
    book.lock(one="1", two="2")
    old = (book.folder / LOCK).read_text()
    for _ in range(2):
        code, _, errors = book.offline()
        assert code == 0
        assert "connect to the network" in errors
        assert "Until then the book opens as it was" in errors
        assert errors.count("\n") == 1
        assert book.versions("one", "two") == ["1", "1"]
    assert book.setup()[0] == 0
    assert book.versions("one", "two") == ["1", "2"]
    (book.folder / LOCK).write_text(old)
    assert book.offline()[2] == ""


def test_without_a_network_the_first_set_up_says_so_and_a_second_one_finishes_it(new):
    for _ in range(2):
        code, said, errors = new.offline()
        assert code == 1
        assert "fetching: " in said
        assert "connect to the network" in errors
        assert errors.count("\n") == 1
    assert new.setup()[0] == 0
    assert new.versions("one", "two") == ["1", "1"]


def test_a_copied_book_opens_without_a_network(ready, tmp_path):
    book = copy(ready, ready.parent / "house", tmp_path / "copy")
    code, _, errors = book.offline()
    assert (code, errors) == (0, "")
    script = book.folder / ".venv" / "bin" / "one"
    if script.exists():
        assert script.read_text().startswith(f"#!{book.folder}/.venv/bin/python")
    assert (ready / ".venv").exists()


def test_a_package_that_the_reader_changed_is_set_right_where_it_stands(book):
    wheel(book.house, "two", "3")
    pip = [book.inside("import sys; print(sys.executable)"), "-m", "pip", "install", "-U", "two==3"]
    subprocess.check_output(pip, env=PLAIN | book.online)
    (book.folder / ".venv" / "kept").touch()
    assert "Until then" in book.offline()[2]
    assert book.versions("two") == ["3"]
    assert book.setup()[0] == 0
    assert book.versions("two") == ["1"]
    assert (book.folder / ".venv" / "kept").exists()


@pytest.mark.parametrize("file", ["one/__init__.py", "one-1.dist-info/RECORD", "pip/__init__.py"])
def test_an_emptied_file_is_mended(book, file):
    book.file(file).write_text("")
    if file.startswith("pip"):
        book.file("one/__init__.py").unlink()
    assert book.setup()[0] == 0
    assert book.versions("one", "two") == ["1", "1"]
    assert book.file(file).stat().st_size > 0
    code, said, errors = book.setup()
    assert (code, said.count("\n"), errors) == (0, 2, "")


def test_two_set_ups_at_once_both_end_well(new):
    first = new.start()
    time.sleep(1)
    second = new.start()
    said, waited = first.communicate()[0], second.communicate()[0]
    assert (first.returncode, second.returncode) == (0, 0), said + waited
    assert f"Another run.py (process {first.pid}) sets up this folder: waiting" in waited
    assert "Making" not in waited
    assert new.versions("one", "two") == ["1", "1"]


@posix
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("after", [0.1, 2.5, 4.0, 5.5])
def test_a_first_set_up_that_is_stopped_anywhere_is_finished_by_the_next(new, kind, after):
    child = subprocess.Popen(**new.command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    child.stdout.readline()  # it has begun
    time.sleep(after)
    (os.killpg if kind is signal.SIGINT else os.kill)(child.pid, kind)
    said = child.communicate()[0]
    assert child.returncode in (0, 130, -9), said
    assert "Traceback" not in said
    code, said, errors = new.setup()
    assert (code, errors) == (0, ""), said + errors
    assert new.versions("one", "two") == ["1", "1"]


@posix
@pytest.mark.parametrize("after", [0.0, 0.3, 0.6, 0.9])
def test_an_update_that_is_interrupted_leaves_an_environment_that_the_next_start_finishes(book, after):
    book.lock(one="2", two="2")
    (book.folder / ".venv" / "kept").touch()
    child = subprocess.Popen(**book.command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    child.stdout.readline()  # it has begun
    time.sleep(after)
    os.killpg(child.pid, signal.SIGINT)
    said = child.communicate()[0]
    assert child.returncode in (0, 130), said
    assert book.setup()[0] == 0
    assert book.versions("one", "two") == ["2", "2"]
    assert (book.folder / ".venv" / "kept").exists()


SHAPES = ["a b", "{x}", "$x", "ä 😀", "a'b", "100%", "#;[2026](1)"]


@pytest.mark.parametrize("name", SHAPES)
def test_a_path_of_any_shape(bare, tmp_path, name):
    book = copy(bare, bare.parent / "house", tmp_path / name)
    code, said, errors = book.setup()
    assert (code, errors) == (0, ""), said
    (book.folder / "nbcore.py").write_text("here = 1")
    assert book.inside("import nbcore, one; print(nbcore.here)") == "1"


@posix
def test_a_path_with_a_colon_is_one_sentence(bare, tmp_path):
    code, _, errors = copy(bare, bare.parent / "house", tmp_path / "a:b").setup()
    assert code == 1
    assert "rename that folder" in errors
    assert errors.count("\n") == 1


VARIABLES = {
    "PIP_DRY_RUN": "1", "PIP_ROOT": "elsewhere", "PIP_PYTHON": "elsewhere", "PIP_REQUIREMENT": "elsewhere",
    "PIP_PLATFORM": "elsewhere", "PIP_EDITABLE": "elsewhere", "PIP_TIMEOUT": "abc", "PYTHONWARNINGS": "error",
    "PIP_USER": "1", "PIP_TARGET": "elsewhere", "PIP_PREFIX": "elsewhere", "PIP_CONSTRAINT": "elsewhere",
    "PIP_REQUIRE_VIRTUALENV": "1", "PIP_ONLY_BINARY": ":none:", "PIP_QUIET": "3", "PIP_LOG": "log",
    "PIP_NO_BINARY": ":all:", "PIP_FORCE_REINSTALL": "1", "PIP_BREAK_SYSTEM_PACKAGES": "1", "PYTHONSAFEPATH": "1",
    "PYTHONOPTIMIZE": "2", "PYTHONNOUSERSITE": "1", "PYTHONPATH": "elsewhere", "COLUMNS": "abc",
    "VIRTUAL_ENV": "elsewhere", "CONDA_PREFIX": "elsewhere",
}


@pytest.mark.parametrize("name", VARIABLES)
def test_a_variable_of_the_machine_does_not_lead_an_update_astray(book, name):
    book.lock(one="1", two="2")
    value = VARIABLES[name].replace("elsewhere", str(book.folder.parent / "elsewhere"))
    code, said, errors = book.setup(**book.online, **{name: value})
    assert (code, errors) == (0, ""), said
    assert book.versions("two") == ["2"]
    assert not (book.folder.parent / "elsewhere").exists()


@pytest.mark.parametrize(("env", "words"), [
    ({"PIP_NO_INDEX": "1"}, "PIP_NO_INDEX forbids pip to fetch packages"),
    ({"PIP_INDEX_URL": "foo"}, "PIP_INDEX_URL"),
])
def test_settings_that_lead_nowhere_are_named(book, new, env, words):
    book.lock(one="1", two="2")
    for which, code in ((book, 0), (new, 1)):
        ended, _, errors = which.setup(**env)
        assert ended == code
        assert words in errors
        assert errors.count("\n") == 1


def test_a_setting_in_pips_own_file_that_leads_astray_is_named(book, tmp_path):
    book.lock(one="1", two="2")
    (tmp_path / "pip.conf").write_text("[install]\ndry-run = true\n")
    code, _, errors = book.setup(**book.online, PIP_CONFIG_FILE=str(tmp_path / "pip.conf"))
    assert code == 1
    assert "two is not in .venv" in errors
    assert book.versions("two") == ["1"]
    assert book.setup()[0] == 0
    assert book.versions("two") == ["2"]


@posix
@pytest.mark.parametrize("after", [0.1, 0.15, 0.2, 0.3, 0.5])
def test_ctrl_c_in_the_first_moments(new, after):
    """Later than Python's own start, which no program can mend: its `site` is loaded when `-v` says so."""
    child = subprocess.Popen([PYTHON, "-I", "-c", "import runpy, sys; sys.argv[0] = 'run.py'; print(1, flush=True);"
                              "runpy.run_path('run.py', run_name='__main__')", "setup"], cwd=new.folder, text=True,
                             env=PLAIN | new.online, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.readline()
    time.sleep(after)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate()
    assert (child.returncode, errors) == (130, "\nStopped.\n")


# --- the real one ----------------------------------------------------------------------------------------------------

LOOK = "import sys; sys.path.insert(0, '.'); from tools.mending import ensure; ensure('requirements.lock')"


def test_the_real_book_is_set_up_at_once_the_second_time_and_mended_without_losing_it(tmp_path):
    """With the network and pip's settings of this machine."""
    folder = tmp_path / "book"
    leave = shutil.ignore_patterns(".venv*", ".git", ".jupyter", ".site-cache", "__pycache__", "site")
    shutil.copytree(ROOT, folder, ignore=leave)
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def run(*command, **more):
        ended = subprocess.run([PYTHON, *command], cwd=folder, env=env | more, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stderr

    start = time.monotonic()
    assert run("run.py", "setup") == ""
    print(f"clean: {time.monotonic() - start:.1f} s")
    start = time.monotonic()
    assert run("-c", LOOK) == ""
    assert time.monotonic() - start < 3
    numpy = next((folder / ".venv").glob("**/site-packages/numpy/__init__.py"))
    whole = numpy.read_bytes()
    numpy.write_text("")
    dead = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1", "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_CACHE_DIR": "1", "PIP_FIND_LINKS": ""}
    assert "Until then the book opens" in run("-c", LOOK, **dead)
    assert numpy.read_bytes() == b""
    assert run("-c", LOOK) == ""
    assert numpy.read_bytes() == whole
