"""Write the frames of every explorer as scripts of the site: cached, and within the bytes that a page may have."""

from __future__ import annotations

import os
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from workbook.site.packs.cache import CacheFile, fingerprint
from workbook.site.packs.catalog import Catalog
from workbook.site.packs.coverage import WHOLE, Place, grid
from workbook.site.packs.frames import Packer
from workbook.site.packs.starts import explorer_classes, starts

__all__ = ["Report", "measure_frame", "pack_explorer", "page_of", "write"]

PAGE = 3_000_000  # bytes of gzipped frames on a page
GRID = 750_000  # bytes: a whole grid is taken where it needs no more
STEP = 50_000  # bytes: shares are whole steps, so that a small change of one explorer changes no other's share
SECONDS = 40.0  # of a processor, for the frames of one explorer
STATES = 12_000  # of one explorer
SLACK = 1.5  # each state more needs fewer bytes than those before
SAMPLE = 16  # states: how long they take says how long a coverage takes
PROCESSES = 2


@dataclass(frozen=True)
class Report:
    """What was packed of one explorer. rule: the name of its coverage; whole: the count of all its states."""

    name: str
    rule: str
    states: int
    whole: int
    size: int
    seconds: float
    cached: bool = False

    def __str__(self):
        how = "cached" if self.cached else f"{self.seconds:.0f} s"
        return f"{self.name}: {self.states:,} of {self.whole:,} states ({self.rule}), {self.size / 1e3:,.0f} kB, {how}"


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
    names, started = list(classes or explorer_classes()), starts()
    keys = {name: fingerprint(explorer_classes()[name], started.get(name), most) for name in names}
    (folder / "packs").mkdir(parents=True, exist_ok=True)
    reports: list[Report] = []

    def put(name: str, found: dict) -> None:
        script = f'NB.pack("{name}", "{b64encode(found["data"]).decode()}");\n'
        (folder / "packs" / f"{name}.js").write_text(script, encoding="utf-8")
        about = {key: value for key, value in found.items() if key != "data"}
        reports.append(Report(name, size=len(found["data"]), **about))
        say(f"[{len(reports)}/{len(names)}] {reports[-1]}")

    # Spawned: a process that was forked from one with threads may never start.
    with _one_thread(), ProcessPoolExecutor(PROCESSES, get_context("spawn"), max_tasks_per_child=8) as pool:

        def call(function: Callable, name: str, *arguments) -> dict:
            file = CacheFile(cache / f"{name}.{function.__name__}", (keys[name], *arguments))
            if (found := file.get()) is not None:
                return found | {"cached": True}
            found = pool.submit(function, name, *arguments).result()
            file.put(found)
            return found

        def write_page(page: str) -> None:
            for name, found in _packs_of_page([name for name in names if page_of(name) == page], call, most):
                put(name, found)

        with ThreadPoolExecutor(PROCESSES) as threads:
            list(threads.map(write_page, sorted({page_of(name) for name in names})))
    return sorted(reports, key=lambda found: names.index(found.name))


def page_of(name: str) -> str:
    """Return the number ("02") of the chapter that an explorer belongs to."""
    return explorer_classes()[name].__module__.split(".")[2][1:3]


def _packs_of_page(names: list[str], call: Callable[..., dict], most: int | None) -> Iterator[tuple[str, dict]]:
    """Pack the explorers of a page, from the lightest; each may take an equal part of the bytes that are left."""
    left = PAGE
    names = sorted(names, key=lambda name: call(measure_frame, name)["size"])
    for count, name in zip(range(len(names), 0, -1), names, strict=True):
        found = call(pack_explorer, name, left // count // STEP * STEP, most)
        left -= len(found["data"])
        yield name, found


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


# --- one explorer ---------------------------------------------------------------------------------------------------


def measure_frame(name: str) -> dict:
    """Return {"size": bytes that the pack of an explorer's default frame takes}."""
    catalog, packer = Catalog(explorer_classes()[name], {}), Packer()
    packer.add((), catalog.frame(catalog.place(catalog.states[0])))
    return {"size": len(packer.to_bytes({}))}


def pack_explorer(name: str, share: int, most: int | None = None) -> dict:
    """Pack the largest coverage of an explorer that fits into `share` bytes: "data", and fields of its `Report`."""
    catalog, packer = Catalog(explorer_classes()[name], starts().get(name, {})), Packer()
    began, seen, best = time.process_time(), [], {}
    for rule, places in catalog.coverages(most or STATES):
        room = min(GRID, share) if rule == WHOLE else share
        new = [place for place in places if place not in packer]
        size, seconds = _extrapolate(seen, len(places))
        some = {}
        if seconds > SECONDS and size <= SLACK * room:  # what is done once for many looks longer than it is
            some, more = _sample(catalog, new)
            seconds = time.process_time() - began + more
        if seconds > SECONDS or size > SLACK * room:
            break
        for place in new:
            packer.add(place, some.get(place) or catalog.frame(place))
        data = packer.to_bytes(catalog.about())
        seen.append((len(places), len(data), time.process_time() - began))
        if len(data) <= room:
            best = {"data": data, "rule": rule, "states": len(places)}
    if not best:
        raise ValueError(f"{name}: its presets alone need {seen[0][1]:,} bytes, and there is room for {share:,}.")
    return best | {"whole": grid(catalog.scales), "seconds": time.process_time() - began}


def _sample(catalog: Catalog, places: list[Place]) -> tuple[dict[Place, dict], float]:
    """Compute a sample of frames, and estimate the seconds that the others will take."""
    began = time.process_time()
    some = {place: catalog.frame(place) for place in places[:: -(-len(places) // SAMPLE)]}
    return some, (time.process_time() - began) * (len(places) / len(some) - 1)


def _extrapolate(seen: list[tuple[int, int, float]], states: int) -> tuple[float, float]:
    """Estimate the bytes and seconds that `states` take from (states, bytes, seconds) of the last two coverages."""
    if len(seen) < 2:
        return 0, 0
    (before, *first), (now, *second) = seen[-2:]
    return tuple(two + (states - now) / (now - before) * (two - one) for one, two in zip(first, second, strict=True))
