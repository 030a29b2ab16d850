"""The frames of every explorer as scripts of the site: computed once, kept, within the room that a page has."""

from __future__ import annotations

import time
import warnings
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from joblib import Parallel, delayed

from workbook.page.explorer import Explorer
from workbook.site.catalog import Catalog
from workbook.site.coverage import WHOLE, Place, grid
from workbook.site.frames import Packer
from workbook.site.kept import Kept, fingerprint
from workbook.site.starts import explorer_classes, starts

__all__ = ["Packed", "needed", "packed", "page_of", "shares", "write"]

PAGE = 2_000_000  # bytes of gzipped frames on a page
GRID = 500_000  # bytes: a whole grid is taken where it needs no more
SECONDS = 25.0  # of a processor, for the frames of one explorer
STATES = 12_000  # of one explorer
SAMPLE = 12  # states along each of the longest controls
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
    names = list(classes or explorer_classes())
    keys = {name: fingerprint(explorer_classes()[name], starts().get(name), most) for name in names}
    needs = {}
    for name, found in _each(needed, cache, "need", [(name, (keys[name],), (most,)) for name in names]):
        needs[name] = found["need"]
        say(f"[{len(needs)}/{len(names)}] {name}: all that could be shown may need {found['need'] / 1e3:,.0f} kB")
    room = {}
    for page in {page_of(name) for name in names}:
        room |= shares({name: needs[name] for name in names if page_of(name) == page})
    (folder / "packs").mkdir(parents=True, exist_ok=True)
    report = []
    jobs = [(name, (keys[name], room[name]), (room[name], most)) for name in names]
    for name, found in _each(packed, cache, "pack", jobs):
        data = found.pop("data")
        script = f'NB.pack("{name}", 0, "{b64encode(data).decode()}");\n'
        (folder / "packs" / f"{name}.js").write_text(script, encoding="utf-8")
        report.append(Packed(name, page_of(name), size=len(data), **found))
        say(f"[{len(report)}/{len(names)}] {report[-1]}")
    _check_pages(report)
    return sorted(report, key=lambda found: names.index(found.name))


def page_of(name: str) -> str:
    """The number of the chapter that an explorer belongs to."""
    return explorer_classes()[name].__module__.split(".")[2][1:3]


def shares(needs: dict[str, int], room: int = PAGE) -> dict[str, int]:
    """How the explorers of a page share its room: nobody gets more than it needs, the others get the same."""
    found, left = {}, sorted(needs, key=needs.get)
    while left:
        name = left.pop(0)
        found[name] = min(needs[name], room // (len(left) + 1))
        room -= found[name]
    return found


# --- one explorer ---------------------------------------------------------------------------------------------------


def needed(name: str, most: int | None = None) -> dict:
    """The bytes that an explorer's largest coverage would take, estimated from a sample."""
    catalog, packer, sizes = _catalog(name), Packer(), []
    places = _sample(catalog)
    middle = len(places) // 2
    for half in (places[:middle], places[middle:]):
        for place in half:
            packer.add(place, catalog.frame(place))
        sizes.append(len(packer.packed(catalog.about())))
    slope = max(1.0, (sizes[1] - sizes[0]) / (len(places) - middle))
    *_, (_, largest) = catalog.levels(most or STATES)
    return {"need": round(sizes[1] + slope * len(largest))}


def packed(name: str, share: int, most: int | None = None) -> dict:
    """An explorer's frames within a share of bytes: the largest coverage that fits."""
    catalog, packer, data = _catalog(name), Packer(), b""
    began, seen, best = time.process_time(), [], {}
    for rule, places in catalog.levels(most or STATES):
        room = min(GRID, share) if rule == WHOLE else share
        if not _worthwhile(len(places), seen, room):
            continue
        for place in places:
            if place not in packer:
                packer.add(place, catalog.frame(place))
        data = packer.packed(catalog.about())
        seen.append((len(places), len(data), time.process_time() - began))
        if len(data) <= room:
            best = {"data": data, "rule": rule, "states": len(places)}
    if not best:
        raise ValueError(f"{name}: its presets alone need {seen[0][1]:,} bytes, and there is room for {share:,}.")
    return best | {"whole": grid(catalog.scales), "seconds": time.process_time() - began}


def _worthwhile(states: int, seen: list[tuple[int, int, float]], room: int) -> bool:
    """Whether so many states may fit, after some numbers of (states, bytes, seconds).

    Each state more needs fewer bytes than those before.
    """
    if len(seen) < 2:
        return True
    (before, size, seconds), (now, larger, later) = seen[-2:]
    growth = (states - now) / (now - before)
    return larger + growth * (larger - size) <= 1.5 * room and later + growth * (later - seconds) <= SECONDS


def _sample(catalog: Catalog) -> list[Place]:
    """The presets, and a few states along each of the four longest controls."""
    _, places = next(catalog.levels())
    scales, start = catalog.scales, places[0]
    for k in sorted(range(len(scales)), key=lambda k: -scales[k].count)[:4]:
        first = max(0, min(start[k], scales[k].count - SAMPLE))
        line = range(first, min(first + SAMPLE, scales[k].count))
        places += [(*start[:k], at, *start[k + 1 :]) for at in line if catalog.active(k, start)]
    return list(dict.fromkeys(places))


def _catalog(name: str) -> Catalog:
    return Catalog(explorer_classes()[name], starts().get(name, {}))


# --- all of them ----------------------------------------------------------------------------------------------------


Job = tuple[str, tuple, tuple]  # name, what the result depends on, arguments after the name


def _each(function: Callable, cache: Path, kind: str, jobs: list[Job]) -> Iterator[tuple[str, dict]]:
    """(name, what the function returns); kept results come first."""
    kept = {name: Kept(cache / f"{name}.{kind}", depends) for name, depends, _ in jobs}
    left = []
    for name, _, arguments in jobs:
        found = kept[name].get()
        if found is None:
            left.append((name, arguments))
        else:
            yield name, found | ({"kept": True} if kind == "pack" else {})
    left.sort(key=lambda job: explorer_classes()[job[0]].pending is Explorer.pending)  # what takes long comes first
    # joblib replaces a process that has grown, and says so.
    warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
    work = (delayed(_named)(function, name, arguments) for name, arguments in left)
    for name, found in Parallel(n_jobs=min(PROCESSES, len(left)) or 1, return_as="generator_unordered")(work):
        kept[name].put(found)
        yield name, found


def _named(function: Callable, name: str, arguments: tuple) -> tuple[str, dict]:
    return name, function(name, *arguments)


def _check_pages(report: list[Packed]) -> None:
    for page in {found.page for found in report}:
        total = sum(found.size for found in report if found.page == page)
        if total > PAGE:
            raise ValueError(f"The frames of page {page} need {total:,} bytes, and a page has {PAGE:,}.")
