"""Makes .venv hold exactly what a lock file says, hash-checked, and notices when it no longer does."""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from tools.files import ROOT

VENV = ROOT / ".venv"
LOCKS = "requirements.lock", "requirements-site.lock", "requirements-test.lock"  # each holds all of the one before
LOCK, SITE_LOCK, TEST_LOCK = LOCKS
PIP = ["-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--progress-bar=off", "--no-deps"]
PIP_TROUBLE = {  # what pip prints: what to do about it
    "No space left|Errno 28|not enough space": "the disk is full: free 2 GB and run this again.",
    "Long Path": r"a path is too long for Windows: move this folder to a short path, e.g. C:\nb, then retry.",
    "Permission denied|Access is denied|Errno 13": "pip may not write here: use a folder you own, then retry.",
    "DO NOT MATCH THE HASHES": "a download differs from the locked one, so it was refused: retry on another network.",
    "connection|resolve host|name resolution|timed out|ProxyError|SSLError":
        "the package index cannot be reached: connect to the network (or set up pip's proxy) and run this again.",
    "No matching distribution": "a package has no ready build for this system: use a 64-bit Python 3.11, 3.12 or 3.13.",
}


class Stop(Exception):  # noqa: N818
    """Ends run.py with one sentence that says what to do."""


def ensure(lock: str) -> None:
    """Make .venv hold what the lock says; at once when it already does."""
    stamp = read_stamp()
    if not is_whole(stamp):
        make_venv(ours=stamp is not None)
    elif stamp.get(lock) == digest(lock):
        return
    write_stamp({})  # half-made until everything below has succeeded
    install(["--require-hashes", "--only-binary=:all:", "-r", lock], "packages", count(lock))
    install(["--no-build-isolation", "-e", "."], "the workbook", 1)
    locks = {name: digest(name) for name in LOCKS[: LOCKS.index(lock) + 1]}
    version = venv_version()
    write_stamp(locks | {"venv": str(VENV), "python": version, "files": sorted(site_packages(version))})


def make_venv(ours: bool) -> None:
    if VENV.is_dir() and any(VENV.iterdir()):
        if not ours:
            raise Stop("the folder .venv here was not made by run.py: rename or delete it, then run this again.")
        if Path(sys.prefix).resolve() == VENV.resolve():
            raise Stop("the environment in .venv must be made anew: run this with a Python from outside it.")
        print("The environment in .venv is unfinished, damaged or moved: making it anew.", flush=True)
        shutil.rmtree(VENV)
    missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if missing:
        raise Stop(f"this Python lacks its module {' and '.join(missing)}: install it (Debian, Ubuntu: "
                   "sudo apt install python3-venv), then run this again.")
    print("Making the environment in .venv (once; about a minute) ...", flush=True)
    VENV.mkdir(exist_ok=True)
    write_stamp({})
    code, words = run_venv(VENV)
    if code:
        last = words.strip().splitlines()[-1:] or [f"code {code}"]
        raise Stop(f"python -m venv failed ({last[0]}): mend that or reinstall this Python, then run this again.")


def run_venv(folder: Path) -> tuple[int, str]:
    made = subprocess.run([sys.executable, "-m", "venv", folder], env=variables(), capture_output=True, text=True)
    return made.returncode, made.stdout + made.stderr


# --- is it still what was installed? ---------------------------------------------------------------------------------

def is_whole(stamp: dict | None) -> bool:
    """Finished, not moved, its Python starts, and nothing that was installed is missing."""
    return (bool(stamp) and stamp["venv"] == str(VENV) and stamp["python"] == venv_version()
            and site_packages(stamp["python"]) >= set(stamp["files"]))


def read_stamp() -> dict | None:
    """What was installed; {} for an unfinished environment, None for one that run.py did not make."""
    try:
        return json.loads((VENV / "workbook-stamp.json").read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError:
        return {}


def write_stamp(stamp: dict) -> None:
    (VENV / "workbook-stamp.json").write_text(json.dumps(stamp), "utf-8")


def digest(lock: str) -> str:
    """The lock's sha256, the same whether git checked it out with Windows line ends or not."""
    return hashlib.sha256((ROOT / lock).read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def venv_python() -> str:
    return os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))


def venv_version() -> str:
    """'3.11' by the environment's own Python; '' when that does not start."""
    probe = [venv_python(), "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        return subprocess.check_output(probe, stderr=subprocess.DEVNULL, text=True).strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def site_packages(version: str) -> set[str]:
    """What lies in the environment's site-packages: a few hundred names, read in a millisecond."""
    folder = VENV / "Lib" / "site-packages" if os.name == "nt" else VENV / "lib" / f"python{version}" / "site-packages"
    return set(os.listdir(folder)) - {"__pycache__"} if folder.is_dir() else set()


def variables(**extra: str) -> dict[str, str]:
    """This process's variables, less those that would mix in another Python, as if .venv were activated."""
    mixing = ("PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_CONSTRAINT", "PIP_NO_BINARY")
    env = {name: value for name, value in os.environ.items() if name not in mixing}
    path = os.path.dirname(venv_python()) + os.pathsep + env.get("PATH", os.defpath)
    return env | {"PATH": path, "VIRTUAL_ENV": str(VENV), "PIP_USER": "0"} | extra


# --- pip, with its progress shown ------------------------------------------------------------------------------------

def install(arguments: list[str], what: str, total: int) -> None:
    """Run pip install; its own words go unseen, unless it fails for a reason we do not know."""
    version, lines = venv_version(), []
    child = subprocess.Popen([venv_python(), *PIP, *arguments], cwd=ROOT, env=variables(), text=True, errors="replace",
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        reader = threading.Thread(target=lambda: [lines.append(line) for line in child.stdout], daemon=True)
        reader.start()
        show_progress(reader, lambda: f"{what}: {progress(list(lines), total, version)}")
        code = child.wait()
    finally:
        child.kill()  # no more than a formality, unless Ctrl-C came
        child.wait()
        reader.join()
        child.stdout.close()
    if code:
        raise Stop(explain("".join(lines), code))


def show_progress(reader: threading.Thread, text) -> None:
    """One line that renews itself on a terminal; elsewhere (a log) a line every ten seconds."""
    start, due, terminal = time.monotonic(), 0.0, sys.stdout.isatty()
    while True:
        reader.join(0.3)
        seconds, running = time.monotonic() - start, reader.is_alive()
        if terminal or not running or seconds >= due:
            due = seconds + 10
            line = f"  {text()}, {seconds:.0f} s"
            print(f"\r{line:70}" if terminal else line, end="" if terminal and running else "\n", flush=True)
        if not running:
            return


def progress(lines: list[str], total: int, version: str) -> str:
    total -= sum(line.startswith("Ignoring ") for line in lines)  # for other systems and Pythons
    if any(line.startswith("Successfully installed") for line in lines):
        return f"all {total} installed"
    if any(line.startswith("Installing collected") for line in lines):
        done = sum(name.endswith(".dist-info") for name in site_packages(version))
        return f"{min(done, total)} of {total} installed"
    if lines and "Retrying" in lines[-1]:
        return "waiting for the network"
    return f"{sum(line.startswith(('Collecting ', 'Obtaining ', 'Requirement ')) for line in lines)} of {total} fetched"


def count(lock: str) -> int:
    return sum("==" in line for line in (ROOT / lock).read_text("utf-8").splitlines())


def explain(text: str, code: int) -> str:
    """One sentence for what pip printed."""
    for pattern, advice in PIP_TROUBLE.items():
        if re.search(pattern, text, re.IGNORECASE):
            return f"the set-up is not finished: {advice}"
    print(*text.splitlines()[-15:], sep="\n", file=sys.stderr)
    return f"pip ended with code {code}, its last words stand above: run this again, and report it if it stays."
