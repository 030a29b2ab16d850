"""Chapter 12: the penguins that both explorers show, and how a penguin and odds are written."""

from __future__ import annotations

from .experiment import COLUMNS, penguins

__all__ = ["BIRDS", "COLUMN_WORDS", "write_bird", "write_odds", "write_values"]

BIRDS = 19, 37, 43, 95, 296, 298, 306, 308, 330  # the seven that are wrong, and two that are only just right
COLUMN_WORDS = [words for words, _ in COLUMNS.values()]


def write_bird(row: int) -> str:
    """Return the sex and species of a penguin: a female Adelie."""
    X, y = penguins()
    return f"a {X['sex'][row]} {y[row]}"


def write_values(row: int) -> list[str]:
    """Return each column with the penguin's value: bill length 39.1, island Dream."""
    values = penguins()[0].loc[row]
    return [f"{words} {values[key]:g}" if unit else f"{words} {values[key]}" for key, (words, unit) in COLUMNS.items()]


def write_odds(power: float) -> str:
    """Return powers of ten as odds of the likelier one: 2.9 : 1; the tails of a bell say no more than "over"."""
    odds = 10 ** min(abs(power), 4)
    digits = 0 if odds >= 9.95 else 1
    return f"{'over ' if abs(power) > 4 else ''}{odds:,.{digits}f} : 1"
