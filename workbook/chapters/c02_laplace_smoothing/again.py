"""The tasks of chapter 02 with other numbers."""

from __future__ import annotations

from workbook.questions.again import Again, Generators, plain

__all__ = ["AGAIN"]

AGAIN = Generators()


@AGAIN("02/laplace", count=(0, 1, 2), total=(4, 6, 9, 11), K=(3, 4, 5))
def laplace(count, total, K):
    return Again(
        f"A class has {total} days, and the value “cool” was seen on {count} of them. The feature has K = {K} values. "
        "With Laplace smoothing, alpha = 1, what is P(Cool | class)?",
        (count + 1) / (total + K),
        (count / total, (count + 1) / total, (count + 1) / (total + 1), None, (count + 1) / (total + 2), None,
         (count + 2) / (total + K), None),
        f"from fractions import Fraction\n\ncount, total, alpha, K = {count}, {total}, 1, {K}\n"
        "answer = Fraction(count + alpha, total + alpha * K)",
        well_done="Each value got one imaginary day, so the total grew by as many, and the sum is still one.",
        hints={1: "The numerator may be right. Did the total grow as well?",
               2: "You added one imaginary day in all. Every value gets one: how many are there?",
               4: "Your total grew by two. Every value gets an imaginary day: how many are there?",
               6: "The total is right. What is the count of cool days, before alpha is added to it once?"},
    )  # fmt: skip


@AGAIN("02/lidstone", alpha=(0.5, 0.25, 2, 0.1), K=(6, 8, 10), times=(3, 2, 4))
def lidstone(alpha, K, times):
    def joint(count, total, alpha=alpha, times=times, K=K, below=1):
        """Of Chinese, count of total tokens, so many times; then Tokyo and Japan: 0 in China, 1 in the other class."""
        other, all_ = int(total == 3), total + alpha * K * below
        return ((count + alpha) / all_) ** times * ((other + alpha) / all_) ** 2

    def china(**slip):
        ours, theirs = joint(5, 8, **slip), joint(1, 3, **slip)
        return ours / (ours + theirs)

    def own_words():
        """The slip of a vocabulary of its own for each class: four words in China, three in the other."""
        ours, theirs = joint(5, 8, K=4), joint(1, 3, K=3)
        return ours / (ours + theirs)

    return Again(
        f"Class China has 8 tokens: Chinese five times, Tokyo and Japan never. Class not China has 3: Chinese, Tokyo "
        f"and Japan. The vocabulary has {K} words. A document says Chinese {times} times, Tokyo and Japan once each. "
        f"Lidstone with alpha = {alpha:g}, both classes equally frequent: what is P(China | document) in the "
        "multinomial model? Give a fraction or three significant digits.",
        china(),
        (china(alpha=1), None, china(times=1), china(K=1), china(below=0), joint(5, 8), joint(5, 8) / 2, 1 - china(),
         None, None, china() / (1 - china()), own_words()),
        f"alpha, K, n = {alpha}, {K}, {times}\n"
        "china = ((5 + alpha) / (8 + alpha * K)) ** n * (alpha / (8 + alpha * K)) ** 2\n"
        "other = ((1 + alpha) / (3 + alpha * K)) ** n * ((1 + alpha) / (3 + alpha * K)) ** 2\n"
        "answer = china / (china + other)",
        well_done="The priors are equal, so the words decide, and alpha says how much an unseen one weighs.",
        hints={0: f"That is the answer for alpha = 1. Put {alpha:g} into numerator and denominator.",
               2: f"You counted each word once. The multinomial model counts tokens: Chinese stands there {times} "
                  "times.",
               3: f"Your denominators grew by alpha. There are {K} words, and each of them got alpha.",
               4: f"alpha is in your numerators. Is it in your denominators, once for each of the {K} words?",
               11: f"You gave each class its own words only. There is one vocabulary, of {K} words."},
    )  # fmt: skip


@AGAIN("02/shrinkage", N=(50, 20, 30, 90), K=(400, 250, 150), alpha=(1, 2, 0.5))
def shrinkage(N, K, alpha):
    return Again(
        f"A class has N = {N} tokens, the vocabulary K = {K} words, and alpha = {plain(alpha)}. The smoothed estimate "
        "is s · n/N + (1 − s) · 1/K. Which weight s do the data keep? Give a fraction or three significant digits.",
        N / (N + alpha * K),
        (alpha * K / (N + alpha * K), N / (N + alpha), N / (alpha * K)),
        f"N, K, alpha = {N}, {K}, {alpha}\nanswer = N / (N + alpha * K)",
        well_done=f"“Add {plain(alpha)}” sounds harmless. Here it is {alpha * K / N:.3g} imaginary tokens for every "
        "real one.",
    )


@AGAIN("02/new-word", N=(8, 12, 20, 15), once=(3, 2, 5), words=(4, 5, 6, 8), K=(6, 7, 9, 11), other=(3, 5, 8))
def new_word(N, once, words, K, other):
    if not (once < words <= K <= words + other and words <= N):
        return None
    return Again(
        f"The documents of a class hold {N} tokens: {words} different words, of which {once} stand once in all "
        f"documents together. The other class has {other} tokens, and the vocabulary of both {K} words. By "
        "Good-Turing, how often will the next token of the class be a word that nobody has seen? Give a fraction or "
        "three significant digits.",
        once / N,
        (1 / (N + K + 1), 1 / (N + K), once / K, once / words, 1 / N, once / (N + other), None, None, None),
        f"from fractions import Fraction\n\nanswer = Fraction({once}, {N})",
        well_done="Cover a word that stands once, and nobody has seen it: the counts say how little was seen.",
        help="Cover each token of the class in turn. How many of them would leave the vocabulary?",
        hints={1: "That is an unseen word with Laplace smoothing. Good-Turing adds nothing: it counts words that came "
                  "once.",
               2: "Words or tokens? Below the bar stand all tokens of the class.",
               4: "You covered one word. Cover each of the tokens in turn: how many of them would be new?",
               5: "Your numerator is of the class, your denominator of both."},
    )  # fmt: skip
