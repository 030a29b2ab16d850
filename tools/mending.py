"""Makes .venv hold exactly what a lock file says, hash-checked, and mends it when it no longer does.

A working environment is mended where it stands; where only a new one helps, the old one is kept until that works.
"""

import os
import re
import shutil
import sys
from pathlib import Path

from tools import environment, making, packages, pip
from tools.alone import alone
from tools.environment import LOCKS, digest, read_stamp, site_packages, stands, venv_python
from tools.stop import Stop, Unchanged


def ensure(lock: str, closely: bool = False) -> None:
    """Make .venv hold what the lock says; at once when it already does. Closely: every file's content is compared."""
    if is_right(lock, closely):
        return
    try:
        with alone(environment.ROOT / ".venv.lock"):
            making.put_back()
            if not is_right(lock, closely):  # as another run.py may have left it
                mend(lock, closely)
    except Unchanged as trouble:
        stamp = read_stamp() or {}
        if lock not in stamp or not stands(stamp):
            raise
        print(f"run.py: {trouble} Until then the book opens as it was installed before.", file=sys.stderr, flush=True)


def is_right(lock: str, closely: bool) -> bool:
    """Finished with this very lock, not moved, its Python starts, nothing that was installed is missing or damaged."""
    stamp = read_stamp() or {}
    if stamp.get(lock) != digest(lock) or not stands(stamp) or making.aside().exists():
        return False
    site, pins = site_packages(stamp["python"]), stamp.get("packages", [])
    return (packages.installed(site).keys() >= set(pins) and not packages.damaged(site, pins, closely)
            and (site / PATH_FILE).is_file() and (site / PATH_FILE).read_text("utf-8") == path_line())


def mend(lock: str, closely: bool) -> None:
    """In place where that can be: else a new one takes the place of the old."""
    stamp = read_stamp()
    check_whose(stamp)
    if not stamp or not can_stay(stamp, closely):
        making.make_anew(lambda: update(lock, closely))
        return
    if environment.venv_version() != stamp["python"]:
        making.renew_python()
    if stamp["venv"] != str(environment.VENV):
        making.point_here(stamp)
    update(lock, closely)


def can_stay(stamp: dict, closely: bool) -> bool:
    """Its Python starts, or this one is of the same version and can take its place; and its pip is whole."""
    site = site_packages(stamp["python"])
    pips = [pin for pin in packages.installed(site) if packages.name_of(pin) == "pip"]
    starts = environment.venv_version() == stamp["python"] or making.same_version(stamp)
    return starts and bool(pips) and not packages.damaged(site, pips, closely)


def check_whose(stamp: dict | None) -> None:
    """Only what run.py made here, for this user, is changed or deleted."""
    folder = environment.VENV
    if folder.is_file() or (folder.is_symlink() and not folder.exists()):
        raise Stop(".venv here is a file, or a link that leads nowhere: delete it, then run this again.")
    if not folder.is_dir():
        return
    if stamp is None and any(folder.iterdir()):
        raise Stop("the folder .venv here was not made by run.py: rename or delete it, then run this again.")
    if os.name != "nt" and os.geteuid() not in (0, folder.stat().st_uid):
        raise Unchanged("the environment in .venv belongs to another user, and is not what the book needs now: ask "
                        "them to run this, or copy this folder, without .venv, to one of your own.")


# --- with pip --------------------------------------------------------------------------------------------------------

PATH_FILE = "workbook.pth"
AT_ONCE = 4


def path_line() -> str:
    """Tells the environment's Python where nbcore, workbook and tools are; any path can be said in ASCII."""
    return f"import sys; sys.path.append({str(environment.ROOT)!a})\n"


def update(lock: str, closely: bool) -> None:
    """Install what the lock has and .venv has not, and anew what is damaged there."""
    stamp, path = read_stamp() or {}, environment.ROOT / lock
    site, pins = site_packages(stamp["python"]), packages.locked(path)
    (site / PATH_FILE).write_text(path_line(), "utf-8")
    hurt, fetched = packages.damaged(site, pins, closely), environment.VENV / "fetched"
    lacking = {packages.name_of(pin) for pin in pins if pin not in packages.installed(site)}
    if hurt:
        print(f"Mending {', '.join(hurt)} in .venv.", flush=True)
    fetch(path, sorted(lacking | set(hurt)), fetched)
    install = [*pip.INSTALL, "--find-links", str(fetched), "-r"]
    if hurt:
        (fetched / "hurt.lock").write_text(packages.part(path, hurt), "utf-8")
        run_pip([[*install, str(fetched / "hurt.lock"), "--ignore-installed"]], "mending", len(hurt))
    said = run_pip([[*install, str(path)]], "installing", len(pins))
    there = in_place(pins, said, site)
    known = {packages.name_of(pin) for name in LOCKS for pin in packages.locked(environment.ROOT / name)}
    if gone := sorted({packages.name_of(pin) for pin in stamp.get("packages", [])} - known):
        run_pip([["uninstall", "--yes", *gone]], "no longer needed", len(gone))
    shutil.rmtree(fetched, ignore_errors=True)
    environment.write_stamp({"venv": str(environment.VENV), "python": stamp["python"], "packages": there}
                            | {name: digest(name) for name in LOCKS[: LOCKS.index(lock) + 1]})


def fetch(lock: Path, names: list[str], folder: Path) -> None:
    """Several at a time: most of the while one waits for the index. What was fetched before is not fetched again."""
    folder.mkdir(exist_ok=True)
    commands = []
    for number in range(min(AT_ONCE, len(names))):
        part = folder / f"part-{number}.lock"
        part.write_text(packages.part(lock, names[number::AT_ONCE]), "utf-8")
        commands.append([*pip.FETCH, "--dest", str(folder), "-r", str(part)])
    if commands:
        run_pip(commands, "fetching", sum(packages.name_of(pin) in names for pin in packages.locked(lock)))


def in_place(pins: list[str], said: str, site: Path) -> list[str]:
    """The pins that are for this system and Python: pip may say that all went well, and have put them elsewhere."""
    there = [pin for pin in pins if pin in packages.installed(site)]
    ignored = [packages.plain(name) for name in re.findall(r"^Ignoring ([\w.-]+):", said, re.MULTILINE)]
    names = [packages.name_of(pin) for pin in pins]
    for name in sorted(set(names) - {packages.name_of(pin) for pin in there}):
        if names.count(name) > ignored.count(name):
            raise Stop(f"pip ended well, but {name} is not in .venv: take what `pip config list` shows, such as target "
                       "or dry-run, out of pip's settings, then run this again.")
    return there


def run_pip(commands: list[list[str]], what: str, total: int) -> str:
    env, stamp = environment.variables(), read_stamp() or {}
    if LOCKS[0] in stamp:  # the book as it was is there: without a network it shall open soon
        env.setdefault("PIP_RETRIES", "2")
    return pip.run(venv_python(), commands, env, what, total, site_packages(stamp["python"]))
