"""Which packages lie in a folder site-packages, and whether each is still what was installed."""

import csv
import hashlib
import os
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from pathlib import Path

ENTRY = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(?:.*\\\n)*.*\n?", re.MULTILINE)  # of a lock, with its hashes
SCRIPTS = re.compile(r"(\.\./)+(bin|Scripts)/")  # they hold the environment's path, and change when it is moved


def plain(name: str) -> str:
    """PyYAML, pyyaml and Py_YAML are one package."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(lock: Path) -> list[str]:
    """What a lock pins, as "name==version"; a name may stand there once for each of several systems."""
    return [f"{plain(name)}=={version}" for name, version in ENTRY.findall(lock.read_text("utf-8"))]


def part(lock: Path, names: Iterable[str]) -> str:
    """The lock's entries for these names."""
    wanted = set(names)
    return "".join(entry[0] for entry in ENTRY.finditer(lock.read_text("utf-8")) if plain(entry[1]) in wanted)


def installed(site: Path) -> dict[str, Path]:
    """ "name==version": the folder that says what belongs to it."""
    found = {}
    for name in os.listdir(site) if site.is_dir() else ():
        if name.endswith(".dist-info"):
            package, _, version = name.removesuffix(".dist-info").partition("-")
            found[f"{plain(package)}=={version}"] = site / name
    return found


def name_of(pin: str) -> str:
    return pin.partition("==")[0]


def damaged(site: Path, pins: Iterable[str], closely: bool = False) -> list[str]:
    """The names of those that are there, but lack a file or have one of another size (closely: of other content)."""
    folders = installed(site)
    return sorted({name_of(pin) for pin in pins if pin in folders and not is_whole(site, folders[pin], closely)})


def is_whole(site: Path, folder: Path, closely: bool) -> bool:
    try:
        with open(folder / "RECORD", encoding="utf-8", newline="") as file:
            rows = [row for row in csv.reader(file) if not SCRIPTS.match(row[0])]
        # What Python compiles has no size there.
        return len(rows) > 0 and all(is_same(os.path.join(site, path), size, digest if closely else "")
                                     for path, digest, size in rows if size)
    except (OSError, ValueError, csv.Error):
        return False


def is_same(path: str, size: str, digest: str) -> bool:
    """The file has that size and, unless it is left out, that digest ("sha256=...", as RECORD writes it)."""
    if os.stat(path).st_size != int(size):
        return False
    kind, _, expected = digest.partition("=")
    if not expected:
        return True
    with open(path, "rb") as file:
        return urlsafe_b64encode(hashlib.file_digest(file, kind).digest()).rstrip(b"=").decode() == expected
