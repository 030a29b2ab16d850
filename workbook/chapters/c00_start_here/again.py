"""The tasks of chapter 00 with other numbers."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

from workbook.questions.again import Again, Generators, percent, share

__all__ = ["AGAIN"]

AGAIN = Generators()
FOUND, ALARMS = (0.8, 0.9, 0.7, 0.95), (0.096, 0.05, 0.12, 0.2)


def told(found, alarms) -> str:
    return f"A test finds {percent(found)} of the ill, and it is wrongly positive for {percent(alarms)} of the well."


@AGAIN("00/negative", ill=(3, 2, 5, 8, 12), found=FOUND, alarms=ALARMS)
def negative(ill, found, alarms):
    p = ill / 100
    sick, well, positive = p * (1 - found), (1 - p) * (1 - alarms), p * found / (p * found + (1 - p) * alarms)
    return Again(
        f"{ill} people in a hundred are ill. {told(found, alarms)} Somebody tests negative. What is P(ill | negative)?",
        sick / (sick + well),
        (1 - found, 1 - positive, sick, sick / (1 - p), sick / well, None, well / (sick + well),
         (1 - found) / (2 - found - alarms)),
        f"ill, well = {p} * (1 - {found}), (1 - {p}) * (1 - {alarms})\nanswer = ill / (ill + well)",
        well_done="The prior was small already, and a negative test made it smaller still.",
    )  # fmt: skip


@AGAIN("00/odds", found=FOUND, alarms=ALARMS)
def odds(found, alarms):
    ratio = found / alarms
    after = ratio * 0.01 / 0.99
    return Again(
        f"{told(found, alarms)} One person in a hundred is ill. By what factor does a positive test multiply the odds "
        "of being ill?",
        ratio,
        (share(after) / 0.01, after, log(ratio), found / (1 - alarms), 1 / ratio, found / (1 - found)),
        f"answer = {found} / {alarms}",
        well_done="This factor is the likelihood ratio. It does not depend on the prior.",
        help="Which two of the numbers are about a positive test? They do not depend on how many are ill.",
        hints={3: f"{1 - alarms:g} is about well people with a negative test."},
    )


@AGAIN("00/even", found=FOUND, alarms=ALARMS)
def even(found, alarms):
    ratio = found / alarms
    return Again(
        f"{told(found, alarms)} At which prevalence does one positive test make the illness exactly as probable "
        "as not?",
        1 / (1 + ratio),
        (0.5, 1 / ratio, share(ratio), alarms),
        f"answer = {alarms} / ({alarms} + {found})",
    )


@AGAIN("00/prosecutor", people=(500_000, 200_000, 1_000_000, 80_000), one_in=(10_000, 5_000, 20_000, 50_000))
def prosecutor(people, one_in):
    others = (people - 1) / one_in
    return Again(
        f"One of the {people:,} inhabitants of a city left a trace. Its profile matches that person for certain, and "
        f"each of the others with probability 1/{one_in:,}. A driver who was stopped by chance matches. Nothing else "
        "speaks against him. What is P(left the trace | matches)?",
        1 / (1 + others),
        (1 - 1 / one_in, 1 / one_in, 1 / people, one_in / people, others, 1 + others, others / (1 + others)),
        f"others = ({people} - 1) / {one_in}\nanswer = 1 / (1 + others)",
        well_done="Others match as well. A match is strong evidence, but one in a whole city is a small prior.",
        hints={3: "That forgets the one who left the trace: one more matches. If you counted that person: give three "
                  "significant digits."},
    )  # fmt: skip


@AGAIN("00/how-many", rare=(10_000, 1_000, 5_000, 50_000, 200_000), found=FOUND, alarms=ALARMS)
def how_many(rare, found, alarms):
    tests = log(rare - 1) / log(found / alarms)
    return Again(
        f"One person in {rare:,} is ill. {told(found, alarms)} How many positive tests, independent ones, make the "
        "illness more probable than not?",
        ceil(tests),
        (tests, int(tests), None, None, ceil(rare * alarms / found)),
        f"from math import ceil, log\n\nbefore, arrow = log(1 / ({rare} - 1)), log({found} / {alarms})\n"
        "answer = ceil(-before / arrow)",
        well_done="Every test adds the same step to the log odds.",
        help="What are the log odds before any test, and how far does one positive test move them?",
        hints={1: "After so many the illness is still less probable than not."},
    )


THIRD = Fraction(1, 3)


@AGAIN("00/repeats", repeated=(THIRD, THIRD / 2, Fraction(1, 4), Fraction(2, 5)), ill=(1, 2, 5), found=FOUND,
       alarms=ALARMS)  # fmt: skip
def repeats(repeated, ill, found, alarms):
    def after(repeated):
        factor = (repeated + (1 - repeated) * found) / (repeated + (1 - repeated) * alarms)
        return float(factor), float(factor) * found / alarms * p / (1 - p)

    p, r = ill / 100, float(repeated)
    one, two = share(after(1)[1]), share(after(0)[1])
    factor, odds = after(r)
    return Again(
        f"{told(found, alarms)} A second test repeats the first result with probability {repeated}, else it is a test "
        f"of its own. Both are positive, and the prevalence is {p:g}. What is P(ill)?",
        share(odds),
        (two, one, r * one + (1 - r) * two, odds, factor, share(after(1 - r)[1])),
        f"r = {repeated}\nill = r * {found} + (1 - r) * {found}**2\nwell = r * {alarms} + (1 - r) * {alarms}**2\n"
        f"answer = {p} * ill / ({p} * ill + (1 - {p}) * well)",
        well_done="With repeats the second test is worth less than the first, and naive Bayes counts both alike.",
    )
