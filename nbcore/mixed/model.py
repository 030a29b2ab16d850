"""The mixed model: one prior, a model for every column that fits it, and the sum of their log likelihoods.

Given the class the features are independent, whatever kind of event they are: Wikipedia, "Naive Bayes classifier",
probabilistic model. Shapes: n rows, C classes, F columns. All logs are natural.
"""

from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Tags, check_X_y

from nbcore._base import CountingNB, Floats, Matrix, Rows, log_prior
from nbcore.checks import name_few, one_of, require_number
from nbcore.mixed.categories import MISSING, UNKNOWN, encode, new_categories, reorder_table
from nbcore.mixed.columns import MODELS, Layout, lay_out, models_of
from nbcore.mixed.table import Table, check_table
from nbcore.naive_bayes import CategoricalNB, GaussianNB, MultinomialNB
from nbcore.naive_bayes.discrete import DiscreteNB, check_alpha


class MixedNB(DiscreteNB, CountingNB):
    """Naive Bayes for a table with gaps: measurements, categories, counts, marks, each its own model; one prior.

    A gap (NaN, None, pandas' NA, polars' null) leaves out the factor of its column, in learning and in predicting:
    that is the sum or the integral over all values it might have had. The counts of a multinomial part are one event,
    so a gap in one of them leaves out all of that row's. A class that never shows a column learns it from the other
    classes' rows if it is Gaussian, and the smoothed uniform distribution if not.

    X: a frame of pandas or polars, or an array (n, F). A dtype that knows its categories (pandas' category, polars'
    Enum) keeps them all, also those that no row has, so that each takes its share of the smoothing; so do the
    categories of a row of weight 0.
    Learned: `columns_`, a list of (model, names or numbers of its columns), and in the same order `parts_`, the
    fitted estimators, with the prior of all; `categories_`, a dict from column to its categories, in the order of the
    part's tables; `classes_`, `class_count_`, `class_prior_`, `class_log_prior_` (C,); `n_features_in_`,
    `feature_names_in_`. Later batches of `partial_fit` append to `categories_`.
    `resmooth` and `smoothed` change the parts given by name; an estimator keeps its own alpha.

    Parameters
    ----------
    columns : "auto" gives numbers to the Gaussian, all else (text, booleans, categories) to the categorical model; so
        integers are measurements. Or a list of pairs (model, columns), each column in one of them.
        model: "gaussian", "categorical", "multinomial", "bernoulli", "drop" (leaves them out), or an estimator such as
        GaussianNB(ddof=1), whose own parameters then count, but for a prior. columns: a name, a number (the place of a
        column, but its name in a frame whose names are numbers), a list of them, a slice, one of float, int, bool, str,
        or a callable like make_column_selector()
    alpha : pseudo-count >= 0 of categories, counts and marks, one number or one per column of X, (F,)
    var_smoothing : of the Gaussian part, this share of its columns' largest variance is added to every variance
    binarize : of the Bernoulli part, values above this threshold >= 0 are "there"; None: 0 and 1 already
    handle_unknown : a category that no row to learn from had: "error" (ValueError), or "ignore": it counts as missing
    fit_prior, class_prior : P(c) by counting, uniform, or given (C,)

    Examples
    --------
    >>> import numpy as np
    >>> from nbcore.mixed import MixedNB
    >>> X = np.array([[1.83, "boots"], [1.80, "boots"], [1.66, "pumps"], [1.62, None]], dtype=object)
    >>> model = MixedNB().fit(X, ["m", "m", "f", "f"])
    >>> model.columns_
    [('gaussian', [0]), ('categorical', [1])]
    >>> model.predict_proba([[None, "pumps"]]).round(2).tolist()  # the height is not known
    [[0.73, 0.27]]
    """

    def __init__(
        self, columns: Any = "auto", *, alpha: ArrayLike = 1.0, var_smoothing: float = 1e-9,
        binarize: float | None = 0.0, handle_unknown: str = "error", fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:  # fmt: skip
        self.columns = columns
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.binarize = binarize
        self.handle_unknown = handle_unknown
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _check_learned(self) -> None:
        for part in self.parts_:
            part._check_learned()

    def _table(self, X: Any, reset: bool) -> Table:
        """Return X as a table whose column names are checked; values are not looked at yet."""
        X = check_table(self, X, reset)
        names = self._numbers_as_names or getattr(self, "feature_names_in_", range(X.shape[1]))
        return Table(X, list(names))

    def _check_labelled_rows(self, X: Matrix, y: ArrayLike, afresh: bool) -> tuple[Rows, NDArray[Any]]:
        table = self._table(X, afresh)
        target = check_X_y(np.zeros((table.shape[0], 1)), y, estimator=self)[1]
        if afresh:
            self._layout: Layout = lay_out(self.columns, table)
            self.parts_ = [self._new_part(model, columns) for model, columns in self._layout]
            names = {part: name for name, part in MODELS.items()}
            self.columns_ = [
                (names[type(part)], [table.names[f] for f in columns])
                for part, (_, columns) in zip(self.parts_, self._layout, strict=True)
            ]
            self.categories_: dict[Any, list[Any]] = getattr(self, "_categories_beforehand", {})
        self._learn_categories(table)
        return table, target

    def _new_part(self, model: str | CountingNB, columns: list[int]) -> Any:
        """Return an unfitted estimator for these columns."""
        if not isinstance(model, str):
            return copy(model)
        settings = {"gaussian": ["var_smoothing"], "categorical": ["handle_unknown"], "bernoulli": ["binarize"]}
        return MODELS[model](**{name: getattr(self, name) for name in settings.get(model, ())})

    def _learn_categories(self, table: Table) -> None:
        """Append the categories that are new in this table to those known."""
        categories = self.categories_
        for part, (_, columns) in zip(self.parts_, self._layout, strict=True):
            if isinstance(part, CategoricalNB):
                for f in columns:
                    name = table.names[f]
                    known = categories.get(name, [])
                    known = known + [each for each in table.declared_categories(f) if each not in known]
                    categories = {**categories, name: known + new_categories(table.column(f), known)}
        self.categories_ = categories

    def _check_rows(self, X: Matrix) -> Rows:
        return self._as_events(self._table(X, reset=False))

    def _as_events(self, X: Rows) -> Rows:
        """Return the events of each part, (n, columns of the part)."""
        return [self._block(part, columns, X) for part, (_, columns) in zip(self.parts_, self._layout, strict=True)]

    def _block(self, part: Any, columns: list[int], table: Table) -> NDArray[Any]:
        """Return the columns of one part as its events."""
        if isinstance(part, CategoricalNB):
            return np.stack([self._codes(part, f, table) for f in columns], axis=1)
        block = table.numbers(columns)
        if isinstance(part, MultinomialNB) and np.isnan(block.sum()):
            gaps = np.isnan(block).any(axis=1)
            part._as_events(block[~gaps])
            return np.where(gaps[:, None], np.nan, block)
        return part._as_events(block)

    def _codes(self, part: CategoricalNB, f: int, table: Table) -> NDArray[np.int64]:
        """Return the codes of a column of categories; ValueError for an unseen one unless it is ignored."""
        name, column = table.names[f], table.column(f)
        codes = encode(column, self.categories_[name])
        if codes.min() <= UNKNOWN:
            unknown = codes == UNKNOWN
            if part.handle_unknown == "error":
                found = list(column)[unknown.argmax()]
                found = found.item() if isinstance(found, np.generic) else found
                raise ValueError(
                    f"column {name!r} of X holds {found!r}, a category unseen in fit, which knows "
                    f'{name_few(self.categories_[name])}; with handle_unknown="ignore" it counts as missing.'
                )
            codes[unknown] = MISSING
        return codes

    def _check_settings(self, n_classes: int, n_features: int) -> None:
        super()._check_settings(n_classes, n_features)
        require_number("var_smoothing", self.var_smoothing, 0)
        one_of("handle_unknown", self.handle_unknown, ["error", "ignore"])
        if self.binarize is not None:
            require_number("binarize", self.binarize, 0)

    def _start_counts(self, n_classes: int, n_features: int) -> None:
        self.parts_ = [copy(part) for part in self.parts_]
        for part, (_, columns), (_, names) in zip(self.parts_, self._layout, self.columns_, strict=True):
            part.n_features_in_, part.classes_ = len(columns), self.classes_
            part._column_names = names
            part._check_settings(n_classes, len(columns))
            part._start_counts(n_classes, len(columns))

    def _count(self, X: Rows, y: NDArray[np.intp], weight: Floats) -> None:
        self.parts_ = [copy(part) for part in self.parts_]
        for part, (_, names), block in zip(self.parts_, self.columns_, X, strict=True):
            part.class_count_ = self.class_count_
            if isinstance(part, CategoricalNB):
                width = [len(self.categories_[name]) for name in names]
                part.n_categories_ = np.maximum(part.n_categories_, width)
            rows = rows_without_gap(part, block)
            part._count(block[rows], y[rows], weight[rows])

    def _add_counts(self, other: Self, place: NDArray[np.intp]) -> None:
        for part, counted, (_, names) in zip(self.parts_, other.parts_, self.columns_, strict=True):
            part.class_count_ = self.class_count_
            if isinstance(part, CategoricalNB):
                counted = copy(counted)
                counted.category_count_ = [
                    reorder_table(table, other.categories_[name], self.categories_[name])
                    for table, name in zip(counted.category_count_, names, strict=True)
                ]
                counted.n_categories_ = np.array([table.shape[1] for table in counted.category_count_])
            part._add_counts(counted, place)

    def _estimate(self) -> None:
        self.class_log_prior_ = log_prior(self.class_count_, self.class_prior, self.fit_prior)
        self.class_prior_ = np.exp(self.class_log_prior_)
        alpha = check_alpha(self.alpha, self.n_features_in_)
        for part, (model, columns) in zip(self.parts_, self._layout, strict=True):
            if isinstance(model, str) and isinstance(part, DiscreteNB):
                part.alpha = alpha_of(columns, alpha)
            part._estimate()
            part.class_log_prior_ = self.class_log_prior_
            if isinstance(part, GaussianNB):
                part.class_prior_ = self.class_prior_

    def _smooth(self, alpha: Floats) -> None:
        self.parts_ = [
            part.smoothed(alpha_of(columns, alpha))
            if isinstance(model, str) and isinstance(part, DiscreteNB) else part
            for part, (model, columns) in zip(self.parts_, self._layout, strict=True)
        ]  # fmt: skip

    def _sum_parts(self, X: Rows, method: str, *shape: int) -> Floats:
        """Return the sum of what a method of each part says of the rows without a gap in it, (n, ...)."""
        total = np.zeros((len(X[0]), *shape))
        for part, block in zip(self.parts_, X, strict=True):
            rows = rows_without_gap(part, block)
            total[rows] += getattr(part, method)(block[rows])
        return total

    def _log_likelihood(self, X: Rows) -> Floats:
        return self._sum_parts(X, "_log_likelihood", len(self.classes_))

    def _log_factors(self, X: Rows) -> Floats:
        factors = np.zeros((len(X[0]), len(self.classes_), self.n_features_in_))
        for part, (_, columns), block in zip(self.parts_, self._layout, X, strict=True):
            rows = rows_without_gap(part, block)
            found = np.zeros((len(block), len(self.classes_), len(columns)))
            found[rows] = part._log_factors(block[rows])
            factors[:, :, columns] = found
        return factors

    def _n_factors(self, X: Rows) -> Floats:
        return self._sum_parts(X, "_n_factors")

    def _unfitted_copy(self) -> Self:
        copied = super()._unfitted_copy()
        copied._categories_beforehand = self.categories_
        return copied

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        models = models_of(self.columns)
        tags.classifier_tags.poor_score = bool(models)  # scikit-learn's checks give measurements to all of them
        counts = [model for model in models if model == "multinomial" or isinstance(model, MultinomialNB)]
        tags.input_tags.positive_only = bool(counts)
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags


def rows_without_gap(part: Any, block: NDArray[Any]) -> Any:
    """Select the rows for which a part has a likelihood: all, but of counts only those without a gap."""
    if isinstance(part, MultinomialNB) and np.isnan(block.sum()):
        return ~np.isnan(block[:, 0])
    return slice(None)


def alpha_of(columns: list[int], alpha: Floats) -> Floats:
    """Return the alpha of these columns, () or (len(columns),)."""
    return alpha[columns] if alpha.ndim else alpha
