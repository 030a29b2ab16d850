"""Predictions and exercises of chapter 12, your own table. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from scipy.special import logit

from workbook.explorer.formatting import signed
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import parameters, share

from .experiment import (
    COLUMNS,
    SHUFFLES,
    SPECIES,
    by_species_and_sex,
    called_impossible,
    find_loss,
    held_out,
    nothing_measured,
    penguins,
    two_bells_a_column,
    wrong,
)

__all__ = ["CONTENTS"]

TABLE = "; ".join(f"{name} {sum(penguins()[1] == name)}" for name in SPECIES) + f"; columns: {', '.join(COLUMNS)}."
FIVE = tuple(name for name in COLUMNS if name != "sex")


def count_wrong(proba: np.ndarray) -> int:
    """Count the penguins that are decided wrongly."""
    return int(wrong(proba).sum())


def placebo() -> np.ndarray:
    """Count the wrong ones of six classes for each shuffle of the sexes, (20,)."""
    return np.array([count_wrong(by_species_and_sex(shuffle=k)) for k in range(1, SHUFFLES + 1)])


@parameters(ill=(100, 80, 150), well=(300, 400, 250), gaps=((40, 15), (30, 60), (24, 10)))
def gap_speaks(ill, well, gaps):
    a, b = gaps
    return Exercise(
        "12/gap-speaks",
        task=f"A lab value is missing for {a} of the {ill} ill and for {b} of the {well} well: with the ill there is "
        "often no time. Of a new patient only this is known: the value is missing. P(ill), if the gap counts as a "
        "value?",
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
            task=f"A lab value is missing for {a} of the {ill} ill and for {b} of the {well} well. Of a new patient "
            "only this is known: the value is missing. P(ill), if the gap counts as a value?"
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
            Mistake(prior + island, "That makes it even. And then?"),
            Mistake(total + island, "The prior takes away, too."),
            Mistake(total + prior, "The island is missing: what does Biscoe take away?"),
            Mistake(total - prior - island, "Points against Chinstrap have to be made up for: look at the sign."),
            Mistake(np.log(goal) + prior + island, "A probability becomes points by the log of its odds."),
        ),
        well_done="That is a bill of nearly 49 mm.",
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
        question="Males have longer bills in every species, by 3 to 5 mm. Without the column sex, naive Bayes decides "
        f"{count_wrong(held_out(FIVE))} of 344 penguins wrongly, each by a model that has not seen it. How many when "
        "the sex is added?",
        truth=lambda: float(count_wrong(held_out())),
        options={
            "0 or 1": lambda n: n <= 1,
            "2 to 4": lambda n: 1 < n <= 4,
            "5 or more": lambda n: n > 4,
        },
        reason=lambda n: f"It is {n:.0f}. Half of each species is female, nearly to the bird, so the sex by itself "
        "speaks for nobody, and naive Bayes hears every column by itself. That the sex says how to read the bill is "
        "a message of two columns together. Section 2 comes back to it.",
    ),
    Prediction(
        "12/filled",
        context=TABLE,
        question="All penguins that are judged lose their four measurements. With those factors left out, "
        f"{count_wrong(nothing_measured(False))} of 344 are wrong. Fill in each column’s mean instead. How many now?",
        truth=lambda: float(count_wrong(nothing_measured(True))),
        options={
            "fewer than 90: a number is better than none": lambda n: n < 90,
            "90 to 110: a mean favours nobody": lambda n: 90 <= n <= 110,
            "more than 110": lambda n: n > 110,
        },
        reason=lambda n: f"{n:.0f}, and every Gentoo is among them. A mean is not “nothing”: it is four measurements "
        "that nobody made. A bill 17 mm deep is what a middling penguin would have, and Gentoos’ bills are 15 mm deep.",
    ),
    gap_speaks,
    Prediction(
        "12/crossed",
        context=TABLE,
        question=f"{count_wrong(held_out())} of 344 are wrong. Now let species and sex together be the class, such as "
        "“Adelie, female”: six classes. A penguin of known sex is judged among those of its sex. How many are wrong?",
        truth=lambda: float(count_wrong(by_species_and_sex())),
        options={
            "more than 7: six are harder than three": lambda n: n > 7,
            "5 to 7: nothing new was learned": lambda n: 5 <= n <= 7,
            "fewer than 5": lambda n: n < 5,
        },
        reason=lambda n: f"{n:.0f}. Within one sex of one species the columns depend less on each other. Two bells in "
        f"each column, but the columns as independent as before, leave {count_wrong(two_bells_a_column())} wrong.",
    ),
    Prediction(
        "12/placebo",
        context=TABLE,
        question="Shuffle the sexes within each species, and learn six classes again. How many of 344 are wrong, on "
        "average?",
        truth=lambda: float(placebo().mean()),
        options={
            "2 to 4: more bells fit better": lambda n: n <= 4,
            "5 or 6": lambda n: 4 < n <= 6,
            "7 or more: nothing is gained": lambda n: n > 6,
        },
        reason=lambda n: f"{n:.1f} on average of {SHUFFLES} shuffles, from {placebo().min()} to {placebo().max()}. "
        "So what helped was not the number of bells, but by what the birds were parted.",
    ),
    female,
    Prediction(
        "12/curves",
        question="Isotonic regression learns a rising curve for each class from out-of-fold posteriors, and sends "
        f"posteriors through it. Without it the penguins lose {find_loss(held_out()):.3f} nats, and nothing is wrong "
        "with that. With it, how many of 344 get probability 0 for what they are?",
        truth=lambda: float(called_impossible()),
        options={"none": lambda n: n == 0, "one or two": lambda n: 0 < n < 3, "three or more": lambda n: n >= 3},
        reason=lambda n: f"It is {n:.0f}, and each of them is an infinite loss. Below the lowest posterior with which "
        "a species came true the curve is 0. But it had a few hundred penguins to learn from, and the next one comes "
        "true a little lower.",
    ),
    points,
]
