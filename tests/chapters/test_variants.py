"""Tasks with other numbers: every draw can be told from its mistakes, and says nothing that only the page's fit."""

import re
from itertools import islice

import numpy as np
import pytest
from sklearn.metrics import log_loss

from nbcore.datasets import load_iir_documents
from nbcore.hierarchical import MultinomialLeaf, Nodes, e_step, m_step, mix_nodes
from nbcore.naive_bayes import MultinomialNB
from nbcore.semi_supervised import SemiSupervisedNB
from workbook.chapters import chapter_packages
from workbook.chapters.c01_naive_bayes.questions import height_posterior
from workbook.learning import contents
from workbook.questions import exercises
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.progress import answers
from workbook.questions.variants import is_distinct, parameters, variants

ITEMS = {key: item for chapter in chapter_packages() for key, item in contents(chapter).items()}
PAGES = {key: item for key, item in ITEMS.items() if isinstance(item, Exercise) and item.parameters}
# A picture, letters, a histogram without numbers, a computation in the notebook: these come back as they are.
AS_THEY_ARE = {"05/which-m", "05/groups", "06/flat-mean", "06/choose-k"}
DRAWS, AT_LEAST = 20, 5
LEAF = MultinomialLeaf(0.0)


def drawn(key):
    return list(islice(variants(PAGES[key]), DRAWS))


by_key = pytest.mark.parametrize("key", PAGES)


def test_every_task_with_a_number_has_other_numbers_or_is_named_here():
    numeric = {key for key, item in ITEMS.items() if isinstance(item, Exercise) and not item.evaluate}
    assert set(PAGES) == numeric - AS_THEY_ARE
    assert numeric >= AS_THEY_ARE


# --- the page's answer by nbcore's models, where the definition computes it from the numbers of the task ------------


def lidstone():
    documents = load_iir_documents()
    model = MultinomialNB(alpha=0.5, fit_prior=False).fit(documents.data, documents.target)
    return model.predict_proba(documents.sample)[0, 1]


def responsibility():
    nodes = Nodes(np.log([0.25, 0.75]), (np.log([[0.8, 0.2], [0.4, 0.6]]),))
    return e_step(np.array([[3.0, 1.0]]), nodes, LEAF)[0][0, 0]


def document_weights():
    rows, at = np.array([[6.0, 0.0], [1.0, 1.0], [3.0, 21.0]]), np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    nodes = m_step(rows, at, LEAF, "documents")
    return np.exp(mix_nodes(nodes.log_prob, nodes.parameters[0]))[0]


def m_step_of_stories():
    model = SemiSupervisedNB(MultinomialNB(), max_iter=1, tol=0)
    model.fit([[1, 0, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 2]], [0, 1, -1, -1])
    return np.exp(model.estimator_.feature_log_prob_[0, 1])


ORACLES = {
    "01/height-alone": height_posterior,
    "02/aside": lambda: log_loss([0, 1, 2], [[0.9, 0.1, 0], [0, 0.7, 0.3], [0, 0.98, 0.02]]),
    "02/lidstone": lidstone,
    "07/responsibility": responsibility,
    "07/document-weights": document_weights,
    "09/m-step": m_step_of_stories,
}


@pytest.mark.parametrize("key", ORACLES)
def test_the_page_s_answer_is_that_of_the_models(key):
    assert float(PAGES[key].expected()) == pytest.approx(float(ORACLES[key]()), rel=1e-9)


# --- every draw ---------------------------------------------------------------------------------------------------


@by_key
def test_every_draw_has_an_answer_of_its_own_and_a_solution_that_reaches_it(key):
    found = drawn(key)
    assert len(found) >= AT_LEAST
    assert [item.variant for item in found] == list(range(1, len(found) + 1))
    texts = {(item.context, item.task) for item in found}
    assert len(texts) == len(found), "no draw twice"
    assert (PAGES[key].context, PAGES[key].task) not in texts
    for item in found:
        assert is_distinct(item)
        assert len(item.mistakes) >= 3
        assert item.check(item.solve()).correct, "a second way to the answer"


@pytest.mark.parametrize("key", sorted({*PAGES, *AS_THEY_ARE}))
def test_the_answer_is_right_with_the_three_digits_that_are_asked_for(key, monkeypatch):
    """The page's numbers and all that can be drawn; 0.42 as well as 0.420."""
    monkeypatch.setattr(exercises, "record", lambda *told, **more: None)
    for item in (ITEMS[key], *variants(ITEMS[key])):
        expected = float(item.expected())
        for typed in (f"{expected:.3g}", f"{expected:#.3g}"):
            assert item.check(typed).correct, (item.variant, expected, typed)


@by_key
def test_the_text_says_every_number_that_was_drawn(key):
    """Another choice of any one of them is another text."""
    make, choices = PAGES[key].parameters.make, PAGES[key].parameters.choices
    page = {name: values[0] for name, values in choices.items()}
    for name, values in choices.items():
        made = [item for value in values if (item := make(**page | {name: value}))]
        asked = [item.variant_texts.get("context", item.context) + item.variant_texts.get("task", item.task)
                 for item in made]  # fmt: skip
        assert len(set(asked)) == len(asked) > 1, name


@by_key
def test_a_draw_s_hints_fit_and_are_kept_under_the_page_s_name(key):
    item = drawn(key)[0]
    for mistake in item.mistakes:
        assert item.check(mistake.answer()).message == f"Not yet. {mistake.hint}"
    names = {mistake.hint[:100] for mistake in PAGES[key].mistakes}
    assert {answer.mistake for answer in answers()} <= names
    assert item.check(item.expected()).correct
    assert {answer.variant for answer in answers()} == {1}


@by_key
def test_no_hint_of_a_draw_says_its_answer(key):
    for item in drawn(key):
        value = float(item.expected())
        forbidden = {f"{value:.2f}", f"{value:.3f}", f"{value:.3g}"} - {"0.00", "0.000"}
        for text in [item.help, *(mistake.hint for mistake in item.mistakes)]:
            assert not any(re.search(rf"(?<![\d.]){re.escape(answer)}(?![\d.]*\d)", text) for answer in forbidden), text


NUMBER = re.compile(r"(?<![\w^(.])\d[\d.,]*(?<![.,])")
CONSTANT = {"0", "1", "2", "3", "0.5", "0.8", "0.95", "1.96", "95", "100", "100,000"}  # of formulas, to count on


@by_key
def test_words_that_a_draw_has_in_common_with_the_page_name_no_number_of_the_page(key):
    """Those in them are in the task, or of a formula."""
    page, item = PAGES[key], drawn(key)[0]
    names = {mistake.hint for mistake in page.mistakes}
    common = [mistake.hint for mistake in item.mistakes if mistake.hint in names]
    common += {item.well_done, item.help} & {page.well_done, page.help}
    for text in common:
        odd = {*NUMBER.findall(text)} - {*NUMBER.findall(f"{item.context} {item.task}")} - CONSTANT
        assert not odd, text


def test_what_a_definition_says_of_other_numbers():
    @parameters(n=(2, 5, 7))
    def item(n):
        if n == 7:
            return None
        known, only = Mistake(n, f"That is {n}.", "That is n."), Mistake(4, "Four.", page_only=True)
        return Exercise("99/n", f"n = {n}?", n + 1, (known, only), "Good.", "", variant_texts={"well_done": "Well."})

    (other,) = variants(item)
    assert (item.task, item.well_done, len(item.mistakes)) == ("n = 2?", "Good.", 2)
    assert (other.task, other.well_done, other.variant) == ("n = 5?", "Well.", 1)
    assert [(mistake.answer(), mistake.hint, mistake.name) for mistake in other.mistakes] == [
        (5, "That is n.", "That is 2.")
    ]
