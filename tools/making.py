"""A new environment in the place of none or of an old one, and an old one in a new place."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tools import alone, environment
from tools.environment import LOCKS, read_stamp, venv_python, write_stamp
from tools.stop import Stop, Unchanged


def make_anew(fill: Callable[[], None]) -> None:
    """Make an environment and fill it; one that has worked stays aside until its successor does."""
    folder = environment.VENV
    if folder.is_dir() and any(folder.iterdir()):
        refuse_from_inside()
        if folder.is_symlink():
            raise Unchanged("the environment in .venv must be made anew, and .venv is a link: empty the folder "
                            f"{os.readlink(folder)} or delete the link, then run this again.")
        print("The environment in .venv is unfinished or damaged: making it anew.", flush=True)
        if read_stamp():
            set_aside()
        else:
            shutil.rmtree(folder)
    try:
        make()
        fill()
    except BaseException as trouble:
        if not aside().exists():
            raise
        put_back()
        raise (Unchanged(str(trouble)) if isinstance(trouble, Stop) else trouble) from None
    shutil.rmtree(aside(), ignore_errors=True)


def make() -> None:
    missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if missing:
        raise Stop(f"this Python lacks its module {' and '.join(missing)}: install it (Debian, Ubuntu: "
                   "sudo apt install python3-venv), then run this again.")
    if os.pathsep in str(environment.VENV):
        raise Stop(f"Python makes no environment in a folder whose path has a {os.pathsep} ({environment.ROOT}): "
                   "rename that folder, then run this again.")
    print("Making the environment in .venv (once; about half a minute) ...", flush=True)
    environment.VENV.mkdir(exist_ok=True)
    write_stamp({})  # ours, and half made
    run_module("venv", "--without-pip", os.path.realpath(environment.VENV))
    run_module("ensurepip", "--default-pip", python=venv_python())
    write_stamp({"venv": str(environment.VENV), "python": environment.venv_version()})


def run_module(*arguments: str, python: str = sys.executable) -> None:
    """A module of Python's own, with its fault in one sentence."""
    made = subprocess.run([python, "-I", "-m", *arguments], env=environment.variables(), capture_output=True,
                          text=True, errors="replace", pass_fds=alone.HELD)
    if made.returncode:
        words = made.stdout + made.stderr
        if re.search("No space left|Errno 28", words) or shutil.disk_usage(environment.ROOT).free < 50e6:
            raise Stop("the disk is full: free 2 GB and run this again.")
        last = words.strip().splitlines()[-1:] or [f"code {made.returncode}"]
        raise Stop(f"python -m {arguments[0]} failed ({last[0]}): mend that or reinstall this Python, then run this "
                   "again.")


def refuse_from_inside() -> None:
    if Path(sys.prefix).resolve() == environment.VENV.resolve():
        raise Unchanged("the environment in .venv must be made anew: run this with a Python from outside it.")


# --- the old one meanwhile -------------------------------------------------------------------------------------------

def aside() -> Path:
    return environment.VENV.with_name(".venv.old")


def set_aside() -> None:
    try:
        os.rename(environment.VENV, aside())
    except OSError as error:
        raise Unchanged(f".venv must be made anew and cannot be moved aside ({error.strerror}): close JupyterLab and "
                        "whatever else runs in it, then run this again.") from error


def put_back() -> None:
    """What was set aside takes its place again, unless its successor is finished; also after a run.py was killed."""
    if aside().exists() and set(LOCKS) & set(read_stamp() or {}):
        shutil.rmtree(aside(), ignore_errors=True)
    elif aside().exists():
        shutil.rmtree(environment.VENV, ignore_errors=True)
        os.rename(aside(), environment.VENV)


# --- an old one in a new place, or without its Python ----------------------------------------------------------------

def same_version(stamp: dict) -> bool:
    return stamp["python"] == f"{sys.version_info[0]}.{sys.version_info[1]}"


def renew_python() -> None:
    """The Python it was made with is gone, e.g. replaced by its next patch: it gets this one, packages stay."""
    refuse_from_inside()
    print("The Python of .venv is gone: giving it this one.", flush=True)
    for link in Path(venv_python()).parent.glob("python*"):
        link.unlink()
    run_module("venv", "--without-pip", os.path.realpath(environment.VENV))


def point_here(stamp: dict) -> None:
    """The folder was moved or copied: its scripts name the place where they were installed."""
    print("This folder was moved or copied: telling .venv where it is now.", flush=True)
    old, new = (os.fsencode(path) for path in (stamp["venv"], environment.VENV))
    for script in Path(venv_python()).parent.iterdir():
        text = script.read_bytes() if script.is_file() and not script.is_symlink() else b""
        if old in text and b"\0" not in text:
            script.write_bytes(text.replace(old, new))
    write_stamp(stamp | {"venv": str(environment.VENV)})
