"""The environment in .venv: uv makes it hold what uv.lock says.

pip brings uv itself, at the version and with the hashes of uv.lock. `uv export` writes the lock as a list of pins with
their hashes, and `uv pip install` installs that list. It is not `uv sync --locked`: that refuses the lock when a user's
settings name another index than the lock does, and `uv sync --frozen` asks the lock's addresses, not that index.
"""

import ast
import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tools.files import ROOT

if os.name == "nt":
    import msvcrt
else:
    import fcntl

VENV = ROOT / ".venv"
STAMP = "workbook-stamp.json"  # in .venv: what was installed
# In .venv, too: where its Python finds nbcore, workbook and tools. It stays true in a folder that is moved.
PATH_FILE, PATH_LINE = "workbook.pth", "import os, sys; sys.path.append(os.path.dirname(sys.prefix))\n"
EXTRAS = "book", "site", "test"  # of pyproject.toml; each holds all of the one before
PYTHON = getattr(sys, "_base_executable", sys.executable)  # not that of an environment in which run.py was started
# pip's settings that say where packages are and how they are reached, and the variables that say the same to uv.
SETTINGS = {
    "index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX", "trusted-host": "UV_INSECURE_HOST", "proxy": "ALL_PROXY", "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT", "cache-dir": "UV_CACHE_DIR", "no-cache-dir": "UV_NO_CACHE",
    "timeout": "UV_HTTP_TIMEOUT",
}
# Of a user's variables of uv those that say such things: the others could send the packages elsewhere.
UV_KEPT = ("UV_(DEFAULT_INDEX|INDEX.*|EXTRA_INDEX_URL|FIND_LINKS|INSECURE_HOST|CACHE_DIR|NO_CACHE|OFFLINE|HTTP_.*|"
           "KEYRING_PROVIDER|SYSTEM_CERTS|LINK_MODE|CONFIG_FILE|CONCURRENT_.*)")
FOREIGN = "PIP_LOG", "PIP_PYTHON", "PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"  # compiled files are kept


class Stop(Exception):  # noqa: N818
    """Ends run.py with one sentence that says what to do."""


def ensure(extra: str, mend: bool = False) -> None:
    """Make .venv hold what uv.lock says for an extra; return at once if it does. mend: then install every file anew."""
    right = is_right(extra)
    if right and not mend:
        return
    try:
        with lock_set_up():
            if right or not is_right(extra):  # another run.py may have set it up meanwhile
                set_up(extra, ["--reinstall"] * right + ["--compile-bytecode"] * mend)
    except (Stop, OSError) as trouble:
        if mend or extra not in read_stamp().get("extras", ()) or not site_packages():
            raise
        print(f"run.py: {trouble} Until then the book opens as it was installed before.", file=sys.stderr, flush=True)


def set_up(extra: str, options: list[str]) -> None:
    """Make .venv if it is not there or its Python is gone, and install an extra into it."""
    if os.path.lexists(VENV) and not (VENV / STAMP).is_file():
        raise Stop(".venv here was not made by run.py: rename or delete it, then run this again.")
    print("Setting up the book in .venv (the first time this takes a minute and a network) ...", flush=True)
    if not read_stamp() or not site_packages():
        make_venv()
    extras = max(EXTRAS[: EXTRAS.index(extra) + 1], tuple(read_stamp().get("extras", ())), key=len)
    install(venv_python(), ["--extra", extras[-1], "--group", "build"], *options)
    site = site_packages()
    Path(site, PATH_FILE).write_text(PATH_LINE, "utf-8")
    write_stamp({"lock": lock_digest(), "extras": extras, "packages": list_packages(site)})


def make_venv() -> None:
    """Make .venv with this Python; the packages that are there stay if they are of its version, and go if not."""
    VENV.mkdir(exist_ok=True)
    config, version = VENV / "pyvenv.cfg", ".".join(platform.python_version_tuple()[:2])
    if read_stamp() and config.is_file() and f"version = {version}." in config.read_text("utf-8"):
        old = [*VENV.glob("bin/python*")]  # links to a Python that is gone
    else:
        write_stamp({})  # half made, and ours even if this is stopped
        old = [path for path in VENV.iterdir() if path.name != STAMP]
    for path in old:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    call("Python's venv", [PYTHON, "-I", "-m", "venv", os.path.realpath(VENV)], variables())


# --- what is installed -----------------------------------------------------------------------------------------------

def is_right(extra: str) -> bool:
    """Tell whether .venv was made from this lock, its Python starts, and no package was changed or removed since."""
    stamp = read_stamp()
    site = extra in stamp.get("extras", ()) and stamp.get("lock") == lock_digest() and site_packages()
    return bool(site) and set(stamp["packages"]) <= set(list_packages(site))


def list_packages(site: str) -> list[str]:
    """List the installed packages, each with its version."""
    return sorted(name for name in os.listdir(site) if name.endswith(".dist-info"))


def read_stamp() -> dict:
    """Read what was installed; {} for an environment that is half made, or that run.py did not make."""
    try:
        return json.loads((VENV / STAMP).read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}


def write_stamp(stamp: dict) -> None:
    """Write what was installed."""
    (VENV / STAMP).write_text(json.dumps(stamp), "utf-8")


def read_lock() -> str:
    """Read uv.lock, the same whether git checked it out with Windows line ends or not."""
    return (ROOT / "uv.lock").read_text("utf-8")


def lock_digest() -> str:
    """Return the sha256 of uv.lock."""
    return hashlib.sha256(read_lock().encode()).hexdigest()


def venv_python() -> str:
    """Return the path of the environment's Python."""
    return os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))


def site_packages() -> str:
    """Ask the environment's Python for its folder of packages; return "" if it does not start."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    try:
        return subprocess.check_output([venv_python(), "-I", "-X", "utf8", "-c", code], encoding="utf-8",
                                       stderr=subprocess.DEVNULL).strip()
    except PermissionError:  # no damage: another user works with it
        raise
    except (OSError, subprocess.CalledProcessError):
        return ""


# --- pip and uv ------------------------------------------------------------------------------------------------------

def install(python: str, selection: list[str], *options: str) -> None:
    """Install into the environment of a Python what uv.lock says for a selection, in words of `uv export`."""
    settings = read_pip_settings(python)
    env = uv_variables(python, settings)
    for_pip = {name: value for name, value in env.items() if name[:4] != "PIP_"}
    for_pip |= {f"PIP_{name.replace('-', '_').upper()}": value for name, value in settings.items()}
    for_pip |= {"PIP_CONFIG_FILE": os.devnull, "PIP_ROOT_USER_ACTION": "ignore"}
    no_index = ["--no-index"] if settings.get("no-index", "no").lower() in ("1", "true", "yes", "on") else []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "requirements.txt")
        file.write_text(read_uv_pin())
        call("pip", [python, "-I", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check",
                     "--retries=2", "--no-deps", "--require-hashes", "--only-binary=:all:", "-r", str(file)], for_pip)
        call("uv", [python, "-I", "-m", "uv", "export", "--quiet", "--frozen", "--no-emit-project", "--no-header",
                    "--no-annotate", "--no-emit-package", "uv", "--project", str(ROOT), "-o", str(file), *selection],
             env)
        call("uv", [python, "-I", "-m", "uv", "pip", "install", "--python", python, "--no-deps", "--require-hashes",
                    "--no-build", "-r", str(file), *no_index, *options], env)


def read_uv_pin() -> str:
    """Return the line of a file of requirements for the uv that uv.lock names, with its hashes."""
    entry = next(package for package in tomllib.loads(read_lock())["package"] if package["name"] == "uv")
    return " ".join([f"uv=={entry['version']}", *(f"--hash={wheel['hash']}" for wheel in entry["wheels"])])


def read_pip_settings(python: str) -> dict[str, str]:
    """Ask pip for its settings, of files and variables, and keep those of SETTINGS."""
    listing = subprocess.run([python, "-I", "-m", "pip", "config", "list"], env=variables(), stdout=subprocess.PIPE,
                             text=True)
    if listing.returncode:
        raise Stop("pip does not run, as it says above: mend that, or delete the folder .venv, then run this again.")
    found = {}
    for section in ("global", "install", ":env:"):  # the last one wins
        for name, value in re.findall(rf"^{section}\.(?:default-)?([\w-]+)=(.+)$", listing.stdout, re.MULTILINE):
            found[name] = ast.literal_eval(value)
    return {name: value for name, value in found.items() if name in SETTINGS and value}


def uv_variables(python: str, settings: dict[str, str]) -> dict[str, str]:
    """Return the variables for uv: pip's settings in uv's words, unless uv's own say otherwise."""
    # As pip does: the system's certificates, and a version from any index that has it. Its hash must be right anyway.
    # Files are copied from uv's cache: one linked to it and damaged here would come back damaged.
    env = {"UV_SYSTEM_CERTS": "1", "UV_LINK_MODE": "copy"} | {
        name: value for name, value in variables().items() if name[:3] != "UV_" or re.fullmatch(UV_KEPT, name)}
    for setting, value in settings.items():
        if setting == "cache-dir":
            value = os.path.join(value, "uv")
        if setting in ("extra-index-url", "find-links", "trusted-host"):
            value = ("," if setting == "find-links" else " ").join(value.split())
        env.setdefault(SETTINGS[setting], value)
    return env | {"UV_INDEX_STRATEGY": "unsafe-best-match", "UV_PYTHON": python, "UV_PYTHON_DOWNLOADS": "never"}


def call(name: str, command: list[str], env: dict[str, str]) -> None:
    """Run a program whose words the reader sees; if it fails, say what to do about it."""
    if subprocess.run(command, env=env, stdin=subprocess.DEVNULL).returncode:
        raise Stop(f"the set-up is not finished, as {name} says above: mend that (is there a network, and 2 GB on this "
                   "disk?), then run this again.")


def variables(**extra: str) -> dict[str, str]:
    """Return this process's variables as if .venv were activated, without those that mix in another Python."""
    env = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    path = os.path.dirname(venv_python()) + os.pathsep + env.get("PATH", os.defpath)
    env |= {"PATH": path, "VIRTUAL_ENV": str(VENV), "JUPYTER_PREFER_ENV_PATH": "1"}
    return env | {"PYDEVD_DISABLE_FILE_VALIDATION": "1"} | extra


@contextlib.contextmanager
def lock_set_up() -> Iterator[None]:
    """Wait until no other run.py sets up this folder."""
    with (ROOT / ".venv.lock").open("a") as file:
        if not take_lock(file.fileno()):
            print("Another run.py sets up this folder: waiting ...", flush=True)
            while not take_lock(file.fileno()):
                time.sleep(0.2)
        yield


def take_lock(number: int) -> bool:
    """Take the system's lock of an open file; it ends with the process. Return False if another process has it."""
    try:
        if os.name == "nt":
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:  # also from a file system without locks, where we must do without
        return not isinstance(error, BlockingIOError | PermissionError)
    return True
