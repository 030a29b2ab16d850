"""Makes the folder in which a server keeps its own files, and the only configuration that it reads."""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

EXTENSIONS = "jupyter_server_terminals", "jupyter_lsp"  # what JupyterLab's page asks for
CONFIGURATION = {
    "jupyter_server_config.json": {
        "ServerApp": {"jpserver_extensions": dict.fromkeys(EXTENSIONS, True)},
        "LanguageServerManager": {"autodetect": False},  # else it lists at every stop the 19 that are not there
    },
    "labconfig/page_config.json": {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}},
    "migrated": "nothing of an older Jupyter is to be taken over",
}
FOREIGN = "JUPYTER", "JPY_"  # how variables of another Jupyter begin: a token, a folder with a configuration


def places(root: Path) -> Iterator[Path]:
    """Yield where such files may lie: beside the book; else, if that is read-only, with the user."""
    yield root / ".jupyter"
    with suppress(RuntimeError):  # a user without a home
        yield Path.home() / ".naive-bayes-workbook"


def make_private_folder(root: Path) -> Path:
    """Return the first of these places that can be written in and closed to others; say so if it is not the book's."""
    first, *others = places(root)
    if is_private(first):
        return first
    folder = next(filter(is_private, others), None) or Path(tempfile.mkdtemp(prefix="naive-bayes-workbook-"))
    print(f"run.py: {first} cannot be written in, or not be closed to other users, so Jupyter's own files are in "
          f"{folder}. If the notebooks cannot be changed either, save yours elsewhere: File > Download.",
          file=sys.stderr, flush=True)
    return folder


def is_private(folder: Path) -> bool:
    """Tell whether a folder can be made, written in, and closed to others; some disks cannot close one."""
    try:
        folder.mkdir(0o700, exist_ok=True)
        folder.chmod(0o700)
        with tempfile.TemporaryFile(dir=folder):
            return os.name == "nt" or folder.stat().st_mode & 0o077 == 0
    except OSError:
        return False


def write_configuration(folder: Path) -> None:
    """Make the one configuration anew; whatever else has come to lie there is gone."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "labconfig").mkdir(0o700, parents=True)  # an OSError if anything could not be removed
    for name, content in CONFIGURATION.items():
        (folder / name).write_text(json.dumps(content), "utf-8")


def make_variables(root: Path, inherited: dict[str, str]) -> dict[str, str]:
    """Make the folders of Jupyter's own files, open to this user only, and add their variables to the inherited."""
    folder = make_private_folder(root)
    folders = {
        "JUPYTER_CONFIG_DIR": folder / "config",
        "JUPYTER_DATA_DIR": folder / "data",
        "JUPYTER_RUNTIME_DIR": folder / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": folder / "lab" / "user-settings",
        "JUPYTERLAB_WORKSPACES_DIR": folder / "lab" / "workspaces",
        "IPYTHONDIR": folder / "ipython",
    }
    if not os.access(os.path.expanduser("~"), os.W_OK):  # else matplotlib complains under the reader's cell
        folders["MPLCONFIGDIR"] = folder / "matplotlib"
    write_configuration(folders["JUPYTER_CONFIG_DIR"])
    for path in folders.values():
        path.mkdir(0o700, parents=True, exist_ok=True)
        path.chmod(0o700)
    kept = {name: value for name, value in inherited.items() if not name.upper().startswith(FOREIGN)}
    return kept | {name: str(path) for name, path in folders.items()} | {"JUPYTER_PREFER_ENV_PATH": "1"}
