"""Write the frames of every explorer as scripts of the site, and keep them until its code changes."""

from __future__ import annotations

import os
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from multiprocessing import get_context
from pathlib import Path

from workbook.site.packs.cache import CacheFile, fingerprint
from workbook.site.packs.catalog import Catalog
from workbook.site.packs.frames import Packer
from workbook.site.packs.starts import explorer_classes, starts

__all__ = ["Report", "pack_explorer", "write"]

PROCESSES = 2


@dataclass(frozen=True)
class Report:
    """Report the pack of one explorer. states: how many it holds, of `whole`; size: bytes; seconds: of a processor."""

    name: str
    states: int
    whole: int
    size: int
    seconds: float
    cached: bool = False

    def __str__(self):
        how = "cached" if self.cached else f"{self.seconds:.0f} s"
        return f"{self.name}: {self.states:,} of {self.whole:,} states, {self.size / 1e3:,.0f} kB, {how}"


def write(
    folder: Path,
    cache: Path,
    say: Callable[[str], None] = print,
    classes: Sequence[str] | None = None,
    most: int | None = None,
) -> list[Report]:
    """Write `packs/Name.js` of every explorer into a folder, or of some `classes`; most: states of each, for a draft.

    What was computed before from the same code is taken from the folder `cache`.
    """
    names, started, reports = list(classes or explorer_classes()), starts(), []
    # Not in the threads below: Python 3.11 mixes up what several of them parse at once.
    keys = {name: fingerprint(explorer_classes()[name], started.get(name), most) for name in names}
    (folder / "packs").mkdir(parents=True, exist_ok=True)

    # Spawned: a process that was forked from one with threads may never start.
    with _one_thread(), ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:

        def pack(name: str) -> dict:
            file = CacheFile(cache / f"{name}.pack", (keys[name],))
            if (found := file.get()) is not None:
                return found | {"cached": True}
            found = pool.submit(pack_explorer, name, most).result()
            file.put(found)
            return found

        with ThreadPoolExecutor(PROCESSES) as threads:
            for name, found in zip(names, threads.map(pack, names), strict=True):
                data = found.pop("data")
                script = f'NB.pack("{name}", "{b64encode(data).decode()}");\n'
                (folder / "packs" / f"{name}.js").write_text(script, encoding="utf-8")
                reports.append(Report(name, size=len(data), **found))
                say(f"[{len(reports)}/{len(names)}] {reports[-1]}")
    return reports


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let the processes that start meanwhile use one thread each."""
    before = dict(os.environ)
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def pack_explorer(name: str, most: int | None = None) -> dict:
    """Pack all states of an explorer, or `most` for a draft: "data", and fields of its `Report`."""
    catalog, packer, began = Catalog(explorer_classes()[name], starts().get(name, {})), Packer(), time.process_time()
    places = catalog.places(most)
    for place in places:
        packer.add(place, catalog.frame(place))
    whole, data = prod(map(len, catalog.values.values())), packer.to_bytes(catalog.about())
    return {"data": data, "states": len(places), "whole": whole, "seconds": time.process_time() - began}
