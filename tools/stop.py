"""How run.py ends when it cannot go on: with one sentence that says what to do."""


class Stop(Exception):  # noqa: N818
    """Ends run.py with one sentence that says what to do."""


class Unchanged(Stop):
    """The same, and nothing in .venv was touched: where the book opened before, it opens now."""
