"""Numbers as texts, for sentences and figures."""

__all__ = ["how_many", "say", "signed", "superscript", "typeset", "written"]

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def say(value: float, digits: int = 3) -> str:
    """Return a number with three significant digits."""
    return f"{value:.{digits}g}"


def written(value: float, digits: int = 3) -> str:
    """Return a number with three significant digits as people write it: 5,640 and 1.15·10⁻⁵."""
    short = say(value, digits)
    return typeset(f"{float(short):,.0f}" if 1000 <= abs(float(short)) < 1e6 else short)


def signed(value: float, decimals: int = 2) -> str:
    """Return a number with its sign, such as log odds; infinity is ∞."""
    return typeset(f"{value:+.{decimals}f}")


def how_many(number: int, noun: str) -> str:
    """Return a number of things in words: 1 row, 2 rows."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def superscript(number: int) -> str:
    """Return a whole number as an exponent in a line of text."""
    return str(number).translate(SUPERSCRIPTS)


def typeset(number: str) -> str:
    """Replace the signs of a formatted number by those people write: -1.2e-05 is −1.2·10⁻⁵, and 0 has no sign."""
    digits, _, power = number.partition("e")
    plain = digits.replace("-", "−") if float(number.replace(",", "")) else digits.removeprefix("-")
    plain = plain.replace("inf", "∞")
    return f"{plain}·10{superscript(int(power))}" if power else plain
