"""Predictions and exercises of chapter 02, Laplace smoothing. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from inspect import getsource

import numpy as np

from nbcore.datasets import load_iir_documents, load_play_tennis
from nbcore.naive_bayes import CategoricalNB, MultinomialNB
from workbook.explorer.formatting import say, signed
from workbook.questions.drawn import Drawn
from workbook.questions.exercises import FRACTION, Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_words, parameters, plain

from .experiment import NEW_DAY, coded, given_names

__all__ = ["CONTENTS"]

TENNIS = load_play_tennis()
DOCUMENTS = load_iir_documents()
CLASSES = DOCUMENTS.target_names[DOCUMENTS.target]
FOUR = "\n".join(f"{name}: {words}" for name, words in zip(CLASSES, DOCUMENTS.documents, strict=True))
DIVIDED = "What is it to be divided by, to be a posterior?"
FOURTEEN = "Fourteen days, five of them No. A new day is overcast, hot, high, strong."


def no_on_day(alpha: float, features=slice(None), sky: str = NEW_DAY[0]) -> float:
    """Return P(No | this sky, Hot, High, Strong) at this alpha, from these of the four features."""
    model = CategoricalNB(alpha=alpha).fit(TENNIS.data[:, features], TENNIS.target)
    return float(model.predict_proba(coded((sky, *NEW_DAY[1:]))[:, features])[0, 0])


def china(alpha: float, document=DOCUMENTS.sample, fit_prior: bool = True) -> float:
    """P(China | document) at this alpha."""
    model = MultinomialNB(alpha=alpha, fit_prior=fit_prior).fit(DOCUMENTS.data, DOCUMENTS.target)
    return float(model.predict_proba(document)[0, 1])


def china_reason(p: float) -> str:
    """Why: the log odds of document 5, word by word."""
    model = MultinomialNB().fit(DOCUMENTS.data, DOCUMENTS.target)
    other, china = model.feature_contributions(DOCUMENTS.sample)[0]
    votes = dict(zip(DOCUMENTS.feature_names, china - other, strict=True))
    chinese, others, prior = votes["Chinese"], votes["Tokyo"] + votes["Japan"], np.diff(model.class_log_prior_)[0]
    return (
        f"The words alone lean the other way: three times Chinese gives {signed(chinese)} in log odds, Tokyo and "
        f"Japan together {signed(others)}. The prior, three documents to one, adds {signed(prior)} and decides: China "
        f"wins with {say(p)}. Smoothing turned a veto into a vote."
    )


def fit_probabilities(tokens, vocabulary):
    total = len(tokens) + len(vocabulary)
    return {word: (tokens.count(word) + 1) / total for word in vocabulary}


def word_probability(word, probabilities):
    unseen = 1 / (sum(probabilities.values()) + len(probabilities))
    return probabilities.get(word, unseen)


BUG = "\n".join(map(getsource, (fit_probabilities, word_probability))).strip()  # the code of the page's section 3


def unseen_over_unused() -> float:
    """Return how many times more than a known, unused word the buggy fallback gives to a word nobody ever saw."""
    tokens = [word for words, c in zip(DOCUMENTS.tokens, DOCUMENTS.target, strict=True) if c == 1 for word in words]
    probabilities = fit_probabilities(tokens, DOCUMENTS.feature_names)
    return word_probability("Osaka", probabilities) / word_probability("Tokyo", probabilities)


def male(name: str, alpha: float) -> float:
    """P(male | name) at this alpha."""
    case = given_names()
    return float(case.model.smoothed(alpha).predict_proba(case.item(name).row)[0, 1])


@parameters(count=(0, 1, 2), total=(4, 6, 9, 11), K=(3, 4, 5))
def laplace(count, total, K):
    return Exercise(
        "02/laplace",
        task="Cover day 6: it was a No day, and cool. Four No days are left, and none of them was cool. Temperature is "
        "hot, mild or cool. With Laplace smoothing, alpha = 1, what is P(Cool | No)?",
        expected=Fraction(count + 1, total + K),
        mistakes=(
            Mistake(Fraction(count, total), "That is the unsmoothed estimate. Add alpha to the count first."),
            Mistake(Fraction(count + 1, total), "The numerator may be right. Did the total grow, too? Or did you "
                    "count all five No days? Day 6 is covered.",
                    "The numerator may be right. Did the total grow, too?"),
            Mistake(Fraction(count + 1, total + 1), "You added one imaginary day in all. Every temperature gets one: "
                    "how many are there? (If 5 was the number of No days: day 6 is covered, and the total grows.)",
                    "You added one imaginary day in all. Every value gets one: how many are there?"),
            Mistake(Fraction(1, 8), "Which total did you start from? Day 6 is covered. And K counts the values of one "
                    "feature, not the features.", page_only=True),
            Mistake(Fraction(count + 1, total + 2), "Your total grew by two. Every value gets an imaginary day: "
                    "how many are there?"),
            Mistake(Fraction(1, 9), "Your total grew by five. It grows by one for each temperature, whatever was "
                    "counted.", page_only=True),
            Mistake(Fraction(count + 2, total + K), "The total is right. What is the count of cool No days, before "
                    "alpha is added to it once?",
                    "The total is right. What is the count of cool days, before alpha is added to it once?"),
            Mistake(Fraction(1, 16), "You divided by all thirteen days and three. P(Cool | No) looks at No days only.",
                    page_only=True),
        ),
        well_done="Each of the three temperatures got one imaginary day, so the total grew by three and the three "
        "probabilities still sum to one. Now day 6 is possible.",
        solution=f"from fractions import Fraction\n\ncount, total, alpha, K = {count}, {total}, 1, {K}\n"
        "answer = Fraction(count + alpha, total + alpha * K)",
        help="What does alpha add to Cool, and to all?",
        variant_texts=dict(
            task=f"A class has {total} days, and the value “cool” was seen on {count} of them. The feature has K = {K} "
            "values. With Laplace smoothing, alpha = 1, what is P(Cool | class)?",
            well_done="Each value got one imaginary day, so the total grew by as many, and the sum is still one.",
        ),
    )  # fmt: skip


@parameters(alpha=(0.5, 0.25, 2, 0.1), K=(6, 8, 10), times=(3, 2, 4))
def lidstone(alpha, K, times):
    def joint(count, total, alpha=alpha, times=times, K=K, below=1):
        """Return a class's likelihood of document 5: Chinese is `count` of its tokens, Tokyo and Japan 0 or 1 each."""
        other, all_ = int(total == 3), total + alpha * K * below
        return ((count + alpha) / all_) ** times * ((other + alpha) / all_) ** 2

    def posterior(**slip):
        ours, theirs = joint(5, 8, **slip), joint(1, 3, **slip)
        return ours / (ours + theirs)

    ours, theirs = joint(5, 8, K=4), joint(1, 3, K=3)  # the slip of a vocabulary of its own for each class
    value = Fraction(alpha).limit_denominator(100)
    return Exercise(
        "02/lidstone",
        context=FOUR,
        task=f"Lidstone with alpha = {value}, and suppose both classes were equally frequent beforehand. What is "
        f"P(China | document 5)? The vocabulary has {K} words; China has 8 tokens, not China has 3. {FRACTION}",
        expected=posterior(),
        mistakes=(
            Mistake(posterior(alpha=1), f"That is the answer for alpha = 1. Put {value} into numerator and "
                    "denominator."),
            Mistake(lambda: china(alpha), "The likelihoods are right. But you kept the prior of three documents "
                    "to one, as in the picture.", page_only=True),
            Mistake(posterior(times=1), "You counted each word once. The multinomial model counts tokens: Chinese "
                    f"stands there {in_words(times)} times."),
            Mistake(posterior(K=1), f"Your denominators grew by alpha. There are {in_words(K)} words, and each of them "
                    "got alpha."),
            Mistake(posterior(below=0), "alpha is in your numerators. Is it in your denominators, once for each of the "
                    f"{in_words(K)} words?"),
            Mistake(joint(5, 8), f"That is the product for China. {DIVIDED}"),
            Mistake(joint(5, 8) / 2, f"That is the product for China, with its prior. {DIVIDED}"),
            Mistake(1 - posterior(), "That is the other class. Which of the two products belongs to China?"),
            Mistake(lambda: china(1), "That is the number of the page: alpha = 1, and three documents to one. "
                    "Here both are different.", page_only=True),
            Mistake(lambda: 1 - china(1), "That is the other class, with the alpha and the prior of the page. "
                    "Here all three are different.", page_only=True),
            Mistake(posterior() / (1 - posterior()), "Those are the odds, China to not China. A probability is odds / "
                    "(1 + odds)."),
            Mistake(ours / (ours + theirs), "You gave each class its own words only: China 4, not China 3. There is "
                    f"one vocabulary, of {K} words."),
        ),
        well_done="Without the prior of three to one the words decide, and with less smoothing Tokyo and Japan weigh "
        "more against China.",
        solution="alpha, K = 0.5, 6\nchina = ((5 + alpha) / (8 + alpha * K)) ** 3 * (alpha / (8 + alpha * K)) ** 2\n"
        "other = ((1 + alpha) / (3 + alpha * K)) ** 5\nanswer = china / (china + other)",
        help="One factor for each of the five tokens, in both classes. What is P(Chinese | China), with alpha in its "
        "numerator and six times in its denominator? The priors cancel.",
        variant_texts=dict(
            context="",
            task="Class China has 8 tokens: Chinese five times, Tokyo and Japan never. Class not China has 3: Chinese, "
            f"Tokyo and Japan. The vocabulary has {K} words. A document says Chinese {times} times, Tokyo and Japan "
            f"once each. Lidstone with alpha = {alpha:g}, both classes equally frequent: what is P(China | document) "
            f"in the multinomial model? {FRACTION}",
            well_done="The priors are equal, so the words decide, and alpha says how much an unseen one weighs.",
            help="One factor for each token, in both classes. What is P(Chinese | China), with alpha in its numerator, "
            "and in its denominator as often as there are words? The priors cancel.",
            solution=f"alpha, K, n = {alpha}, {K}, {times}\n"
            "china = ((5 + alpha) / (8 + alpha * K)) ** n * (alpha / (8 + alpha * K)) ** 2\n"
            "other = ((1 + alpha) / (3 + alpha * K)) ** n * ((1 + alpha) / (3 + alpha * K)) ** 2\n"
            "answer = china / (china + other)",
        ),
    )  # fmt: skip


@parameters(N=(50, 20, 30, 90), K=(400, 250, 150), alpha=(1, 2, 0.5))
def shrinkage(N, K, alpha):
    return Exercise(
        "02/shrinkage",
        task=f"A class has N = {N} tokens, the vocabulary K = {K} words, and alpha = {plain(alpha)}. The smoothed "
        f"estimate is s · n/N + (1 − s) · 1/K. Which weight s do the data keep? {FRACTION}",
        expected=Fraction(N) / Fraction(N + alpha * K),
        mistakes=(
            Mistake(alpha * K / (N + alpha * K), "That is the weight of the imaginary words. Which part belongs to the "
                    "tokens you really saw?"),
            Mistake(N / (N + alpha), "You counted alpha once. Each of the K words got alpha: how many imaginary tokens "
                    "is that?"),
            Mistake(N / (alpha * K), "You compared real tokens with imaginary ones. A weight is a share of all tokens, "
                    "real and imaginary."),
        ),
        well_done="“Add one” sounds harmless. With a large vocabulary and a small class it is eight imaginary tokens "
        "for every real one.",
        solution=f"N, K, alpha = {N}, {K}, {alpha}\nanswer = N / (N + alpha * K)",
        help="Of all tokens, real and imaginary, which part is real?",
        variant_texts=dict(well_done=f"“Add {plain(alpha)}” sounds harmless. Here it is {alpha * K / N:.3g} imaginary "
                           "tokens for every real one."),
    )  # fmt: skip


@parameters(p=(0.9, 0.95, 0.8), q=(0.7, 0.6), r=(0.02, 0.01, 0.05))
def aside(p, q, r):
    costs = -np.log([p, q, r])
    return Exercise(
        "02/aside",
        task=f"Three names were kept aside. At some alpha the model gives their true classes the probabilities {p}, "
        f"{q} and {r}. What is its log loss, by natural logarithms?",
        expected=costs.mean(),
        mistakes=(
            Mistake(costs.sum(), "That is the sum. The log loss is the mean."),
            Mistake(-costs.mean(), "No loss is below 0. Where is the minus?"),
            Mistake(costs.mean() / np.log(10), "Use the natural logarithm."),
            Mistake(-np.log((p + q + r) / 3), "Take the logarithms first, then the mean."),
            Mistake(costs[2], "That is what the third name costs. What do the others?"),
        ),
        help="What does each name cost? Three natural logarithms, a minus, a mean.",
        well_done="Most of it is the third name: the model called it nearly impossible.",
        solution=f"from math import log\n\nanswer = -(log({p}) + log({q}) + log({r})) / 3",
    )


CONTENTS = [
    Prediction(
        "02/overcast",
        question=f"{FOURTEEN} Leave its sky out for a "
        f"moment: prior and the other three values give P(No) = {no_on_day(0, [1, 2, 3]):.3f}. Now put it back: "
        "none of the five No days was overcast. If you estimate every probability by a plain share of days, what is "
        "P(No | day)?",
        options={
            "still above 0.5: one value cannot outvote three": lambda p: p > 0.5,
            "below 0.5, but above 0": lambda p: 0 < p <= 0.5,
            "exactly 0": lambda p: p == 0,
        },
        truth=lambda: no_on_day(0),
        reason=lambda p: (
            "The likelihood of No is a product, and one of its factors is 0/5. However large the others are, they "
            f"cannot bring it back from {say(p)}."
        ),
    ),
    laplace,
    Prediction(
        "02/thousand",
        context=FOURTEEN,
        question="The same day, but sunny: no count is zero. You turn alpha up to 1000, a thousand imaginary days for "
        "every value. Where does P(No | day) go? Draw the rest of the line.",
        truth=lambda: no_on_day(1000, sky="Sunny"),
        drawn=Drawn(
            {f"{alpha}": partial(no_on_day, alpha, sky="Sunny") for alpha in (0, 1, 10, 100, 1000)},
            y="P(No | day)",
            x="alpha",
            given=2,
        ),
        reason=lambda p: (
            "Every likelihood is pulled to 1/K, the same for both classes, so they cancel. The prior is "
            f"not smoothed, so the posterior goes to it: {say(p)}. What the day said is gone."
        ),
    ),
    shrinkage,
    Prediction(
        "02/china",
        context=FOUR,
        question="The fifth document is “Chinese Chinese Chinese Tokyo Japan”. Tokyo and Japan were seen only in the "
        "class not China. With alpha = 1, what is P(China | document 5)?",
        options={
            "near 0: two words speak against China": lambda p: p < 0.1,
            "between 0.1 and 0.5": lambda p: 0.1 <= p < 0.5,
            "above 0.5": lambda p: p >= 0.5,
        },
        truth=lambda: china(1),
        reason=china_reason,
    ),
    Prediction(
        "02/unseen-word",
        context=BUG,
        question="In the code above, which word gets the larger probability in class China: “Tokyo”, which the "
        "vocabulary has but China never used, or “Osaka”, which nobody ever saw?",
        options={
            "Tokyo: it is at least a known word": lambda ratio: ratio < 1,
            "both the same": lambda ratio: ratio == 1,
            "Osaka": lambda ratio: ratio > 1,
        },
        truth=unseen_over_unused,
        reason=lambda ratio: (
            "The fallback divides by 1 + K where it should divide by the tokens plus K, so a "
            f"word nobody ever saw gets {say(ratio)} times what Tokyo gets."
        ),
    ),
    lidstone,
    Prediction(
        "02/malcolm",
        question="Hezekiah has three trigrams that no counted female name has, and one that no counted male name has. "
        "At alpha = 0 our model falls back on the prior, a little under one half for male. What is P(male | Hezekiah) "
        "at alpha = 0.001?",
        options={
            "about the same: a thousandth is almost 0": lambda p: 0.3 < p < 0.6,
            "a little larger, 0.6 to 0.95": lambda p: 0.6 <= p <= 0.95,
            "practically 1": lambda p: p > 0.95,
        },
        truth=lambda: male("Hezekiah", 0.001),
        reason=lambda p: (
            "Beside a count of n in the other class, a zero is worth a factor of about alpha / n. Female has three, "
            "beside counts of 1, 2 and 1; male has one, beside a count of 2. Three against one leave two: female keeps "
            f"about {1 - p:.7f}."
        ),
    ),
    aside,
]
