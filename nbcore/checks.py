"""One way to refuse an argument: name it, show the value found, say what is allowed."""

from numbers import Integral

__all__ = ["require", "require_count"]


def require(holds, argument, value, allowed):
    """Raise ValueError("{argument} must be {allowed}; got {value}.") unless `holds`."""
    if not holds:
        raise ValueError(f"{argument} must be {allowed}; got {value!r}.")


def require_count(argument, value):
    """Refuse everything but an integer >= 1 (numpy's integers are fine, True is not)."""
    holds = isinstance(value, Integral) and not isinstance(value, bool) and value >= 1
    require(holds, argument, value, "an integer >= 1")
