"""The tasks of chapter 03 with other numbers."""

from __future__ import annotations

from workbook.questions.again import Again, Generators, plain, share

__all__ = ["AGAIN"]

AGAIN = Generators()


@AGAIN("03/q-by-hand", eyes=((68, 20, 15, 5), (30, 44, 18, 10),
                            (50, 25, 12, 16), (12, 35, 8, 20), (90, 30, 24, 6), (25, 40, 16, 9)))  # fmt: skip
def q_by_hand(eyes):
    N = sum(eyes)
    brown, blue, hazel, green = (n / N for n in eyes)
    q = (1 - blue) * (1 - hazel) * (1 - green)
    return Again(
        f"Of the {N} students of a class, {eyes[0]} have brown eyes, {eyes[1]} blue, {eyes[2]} hazel and {eyes[3]} "
        "green. The eye colour is one-hot. What is the factor Q for brown eyes in this class? Give a fraction or three "
        "significant digits.",
        q,
        ((1 - hazel) * (1 - green), (1 - blue) * (1 - green), (1 - blue) * (1 - hazel), q * (1 - brown),
         (1 - brown) * (1 - hazel) * (1 - green), brown * q, blue * hazel * green, 1 - brown, brown),
        f"from fractions import Fraction as F\n\nN = {N}\nanswer = F(N - {eyes[1]}, N) * F(N - {eyes[2]}, N) * "
        f"F(N - {eyes[3]}, N)",
        well_done="Where the other colours are rare, their bits are off anyway: Q speaks for what is common.",
        hints={4: "That is Q for blue eyes. When the eyes are brown, other bits are off."},
    )  # fmt: skip


@AGAIN("03/bit-sum", N=(127, 80, 60, 200), alpha=(10, 5, 20, 2))
def bit_sum(N, alpha):
    below = N + 2 * alpha
    return Again(
        f"A class has {N} rows. BernoulliNB smooths each of the four bits of a one-hot variable with alpha = {alpha}. "
        "What do the four smoothed probabilities P(bit is 1 | class) sum to? Give a fraction or three significant "
        "digits.",
        (N + 4 * alpha) / below,
        (1.0, (N + 4) / (N + 2), (N + 4 * alpha) / (N + alpha), (N + 4 * alpha) / (N + 8 * alpha), N / below,
         (N + 8 * alpha) / below, (N + alpha) / below),
        f"N, K, alpha = {N}, 4, {alpha}\nanswer = (N + K * alpha) / (N + 2 * alpha)",
        hints={1: "So they would with alpha = 1."},
    )  # fmt: skip


@AGAIN("03/centre", K=(5, 4, 6, 8), theta=(0.3, 0.2, 0.4, 0.5))
def centre(K, theta):
    others, rest = K - 1, 1 - theta

    def largest(others):
        return (1 - rest / others) ** others

    return Again(
        f"A variable has K = {K} values, and this class shows the value j with θ = {theta}. How large can Q be at "
        "most? Give three significant digits.",
        largest(others),
        ((1 - rest / K) ** K, (1 - rest / others) ** K, (1 - rest / K) ** others, (rest / others) ** others,
         rest**others, (1 - theta / others) ** others, 1 - rest / others, largest(others - 1), rest / others,
         theta * largest(others), theta),
        f"K, theta = {K}, {theta}\nanswer = ((K - 2 + theta) / (K - 1)) ** (K - 1)",
        hints={2: f"{others} factors, rightly. But among how many values is the rest shared?",
               3: "You multiplied what each of the others gets: the chance that all their bits are on. They are off.",
               4: "You gave all of the rest to each of the others. They share it.",
               5: f"{others} factors, rightly. But you shared out θ itself. What do the others share?",
               7: f"That is for K = {K - 1}. Here K is {K}, and {others} is the number of the others."},
    )  # fmt: skip


@AGAIN("03/square-with-prior", theta=(0.8, 0.7, 0.9, 0.75), prior=(0.4, 0.3, 0.6, 0.2))
def square_with_prior(theta, prior):
    ratio, odds = theta / (1 - theta), prior / (1 - prior)
    return Again(
        f"Two values, one-hot, both columns kept. The value that was seen has probability {theta} in class c and "
        f"{1 - theta:g} in class d. Beforehand P(c) = {prior}. What is P(c | the bits)? Give a fraction or three "
        "significant digits.",
        share(odds * ratio**2),
        (share(odds * ratio), share(ratio**2), ratio**2, odds * ratio**2, share(prior * ratio**2),
         share((odds * ratio) ** 2), share(odds * ratio) ** 2),
        f"odds = ({prior} / (1 - {prior})) * ({theta} / (1 - {theta})) ** 2\nanswer = odds / (1 + odds)",
        hints={0: "That is the right posterior, by categories. What do two bits make of the ratio of the two θ?",
               4: f"You took {plain(prior)} for the prior odds. What is P(c) against P(d)?"},
    )  # fmt: skip
