"""Claims keep what they are given and compute only when asked; and every claim of the book is well formed."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from workbook.book import find, ledger
from workbook.ledger import claim as cl
from workbook.ledger import measured, stored_numbers
from workbook.ledger.intervals import further_run, true_share

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def make(**changes):
    good = dict(
        id="W24-S3-01",
        place="section 3",
        quote="the maximum probability under the PoB model is usually higher",
        statement="PoB is the more confident one.",
        stated=0.82,
        ours=lambda: cl.Measured(0.764, 0.714, 0.814, "paper's run", 100),
        verdict="within luck",
        reading="exact",
        chapter="04_one_hot_experiments",
        note="A draw 2.2 standard deviations off.",
        rounding=0.0005,
        family=12,
    )
    return cl.Claim(**{**good, **changes})


def test_a_claim_keeps_its_fields_and_computes_only_when_asked():
    calls = []
    claim = make(stated=(1, np.float64(0.5)), ours=lambda: calls.append(1) or cl.Measured(1))
    assert calls == []
    assert claim.measure() == cl.Measured(1.0)
    assert calls == [1]
    assert make(ours=None).measure() is None
    assert claim.stated == (1.0, 0.5)
    assert claim.source == "Williams (2024)"
    assert claim.name == "Williams (2024) | section 3 | PoB is the more confident one."
    assert claim.words == "“the maximum probability under the PoB model is usually higher”"
    assert make(quote=cl.CELL).words == cl.CELL
    with pytest.raises(AttributeError):
        claim.verdict = "reproduced"


def test_what_numpy_measured_becomes_plain_numbers():
    m = cl.Measured(np.array([1, 2]), [0, 1], (2, np.float64(3)))
    assert (m.value, m.low, m.high) == ((1.0, 2.0), (0.0, 1.0), (2.0, 3.0))
    assert {type(number) for number in (*m.value, cl.Measured(np.float64(1)).value)} == {float}
    assert cl.together(cl.Measured(1), cl.Measured(3)) == cl.Measured((1, 3))


def test_several_numbers_get_an_interval_that_holds_them_all():
    """Bonferroni: of ten thousand sound pairs of means of five draws, 95 % or a little more lie inside."""
    rng = np.random.default_rng(0)
    draws = rng.standard_normal((10_000, 2, 6))
    both = []
    for pair in draws[:2000]:
        whole = cl.together(*(further_run(one[:5]) for one in pair))
        assert (whole.numbers, whole.kind, whole.runs) == (2, "run", 5)
        both.append(whole.agrees(tuple(pair[:, 5])))
    assert 0.94 < np.mean(both) < 0.975
    at_once = further_run(draws[0, :, :5].T)
    np.testing.assert_allclose(at_once.low, cl.together(*(further_run(one[:5]) for one in draws[0])).low)


def test_widened_by_the_quantiles_of_scipy():
    run = further_run([0.1, 0.2, 0.4, 0.5])
    wide = run.widen(12)
    ratio = stats.t.ppf(1 - 0.025 / 12, 3) / stats.t.ppf(0.975, 3)
    assert wide.high - wide.value == pytest.approx(ratio * (run.high - run.value))
    normal = cl.Measured(0.5, 0.4, 0.6, "paper's run", 100).widen(12)
    assert normal.high - 0.5 == pytest.approx(0.1 * stats.norm.ppf(1 - 0.025 / 12) / stats.norm.ppf(0.975))
    share = true_share(0.99, 50).widen(3)
    by_scipy = stats.binomtest(99, 100).proportion_ci(1 - 0.05 / 3, "wilson")
    assert true_share(0.99, 100).widen(3).low == pytest.approx(by_scipy.low)
    assert 0 <= share.low < 0.99 < share.high <= 1
    assert cl.Measured(1.0).widen(5) == cl.Measured(1.0)
    with pytest.raises(ValueError, match="kind"):
        cl.Measured(0.5, 0.4, 0.6, "sample").widen(2)


def test_a_family_is_wider_than_its_claim():
    claim, m = make(), make().measure()
    assert not m.agrees(claim.stated, claim.rounding)
    assert m.agrees(claim.stated, claim.rounding, family=12)
    assert m.agrees(m.widen(12).high, family=12)
    assert not m.agrees(m.widen(12).high + 0.001, family=12)
    assert m.interval == "where a run of the paper's size ends, normal"
    assert m.widen(12).interval.endswith("for 12 numbers together")


def test_agreement_with_an_interval_with_a_rounded_number_and_with_an_exact_one():
    assert cl.Measured(0.5, 0.4, 0.6).agrees(0.6)
    assert not cl.Measured(0.5, 0.4, 0.6).agrees(0.61)
    assert cl.Measured(0.5, 0.4, 0.6).agrees(0.61, rounding=0.01)
    assert cl.Measured(2 / 3).agrees(0.667, rounding=0.0005)
    assert not cl.Measured(2 / 3).agrees(0.668, rounding=0.0005)
    assert cl.Measured((1, 2), (0, 2), (3, 2)).agrees((3, 2))
    assert not cl.Measured((1, 2), (0, 2), (3, 2)).agrees((3, 2.1))
    assert cl.Measured(6.0).is_exact
    assert not cl.Measured(6.0, 5, 7).is_exact
    with pytest.raises(ValueError, match=r"stated must be of the form of value, \(1.0, 3.0\); got 1"):
        cl.Measured((1, 3)).agrees(1)


# --- the claims of the book ----------------------------------------------------------------------------------------

SAY_WHY = set(cl.VERDICTS) - {"reproduced", "shown by an example"}
NUMBERED = "matched by choice", "within luck", "differs"  # verdicts on a printed number
# Words that ask for one case: then a single one, drawn at random, is a proof.
ONCE = r"\b(can|may|possible|some|depends)\b"


def faults(claim, m):
    """What is wrong with a claim that was measured as m."""
    if not re.fullmatch(rf"({'|'.join(cl.CODES)})-[A-Z0-9]+-\d\d", claim.id) or claim.verdict not in cl.VERDICTS:
        yield "id or verdict unknown"
    if claim.reading not in cl.READINGS:
        yield "no such reading"
    if not claim.place.strip() or not claim.statement.strip():
        yield "no place or no statement"
    if claim.quote not in (cl.CELL, cl.EQUATION, cl.FIGURE) and not 1 <= len(claim.quote.split()) <= 30:
        yield "nothing quoted, or too much"
    if claim.verdict in SAY_WHY and not claim.note.strip():
        yield "no reason"
    if not (NOTEBOOKS / f"{claim.chapter}.ipynb").is_file():
        yield "no such chapter"
    if m is None and claim.verdict not in ("false", "not stated well enough", "not testable here"):
        yield "nothing was measured"
    if claim.verdict in NUMBERED and claim.stated is None:
        yield "no number"
    if claim.verdict == "shown by an example" and claim.stated is not None:
        yield "an example does not reproduce a number"
    sampled = m is not None and m.kind != "" and claim.stated is None
    if claim.verdict == "reproduced" and sampled and not re.search(ONCE, claim.quote):
        yield "a sentence that was only sampled"
    if m and m.kind == "sample" and claim.stated is not None:
        yield "nothing to compare a number with"
    if (claim.verdict == "matched by choice") > (claim.reading == "chosen") or (
        claim.reading == "chosen" and claim.verdict == "reproduced"
    ):
        yield "chosen to match, or not"
    if not (np.isfinite(claim.rounding) and claim.rounding >= 0 and claim.family >= 1):
        yield "rounding or family"
    if (claim.reading in cl.TUNED) > bool(claim.experiment):
        yield "tuned in which experiment"
    if m and m.is_exact != (m.kind in cl.UNBOUNDED):
        yield "an interval without a kind"
    numbers = [part for part in (claim.stated, m and m.value, m and m.low, m and m.high) if part is not None]
    if len({np.shape(part) for part in numbers}) > 1:
        yield "shapes differ"
    elif not all(np.isfinite(part).all() and np.size(part) for part in numbers):
        yield "not a finite number"
    elif m and not m.is_exact and not np.all(np.less_equal(m.low, m.value) & np.less_equal(m.value, m.high)):
        yield "value outside its own interval"
    elif m and not m.is_exact and np.size(m.value) != m.numbers:
        yield "not an interval for all its numbers together"


@pytest.mark.parametrize("claim", ledger(), ids=lambda claim: claim.id)
def test_every_claim_is_well_formed(claim):
    assert not list(faults(claim, measured(claim)))


RUN = cl.Measured(0.764, 0.714, 0.814, "run", 20)


@pytest.mark.parametrize(
    ("changes", "m", "fault"),
    [
        (dict(id="W24-section 3-1"), RUN, "id or verdict unknown"),
        (dict(reading="free"), RUN, "no such reading"),
        (dict(statement=" "), RUN, "no place or no statement"),
        (dict(quote="word " * 31), RUN, "nothing quoted, or too much"),
        (dict(note=""), RUN, "no reason"),
        (dict(chapter="04"), RUN, "no such chapter"),
        ({}, None, "nothing was measured"),
        (dict(stated=None), RUN, "no number"),
        (dict(verdict="shown by an example"), RUN, "an example does not reproduce a number"),
        (dict(verdict="matched by choice"), RUN, "chosen to match, or not"),
        (dict(verdict="reproduced", stated=None), RUN, "a sentence that was only sampled"),
        (dict(verdict="reproduced", stated=None, quote="it can be higher"), RUN, None),
        ({}, cl.Measured(1, kind="sample"), "nothing to compare a number with"),
        (dict(reading="carried over"), RUN, "tuned in which experiment"),
        (dict(rounding=-0.1), RUN, "rounding or family"),
        ({}, cl.Measured(0.764, 0.714, 0.814), "an interval without a kind"),
        (dict(stated=(1, 2)), RUN, "shapes differ"),
        (dict(stated=np.nan), RUN, "not a finite number"),
        ({}, cl.Measured(1, 2, 3, "run"), "value outside its own interval"),
        (dict(stated=(1, 2)), cl.Measured((1, 2), (0, 1), (2, 3), "run", 5),
         "not an interval for all its numbers together"),
    ],
)  # fmt: skip
def test_the_test_finds_what_is_wrong(changes, m, fault):
    assert list(faults(make(**changes), m)) == ([fault] if fault else [])


# --- one reading an experiment -------------------------------------------------------------------------------------


@pytest.mark.parametrize("experiment", sorted({claim.experiment for claim in ledger()} - {""}))
def test_an_experiment_has_one_set_of_choices(experiment):
    """Where one entry's number was chosen by, every other entry of the experiment says so, whatever came out."""
    of = [claim for claim in ledger() if claim.experiment == experiment]
    readings = {claim.reading for claim in of}
    assert "chosen" in readings, "nothing was tuned: no experiment to name"
    assert readings <= {"any", *cl.TUNED}, [claim.id for claim in of if claim.reading not in {"any", *cl.TUNED}]
    assert all(claim.stated is not None for claim in of if claim.verdict == "matched by choice")


def test_whatever_the_papers_names_give_is_of_one_experiment():
    """All numbers of Carlos (2015) that take its names hang on the n-grams, but for what has a proof or only counts."""
    corpus = {name for name, there in stored_numbers().items() if there.corpus and name.startswith("C15-")}
    without = {"C15-S5-01", "C15-S52-13"}  # how many names; that eq. (20) decides as naive Bayes does
    named = {claim.id for claim in ledger("Carlos (2015)") if claim.experiment}
    assert corpus - without <= named
    assert {claim.id for claim in ledger("Carlos (2015)") if claim.reading == "fixed"} == {"C15-S45-03"}


def test_words_that_one_claim_reproduces_are_not_called_false_in_another():
    """Of a sentence that stands once in its source; a verdict on a formula or on code quotes that."""
    for source in cl.SOURCES:
        quoted = [claim for claim in ledger(source) if not claim.quote.startswith("[")]
        right, wrong = ([c for c in quoted if c.verdict == verdict] for verdict in ("reproduced", "false"))
        assert [(a.id, b.id) for a in right for b in wrong if a.quote in b.quote or b.quote in a.quote] == []


def test_a_claim_has_words_or_a_number_of_its_source():
    """A caption that only names a figure claims nothing: `sources.PLACES` says so instead."""
    assert not [claim.id for claim in ledger() if claim.quote == cl.FIGURE and claim.stated is None]
    for name in ("C15-F4-01", "C15-F6-01"):
        assert f"{name}: dropped" in IDS.read_text(encoding="utf-8")


def test_points_on_slope_two_are_more_than_beside_it():
    """One share says nothing: beside the line there are fewer at K = 3, and not at K = 6."""
    at_3, at_6 = (measured(find(name)) for name in ("W24-F2B-02", "W24-S3-14"))  # slopes 1.2, 1.8, 2, 2.2
    assert at_3.low[2] > max(at_3.high[1], at_3.high[3])
    assert list(at_6.value) == sorted(at_6.value, reverse=True)


# --- ids: one for each claim, for ever -----------------------------------------------------------------------------

IDS = Path(__file__).with_name("ids.txt")


def test_an_id_once_given_never_disappears():
    """ids.txt has every id that was ever given; a claim that was dropped stands there with its reason."""
    given, dropped = [], []
    for line in IDS.read_text(encoding="utf-8").splitlines():
        name, _, reason = line.partition(": ")
        (dropped if reason else given).append(name)
    assert given == sorted(given)
    assert len({*given, *dropped}) == len(given) + len(dropped)
    assert sorted(claim.id for claim in ledger()) == given, "enter new ids in ids.txt; of old ones say why they went"


def test_what_a_reader_asks_of_numpy_makes_no_claim_fail():
    """Nor a question: after np.seterr(all="raise") exp(-800) would be an error, where numpy says 0."""
    with np.errstate(all="raise"):
        assert make(ours=lambda: cl.Measured(float(np.exp(-800.0)))).measure().value == 0
