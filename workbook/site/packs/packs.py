"""The frames of every explorer as scripts of the site: computed once, kept, within the room that a page has."""

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

from workbook.site.packs.catalog import Catalog
from workbook.site.packs.coverage import WHOLE, Place, grid
from workbook.site.packs.frames import Packer
from workbook.site.packs.kept import Kept, fingerprint
from workbook.site.packs.starts import explorer_classes, starts

__all__ = ["Packed", "packed", "page_of", "weight", "write"]

PAGE = 2_000_000  # bytes of gzipped frames on a page
GRID = 500_000  # bytes: a whole grid is taken where it needs no more
STEP = 50_000  # bytes: shares are whole steps, so that a small change of one explorer changes no other's share
SECONDS = 40.0  # of a processor, for the frames of one explorer
STATES = 12_000  # of one explorer
SLACK = 1.5  # each state more needs fewer bytes than those before
SAMPLE = 16  # states: how long they take says how long a coverage takes
PROCESSES = 2


@dataclass(frozen=True)
class Packed:
    """What became of one explorer. rule: which states are there; whole: how many there would be in all."""

    name: str
    page: str
    rule: str
    states: int
    whole: int
    size: int
    seconds: float
    kept: bool = False

    def __str__(self):
        how = "kept" if self.kept else f"{self.seconds:.0f} s"
        return f"{self.name}: {self.states:,} of {self.whole:,} states ({self.rule}), {self.size / 1e3:,.0f} kB, {how}"


def write(
    folder: Path,
    cache: Path,
    say: Callable[[str], None] = print,
    classes: Sequence[str] | None = None,
    most: int | None = None,
) -> list[Packed]:
    """Write `packs/Name.js` of every explorer into a folder, or of some `classes`; most: states of each, for a draft.

    What was computed before from the same code is taken from the folder `cache`.
    """
    names, started = list(classes or explorer_classes()), starts()
    keys = {name: fingerprint(explorer_classes()[name], started.get(name), most) for name in names}
    (folder / "packs").mkdir(parents=True, exist_ok=True)
    report: list[Packed] = []

    def put(name: str, found: dict) -> None:
        script = f'NB.pack("{name}", 0, "{b64encode(found["data"]).decode()}");\n'
        (folder / "packs" / f"{name}.js").write_text(script, encoding="utf-8")
        about = {key: value for key, value in found.items() if key != "data"}
        report.append(Packed(name, page_of(name), size=len(found["data"]), **about))
        say(f"[{len(report)}/{len(names)}] {report[-1]}")

    # Spawned: a process that was forked from one with threads may never start.
    with _one_thread(), ProcessPoolExecutor(PROCESSES, get_context("spawn"), max_tasks_per_child=8) as pool:

        def asked(function: Callable, name: str, *arguments) -> dict:
            kept = Kept(cache / f"{name}.{function.__name__}", (keys[name], *arguments))
            if (found := kept.get()) is not None:
                return found | {"kept": True}
            found = pool.submit(function, name, *arguments).result()
            kept.put(found)
            return found

        def one_page(page: str) -> None:
            for name, found in _shared([name for name in names if page_of(name) == page], asked, most):
                put(name, found)

        with ThreadPoolExecutor(PROCESSES) as threads:
            list(threads.map(one_page, sorted({page_of(name) for name in names})))
    _check_pages(report)
    return sorted(report, key=lambda found: names.index(found.name))


def page_of(name: str) -> str:
    """The number of the chapter that an explorer belongs to."""
    return explorer_classes()[name].__module__.split(".")[2][1:3]


def _shared(names: list[str], asked: Callable[..., dict], most: int | None) -> Iterator[tuple[str, dict]]:
    """The explorers of a page, from the lightest; each may take an equal part of what those before it left."""
    room = PAGE
    names = sorted(names, key=lambda name: asked(weight, name)["weight"])
    for left, name in zip(range(len(names), 0, -1), names, strict=True):
        found = asked(packed, name, room // left // STEP * STEP, most)
        room -= len(found["data"])
        yield name, found


@contextmanager
def _one_thread() -> Iterator[None]:
    """Processes that start meanwhile share the cores instead of each using all of them."""
    before = dict(os.environ)
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _check_pages(report: list[Packed]) -> None:
    for page in {found.page for found in report}:
        total = sum(found.size for found in report if found.page == page)
        if total > PAGE:
            raise ValueError(f"The frames of page {page} need {total:,} bytes, and a page has {PAGE:,}.")


# --- one explorer ---------------------------------------------------------------------------------------------------


def weight(name: str) -> dict:
    """The bytes of an explorer's default frame alone."""
    catalog, packer = Catalog(explorer_classes()[name], {}), Packer()
    packer.add((), catalog.frame(catalog.place(catalog.states[0])))
    return {"weight": len(packer.packed({}))}


def packed(name: str, share: int, most: int | None = None) -> dict:
    """An explorer's frames within a share of bytes: the largest coverage that fits."""
    catalog, packer = Catalog(explorer_classes()[name], starts().get(name, {})), Packer()
    began, seen, best = time.process_time(), [], {}
    for rule, places in catalog.levels(most or STATES):
        room = min(GRID, share) if rule == WHOLE else share
        new = [place for place in places if place not in packer]
        size, seconds = _extrapolated(seen, len(places))
        some = {}
        if seconds > SECONDS and size <= SLACK * room:  # what is done once for many looks longer than it is
            some, more = _tried(catalog, new)
            seconds = time.process_time() - began + more
        if seconds > SECONDS or size > SLACK * room:
            break
        for place in new:
            packer.add(place, some.get(place) or catalog.frame(place))
        data = packer.packed(catalog.about())
        seen.append((len(places), len(data), time.process_time() - began))
        if len(data) <= room:
            best = {"data": data, "rule": rule, "states": len(places)}
    if not best:
        raise ValueError(f"{name}: its presets alone need {seen[0][1]:,} bytes, and there is room for {share:,}.")
    return best | {"whole": grid(catalog.scales), "seconds": time.process_time() - began}


def _tried(catalog: Catalog, places: list[Place]) -> tuple[dict[Place, dict], float]:
    """A sample of frames, and the seconds that the others will take."""
    began = time.process_time()
    some = {place: catalog.frame(place) for place in places[:: -(-len(places) // SAMPLE)]}
    return some, (time.process_time() - began) * (len(places) / len(some) - 1)


def _extrapolated(seen: list[tuple[int, int, float]], states: int) -> tuple[float, float]:
    """The bytes and seconds of so many states, after (states, bytes, seconds) of two coverages."""
    if len(seen) < 2:
        return 0, 0
    (before, *first), (now, *second) = seen[-2:]
    return tuple(two + (states - now) / (now - before) * (two - one) for one, two in zip(first, second, strict=True))
