"""The environment that run.py makes and mends; nothing here needs the network."""

import errno
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
import venv
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest

from tools import alone, environment, making, mending, packages, pip
from tools import verbs as run
from tools.environment import LOCK, LOCKS, SITE_LOCK, TEST_LOCK
from tools.mending import ensure
from tools.stop import Stop, Unchanged

ROOT = Path(__file__).resolve().parents[1]
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such thing.")


@pytest.fixture
def book(tmp_path, monkeypatch):
    """An empty book in a folder of its own: run.py believes that it lives there."""
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(run, "ROOT", tmp_path)
    for lock, names in zip(LOCKS, ("one", "one page", "one page two"), strict=True):
        (tmp_path / lock).write_text("".join(f"{name}==1\n" for name in names.split()))
    return tmp_path


def put(site, name, version):
    """A package of two files, with the list of them that pip would write."""
    for old in site.glob(f"{name}-*.dist-info"):
        shutil.rmtree(old)
    info, files = site / f"{name}-{version}.dist-info", {f"{name}/__init__.py": f"version = '{version}'",
                                                         f"{name}/data.txt": "abc"}
    (site / name).mkdir(exist_ok=True)
    info.mkdir()
    rows = [f"{name}/__pycache__/__init__.pyc,,", f"../../../bin/{name},sha256=changes,3", f"{info.name}/RECORD,,"]
    for path, text in files.items():
        (site / path).write_text(text)
        digest = urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(text)}")
    (info / "RECORD").write_text("\n".join(rows) + "\n")


class FakePip:
    """Installs by writing files; `fetched` are the names, `calls` the rest that it was asked; `before` comes first."""

    def __init__(self):
        self.calls, self.fetched, self.before, self.ignores = [], [], lambda: None, set()

    def __call__(self, python, commands, env, what, total, site):
        self.before()
        for arguments in commands:
            if arguments[0] == "download":
                self.fetched += map(packages.name_of, packages.locked(Path(arguments[-1])))
            else:
                self.calls.append(arguments)
                self.act(arguments, site)
        return "".join(f"Ignoring {name}: markers 'x' don't match your environment\n" for name in self.ignores)

    def act(self, arguments, site):
        if arguments[0] == "uninstall":
            for name in arguments[2:]:
                shutil.rmtree(next(site.glob(f"{name}-*.dist-info")))
            return
        for pin in packages.locked(Path(arguments[arguments.index("-r") + 1])):
            name, version = pin.split("==")
            if name not in self.ignores and (pin not in packages.installed(site) or "--ignore-installed" in arguments):
                put(site, name, version)


@pytest.fixture
def fake(book, monkeypatch):
    """Environments that are real, but for pip and the packages."""
    def module(name, *arguments, python=None):
        if name == "venv":
            venv.create(arguments[-1], with_pip=False, symlinks=os.name != "nt")
        else:
            put(site_of(environment.VENV.parent), "pip", "23")

    fake = FakePip()
    monkeypatch.setattr(pip, "run", fake)
    monkeypatch.setattr(run, "run", lambda arguments, env: 0)
    monkeypatch.setattr(making, "run_module", module)
    return fake


def site_of(book):
    return next((book / ".venv").glob("**/site-packages"))


def offline():
    raise Unchanged("the package index cannot be reached: connect to the network.")


# --- made once, then at once -----------------------------------------------------------------------------------------

def test_the_lock_is_installed_with_its_hashes_and_nothing_else(book, fake, capsys):
    ensure(LOCK)
    assert fake.fetched == ["one"]
    assert fake.calls == [[*pip.INSTALL, "--find-links", str(book / ".venv" / "fetched"), "-r", str(book / LOCK)]]
    assert {"--require-hashes", "--only-binary=:all:", "--no-deps"} <= set(pip.INSTALL) & set(pip.FETCH)
    assert not (book / ".venv" / "fetched").exists()
    assert "Making the environment" in capsys.readouterr().out


def test_the_second_start_installs_nothing_writes_nothing_and_is_quick(book, fake, capsys):
    ensure(LOCK)
    fake.calls.clear()
    capsys.readouterr()
    before, start = {path: path.lstat().st_mtime_ns for path in book.rglob("*")}, time.monotonic()
    ensure(LOCK)
    assert time.monotonic() - start < 1
    assert fake.calls == []
    assert capsys.readouterr().out == ""
    assert before == {path: path.lstat().st_mtime_ns for path in book.rglob("*")}


@pytest.mark.parametrize("folder", ["plain", "a {x} and $x", "ä 😀 '\"%#"])
def test_the_environment_knows_the_book_wherever_it_lies(tmp_path, monkeypatch, fake, folder):
    """Its modules come last: neither a random.py beside run.py nor a package of that name takes another's place."""
    if os.name == "nt":
        folder = folder.replace('"', "")
    book = tmp_path / folder
    shutil.copytree(tmp_path, book, ignore=lambda *_: [folder])
    monkeypatch.setattr(environment, "ROOT", book)
    monkeypatch.setattr(environment, "VENV", book / ".venv")
    ensure(LOCK)
    (book / "nbcore.py").touch()
    (book / "random.py").write_text("raise RuntimeError('shadow')")
    (book / "one.py").write_text("raise RuntimeError('shadow')")
    asked = [environment.venv_python(), "-P", "-c", "import one, random, nbcore; print(ascii(nbcore.__file__))"]
    said = subprocess.run(asked, cwd=book, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
    assert said.stdout.strip() == ascii(str(book / "nbcore.py")), said.stderr


def test_line_ends_of_windows_are_no_change(book, fake):
    ensure(LOCK)
    (book / LOCK).write_bytes(b"one==1\r\n")
    ensure(LOCK)
    assert len(fake.calls) == 1


def test_a_changed_lock_is_installed_into_the_same_environment(book, fake):
    ensure(LOCK)
    kept = book / ".venv" / "kept"
    kept.touch()
    (book / LOCK).write_text("one==2\n")
    ensure(LOCK)
    assert len(fake.calls) == 2
    assert kept.exists()
    assert "one==2" in packages.installed(site_of(book))


def test_what_no_lock_has_any_more_is_uninstalled_but_not_what_the_reader_installed(book, fake):
    ensure(TEST_LOCK)
    put(site_of(book), "readers", "1")
    for lock in LOCKS:
        (book / lock).write_text("two==1\n" if lock == TEST_LOCK else "new==1\n")
    ensure(LOCK)
    assert fake.calls[-1] == ["uninstall", "--yes", "one", "page"]
    assert set(packages.installed(site_of(book))) == {"new==1", "two==1", "readers==1", "pip==23"}


def test_the_test_environment_serves_the_learner_but_not_the_other_way(book, fake):
    ensure(TEST_LOCK)
    ensure(LOCK)
    assert len(fake.calls) == 1
    (book / LOCK).write_text("one==2\n")
    ensure(LOCK)
    assert len(fake.calls) == 2
    ensure(TEST_LOCK)
    assert [Path(call[-1]).name for call in fake.calls] == [TEST_LOCK, LOCK, TEST_LOCK]


def test_the_test_environment_makes_the_site_too_and_that_of_the_site_serves_the_learner(book, fake):
    ensure(SITE_LOCK)
    ensure(LOCK)
    ensure(TEST_LOCK)
    ensure(SITE_LOCK)
    assert [Path(call[-1]).name for call in fake.calls] == [SITE_LOCK, TEST_LOCK]


def test_a_package_for_another_system_is_not_missed(book, fake):
    fake.ignores = {"page"}
    ensure(SITE_LOCK)
    ensure(SITE_LOCK)
    assert len(fake.calls) == 1


def test_what_pip_put_elsewhere_is_missed_and_not_stamped(book, fake, monkeypatch):
    monkeypatch.setattr(pip, "run", lambda *_: "")
    with pytest.raises(Stop, match="pip ended well, but one is not in "):
        ensure(LOCK)
    assert LOCK not in environment.read_stamp()


# --- damage is found, and mended in place ----------------------------------------------------------------------------

def empty_a_file(site):
    (site / "one" / "__init__.py").write_text("")


def lose_a_file(site):
    (site / "one" / "data.txt").unlink()


def lose_a_folder(site):
    shutil.rmtree(site / "one")


def lose_the_list(site):
    (site / "one-1.dist-info" / "RECORD").unlink()


def empty_the_list(site):
    (site / "one-1.dist-info" / "RECORD").write_text("")


def garble_the_list(site):
    (site / "one-1.dist-info" / "RECORD").write_bytes(b"one,\xff,x\n")


@pytest.mark.parametrize("damage", [
    empty_a_file, lose_a_file, lose_a_folder, lose_the_list, empty_the_list, garble_the_list,
])
def test_a_damaged_package_is_mended_and_no_other(book, fake, capsys, damage):
    (book / LOCK).write_text("one==1 \\\n    --hash=sha256:ab\nother==1 \\\n    --hash=sha256:cd\n")
    ensure(LOCK)
    (book / ".venv" / "kept").touch()
    damage(site_of(book))
    asked = []
    fake.before = lambda: asked.append((book / ".venv" / "fetched" / "part-0.lock").read_text())
    fake.fetched.clear()
    ensure(LOCK)
    assert asked[0] == "one==1 \\\n    --hash=sha256:ab\n"
    assert fake.fetched == ["one"]
    assert ["--ignore-installed" in call for call in fake.calls] == [False, True, False]
    assert "Mending one in .venv." in capsys.readouterr().out
    assert (site_of(book) / "one" / "__init__.py").read_text() == "version = '1'"
    assert (book / ".venv" / "kept").exists()
    ensure(LOCK)
    assert len(fake.calls) == 3


def test_a_changed_byte_is_found_by_setup(book, fake):
    ensure(LOCK)
    (site_of(book) / "one" / "data.txt").write_text("xyz")
    ensure(LOCK)
    assert len(fake.calls) == 1
    ensure(LOCK, closely=True)
    assert (site_of(book) / "one" / "data.txt").read_text() == "abc"


def other_version(book):
    put(site_of(book), "one", "2")


def lose_package(book):
    shutil.rmtree(site_of(book) / "one-1.dist-info")


def lose_the_way_to_the_book(book):
    (site_of(book) / "workbook.pth").unlink()


@pytest.mark.parametrize("change", [other_version, lose_package, lose_the_way_to_the_book])
def test_what_the_reader_changed_is_set_right_in_place(book, fake, change):
    ensure(LOCK)
    (book / ".venv" / "kept").touch()
    change(book)
    ensure(LOCK)
    assert "one==1" in packages.installed(site_of(book))
    assert (site_of(book) / "workbook.pth").exists()
    assert (book / ".venv" / "kept").exists()
    assert len(fake.calls) == 2


def move(book):
    stamp = environment.read_stamp()
    script = book / ".venv" / "bin" / "tool"
    script.parent.mkdir(exist_ok=True)
    script.write_text("#!/elsewhere/.venv/bin/python\n")
    environment.write_stamp(stamp | {"venv": "/elsewhere/.venv"})


def test_a_moved_environment_is_told_where_it_is_without_a_network(book, fake, capsys):
    ensure(LOCK)
    move(book)
    (site_of(book) / "workbook.pth").write_text("import sys; sys.path.append('/elsewhere')\n")
    ensure(LOCK)
    assert "This folder was moved or copied" in capsys.readouterr().out
    assert "elsewhere" not in (site_of(book) / "workbook.pth").read_text()
    if os.name != "nt":
        assert (book / ".venv" / "bin" / "tool").read_text() == f"#!{book / '.venv'}/bin/python\n"
    ensure(LOCK)
    assert len(fake.calls) == 2


def test_a_moved_book_with_a_new_lock_opens_as_it_was_where_it_is_now(book, fake, capsys):
    ensure(LOCK)
    move(book)
    (site_of(book) / "workbook.pth").unlink()
    change_the_lock(book)
    fake.before = offline
    ensure(LOCK)
    assert "as it was installed before" in capsys.readouterr().err
    assert str(book) in (site_of(book) / "workbook.pth").read_text()


@posix
def test_a_lost_python_is_replaced_by_one_of_the_same_version(book, fake):
    ensure(LOCK)
    (book / ".venv" / "kept").touch()
    for link in (book / ".venv" / "bin").glob("python*"):
        link.unlink()
        link.symlink_to("/nowhere/python")
    ensure(LOCK)
    assert environment.venv_version() == f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert (book / ".venv" / "kept").exists()


# --- where only a new one helps --------------------------------------------------------------------------------------

def garble_stamp(book):
    (book / ".venv" / "workbook-stamp.json").write_text("{")


def odd_stamp(text):
    def write(book):
        (book / ".venv" / "workbook-stamp.json").write_text(text)

    return write


def change_python(book):
    environment.write_stamp(environment.read_stamp() | {"python": "3.10"})


def hurt_pip(book):
    (site_of(book) / "pip" / "__init__.py").write_text("")


def lose_pip(book):
    shutil.rmtree(site_of(book) / "pip-23.dist-info")


def no_python_like_it(book):
    change_python(book)
    shutil.rmtree(Path(environment.venv_python()).parent)


ODD = ["[1]", "3", "null", '{"venv": 3}', '{"venv": "x", "python": "3.11", "packages": 1}', "[" * 100_000]


@pytest.mark.parametrize("damage", [
    garble_stamp, change_python, hurt_pip, lose_pip, no_python_like_it, *map(odd_stamp, ODD),
])
def test_what_cannot_be_mended_is_made_anew(book, fake, capsys, damage):
    ensure(LOCK)
    damage(book)
    (book / ".venv" / "left over").touch()
    if damage is hurt_pip:  # it is only looked at when it is needed
        lose_package(book)
    if damage is lose_pip:
        lose_package(book)
    ensure(LOCK)
    assert "damaged: making it anew" in capsys.readouterr().out
    assert not (book / ".venv" / "left over").exists()
    assert not (book / ".venv.old").exists()
    fake.calls.clear()
    ensure(LOCK)
    assert fake.calls == []


@pytest.mark.parametrize("trouble", [Stop("no"), Unchanged("no"), KeyboardInterrupt(), OSError(errno.ENOSPC, "full")])
@pytest.mark.parametrize("damage", [hurt_pip, change_python])
def test_the_old_one_comes_back_when_the_new_one_cannot_be_made(book, fake, capsys, trouble, damage):
    ensure(LOCK)
    damage(book)
    (book / LOCK).write_text("one==2\n")
    (book / ".venv" / "kept").touch()

    def fails():
        assert not (book / ".venv" / "kept").exists()
        raise trouble

    fake.before = fails
    opens = isinstance(trouble, Stop) and damage is hurt_pip
    if opens:
        ensure(LOCK)
        assert capsys.readouterr().err == "run.py: no Until then the book opens as it was installed before.\n"
    else:
        with pytest.raises(type(trouble)):
            ensure(LOCK)
    assert (book / ".venv" / "kept").exists()
    assert "one==1" in packages.installed(site_of(book))
    assert not (book / ".venv.old").exists()


def test_the_old_one_comes_back_after_a_set_up_was_killed(book, fake):
    ensure(LOCK)
    (book / ".venv" / "kept").touch()
    (book / ".venv").rename(book / ".venv.old")
    (book / ".venv").mkdir()
    environment.write_stamp({})
    fake.calls.clear()
    ensure(LOCK)
    assert (book / ".venv" / "kept").exists()
    assert not (book / ".venv.old").exists()
    assert fake.calls == []


def test_an_old_one_that_has_a_successor_goes(book, fake):
    ensure(LOCK)
    shutil.copytree(book / ".venv", book / ".venv.old", symlinks=True)
    ensure(LOCK)
    assert not (book / ".venv.old").exists()
    assert len(fake.calls) == 1


@posix
def test_an_environment_that_cannot_be_set_aside_is_kept(book, fake, monkeypatch, capsys):
    ensure(LOCK)
    hurt_pip(book)
    lose_package(book)

    def busy(*_):
        raise PermissionError(errno.EACCES, "Access is denied")

    monkeypatch.setattr(os, "rename", busy)
    ensure(LOCK)
    assert "close JupyterLab and whatever else runs in it" in capsys.readouterr().err
    assert (site_of(book) / "one").exists()


# --- without a network, and interrupted ------------------------------------------------------------------------------

def change_the_lock(book):
    for lock in LOCKS:
        (book / lock).write_text("one==2\n")


@pytest.mark.parametrize("change", [change_the_lock, other_version, lose_package, hurt_pip])
def test_offline_the_book_opens_as_it_was_with_a_sentence_and_online_it_is_set_right(book, fake, capsys, change):
    ensure(LOCK)
    stamp = environment.read_stamp()
    change(book)
    if change is hurt_pip:
        change_the_lock(book)
    for _ in range(2):
        fake.before = offline
        capsys.readouterr()
        ensure(LOCK)
        said = capsys.readouterr().err
        assert said.startswith("run.py: the package index cannot be reached: connect to the network.")
        assert said.endswith("Until then the book opens as it was installed before.\n")
        assert said.count("\n") == 1
        assert environment.read_stamp() == stamp
    fake.before = lambda: None
    ensure(LOCK)
    assert capsys.readouterr().err == ""
    assert set(packages.locked(book / LOCK)) <= set(packages.installed(site_of(book)))


def test_what_was_fetched_before_a_fault_is_kept_for_the_next_try(book, fake):
    """pip looks into its --dest first."""
    (book / LOCK).write_text("".join(f"n{number}==1\n" for number in range(9)))
    fake.before = offline
    with pytest.raises(Unchanged):
        ensure(LOCK)
    (book / ".venv" / "fetched" / "n1.whl").touch()
    fake.before = lambda: (book / ".venv" / "fetched" / "n1.whl").stat()
    ensure(LOCK)
    assert sorted(fake.fetched) == sorted(packages.name_of(pin) for pin in packages.locked(book / LOCK))
    assert not (book / ".venv" / "fetched").exists()


def test_offline_the_tests_do_not_start_in_an_environment_that_never_had_them(book, fake):
    ensure(LOCK)
    fake.before = offline
    with pytest.raises(Unchanged, match="cannot be reached"):
        ensure(TEST_LOCK)
    ensure(LOCK)


def test_a_checked_out_old_lock_is_right_again_after_a_try_without_a_network(book, fake):
    ensure(LOCK)
    change_the_lock(book)
    fake.before = offline
    ensure(LOCK)
    (book / LOCK).write_text("one==1\n")
    fake.calls.clear()
    ensure(LOCK)
    assert fake.calls == []


@pytest.mark.parametrize("trouble", [Stop("no"), KeyboardInterrupt()])
def test_an_interrupted_update_goes_on_where_it_was(book, fake, trouble):
    ensure(LOCK)
    change_the_lock(book)

    def interrupted():
        shutil.rmtree(site_of(book) / "one-1.dist-info")
        raise trouble

    fake.before = interrupted
    with pytest.raises(type(trouble)):
        ensure(LOCK)
    (book / ".venv" / "kept").touch()
    fake.before = lambda: None
    ensure(LOCK)
    assert "one==2" in packages.installed(site_of(book))
    assert (book / ".venv" / "kept").exists()


def test_an_interrupted_first_set_up_is_not_taken_for_a_finished_one_and_goes_on(book, fake):
    fake.before = offline
    with pytest.raises(Unchanged):
        ensure(LOCK)
    assert LOCK not in environment.read_stamp()
    (book / ".venv" / "kept").touch()
    fake.before = lambda: None
    ensure(LOCK)
    assert len(fake.calls) == 1
    assert (book / ".venv" / "kept").exists()


EARLY = """import signal, sys
class Interrupt:  # Ctrl-C while run.py's own modules are being loaded
    def find_spec(self, name, path=None, target=None):
        if name == {at!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
sys.argv = ["run.py", "setup"]
import runpy; runpy.run_path({root!r} + "/run.py", run_name="__main__")
"""


@pytest.mark.parametrize("at", ["tools.verbs", "tools.environment", "tools.making"])
def test_ctrl_c_before_anything_is_loaded(tmp_path, at):
    code = EARLY.format(root=str(ROOT), at=at)
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "\nStopped.\n")


@pytest.mark.parametrize("name", ["random", "tempfile", "socket", "tools", "json"])
def test_a_module_beside_run_py_does_not_take_the_place_of_pythons_own(tmp_path, name):
    shutil.copy(ROOT / "run.py", tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / f"{name}.py").write_text("raise RuntimeError('shadow')")
    asked = [sys.executable, "run.py", "--help"]
    ended = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
    assert (ended.returncode, ended.stderr) == (0, "")


# --- one at a time ---------------------------------------------------------------------------------------------------

HOLD = """
import sys, time
sys.path.insert(0, {root!r})
from pathlib import Path
from tools.alone import alone
with alone(Path(sys.argv[1])):
    print("in", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def hold(path, seconds):
    code = HOLD.format(root=str(ROOT))
    child = subprocess.Popen([sys.executable, "-c", code, path, str(seconds)], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "in\n"
    return child


def test_a_second_set_up_waits_and_says_for_which_process(tmp_path, capsys):
    path = tmp_path / "lock"
    with hold(path, 0.6) as child, alone.alone(path):
        assert child.poll() == 0 or child.wait(1) == 0
        assert path.read_text() == str(os.getpid())
    assert f"Another run.py (process {child.pid}) sets up this folder: waiting" in capsys.readouterr().out


def test_a_dead_set_up_is_not_waited_for(tmp_path, capsys):
    path = tmp_path / "lock"
    with hold(path, 60) as child:
        child.kill()
        child.wait()
        with alone.alone(path):
            assert path.read_text() == str(os.getpid())
    assert capsys.readouterr().out == ""


@posix
def test_what_a_killed_set_up_left_at_work_is_waited_for(tmp_path, capsys):
    """pip goes on for a while after kill -9 of run.py."""
    path = tmp_path / "lock"
    with alone.alone(path):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=alone.HELD)
    with child, path.open("a+") as file:
        assert not alone.lock(file.fileno())
        child.communicate(b"\n")
        assert alone.lock(file.fileno())


def test_the_second_of_two_set_ups_finds_all_done(book, fake, monkeypatch):
    """While it waited for the lock the first one finished."""
    whole = alone.alone

    def first(path):
        monkeypatch.setattr(mending, "alone", whole)
        ensure(LOCK)
        return whole(path)

    monkeypatch.setattr(mending, "alone", first)
    ensure(LOCK)
    assert len(fake.calls) == 1


@posix
def test_where_a_file_system_has_no_locks_the_set_up_goes_on(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(alone.fcntl, "flock", refuse)
    with alone.alone(tmp_path / "lock"):
        assert (tmp_path / "lock").read_text() == str(os.getpid())


# --- what is not ours, and what cannot be ----------------------------------------------------------------------------

def test_an_environment_of_someone_else_is_left_alone(book, fake, capsys):
    (book / ".venv").mkdir()
    (book / ".venv" / "theirs").touch()
    assert run.main(["setup"]) == 1
    assert "rename or delete it" in capsys.readouterr().err
    assert (book / ".venv" / "theirs").exists()
    assert fake.calls == []


def a_file(path):
    path.write_text("")


def a_dangling_link(path):
    path.symlink_to(path.parent / "nowhere")


@pytest.mark.parametrize("make", [a_file, pytest.param(a_dangling_link, marks=posix)])
def test_a_venv_that_is_no_folder_is_one_right_sentence(book, fake, capsys, make):
    make(book / ".venv")
    assert run.main(["setup"]) == 1
    assert capsys.readouterr().err == (
        "run.py: .venv here is a file, or a link that leads nowhere: delete it, then run this again.\n")
    assert (book / ".venv").is_symlink() or (book / ".venv").is_file()


@posix
def test_a_venv_may_be_a_link_to_a_roomy_disk_but_is_not_replaced(book, fake, capsys):
    (book / "roomy").mkdir()
    (book / ".venv").symlink_to(book / "roomy")
    ensure(LOCK)
    ensure(LOCK)
    assert len(fake.calls) == 1
    environment.write_stamp({})
    assert run.main(["setup"]) == 1
    error = capsys.readouterr().err
    assert f".venv is a link: empty the folder {book / 'roomy'} or delete the link" in error
    assert error.count("\n") == 1
    assert (site_of(book) / "one").exists()


@posix
def test_a_python_that_this_user_cannot_reach_is_no_damage(book, fake, monkeypatch, capsys):
    ensure(LOCK)

    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(environment.subprocess, "check_output", refuse)
    assert run.main(["setup"]) == 1
    error = capsys.readouterr().err
    assert f"this user may not start the Python of .venv ({os.path.realpath(environment.venv_python())})" in error
    assert error.count("\n") == 1
    assert (site_of(book) / "one").exists()
    assert len(fake.calls) == 1


@posix
@pytest.mark.parametrize("change", [change_the_lock, garble_stamp])
def test_the_environment_of_another_user_is_used_but_never_changed(book, fake, monkeypatch, capsys, change):
    ensure(LOCK)
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    ensure(LOCK)
    assert capsys.readouterr().err == ""
    change(book)
    before = {path: path.lstat().st_mtime_ns for path in (book / ".venv").rglob("*")}
    code = run.main(["setup"])
    assert "belongs to another user" in capsys.readouterr().err
    assert code == (change is garble_stamp)
    assert before == {path: path.lstat().st_mtime_ns for path in (book / ".venv").rglob("*")}
    assert len(fake.calls) == 1


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_a_copy_that_may_not_be_written_in_opens_or_says_why_not(book, fake, monkeypatch, capsys, number):
    opened = Path.open

    def unwritable(patch):
        def refuse(path, mode="r", *more, **options):
            if set(mode) & set("aw+"):
                raise OSError(number, os.strerror(number))
            return opened(path, mode, *more, **options)

        patch.setattr(alone.Path, "open", refuse)

    with monkeypatch.context() as patch:
        unwritable(patch)
        assert run.main(["setup"]) == 1
    error = capsys.readouterr().err
    assert "this folder may not be written in" in error
    assert error.count("\n") == 1
    ensure(LOCK)
    with monkeypatch.context() as patch:
        unwritable(patch)
        ensure(LOCK)
    assert capsys.readouterr().err == ""
    change_the_lock(book)
    with monkeypatch.context() as patch:
        unwritable(patch)
        ensure(LOCK)
    assert "the book opens as it was installed before" in capsys.readouterr().err


def test_an_environment_does_not_delete_itself(book, fake, monkeypatch, capsys):
    ensure(LOCK)
    monkeypatch.setattr(sys, "prefix", str(book / ".venv"))
    garble_stamp(book)
    with pytest.raises(Stop, match="from outside"):
        ensure(LOCK)
    assert (site_of(book) / "one").exists()


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_missing_venv_module_is_named_with_its_cure(book, monkeypatch, capsys, module):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == module else found(name))
    assert run.main(["lab"]) == 1
    error = capsys.readouterr().err
    assert module in error
    assert "sudo apt install python3-venv" in error
    assert not (book / ".venv").exists()


def test_a_path_that_python_cannot_use_is_named(book, fake, monkeypatch, capsys):
    monkeypatch.setattr(environment, "VENV", book / f"a{os.pathsep}b" / ".venv")
    assert run.main(["setup"]) == 1
    error = capsys.readouterr().err
    assert f"in a folder whose path has a {os.pathsep} (" in error
    assert "rename that folder" in error


@pytest.mark.parametrize(("code", "free", "words"), [
    ("print('Oh.'); exit('Error: no luck')", 1e12, "python -m oh failed (Error: no luck): mend that or reinstall"),
    ("exit('OSError: [Errno 28] No space left on device')", 1e12, "the disk is full: free 2 GB"),
    ("exit('ensurepip returned non-zero exit status 1.')", 1e6, "the disk is full: free 2 GB"),
])
def test_a_failing_module_of_pythons_own_is_one_sentence(book, tmp_path, monkeypatch, code, free, words):
    (book / "oh.py").write_text(code)
    monkeypatch.setattr(making.shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(1, 1, free))
    env = environment.variables() | {"PYTHONPATH": str(book)}
    ran = subprocess.run
    monkeypatch.setattr(making.subprocess, "run", lambda command, **options: ran(
        [command[0], *command[2:]], **options | {"env": env}))  # without -I, so that it finds oh.py
    with pytest.raises(Stop, match=re.escape(words)):
        making.run_module("oh")


def test_a_folder_one_may_not_write_in(book, monkeypatch, capsys):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied", str(book / ".venv"))

    monkeypatch.setattr(making.environment.Path, "mkdir", refuse)
    assert run.main(["setup"]) == 1
    assert "may write in" in capsys.readouterr().err


# --- variables and settings of the machine ---------------------------------------------------------------------------

@pytest.mark.parametrize("name", ["PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_DRY_RUN", "PIP_ROOT", "PIP_PYTHON",
                                  "PIP_REQUIREMENT", "PIP_PLATFORM", "PIP_EDITABLE", "PIP_CONSTRAINT", "pip_prefix"])
def test_variables_of_another_python_do_not_leak_in(monkeypatch, name):
    monkeypatch.setenv(name, "elsewhere")
    assert name not in environment.variables()


@pytest.mark.parametrize(("name", "value", "kept"), [
    ("INDEX_URL", "x", True), ("EXTRA_INDEX_URL", "x", True), ("FIND_LINKS", "x", True), ("NO_INDEX", "1", True),
    ("TRUSTED_HOST", "x", True), ("PROXY", "x", True), ("CERT", "x", True), ("CACHE_DIR", "x", True),
    ("RETRIES", "3", True), ("TIMEOUT", "60", True), ("CONFIG_FILE", "x", True),
    ("TIMEOUT", "abc", False), ("DEFAULT_TIMEOUT", "", False), ("RETRIES", "many", False), ("RETRIES", "0", False),
])
def test_what_says_where_packages_are_is_kept_unless_it_is_nonsense(monkeypatch, name, value, kept):
    monkeypatch.setenv(f"PIP_{name}", value)
    assert (environment.variables().get(f"PIP_{name}") == value) == kept


ECHO = """import os, sys
print("Ignoring x: markers", sys.flags.isolated, sorted(name for name in os.environ if name.startswith("PYTHON")))
print(os.environ.get("WORDS", ""))
import time; time.sleep(float(sys.argv[2]) if sys.argv[2:] else 0)
sys.exit(int(os.environ.get("CODE", 0)))
"""


@pytest.fixture
def echo(tmp_path):
    """Run a pip that only says what it got."""
    venv.create(tmp_path / "venv", with_pip=False, symlinks=os.name != "nt")
    site = next((tmp_path / "venv").glob("**/site-packages"))
    (site / "pip.py").write_text(ECHO)
    python = tmp_path / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    return lambda *commands, **env: pip.run(str(python), commands or [["install"]], {**os.environ, **env}, "packages",
                                            3, site)


def test_pip_runs_apart_from_pythons_variables_and_gives_its_words(echo, capsys):
    assert echo(PYTHONWARNINGS="error", PYTHONPATH="x") == "Ignoring x: markers 1 []\n\n"
    assert "packages: " in capsys.readouterr().out


@pytest.mark.parametrize(("words", "kind"), [("Collecting x", Unchanged), ("Installing collected packages: x", Stop)])
def test_a_pip_that_fails_says_whether_it_had_begun(echo, monkeypatch, capsys, words, kind):
    monkeypatch.setattr(pip, "explain", lambda text, code: f"code {code}")
    with pytest.raises(Stop, match="code 3") as raised:
        echo(CODE="3", WORDS=words)
    assert raised.type is kind


def test_several_run_side_by_side_and_one_that_fails_ends_the_others(echo, capsys):
    start = time.monotonic()
    assert echo(["download", "0.5"], ["download", "0.5"], ["download", "0.5"]).count("Ignoring x") == 3
    assert time.monotonic() - start < 1.4, "one after the other it would be 1.5 s and more"
    with pytest.raises(Unchanged, match="code 3"):
        echo(["download", "0"], ["download", "60"], CODE="3")
    assert time.monotonic() - start < 30


# --- what pip says ---------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("text", "words"), [
    ("WARNING: Retrying ... NewConnectionError(...)\nERROR: No matching distribution found for pooch", "network"),
    ("socket.gaierror: Temporary failure in name resolution", "network"),
    ("ReadTimeoutError: Read timed out.", "network"),
    ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "another network"),
    ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "disk is full"),
    ("ERROR: ... [Errno 13] Permission denied: 'x'", "own"),
    ("HINT: This error might have occurred since this system does not have Windows Long Path support", "short path"),
    ("ERROR: No matching distribution found for numpy==2.4.6", "64-bit Python"),
    ("Looking in indexes: foo\nWARNING: Location 'foo/one/' is ignored: it is either a non-existing path or lacks a "
     "specific scheme.\nERROR: No matching distribution found for one==1", "PIP_INDEX_URL"),
])
def test_what_pip_says_becomes_one_sentence(text, words):
    sentence = pip.explain(text, 1)
    assert words in sentence
    assert "\n" not in sentence


def test_a_pip_that_may_use_no_index_is_said_so(monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert "unset it" in pip.explain("ERROR: No matching distribution found for one==1", 1)


def test_what_we_do_not_know_of_pip_is_shown(capsys):
    assert "code 3" in pip.explain("one\nsomething new\n", 3)
    assert "something new" in capsys.readouterr().err


@pytest.mark.parametrize(("lines", "text"), [
    ([], "0 of 3"),
    (["Ignoring a: markers\n", "Collecting b\n"], "1 of 2"),
    (["Processing ./b.whl\n", "Requirement already satisfied: a\n"], "2 of 3"),
    (["Collecting b\n", "  WARNING: Retrying (Retry(total=4))\n"], "waiting for the network"),
    (["Collecting b\n", "Installing collected packages: b, c, d\n"], "1 of 3 installed"),
    (["Installing collected packages: b, c\n", "Successfully installed b c\n"], "all 3 installed"),
])
def test_progress_says_how_far_it_is(tmp_path, lines, text):
    put(tmp_path, "b", "1")
    assert pip.progress(lines, 3, tmp_path) == text


# --- locks and lists -------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_is_read_by_its_pins(name):
    text = (ROOT / name).read_text("utf-8")
    pins = packages.locked(ROOT / name)
    assert len(pins) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE))
    assert packages.part(ROOT / name, map(packages.name_of, pins)) == text
    assert packages.part(ROOT / name, ["numpy"]).startswith("numpy==")


def test_here_every_package_is_found_whole_in_the_environment_of_the_tests():
    """The names and sizes that pip really writes; only a sample is looked at closely."""
    site = Path(pytest.__file__).parents[1]
    pins = set(packages.locked(ROOT / TEST_LOCK)) & set(packages.installed(site))
    if not pins:
        pytest.skip("These tests run with other packages than those of the lock.")
    names = {packages.name_of(pin) for pin in pins}
    assert {"numpy", "jupyterlab", "pytest"} <= names
    assert packages.damaged(site, pins) == []
    assert packages.damaged(site, [pin for pin in pins if packages.name_of(pin) in ("pytest", "tqdm")], True) == []
