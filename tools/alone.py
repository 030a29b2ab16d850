"""One set-up at a time: the system holds a lock on a file, and lets go of it when the process that took it is gone."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from tools.stop import Unchanged

if os.name == "nt":
    import msvcrt
else:
    import fcntl

FAR = 1 << 30  # Windows lets nobody read a locked byte: this one lies beyond the number that others want to read
HELD: list[int] = []  # children of the set-up hold its lock too: what a killed run.py leaves at work is waited for


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other process is in here; the file has the number of the one that is."""
    try:
        file = path.open("a+", encoding="ascii")
    except OSError as error:
        raise Unchanged(f"this folder may not be written in ({error.strerror}): copy it, without .venv, to one of "
                        "your own, then run this there.") from error
    with file:
        if not lock(file.fileno()):
            file.seek(0)
            print(f"Another run.py (process {file.read() or 'unknown'}) sets up this folder: waiting ...", flush=True)
            while not lock(file.fileno()):
                time.sleep(0.2)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        HELD[:] = [] if os.name == "nt" else [file.fileno()]
        try:
            yield
        finally:
            HELD.clear()


def lock(number: int) -> bool:
    """Take the lock of an open file; False when another process has it."""
    try:
        if os.name == "nt":
            os.lseek(number, FAR, os.SEEK_SET)
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # on Windows: taken; elsewhere: a file system without locks, where we must do without
        return os.name != "nt"
    return True
