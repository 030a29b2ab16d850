"""A reader's calculator, for equations as they are printed."""

import re

RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def calculated(text):
    """The number that a printed expression comes to."""
    plain = text.replace(",", "").replace("−", "-").replace("·", "*")
    plain = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda power: f"**({power[0].translate(RAISED)})", plain)
    assert re.fullmatch(r"[-+*/().\d\s]+", plain), text
    return eval(plain)
