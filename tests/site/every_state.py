"""Compare every state of every pack of a built site with the kernel: python -m tests.site.every_state FOLDER [Name ...]

Takes as long as the build of all packs; it is for a nightly job.
"""

from __future__ import annotations

import sys
from pathlib import Path

from joblib import Parallel, delayed

from workbook.site.packs.catalog import Catalog
from workbook.site.packs.starts import explorer_classes, starts

from .reader import Frames
from .same import assert_same


def compare(path: Path) -> tuple[str, int, list[str]]:
    """(name, states, what is wrong) of one pack."""
    name, faults = path.stem, []
    catalog = Catalog(explorer_classes()[name], starts()[name])
    frames = Frames.of_script(path.read_text("utf-8"))
    for place in frames.places:
        try:
            assert_same(catalog.frame(place), frames[place])
        except AssertionError as problem:
            faults.append(f"{catalog.state(place)}: {problem}")
    return name, len(frames.places), faults


def main(folder: str, *names: str) -> int:
    paths = [path for path in sorted(Path(folder, "packs").glob("*.js")) if not names or path.stem in names]
    bad = 0
    for name, states, faults in Parallel(n_jobs=2, return_as="generator_unordered")(map(delayed(compare), paths)):
        print(f"{name}: {states:,} states, {len(faults)} differ", *faults[:3], sep="\n  ", flush=True)
        bad += len(faults)
    return bad > 0 or not paths


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
