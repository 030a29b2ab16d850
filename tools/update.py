"""Brings a new edition with git, without losing a line that the reader wrote.

Where the reader and the new edition changed the same file, the reader's goes to my-pages/<date>/ first, and the new one
takes its place. Everything else of the reader's stays where it is. Needs no environment, only git.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import count
from pathlib import Path

from tools import environment, running
from tools.environment import Stop
from tools.files import ROOT
from tools.publish import addresses

BEGUN = {"MERGE_HEAD": "merge", "rebase-merge": "rebase", "rebase-apply": "rebase", "CHERRY_PICK_HEAD": "cherry-pick",
         "REVERT_HEAD": "revert"}  # what git leaves in its folder: the verb that left it


def new_edition() -> int:
    """Fetch, keep the reader's pages, go forward, bring the packages up to date."""
    refuse_without_git()
    if begun := unfinished():
        raise Stop(begun)
    target = followed()
    fetch(target.partition("/")[0])
    ahead, behind = distance(target)
    if not behind:
        print("This is the newest edition already.")
        return 0
    if ahead:
        raise Stop(f"this folder has {ahead} commit{'s' * (ahead > 1)} that the new edition has not, so nothing was "
                   f"changed: git merge {target} joins the two; or git branch mine, then git reset --keep {target}, "
                   "set yours aside in the branch mine.")
    refuse_if_open()
    exchange(target)
    print("The new edition is here; CHANGELOG.md says what is new.", flush=True)
    if environment.read_stamp() is None or environment.is_right("book"):
        return 0
    return subprocess.call([sys.executable, str(ROOT / "run.py"), "setup"], cwd=ROOT)  # by the new edition's own rules


def waiting() -> str:
    """What a pull that failed has left to do, in a sentence; '' where all is well. Asks no network."""
    try:
        refuse_without_git()
        begun = unfinished()
        ahead, behind = (0, 0) if begun else distance(followed())
    except Stop:
        return ""
    if begun or ahead or not behind:
        return begun
    return ("a newer edition has been fetched, but is not in its place yet: python3 run.py update (Windows: py run.py "
            "update) puts it there and keeps the pages that you changed.")


# --- may we? ---------------------------------------------------------------------------------------------------------

def refuse_without_git() -> None:
    if not (ROOT / ".git").exists():
        raise Stop(f"this folder is no git clone, so there is nothing to update it from: {by_hand()}")
    if shutil.which("git") is None:
        raise Stop(f"git is not installed, so this folder cannot be updated: install git; or {by_hand()}")


def by_hand() -> str:
    """Say how a new edition comes without git."""
    place = addresses()["repository"] or "where you got this one"
    return (f"download the new edition as a zip from {place}, unpack it beside this folder and go on there: "
            "your pages stay here, and your progress is the same in both.")


def unfinished() -> str:
    """What somebody began in git and did not end, and the way out of it; '' if nothing."""
    folder = ROOT / git("rev-parse", "--git-dir").strip()
    for name, verb in BEGUN.items():
        if (folder / name).exists():
            return (f"a {verb} was begun here and not ended: git {verb} --continue ends it, git {verb} --abort takes "
                    "it back; then run this again.")
    mixed = sorted({entry.partition("\t")[2] for entry in git("ls-files", "--unmerged", "-z").split("\0")} - {""})
    if mixed:  # by git stash pop
        return (f"your lines and the edition's stand mixed in {', '.join(mixed)}: git checkout --theirs -- "
                f"{shlex.join(mixed)} brings yours back whole, then git reset ends it; then run this again.")
    return ""


def followed() -> str:
    """The branch that this folder follows, such as origin/main; where it stands on none, the one that origin shows."""
    for name in ("@{upstream}", "origin/HEAD", "origin/main"):
        found = ask("rev-parse", "--abbrev-ref", name, "--").stdout.decode().split()
        if found and "/" in found[0]:
            return found[0]
    place = addresses()["repository"] or "ADDRESS"
    raise Stop(f"this folder does not know where new editions come from: git remote add origin {place} tells it; "
               "then git fetch origin, and run this again.")


def refuse_if_open() -> None:
    """A page that is open would be saved over the new one, or lose what was typed since its last save."""
    if running.find(ROOT):
        raise Stop("JupyterLab is open in this folder: save your pages and end it (Ctrl-C in its window), then run "
                   "this again.")


# --- git -------------------------------------------------------------------------------------------------------------

def variables() -> dict[str, str]:
    """This process's variables, less those that lead git elsewhere; it asks for no name and password."""
    elsewhere = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
    return {name: value for name, value in os.environ.items() if name not in elsewhere} | {"GIT_TERMINAL_PROMPT": "0"}


def ask(*words: str) -> subprocess.CompletedProcess:
    """git at work in this folder: paths mean what they say, and no Ctrl-C reaches it."""
    return subprocess.run(["git", "--literal-pathspecs", *words], cwd=ROOT, env=variables(), capture_output=True,
                          stdin=subprocess.DEVNULL, start_new_session=True)


def git(*words: str) -> str:
    """What git says; where it fails, a sentence with its words."""
    done = ask(*words)
    if done.returncode:
        why = " ".join(os.fsdecode(done.stderr).split())
        raise Stop(f"git could not do it, and your files are as they were ({why}): mend that, then run this again.")
    return os.fsdecode(done.stdout)


def fetch(remote: str) -> None:
    """git shows how far it is, or what is wrong."""
    print(f"Asking {git('remote', 'get-url', remote).strip()} for a new edition ...", flush=True)
    with tempfile.TemporaryFile(dir=ROOT):  # where one may not write it ends here
        pass
    if subprocess.run(["git", "fetch", remote], cwd=ROOT, env=variables(), stdin=subprocess.DEVNULL).returncode:
        raise Stop("the new edition could not be fetched, git's words stand above, and nothing was changed: connect to "
                   "the network, then run this again.")


def distance(target: str) -> tuple[int, int]:
    """How many commits this folder has that the target has not, and the other way."""
    ahead, behind = git("rev-list", "--left-right", "--count", f"HEAD...{target}", "--").split()
    return int(ahead), int(behind)


def changed(*revisions: str) -> dict[str, str]:
    """Path -> M, A, D or T, from the first revision to the second, or to the files as they are."""
    fields = git("diff", "--name-status", "-z", "--no-renames", *revisions, "--").split("\0")
    return dict(zip(fields[1::2], fields[::2], strict=False))


# --- the reader's pages ----------------------------------------------------------------------------------------------

def exchange(target: str) -> None:
    """Copy what is in the way, put the new edition in its place; where that fails, put back what was there."""
    mine, new = changed("HEAD"), changed("HEAD", target)
    untracked = [path for path in new if new[path] == "A" and path not in mine and is_there(path)]
    ours = sorted({*(mine.keys() & new.keys()), *untracked})
    there = [path for path in ours if is_there(path)]
    typed = [path for path in there if is_typed(path, target)]
    with tempfile.TemporaryDirectory() as name:
        before = Path(name)
        copy(there, ROOT, before)
        keep(typed)
        with unbroken():
            try:
                make_way(ours, mine)
                git("-c", "merge.autoStash=false", "merge", "--ff-only", "--quiet", "--no-overwrite-ignore", target)
            except BaseException:
                copy(there, before, ROOT)
                raise
    for path in sorted(set(there) - set(typed)):
        print(f"In {path} you typed nothing: it is now the new edition's.")


def is_there(path: str) -> bool:
    return (ROOT / path).is_file()


def is_typed(path: str, target: str) -> bool:
    """Whether a file says what neither the old nor the new edition says."""
    editions = [ask("cat-file", "blob", f"{revision}:{path}") for revision in ("HEAD", target)]
    return typing((ROOT / path).read_bytes()) not in [typing(one.stdout) for one in editions if one.returncode == 0]


def typing(content: bytes) -> object:
    """What one types in a notebook: its cells, without outputs and counts. Of any other file all of it."""
    try:
        return [(cell["cell_type"], "".join(cell["source"]), cell.get("attachments"), cell["metadata"].get("tags"))
                for cell in json.loads(content)["cells"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return content


def keep(typed: list[str]) -> None:
    """Copy the reader's files to my-pages/2026-11-23, or to my-pages/2026-11-23-2 if that is there already."""
    today = ROOT / "my-pages" / date.today().isoformat()
    names = (today.name + (f"-{number}" if number > 1 else "") for number in count(1))
    folder = next(today.with_name(name) for name in names if not today.with_name(name).exists())
    try:
        copy(typed, ROOT, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    for path in typed:
        print(f"You changed {path}, and so did the new edition. Yours: {(folder / path).relative_to(ROOT).as_posix()}")


def copy(paths: Iterable[str], start: Path, goal: Path) -> None:
    for path in paths:
        (goal / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(start / path, goal / path)


def make_way(paths: Iterable[str], mine: dict[str, str]) -> None:
    """Put the old edition's file where it has one, and none where it has not: now git can go forward."""
    old = [path for path in paths if mine.get(path, "A") != "A"]
    if old:
        git("checkout", "--quiet", "HEAD", "--", *old)
    for path in set(paths) - set(old):
        git("rm", "--cached", "--quiet", "--ignore-unmatch", "--", path)
        (ROOT / path).unlink(missing_ok=True)


@contextmanager
def unbroken() -> Iterator[None]:
    """No Ctrl-C in the second in which files change places."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
