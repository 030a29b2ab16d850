"""The workbook's data: small tables, given names and n-grams, shapes, and two corpora fetched on demand."""

from nbcore.datasets.fetchers import FetchError, OfflineError, is_cached
from nbcore.datasets.loaders import (
    fetch_names,
    fetch_r8,
    load_gender_measurements,
    load_hair_eye_color,
    load_iir_documents,
    load_names,
    load_penguins,
    load_play_tennis,
    load_titanic,
    load_ucb_admissions,
    load_xor,
)
from nbcore.datasets.ngrams import END, name_ngrams
from nbcore.datasets.shapes import SHAPES, is_inside, make_shape

__all__ = [
    "END", "SHAPES", "FetchError", "OfflineError", "fetch_names", "fetch_r8", "is_cached", "is_inside",
    "load_gender_measurements", "load_hair_eye_color", "load_iir_documents", "load_names", "load_penguins",
    "load_play_tennis", "load_titanic", "load_ucb_admissions", "load_xor", "make_shape", "name_ngrams",
]  # fmt: skip
