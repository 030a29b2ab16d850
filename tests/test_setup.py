"""Real set-ups by pip and uv, in a small book of two packages; nothing here needs the network.

"Online" means: the packages lie in a folder; "offline": the index does not answer. The small book's uv is a wheel that
starts the one of these tests.
"""

import base64
import hashlib
import http.server
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
import zipfile
from pathlib import Path

import pytest
import uv

from tools import environment
from tools import verbs as run

ROOT = Path(__file__).resolve().parents[1]
PYTHON = environment.PYTHON
VERSION = subprocess.check_output([uv.find_uv_bin(), "--version"], text=True).split()[1]
STARTER = f"import os, sys\nos.execv({uv.find_uv_bin()!r}, ['uv', *sys.argv[1:]])\n"
PLAIN = {name: value for name, value in os.environ.items()
         if not re.match("PIP_|UV_|PYTHON|VIRTUAL_ENV|.*_proxy$", name, re.IGNORECASE)}
PLAIN["PIP_CONFIG_FILE"] = os.devnull
DEAD = "http://127.0.0.1:9/simple"
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such thing.")


def wheel(house, name, version, **more):
    """Write a wheel of one package into the folder of packages; return its file name and sha256."""
    path, info = house / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    files = {f"{name}/__init__.py": f"version = {version!r}\n",
             f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
             f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    files |= {f"{name}/{file}.py": text for file, text in more.items()}

    def row(path, text):
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        return f"{path},sha256={digest},{len(text)}\n"

    files[f"{info}/RECORD"] = "".join(row(*file) for file in files.items()) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(zipfile.ZipInfo(file), text)  # with no date in it: the same package is the same file
    return path.name, "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()


PYPROJECT = """[project]
name = "small"
version = "1"
requires-python = ">=3.11"
optional-dependencies = { book = ["one", "two"] }
[dependency-groups]
build = []
"""


class Book:
    """A small book in a folder, and what one does there."""

    def __init__(self, folder, house):
        self.folder, self.house = folder, house
        self.online = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": house.as_uri(), "PIP_CACHE_DIR": str(house / "cache")}
        self.offline = {"PIP_INDEX_URL": DEAD, "PIP_RETRIES": "0", "UV_HTTP_RETRIES": "0"}
        self.offline["PIP_CACHE_DIR"] = str(folder.parent / "empty")

    def lock(self, **versions):
        """Write pyproject.toml and a uv.lock of these packages, of which the extra book names one and two."""
        entries = ['version = 1\nrequires-python = ">=3.11"\n']
        for name, version in {"uv": VERSION, **versions}.items():
            file, digest = wheel(self.house, name, version, **({"__main__": STARTER} if name == "uv" else {}))
            entries.append(f'[[package]]\nname = "{name}"\nversion = "{version}"\n'
                           'source = { registry = "https://pypi.org/simple" }\n'
                           f'wheels = [{{ url = "https://files.pythonhosted.org/{file}", hash = "{digest}" }}]\n')
        entries.append('[[package]]\nname = "small"\nversion = "1"\nsource = { virtual = "." }\n[package.optional-'
                       'dependencies]\nbook = [{ name = "one" }, { name = "two" }]\n[package.dev-dependencies]\n'
                       "build = []\n")
        (self.folder / "uv.lock").write_text("\n".join(entries))
        (self.folder / "pyproject.toml").write_text(PYPROJECT)

    def command(self, verb, env):
        """Return what starts run.py setup, or what `run.py lab` does before its server."""
        lab = "import sys; sys.path.insert(0, '.'); from tools.verbs import VERBS, main, ensure; "
        lab += "VERBS['lab'] = lambda args: ensure('book') or 0; sys.exit(main(['lab']))"
        return {"args": [PYTHON, *(["run.py", "setup"] if verb == "setup" else ["-c", lab])], "cwd": self.folder,
                "env": PLAIN | (self.online if env is None else env), "text": True}

    def run(self, verb="lab", env=None):
        """Return (code, output and errors) of a verb; env: other variables than those of a network that works."""
        ended = subprocess.run(**self.command(verb, env), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert "Traceback" not in ended.stdout, ended.stdout
        return ended.returncode, ended.stdout

    def start(self, verb="lab", env=None):
        """Start a verb in a group of processes of its own."""
        return subprocess.Popen(**self.command(verb, env), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                start_new_session=os.name != "nt")

    def ask(self, code):
        """Return what the environment's own Python prints."""
        python = self.folder / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        return subprocess.check_output([python, "-P", "-c", code], text=True, cwd=self.folder, env=PLAIN).strip()

    def versions(self):
        """Return the versions of the two packages."""
        return self.ask("import one, two; print(one.version, two.version)")

    def file(self, path):
        """Return the path of a file in site-packages."""
        return next((self.folder / ".venv").glob("**/site-packages")) / path

    def tree(self):
        """Return when each file of the book was changed."""
        return {path: path.lstat().st_mtime_ns for path in self.folder.rglob("*") if "__pycache__" not in str(path)}


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A book that was never set up, and its packages."""
    folder = tmp_path_factory.mktemp("books") / "bare"
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "run.py", folder)
    (folder.parent / "house").mkdir()
    book = Book(folder, folder.parent / "house")
    book.lock(one="1", two="1")
    return book


@pytest.fixture(scope="module")
def ready(bare, tmp_path_factory):
    """A book that is set up."""
    book = copy(bare, tmp_path_factory.mktemp("books") / "ready")
    code, output = book.run("setup")
    assert code == 0, output
    assert book.versions() == "1 1"
    return book


def copy(book, folder):
    """Copy a book, with its environment, to another folder."""
    shutil.copytree(book.folder, folder, symlinks=True)
    return Book(folder, book.house)


@pytest.fixture
def new(bare, tmp_path):
    return copy(bare, tmp_path / "new")


@pytest.fixture
def book(ready, tmp_path):
    return copy(ready, tmp_path / "book")


# --- a good day ------------------------------------------------------------------------------------------------------

def test_a_copied_or_moved_book_finds_its_modules_and_nothing_is_done(book):
    assert book.ask("import tools; print(tools.__file__)") == str(book.folder / "tools" / "__init__.py")
    before, start = book.tree(), time.monotonic()
    assert book.run("lab", book.offline) == (0, "")
    assert time.monotonic() - start < 3
    assert book.tree() == before


def test_the_books_modules_come_last_and_any_path_will_do(ready, tmp_path):
    book = copy(ready, tmp_path / ("ä 😀 {x} $x 100%#" + "'\"" * (os.name != "nt")))
    assert book.run()[0] == 0
    (book.folder / "nbcore.py").touch()
    (book.folder / "one.py").write_text("raise RuntimeError('shadow')")
    assert book.versions() == "1 1"


def test_a_new_lock_is_installed_and_what_the_reader_installed_stays(book):
    book.lock(one="1", two="2")
    book.file("readers.py").touch()
    assert book.run()[0] == 0
    assert book.versions() == "1 2"
    assert book.file("readers.py").exists()


# --- pip's settings --------------------------------------------------------------------------------------------------

@pytest.fixture
def index(bare):
    """A package index on this machine: its address, and who asked it for what."""
    requests = []

    class Index(http.server.SimpleHTTPRequestHandler):
        def do_GET(self):
            name = self.path.strip("/").split("/")[-1]
            requests.append((self.headers["User-Agent"].split("/")[0], name))
            page = "".join(f'<a href="/{path.name}">{path.name}</a>' for path in bare.house.glob(f"{name}-*.whl"))
            file = bare.house / name
            body = file.read_bytes() if file.suffix == ".whl" else page.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if page else "application/octet-stream")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/simple", requests
        server.shutdown()


@pytest.mark.parametrize("in_file", [pytest.param(False, marks=pytest.mark.slow), True])
def test_without_a_network_a_set_up_says_so_and_the_next_asks_the_index_of_pips_settings(new, index, tmp_path, in_file):
    code, output = new.run("lab", new.offline)
    assert code == 1
    assert output.splitlines()[-1].startswith("run.py: the set-up is not finished, as pip says above")
    address, requests = index
    (tmp_path / "pip.conf").write_text(f"[global]\nindex-url = {address}\n[install]\ndry-run = true\n")
    env = {"PIP_CONFIG_FILE": str(tmp_path / "pip.conf")} if in_file else {"PIP_INDEX_URL": address}
    code, output = new.run("lab", env | {"PIP_CACHE_DIR": str(tmp_path / "cache"), "HTTPS_PROXY": DEAD})
    assert code == 0, output
    assert new.versions() == "1 1"
    assert {("pip", "uv"), ("uv", "one"), ("uv", "two")} <= set(requests)
    assert (tmp_path / "cache" / "uv").is_dir()


def test_pips_settings_are_said_to_uv_in_its_words_but_not_where_uvs_own_say_otherwise(monkeypatch):
    for name in ("UV_INDEX", "UV_SYSTEM_PYTHON", "UV_CONSTRAINT"):
        monkeypatch.setenv(name, "mine")
    for name in ("UV_CACHE_DIR", "UV_DEFAULT_INDEX", "UV_FIND_LINKS", "ALL_PROXY", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)
    env = environment.uv_variables("python", {
        "index-url": "i", "extra-index-url": "a\nb", "find-links": "c d", "trusted-host": "e f", "proxy": "g",
        "cert": "h", "cache-dir": "k", "timeout": "60"})
    output = {"UV_DEFAULT_INDEX": "i", "UV_INDEX": "mine", "UV_FIND_LINKS": "c,d", "UV_INSECURE_HOST": "e f",
            "ALL_PROXY": "g", "SSL_CERT_FILE": "h", "UV_CACHE_DIR": os.path.join("k", "uv"), "UV_HTTP_TIMEOUT": "60",
            "UV_PYTHON_DOWNLOADS": "never"}
    assert {name: env.get(name) for name in output} == output
    assert not {"UV_SYSTEM_PYTHON", "UV_CONSTRAINT"} & set(env)


ASTRAY = dict.fromkeys(
    ["PIP_ROOT", "PIP_PYTHON", "PIP_REQUIREMENT", "PIP_PLATFORM", "PIP_EDITABLE", "PIP_TARGET", "PIP_PREFIX",
     "PIP_CONSTRAINT", "PIP_LOG", "PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX", "UV_PROJECT_ENVIRONMENT", "UV_PYTHON",
     "UV_CONSTRAINT", "UV_OVERRIDE", "UV_PROJECT", "UV_WORKING_DIR"], "elsewhere")
ASTRAY |= dict.fromkeys(
    ["PIP_DRY_RUN", "PIP_USER", "PIP_REQUIRE_VIRTUALENV", "PIP_FORCE_REINSTALL", "PIP_BREAK_SYSTEM_PACKAGES",
     "PYTHONSAFEPATH", "PYTHONOPTIMIZE", "PYTHONNOUSERSITE", "UV_SYSTEM_PYTHON", "UV_NO_BINARY",
     "UV_EXCLUDE_NEWER"], "1")
ASTRAY |= {"PIP_NO_BINARY": ":all:", "PIP_ONLY_BINARY": ":none:", "PYTHONWARNINGS": "error", "COLUMNS": "abc"}


@pytest.mark.slow
def test_variables_of_the_machine_lead_no_set_up_astray(new):
    code, output = new.run("setup", new.online | ASTRAY)
    assert code == 0, output
    assert new.versions() == "1 1"
    assert not (new.folder / "elsewhere").exists()


# --- a bad day -------------------------------------------------------------------------------------------------------

def test_a_new_lock_without_a_network_leaves_the_old_book(book):
    old = (book.folder / "uv.lock").read_text()
    book.lock(one="1", two="2")
    code, output = book.run("lab", book.offline)
    assert code == 0
    assert "Connection refused" in output or os.name == "nt"
    assert output.splitlines()[-1].endswith("Until then the book opens as it was installed before.")
    assert book.versions() == "1 1"
    assert book.run("setup", book.offline)[0] == 1
    assert book.versions() == "1 1"
    (book.folder / "uv.lock").write_text(old)
    assert book.run("lab", book.offline)[0] == 0
    book.lock(one="1", two="2")
    assert book.run()[0] == 0
    assert book.versions() == "1 2"


def test_a_package_that_the_reader_changed_is_set_right_where_it_stands(book):
    for version in ("1", "3"):  # as `pip install two==3` leaves it
        book.file(f"two-{version}.dist-info").mkdir(exist_ok=True)
    book.file("two-1.dist-info/METADATA").rename(book.file("two-3.dist-info/METADATA"))
    shutil.rmtree(book.file("two-1.dist-info"))
    book.file("two/__init__.py").write_text("version = '3'")
    (book.folder / ".venv" / "kept").touch()
    assert book.run()[0] == 0
    assert book.versions() == "1 1"
    assert (book.folder / ".venv" / "kept").exists()


def test_setup_mends_files_that_lab_does_not_miss(book):
    assert book.run()[0] == 0
    book.file("one/__init__.py").write_text("")
    book.file("two/__init__.py").unlink()
    assert book.run() == (0, "")
    assert book.run("setup")[0] == 0
    assert book.versions() == "1 1"


def lose_python(book):
    for link in (book.folder / ".venv" / "bin").glob("python*"):
        link.unlink()
        link.symlink_to("/nowhere/python")


@posix
def test_where_its_python_is_gone_one_of_the_same_version_takes_its_place_without_a_network(book):
    lose_python(book)
    book.file("readers.py").touch()
    assert book.run("lab", book.offline)[0] == 0
    assert book.versions() == "1 1"
    assert book.file("readers.py").exists()
    assert book.run("lab", book.offline) == (0, "")


@posix
def test_what_another_version_of_python_left_there_goes(book):
    lose_python(book)
    config = book.folder / ".venv" / "pyvenv.cfg"
    config.write_text(config.read_text().replace("version = 3.", "version = 2."))
    (book.folder / ".venv" / "left").touch()
    code, output = book.run()
    assert code == 0, output
    assert book.versions() == "1 1"
    assert not (book.folder / ".venv" / "left").exists()


@pytest.mark.slow
def test_without_pip_the_book_opens_and_with_a_garbled_stamp_it_is_made_anew(book):
    shutil.rmtree(book.file("pip"))
    assert book.run()[0] == 0
    book.lock(one="1", two="2")
    code, output = book.run()
    assert code == 0
    assert "delete the folder .venv, then run this again. Until then the book opens" in output
    assert book.versions() == "1 1"
    (book.folder / ".venv" / "workbook-stamp.json").write_text("{")
    assert book.run()[0] == 0
    assert book.versions() == "1 2"


def a_folder(path):
    path.mkdir()
    (path / "theirs").touch()


@pytest.mark.parametrize("make", [a_folder, Path.touch, lambda path: path.symlink_to(path.parent / "nowhere")])
def test_a_venv_that_run_py_did_not_make_is_left_alone(new, make):
    make(new.folder / ".venv")
    before = new.tree()
    assert new.run("setup") == (1, "run.py: .venv here was not made by run.py: rename or delete it, then run this "
                                "again.\n")
    assert new.tree().keys() == before.keys() | {new.folder / ".venv.lock"}


@pytest.mark.slow
def test_two_set_ups_at_once_both_end_well(new):
    started = [new.start(), new.start()]
    output = [child.communicate()[0] for child in started]
    assert [child.returncode for child in started] == [0, 0], output
    assert sum("Another run.py sets up this folder: waiting" in words for words in output) == 1
    assert new.versions() == "1 1"


@posix
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "is_set_up", "after"), [
    *((kind, False, after) for kind in (signal.SIGINT, signal.SIGKILL) for after in (0.1, 1.0, 2.5, 4.0)),
    *((signal.SIGINT, True, after) for after in (0.0, 0.3, 0.6, 0.9)),
])
def test_a_set_up_that_is_stopped_anywhere_is_finished_by_the_next(request, kind, is_set_up, after):
    here = request.getfixturevalue("book" if is_set_up else "new")
    here.lock(one="2", two="2")
    child = here.start()
    child.stdout.readline()  # it has begun
    time.sleep(after)
    os.killpg(child.pid, kind)
    output = child.communicate()[0]
    assert child.returncode in (0, 130, -9), output
    assert "tools/" not in output, "a traceback of ours"
    code, output = here.run()
    assert code == 0, output
    assert here.versions() == "2 2"


# --- what this machine cannot be brought to --------------------------------------------------------------------------

@pytest.fixture
def here(book, monkeypatch):
    """The book of this process: run.py believes that it lives there, and is right."""
    monkeypatch.setattr(environment, "ROOT", book.folder)
    monkeypatch.setattr(environment, "VENV", book.folder / ".venv")
    for name in [name for name in os.environ if re.match("PIP_|UV_", name)]:
        monkeypatch.delenv(name)
    for name, value in book.offline.items():
        monkeypatch.setenv(name, value)
    environment.ensure("book")
    return book


def test_a_folder_that_may_not_be_written_in_opens_or_says_why_not(here, monkeypatch, capsys):
    opened = Path.open

    def refuse(path, mode="r", *more, **options):
        if set(mode) & set("aw+"):
            raise PermissionError(13, "Permission denied")
        return opened(path, mode, *more, **options)

    monkeypatch.setattr(Path, "open", refuse)
    environment.ensure("book")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(environment, "lock_digest", lambda: "another lock")
    environment.ensure("book")
    assert "Until then the book opens as it was installed before" in capsys.readouterr().err
    assert run.main(["setup"]) == 1
    output = capsys.readouterr().err
    assert output.startswith("run.py: Permission denied (")
    assert output.endswith("move this folder to one you may write in, then run this again.\n")


def test_a_python_that_this_user_cannot_reach_is_no_damage(here, monkeypatch, capsys):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "check_output", refuse)
        assert run.main(["setup"]) == 1
    assert capsys.readouterr().err.startswith("run.py: Permission denied (")
    assert here.versions() == "1 1"


# --- the lock --------------------------------------------------------------------------------------------------------

def test_the_lock_names_the_public_index_and_a_hash_for_every_file():
    packages = tomllib.loads(environment.read_lock())["package"]
    files = [file for package in packages for file in [*package.get("wheels", []), package.get("sdist", {})] if file]
    assert {package["source"].get("registry", "ours") for package in packages} == {"https://pypi.org/simple", "ours"}
    assert all(file["url"].startswith("https://files.pythonhosted.org/") for file in files)
    assert all(re.fullmatch("sha256:[0-9a-f]{64}", file["hash"]) for file in files)
    (wheels,) = (package["wheels"] for package in packages if package["name"] == "uv")
    pin = environment.read_uv_pin()
    version = pin.split()[0].removeprefix("uv==")
    assert all(wheel["hash"] in pin and version in wheel["url"] for wheel in wheels)


# --- run.py itself ---------------------------------------------------------------------------------------------------

EARLY = """import signal, sys
class Interrupt:  # Ctrl-C while run.py's own modules are being loaded
    def find_spec(self, name, path=None, target=None):
        if name == {at!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
sys.argv = ["run.py", "setup"]
import runpy; runpy.run_path({root!r} + "/run.py", run_name="__main__")
"""


@pytest.mark.parametrize("at", ["tools.verbs", "tools.environment"])
def test_ctrl_c_before_anything_is_loaded(tmp_path, at):
    code = EARLY.format(root=str(ROOT), at=at)
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "\nStopped.\n")


@pytest.mark.parametrize("name", ["random", "tempfile", "socket", "tools", "json"])
def test_a_module_beside_run_py_does_not_take_the_place_of_pythons_own(tmp_path, name):
    shutil.copy(ROOT / "run.py", tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / f"{name}.py").write_text("raise RuntimeError('shadow')")
    requests = [sys.executable, "run.py", "--help"]
    ended = subprocess.run(requests, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
    assert (ended.returncode, ended.stderr) == (0, "")


# --- the real one ----------------------------------------------------------------------------------------------------

@pytest.mark.slow
def test_the_real_book_is_set_up_at_once_the_second_time_and_mended_by_setup(tmp_path):
    """With the network and pip's settings of this machine."""
    leave = shutil.ignore_patterns(".venv*", ".git", ".jupyter", ".site-cache", "__pycache__", "site")
    shutil.copytree(ROOT, tmp_path / "book", ignore=leave)
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def seconds(*command):
        start = time.monotonic()
        ended = subprocess.run([PYTHON, *command], cwd=tmp_path / "book", env=env, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return time.monotonic() - start

    look = "-c", "import sys; sys.path.insert(0, '.'); from tools.environment import ensure; ensure('book')"
    print(f"clean: {seconds(*look):.1f} s")
    assert seconds(*look) < 3
    numpy = next((tmp_path / "book" / ".venv").glob("**/site-packages/numpy/__init__.py"))
    whole = numpy.read_bytes()
    numpy.write_text("")
    print(f"anew: {seconds('run.py', 'setup'):.1f} s")
    assert numpy.read_bytes() == whole
