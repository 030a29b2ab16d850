"""Data whose truth is known: worlds in which naive Bayes is right, and the same with one fault planted.

Each returns training rows and labels, held-out rows and labels, and an unfitted model.
"""

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from nbcore.diagnosis.case import Case
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

TRAIN, HELD = 1000, 500


def split(X, y, model, train=TRAIN):
    return X[:train], y[:train], X[train:], y[train:], model


def case_of(world, seed=0, **options):
    """Return the case of a world: its model fitted to the training rows, and the held-out rows."""
    A, a, B, b, model = world(seed, **options)
    return Case(model.fit(A, a), B, b)


def bells(seed, n_features=8, n_classes=2, n=TRAIN + HELD):
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n)
    mean, sd = rng.normal(size=(n_classes, n_features)) * 0.5, np.exp(rng.normal(size=(n_classes, n_features)) * 0.2)
    return split(mean[y] + sd[y] * rng.normal(size=(n, n_features)), y, GaussianNB())


def marks(seed, n_features=8):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=TRAIN + HELD)
    share = rng.uniform(0.1, 0.9, size=(2, n_features))
    return split((rng.random((len(y), n_features)) < share[y]).astype(float), y, BernoulliNB())


def words(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=TRAIN + HELD)
    share = rng.dirichlet(np.ones(50), size=2)
    share = 0.8 * share.mean(axis=0) + 0.2 * share
    return split(rng.multinomial(20, share[y]).astype(float), y, MultinomialNB())


def categories(seed, n_features=8, n_values=4, n_classes=2, concentration=2.0, train=TRAIN):
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=train + HELD)
    limit = rng.dirichlet(np.full(n_values, concentration), size=(n_classes, n_features)).cumsum(axis=-1)
    X = (rng.random((len(y), n_features))[..., None] > limit[y]).sum(axis=-1).clip(max=n_values - 1)
    return split(X, y, CategoricalNB(min_categories=n_values), train)


def gaps(seed):
    """Measurements and categories, one value in twenty missing."""
    (A, a, B, b, _), (C, *_, D, _, _) = bells(seed, 4), categories(seed, 4)
    rng = np.random.default_rng(seed)
    X, y = np.vstack([np.hstack([A, C]), np.hstack([B, D])]), np.concatenate([a, b])
    X[rng.random(X.shape) < 0.05] = np.nan
    return split(X, y, MixedNB([("gaussian", [0, 1, 2, 3]), ("categorical", [4, 5, 6, 7])]))


CLEAN = {"bells": bells, "marks": marks, "words": words, "categories": categories, "gaps": gaps}


def one_hot(seed):
    A, a, B, b, _ = categories(seed, 4)
    encoder = OneHotEncoder(sparse_output=False).fit(np.vstack([A, B]))
    return encoder.transform(A), a, encoder.transform(B), b, BernoulliNB()


def one_hot_dropped(seed):
    """One column of each block dropped, behind a ColumnTransformer."""
    A, a, B, b, _ = categories(seed, 4)
    encode = ColumnTransformer([("codes", OneHotEncoder(drop="first"), [0, 1, 2, 3])])
    return A, a, B, b, make_pipeline(encode, BernoulliNB())


def near_copies(seed):
    """Column 0 three times more, with noise of 30 % of its standard deviation."""
    A, a, B, b, model = bells(seed, 6)
    rng = np.random.default_rng(seed)
    A, B = (np.hstack([Z, Z[:, :1] + 0.3 * Z[:, :1].std() * rng.normal(size=(len(Z), 3))]) for Z in (A, B))
    return A, a, B, b, model


def dependent(seed):
    """Four groups of six columns, each with a noise of its own: r = .5 within the classes, and no column is a copy."""
    A, a, B, b, model = bells(seed, 24)
    rng = np.random.default_rng(seed)
    A, B = (Z + np.repeat(rng.normal(size=(len(Z), 4)), 6, axis=1) for Z in (A, B))
    return A, a, B, b, model


def silence(seed):
    """Twelve categories, 200 rows to learn from, and next to no smoothing."""
    A, a, B, b, _ = categories(seed, 6, 12, concentration=0.5, train=200)
    return A, a, B, b, CategoricalNB(alpha=1e-6, min_categories=12)


def drowned(seed):
    """Column 0 in units a million times smaller: its variance makes what `var_smoothing` adds to all others large."""
    A, a, B, b, model = bells(seed)
    A[:, 0], B[:, 0] = 1e6 * A[:, 0], 1e6 * B[:, 0]
    return A, a, B, b, model


def skewed(seed):
    A, a, B, b, model = bells(seed)
    A[:, :3], B[:, :3] = np.exp(A[:, :3]), np.exp(B[:, :3])
    return A, a, B, b, model


def codes_as_counts(seed):
    A, a, B, b, _ = categories(seed)
    return A, a, B, b, MultinomialNB()


def marks_as_counts(seed):
    A, a, B, b, _ = marks(seed)
    return A, a, B, b, MultinomialNB()


def counts_as_marks(seed):
    rng = np.random.default_rng(seed)
    rate, y = rng.uniform(2, 8, size=(2, 8)), rng.integers(2, size=TRAIN + HELD)
    return split(rng.poisson(rate[y]).astype(float), y, BernoulliNB())


def too_sure(seed):
    """Twelve measurements that share a third of their variance within the classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=TRAIN + HELD)
    X = 0.8 * y[:, None] + 0.7 * rng.normal(size=(len(y), 1)) + rng.normal(size=(len(y), 12))
    return split(X, y, GaussianNB())


def too_unsure(seed):
    """Learned from noisier measurements than the held-out ones."""
    A, a, B, b, model = bells(seed)
    return A + 1.5 * A.std(axis=0) * np.random.default_rng(seed).normal(size=A.shape), a, B, b, model


def wrong_prior(seed):
    A, a, B, b, _ = bells(seed)
    return A, a, B, b, GaussianNB(priors=[0.95, 0.05])


def outliers(seed):
    """Three held-out rows in a hundred lie far on the other class's side."""
    A, a, B, b, model = bells(seed)
    moved = np.random.default_rng(seed).random(len(b)) < 0.03
    way = A[a == 1].mean(axis=0) - A[a == 0].mean(axis=0)
    B[moved] += 6 * way * np.where(b[moved] == 0, 1, -1)[:, None]
    return A, a, B, b, model


def drifted(seed):
    """Half and half in training, one in five among 400 held-out rows."""
    A, a, B, b, model = bells(seed, n=4 * TRAIN)
    kept = np.flatnonzero(np.random.default_rng(seed).random(len(b)) < np.where(b == 0, 0.1, 0.4))[:400]
    return A, a, B[kept], b[kept], model


def heavy_tails(seed):
    """Measurements with the tails of Student's t with 1.5 degrees of freedom, which have no variance."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=TRAIN + HELD)
    return split(rng.normal(size=(2, 8))[y] + rng.standard_t(1.5, size=(len(y), 8)), y, GaussianNB())


def sentinel(seed):
    """-999 in one value of ten of two columns."""
    A, a, B, b, model = bells(seed)
    rng = np.random.default_rng(seed)
    for Z in (A, B):
        Z[:, :2] = np.where(rng.random((len(Z), 2)) < 0.1, -999, Z[:, :2])
    return A, a, B, b, model


def leak(seed):
    """Column 0 is the class with a little noise, in training; among the held-out rows it is noise."""
    A, a, B, b, model = bells(seed)
    rng = np.random.default_rng(seed)
    A[:, 0], B[:, 0] = a + 0.1 * rng.normal(size=len(a)), rng.integers(2, size=len(b)) + 0.1 * rng.normal(size=len(b))
    return A, a, B, b, model


def leaked_code(seed):
    """Column 0 of eight columns of categories is the class, in training; among the held-out rows it is chance."""
    A, a, B, b, model = categories(seed)
    A[:, 0], B[:, 0] = a, np.random.default_rng(seed).integers(2, size=len(b))
    return A, a, B, b, model


def dead_sensor(seed):
    """A good column that stands still at 0 among the held-out rows."""
    A, a, B, b, model = bells(seed)
    A[:, 0], B[:, 0] = A[:, 0] + 3 * a, 0
    return A, a, B, b, model


def moved(seed):
    """All columns one standard deviation higher than in training."""
    A, a, B, b, model = bells(seed)
    return A, a, B + A.std(axis=0), b, model


def moved_codes(seed):
    """Half of the values of column 0 are the last category, where they are not in training."""
    A, a, B, b, model = categories(seed)
    B[np.random.default_rng(seed).random(len(b)) < 0.5, 0] = 3
    return A, a, B, b, model


FAULTS = {
    "one_hot": [one_hot, one_hot_dropped],
    "copies": [near_copies, dependent],
    "smoothing": [silence, drowned],
    "event_model": [skewed, heavy_tails, codes_as_counts, marks_as_counts, counts_as_marks],
    "gaps": [sentinel],
    "calibration": [too_sure, too_unsure, outliers],
    "prior": [wrong_prior, drifted],
    "drift": [leak, leaked_code, dead_sensor, moved, moved_codes],
}
