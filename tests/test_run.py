"""run.py and the environment it makes; nothing here needs the network."""

import ast
import errno
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from nbcore.datasets.fetchers import OfflineError
from tools import environment, figures, present
from tools import verbs as run
from workbook.chapters.c11_reproduction_ledger.redrawn import redrawn
from workbook.site import __main__ as site
from workbook.vote import room

ROOT = Path(__file__).resolve().parents[1]
SPEC = importlib.util.spec_from_file_location("workbook_run", ROOT / "run.py")
start = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(start)


@pytest.fixture
def book(tmp_path, monkeypatch):
    """An empty book in a folder of its own: run.py believes that it lives there."""
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(run, "ROOT", tmp_path)
    (tmp_path / "notebooks").mkdir()
    return tmp_path


@pytest.fixture
def ensured(monkeypatch):
    """The extras that a verb asks for; nothing is installed."""
    extras = []
    monkeypatch.setattr(run, "ensure", lambda extra, mend=False: extras.append((extra, mend)))
    return extras


def write_notebook(path, *sources):
    cells = [{"cell_type": "code", "id": f"c{number}", "metadata": {"execution": {}}, "execution_count": 9,
              "outputs": [], "source": source} for number, source in enumerate(sources)]
    path.write_text(json.dumps({"cells": cells, "metadata": {"widgets": {"big": 1}, "kernelspec": {"name": "mine"}},
                                "nbformat": 4, "nbformat_minor": 5}))
    return path


# --- an old Python ---------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13)])
def test_an_old_python_gets_one_sentence(version):
    sentence = start.too_old(version)
    assert f"Python {version[0]}.{version[1]}" in sentence
    assert "3.11" in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 14, 1), (4, 0, 0)])
def test_a_newer_python_is_welcome(version):
    assert start.too_old(version) is None


def test_an_old_python_ends_with_that_sentence_and_no_traceback():
    code = "import runpy, sys; sys.version_info = (3, 9, 6, 'final', 0); runpy.run_path('run.py', run_name='__main__')"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 1
    assert ended.stderr.strip() == start.too_old((3, 9, 6))


def test_an_old_python_can_read_the_file():
    """Nothing that came after Python 2.7 and 3.0: else a SyntaxError stands where the sentence should."""
    new = (ast.JoinedStr, ast.NamedExpr, ast.AnnAssign, ast.Match, ast.Await, ast.AsyncFunctionDef, ast.YieldFrom,
           ast.Nonlocal, ast.Starred, ast.MatMult, ast.TryStar)
    for node in ast.walk(ast.parse((ROOT / "run.py").read_text("utf-8"))):
        assert not isinstance(node, new), f"line {node.lineno}"
        if isinstance(node, ast.arguments):
            assert not node.kwonlyargs
            assert not node.posonlyargs
            assert not any(argument.annotation for argument in node.args)
        assert getattr(node, "returns", None) is None
        assert not (isinstance(node, ast.Raise) and node.cause)
        assert not (isinstance(node, ast.Dict) and None in node.keys)


@pytest.mark.parametrize("name", [
    "run.py", "verbs", "environment", "update", "settings", "running", "files", "__init__",
])
def test_only_the_standard_library_is_needed(name):
    path = ROOT / name if name == "run.py" else ROOT / "tools" / f"{name}.py"
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else (
            [node.module] if isinstance(node, ast.ImportFrom) else [])
        for module in modules:
            assert module.split(".")[0] in sys.stdlib_module_names | {"tools"}, module


# --- verbs -----------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("arguments", [[], ["labs"], ["--port", "1"]])
def test_without_a_known_verb_the_usage_and_code_2(arguments, capsys):
    assert run.main(arguments) == 2
    usage = capsys.readouterr().err
    assert all(re.search(rf"^ *{verb} ", usage, re.MULTILINE) for verb in run.VERBS)


def test_the_one_file_hands_on_to_the_verbs():
    """From any folder, with its arguments and its exit code."""
    command = [sys.executable, "-P", ROOT / "run.py", "--help"]
    ended = subprocess.run(command, cwd=ROOT.parent, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, run.__doc__.strip(), "")


@pytest.mark.parametrize(("lint", "types", "tests", "expected"), [
    (0, 0, 0, 0), (1, 0, 0, 1), (0, 3, 0, 3), (1, 3, 0, 1), (0, 0, 1, 1), (1, 3, 2, 2), (0, 0, 5, 5),
])
def test_lint_comes_first_then_types_pytest_last_and_each_can_fail_the_run(monkeypatch, lint, types, tests, expected):
    codes, commands = {"ruff": lint, "mypy": types, "pytest": tests}, []
    monkeypatch.setattr(run, "ensure", lambda extra: commands.append(extra))
    monkeypatch.setattr(run, "run", lambda arguments, env: commands.append(arguments) or codes[arguments[1]])
    assert run.main(["test", "tests/test_run.py", "-k", "port"]) == expected
    assert commands == ["test", ["-m", "ruff", "check", "."], ["-m", "mypy"],
                        ["-m", "pytest", "tests/test_run.py", "-k", "port"]]


@pytest.mark.parametrize(("verb", "extra", "command"), [
    ("bench", "test", ["-m", "benchmarks", "--fast"]),
    ("notebooks", "test", ["-m", "tools.execute_notebooks", "{book}/notebooks/02_two.ipynb"]),
    ("claims", "test", ["-m", "tools.claims", "Wikipedia"]),
    ("figures", "book", ["-m", "tools.figures", "drawn"]),
    ("export", "book", ["-m", "workbook.export", "qti"]),
    ("slips", "book", ["-m", "workbook.slips", "handed-in"]),
    ("site", "site", ["-m", "workbook.site", "page"]),
    ("handout", "site", ["-m", "workbook.site.handout", "02"]),
])
def test_a_verb_asks_for_its_extra_and_passes_arguments_on(book, monkeypatch, verb, extra, command):
    (book / "notebooks" / "02_two.ipynb").touch()
    ensured, ran = [], []
    monkeypatch.setattr(run, "ensure", ensured.append)
    monkeypatch.setattr(run, "run", lambda arguments, env, cwd: ran.append((arguments, env, cwd)) or 3)
    assert run.main([verb, "2" if verb == "notebooks" else command[-1]]) == 3
    assert ensured == [extra]
    assert ran[0][0] == [os.path.normpath(word.format(book=book)) for word in command]
    assert ran[0][2] is None, "a folder that is named is one of the user's"
    assert ("NBCORE_PICTURES" in ran[0][1]) == (verb == "notebooks")


@pytest.mark.parametrize(("args", "folder", "frames"), [
    ([], ROOT / "site", None), (["there", "--draft"], Path("there"), site.DRAFT),
])
def test_the_site_goes_to_the_folder_that_is_said_or_beside_the_notebooks(monkeypatch, capsys, args, folder, frames):
    built = []
    monkeypatch.setattr(site, "build", lambda folder, most, say: built.append((folder, most)))
    assert site.main(args) == 0
    assert built == [(folder, frames)]


@pytest.mark.parametrize("args", [["--serve"], ["one", "two"]])
def test_what_site_does_not_know_is_refused(capsys, args):
    with pytest.raises(SystemExit):
        site.main(args)
    assert "run.py site: error: unrecognized arguments" in capsys.readouterr().err


def test_setup_makes_the_learners_environment_or_mends_it(book, ensured, capsys):
    assert run.main(["setup"]) == 0
    assert ensured == [("book", True)]
    assert "ready" in capsys.readouterr().out


def test_setup_into_another_python_hands_its_selection_to_uv(monkeypatch, ensured, capsys):
    installed = []
    monkeypatch.setattr(environment, "install", lambda python, selection: installed.append((python, selection)))
    assert run.main(["setup", "--into", sys.executable, "--extra", "book", "--group", "class"]) == 0
    assert installed == [(os.path.abspath(sys.executable), ["--extra", "book", "--group", "class"])]
    for nothing in ([], ["no/such/python"]):
        assert run.main(["setup", "--into", *nothing]) == 1
        assert "of which Python" in capsys.readouterr().err
    assert ensured == []


@pytest.mark.parametrize(("args", "passed"), [
    ([], run.WORKERS), (["--slow"], ["--slow", *run.WORKERS]), (["--slow", "-k", "port"], ["--slow", "-k", "port"]),
])
def test_what_takes_minutes_runs_if_asked_for_among_workers_too(monkeypatch, ensured, args, passed):
    ran = []
    monkeypatch.setattr(run, "run", lambda arguments, env: ran.append(arguments) or 0)
    assert run.main(["test", *args]) == 0
    assert ran[-1] == ["-m", "pytest", *passed]


@pytest.mark.parametrize(("flags", "counts"), [([], "1 passed, 1 deselected"), (["--slow"], "2 passed")])
def test_what_takes_minutes_is_counted_as_deselected(tmp_path, flags, counts):
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow: long\naddopts = -p no:cacheprovider\n")
    (tmp_path / "test_it.py").write_text("import pytest\n@pytest.mark.slow\ndef test_a(): pass\ndef test_b(): pass\n")
    ended = subprocess.run([sys.executable, "-m", "pytest", *flags], cwd=tmp_path, capture_output=True, text=True)
    assert counts in ended.stdout


def test_a_childs_exit_code_is_ours(monkeypatch):
    monkeypatch.setattr(environment, "venv_python", lambda: sys.executable)
    assert run.run(["-c", "raise SystemExit(7)"], dict(os.environ)) == 7


def test_ctrl_c_ends_with_130_and_no_traceback(monkeypatch, capsys):
    def interrupted(arguments):
        raise KeyboardInterrupt

    monkeypatch.setitem(run.VERBS, "lab", interrupted)
    assert run.main(["lab"]) == 130
    assert capsys.readouterr().err == "\nStopped.\n"


@pytest.mark.parametrize(("number", "words"), [
    (errno.EACCES, "you may write in"), (errno.EROFS, "you may write in"), (errno.ENOSPC, "free 2 GB"),
    (errno.ENOENT, "fetch the workbook's folder anew"),
])
def test_a_system_error_is_one_sentence(monkeypatch, capsys, number, words):
    def fails(arguments):
        raise OSError(number, os.strerror(number), "some/file")

    monkeypatch.setitem(run.VERBS, "setup", fails)
    assert run.main(["setup"]) == 1
    error = capsys.readouterr().err
    assert words in error
    assert "some/file" in error
    assert error.count("\n") == 1


# --- servers ---------------------------------------------------------------------------------------------------------

def test_the_book_opens_at_its_first_page(book):
    assert run.first_address() == "/lab/tree/notebooks"
    (book / "notebooks" / "02 two.ipynb").touch()
    assert run.first_address() == "/lab/tree/notebooks/02%20two.ipynb"
    (book / "notebooks" / "00_start_here.ipynb").touch()
    assert run.first_address() == "/lab/tree/notebooks/00_start_here.ipynb"


@pytest.mark.parametrize(("flags", "expected"), [
    (["--vote", "--port", "9"], ("10.1.2.3", 0, room.PER_ADDRESS)),
    (["--vote=any:8080"], ("10.1.2.3", 8080, room.PER_ADDRESS)),
    (["--vote="], ("10.1.2.3", 0, room.PER_ADDRESS)),
    (["--vote=192.168.1.5:80", "--one-address"], ("192.168.1.5", 80, room.FULL)),
])
def test_the_flags_of_a_vote(monkeypatch, flags, expected):
    opened = []

    def phones(room, *address):
        opened.append((*address, room.per_address))
        raise OSError

    monkeypatch.setattr(present, "own_address", lambda: "10.1.2.3")
    monkeypatch.setattr(present, "Phones", phones)
    monkeypatch.setattr(present, "Server", None)
    with ThreadPoolExecutor(1) as pool:  # a browser of the tests has a loop in this thread
        assert pool.submit(present.main, ["02", *flags]).result() == 1
    assert opened == [expected]


def test_a_vote_at_an_address_that_is_not_ours_is_a_sentence(capsys):
    with ThreadPoolExecutor(1) as pool:  # a browser of the tests has a loop in this thread
        assert pool.submit(present.main, ["02", "--vote=198.51.100.7"]).result() == 1
    output = capsys.readouterr()
    assert "no vote at 198.51.100.7: " in output.err
    assert "--vote=192.168.1.5" in output.err
    assert output.out == ""


@pytest.mark.parametrize("number", ["A", "a", "A_letters"])
def test_an_appendix_is_called_by_its_letter(book, number):
    for name in ("02_two.ipynb", "A_letters.ipynb"):
        (book / "notebooks" / name).touch()
    assert run.find_page(number) == os.path.join("notebooks", "A_letters.ipynb")


@pytest.mark.parametrize(("arguments", "words"), [
    (["notebooks", "7"], "the book has: 02_two.ipynb, A_letters.ipynb."), (["notebooks", "x"], "no notebook x"),
])
def test_a_notebook_that_is_not_there(book, capsys, arguments, words):
    for name in ("02_two.ipynb", "A_letters.ipynb"):
        (book / "notebooks" / name).touch()
    assert run.main(arguments) == 1
    assert words in capsys.readouterr().err


def test_windows_paths_and_servers(book, monkeypatch):
    ended = iter([KeyboardInterrupt(), 5])

    class Child:
        def __init__(self, command, env):
            assert command == [str(book / ".venv" / "Scripts" / "python.exe"), "-P", "served.py"]
            assert env["PATH"].startswith(str(book / ".venv" / "Scripts") + os.pathsep)

        def wait(self):
            code = next(ended)
            if isinstance(code, int):
                return code
            raise code

    monkeypatch.chdir(book)
    monkeypatch.setattr(run.subprocess, "Popen", Child)
    with monkeypatch.context() as windows:
        windows.setattr(os, "name", "nt")
        code = run.serve(["served.py"], run.environment.variables())
    assert code == 5


def test_tests_and_saved_notebooks_do_not_see_the_users_settings():
    with run.scratch_variables(NBCORE_PICTURES="1") as env:
        folder = Path(env["NBCORE_PROGRESS"]).parent
        assert folder.is_dir()
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            assert Path(env[name]).parent == folder
        assert env["PYDEVD_DISABLE_FILE_VALIDATION"] == env["NBCORE_PICTURES"] == "1"
    assert not folder.exists()


# --- notebooks saved in place ----------------------------------------------------------------------------------------

def save(path):
    with run.scratch_variables() as env:
        return subprocess.run([sys.executable, "-m", "tools.execute_notebooks", str(path)], cwd=ROOT, env=env,
                              capture_output=True, text=True, timeout=600)


def test_a_notebook_is_saved_with_what_it_says_and_nothing_that_changes(tmp_path):
    path = write_notebook(tmp_path / "01_one.ipynb", "print('a', 1)", "import ipywidgets; ipywidgets.IntSlider(3)")
    ended = save(path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert re.search(r"\[1/1\] .*01_one.ipynb \.\.\. .*saved, \d+\.\d s", ended.stdout, re.DOTALL)
    text = path.read_text("utf-8")
    saved = json.loads(text)
    assert text.endswith("}\n")
    assert [cell["execution_count"] for cell in saved["cells"]] == [1, 2]
    assert [cell["metadata"] for cell in saved["cells"]] == [{}, {}]
    assert [cell["id"] for cell in saved["cells"]] == ["c0", "c1"]
    assert list(saved["cells"][1]["outputs"][0]["data"]) == ["text/plain"], "a view without its kernel hides the text"
    assert set(saved["metadata"]) == {"kernelspec", "language_info"}
    assert "version" not in saved["metadata"]["language_info"]
    assert save(path).returncode == 0
    assert path.read_text("utf-8") == text


def test_a_notebook_that_fails_is_left_as_it_was(tmp_path):
    path = write_notebook(tmp_path / "01_one.ipynb", "1", "1 / 0")
    before = path.read_bytes()
    ended = save(path)
    assert ended.returncode == 1
    assert ended.stdout.startswith(f"[1/1] {path} ... not saved: ")
    assert "ZeroDivisionError: division by zero" in ended.stdout
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# --- figures ----------------------------------------------------------------------------------------------------------

def test_figures_are_written_as_pdf_and_png_and_one_without_its_corpus_is_named(tmp_path, monkeypatch, capsys):
    def offline():
        raise OfflineError("r8-train.txt is not here.")

    drawn = {("Williams (2024)", "1(a)"): Figure, ("Carlos & Rakshit (2016)", "4"): Figure}
    monkeypatch.setattr(figures, "redrawn", lambda: drawn)
    assert figures.main([str(tmp_path / "new" / "folder")]) == 0
    files = {path.name: path.read_bytes()[:4] for path in (tmp_path / "new" / "folder").iterdir()}
    assert files == {f"{name}_figure_{end}": start
                     for name, number in [("williams_2024", "1a"), ("carlos_rakshit_2016", "4")]
                     for end, start in [(f"{number}.pdf", b"%PDF"), (f"{number}.png", b"\x89PNG")]}
    monkeypatch.setitem(drawn, ("Carlos (2015)", "5"), offline)
    assert figures.main([str(tmp_path)]) == 1
    assert "Carlos (2015), Figure 5 ... left out: r8-train.txt is not here." in capsys.readouterr().out


def test_every_figure_of_the_papers_gets_a_file_of_its_own():
    names = [figures.file_name(*key) for key in redrawn()]
    assert len(set(names)) == len(names)
    assert "carlos_2015_figure_5" in names
    assert all(re.fullmatch(r"[a-z_]+_20\d\d_figure_\d[a-d]?", name) for name in names)
