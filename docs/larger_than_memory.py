"""Fit GaussianNB to Parquet files that are larger than the memory of a process: alone, and by two workers of dask.

    pip install . "dask>=2025.1" pyarrow
    python docs/larger_than_memory.py [ROWS [MEGABYTES]]

Writes ROWS x 50 measurements (default 1e7: 4 GB) in 20 files to a temporary folder, then reads each file once, batch by
batch, in processes whose data segments may not exceed MEGABYTES (default 1500), as `ulimit -d` sets it.
"""

import resource
import sys
import tempfile
import time
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import dask
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from nbcore import GaussianNB, merge

FILES, COLUMNS, BATCH, CLASSES = 20, 50, 50_000, [0, 1, 2]


def write_file(path, n_rows, seed):
    """Write a Parquet file of n_rows rows: normal measurements whose means depend on the label."""
    rng, writer = np.random.default_rng(seed), None
    for start in range(0, n_rows, BATCH):
        y = rng.integers(0, len(CLASSES), min(BATCH, n_rows - start))
        X = rng.normal(10 + y[:, None], 1, (len(y), COLUMNS))
        table = pa.table({f"x{f}": X[:, f] for f in range(COLUMNS)} | {"y": y})
        writer = writer or pq.ParquetWriter(path, table.schema, use_dictionary=False)
        writer.write_table(table)
    writer.close()


def limit_memory(megabytes):
    """Forbid this process more private memory than that, as `ulimit -d` does."""
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 2**20, megabytes * 2**20))


def fit_files(paths):
    """Return a model of these files, read batch by batch, and the peak memory of this process so far in MB."""
    model = GaussianNB()
    for path in paths:
        for batch in pq.ParquetFile(path).iter_batches(BATCH, use_threads=False):
            columns = [column.to_numpy() for column in batch.columns]
            model.partial_fit(np.stack(columns[:-1], axis=1), columns[-1], CLASSES)
    return model, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fit_groups(groups, workers, megabytes):
    """Return the merged model of groups of files, the seconds it took, and the peak memory of the largest worker."""
    start = time.perf_counter()  # below: spawned, not forked, so that a peak of memory is the worker's own
    with ProcessPoolExecutor(workers, get_context("spawn"), limit_memory, (megabytes,)) as pool:
        parts = dask.compute(*map(dask.delayed(fit_files), groups), scheduler="processes", pool=pool)
    model = merge(*(part for part, _ in parts))
    return model, time.perf_counter() - start, max(peak for _, peak in parts)


def count_rows(folder):
    """Read all files of a folder at once and return the number of rows."""
    return pq.read_table(folder).num_rows


def fits_at_once(folder, megabytes):
    """Return whether a process within the limit can hold the table of all files; one out of memory says so or dies."""
    with ProcessPoolExecutor(1, get_context("spawn"), limit_memory, (megabytes,)) as pool:
        problem = pool.submit(count_rows, folder).exception()
    if problem and not isinstance(problem, MemoryError | BrokenExecutor):
        raise problem
    return problem is None


def main(n_rows=10_000_000, megabytes=1500):
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{i}.parquet" for i in range(FILES)]
        for seed, path in enumerate(paths):
            write_file(path, n_rows // FILES, seed)
        size, fits = sum(path.stat().st_size for path in paths) / 2**20, fits_at_once(folder, megabytes)
        once = "fits" if fits else "out of memory"
        print(f"{n_rows:,} x {COLUMNS}: {size:,.0f} MB, limit {megabytes:,} MB a process; read at once: {once}")
        one, *figures_of_one = fit_groups([paths], 1, megabytes)
        two, *figures_of_two = fit_groups([[path] for path in paths], 2, megabytes)
    print("| processes | seconds | peak memory of the largest, MB |", "|---|---|---|", sep="\n")
    for workers, (seconds, peak) in enumerate([figures_of_one, figures_of_two], 1):
        print(f"| {workers} | {seconds:.0f} | {peak:.0f} |")
    differences = [abs(getattr(one, name) / getattr(two, name) - 1).max() for name in ("theta_", "var_")]
    print(f"largest relative difference of theta_ {differences[0]:.0e}, of var_ {differences[1]:.0e}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
