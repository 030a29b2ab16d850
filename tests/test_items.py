"""What is to be classified, as figures name it: its features in reading order, how often each, what was dropped."""

import numpy as np
from scipy.sparse import csr_array

from nbcore.datasets import END
from workbook.items import counts_item, isolate_text, label, name_item


def test_a_row_of_counts_has_the_features_that_it_counts():
    for row in (np.array([[0, 3, 0, 1]]), csr_array([[0, 3, 0, 1]])):
        item = counts_item(row, ["a", "b", "c", "d"])
        assert (item.features, item.columns.tolist(), item.times.tolist()) == (["b", "d"], [1, 3], [3, 1])
        assert (item.row is row, item.unseen) == (True, 0)


def test_a_name_is_read_from_left_to_right_the_shorter_first():
    columns = {feature: k for k, feature in enumerate(["an", "n", "a", "na", f"a{END}", "zz", "nan"])}
    item = name_item("anna", columns, max_n=2)
    assert item.features == ["a", "an", "n", "na", f"a{END}"]
    assert item.times.tolist() == [2, 1, 2, 1, 1]
    assert item.columns.tolist() == [columns[feature] for feature in item.features]
    assert item.row.toarray().tolist() == [[1, 2, 2, 1, 1, 0, 0]]
    assert item.unseen == 1, "nn"


def test_only_the_lengths_that_were_asked_for_are_counted():
    item = name_item("anna", {"a": 0, "nn": 1}, max_n=2, min_n=2)
    assert (item.features, item.times.tolist(), item.unseen) == (["nn"], [1], 3)
    assert name_item("anna", {"q": 0}, max_n=1).features == []


def test_a_feature_is_shown_as_text_and_told_how_often_it_stands_there():
    assert label("<b> &") == "&lt;b&gt;␣&amp;"
    assert label("a", 1) == "a"
    assert label('"\'') == '"\''
    assert label("a", 2.0) == "a ×2"


def test_typed_text_cannot_turn_the_sentence_around_it():
    assert isolate_text("\u202eabc") == "\u2068\u202eabc\u2069"
