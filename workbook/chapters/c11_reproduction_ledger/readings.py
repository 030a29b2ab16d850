"""Carlos (2015), section 5.2, "24 features", by every reading of the text that we would defend.

The paper names neither its n-grams nor its smoothing. A reading settles five things; each is one dot in the multiverse.
"""

from collections import Counter
from functools import lru_cache
from itertools import product

import numpy as np
from scipy import sparse
from scipy.special import softmax

from nbcore.calibration import reliability_bins
from nbcore.datasets import fetch_names
from nbcore.naive_bayes import MultinomialNB
from workbook.ledger.book import table

__all__ = ["CHOICES", "OURS", "PRINTED", "SPLITS", "measure_readings", "readings"]

SPLITS = 20
TEST = 1590
START, END = "\x02", "\x03"
CHOICES = {  # all of them give about 24 n-grams a name, the last marks apart: there are not so many without a mark
    "marks": ("END, up to 5", "START and END, up to 4", "no mark, all lengths"),
    "case": ("kept", "lower"),
    "repeats": ("counted", "once"),
    "alpha": (1.0, 0.5, 0.1),
    "unseen": ("dropped", "smoothed"),
}
OURS = ("END, up to 5", "kept", "counted", 1.0, "dropped")
PRINTED = {"accuracy": 0.845, "RMSE": 0.164, "share above 0.9": 0.927}


def ngrams(name, marks, case):
    """The n-grams of a name, with repetition; a bare mark is none."""
    text = name.lower() if case == "lower" else name
    text, longest = {"END, up to 5": (text + END, 5), "START and END, up to 4": (START + text + END, 4),
                     "no mark, all lengths": (text, len(text))}[marks]  # fmt: skip
    found = (text[i : i + n] for n in range(1, longest + 1) for i in range(len(text) - n + 1))
    return [ngram for ngram in found if ngram not in (START, END)]


@lru_cache(maxsize=1)
def counted(marks, case):
    """Counts of all names (n, V), CSR."""
    rows = [Counter(ngrams(name, marks, case)) for name in fetch_names().data]
    column = {ngram: i for i, ngram in enumerate(sorted(set().union(*rows)))}
    ends = np.cumsum([0, *map(len, rows)])
    return sparse.csr_array(
        ([float(n) for row in rows for n in row.values()], [column[g] for row in rows for g in row], ends),
        shape=(len(rows), len(column)),
    )


def one_split(X, y, seed, alpha, unseen):
    """Accuracy, RMSE (ten bins, their middles), share of posteriors above 0.9: the same splits as in chapter 06."""
    test, learn = np.split(np.random.default_rng(seed).permutation(len(y)), [TEST])
    known = np.flatnonzero(np.asarray(X[learn].sum(axis=0)).ravel())
    training, tests = X[learn][:, known], X[test][:, known]
    if unseen == "smoothed":  # one more n-gram, that nobody has: for all that are new
        new = np.asarray(X[test].sum(axis=1)).ravel() - np.asarray(tests.sum(axis=1)).ravel()
        training = sparse.hstack([training, sparse.csr_array((len(learn), 1))]).tocsr()
        tests = sparse.hstack([tests, sparse.csr_array(new[:, None])]).tocsr()
    proba = softmax(MultinomialNB(alpha=alpha).fit(training, y[learn]).predict_joint_log_proba(tests), axis=1)
    right = proba.argmax(axis=1) == y[test]
    return right.mean(), reliability_bins(y[test], proba).rmse(), (proba.max(axis=1) > 0.9).mean()


def measure_readings(splits=SPLITS):
    """A row for each reading: its choices, its n-grams a name, and of each number of PRINTED the mean and the sd of
    the splits. Needs the paper's names (`nbcore.datasets.fetch_names`); a minute."""
    y, rows = fetch_names().target, []
    for marks, case, repeats in product(*list(CHOICES.values())[:3]):
        X = counted(marks, case)
        X = X.sign() if repeats == "once" else X
        features = float(X.sum() / X.shape[0])
        for alpha, unseen in product(CHOICES["alpha"], CHOICES["unseen"]):
            runs = np.array([one_split(X, y, seed, alpha, unseen) for seed in range(splits)])
            rows.append(dict(reading=[marks, case, repeats, alpha, unseen], features=features,
                             mean=runs.mean(axis=0).tolist(), sd=runs.std(axis=0, ddof=1).tolist()))  # fmt: skip
    return rows


def readings():
    """`measure_readings`, as it was stored: no corpus is needed."""
    return table("Readings")
