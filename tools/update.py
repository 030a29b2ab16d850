"""Brings a new edition with git, without losing a line that the reader wrote: run.py update.

Where the reader and the new edition changed the same file, the reader's goes to my-pages/<date>/ first, and the new one
takes its place. Everything else of the reader's stays where it is. Needs no environment, only git. A merge would not
do (nbgitpuller makes one): some pages that were only run are then no JSON any more, and others have cells twice.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from datetime import date
from itertools import count
from pathlib import Path

from tools import environment, running
from tools.environment import Stop
from tools.files import ROOT
from tools.publish import addresses

UNFINISHED = "MERGE_HEAD", "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD"  # what git leaves then


def update(args: list[str]) -> int:
    """Fetch the new edition, copy the reader's pages, go forward, bring the packages up to date."""
    if args:
        raise Stop("update takes nothing more: python3 run.py update.")
    require_git()
    target = find_upstream()
    fetch(target.partition("/")[0])
    ahead, behind = count_commits(target)
    if not behind:
        print("This is the newest edition already.")
        return 0
    if ahead:
        raise Stop(f"this folder has {ahead} commit{'s' * (ahead > 1)} that the new edition has not, so nothing was "
                   f"changed: git merge {target} joins the two; or git branch mine, then git reset --keep {target}, "
                   "set yours aside in the branch mine.")
    if running.find_server(ROOT):  # it would save an open page over the new one, or lose what was typed since
        raise Stop("JupyterLab is open in this folder: save your pages and end it (Ctrl-C in its window), then run "
                   "this again.")
    exchange_files(target)
    print("The new edition is here; CHANGELOG.md says what is new.", flush=True)
    if not environment.read_stamp() or environment.is_right("book"):
        return 0
    return subprocess.call([sys.executable, str(ROOT / "run.py"), "setup"], cwd=ROOT)  # by the new edition's own rules


# --- git -------------------------------------------------------------------------------------------------------------

def require_git() -> None:
    """Refuse where this is no clone, git is not installed, or something that was begun with git is not ended."""
    place = addresses()["repository"] or "where you got this one"
    by_hand = (f"download the new edition as a zip from {place}, unpack it beside this folder and go on there: "
               "your pages stay here, and your progress is the same in both.")
    if not (ROOT / ".git").exists():
        raise Stop(f"this folder is no git clone, so there is nothing to update it from: {by_hand}")
    if shutil.which("git") is None:
        raise Stop(f"git is not installed, so this folder cannot be updated: install git; or {by_hand}")
    folder = ROOT / git("rev-parse", "--git-dir").strip()
    if any((folder / name).exists() for name in UNFINISHED) or git("ls-files", "--unmerged"):
        raise Stop("something was begun here with git and is not ended: git status says how to end it or take it back "
                   "(after git stash pop: git checkout --theirs -- PAGE brings yours back whole, git reset ends it); "
                   "then run this again.")


def run_git(*words: str) -> subprocess.CompletedProcess:
    """Run git in this folder: paths mean what they say, it asks for no password, and no Ctrl-C reaches it."""
    env = os.environ | {"GIT_TERMINAL_PROMPT": "0"}
    return subprocess.run(["git", "--literal-pathspecs", *words], cwd=ROOT, env=env, capture_output=True,
                          stdin=subprocess.DEVNULL, start_new_session=True)


def git(*words: str) -> str:
    """Return what git prints; where it fails, stop with its words."""
    done = run_git(*words)
    if done.returncode:
        why = " ".join(os.fsdecode(done.stderr).split())
        raise Stop(f"git could not do it, and your files are as they were ({why}): mend that, then run this again.")
    return os.fsdecode(done.stdout)


def find_upstream() -> str:
    """Return the branch that this folder follows, such as origin/main, or else the one that origin shows."""
    for name in ("@{upstream}", "origin/HEAD", "origin/main"):
        branch = run_git("rev-parse", "--abbrev-ref", name, "--").stdout.decode().split()
        if branch and "/" in branch[0]:
            return branch[0]
    raise Stop("this folder does not know where new editions come from: git remote add origin "
               f"{addresses()['repository'] or 'ADDRESS'} tells it; then git fetch origin, and run this again.")


def fetch(remote: str) -> None:
    """Fetch from a remote; git shows how far it is, or what is wrong."""
    print(f"Asking {git('remote', 'get-url', remote).strip()} for a new edition ...", flush=True)
    env = os.environ | {"GIT_TERMINAL_PROMPT": "0"}
    if subprocess.run(["git", "-C", ROOT, "fetch", remote], env=env, stdin=subprocess.DEVNULL).returncode:
        raise Stop("the new edition could not be fetched, as git says above, and nothing was changed: mend that (is "
                   "there a network?), then run this again.")


def count_commits(target: str) -> tuple[int, int]:
    """Count the commits that only this folder has, and those that only the target has."""
    ahead, behind = git("rev-list", "--left-right", "--count", f"HEAD...{target}", "--").split()
    return int(ahead), int(behind)


def list_changes(*revisions: str) -> dict[str, str]:
    """Return M, A, D or T by path, from the first revision to the second, or to the files as they are."""
    fields = git("diff", "--name-status", "-z", "--no-renames", *revisions, "--").split("\0")
    return dict(zip(fields[1::2], fields[::2], strict=False))


# --- the reader's pages ----------------------------------------------------------------------------------------------

def exchange_files(target: str) -> None:
    """Copy what the reader typed, put the new edition in its place; where that fails, put back what was there."""
    mine, new = list_changes("HEAD"), list_changes("HEAD", target)
    in_way = sorted(path for path in new if path in mine or (new[path] == "A" and (ROOT / path).is_file()))
    contents = {path: (ROOT / path).read_bytes() for path in in_way if (ROOT / path).is_file()}
    typed = [path for path in contents if is_typed(path, contents[path], target)]
    write_copies({path: contents[path] for path in typed})
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # no Ctrl-C in the second in which files change places
    try:
        for path in in_way:
            git(*(("rm", "--force", "--quiet", "--ignore-unmatch") if new[path] == "D" else ("checkout", target)),
                "--", path)
        git("-c", "merge.autoStash=false", "merge", "--ff-only", "--quiet", "--no-overwrite-ignore", target)
    except BaseException:
        run_git("reset", "--quiet", "--", *in_way)
        write_files(ROOT, contents)
        raise
    finally:
        signal.signal(signal.SIGINT, handler)
    for path in sorted(contents.keys() - set(typed)):
        print(f"In {path} you typed nothing: it is now the new edition's.")


def is_typed(path: str, content: bytes, target: str) -> bool:
    """Tell whether a file says what neither the old nor the new edition says."""
    editions = [run_git("cat-file", "blob", f"{revision}:{path}") for revision in ("HEAD", target)]
    return typed_part(content) not in [typed_part(done.stdout) for done in editions if done.returncode == 0]


def typed_part(content: bytes) -> object:
    """Return what one types in a notebook: its cells, without outputs and counts. Of any other file return all."""
    try:
        return [(cell["cell_type"], "".join(cell["source"]), cell.get("attachments"), cell["metadata"].get("tags"))
                for cell in json.loads(content)["cells"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return content


def write_copies(contents: dict[str, bytes]) -> None:
    """Write the reader's files to my-pages/2026-11-23, or to my-pages/2026-11-23-2 if that is there already."""
    today = ROOT / "my-pages" / date.today().isoformat()
    names = (today.name + (f"-{number}" if number > 1 else "") for number in count(1))
    folder = next(today.with_name(name) for name in names if not today.with_name(name).exists())
    write_files(folder, contents)
    for path in contents:
        print(f"You changed {path}, and so did the new edition. Yours: {(folder / path).relative_to(ROOT).as_posix()}")


def write_files(folder: Path, contents: dict[str, bytes]) -> None:
    """Write files by their paths in a folder."""
    for path, content in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
