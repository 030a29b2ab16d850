"""Smoothing, which all models of counts share: it reads the counts and never looks at data."""

from abc import abstractmethod
from copy import copy
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from nbcore._base import Floats, check_prior, log, log_prior
from nbcore.checks import require


def smoothed_log_prob(
    count: Floats, alpha: float | Floats, mass: Floats, n_values: float | NDArray[np.int64]
) -> Floats:
    """Return log of (count + alpha) / mass, where mass is the sum of the numerators: IIR, eq. (13.7), with alpha = 1.

    Where nothing was counted and nothing is added, 0/0 is read as its limit for alpha -> 0: all n_values alike.
    """
    log_prob = count + alpha
    log(log_prob, out=log_prob)
    log_prob -= np.log(np.where(mass > 0, mass, 1.0))
    if not mass.all():
        np.copyto(log_prob, -np.log(n_values), where=mass == 0)
    return log_prob


def check_alpha(alpha: ArrayLike, n_features: int) -> Floats:
    """Return alpha as floats, () or (F,); ValueError unless finite and >= 0."""
    a = np.asarray(alpha)
    fits = a.dtype.kind in "iuf" and a.shape in ((), (n_features,)) and (np.isfinite(a) & (a >= 0)).all()
    require(fits, "alpha", alpha, f"a finite number >= 0, or {n_features} of them (one a feature)")
    return a.astype(float)


class DiscreteNB:
    """Mixin of models of counts: log probabilities are smoothed counts and can be recomputed for another alpha.

    alpha: pseudo-count >= 0 of each value, one number or one per feature (F,); 0 is exact: what never happened has
    probability 0. fit_prior: P(c) by counting, else uniform. class_prior: P(c) given, (C,), beats both.
    """

    alpha: ArrayLike
    fit_prior: bool
    class_prior: ArrayLike | None
    n_features_in_: int
    class_count_: Floats

    @abstractmethod
    def _smooth(self, alpha: Floats) -> None:
        """Set the log probabilities from the counts and alpha, () or (F,), without looking at data."""

    def _check_settings(self, n_classes: int, n_features: int) -> None:
        check_prior(self.class_prior, "class_prior", n_classes)
        check_alpha(self.alpha, n_features)
        require(isinstance(self.fit_prior, bool | np.bool_), "fit_prior", self.fit_prior, "a boolean, True or False")

    def _estimate(self) -> None:
        self.class_log_prior_ = log_prior(self.class_count_, self.class_prior, self.fit_prior)
        self._smooth(check_alpha(self.alpha, self.n_features_in_))

    def resmooth(self, alpha: ArrayLike) -> Self:
        """Smooth the stored counts with another alpha, in place; the data are not needed.

        The parameter `alpha` becomes this one too, so that a later `fit`, `partial_fit` or `clone` smooths with it.
        To leave the model as it is: `smoothed`.

        Parameters
        ----------
        alpha : pseudo-count >= 0, one number or one per feature, (F,)

        Returns
        -------
        self

        Examples
        --------
        >>> from nbcore import MultinomialNB
        >>> model = MultinomialNB().fit([[2, 0], [1, 3]], ["a", "b"])
        >>> model.resmooth(0).predict_proba([[0, 1]]).tolist()
        [[0.0, 1.0]]
        """
        check_is_fitted(self)
        self._smooth(check_alpha(alpha, self.n_features_in_))
        self.alpha = alpha
        return self

    def smoothed(self, alpha: ArrayLike) -> Self:
        """Return a new model with another alpha that shares the counts; this one stays as it is.

        It takes and refuses what `DiscreteNB.resmooth` does.
        """
        return copy(self).resmooth(alpha)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()  # type: ignore[misc]  # a base before CountingNB
        tags.classifier_tags.poor_score = True  # scikit-learn's checks give measurements to models of counts
        return tags
