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

from .experiment import ALPHAS, NEW_DAY, coded, given_names, new_shares, split_names, two_jobs

__all__ = ["CONTENTS"]

TENNIS = load_play_tennis()
DOCUMENTS = load_iir_documents()
CLASSES = DOCUMENTS.target_names[DOCUMENTS.target]
FOUR = "\n".join(f"{name}: {words}" for name, words in zip(CLASSES, DOCUMENTS.documents, strict=True))
DIVIDED = "What is it to be divided by, to be a posterior?"
ONCE = "Good-Turing adds nothing: it counts words that came once."
FOURTEEN = "Fourteen days, five of them No. A new day is overcast, hot, high, strong."


def no_on_overcast(alpha: float, features=slice(None)) -> float:
    """P(No | Overcast, Hot, High, Strong) at this alpha, from these of the four features."""
    model = CategoricalNB(alpha=alpha).fit(TENNIS.data[:, features], TENNIS.target)
    return float(model.predict_proba(coded(NEW_DAY)[:, features])[0, 0])


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
    """How many times more than a known, unused word the buggy fallback gives to a word nobody ever saw."""
    tokens = [word for words, c in zip(DOCUMENTS.tokens, DOCUMENTS.target, strict=True) if c == 1 for word in words]
    probabilities = fit_probabilities(tokens, DOCUMENTS.feature_names)
    return word_probability("Osaka", probabilities) / word_probability("Tokyo", probabilities)


def slot(count: int, total: int, vocabulary: int, alpha: float) -> float:
    """Lidstone with one more place in the vocabulary, shared by all unseen words."""
    return (count + alpha) / (total + alpha * (vocabulary + 1))


def slot_vote(alpha: float = 1.0) -> float:
    """Log odds for male of a trigram nobody has seen, when a place is kept for it."""
    female, male = given_names().model.feature_count_.sum(axis=1)
    vocabulary = given_names().model.feature_count_.shape[1]
    return float(np.log(slot(0, male, vocabulary, alpha) / slot(0, female, vocabulary, alpha)))


def male(name: str, alpha: float) -> float:
    """P(male | name) at this alpha."""
    case = given_names()
    return float(case.model.smoothed(alpha).predict_proba(case.item(name).row)[0, 1])


def calmed_over_alone() -> float:
    """The best alpha beside a temperature, over the best alpha alone: means of twenty splits."""
    alone, together = two_jobs()
    return float(together[:, 0].mean() / alone[:, 0].mean())


def told_by_singles() -> float:
    """Share of trigrams counted once in all, over the share of new ones in names kept aside: male, the page's split."""
    once, found, _ = new_shares()
    return float(once[0, 1] / found[0, 1])


SLOT_CASES = [(0, 8, 6, 1.0), (5, 8, 6, 1.0), (0, 3, 6, 0.5), (2, 100, 40, 0.1)]


def slot_values(function) -> list[float]:
    """A learner's function on cases that tell the typical slips apart."""
    return [function(*case) for case in SLOT_CASES]


def curve_choice(function) -> list[float]:
    """A learner's `choose_alpha` on two pairs of loss curves, the second one real."""
    losses = given_names().losses[1:]  # alpha = 0 loses infinitely on names it has not seen
    alphas = np.geomspace(0.001, 1000, len(losses))
    hand = np.array([0.1, 1.0, 10.0]), np.array([0.2, 0.3, 0.6]), np.array([0.7, 0.4, 0.9])
    return [function(*hand), function(alphas, losses[:, 0], losses[:, 1])]


def most_right() -> float:
    """The alpha that gives the most right answers on the names kept aside."""
    _, (X, y), _ = split_names()
    model = given_names().model
    right = [np.mean(model.smoothed(alpha).predict(X) == y) for alpha in ALPHAS]
    return ALPHAS[int(np.argmax(right))]


@parameters(count=(0, 1, 2), total=(4, 6, 9, 11), K=(3, 4, 5))
def laplace(count, total, K):
    return Exercise(
        "02/laplace",
        task="Cover day 6 again: four No days are left, and none of them was cool. Temperature is hot, mild or cool. "
        "With Laplace smoothing, alpha = 1, what is P(Cool | No)?",
        expected=Fraction(count + 1, total + K),
        mistakes=(
            Mistake(Fraction(count, total), "That is the unsmoothed estimate. Add alpha to the count first."),
            Mistake(Fraction(count + 1, total), "The numerator may be right. Did the total grow as well? Or did you "
                    "count all five No days? Day 6 is covered.",
                    "The numerator may be right. Did the total grow as well?"),
            Mistake(Fraction(count + 1, total + 1), "You added one imaginary day in all. Every temperature gets one: "
                    "how many are there? (If 5 was the number of No days: day 6 is covered, and the total grows.)",
                    "You added one imaginary day in all. Every value gets one: how many are there?"),
            Mistake(Fraction(1, 8), "Which total did you start from? Day 6 is covered. And K counts the values of one "
                    "feature, not the features.", page_only=True),
            Mistake(Fraction(count + 1, total + 2), "Your total grew by two. Every temperature gets an imaginary day: "
                    "how many are there?",
                    "Your total grew by two. Every value gets an imaginary day: how many are there?"),
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
        variant_texts=dict(
            task=f"A class has {total} days, and the value “cool” was seen on {count} of them. The feature has K = {K} "
            "values. With Laplace smoothing, alpha = 1, what is P(Cool | class)?",
            well_done="Each value got one imaginary day, so the total grew by as many, and the sum is still one.",
        ),
    )  # fmt: skip


@parameters(alpha=(0.5, 0.25, 2, 0.1), K=(6, 8, 10), times=(3, 2, 4))
def lidstone(alpha, K, times):
    def joint(count, total, alpha=alpha, times=times, K=K, below=1):
        """Of Chinese, count of total tokens, so many times; then Tokyo and Japan: 0 in China, 1 in the other class."""
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
        variant_texts=dict(well_done=f"“Add {plain(alpha)}” sounds harmless. Here it is {alpha * K / N:.3g} imaginary "
                           "tokens for every real one."),
    )  # fmt: skip


@parameters(N=(8, 12, 20, 15), once=(3, 2, 5), words=(4, 5, 6, 8), K=(6, 7, 9, 11), other=(3, 5, 8))
def good_turing(N, once, words, K, other):
    if not (once < words <= K <= words + other and words <= N):
        return None
    return Exercise(
        "02/new-word",
        context=FOUR,
        task="Back to the four documents of section 2. By Good-Turing, how often will the next token of a document "
        f"about China be a word that stands in none of the four? {FRACTION}",
        expected=Fraction(once, N),
        help="List the eight tokens about China. Which of them would leave the vocabulary if you covered them?",
        mistakes=(
            Mistake(Fraction(1, N + K + 1), f"That is a place with alpha = 1. {ONCE}"),
            Mistake(Fraction(1, N + K), f"That is Tokyo with Laplace smoothing. {ONCE}",
                    f"That is an unseen word with Laplace smoothing. {ONCE}"),
            Mistake(Fraction(once, K), "Words or tokens? Below the bar stand all *tokens* about China; above it those "
                    "that, once covered, would be words nobody has seen. Is *Chinese* one of them?",
                    "Words or tokens? Below the bar stand all tokens of the class."),
            Mistake(Fraction(once, words), "You divided by the words of the class. Which share of its *tokens* would "
                    "have been new?"),
            Mistake(Fraction(1, N), "You covered one word. Cover each of the eight tokens in turn: how many of them "
                    "would be new?", "You covered one word. Cover each of the tokens in turn: how many of them would "
                    "be new?"),
            Mistake(Fraction(once, N + other), "Your numerator is of China, your denominator of both classes.",
                    "Your numerator is of the class, your denominator of both."),
            Mistake(Fraction(5, 11), "You took both classes together. The question is about China.", page_only=True),
            Mistake(Fraction(2, 3), "That is the other class.", page_only=True),
            Mistake(Fraction(5, 8), "You counted *Chinese*. Cover one of its five tokens: four are left, and it is no "
                    "new word.", page_only=True),
        ),
        well_done="Cover Beijing, Shanghai or Macao, and nobody has seen it. With eight tokens you have seen little, "
        "and the counts themselves say so.",
        solution="from fractions import Fraction\n\n# Beijing, Shanghai and Macao stand once in all four documents\n"
        "answer = Fraction(3, 8)",
        variant_texts=dict(
            context="",
            task=f"The documents of a class hold {N} tokens: {words} different words, of which {once} stand once in "
            f"all documents together. The other class has {other} tokens, and the vocabulary of both {K} words. By "
            f"Good-Turing, how often will the next token of the class be a word that nobody has seen? {FRACTION}",
            well_done="Cover a word that stands once, and nobody has seen it: the counts say how little was seen.",
            help="Cover each token of the class in turn. How many of them would leave the vocabulary?",
            solution=f"from fractions import Fraction\n\nanswer = Fraction({once}, {N})",
        ),
    )  # fmt: skip


CONTENTS = [
    Prediction(
        "02/overcast",
        question=f"{FOURTEEN} Leave its sky out for a "
        f"moment: prior and the other three values give P(No) = {no_on_overcast(0, [1, 2, 3]):.3f}. Now put it back: "
        "none of the five No days was overcast. If you estimate every probability by a plain share of days, what is "
        "P(No | day)?",
        options={
            "still above 0.5: one value cannot outvote three": lambda p: p > 0.5,
            "below 0.5, but above 0": lambda p: 0 < p <= 0.5,
            "exactly 0": lambda p: p == 0,
        },
        truth=lambda: no_on_overcast(0),
        reason=lambda p: (
            "The likelihood of No is a product, and one of its factors is 0/5. However large the others are, they "
            f"cannot bring it back from {say(p)}."
        ),
    ),
    laplace,
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
    lidstone,
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
    Exercise(
        "02/fix-the-bug",
        context=BUG,
        task="Mend it. Keep one more place in the vocabulary for all unseen words together, so that the probabilities "
        "of the known words and of that place sum to one. Write mended(count, total, vocabulary, alpha): "
        "total is the number of tokens of the class, vocabulary the number of known words, and a word nobody saw has "
        "count 0.",
        help="Try it by hand: a class with 8 tokens and 6 known words. Do the six and the new place sum to one?",
        expected=slot,
        evaluate=slot_values,
        returns="one number",
        mistakes=(
            Mistake(
                lambda count, total, vocabulary, alpha: alpha / (1 + alpha * vocabulary),
                "That is still the fallback of the code above. Its 1 stands where the tokens of the class belong.",
            ),
            Mistake(
                lambda count, total, vocabulary, alpha: (count + alpha) / (total + alpha * vocabulary),
                "Without unseen words this sums to one. Now add the place for them: it needs its alpha too.",
            ),
            Mistake(
                lambda count, total, vocabulary, alpha: (count + 1) / (total + vocabulary + 1),
                "Right for alpha = 1. Each place in the vocabulary gets alpha, not 1.",
            ),
            Mistake(
                lambda count, total, vocabulary, alpha: (count + alpha) / (total + alpha),
                "You gave alpha to this word only. Every known word and the place for the unseen ones gets it.",
            ),
            Mistake(
                lambda count, total, vocabulary, alpha: (count + alpha) / (total + vocabulary + 1),
                "alpha is in your numerator. Is it in your denominator, for each place of the vocabulary?",
            ),
            Mistake(
                lambda count, total, vocabulary, alpha: (count + alpha) / (total + alpha * vocabulary + 1),
                "The new place gets alpha like all the others, not 1.",
            ),
            Mistake(
                lambda count, total, vocabulary, alpha: (
                    (count + alpha) / (total + alpha * (vocabulary + (1 if count == 0 else 0)))
                ),
                "Now unseen words have their place, but seen ones are still divided as if it were not there. All of "
                "them share one denominator.",
            ),
        ),
        well_done="A word nobody saw now gets exactly what a known but unused word gets, and everything sums to one.",
        solution="def mended(count, total, vocabulary, alpha):\n"
        "    return (count + alpha) / (total + alpha * (vocabulary + 1))\n\n\nanswer = mended",
    ),
    Prediction(
        "02/thousand",
        context=FOURTEEN,
        question="Back to the overcast day. You turn alpha up to 1000, a thousand imaginary days for every value. "
        "Where does P(No | day) go? Draw the rest of the line.",
        truth=lambda: no_on_overcast(1000),
        drawn=Drawn(
            {f"{alpha}": partial(no_on_overcast, alpha) for alpha in (0, 1, 10, 100, 1000)},
            y="P(No | day)",
            x="alpha",
            given=2,
        ),
        reason=lambda p: (
            "Every likelihood is pulled to 1/K, the same for both classes, so they cancel. The prior is "
            f"not smoothed, so the posterior goes to it, here from above: {say(p)}."
        ),
    ),
    shrinkage,
    Prediction(
        "02/right-answers",
        question="Two ways to judge a model on the names kept aside: the log loss of its probabilities, and the share "
        "of names that get the right class. Which alpha gives the most right answers?",
        options={
            "the alpha with the least log loss: better probabilities, better decisions": lambda r: 0.8 <= r <= 1.25,
            "a larger alpha than that": lambda r: r > 1.25,
            "a smaller alpha than that": lambda r: r < 0.8,
        },
        truth=lambda: most_right() / given_names().best_alpha,
        reason=lambda r: (
            f"The share of right answers is largest at alpha = {say(most_right())}, the loss is least at "
            f"{say(given_names().best_alpha)}. A decision only asks which class is more probable. Why the loss "
            "wants more: section 6."
        ),
    ),
    Prediction(
        "02/malcolm",
        question="Hezekiah has three trigrams that no counted female name has, and one that no counted male name has. "
        "At alpha = 0 both classes are impossible, and our models fall back on the prior, a little under one half for "
        "male. Now take alpha = 0.001. What is P(male | Hezekiah)?",
        options={
            "about the same: a thousandth is almost 0": lambda p: 0.3 < p < 0.6,
            "a little larger, 0.6 to 0.95": lambda p: 0.6 <= p <= 0.95,
            "practically 1": lambda p: p > 0.95,
        },
        truth=lambda: male("Hezekiah", 0.001),
        reason=lambda p: (
            "Beside a count of n in the other class, a zero is worth a factor of about alpha / n. Female has three, "
            "beside counts of 1, 2 and 1; male has one, beside a count of 2. Three against one leave two: female keeps "
            f"about {1 - p:.7f}. The smaller alpha is, the surer."
        ),
    ),
    Exercise(
        "02/choose-alpha",
        help="Which of the two losses is about names that the model has not counted? Find where it is least.",
        task="Write choose_alpha(alphas, training_loss, held_out_loss): three arrays of the same length go in, the "
        "alpha you would use comes out.",
        expected=lambda alphas, training, held_out: alphas[np.argmin(held_out)],
        evaluate=curve_choice,
        returns="one number, an alpha",
        mistakes=(
            Mistake(
                lambda alphas, training, held_out: alphas[np.argmin(training)],
                "You let the training names choose. They were already counted, so they cannot see overfitting.",
            ),
            Mistake(
                lambda alphas, training, held_out: np.argmin(held_out),
                "You found the right place. Return the alpha that stands there, not its position.",
            ),
            Mistake(
                lambda alphas, training, held_out: alphas[np.argmax(held_out)],
                "A loss is bad. Look for the least of it.",
            ),
            Mistake(
                lambda alphas, training, held_out: alphas[np.argmin(held_out - training)],
                "The gap is least where the model has forgotten everything. Which loss is about new names?",
            ),
            Mistake(
                lambda alphas, training, held_out: np.min(held_out),
                "That is the loss you reach. Return the alpha that reaches it.",
            ),
        ),
        well_done="The names kept aside are a stand-in for names nobody has shown you yet.",
        solution="import numpy as np\n\n\ndef choose_alpha(alphas, training_loss, held_out_loss):\n"
        "    return alphas[np.argmin(held_out_loss)]\n\n\nanswer = choose_alpha",
    ),
    Prediction(
        "02/temperature",
        question="Besides alpha you may now choose a temperature: one number by which the log odds of every name are "
        "divided. Above 1 it pulls every probability towards 1/2, and no decision changes. Choose both by the log "
        "loss. What happens to the best alpha?",
        options={
            "it stays: smoothing is one thing, calming another": lambda r: 0.8 <= r <= 1.25,
            "it gets smaller": lambda r: r < 0.8,
            "it gets larger": lambda r: r > 1.25,
        },
        truth=calmed_over_alone,
        reason=lambda r: (
            f"Over twenty splits it falls from {two_jobs()[0][:, 0].mean():.1f} to {two_jobs()[1][:, 0].mean():.1f} on "
            f"average, {say(r)} of what it was. Most of the large alpha was there to calm a model that is too sure."
        ),
    ),
    Prediction(
        "02/shuffled",
        question="Now take the dependence away. Deal the trigrams of the names kept aside anew, among the names of the "
        "same class: every name keeps their number, but they no longer belong together, as naive Bayes assumes. Choose "
        "alpha alone, without a temperature. What is the best one now?",
        options={
            "as large as before: it is there for rare trigrams": lambda alpha: alpha > 1.2,
            "about what a temperature left of it": lambda alpha: 0.3 <= alpha <= 1.2,
            "next to nothing": lambda alpha: alpha < 0.3,
        },
        truth=lambda: float(two_jobs(shuffled=True)[0][:, 0].mean()),
        reason=lambda alpha: (
            f"On average {alpha:.1f}, beside {two_jobs()[1][:, 0].mean():.1f} with a temperature. Next to nothing is "
            "left to calm: each trigram is news of its own."
        ),
    ),
    Prediction(
        "02/slot-vote",
        question="A name has a trigram that no counted name had. You keep a place for it: count 0 in both classes, "
        "alpha = 1. More female names were counted than male ones. Which class does this trigram vote for?",
        options={
            "neither: its count is 0 in both": lambda vote: abs(vote) < 0.01,
            "female, the larger class": lambda vote: vote <= -0.01,
            "male, the smaller class": lambda vote: vote >= 0.01,
        },
        truth=slot_vote,
        reason=lambda vote: (
            "The place gets alpha / (N_c + alpha (K + 1)), and N_c is smaller for male names, so the same "
            f"nothing weighs more there: {say(vote)} in log odds for male."
        ),
    ),
    Prediction(
        "02/new-trigrams",
        question="Put the names kept aside out of sight. Can the counted names alone say which share of the trigrams "
        "of new male names nobody has counted?",
        options={
            "no: what was never counted left no trace in the counts": lambda r: r < 0.01,
            "only its order of magnitude": lambda r: 0.01 <= r < 0.75 or r > 1.25,
            "yes, to within a quarter or so": lambda r: 0.75 <= r <= 1.25,
        },
        truth=told_by_singles,
        reason=lambda r: (
            "Cover one counted trigram: if it was counted only once in all, nobody has seen it. The share of these is "
            f"{say(r)} times the share that the names kept aside then show."
        ),
    ),
    good_turing,
]
