"""A new edition comes to readers who wrote in theirs: real clones of a small book, and nothing typed is ever lost."""

import errno
import json
import os
import shutil
import signal
import subprocess
from datetime import date
from pathlib import Path

import pytest

from tools import environment, update, verbs
from tools.environment import Stop

ROOT = Path(__file__).resolve().parents[1]
MINE = "What I think: 0.42, because zero counts are vetoes."
RUN_PY = "import sys; print('the new', *sys.argv[1:])"


def kept_today():
    """Where an update keeps the reader's pages; a run of the tests may go on past midnight."""
    return f"my-pages/{date.today().isoformat()}"


def page(*sources, outputs=(), tags=()):
    cells = [{"cell_type": "code", "id": f"c{number}", "metadata": {"tags": list(tags)} if tags else {},
              "execution_count": len(outputs) or None, "outputs": list(outputs), "source": source.splitlines(True)}
             for number, source in enumerate(sources)]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


OLD = {name: page(f"{name}\n1 + 1", "2 + 2") for name in ("01_one", "02_two", "03_three", "05_five")}
NEW = OLD | {"01_one": page("01_one, new"), "02_two": page("02_two, new"), "04_four": page("four")}
del NEW["03_three"]


def git(folder, *words):
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def write(folder, name, text):
    path = folder / (f"notebooks/{name}.ipynb" if name[0].isdigit() else name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def edition(folder, pages, code):
    """Write and commit an edition."""
    for path in (folder / "notebooks").glob("*"):
        path.unlink()
    for name, text in pages.items():
        write(folder, name, text)
    write(folder, "book.py", code)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", code)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """origin with the old edition as main and the new one as the branch next, and a clone that nobody touched."""
    folder = tmp_path_factory.mktemp("shelf")
    with pytest.MonkeyPatch.context() as patch:
        isolate_git(patch)
        author = folder / "author"
        git(folder, "init", "--quiet", "--initial-branch=main", author)
        for name in (".gitignore", ".gitattributes"):
            shutil.copyfile(ROOT / name, author / name)
        write(author, "run.py", RUN_PY.replace("new", "old"))
        edition(author, OLD, "old = 1")
        git(folder, "clone", "--quiet", "--bare", author, "origin.git")
        git(folder, "clone", "--quiet", folder / "origin.git", "reader")
        write(author, "run.py", RUN_PY)
        edition(author, NEW, "new = 1")
        git(author, "push", "--quiet", folder / "origin.git", "main:next")
    return folder


def isolate_git(patch):
    """git as nobody in particular has it."""
    patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        patch.setenv(f"GIT_{role}_NAME", "A Reader")
        patch.setenv(f"GIT_{role}_EMAIL", "reader@example.org")


@pytest.fixture
def reader(library, tmp_path, monkeypatch):
    """A reader's clone of the old edition, without an environment; origin has the new one by now."""
    isolate_git(monkeypatch)
    shutil.copytree(library / "origin.git", tmp_path / "origin.git")
    folder = Path(shutil.copytree(library / "reader", tmp_path / "reader"))
    git(folder, "remote", "set-url", "origin", tmp_path / "origin.git")
    git(tmp_path / "origin.git", "update-ref", "refs/heads/main", "next")
    monkeypatch.setattr(update, "ROOT", folder)
    monkeypatch.setattr(environment, "VENV", folder / ".venv")
    return folder


def files(folder):
    """Path -> text of every file that is not git's, and where the branch stands."""
    there = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.relative_to(folder).parts)
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in there}


def is_new(folder):
    """The new edition stands there to the letter."""
    assert git(folder, "rev-parse", "HEAD") == git(folder.parent / "origin.git", "rev-parse", "next")
    assert git(folder, "diff", "HEAD", "--name-only") == ""
    return True


# --- what a reader has written ---------------------------------------------------------------------------------------

def test_a_changed_page_is_kept_beside_the_new_edition_and_the_reader_is_told(reader, capsys):
    typed = page("02_two\n1 + 1", "2 + 2", MINE, outputs=[{"output_type": "stream", "name": "stdout", "text": "4"}])
    write(reader, "02_two", typed)
    write(reader, "my_notes.md", MINE)
    assert verbs.main(["update"]) == 0
    assert is_new(reader)
    kept = f"{kept_today()}/notebooks/02_two.ipynb"
    assert files(reader) == {f"notebooks/{name}.ipynb": text for name, text in NEW.items()} | {
        "book.py": "new = 1", "run.py": RUN_PY, ".gitignore": (ROOT / ".gitignore").read_text("utf-8"),
        ".gitattributes": (ROOT / ".gitattributes").read_text("utf-8"), "my_notes.md": MINE, kept: typed}
    assert git(reader, "status", "--porcelain") == "?? my_notes.md", "what is kept is nothing to commit"
    output = capsys.readouterr().out
    assert f"You changed notebooks/02_two.ipynb, and so did the new edition. Yours: {kept}" in output
    assert output.endswith("The new edition is here; CHANGELOG.md says what is new.\n")


def link(folder):
    outside = folder.parent / "synced.ipynb"
    outside.write_text(page(MINE), "utf-8")
    path = folder / "notebooks" / "02_two.ipynb"
    path.unlink()
    path.symlink_to(outside)


def stage(folder, name, text):
    write(folder, name, text)
    git(folder, "add", "--force", ".")


WRITTEN = {
    "a cell": lambda folder: write(folder, "02_two", page("02_two\n1 + 1", "2 + 2", MINE)),
    "a line": lambda folder: write(folder, "02_two", page("02_two\n1 + 1", "2 + 2\n" + MINE)),
    "a tag": lambda folder: write(folder, "02_two", page("02_two\n1 + 1", "2 + 2", tags=[MINE])),
    "a page cut off": lambda folder: write(folder, "02_two", page(MINE)[:-9]),
    "a page that is linked": link,
    "a page that was staged": lambda folder: stage(folder, "02_two", page(MINE)),
    "a page that goes": lambda folder: write(folder, "03_three", page(MINE)),
    "a page in the way of a new one": lambda folder: write(folder, "04_four", page(MINE)),
    "the same, staged": lambda folder: stage(folder, "04_four", page(MINE)),
    "code": lambda folder: write(folder, "book.py", f"old = 1  # {MINE}"),
}


@pytest.mark.parametrize("written", WRITTEN)
def test_nothing_that_was_typed_is_lost(reader, written):
    WRITTEN[written](reader)
    assert update.update([]) == 0
    assert is_new(reader)
    (kept,) = [path for path, text in files(reader).items() if MINE in text]
    assert kept.startswith(kept_today())


@pytest.mark.parametrize("name", ["01_one", "02_two", "03_three"])
def test_a_page_that_was_only_run_needs_no_copy(reader, name, capsys):
    ran = json.loads(OLD[name]) | {"metadata": {"widgets": {"state": 1}, "kernelspec": {"name": "mine"}}}
    ran["cells"][0] |= {"execution_count": 7, "outputs": [{"output_type": "error"}], "metadata": {"collapsed": True}}
    ran["cells"][1]["source"] = "2 + 2"  # as one text: the same
    write(reader, name, json.dumps(ran))
    assert update.update([]) == 0
    assert is_new(reader)
    assert not (reader / "my-pages").exists()
    assert f"In notebooks/{name}.ipynb you typed nothing" in capsys.readouterr().out


def test_what_the_new_edition_leaves_alone_stays_where_it_is(reader):
    write(reader, "05_five", page(MINE))
    (reader / "notebooks" / "01_one.ipynb").unlink()  # comes back
    stage(reader, "my_own.py", MINE)
    assert update.update([]) == 0
    assert git(reader, "status", "--porcelain").splitlines() == ["A  my_own.py", "M  notebooks/05_five.ipynb"]
    there = files(reader)
    assert there["notebooks/05_five.ipynb"] == page(MINE)
    assert there["my_own.py"] == MINE
    assert there["notebooks/01_one.ipynb"] == NEW["01_one"]
    assert not (reader / "my-pages").exists()


# --- from where, and where it ends -----------------------------------------------------------------------------------

def test_a_fixed_edition_goes_forward_too(reader):
    git(reader, "switch", "--quiet", "--detach")
    write(reader, "02_two", page(MINE))
    assert update.update([]) == 0
    assert is_new(reader)
    assert files(reader)[f"{kept_today()}/notebooks/02_two.ipynb"] == page(MINE)


def test_a_clone_without_history_goes_forward_too(reader, tmp_path, monkeypatch):
    git(tmp_path / "origin.git", "update-ref", "refs/heads/main", "next~1")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{tmp_path / 'origin.git'}", "shallow")
    git(tmp_path / "origin.git", "update-ref", "refs/heads/main", "next")
    monkeypatch.setattr(update, "ROOT", tmp_path / "shallow")
    write(tmp_path / "shallow", "02_two", page(MINE))
    assert update.update([]) == 0
    assert is_new(tmp_path / "shallow")
    assert files(tmp_path / "shallow")[f"{kept_today()}/notebooks/02_two.ipynb"] == page(MINE)


def test_the_new_editions_own_rules_bring_the_packages(reader, capfd, monkeypatch):
    (reader / ".venv").mkdir()
    environment.write_stamp({"extras": ["book"]})
    assert update.update([]) == 0
    assert capfd.readouterr().out.endswith("the new setup\n")
    assert update.update([]) == 0
    assert capfd.readouterr().out.endswith("This is the newest edition already.\n")


# --- what stands in the way: a sentence, nothing changed, and its advice leads out -----------------------------------

def offline(reader):
    git(reader, "remote", "set-url", "origin", reader.parent / "nowhere.git")


def own_commit(reader):
    write(reader, "02_two", page(MINE))
    git(reader, "commit", "--quiet", "--all", "--message", "mine")


def begin_pull(*words):
    def pull(reader):
        own_commit(reader)
        subprocess.run(["git", "pull", "--quiet", *words], cwd=reader, capture_output=True)

    return pull


def stash_pop(reader):
    """As the internet advises to those whose pull was refused."""
    write(reader, "02_two", page(MINE))
    for words in (["stash", "--quiet"], ["pull", "--quiet", "--ff-only"], ["stash", "pop"]):
        subprocess.run(["git", *words], cwd=reader, capture_output=True)


def mine_is_in_git(reader):
    return MINE in git(reader, "log", "--all", "--patch")


def mine_is_on_the_page(reader):
    return files(reader)["notebooks/02_two.ipynb"] == page(MINE)


APART = "git branch mine; git reset --quiet --keep origin/main"
BEGUN = "something was begun here with git and is not ended: git status says"
# What happened: the sentence's beginning, the way out that it or git status says, where the reader's line is then.
WAYS = {
    "own commits": (own_commit, "this folder has 1 commit that the new edition has not", APART, mine_is_in_git),
    "a merge": (begin_pull("--no-rebase"), BEGUN, "git merge --abort; " + APART, mine_is_in_git),
    "a rebase": (begin_pull("--rebase"), BEGUN, "git rebase --abort; " + APART, mine_is_in_git),
    "a stash": (stash_pop, BEGUN,
                "git checkout --theirs -- notebooks/02_two.ipynb; git reset --quiet", mine_is_on_the_page),
}


@pytest.mark.parametrize("happened", WAYS)
def test_what_git_began_is_ended_by_what_the_sentence_says(reader, capfd, happened):
    prepare, words, way_out, mine_is_there = WAYS[happened]
    prepare(reader)
    before, head = files(reader), git(reader, "rev-parse", "HEAD")
    assert verbs.main(["update"]) == 1
    output = capfd.readouterr().err.splitlines()[-1]
    assert output.startswith(f"run.py: {words}")
    assert (files(reader), git(reader, "rev-parse", "HEAD")) == (before, head)
    for command in way_out.split("; "):
        assert command.replace(" --quiet", "") in output or BEGUN in output
        git(reader, *command.split()[1:])
    assert verbs.main(["update"]) == 0
    assert git(reader, "rev-parse", "HEAD") == git(reader, "rev-parse", "origin/main")
    assert mine_is_there(reader)


def folder_in_the_way(reader):
    (reader / "notebooks" / "04_four.ipynb").mkdir()
    write(reader, "02_two", page(MINE))
    (reader / "notebooks" / "04_four.ipynb" / "mine.md").write_text(MINE, "utf-8")


@pytest.mark.parametrize(("prepare", "words"), [
    (offline, "the new edition could not be fetched"),
    (lambda reader: shutil.rmtree(reader / ".git"), "this folder is no git clone"),
    (lambda reader: git(reader, "remote", "remove", "origin"), "does not know where new editions come from"),
    (lambda reader: (reader / ".git" / "index.lock").touch() or write(reader, "02_two", page(MINE)), "index.lock"),
    (folder_in_the_way, "04_four.ipynb"),
], ids=["offline", "a zip", "no origin", "cut off earlier", "a folder in the way"])
def test_a_sentence_where_it_cannot_be(reader, capfd, prepare, words):
    prepare(reader)
    before = files(reader)
    assert verbs.main(["update"]) == 1
    output = capfd.readouterr().err.splitlines()[-1]
    assert output.startswith("run.py: ")
    assert words in output
    there = files(reader)
    assert {path: there[path] for path in before} == before, "nothing of the reader's was changed"
    assert (reader / "book.py").read_text() == "old = 1"


def test_without_git_the_zip_is_the_way(reader, monkeypatch):
    monkeypatch.setenv("PATH", str(reader))
    place = update.addresses()["repository"] or "where you got this one"
    with pytest.raises(Stop, match=f"^git is not installed.*download the new edition as a zip from {place}, unpack it"):
        update.update([])


def test_update_takes_nothing_more(reader, capsys):
    assert verbs.main(["update", "02"]) == 1
    assert "update takes nothing more" in capsys.readouterr().err


def test_an_open_jupyterlab_is_closed_first(reader, monkeypatch):
    """It would save its pages over the new ones; how it is found is in tests/test_serving.py."""
    before, roots = files(reader), []
    monkeypatch.setattr(update.running, "find_server", lambda root: roots.append(root) or ("http://127.0.0.1:1/", root))
    with pytest.raises(Stop, match="JupyterLab is open in this folder"):
        update.update([])
    assert (roots, files(reader)) == ([update.ROOT], before)
    monkeypatch.setattr(update.running, "find_server", lambda root: None)
    assert update.update([]) == 0


# --- in the middle ---------------------------------------------------------------------------------------------------

def test_a_disk_that_fills_up_while_copying_changes_nothing(reader, monkeypatch, capsys):
    write(reader, "01_one", page(MINE))
    write(reader, "02_two", page(MINE))
    before, original = files(reader), Path.write_bytes

    def full(path, content):
        if "my-pages" in str(path) and "02" in str(path):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return original(path, content)

    monkeypatch.setattr(update.Path, "write_bytes", full)
    assert verbs.main(["update"]) == 1
    assert "free 2 GB on this disk" in capsys.readouterr().err
    assert before.items() <= files(reader).items()
    assert (reader / "book.py").read_text() == "old = 1"


@pytest.mark.parametrize("problem", [Stop("git could not do it."), KeyboardInterrupt()])
def test_a_failure_in_the_middle_puts_back_what_was_there(reader, monkeypatch, problem):
    write(reader, "02_two", page(MINE))
    write(reader, "01_one", page(*("01_one\n1 + 1", "2 + 2"), outputs=[{"output_type": "stream"}]))
    before, original = files(reader), update.git

    def fails(*words):
        if "merge" in words:
            raise problem
        return original(*words)

    monkeypatch.setattr(update, "git", fails)
    with pytest.raises(type(problem)):
        update.update([])
    assert {path: text for path, text in files(reader).items() if not path.startswith(kept_today())} == before
    monkeypatch.setattr(update, "git", original)
    assert update.update([]) == 0
    assert is_new(reader)
    assert files(reader)[f"{kept_today()}-2/notebooks/02_two.ipynb"] == page(MINE)


def test_ctrl_c_waits_while_files_change_places(reader, monkeypatch):
    write(reader, "02_two", page(MINE))
    original = update.git

    def pressed(*words):
        if "checkout" in words:
            os.kill(os.getpid(), signal.SIGINT)
        return original(*words)

    monkeypatch.setattr(update, "git", pressed)
    assert update.update([]) == 0
    assert is_new(reader)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
