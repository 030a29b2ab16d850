"""Chapter 02."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import log_loss
from sklearn.model_selection import LeaveOneOut, cross_val_predict, train_test_split
from sklearn.naive_bayes import CategoricalNB as PeerCategorical
from sklearn.naive_bayes import MultinomialNB as Peer

from nbcore.datasets import load_iir_documents, load_names, load_play_tennis, name_ngrams
from workbook.chapters.c02_laplace_smoothing.claims import CLAIMS
from workbook.chapters.c02_laplace_smoothing.experiment import ALPHAS, document, given_names, tennis
from workbook.chapters.c02_laplace_smoothing.smoothing import DAY, DOCUMENT, NAME
from workbook.explorers import PseudoCountExplorer, SmoothingExplorer
from workbook.page.formula import spoken

# --- Each statement of the answer on Laplacian correction: our number bears out the verdict that the ledger gives.


def measured(words):
    (claim,) = [claim for claim in CLAIMS if words in claim.statement]
    return claim.measure()


def test_zero_and_smoothed():
    """IIR, example 13.1."""
    china = Fraction(3, 4) * Fraction(3, 7) ** 3 * Fraction(1, 14) ** 2
    other = Fraction(1, 4) * Fraction(2, 9) ** 5
    assert measured("posterior zero").value == pytest.approx((0, float(china / (china + other))), rel=1e-12)


def test_nine_tokens_and_seven_words():
    assert measured("frequent to infrequent").value == pytest.approx((2 / 9, 3 / 16, 1 / 9, 2 / 16), rel=1e-12)


def source_code(tokens, vocabulary):
    """The source's second example for one class: its table and its fallback, in its own words."""
    total = len(tokens)
    table = {word: (tokens.count(word) + 1) / (total + len(vocabulary)) for word in vocabulary}
    return table, 1 / (sum(table.values()) + len(vocabulary))


def test_both_slips_by_the_sources_own_code():
    documents = [["the", "cat", "sat"], ["the", "dog", "ran"], ["a", "cat", "purrs"]]
    tokens = [word for document in documents for word in document]
    table, unseen = source_code(tokens, set(tokens))
    assert measured("less than words observed").value == pytest.approx((unseen, table["sat"]), rel=1e-12)
    assert unseen == pytest.approx(table["sat"]), "not less"
    assert measured("gets what a known word").value == pytest.approx(unseen, rel=1e-12)
    table, unseen = source_code(tokens, {*tokens, "known"})
    assert unseen > table["known"]


# --- The numbers in chapter 02's explorers are nbcore's and scikit-learn's, and the figures show them.


@pytest.fixture
def explorer():
    return SmoothingExplorer()


def result(explorer, **state):
    return explorer.compute(**explorer.state | state)


def test_the_tennis_day_to_the_fraction(explorer):
    """Counts of the 14 days by hand: No 5 (overcast 0, hot 2, normal 1, weak 2), Yes 9 (4, 2, 6, 6)."""
    counts, sizes, totals = [(0, 2, 1, 2), (4, 2, 6, 6)], (3, 3, 2, 2), (5, 9)
    for alpha in (0, 1, 1000):
        r = result(explorer, data=DAY, alpha=alpha)
        exact = [
            [Fraction(n + alpha, totals[c] + alpha * k) for n, k in zip(counts[c], sizes, strict=True)] for c in (0, 1)
        ]
        assert np.allclose(r.likelihoods, np.array(exact, dtype=float), atol=0, rtol=1e-12)
        joint = [Fraction(totals[c], 14) * np.prod(exact[c]) for c in (0, 1)]
        assert r.posterior[0] == pytest.approx(float(joint[0] / sum(joint)), abs=1e-12)
    assert result(explorer, data=DAY, alpha=0).posterior[0] == 0


def test_document_5_of_iir(explorer):
    """3/4 (3/7)^3 (1/14)^2 against 1/4 (2/9)^3 (2/9)^2: IIR, example 13.1."""
    r = result(explorer, data=DOCUMENT, alpha=1)
    china = Fraction(3, 4) * Fraction(3, 7) ** 3 * Fraction(1, 14) ** 2
    other = Fraction(1, 4) * Fraction(2, 9) ** 5
    assert r.posterior[1] == pytest.approx(float(china / (china + other)), rel=1e-12)
    assert dict(zip(r.features, r.item.times, strict=True)) == {"Chinese": 3, "Japan": 1, "Tokyo": 1}
    assert r.prior_log_odds + r.log_odds.sum() == pytest.approx(np.log(float(china / other)))


def test_names_agree_with_scikit_learn(explorer):
    names = load_names()
    case, step = given_names(), ALPHAS.index(1.0)
    train, test, y_train, y_test = train_test_split(names.data, names.target, test_size=0.2, random_state=0)
    X, vocabulary = name_ngrams(train, 3, min_n=3)
    peer = Peer(alpha=1).fit(X, y_train)
    assert case.losses[step, 1] == pytest.approx(
        log_loss(y_test, peer.predict_proba(name_ngrams(test, 3, vocabulary, 3)[0]))
    )
    assert case.losses[step, 0] == pytest.approx(log_loss(y_train, peer.predict_proba(X)))
    assert np.allclose(
        result(explorer, alpha=1.0).posterior, peer.predict_proba(name_ngrams(["Gloria"], 3, vocabulary, 3)[0])[0]
    )


def test_gloria_was_held_out_and_is_impossible_without_smoothing(explorer):
    r = result(explorer, alpha=0)
    assert list(r.posterior) == [0, 1]
    assert r.features == ["Glo", "lor", "ori", "ria", "ia¶"], "in the order of the name"
    assert "female is impossible" in explorer.describe(r)
    assert result(explorer, alpha=1).posterior[0] > 0.99


def test_leave_one_out_of_the_tennis_days_agrees_with_scikit_learn():
    days = load_play_tennis()
    peer = PeerCategorical(alpha=1.0, min_categories=[3, 3, 2, 2])
    proba = cross_val_predict(peer, days.data, days.target, cv=LeaveOneOut(), method="predict_proba")
    assert tennis().losses[ALPHAS.index(1.0), 1] == pytest.approx(log_loss(days.target, proba))


@pytest.mark.parametrize("case", [tennis, document, given_names])
def test_without_smoothing_the_held_out_loss_is_infinite(case):
    losses = case().losses
    assert np.isposinf(losses[0, 1])
    assert np.isfinite(losses[1:]).all()
    assert case().best_alpha == ALPHAS[np.nanargmin(np.where(np.isinf(losses[:, 1]), np.nan, losses[:, 1]))]


def test_the_best_alpha_lies_inside_the_slider():
    assert 0.1 < given_names().best_alpha < 100


def test_a_name_both_classes_forbid_keeps_the_prior(explorer):
    r = result(explorer, alpha=0, name="Malcolm")
    assert r.impossible
    share = np.mean([load_names().target == 1])
    assert r.posterior[1] == pytest.approx(share, abs=0.01)
    assert "only the prior is left" in explorer.describe(r)


def test_unseen_trigrams_are_counted_and_dropped(explorer):
    r = result(explorer, name="Xqzwk")
    assert r.item.unseen == 4
    assert not r.features
    assert np.allclose(r.log_odds.sum(), 0)
    assert "4 of its features never seen" in explorer.describe(r)


def test_the_waterfall_adds_up(explorer):
    for name in ("Gloria", "Christopher-Alexander"):
        r = result(explorer, name=name)
        total = r.prior_log_odds + r.log_odds.sum() + r.rest.sum()
        assert total == pytest.approx(np.log(r.posterior[1] / r.posterior[0]))


def test_the_figure_shows_the_numbers(explorer):
    r = result(explorer, data=DAY, alpha=1)
    bars = [trace for trace in explorer.draw(r).data if trace.type == "bar"]
    assert np.array_equal([bars[0].y, bars[2].y], r.likelihoods)
    assert np.array_equal([bars[1].y, bars[3].y], r.raw_likelihoods)
    waterfall = bars[6]
    assert waterfall.y[-1] == pytest.approx(np.log(r.posterior[1] / r.posterior[0]))
    assert waterfall.base[-2] + waterfall.y[-2] == pytest.approx(waterfall.y[-1])
    assert np.array_equal(bars[4].x, r.posterior)


def test_the_best_preset_is_computed(explorer):
    explorer.preset("Best on held-out names")
    assert explorer.state["alpha"] == given_names().best_alpha
    assert explorer.state["data"] == NAME


@pytest.mark.parametrize(
    ("n", "others", "K", "alpha"), [(0, 8, 6, 1.0), (5, 3, 6, 0.5), (40, 160, 50, 100), (0, 0, 2, 2.0)]
)
def test_the_pseudo_count_formula_is_the_posterior_mean(n, others, K, alpha):
    """By a fine sum of prior times likelihood, without the Beta posterior."""
    r = PseudoCountExplorer().compute(alpha=alpha, n=n, others=others, K=K)
    assert r.mean == pytest.approx((n + alpha) / (n + others + alpha * K), rel=1e-12)
    p = (np.arange(400_000) + 0.5) / 400_000
    log_weight = (alpha - 1 + n) * np.log(p) + (alpha * (K - 1) - 1 + others) * np.log1p(-p)
    weight = np.exp(log_weight - log_weight.max())
    assert r.mean == pytest.approx((p * weight).sum() / weight.sum(), rel=1e-4)


def test_the_mean_is_a_weighted_average():
    r = PseudoCountExplorer().compute(alpha=2.0, n=5, others=3, K=6)
    assert r.mean == pytest.approx(r.weight * 5 / 8 + (1 - r.weight) / 6)


def test_many_dirichlet_draws_have_the_marginal_of_the_panel():
    """Simulation: one coordinate of a Dirichlet posterior."""
    r = PseudoCountExplorer().compute(alpha=1.0, n=3, others=5, K=4)
    draws = np.random.default_rng(0).dirichlet([4.0, 6.0, 1.0, 1.0], 200_000)[:, 0]
    assert r.mean == pytest.approx(draws.mean(), abs=4 * draws.std() / np.sqrt(len(draws)))
    assert r.interval == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=3e-3)


def test_iir_counts_in_the_default_state():
    """Tokyo in class China: 0 of 8 tokens, 6 words, mean 1/14."""
    docs, r = load_iir_documents(), PseudoCountExplorer().compute(**PseudoCountExplorer().state)
    assert docs.data[docs.target == 1].sum() == r.N
    assert len(docs.feature_names) == r.K
    assert r.mean == pytest.approx(1 / 14)


# --- The equations, by a calculator that reads nothing but the line.


@pytest.mark.parametrize(
    "state",
    [
        {},
        dict(alpha=0.01, n=0, others=160, K=50),
        dict(alpha=100, n=40, others=160, K=2),
        dict(n=0, others=0, K=7),
        dict(alpha=0.0126, n=5, others=0, K=2),
    ],
)
def test_the_printed_quotient_is_the_printed_mean(state):
    explorer = PseudoCountExplorer(**state)
    r = explorer.compute(**explorer.state)
    quotient, mean = spoken(explorer.explain(r)).split(" = ")
    assert float(mean) == pytest.approx(eval(quotient.replace("·", "*")), rel=0.005)
    n, others, alpha, K = (explorer.state[name] for name in ("n", "others", "alpha", "K"))
    exact = (n + Fraction(str(alpha))) / (n + others + Fraction(str(alpha)) * K)
    assert float(mean) == pytest.approx(float(exact), rel=0.005)


def test_the_grips_stand_where_the_lines_do():
    explorer = PseudoCountExplorer(n=5, others=15, K=10, alpha=2.0)
    figure = explorer.draw(explorer.compute(**explorer.state))
    lines = {trace.name: trace.x[0] for trace in figure.data}
    K, n, alpha = figure.layout.meta["handles"]
    assert (K["x"], n["x"]) == (lines["1 / K"], lines["n / N"]) == (0.1, 0.25)
    assert (alpha["x"], alpha["y"]) == pytest.approx((2.0, 7 / 40))
    alone = explorer.set(others=0)
    grips = alone.draw(alone.compute(**alone.state)).layout.meta["handles"]
    assert [grip["controls"] for grip in grips] == [["K"], ["alpha"]], "n / N is 1 whatever n is"


def count_by_hand(data, feature, name):
    """How often a feature stands in a class, of how many, and how many others there could be: from the raw data."""
    if data == DAY:
        days = load_play_tennis()
        f = [str(names[code]) for names, code in zip(days.categories, days.sample[0], strict=True)].index(feature)
        own = days.data[np.array(days.target_names)[days.target] == name]
        return (own[:, f] == days.sample[0, f]).sum(), len(own), len(days.categories[f])
    if data == DOCUMENT:
        docs = load_iir_documents()
        words = [word for words, c in zip(docs.tokens, docs.target, strict=True) for word in words
                 if docs.target_names[c] == name]  # fmt: skip
        return words.count(feature), len(words), len(docs.feature_names)
    names = load_names()
    train, _, y, _ = train_test_split(names.data, names.target, test_size=0.2, random_state=0)
    texts = [entry + "¶" for entry in train]
    trigrams = [[text[i : i + 3] for i in range(len(text) - 2)] for text in texts]
    own = [t for row, c in zip(trigrams, y, strict=True) if names.target_names[c] == name for t in row]
    return own.count(feature), len(own), len({t for row in trigrams for t in row})


@pytest.mark.parametrize(
    "state",
    [
        {},
        dict(alpha=0),
        dict(data=DAY, alpha=0),
        dict(data=DAY, alpha=1000),
        dict(data=DOCUMENT, alpha=0.501),
        dict(data=NAME, alpha=0.001, name="Anna"),
        dict(data=NAME, alpha=0, name="Malcolm"),
    ],
)
def test_the_printed_quotient_is_the_printed_likelihood(explorer, state):
    r = result(explorer, **state)
    parts = explorer.explain(r)
    quotient, likelihood = spoken(parts).replace(",", "").split(" = ")
    assert float(likelihood) == pytest.approx(eval(quotient.replace("·", "*")), rel=0.005, abs=0)
    feature, name = parts[-1].symbol.removeprefix("P(").removesuffix(")").split(" | ")
    count, total, size = count_by_hand(state.get("data", NAME), feature, name)
    alpha = state.get("alpha", 1.0)
    assert quotient == f"({count} + {alpha:g}) / ({total} + {alpha:g} · {size})"
    c, f = r.case.classes.index(name), r.features.index(feature)
    (bars,) = [trace for trace in explorer.draw(r).data if parts[-1].mark in (trace.ids or ())]
    assert bars.y[bars.ids.index(parts[-1].mark)] == r.likelihoods[c, f] == pytest.approx(float(likelihood), rel=0.005)
    assert count == min(count_by_hand(state.get("data", NAME), g, name)[0] for g in r.features), "the rarest"


def test_a_name_of_unseen_trigrams_is_left_with_the_prior(explorer):
    for alpha in (0, 1, 1000):
        r = result(explorer, name="Xqzwk", alpha=alpha)
        posterior, prior = spoken(explorer.explain(r)).split(" = ")
        names = load_names()
        _, _, y, _ = train_test_split(names.data, names.target, test_size=0.2, random_state=0)
        assert posterior == prior == f"{np.mean(y == 0):.3f}"


def test_alpha_is_dragged_along_its_losses_and_zero_has_a_place(explorer):
    for alpha in (0, 1.0, 1000.0):
        figure = explorer.draw(result(explorer, alpha=alpha))
        (grip,) = figure.layout.meta["handles"]
        assert len(set(grip["places"])) == len(ALPHAS) == len(explorer.declared["alpha"].values)
        assert grip["x"] == (alpha or pytest.approx(ALPHAS[1] / 3))
        losses = next(trace for trace in figure.data if trace.name == "held out")
        assert list(losses.x) == list(grip["places"])
        assert list(losses.customdata) == list(ALPHAS), "told as it is, wherever it stands"


def test_an_infinite_step_is_told_as_infinite(explorer):
    bars = explorer.draw(result(explorer, data=DAY, alpha=0)).data[6]
    assert bars.customdata[1] == "Overcast: log odds +∞"
    assert bars.customdata[-1] == "sum: log odds +∞"
    bars = explorer.draw(result(explorer, name="Malcolm", alpha=0)).data[6]
    assert bars.customdata[-1] == "sum: log odds undefined, ∞ − ∞"
