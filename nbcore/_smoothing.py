"""Smoothing: from counts to log probabilities, again and again for another alpha, without going back to the data."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nbcore._base import CountingNB, check_prior, log


def smoothed_log_prob(count, alpha, mass, n_values):
    """log of (count + alpha) / mass, where mass is the total of what stands above: IIR, eq. (13.7), is alpha = 1.

    Where nothing was counted and nothing is added, 0/0 is read as its limit for alpha -> 0: all n_values alike.
    """
    log_prob = count + alpha
    log(log_prob, out=log_prob)
    log_prob -= np.log(np.where(mass > 0, mass, 1.0))
    if not mass.all():
        log_prob[np.broadcast_to(mass == 0, log_prob.shape)] = -np.log(n_values)
    return log_prob


def check_alpha(alpha, n_features):
    """alpha as floats, () or (F,); ValueError unless finite and >= 0."""
    a = np.asarray(alpha)
    if a.dtype.kind not in "iuf" or a.shape not in ((), (n_features,)) or not (np.isfinite(a) & (a >= 0)).all():
        raise ValueError(
            f"alpha must be a finite number >= 0, or {n_features} of them (one a feature); found {alpha!r}."
        )
    return a.astype(float)


class DiscreteNB(CountingNB):
    """Models of counts: log probabilities come from counts by smoothing, and can be read anew for another alpha.

    alpha: pseudo-count >= 0 of each value, one number or one per feature (F,); 0 is exact: what never happened has
    probability 0. fit_prior: P(c) by counting, else uniform. class_prior: P(c) given, (C,), beats both.
    """

    _parameter_constraints: ClassVar[dict] = {"fit_prior": ["boolean"], "class_prior": ["array-like", None]}

    @abstractmethod
    def _smooth(self, alpha):
        """Set the log probabilities from the counts and alpha (a number or (F,)); never looks at data."""

    def _check_settings(self, n_classes, n_features):
        check_prior(self.class_prior, "class_prior", n_classes)
        check_alpha(self.alpha, n_features)

    def _estimate(self):
        self.class_log_prior_ = self._log_prior(self.class_prior, self.fit_prior)
        self._smooth(check_alpha(self.alpha, self.n_features_in_))

    def resmooth(self, alpha):
        """Smooth the stored counts with another alpha >= 0, in place; the data are not needed. Returns self."""
        check_is_fitted(self)
        self._smooth(check_alpha(alpha, self.n_features_in_))
        self.alpha = alpha
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._input["accept_sparse"])
        tags.classifier_tags.poor_score = True  # scikit-learn's checks give measurements to models of counts
        return tags
