"""scikit-learn's own tests of naive Bayes, from its wheel, meet nbcore's classes: each difference has a reason here."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COUNTS = "BernoulliNB", "CategoricalNB", "MultinomialNB"
# What a note or the message of a failure holds -> tests; above each its reason: wording, or a choice of ours.
DIFFERENCES = {
    # An error of the same type, in other words: they name the argument, what it got and what is allowed.
    "other words": [
        "test_gnb", "test_gnb_neg_priors", "test_gnb_wrong_nb_priors", "test_gnb_prior_greater_one",
        *(f"test_NB_partial_fit_no_first_classes[42-{name}]" for name in (*COUNTS, "GaussianNB")),
        *(f"test_discretenb_provide_prior[{name}]" for name in COUNTS), "test_categoricalnb[42]", "test_alpha_vector",
        "test_categoricalnb_min_categories_errors[min_categories0-'min_categories' should have shape]",
    ],
    # alpha = 0 is exact: nothing must be forced, nothing is replaced, nobody is warned.
    "force_alpha": ["test_alpha[csr_matrix]", "test_alpha[csr_array]", "test_alpha_vector", "test_check_alpha"],
    "no warning": ["test_alpha[csr_matrix]", "test_alpha[csr_array]"],
    # A refused `fit` leaves the model as it was: scikit-learn's has new classes by then, which the next batch lacks.
    "DID NOT RAISE": [f"test_discretenb_provide_prior[{name}]" for name in COUNTS],
    # 5.1 is no code of a category; scikit-learn cuts it to 5.
    "must be integer codes": ["test_discretenb_provide_prior_with_partial_fit[CategoricalNB]"],
    # With one class nothing is to be decided: `fit` refuses it.
    "y must hold at least two classes": [
        f"test_discretenb_degenerate_one_class_case[True-{way}-{name}]" for way in (False, True) for name in COUNTS
    ],
    # What is learned is float64, whatever X is.
    "assert dtype('float64') == dtype('float32')": ["test_gnb_partial_fit[float32]"],
    # Private methods of scikit-learn's classes.
    "_update_mean_variance": ["test_gnb_check_update_with_no_data"],
    "_check_alpha": ["test_alpha_vector", "test_check_alpha"],
}  # fmt: skip


@pytest.mark.slow
def test_every_difference_from_scikit_learns_own_tests_has_a_reason(tmp_path):
    """What skips is of ComplementNB, which nbcore does not have, or of other libraries' arrays."""
    options = "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "tests.peer_tests", "--rootdir", tmp_path
    command = [sys.executable, "-m", "pytest", *options, "--pyargs", "sklearn.tests.test_naive_bayes"]
    env = os.environ | {"NOTES": str(tmp_path / "notes"), "PYTHONPATH": str(ROOT), "SKLEARN_RUN_FLOAT32_TESTS": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    notes, found = json.loads((tmp_path / "notes").read_text("utf-8")), defaultdict(set)
    for test, texts in notes.items():
        for text in {*texts} - {"passed", "skipped"}:
            found[next((part for part in DIFFERENCES if part in text), text)].add(test)
    assert found == {part: set(tests) for part, tests in DIFFERENCES.items()}
    skipped = [test for test, texts in notes.items() if "skipped" in texts]
    assert all("ComplementNB" in test or "array_api" in test or test == "test_cnb" for test in skipped)
    assert sum("passed" in texts for texts in notes.values()) >= 60
