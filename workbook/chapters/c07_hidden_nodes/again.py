"""The tasks of chapter 07 with other numbers."""

from __future__ import annotations

from fractions import Fraction

from workbook.questions.again import Again, Generators, plain

__all__ = ["AGAIN"]

AGAIN = Generators()


@AGAIN("07/without-f2", first=(2, 3, 5, 4), second=(1, 2, 3), mixed=(1, 2, 4))
def without_f2(first, second, mixed):
    n = first + second + mixed
    f1 = (2 * first + mixed) / (2 * n)
    return Again(
        f"A class has {n} documents of four tokens each: f1 f1 f1 f1 stands in {first}, f2 f2 f2 f2 in {second}, f1 f1 "
        f"f2 f2 in {mixed}. Draw a twin for each from the one profile of the class. How many of the {n} twins have no "
        "f2, on average?",
        n * f1**4,
        (first, f1**4, n * f1, n / 16, n * (1 - f1) ** 4),
        f"answer = {n} * ((4 * {first} + 2 * {mixed}) / (4 * {n})) ** 4",
        well_done=f"{first} are real: one profile does not know that words keep together.",
        hints={1: f"That is the chance of one document. {n} are drawn."},
    )


@AGAIN("07/responsibility", prior=(Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)),
       f1=((0.8, 0.4), (0.7, 0.2), (0.6, 0.3)), n=(3, 2, 4), m=(1, 2))  # fmt: skip
def responsibility(prior, f1, n, m):
    w, (a, b) = float(prior), f1

    def shared(first, second, w=w):
        return w * first / (w * first + (1 - w) * second)

    at = a**n * (1 - a) ** m, b**n * (1 - b) ** m
    right = shared(*at)
    by_words = (n * shared(a, b) + m * shared(1 - a, 1 - b)) / (n + m)
    return Again(
        f"Two nodes: P(h1|c) = {prior} and P(h2|c) = {1 - prior}. P(f1|h1,c) = {a} and P(f1|h2,c) = {b}; there is one "
        f"other word, f2. A document reads{' f1' * n}{' f2' * m}. What is the responsibility of h1?",
        right,
        (shared(*at, w=0.5), w * at[0], at[0], by_words, 1 - right, shared(a * (1 - a), b * (1 - b)), shared(a, b),
         shared(a, b, w=0.5), w, 0),
        f"h1 = {prior} * {a}**{n} * (1 - {a}) ** {m}\nh2 = (1 - {prior}) * {b}**{n} * (1 - {b}) ** {m}\n"
        "answer = h1 / (h1 + h2)",
        hints={0: "You left out P(h|c), or some of the tokens.",
               5: f"You took each word once. f1 stands there {n} times: {n} factors.",
               6: f"That is after one token f1. The document has {n + m} tokens, and each brings a factor.",
               7: f"That is one token, without P(h|c). There are {n + m} tokens, and the nodes are not equally common.",
               8: "That is P(h1|c), before anything was read. What do the tokens say?"},
    )  # fmt: skip


@AGAIN("07/equal-start-profile", one=((3, 1), (2, 4), (5, 1), (1, 3)), two=((1, 7), (6, 2), (2, 9), (8, 4)))
def equal_start_profile(one, two):
    (a, b), (c, d) = one, two
    return Again(
        f"A class of two documents: the first has tokens f1 and f2 {a} and {b} times, the second {c} and {d} times. "
        "Four nodes start exactly alike. What is P(f1|h1,c) after ten steps of soft EM, without smoothing?",
        (a + c) / (a + b + c + d),
        ((a / (a + b) + c / (c + d)) / 2, a / (a + b), c / (c + d), 0.5),
        f"answer = ({a} + {c}) / ({a} + {b} + {c} + {d})",
    )


@AGAIN("07/document-weights", documents=(
    ((6, 0), (1, 1), (3, 21)), ((4, 1), (3, 3), (2, 18)), ((5, 1), (2, 4), (1, 15)),
    ((7, 2), (1, 2), (4, 20)), ((9, 1), (1, 3), (4, 30)), ((8, 2), (1, 4), (3, 17)), ((5, 0), (2, 2), (6, 20)),
    ((10, 2), (2, 3), (5, 40))))  # fmt: skip
def document_weights(documents):
    (a, b), (c, d), (e, f) = documents
    first, second, tokens = (a + c) / (a + b + c + d), e / (e + f), a + b + c + d + e + f
    right = 2 / 3 * first + 1 / 3 * second
    return Again(
        f"Hard EM gave two documents to h1, {documents[0]} and {documents[1]}, and one to h2, {documents[2]}: tokens "
        "of f1 and f2. P(h|c) counts documents, nothing is smoothed. Which P(f1|c) does product of sums use?",
        right,
        ((a + c + e) / tokens, (a / (a + b) + c / (c + d) + second) / 3, (first + second) / 2, first, second,
         2 / 3 * first),
        f"answer = 2 / 3 * ({a} + {c}) / ({a} + {b} + {c} + {d}) + 1 / 3 * {e} / ({e} + {f})",
        well_done=f"Naive Bayes says {a + c + e} of {tokens}. One long document counts {e + f} tokens there, and only "
        "one document here.",
        hints={1: f"You averaged over documents. Within a node tokens are pooled: the M-step counts {a + c} of "
                  f"{a + b + c + d} at h1."},
    )  # fmt: skip


@AGAIN("07/restored-alpha", K=(3, 4, 6), H=(5, 2, 7), alpha=(0.3, 0.5, 0.2))
def restored_alpha(K, H, alpha):
    return Again(
        f"A vocabulary of K = {K} words, H = {H} nodes, P(f|h,c) smoothed with alpha = {plain(alpha)}, and P(h|c) "
        "smoothed so that the theorem holds again. Which alpha must naive Bayes use to give the same P(f|c)?",
        H * alpha,
        (alpha, alpha / H, alpha * K, alpha * H * K),
        f"answer = {H} * {alpha}",
    )
