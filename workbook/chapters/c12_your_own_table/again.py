"""The tasks of chapter 12 with other numbers."""

from __future__ import annotations

from math import log

from workbook.questions.again import Again, Generators, plain, share

__all__ = ["AGAIN"]

AGAIN = Generators()


@AGAIN("12/two-posteriors", prior=(0.75, 0.6, 0.3, 0.8), first=(0.9, 0.85, 0.95), second=(0.7, 0.4, 0.55))
def two_posteriors(prior, first, second):
    before, one, two = (p / (1 - p) for p in (prior, first, second))
    odds = one * two / before
    return Again(
        f"Two classes, A and B; {100 * prior:g} % are A. Two naive Bayes models have learned from the same rows, one "
        f"from the measurements, one from the words. Of a new row the first says P(A) = {first}, the second {second}. "
        "What does naive Bayes say that has learned from all columns?",
        share(odds),
        (odds, first * second / prior, (first + second) / 2, share(one * two), first * second,
         share(one * two * before)),
        f"odds = {first} / (1 - {first}) * {second} / (1 - {second}) * (1 - {prior}) / {prior}\n"
        "answer = odds / (1 + odds)",
        well_done="One prior, and the likelihoods of both: that is all that MixedNB does.",
        hints={0: "Those are the odds. Asked is a probability.",
               1: f"That is {first} · {second} / {prior}. Do the same for B; the two must sum to 1."},
    )  # fmt: skip


@AGAIN("12/gap-speaks", ill=(100, 80, 150), well=(300, 400, 250), gaps=((40, 15), (30, 60), (24, 10)))
def gap_speaks(ill, well, gaps):
    a, b = gaps
    rates = a / ill, b / well
    return Again(
        f"In a hospital a lab value is missing for {a} of the {ill} ill and for {b} of the {well} well: doctors order "
        "it when they worry. Of a new patient nothing is known but that the value is missing. What is P(ill), if the "
        "gap itself counts as a value?",
        a / (a + b),
        (ill / (ill + well), a / ill, rates[0] / sum(rates), a / (ill + well), (a + b) / (ill + well)),
        f"answer = {a} / ({a} + {b})",
    )


@AGAIN("12/stray", n=(68, 40, 55, 30), K=(3, 4, 5), alpha=(1, 2, 0.5))
def stray(n, K, alpha):
    return Again(
        f"None of the {n} penguins of a species was on one of the islands; there are {K} islands. With alpha = "
        f"{plain(alpha)}, what is the estimate of P(this island | species)?",
        alpha / (n + K * alpha),
        (0.0, None, alpha / (n + alpha), alpha / n, None),
        f"answer = (0 + {alpha}) / ({n} + {alpha} * {K})",
        well_done="Every island gets alpha, so none is impossible. Is that alpha as bold as your data are?",
        hints={2: "You added alpha for one island. What of the other islands?",
               3: "alpha was added above and not below."},
    )  # fmt: skip


@AGAIN("12/points", goal=(0.95, 0.9, 0.8, 0.99), prior=(0.80, 0.45, 1.2), island=(3.03, 2.1, 1.4))
def points(goal, prior, island):
    total = log(goal / (1 - goal))
    return Again(
        "A penguin, Adelie or Chinstrap; only its bill can be measured. In points (log odds of Chinstrap): prior "
        f"−{prior:.2f}, island −{island:.2f}. How many points must the bill bring to make P(Chinstrap) = {goal}?",
        total + prior + island,
        (total, total + island, total + prior, total - prior - island, log(goal) + prior + island),
        f"from math import log\n\nanswer = log({goal} / (1 - {goal})) + {prior} + {island}",
        well_done="Points add up, so you can say what is still missing.",
        hints={2: "The island is missing: what does it take away?"},
    )


@AGAIN("12/female", said=((0.3, 0.15, 0.2, 0.35), (0.25, 0.1, 0.3, 0.35), (0.2, 0.3, 0.35, 0.15),
                          (0.15, 0.25, 0.1, 0.5), (0.5, 0.1, 0.3, 0.1), (0.45, 0.2, 0.05, 0.3),
                          (0.35, 0.05, 0.25, 0.35)))  # fmt: skip
def female(said):
    a, b, c, d = said
    return Again(
        f"Classes of species and sex at once. Of a penguin whose sex is not used the model says: Adelie, female {a}; "
        f"Adelie, male {b}; Chinstrap, female {c}; Chinstrap, male {d}. Now you learn that it is female. What is "
        "P(Adelie)?",
        a / (a + c),
        (a + b, a, a / (a + b), c / (a + c)),
        f"answer = {a} / ({a} + {c})",
        well_done="Being female is certain now: what counts are the shares of the females among themselves.",
    )
