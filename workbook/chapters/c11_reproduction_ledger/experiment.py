"""Our numbers for the papers' figures: Williams (2024), Carlos (2015), Carlos and Rakshit (2016); and one number of
Carlos (2015) by every reading of the text that we would defend.

Names stand in for what is not part of the book: the paper's own names (or those, with corpus="paper", where they were
downloaded), and the movie reviews of Carlos and Rakshit (2016).
"""

from collections import Counter
from functools import lru_cache
from itertools import product

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from nbcore.calibration import (
    confidence_table,
    posterior_spread,
    precision_recall_by_threshold,
    reliability_bins,
)
from nbcore.datasets import SHAPES, fetch_names, is_inside, load_names, load_xor, name_ngrams
from nbcore.hierarchical import HierarchicalBayes
from nbcore.naive_bayes import MultinomialNB
from nbcore.one_hot import dirichlet_experiment
from nbcore.perplexed import attenuated_posterior, best_k, flattest_k
from workbook.chapters.names import names_split
from workbook.chapters.news import r8_counts
from workbook.ledger.numbers import table

__all__ = [
    "CHOICES",
    "FLAT",
    "NAIVE",
    "OURS",
    "PRINTED",
    "ROUNDING",
    "SPLITS",
    "VALIDATED",
    "accuracy_tables",
    "diagrams",
    "learning_panels",
    "log_ratios",
    "measure_pairs",
    "measure_readings",
    "precision_recall",
    "readings",
    "shape_maps",
    "spreads",
    "xor_maps",
]

LENGTHS = 1, 2, 4, 5  # the longest n-grams behind the paper's 6, 12, 21 and 24 features
NAIVE, LOWEST, FLAT, VALIDATED = "naive Bayes", "k = 1", "flat k", "validated k"
EDGES = np.arange(5, 11) / 10
THRESHOLDS = np.arange(21) / 20
TIE = 1e-9  # log odds that are nothing but rounding
STEPS = 120  # cells of a map, in either direction


def log_ratios(alpha, n=150):
    """Return theta's and f's log ratios of n classifiers, two classes, K = 3, points in both orders: (6 n,) each."""
    drawn = dirichlet_experiment(n, 2, 3, alpha, rng=0)
    pairs = ((log_p[:, 0] - log_p[:, 1]).ravel() for log_p in (drawn.log_theta, drawn.log_f))
    return tuple(np.concatenate([ratio, -ratio]) for ratio in pairs)


# ----------------------------------------------------------------------------------------------------- Carlos (2015)


@lru_cache(maxsize=64)
def posterior(rule, max_n, corpus="embedded"):
    """Return P(c|name) of the test names, (n, 2): by naive Bayes, or by eq. (20) with k = 1, flat or validated."""
    split = names_split(max_n, corpus=corpus)
    log_likelihood, log_prior, n = split.test.evidence
    if rule == NAIVE:
        return softmax(log_likelihood + log_prior, axis=1)
    if rule == LOWEST:
        k = 1.0
    elif rule == FLAT:
        k = flattest_k(split.training.evidence)
    else:
        k = best_k(split.validation.evidence, split.validation.y, objective="rmse")
    return attenuated_posterior(log_likelihood, log_prior, n, k)


def labels_of(max_n, corpus):
    """Return the classes of the test names (n,)."""
    return names_split(max_n, corpus=corpus).test.y


def features(max_n, corpus):
    """Return how many known n-grams a test name has on average."""
    return float(names_split(max_n, corpus=corpus).test.evidence[2].mean())


def diagrams(rule, corpus="embedded"):
    """Return label -> reliability diagram for each length of n-grams, and for naive Bayes with the longest."""
    found = {
        f"{features(m, corpus):.0f} features": reliability_bins(labels_of(m, corpus), posterior(rule, m, corpus))
        for m in LENGTHS
    }
    if rule != NAIVE:
        longest = LENGTHS[-1]
        bins = reliability_bins(labels_of(longest, corpus), posterior(NAIVE, longest, corpus))
        found[f"NB, {features(longest, corpus):.0f} features"] = bins
    return found


def spreads(corpus="embedded"):
    """Return the average number of features (4,), and of each classifier the spread of its posteriors (4,)."""
    labels = {NAIVE: "Naive Bayes", LOWEST: "Perplexed Bayes (k = 1.0)", FLAT: "Perplexed Bayes (flat k)"}
    lines = {label: [posterior_spread(posterior(rule, m, corpus)) for m in LENGTHS] for rule, label in labels.items()}
    return [features(m, corpus) for m in LENGTHS], lines


def accuracy_tables(corpus="embedded"):
    """Return label -> table of accuracy by confidence, flat k; labelled by the accuracy of the classifier."""
    tables = {}
    for m in (1, 2, 5):  # the paper's third curve has .85 in its legend: 24 features, not the 21 with .857
        y, proba = labels_of(m, corpus), posterior(FLAT, m, corpus)
        tables[f"Avg. acc. = {np.mean(proba.argmax(axis=1) == y):.2f}"] = confidence_table(y, proba, EDGES)
    return tables


def precision_recall(corpus="embedded"):
    """Return thresholds (21,), and of each class precision and recall (21,) each: longest n-grams, flat k."""
    longest = LENGTHS[-1]
    y, proba = labels_of(longest, corpus), posterior(FLAT, longest, corpus)
    names = names_split(longest, corpus=corpus).classes
    return THRESHOLDS, {
        name.capitalize(): precision_recall_by_threshold(y, proba, c, THRESHOLDS) for c, name in enumerate(names)
    }


# ----------------------------------------------------------------------------------------- Carlos and Rakshit (2016)


def cells(low, high):
    """Return the axis of a square map and all its points, (STEPS,) and (STEPS^2, 2); rows go up."""
    axis = np.linspace(low, high, STEPS)
    return axis, np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


def xor_maps():
    """Return title -> (x, y, region): where naive Bayes and two kinds of hidden nodes, taught XOR, say class 1."""
    xor, (axis, points) = load_xor(), cells(0.0, 6.0)
    options = dict(n_restarts=10, validation_fraction=0, tol=0, random_state=0)
    models = {
        "Naive Bayes": MultinomialNB(),
        "Multinomial nodes": HierarchicalBayes(2, alpha=0.1, **options),
        "Gaussian nodes": HierarchicalBayes(2, leaf="gaussian", var_floor=1.0, **options),
    }
    maps = {}
    for title, model in models.items():
        joint = model.fit(xor.data, xor.target).predict_joint_log_proba(points)
        maps[title] = axis, axis, (np.diff(joint, axis=1) > TIE).reshape(STEPS, STEPS).astype(int)
    return maps


def shape_maps():
    """Return title -> (x, y, region) of the four shapes, in the square of width 500."""
    axis, points = cells(0.0, 500.0)
    titles = {"ring": "Ring", "dots": "Dots", "xor": "XOR", "s": "S"}
    return {titles[name]: (axis, axis, is_inside(name, points).reshape(STEPS, STEPS).astype(int)) for name in SHAPES}


@lru_cache(maxsize=1)
def learning_panels():
    """Return panel -> label -> (sizes, accuracies): n-grams of given names stand in for words of movie reviews."""
    names = load_names()
    X, _ = name_ngrams(names.data, 3)
    order = np.random.default_rng(0).permutation(len(names.target))
    test, learn = order[:1440], order[1440:]

    def accuracy(model, n):
        return model.fit(X[learn[:n]], names.target[learn[:n]]).score(X[test], names.target[test])

    def nodes(n_hidden):
        return HierarchicalBayes(n_hidden, n_restarts=5, max_iter=4, tol=0, random_state=0)

    def curves(models, sizes):
        return {label: (sizes, [accuracy(model, n) for n in sizes]) for label, model in models.items()}

    many, few = [1000, 2000, 3500, 5000], [100, 200, 500, 1000]
    rivals = {"MaxEnt": LogisticRegression(max_iter=1000), "SVM": LinearSVC(random_state=0)}
    first = {"Naive Bayes": MultinomialNB(), "Hidden nodes (2)": nodes(2), **rivals}
    return {
        "A": curves(first, many),
        "B": curves({f"{h} node{'s' * (h > 1)} a class": nodes(h) for h in range(1, 6)}, many),
        "C": curves(first, few),
    }


# ---------------------------------------------------------- Carlos (2015), section 5.2, "24 features", by every reading

# The paper names neither its n-grams nor its smoothing. A reading settles four things; each is one line in the picture.

SPLITS = 20
TEST = 1590
START, END = "\x02", "\x03"
CHOICES = {  # every reading gives 24 n-grams a name, as printed: without a mark, or each n-gram once, there are fewer
    "marks": ("END, up to 5", "START, up to 5", "START and END, up to 4"),
    "case": ("kept", "lower"),
    "alpha": (1.0, 0.5, 0.1),
    "unseen": ("dropped", "smoothed"),
}
OURS = ("END, up to 5", "kept", 1.0, "dropped")
ROUNDING = 5e-4  # half a unit of the last digit of each
PRINTED = {"accuracy": 0.845, "RMSE": 0.164, "share above 0.9": 0.927}


def ngrams(name, marks, case):
    """Return the n-grams of a name, with repetition; a bare mark is none."""
    text = name.lower() if case == "lower" else name
    text, longest = {"END, up to 5": (text + END, 5), "START, up to 5": (START + text, 5),
                     "START and END, up to 4": (START + text + END, 4)}[marks]  # fmt: skip
    found = (text[i : i + n] for n in range(1, longest + 1) for i in range(len(text) - n + 1))
    return [ngram for ngram in found if ngram not in (START, END)]


@lru_cache(maxsize=1)
def count_ngrams(marks, case):
    """Return the n-gram counts of all names, (n, V) in CSR."""
    rows = [Counter(ngrams(name, marks, case)) for name in fetch_names().data]
    column = {ngram: i for i, ngram in enumerate(sorted(set().union(*rows)))}
    ends = np.cumsum([0, *map(len, rows)])
    return sparse.csr_array(
        ([float(n) for row in rows for n in row.values()], [column[g] for row in rows for g in row], ends),
        shape=(len(rows), len(column)),
    )


def one_split(X, y, seed, alpha, unseen):
    """Return accuracy, RMSE (ten bins, their middles) and share of posteriors above 0.9, on a split of chapter 06."""
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
    """Return a row for each reading: choices, n-grams a name, and mean and sd over the splits of each PRINTED number.

    It needs the paper's names (`nbcore.datasets.fetch_names`) and takes a minute.
    """
    y, rows = fetch_names().target, []
    for marks, case in product(CHOICES["marks"], CHOICES["case"]):
        X = count_ngrams(marks, case)
        features = float(X.sum() / X.shape[0])
        for alpha, unseen in product(CHOICES["alpha"], CHOICES["unseen"]):
            runs = np.array([one_split(X, y, seed, alpha, unseen) for seed in range(splits)])
            rows.append(dict(reading=[marks, case, alpha, unseen], features=features,
                             mean=runs.mean(axis=0).tolist(), sd=runs.std(axis=0, ddof=1).tolist()))  # fmt: skip
    return rows


def readings():
    """`measure_readings`, as it was stored: no corpus is needed."""
    return table("Readings")


# ------------------------------------------------------------------ Carlos and Rakshit (2016), Table 2, pairs of models


def measure_pairs():
    """Return for pairs of models how many test stories of R8 only the first has right, and how many only the second.

    Each is taught all training stories. Needs the corpus (`nbcore.datasets.r8_counts`); two minutes.
    """
    X, y, T, t = r8_counts()
    models = {
        "SVM": LinearSVC(random_state=0),
        "SVM, tf-idf": make_pipeline(TfidfTransformer(), LinearSVC(random_state=0)),
        **{f"nodes, alpha = {alpha:g}": HierarchicalBayes(2, alpha=alpha, n_restarts=10, tol=0, random_state=0)
           for alpha in (1.0, 0.1)},
    }  # fmt: skip
    right = {name: model.fit(X, y).predict(T) == t for name, model in models.items()}
    pairs = (("SVM", "nodes, alpha = 1"), ("SVM, tf-idf", "SVM"), ("SVM, tf-idf", "nodes, alpha = 0.1"))
    return [[a, b, int((right[a] & ~right[b]).sum()), int((right[b] & ~right[a]).sum())] for a, b in pairs]
