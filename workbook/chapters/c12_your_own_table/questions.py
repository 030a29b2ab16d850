"""Predictions and exercises of chapter 12, your own table. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
from scipy.special import logit

from nbcore.mixed import MixedNB
from workbook.explorer.formatting import say, signed
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_words, parameters, share

from .experiment import (
    ALPHAS,
    COLUMNS,
    SPECIES,
    all_but,
    by_alpha,
    by_species_and_sex,
    called_impossible,
    held_out,
    nothing_measured,
    penguins,
    without,
    wrong,
)

__all__ = ["CONTENTS"]

GENTOO, UNMEASURED = SPECIES.index("Gentoo"), 271
TABLE = "; ".join(f"{name} {sum(penguins()[1] == name)}" for name in SPECIES) + f"; columns: {', '.join(COLUMNS)}."
FIVE = tuple(name for name in COLUMNS if name != "sex")


def shares(row: int) -> np.ndarray:
    """P(species) of a penguin, by a model of all others; gaps left out, (3,)."""
    prior, terms = without(row)
    joint = prior + terms.sum(axis=1)
    return np.exp(joint - joint.max()) / np.exp(joint - joint.max()).sum()


def filled(row: int) -> float:
    """P(Gentoo) of a penguin whose gaps are filled with means, and with the commonest sex, of all others."""
    X, _ = penguins()
    others, one = X.drop(index=row), X.loc[[row]].copy()
    for name in COLUMNS:
        usual = others[name].mode()[0] if others[name].dtype != float else others[name].mean()
        one[name] = one[name].fillna(usual)
    return float(all_but(row).predict_proba(one)[0, GENTOO])


def best_alpha() -> float:
    """The alpha of the smallest held-out log loss."""
    losses = by_alpha()
    return min(losses, key=losses.__getitem__)


def body_mass_points(grams: np.ndarray) -> np.ndarray:
    """Log odds of Chinstrap against Adelie that a body mass brings."""
    X, y = penguins()
    model = MixedNB().fit(X[["body_mass_g"]], y)
    adelie, chinstrap, _ = model.feature_contributions(pd.DataFrame({"body_mass_g": grams}, dtype=float))[:, :, 0].T
    return chinstrap - adelie


def turning_mass() -> float:
    """The body mass that speaks most for Chinstrap against Adelie, in grams, to the next ten."""
    grams = np.arange(2700, 4801, 10)
    return float(grams[body_mass_points(grams).argmax()])


def posterior(prior, tables, codes):
    """What 12/sum-out asks for."""
    joint = np.array(prior, dtype=float)
    for table, code in zip(tables, codes, strict=True):
        if code is not None:
            joint = joint * table[:, code]
    return joint / joint.sum()


def not_summing_to_one(prior, tables, codes):
    joint = np.array(prior, dtype=float)
    for table, code in zip(tables, codes, strict=True):
        if code is not None:
            joint = joint * table[:, code]
    return joint


def in_logs(prior, tables, codes):
    with np.errstate(divide="ignore"):
        return np.log(not_summing_to_one(prior, tables, codes))


def row_thrown_away(prior, tables, codes):
    return np.array(prior, dtype=float) if None in codes else posterior(prior, tables, codes)


def likeliest_value(prior, tables, codes):
    joint = np.array(prior, dtype=float)
    for table, code in zip(tables, codes, strict=True):
        joint = joint * (table.max(axis=1) if code is None else table[:, code])
    return joint / joint.sum()


def first_value(prior, tables, codes):
    return posterior(prior, tables, [0 if code is None else code for code in codes])


def zero_is_a_gap(prior, tables, codes):
    return posterior(prior, tables, [code or None for code in codes])


def no_prior(prior, tables, codes):
    return posterior(np.ones(len(prior)), tables, codes)


TABLES = [np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]), np.array([[0.5, 0.5], [0.9, 0.1]]),
          np.array([[0.2, 0.8], [0.6, 0.4]])]  # fmt: skip
GAP_CASES = [([0.6, 0.4], TABLES, [2, None, 1]), ([0.6, 0.4], TABLES, [None, 0, None]),
             ([0.3, 0.7], TABLES, [None, None, None]), ([0.5, 0.5], TABLES, [0, 1, 0])]  # fmt: skip


def on_gaps(function) -> np.ndarray:
    """A learner's function on cases that tell the typical slips apart; it gets copies, which it may change."""
    found = [function(np.array(prior), [table.copy() for table in tables], list(codes))
             for prior, tables, codes in GAP_CASES]  # fmt: skip
    return np.concatenate([np.atleast_1d(each) for each in found])


# Terms (C, F) and the joint log probabilities (C,) of a row.
REASON_CASES = [
    (np.array([[-1.0, -9.0, -2.0], [-2.0, -9.5, -6.0], [-8.0, -4.0, -1.0]]), np.array([-13.0, -18.5, -14.0])),
    (np.array([[-3.0, -1.0, -2.0], [-1.0, -4.0, -2.5], [-7.0, -5.0, -9.0]]), np.array([-7.0, -8.0, -22.0])),
    (np.array([[-6.0, -2.0, -0.8], [-1.0, -5.0, -3.0]]), np.array([-8.9, -9.6])),
    (np.array([[-5.0, -2.0, -1.0], [-1.0, -1.5, -1.2], [-2.0, -1.9, -4.0]]), np.array([-9.0, -4.6, -8.8])),
    (np.array([[-1.0, -3.0, -2.0], [-2.0, -1.0, -2.5], [-4.0, -4.0, -4.0]]), np.array([-6.1, -8.5, -15.0])),
]


def reason(terms, joint):
    """What 12/reason asks for."""
    second, first = np.argsort(joint)[-2:]
    return int(np.argmax(terms[first] - terms[second]))


def loudest(terms, joint):
    return int(np.argmax(terms[np.argmax(joint)]))


def either_way(terms, joint):
    second, first = np.argsort(joint)[-2:]
    return int(np.argmax(np.abs(terms[first] - terms[second])))


def against_all(terms, joint):
    first = int(np.argmax(joint))
    return int(np.argmax(terms[first] - np.delete(terms, first, axis=0).mean(axis=0)))


def from_one(terms, joint):
    return reason(terms, joint) + 1


def wrong_sign(terms, joint):
    second, first = np.argsort(joint)[-2:]
    return int(np.argmin(terms[first] - terms[second]))


def without_prior(terms, joint):
    return reason(terms, terms.sum(axis=1))


def how_much(terms, joint):
    second, first = np.argsort(joint)[-2:]
    return float(np.max(terms[first] - terms[second]))


def the_winner(terms, joint):
    return int(np.argmax(joint))


def first_two(terms, joint):
    return int(np.argmax(terms[0] - terms[1]))


def against_last(terms, joint):
    order = np.argsort(joint)
    return int(np.argmax(terms[order[-1]] - terms[order[0]]))


def on_reasons(function) -> list[float]:
    """A learner's function on rows of two and of three classes."""
    return [function(*case) for case in REASON_CASES]


WRONG_NOW = "Seven penguins of 344 are wrong, with five columns"


@parameters(prior=(0.75, 0.6, 0.3, 0.8), first=(0.9, 0.85, 0.95), second=(0.7, 0.4, 0.55))
def two_posteriors(prior, first, second):
    before, one, two = (p / (1 - p) for p in (prior, first, second))
    odds = one * two / before
    return Exercise(
        "12/two-posteriors",
        task=f"Two classes, A and B; {100 * prior:g} % are A. Two naive Bayes models have learned from the same rows, "
        f"one from the measurements, one from the words. Of a new row the first says P(A) = {first}, the second "
        f"{second}. What does naive Bayes say that has learned from all columns?",
        expected=share(odds),
        mistakes=(
            Mistake(odds, f"Those are the odds, {odds:.3g} to 1. Asked is a probability."),
            Mistake(first * second / prior, f"That is {first} · {second} / {prior}. Do the same for B; the two must "
                    "sum to 1."),
            Mistake((first + second) / 2, "That is the mean. Compare each model with the prior: which way does it move "
                    "you, and how far?"),
            Mistake(share(one * two), "The prior is in both posteriors, and you counted it twice. How many priors has "
                    "naive Bayes?"),
            Mistake(first * second, "A product of posteriors is no posterior yet: do the same for B, and divide."),
            Mistake(share(one * two * before), "The prior stands on the wrong side: it is in both, so once is too "
                    "much. Take it out, do not put it in again."),
        ),
        well_done=f"One prior, and the likelihoods of both: that is all that MixedNB does. And {second} is less than "
        "the prior: the second model speaks against A.",
        solution=f"odds = ({first} / {1 - first:g}) * ({second} / {1 - second:g}) / ({prior} / {1 - prior:g})\n"
        "answer = odds / (1 + odds)",
        help="Write each posterior’s odds as prior odds times a likelihood ratio. Which parts belong into the answer?",
        variant_texts=dict(well_done="One prior, and the likelihoods of both: that is all that MixedNB does."),
    )  # fmt: skip


@parameters(ill=(100, 80, 150), well=(300, 400, 250), gaps=((40, 15), (30, 60), (24, 10)))
def gap_speaks(ill, well, gaps):
    a, b = gaps
    return Exercise(
        "12/gap-speaks",
        task=f"In a hospital a lab value is missing for {a} of the {ill} ill and for {b} of the {well} well: with the "
        "ill there is often no time for the laboratory. Of a new patient nothing is known but that the value is "
        "missing. What is P(ill), if the gap itself counts as a value?",
        expected=Fraction(a, a + b),
        mistakes=(
            Mistake(Fraction(ill, ill + well), "That is the prior: the gap left out. Here it says something."),
            Mistake(Fraction(a, ill), "That is P(gap | ill). Asked is P(ill | gap)."),
            Mistake(share(a / ill / (b / well)), "You compare the two rates as if there were as many ill as well."),
            Mistake(Fraction(a, ill + well), "That is P(ill and gap). Divide by how often there is a gap at all."),
            Mistake(Fraction(a + b, ill + well), "That is how often there is a gap at all."),
        ),
        well_done="A gap that depends on the class is evidence. Then make it a value: a category of its own.",
        solution=f"answer = {a} / ({a} + {b})",
        help="Look only at the patients with a gap. Who are they?",
        variant_texts=dict(
            task=f"In a hospital a lab value is missing for {a} of the {ill} ill and for {b} of the {well} well: "
            "doctors order it when they worry. Of a new patient nothing is known but that the value is missing. What "
            "is P(ill), if the gap itself counts as a value?"
        ),
    )


@parameters(n=(68, 40, 55, 30), K=(3, 4, 5), alpha=(1, 2, 0.5))
def stray(n, K, alpha):
    return Exercise(
        "12/stray",
        task=f"None of the {n} Chinstraps was on Torgersen; there are {in_words(K)} islands. With alpha = {alpha}, "
        "what is the estimate of P(Torgersen | Chinstrap)?",
        expected=alpha / (n + K * alpha),
        mistakes=(
            Mistake(0.0, "That is the estimate without smoothing."),
            Mistake(0.014, "Give three significant digits: the zeros in front are none.", page_only=True),
            Mistake(alpha / (n + alpha), "One imaginary penguin on one island. What of the two other islands?",
                    "You added alpha for one island. What of the other islands?"),
            Mistake(alpha / n, "The imaginary penguin was added above and not below.",
                    "alpha was added above and not below."),
            Mistake(Fraction(1, 55), "You divide by the penguins of an island, and not by those of a species.",
                    page_only=True),
        ),
        well_done="So alpha 1 says one Chinstrap in 71. That is not bold: 68 penguins without a stray cannot rule out "
        "one in 24 (with 95 %). Alpha 0.01 says one in 6,803, and 68 penguins cannot know that.",
        solution=f"answer = (0 + {alpha}) / ({n} + {alpha} * {K})",
        nearly=False,
        help="Every island gets alpha more, and the sum below grows by all of it.",
        variant_texts=dict(
            task=f"None of the {n} penguins of a species was on one of the islands; there are {K} islands. With alpha "
            f"= {alpha}, what is the estimate of P(this island | species)?",
            well_done="Every island gets alpha, so none is impossible. Is that alpha as bold as your data are?",
        ),
    )


@parameters(goal=(0.95, 0.9, 0.8, 0.99), prior=(0.80, 0.45, 1.2), island=(3.03, 2.1, 1.4))
def points(goal, prior, island):
    total = logit(goal)
    return Exercise(
        "12/points",
        task="A penguin on Biscoe, Adelie or Chinstrap; only its bill can be measured. In points (log odds of "
        f"Chinstrap): prior {signed(-prior)}, Biscoe {signed(-island)}. How many points must the bill bring to make "
        f"P(Chinstrap) = {goal}?",
        expected=total + prior + island,
        mistakes=(
            Mistake(total, "So many points in all. What do prior and island take away?"),
            Mistake(total + island, "The prior takes away, too."),
            Mistake(total + prior, "The island is missing: what does Biscoe take away?"),
            Mistake(total - prior - island, "Points against Chinstrap have to be made up for: look at the sign."),
            Mistake(np.log(goal) + prior + island, "A probability becomes points by the log of its odds."),
        ),
        well_done="On the nomogram: a bill of nearly 49 mm.",
        solution=f"from math import log\n\nanswer = log({goal} / {1 - goal:g}) + {prior:.2f} + {island:.2f}",
        help="What total stands for this probability? The points of all rows add up to it.",
        variant_texts=dict(well_done="Points add up, so you can say what is still missing."),
    )


@parameters(said=((0.3, 0.15, 0.2, 0.35), (0.25, 0.1, 0.3, 0.35), (0.2, 0.3, 0.35, 0.15), (0.15, 0.25, 0.1, 0.5),
                  (0.5, 0.1, 0.3, 0.1), (0.45, 0.2, 0.05, 0.3), (0.35, 0.05, 0.25, 0.35)))  # fmt: skip
def female(said):
    a, b, c, d = said
    return Exercise(
        "12/female",
        task=f"Classes of species and sex at once. Of a penguin whose sex is not used the model says: Adelie, female "
        f"{a}; Adelie, male {b}; Chinstrap, female {c}; Chinstrap, male {d}. Now you learn that it is female. What is "
        "P(Adelie)?",
        expected=a / (a + c),
        mistakes=(
            Mistake(a + b, "That is P(Adelie) as long as the sex is unknown: the sum over both."),
            Mistake(a, "That is P(Adelie, female). Being female is now certain: divide by what is left."),
            Mistake(a / (a + b), "That is P(female | Adelie), the other way round."),
            Mistake(c / (a + c), "That is Chinstrap’s share."),
        ),
        well_done="Without the sex it leans to Chinstrap, with it to Adelie: the sex says how to read the rest.",
        solution=f"answer = {a} / ({a} + {c})",
        help="Two of the four classes are still possible. What are their shares among themselves?",
        variant_texts=dict(well_done="Being female is certain now: what counts are the shares of the females among "
                           "themselves."),
    )


CONTENTS = [
    Prediction(
        "12/sex",
        context=TABLE,
        question="You would miss the bill most. Males have the longer ones in every species, by 3 to 5 mm, so you "
        "would read a bill better if you knew the sex. Without the column sex, "
        f"{int(wrong(held_out(FIVE)).sum())} of the 344 penguins are decided wrongly (each by a model that "
        "has not seen it). How many are, when you add it?",
        truth=lambda: float(wrong(held_out()).sum()),
        options={
            "0 or 1": lambda n: n <= 1,
            "2 to 4": lambda n: 1 < n <= 4,
            "5 or more": lambda n: n > 4,
        },
        reason=lambda n: f"It is {n:.0f}. Half of each species is female, nearly to the bird, so the sex by itself "
        "speaks for nobody, and naive Bayes hears every column by itself. That the sex says how to read the bill is "
        "a message of two columns together. Section 5 comes back to it.",
    ),
    two_posteriors,
    Prediction(
        "12/gap",
        question="Row 271 of the table: nobody measured this penguin, and its sex is not known. All there is: it was "
        "on Biscoe, where 44 Adelies and 124 Gentoos were. In the whole table 36 % are Gentoos. What does naive Bayes "
        "say of Gentoo?",
        truth=lambda: float(shares(UNMEASURED)[GENTOO]),
        options={
            "nothing: five of six values are missing, an error": lambda p: not np.isfinite(p),
            "about 36 %: too little is known": lambda p: p < 0.5,
            "about 73 %": lambda p: 0.5 <= p < 0.9,
            "nearly 100 %": lambda p: p >= 0.9,
        },
        reason=lambda p: f"It says {p:.3f}. Five factors are left out, prior and island stay, and those two are the "
        "shares on Biscoe, 124 of 168, a little smoothed. Nothing was made up, and nothing is lost.",
    ),
    Prediction(
        "12/filled",
        context=TABLE,
        question="Let all penguins that are judged be like row 271: their four measurements are gone. With those "
        f"factors left out, {int(wrong(nothing_measured(False)).sum())} of 344 are wrong. Most programs want a number "
        "in every cell, so people fill in the column’s mean. Do that instead. How many are wrong now?",
        truth=lambda: float(wrong(nothing_measured(True)).sum()),
        options={
            "fewer than 90: a number is better than none": lambda n: n < 90,
            "90 to 110: a mean favours nobody": lambda n: 90 <= n <= 110,
            "more than 110": lambda n: n > 110,
        },
        reason=lambda n: f"{n:.0f}, and every Gentoo is among them. A mean is not “nothing”: it is four measurements "
        "that nobody made. A bill of 44 mm, 17 mm deep, is what a middling penguin would have, and Gentoos’ bills are "
        f"15 mm deep. Row 271 itself, filled so and with the commonest sex, falls to {say(filled(UNMEASURED))}.",
    ),
    Exercise(
        "12/sum-out",
        task="Write posterior(prior, tables, codes). prior: P(c), an array of C numbers. tables: one array (C, K) for "
        "each column, P(value | c). codes: the row, for each column the number of its value, or None where there is a "
        "gap. Return P(c | row), an array of C numbers.",
        expected=posterior,
        evaluate=on_gaps,
        returns="an array of C posteriors",
        mistakes=(
            Mistake(likeliest_value, "You fill in each class’s own likeliest value. That favours the class "
                    "that has one clear favourite. A gap says nothing."),
            Mistake(first_value, "You take a gap for the first value. Nobody has seen that value."),
            Mistake(zero_is_a_gap, "Your function leaves out columns with code 0. That is the first value, and no gap: "
                    "ask whether the code is None."),
            Mistake(not_summing_to_one, "These are P(c) times likelihoods. Posteriors sum to 1."),
            Mistake(in_logs, "These are logs. Take exp, and make them sum to 1."),
            Mistake(row_thrown_away, "You give up the whole row for one gap. What is known still speaks."),
            Mistake(no_prior, "The prior is missing, and with all columns gone it is all there is."),
        ),
        well_done="A gap leaves its factor out. No value was invented, and no row thrown away.",
        solution="import numpy as np\n\n\ndef answer(prior, tables, codes):\n    joint = np.array(prior, dtype=float)\n"
        "    for table, code in zip(tables, codes):\n        if code is not None:\n            joint = joint * "
        "table[:, code]\n    return joint / joint.sum()",
        help="Go column by column and multiply; think of what the sum over all values of an unknown column is.",
    ),
    gap_speaks,
    Prediction(
        "12/alpha",
        question="No Chinstrap was on Torgersen or Biscoe, no Gentoo anywhere but on Biscoe. The model smooths these "
        f"zeros with alpha. Try {', '.join(f'{alpha:g}' for alpha in ALPHAS[:-1])} and {ALPHAS[-1]:g}. With which do "
        "penguins that were kept aside have the smallest log loss?",
        truth=best_alpha,
        options={
            "0, no smoothing": lambda alpha: alpha == 0,
            "0.01 to 1": lambda alpha: alpha in (0.01, 0.1, 1),
            "10": lambda alpha: alpha == 10,
        },
        reason=lambda alpha: f"With {alpha:g}: {by_alpha()[0]:.5f} nats a penguin, a hair less than with {ALPHAS[1]} "
        f"({by_alpha()[ALPHAS[1]]:.5f}); with alpha 1 it is {by_alpha()[1]:.5f}. These zeros are real: the species "
        "breed where they breed. But it was luck, too: had one Chinstrap kept aside strayed, alpha 0 would have lost "
        "infinitely much.",
    ),
    stray,
    Prediction(
        "12/turn",
        question="Chinstraps and Adelies weigh nearly the same on average, 3,733 and 3,701 g; Adelies vary more. Which "
        "body mass speaks most for Chinstrap and against Adelie?",
        truth=turning_mass,
        options={
            "the highest, 4,800 g": lambda g: g >= 4600,
            "one in the middle, near 3,800 g": lambda g: 3300 < g < 4600,
            "the lowest, 2,700 g": lambda g: g <= 3300,
        },
        reason=lambda g: f"{g:,.0f} g, and even that is worth only {signed(float(body_mass_points([g])[0]))}. The "
        "narrower bell is higher in the middle and lower at both ends: very light and very heavy both speak for "
        "Adelie. The scale turns back.",
    ),
    points,
    Prediction(
        "12/crossed",
        context=TABLE,
        question=f"{WRONG_NOW} or with six. Now let species and sex together be the class: six classes, such as "
        "“Adelie, female”. P(Adelie) is then the sum over both sexes, or, where the sex is known, its own class’s "
        "share. The columns stay as naive as before. How many of 344 are wrong?",
        truth=lambda: float(wrong(by_species_and_sex()).sum()),
        options={
            "more than 7: six classes are harder than three": lambda n: n > 7,
            "5 to 7: nothing new was learned": lambda n: 5 <= n <= 7,
            "fewer than 5": lambda n: n < 5,
        },
        reason=lambda n: f"{n:.0f}. Within one sex of one species the bill is no longer a mixture of two bells, and "
        "the columns depend less on each other. Hide the sex of every penguin that is judged, and sum: "
        f"{int(wrong(by_species_and_sex(False)).sum())} are wrong. What helps most is that the model has learned the "
        "sexes apart.",
    ),
    female,
    Prediction(
        "12/curves",
        question="A popular way to calibrate is isotonic regression: from out-of-fold posteriors it learns a rising "
        "curve for each class, and the posteriors go through the curves. The penguins kept aside lose 0.065 nats "
        "without it, and nothing is wrong with that. With it, how many of 344 get probability 0 for what they are?",
        truth=lambda: float(called_impossible()),
        options={"none": lambda n: n == 0, "one or two": lambda n: 0 < n < 3, "three or more": lambda n: n >= 3},
        reason=lambda n: f"It is {n:.0f}, and each of them is an infinite loss. Below the lowest posterior with which "
        "a species came true the curve is 0. But it had a few hundred penguins to learn from, and the next one comes "
        "true a little lower.",
    ),
    Exercise(
        "12/reason",
        task="Write reason(terms, joint) for one row. terms: what feature_contributions gives, (C, F), log p(x_f | c). "
        "joint: log P(c, row), C numbers. Return the number of the column that speaks most for the likeliest class "
        "against the second likeliest.",
        expected=reason,
        evaluate=on_reasons,
        returns="the number of a column",
        mistakes=(
            Mistake(loudest, "You look at the winner alone. A column that says the same of both classes is no "
                    "reason, however large its number."),
            Mistake(either_way, "A column that speaks strongly against the winner is no reason for it."),
            Mistake(against_all, "You compare with the mean of the others. A class that nobody considers "
                    "should not count."),
            Mistake(how_much, "That is how much it says. Asked is which column it is."),
            Mistake(the_winner, "That is the number of the likeliest class. Which column speaks for it?"),
            Mistake(first_two, "You compare class 0 with class 1. Which two are likeliest, joint says."),
            Mistake(against_last, "You compare with the least likely class."),
            Mistake(from_one, "You count the columns from 1. Python counts from 0."),
            Mistake(wrong_sign, "That column speaks most against the winner. Which class do you subtract from which?"),
            Mistake(without_prior, "You rank the classes by the sum of their terms. The prior counts, too: it is in "
                    "joint."),
        ),
        well_done="The answer to “why?” is a difference of two logs, and it needs the question “rather than what?”.",
        solution="import numpy as np\n\n\ndef answer(terms, joint):\n    second, first = np.argsort(joint)[-2:]\n"
        "    return np.argmax(terms[first] - terms[second])",
        help="First find the two classes, by joint. Then compare their terms, column by column.",
    ),
]
