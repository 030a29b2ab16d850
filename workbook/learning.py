"""Predictions, exercises and progress: what makes a page ask before it tells.

>>> predict("02/overcast")            # asks; reveals the computed value and why
>>> exercise("02/unseen-word")        # the task, a field for the answer, the solution one click away
>>> check("02/unseen-word", answer)   # the same check from code: right, or a hint that fits the mistake
"""

from .exercises import Exercise, Feedback, Mistake, check, exercise, solution
from .predictions import Prediction, predict
from .progress import progress
from .setup_check import check_setup

__all__ = [
    "Exercise",
    "Feedback",
    "Mistake",
    "Prediction",
    "check",
    "check_setup",
    "exercise",
    "predict",
    "progress",
    "solution",
]
