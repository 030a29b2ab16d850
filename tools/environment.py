"""The environment in .venv: where it is, what its stamp says was installed in it, and how its Python is started."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

from tools import pip
from tools.files import ROOT
from tools.stop import Stop, Unchanged

__all__ = ["LOCK", "LOCKS", "SITE_LOCK", "TEST_LOCK", "VENV", "Stop", "Unchanged"]

VENV = ROOT / ".venv"
LOCKS = "requirements.lock", "requirements-site.lock", "requirements-test.lock"  # each holds all of the one before
LOCK, SITE_LOCK, TEST_LOCK = LOCKS


def read_stamp() -> dict | None:
    """What was installed; {} for an environment that is half made, None for one that run.py did not make."""
    try:
        stamp = json.loads((VENV / "workbook-stamp.json").read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError as error:
        raise out_of_reach() from error
    except (ValueError, RecursionError):
        return {}
    sound = isinstance(stamp, dict) and isinstance(stamp.get("packages", []), list)
    return stamp if sound and isinstance(stamp.get("venv"), str) and isinstance(stamp.get("python"), str) else {}


def write_stamp(stamp: dict) -> None:
    (VENV / "workbook-stamp.json").write_text(json.dumps(stamp), "utf-8")


def digest(lock: str) -> str:
    """The lock's sha256, the same whether git checked it out with Windows line ends or not."""
    return hashlib.sha256((ROOT / lock).read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def stands(stamp: dict) -> bool:
    """It is where it was made, and the Python that it was made with starts."""
    return stamp.get("venv") == str(VENV) and venv_version() == stamp.get("python")


def venv_python() -> str:
    return os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))


def venv_version() -> str:
    """'3.11' by the environment's own Python; '' when that does not start."""
    probe = [venv_python(), "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        return subprocess.check_output(probe, stderr=subprocess.DEVNULL, text=True).strip()
    except PermissionError as error:
        raise out_of_reach() from error
    except (OSError, subprocess.CalledProcessError):
        return ""


def out_of_reach() -> Stop:
    """A Python that this user cannot reach is no damage: its owner works with it."""
    return Stop(f"this user may not start the Python of .venv ({os.path.realpath(venv_python())}): copy this folder, "
                "without .venv, to one of your own, then run this there.")


def site_packages(version: str) -> Path:
    return VENV / "Lib" / "site-packages" if os.name == "nt" else VENV / "lib" / f"python{version}" / "site-packages"


def variables(**extra: str) -> dict[str, str]:
    """This process's variables, less those that would mix in another Python, as if .venv were activated."""
    foreign = "PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"  # the last: what is compiled shall be kept
    env = {name: value for name, value in pip.settings(os.environ).items() if name not in foreign}
    path = os.path.dirname(venv_python()) + os.pathsep + env.get("PATH", os.defpath)
    return env | {"PATH": path, "VIRTUAL_ENV": str(VENV), "PIP_USER": "0"} | extra
