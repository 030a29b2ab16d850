"""The ledger's entries for Williams (2024), sections 3 and 4.

A table's number came from 100 classifiers. So `ours` is the rate of 100,000, and its interval says where 95 of 100
runs of 100 classifiers end: that is what the paper's number should agree with. Where a sentence states no number, the
interval is that of our own estimate.
"""

from functools import lru_cache, partial

import numpy as np

from nbcore.one_hot import dirichlet_experiment, f_factor, posteriors_of_several, variance_inflation
from workbook.ledger.claim import Claim, Measured, together
from workbook.ledger.intervals import normal_interval, run_of_papers_size, true_ratio, true_share

from .experiment import (
    EQUAL,
    MANY,
    MODELS,
    PAPER,
    PAPER_CLASSIFIERS,
    RANDOM,
    compare_models,
    many_rates,
    share,
    two_class_ratios,
)

__all__ = ["CLAIMS", "table_measured"]

CHAPTER, DEEPER = "04_one_hot_experiments", "03b_worse_and_certain"


def table_measured(name, alpha, K, prior_alpha=1.0):
    """The converged rate and where 95 % of the runs of 100 classifiers fall."""
    rates = many_rates(K, alpha, prior_alpha)
    return run_of_papers_size(getattr(rates, name)[0], rates.error_of(name, PAPER_CLASSIFIERS), PAPER_CLASSIFIERS)


def of_pairs(found, n=None):
    """(rate, low, high) of n independent classifiers as `Measured`; those of `two_class_ratios`, if n is not given."""
    return Measured(*found, "estimate", n or len(two_class_ratios(1.0, 3)[0]))


@lru_cache(maxsize=3)
def four_classes(alpha, K):
    """MANY classifiers of the paper's kind."""
    return dirichlet_experiment(MANY, 4, K, alpha, rng=0)


def slope_at_zero(alpha=1.0, K=3):
    """Slope of the scatter where |log theta ratio| < 1/2."""
    x, y = two_class_ratios(alpha, K)
    near = abs(x) < 0.5
    return true_ratio(x * y * near, x * x * near)


def spread(alpha, K=3):
    """Mean |log theta ratio|."""
    x, _ = two_class_ratios(alpha, K)
    return true_ratio(abs(x), np.ones_like(x))


def above_slope_two():
    """Share of the points beyond the line of slope 2, alpha = 1/3, K = 3."""
    x, y = two_class_ratios(1 / 3, 3)
    return of_pairs(share(y / x > 2, abs(x) > 0))


def near_slopes(alpha, K):
    """Shares of the points with |log theta ratio| from 2 to 5 that lie within 5 % of slopes 1.2, 1.8, 2 and 2.2."""
    x, y = two_class_ratios(alpha, K)
    far = (abs(x) > 2) & (abs(x) < 5)  # the paper's line ends at 5
    return together(*(of_pairs(share(abs(y / x / slope - 1) < 0.05, far)) for slope in (1.2, 1.8, 2, 2.2)))


def excess(alpha, K):
    """Mean slope minus 1: sum of |y - x| over sum of |x|."""
    x, y = two_class_ratios(alpha, K)
    return true_ratio(abs(y - x), abs(x))


def right_of_the_line():
    """log rho = 1: the share of class c's wins that stay its wins under PoB."""
    x, y = two_class_ratios(1.0, 3)
    return of_pairs(share(y > 1, x > 1))


def between_line_and_zero():
    """log rho = -1: the share of the points between log rho and 0 that PoB pushes downwards."""
    x, y = two_class_ratios(1.0, 3)
    return of_pairs(share(y < x, (x > -1) & (x < 0)))


def disagreement_where_unsure():
    """Disagreement where the categorical maximum is below 1/2, and where it is above 3/4."""
    drawn = four_classes(1.0, 3)
    top = drawn.categorical.max(axis=1)
    return together(*(of_pairs(share(drawn.disagrees, where), MANY) for where in (top < 0.5, top > 0.75)), lowest=0)


def scatter_around_diagonal():
    """Mean |difference of the two maxima| for K = 3, 6, 10 at alpha = 1."""
    drawn = [four_classes(1.0, K) for K in (3, 6, 10)]
    gaps = [abs(e.bernoullis.max(axis=1) - e.categorical.max(axis=1)) for e in drawn]
    return together(*(true_ratio(gap, np.ones_like(gap)) for gap in gaps))


def sparser_minus_flat():
    """Disagreement at alpha = 1/K minus that at alpha = 1, for K = 3, 6, 10: where the true difference lies."""
    parts = []
    for K in (3, 6, 10):
        (sparse, error), (flat, other) = (many_rates(K, alpha).disagreement for alpha in (1 / K, 1.0))
        parts.append(Measured(*normal_interval(sparse - flat, np.hypot(error, other)), "estimate", MANY))
    return together(*parts)


def abstract_rates():
    """Same decision, then PoB more confident: the least of the six settings, pi from Dir(1)."""
    rates = [many_rates(K, alpha) for alpha, K in PAPER]
    least = 1 - max(r.disagreement[0] for r in rates), min(r.more_confident[0] for r in rates)
    return Measured(least, kind="sample", runs=MANY)


def fewer_with_values():
    """Disagreement at alpha = 1 for K = 3, 6, 10: where the true rates lie."""
    rates = (many_rates(K, 1.0).disagreement for K in (3, 6, 10))
    return together(*(Measured(*normal_interval(*rate), "estimate", MANY) for rate in rates), lowest=0)


def dir_alpha():
    """More confident with the prior drawn from Dir(alpha) as well, alpha = 1/K, for K = 3, 6, 10."""
    return together(*(table_measured("more_confident", 1 / K, K, 1 / K) for K in (3, 6, 10)))


def several(signs):
    """PoB's log odds minus the categorical ones after variables (1/2, 1/4, 1/4) against (1/4, 3/8, 3/8)."""
    pro = np.array([[0.5, 0.25, 0.25], [0.25, 0.375, 0.375]])
    thetas = [pro if sign > 0 else pro[::-1] for sign in signs]
    categorical, pob = posteriors_of_several(thetas, [0.5, 0.5], np.zeros((1, len(signs)), dtype=int))
    return float(np.log(pob[0, 0] / pob[0, 1]) - np.log(categorical[0, 0] / categorical[0, 1]))


def magnified():
    """Return the log odds in excess of 1, 2 and 4 variables of one direction, and of two that the bits make weaker."""
    weaker = np.array([[0.4, 0.6, 0], [0.35, 0.325, 0.325]])
    ratios = np.array([np.log(theta[0] / theta[1]) for theta in (weaker[:, 0], f_factor(weaker)[:, 0])])
    return Measured((*(several([1] * n) for n in (1, 2, 4)), float(2 * (ratios[1] - ratios[0]))))


def many_weak():
    """Other decisions of 1, 8 and 64 weak variables, of 1 and 8 strong ones, and of 8 weak ones with equal priors."""
    states = [(10.0, RANDOM, F) for F in (1, 8, 64)] + [(1.0, RANDOM, F) for F in (1, 8)] + [(10.0, EQUAL, 8)]
    shares = (compare_models(alpha, priors).at(F)[0] for alpha, priors, F in states)
    return together(*(true_share(share, MODELS) for share in shares))


def inflation():
    """The share of columns of one-hot blocks (K = 3, 4) with infinite variance inflation."""
    rng = np.random.default_rng(0)
    X = np.hstack([np.eye(K)[rng.integers(K, size=500)] for K in (3, 4)])
    return Measured(float(np.isinf(variance_inflation(X)).mean()))


SURER = "PoB's largest posterior is the higher one."
OTHERWISE = "the two classifiers choose different classes."
LUCK = (
    "One run of 100 classifiers, 2.2 standard errors high. The section prints twelve rates; if they were independent, "
    "one of twelve would lie so far off in 28 of 100 such papers."
)
EITHER = "It comes out with either prior: pi from Dir(1), as here, or from Dir(alpha)."
CHOSEN = "Here pi is from Dir(1), by which it comes out. With Dir(alpha), as “similarly” may mean, it lies {} sd high."
PRIOR = "prior of the four classes"  # the experiment: at alpha = 1/K the text leaves it open
QUOTES = (
    "The percentage of cases where the maximum probability under the PoB model is higher than for the exact "
    "(categorical) model",
    "cases where the exact and PoB classifiers disagreed over the MAP class",
)
DEPENDS = {  # on the prior: how far the printed number lies from ours with pi from Dir(alpha)
    ("more_confident", 3): "2.1",
    ("more_confident", 6): "5.5",
    ("more_confident", 10): "7.5",
    ("disagreement", 10): "2.8",
}


def _claim(id, place, quote, statement, ours, verdict="reproduced", note="", stated=None, rounding=0.0,
           reading="exact", family=1, experiment="", chapter=CHAPTER):  # fmt: skip
    return Claim(id=f"W24-{id}", place=place, quote=quote, statement=statement, stated=stated, ours=ours,
                 verdict=verdict, reading=reading, chapter=chapter, note=note, rounding=rounding,
                 family=family, experiment=experiment)  # fmt: skip


def _tables():
    """The twelve rates of section 3, in its order."""
    number = 0
    for name, column, words in (("more_confident", 0, SURER), ("disagreement", 1, OTHERWISE)):
        for (alpha, K), row in PAPER.items():
            number += 1
            statement = f"alpha = {1 if alpha == 1 else f'1/{K}'}, K = {K}: in this share of the cases {words}"
            about = dict(verdict="reproduced")
            if (name, alpha, K) == ("more_confident", 1.0, 3):
                about = dict(verdict="within luck", note=LUCK)
            elif alpha != 1 and (name, K) in DEPENDS:
                note = CHOSEN.format(DEPENDS[name, K])
                about = dict(verdict="matched by choice", reading="chosen", note=note, experiment=PRIOR)
            elif alpha != 1:
                about = dict(verdict="reproduced", reading="any", note=EITHER, experiment=PRIOR)
            ours, rounding = partial(table_measured, name, alpha, K), (0.0005, 0.00005)[column]
            yield _claim(f"S3-{number:02}", "section 3", QUOTES[column], statement, ours, stated=row[column],
                         rounding=rounding, family=12, **about)  # fmt: skip


_SENTENCES = [
    _claim(
        "A-01",
        "abstract",
        "the two classifiers are found to agree on the maximum a posteriori class label for most cases, although the "
        "posterior probabilities are usually greater for the PoB case",
        "In all six settings most decisions agree, and PoB is usually surer (ours: the least share of either).",
        abstract_rates,
        "shown by an example",
        EITHER,
        reading="any",
        experiment=PRIOR,
    ),
    _claim(
        "F2A-01",
        "Figure 2(a)",
        "is greater than 1, agreeing with the idea that, on average, the introduction of the",
        "The slope of the scatter around 0 is greater than 1.",
        slope_at_zero,
        "shown by an example",
    ),
    _claim(
        "F2B-01",
        "Figure 2(b)",
        "is reflected in the wider spread of points in Fig. 2(b) compared to panel (a)",
        "The log ratios spread wider at alpha = 1/3 than at alpha = 1 (ours: mean of both, in this order).",
        lambda: together(spread(1 / 3), spread(1.0)),
        "shown by an example",
    ),
    _claim(
        "F2B-02",
        "Figure 2(b), eq. (14)",
        "Another notable feature in Fig. 2(b) is the points lying on the line running from -5 to 5",
        "Points lie on the line of slope 2 (ours: share within 5 % of slope 1.2, 1.8, 2, 2.2; |log ratio| from 2 to "
        "5).",
        partial(near_slopes, 1 / 3, 3),
        "shown by an example",
        "In the range that the paper names, more than near any other slope tried, in windows of one width, too. But "
        "most points lie elsewhere, and beyond 5 more lie near slope 1.2, .24, than near 2, .08.",
        reading="fixed",
    ),
    _claim(
        "F2B-03",
        "Figure 2(b)",
        "This line is not a bound, as there are some points lying above it",
        "The line of slope 2 is not a bound (ours: share beyond it).",
        above_slope_two,
    ),
    _claim(
        "S3-13",
        "section 3",
        "show a greater tendency for points to lie closer to the diagonal than for",
        "K = 6 lies closer to the diagonal than K = 3 (ours: |y - x| over |x|, K = 6 then 3, alpha = 1 then 1/K).",
        lambda: together(*(excess(alpha, K) for alpha, K in ((1.0, 6), (1.0, 3), (1 / 6, 6), (1 / 3, 3)))),
        "shown by an example",
        reading="fixed",
    ),
    _claim(
        "S3-14",
        "section 3",
        "Interestingly there is no obvious alignment of points on the line of slope 2",
        "For K = 6, alpha = 1/K there is no obvious alignment on the line of slope 2 (ours: shares as in W24-F2B-02).",
        partial(near_slopes, 1 / 6, 6),
        "shown by an example",
        reading="fixed",
    ),
    _claim(
        "S3-15",
        "section 3, winning class",
        "Almost all of these points lie above the horizontal line",
        "log rho > 0: almost all of class c's wins stay its wins under PoB (ours: at log rho = 1, K = 3, alpha = 1).",
        right_of_the_line,
        "shown by an example",
        reading="fixed",
    ),
    _claim(
        "S3-16",
        "section 3, winning class",
        "tends to push them downwards",
        "log rho < 0: PoB tends to push the points between log rho and 0 downwards (ours: share, at log rho = -1).",
        between_line_and_zero,
        "shown by an example",
        reading="fixed",
    ),
    _claim(
        "F3-01",
        "section 3, Figure 3",
        "differences in MAP classification are more likely when the MAP value under the categorical model is low",
        "Other decisions are more likely where the categorical maximum is low (ours: below 1/2, and above 3/4).",
        disagreement_where_unsure,
        "shown by an example",
    ),
    _claim(
        "F3-02",
        "section 3, Figure 3",
        "The amount of scatter around the diagonal line decreases as",
        "The scatter around the diagonal of Figure 3 decreases as K increases (ours: mean gap for K = 3, 6, 10).",
        scatter_around_diagonal,
        "shown by an example",
        reading="fixed",
    ),
    _claim(
        "S3-17",
        "section 3",
        "we observe fewer disagreements between the categorical and PoB classifiers as",
        "Fewer decisions differ as K increases (ours: alpha = 1, K = 3, 6, 10).",
        fewer_with_values,
        "shown by an example",
        "True of the paper's hundred classifiers, and of a hundred thousand.",
    ),
    _claim(
        "S3-18",
        "section 3",
        "the fraction of disagreements is somewhat higher for the sparser",
        "More decisions differ at alpha = 1/K than at alpha = 1 (ours: the difference for K = 3, 6, 10).",
        sparser_minus_flat,
        "not stated well enough",
        "Is it meant of what “we observe”, or of all classifiers? Of the paper's own numbers it is true. Of 100,000 it "
        "is true for K = 6 and 10; for K = 3 it is the other way round, by .007. A hundred cannot tell: they show the "
        "paper's order for K = 3 in 40 of 100 such tables.",
        reading="any",
        experiment=PRIOR,
    ),
    _claim(
        "S3-19",
        "section 3",
        "and similarly for each π vector (of length C)",
        'The prior pi is drawn "similarly" to theta, alpha = 1/K (ours: pi from Dir(alpha), K = 3, 6, 10).',
        dir_alpha,
        "not stated well enough",
        "“Similarly” may mean alpha = 1/K again, as here, 1/C, or any. The paper's numbers, .780, .781 and .764, fit "
        "pi from Dir(1) at every alpha; with Dir(1/K) two of three are over 5 sd off, with Dir(1/C) over 4.",
        reading="fixed",
    ),
    _claim(
        "S4-01",
        "section 4",
        "If the evidence from each ratio is all in the same direction then this will magnify the effect, making the "
        "class probabilities more extreme",
        "Evidence of several variables in one direction is magnified (ours: log odds in excess, 1, 2 and 4 variables, "
        "then two with theta .4, .6, 0 against .35, .325, .325).",
        magnified,
        "not stated well enough",
        "On average, as section 2 has it, or always? The effects add up. But an effect that weakens adds up, too: of "
        "random pairs as in section 3 that agree, 3 to 5 % get less extreme at alpha = 1, 6 to 27 % at 1/K.",
        reading="fixed",
    ),
    _claim(
        "S4-02",
        "section 4",
        "if the evidence of the different ratios conflicts, the effects will tend to cancel out",
        "The effects of conflicting evidence tend to cancel (ours: log odds in excess, two for and two against).",
        lambda: Measured(several([1, -1, 1, -1])),
        "shown by an example",
        reading="fixed",
    ),
    _claim(
        "S4-03",
        "section 4",
        "if there are many features but the evidence provided by each feature is weak, we will be operating in a "
        "region towards the left-hand side of Fig. 3",
        "Many features of weak evidence each: other decisions are more likely, as on the left of Figure 3 "
        "(ours: 1, 8 and 64 weak variables, then 1 and 8 strong ones, then 8 weak ones with equal priors).",
        many_weak,
        "not stated well enough",
        "More than with as many strong variables. But many weak ones are strong together and leave the left-hand side, "
        "and with equal priors a third as many decisions change, though the bits are less sure.",
        reading="fixed",
    ),
    _claim(
        "FN3-01",
        "footnote 3",
        "It is possible to detect the linear dependence of one-hot encoded variables by linearly predicting each "
        "variable from the others",
        "Variance inflation gives one-hot columns away (ours: share of their columns with infinite inflation).",
        inflation,
        stated=1.0,
        chapter=DEEPER,
    ),
]
CLAIMS = (*_tables(), *_SENTENCES)
