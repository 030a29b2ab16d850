"""The tasks of chapter 10 with other numbers."""

from __future__ import annotations

from math import exp, log

from workbook.questions.again import Again, Generators, percent, plain, share

__all__ = ["AGAIN"]

AGAIN = Generators()
FEMALE, MALE = (0.4, 0.3, 0.6, 0.5), (0.1, 0.2, 0.05)
NATURAL = "(natural logarithm)"


def bit(p, q) -> str:
    return f"bit is 1 in {percent(p)} of female names and in {percent(q)} of male ones."


@AGAIN("10/weight", p=FEMALE, q=MALE)
def weight(p, q):
    one, zero = log(p / q), log((1 - p) / (1 - q))
    return Again(
        f"Bernoulli naive Bayes: a {bit(p, q)} What is its weight in the log odds of female {NATURAL}: how much do "
        "they rise when the bit goes from 0 to 1?",
        one - zero,
        (one, zero, one + zero, zero - one, exp(one - zero), (one - zero) / log(10)),
        f"from math import log\n\nanswer = log({p} / (1 - {p})) - log({q} / (1 - {q}))",
    )


@AGAIN("10/counted", ratio=(6, 4, 3, 2), n=(3, 2, 4), rest=(-2, -1, -3))
def counted(ratio, n, rest):
    w = log(ratio)

    def expit(z):
        return share(exp(z))

    return Again(
        f"A bit has the weight log {ratio} in naive Bayes. It is 1, and it is there {n} times. All other features and "
        f"the prior together say {plain(rest)} in log odds. What is the posterior P(female | x), to three digits?",
        expit(n * w + rest),
        (expit(w + rest), None, None, expit(log(n * ratio) + rest), expit(n * (w + rest)), n * w + rest,
         expit(-n * w - rest), expit(n * w), expit(n * ratio + rest), exp(n * w + rest)),
        f"from math import exp, log\n\nz = {n} * log({ratio}) + ({rest})\nanswer = 1 / (1 + exp(-z))",
        well_done="Every copy adds the same weight once more, and says nothing new.",
        help="Add up the log odds first: the bit as often as it is there, once all the others. Then expit. Round "
        "nothing.",
        hints={3: f"log {ratio}, {n} times, is {n} log {ratio} = log {ratio**n}, not log {n * ratio}.",
               4: f"Only the bit is there {n} times, not the rest.",
               7: f"That is too sure. Is the {plain(rest)} of all the others in it?",
               8: f"That is far too sure. Is the weight log {ratio}, not {ratio}?"},
    )  # fmt: skip


@AGAIN("10/penalty", total=(2.2, 3.0, 1.8, 2.4), n=(4, 3, 5, 6))
def penalty(total, n):
    return Again(
        f"A penalty adds up the squares of all weights. A feature needs the total weight {total:g}, and there are {n} "
        "copies of it. What is the smallest sum of squares that gives this total?",
        total**2 / n,
        (total**2, n * total**2, total / n, (total / n) ** 2, total**2 / 2),
        f"answer = {n} * ({total} / {n}) ** 2",
        well_done=f"With {n} copies the penalty is 1/{n} of that of one feature alone.",
        help=f"Share {total:g} among {n} weights, in a few ways, and add up the squares each time.",
        hints={1: f"Then every copy has the full weight, and the total is {n} times too large.",
               3: f"That is one copy's share. There are {n}.",
               4: f"Two copies share it there. There are {n}."},
    )  # fmt: skip


@AGAIN("10/unread", p=FEMALE, q=MALE, said=(-0.6, -1.2, 0.8, 0.5))
def unread(p, q, said):
    one, zero = log(p / q), log((1 - p) / (1 - q))
    without = said - zero
    return Again(
        f"A {bit(p, q)} In a name it is 0, and naive Bayes has log odds of {plain(said)} for female {NATURAL}. Now "
        "somebody says that the bit was never read: nobody knows whether it is 0 or 1. What are the log odds without "
        "it?",
        without,
        (said, said + zero, said - one, said - one + zero, said + one - zero, -without, zero, -zero,
         share(exp(without)), said + (one - zero) / 2),
        f"from math import log\n\nanswer = {said} - log((1 - {p}) / (1 - {q}))",
        well_done="A 0 is evidence; a gap is none, unless what stood there made the gap.",
        hints={6: f"That is what the 0 brought. What is left of {plain(said)} without it?",
               7: f"That is what the 0 brought, turned round. Where are the {plain(said)}?"},
    )  # fmt: skip
