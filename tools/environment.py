"""The environment in .venv: uv makes it hold what uv.lock says.

pip brings uv itself, at the version and with the hashes of uv.lock. Then `uv export` writes the lock as a list of pins
with their hashes, and `uv pip install` installs that list. It is not `uv sync --locked`: that refuses the lock when a
user's settings name another index than the lock does, and `uv sync --frozen` asks the lock's addresses, not that index.
"""

import ast
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tools.files import ROOT

if os.name == "nt":
    import msvcrt
else:
    import fcntl

VENV = ROOT / ".venv"
EXTRAS = "book", "site", "test"  # of pyproject.toml; each holds all of the one before
PYTHON = getattr(sys, "_base_executable", sys.executable)  # not that of an environment in which run.py was started
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"


class Stop(Exception):  # noqa: N818
    """Ends run.py with one sentence that says what to do."""


def ensure(extra: str, mend: bool = False) -> None:
    """Make .venv hold what uv.lock says for an extra. Return at once if it does; mend: then install every file anew."""
    right = is_right(extra)
    if right and not mend:
        return
    try:
        with lock_set_up():
            if right or not is_right(extra):  # as another run.py may have left it
                set_up(extra, ["--reinstall"] * right + ["--compile-bytecode"] * mend)
    except (Stop, OSError) as trouble:
        stamp = read_stamp() or {}
        if mend or not holds(stamp, extra) or not site_packages():
            raise
        print(f"run.py: {trouble} Until then the book opens as it was installed before.", file=sys.stderr, flush=True)


def set_up(extra: str, options: list[str]) -> None:
    """Make .venv if it is not there or its Python is gone, and install into it."""
    stamp = read_stamp()
    empty = not os.path.lexists(VENV) or (VENV.is_dir() and not any(VENV.iterdir()))
    if stamp is None and not empty:
        raise Stop(".venv here was not made by run.py: rename or delete it, then run this again.")
    stamp = stamp or {}
    print("Setting up the book in .venv (the first time this takes a minute and a network) ...", flush=True)
    if not stamp or not site_packages():
        make(stamp)
    if holds(stamp, extra):
        extra = stamp["extra"]  # the larger one
    install(venv_python(), ["--extra", extra, "--group", "build"], *options)
    site, made = site_packages(), read_stamp() or {}
    Path(site, PATH_FILE).write_text(path_line(), "utf-8")
    write_stamp(made | {"lock": digest(), "extra": extra, "packages": packages(site)})


def make(stamp: dict) -> None:
    """Make .venv with this Python and pip; what was installed for a Python of the same version stays."""
    VENV.mkdir(exist_ok=True)
    if stamp.get("python") == VERSION:
        gone = list(Path(venv_python()).parent.glob("python*"))
    else:
        write_stamp({})  # half made; and the folder is ours, even if this is stopped
        gone = [path for path in VENV.iterdir() if path.name != STAMP]
    for path in gone:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    call("Python's venv", [PYTHON, "-I", "-m", "venv", os.path.realpath(VENV)], variables())
    write_stamp(stamp | {"python": VERSION})


# --- what is there ---------------------------------------------------------------------------------------------------

PATH_FILE, STAMP = "workbook.pth", "workbook-stamp.json"


def path_line() -> str:
    """Return the line that tells the environment's Python where nbcore, workbook and tools are, in ASCII."""
    return f"import sys; sys.path.append({str(ROOT)!a})\n"


def is_right(extra: str) -> bool:
    """Tell whether .venv was made from this lock, its Python starts, and no package was changed or taken away since."""
    stamp = read_stamp() or {}
    site = holds(stamp, extra) and stamp.get("lock") == digest() and site_packages()
    if not site or not set(stamp["packages"]) <= set(packages(site)):
        return False
    path = Path(site, PATH_FILE)
    return path.is_file() and path.read_text("utf-8") == path_line()  # not so in a folder that was moved


def holds(stamp: dict, extra: str) -> bool:
    """Tell whether this extra was once installed to the end, by itself or in a larger one."""
    return stamp.get("extra") in EXTRAS[EXTRAS.index(extra) :]


def packages(site: str) -> list[str]:
    """List the installed packages, each with its version."""
    return sorted(name for name in os.listdir(site) if name.endswith(".dist-info"))


def read_stamp() -> dict | None:
    """Read what was installed; {} for an environment that is half made, None for one that run.py did not make."""
    try:
        stamp = json.loads((VENV / STAMP).read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError:
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(stamp: dict) -> None:
    """Write what was installed."""
    (VENV / STAMP).write_text(json.dumps(stamp), "utf-8")


def digest() -> str:
    """Return the sha256 of uv.lock, the same whether git checked it out with Windows line ends or not."""
    return hashlib.sha256(read_lock().encode()).hexdigest()


def read_lock() -> str:
    """Read uv.lock."""
    return (ROOT / "uv.lock").read_text("utf-8")


def venv_python() -> str:
    """Return the path of the environment's Python."""
    return os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))


def site_packages() -> str:
    """Ask the environment's Python for its folder of packages; "" if it does not start."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    try:
        return subprocess.check_output([venv_python(), "-I", "-X", "utf8", "-c", code], encoding="utf-8",
                                       stderr=subprocess.DEVNULL).strip()
    except PermissionError as error:  # no damage: another user works with it
        raise Stop(f"this user may not start the Python of .venv ({os.path.realpath(venv_python())}): copy this "
                   "folder, without .venv, to one of your own, then run this there.") from error
    except (OSError, subprocess.CalledProcessError):
        return ""


# --- uv --------------------------------------------------------------------------------------------------------------

# What a machine may say to pip (where packages are, how they are reached), and the variables that say it to uv.
SETTINGS = {
    "index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "no-index": "", "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST", "proxy": "HTTP_PROXY HTTPS_PROXY", "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT", "cache-dir": "UV_CACHE_DIR", "no-cache-dir": "UV_NO_CACHE",
    "timeout": "UV_HTTP_TIMEOUT", "default-timeout": "UV_HTTP_TIMEOUT", "retries": "UV_HTTP_RETRIES",
}
# Of uv's own variables the ones that say such things; the others could send the packages elsewhere.
UV_KEPT = ("UV_(DEFAULT_INDEX|INDEX.*|EXTRA_INDEX_URL|FIND_LINKS|INSECURE_HOST|CACHE_DIR|NO_CACHE|OFFLINE|HTTP_.*|"
           "KEYRING_PROVIDER|SYSTEM_CERTS|LINK_MODE|CONFIG_FILE|CONCURRENT_.*)")
FOREIGN = "PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"  # the last: what is compiled shall be kept


def install(python: str, selection: list[str], *options: str) -> None:
    """Install into the environment of a Python what uv.lock says for a selection, in words of `uv export`."""
    version, pin = uv_pin()
    settings = pip_settings(python)
    if settings.get("no-index", "no").lower() in ("1", "true", "yes", "on"):
        options = "--no-index", *options
    uv, env = [python, "-I", "-m", "uv"], uv_variables(python, settings)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "requirements.txt")
        found = subprocess.run([*uv, "--version"], env=env, capture_output=True, text=True)
        if not found.stdout.startswith(f"uv {version} "):
            file.write_text(pin)
            bare = variables() | {"PIP_CONFIG_FILE": os.devnull, "PIP_ROOT_USER_ACTION": "ignore"}
            for name, value in settings.items():
                bare["PIP_" + name.replace("-", "_").upper()] = value
            call("pip", [python, "-I", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check",
                         "--no-deps", "--require-hashes", "--only-binary=:all:", "-r", str(file)], bare)
        call("uv", [*uv, "export", "--quiet", "--frozen", "--no-emit-project", "--no-header", "--no-annotate",
                    "--no-emit-package", "uv", "--project", str(ROOT), "--output-file", str(file), *selection], env)
        call("uv", [*uv, "pip", "install", "--python", python, "--no-deps", "--require-hashes", "--no-build",
                    "--requirements", str(file), *options], env)


def uv_pin() -> tuple[str, str]:
    """Return the version of uv that uv.lock names, and its line for a file of requirements, with its hashes."""
    found = re.search(r'^name = "uv"\nversion = "(.+)"\n(.+\n)+', read_lock(), re.MULTILINE)
    assert found
    hashes = re.findall(r'hash = "(sha256:\w+)"', found[0])
    return found[1], f"uv=={found[1]} " + " ".join(f"--hash={digest}" for digest in hashes) + "\n"


def pip_settings(python: str) -> dict[str, str]:
    """Ask pip for its settings, of files and variables, and keep those of SETTINGS."""
    asked = [python, "-I", "-m", "pip", "config", "list"]
    said = subprocess.run(asked, env=variables(), stdout=subprocess.PIPE, text=True)
    if said.returncode:
        raise Stop("pip does not run, as it says above: mend that, or delete the folder .venv, then run this again.")
    found = {}
    for section in ("global", "install", ":env:"):  # the last one wins
        for name, value in re.findall(rf"^{section}\.([\w-]+)=(.+)$", said.stdout, re.MULTILINE):
            if name in SETTINGS and ast.literal_eval(value):
                found[name] = ast.literal_eval(value)
    return found


def uv_variables(python: str, settings: dict[str, str]) -> dict[str, str]:
    """Return the variables for uv: pip's settings in uv's words, unless uv's own say otherwise."""
    env = {name: value for name, value in variables().items() if name[:3] != "UV_" or re.fullmatch(UV_KEPT, name)}
    for setting, value in settings.items():
        if setting == "cache-dir":
            value = os.path.join(value, "uv")
        if setting in ("extra-index-url", "find-links", "trusted-host"):
            value = ("," if setting == "find-links" else " ").join(value.split())
        for name in SETTINGS[setting].split():
            if name not in env or name[:3] != "UV_":
                env[name] = value
    # As pip does: the system's certificates, and a version from any index that has it. Its hash must be right anyway.
    # Files are copied from uv's cache: one linked to it and damaged here would come back damaged.
    env = {"UV_SYSTEM_CERTS": "1", "UV_LINK_MODE": "copy"} | env | {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    return env | {"UV_PYTHON": python, "UV_PYTHON_DOWNLOADS": "never"}


def call(name: str, command: list[str], env: dict[str, str]) -> None:
    """Run a program whose words the reader sees; if it fails, say what to do about it."""
    code = subprocess.run(command, env=env, stdin=subprocess.DEVNULL).returncode
    if code and shutil.disk_usage(ROOT).free < 50e6:
        raise Stop("the disk is full: free 2 GB and run this again.")
    if code:
        raise Stop(f"the set-up is not finished, as {name} says above: mend that (is there a network?), then run this "
                   "again.")


def variables(**extra: str) -> dict[str, str]:
    """Return this process's variables as if .venv were activated, without those that mix in another Python."""
    env = {name: value for name, value in os.environ.items() if name not in FOREIGN and not is_stray(name)}
    path = os.path.dirname(venv_python()) + os.pathsep + env.get("PATH", os.defpath)
    return env | {"PATH": path, "VIRTUAL_ENV": str(VENV), "PIP_USER": "0"} | extra


def is_stray(name: str) -> bool:
    """Tell whether a variable would have pip put packages elsewhere, or do something else."""
    setting = name.upper().removeprefix("PIP_").replace("_", "-").lower()
    return name.upper().startswith("PIP_") and setting not in {*SETTINGS, "config-file"}


# --- one at a time ---------------------------------------------------------------------------------------------------

@contextlib.contextmanager
def lock_set_up() -> Iterator[None]:
    """Wait until no other run.py sets up this folder."""
    try:
        file = (ROOT / ".venv.lock").open("a")
    except OSError as error:
        raise Stop(f"this folder may not be written in ({error.strerror}): copy it, without .venv, to one of your own, "
                   "then run this there.") from error
    with file:
        if not take(file.fileno()):
            print("Another run.py sets up this folder: waiting ...", flush=True)
            while not take(file.fileno()):
                time.sleep(0.2)
        yield


def take(number: int) -> bool:
    """Take the system's lock of an open file; it ends with the process. Return False if another process has it."""
    try:
        if os.name == "nt":
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # on Windows: taken; elsewhere: a file system without locks, where we must do without
        return os.name != "nt"
    return True
