"""The tasks of chapter 06 with other numbers."""

from __future__ import annotations

from statistics import mean

from workbook.questions.again import Again, Generators, plain

__all__ = ["AGAIN"]

AGAIN = Generators()


@AGAIN("06/pairs", said=((0.95, 0.85, 0.65, 0.10), (0.9, 0.82, 0.3, 0.15), (0.97, 0.6, 0.88, 0.05),
                         (0.83, 0.12, 0.92, 0.07), (0.91, 0.08, 0.86, 0.4)),
       true=("fmfm", "ffmm", "mffm", "fmmm"))  # fmt: skip
def pairs(said, true):
    every = [(p, c == "f") for p, c in zip(said, true, strict=True)]
    every += [(1 - p, c == "m") for p, c in zip(said, true, strict=True)]
    inside = [(p, right) for p, right in every if p >= 0.8]
    share = mean(right for _, right in inside)
    spelled = {"f": "female", "m": "male"}
    return Again(
        f"Four names have P(female) = {', '.join(f'{p:.2f}' for p in said)}; they are "
        f"{', '.join(spelled[c] for c in true)}. P(male) is the rest to 1. Pool all eight posteriors. Which share came "
        "true in the bin from 0.8 to 1?",
        share,
        (mean(right for p, right in every[:4] if p >= 0.8), mean(p for p, _ in inside),
         sum(right for _, right in inside) / 8, len(inside) / 8, 1 - share),
        f"female = {list(said)}\ntrue = {true!r}\n"
        'pairs = [*zip(female, (c == "f" for c in true)), *((1 - p, c == "m") for p, c in zip(female, true))]\n'
        "inside = [right for p, right in pairs if p >= 0.8]\nanswer = sum(inside) / len(inside)",
        well_done="Every name speaks twice: with two classes the diagram is symmetric.",
        hints={0: "You looked at P(female) only. P(male) of some names lies in the bin too.",
               4: "That is the share that did not come true."},
    )  # fmt: skip


@AGAIN("06/price", wrong=(25, 20, 40, 30), asking=(2, 3, 4, 7))
def price(wrong, asking):
    return Again(
        f"A wrong decision costs {wrong}, asking a person costs {asking}, a right decision costs nothing. Your model "
        "is calibrated. From which confidence on do you decide?",
        1 - asking / wrong,
        (asking / wrong, wrong / (wrong + asking), 1 - 1 / wrong, None, 0.5),
        f"answer = 1 - {asking} / {wrong}",
        well_done="No labels were needed: the threshold follows from the prices, as long as the model is calibrated.",
        hints={1: f"You took the prices as odds. A right decision costs nothing: compare (1 − P) times {wrong} with "
                  f"{asking}.",
               4: f"Then you decide every name. At 0.5 a decision costs {wrong / 2:g} on average, asking costs "
                  f"{asking}."},
    )  # fmt: skip


@AGAIN("06/accepted", table=(
    ((387, 238), (421, 352), (439, 426), (300, 293), (43, 43)),
    ((210, 116), (180, 112), (260, 198), (340, 299), (90, 87)),
    ((95, 48), (130, 91), (150, 108), (80, 73), (60, 59)), ((160, 88), (140, 94), (120, 99), (200, 178), (310, 304)),
    ((320, 190), (250, 160), (180, 144), (90, 81), (30, 30)), ((70, 40), (110, 71), (190, 133), (240, 223), (160, 158)),
))  # fmt: skip
def accepted(table):
    names, right = [n for n, _ in table], [round(k / n, 4) for n, k in table]

    def accuracy(first):
        return sum(n * p for n, p in zip(names[first:], right[first:], strict=True)) / sum(names[first:])

    return Again(
        f"A model has {', '.join(map(str, names))} names with a confidence from 0.5 to 0.6, 0.6 to 0.7, ..., 0.9 to 1; "
        f"of these {', '.join(map(plain, right))} are right. You act only on a confidence of 0.7 or more. Which share "
        "of your decisions is right?",
        accuracy(2),
        (mean(right[2:]), accuracy(0), accuracy(3), sum(names[2:]) / sum(names)),
        f"points, accuracies = {names[2:]}, {right[2:]}\n"
        "answer = sum(count * share for count, share in zip(points, accuracies)) / sum(points)",
        well_done="Fewer decisions, and more of them right. That is what a posterior is good for.",
        hints={0: f"You averaged the three intervals alike. They hold {names[2]}, {names[3]} and {names[4]} names."},
    )


@AGAIN("06/temperature", short=(11, 7, 9, 14), long=(24, 19, 29, 34), k=(5, 3, 2.5))
def temperature(short, long, k):
    return Again(
        f"Two names, one of {short} features and one of {long}. Eq. (20) with a k of {k:g} divides the log odds of "
        "either by a temperature. How many times as high is that of the long name?",
        (long + 1) / (short + 1),
        (long / short, (short + 1) / (long + 1), (long + 1) / k, (short + 1) / k, (long - short) / k, 1.0),
        f"answer = ({long} + 1) / ({short} + 1)  # (n + 1) / k of either; k cancels",
    )
