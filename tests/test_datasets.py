import hashlib
import subprocess
import sys
from collections import Counter
from functools import partial
from math import hypot, pi
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils import Bunch

from nbcore import datasets
from nbcore.datasets import END, name_ngrams

DATA = Path(datasets.__file__).parent / "data"


def names_by_sex(bunch):
    return {sex: bunch.data[bunch.target == code].tolist() for code, sex in enumerate(bunch.target_names)}


# --------------------------------------------------------------------------------------------------- embedded files


@pytest.mark.parametrize("name", sorted(path.name for path in DATA.glob("*.csv")))
def test_embedded_tables_are_the_recorded_bytes(name):
    text = (DATA / name).read_bytes().replace(b"\r\n", b"\n")
    assert f"{hashlib.sha256(text).hexdigest()}  {name}" in (DATA / "README.md").read_text(encoding="utf-8")


def test_the_names_licence_is_shipped():
    licence = (DATA / "us_given_names.LICENSE.txt").read_text(encoding="utf-8")
    assert datasets.load_names().license == licence
    for phrase in ("Faker 40.54.0", "Copyright (c) 2012 Daniele Faraglia", "Permission is hereby granted", "AS IS"):
        assert phrase in licence


@pytest.mark.parametrize(
    "load",
    [
        datasets.load_names,
        partial(datasets.load_names, both_lists=False),
        datasets.load_hair_eye_color,
        datasets.load_play_tennis,
        datasets.load_titanic,
        datasets.load_ucb_admissions,
        datasets.load_gender_measurements,
        datasets.load_iir_documents,
        datasets.load_xor,
        lambda: datasets.make_shape("s", 5, 0),
    ],
)
def test_loaders_return_consistent_bunches(load):
    bunch, again = load(), load()
    assert isinstance(bunch, Bunch)
    assert bunch.source
    assert bunch.data is not again.data
    np.testing.assert_array_equal(bunch.data, again.data)
    if "target" in bunch:
        assert bunch.target.shape == (len(bunch.data),)
        assert set(bunch.target) <= set(range(len(bunch.target_names)))
    if "feature_names" in bunch:
        assert bunch.data.shape[1] == len(bunch.feature_names)
    for column, names in enumerate(bunch.get("categories", [])):
        assert set(bunch.data[:, column]) == set(range(len(names)))


def test_importing_datasets_is_light():
    heavy = {"pooch", "requests", "tqdm", "matplotlib", "plotly", "ipywidgets"}
    code = f"import sys, nbcore.datasets; print(*({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("", "")


# -------------------------------------------------------------------------------------------------------- penguins


def test_penguins_are_the_file_and_nothing_else():
    penguins, again = datasets.load_penguins(), datasets.load_penguins()
    file = pd.read_csv(DATA / "penguins.csv")  # pandas reads it by its own rules
    frame = pd.DataFrame(penguins.data)
    assert penguins.feature_names == list(penguins.data) == [name for name in file.columns if name != "species"]
    assert penguins.target_names[penguins.target].tolist() == file["species"].tolist()
    for name, column in frame.items():
        assert column.isna().tolist() == file[name].isna().tolist()
        assert column.dropna().tolist() == file[name].dropna().tolist()
        assert penguins.data[name] is not again.data[name]
    assert set(map(type, penguins.data["sex"])) == {str, type(None)}
    assert {name: column.dtype for name, column in penguins.data.items() if column.dtype != float} == {
        "island": object, "sex": object, "year": int,
    }  # fmt: skip
    for words in ("Horst, Hill and Gorman (2020)", "CC0", "10.5281/zenodo.3960218", "Gorman, Williams and Fraser"):
        assert words in penguins.source


# ------------------------------------------------------------------------------------------------------ given names


def test_embedded_names():
    names = datasets.load_names()
    by_sex = names_by_sex(names)
    assert {sex: len(given) for sex, given in by_sex.items()} == {"female": 3932, "male": 3271}
    assert all(len(set(given)) == len(given) for given in by_sex.values())
    assert len(set(by_sex["female"]) & set(by_sex["male"])) == 379
    assert {"Emma", "Mary"} <= set(by_sex["female"])
    assert {"James", "Noah"} <= set(by_sex["male"])
    assert names.data.tolist() == sorted(names.data.tolist())


def test_names_on_both_lists_are_left_out_with_both_rows():
    lines = (DATA / "us_given_names.csv").read_text(encoding="utf-8").splitlines()[1:]
    sexes = {line.split(",")[0]: [] for line in lines}
    for name, sex in (line.split(",") for line in lines):
        sexes[name].append(sex)
    rows = [f"{name},{sex[0]}" for name, sex in sorted(sexes.items()) if len(sex) == 1]
    names = datasets.load_names(both_lists=False)
    sex_of_row = names.target_names[names.target]
    assert [f"{name},{sex}" for name, sex in zip(names.data, sex_of_row, strict=True)] == rows
    assert (len(lines), len(rows), sum(len(sex) == 2 for sex in sexes.values())) == (7203, 6445, 379)
    assert {"Kendall", "Robin"}.isdisjoint(names.data)
    assert names.license == datasets.load_names().license


def test_fetched_names(papers_data):
    names = datasets.fetch_names()
    by_sex = names_by_sex(names)
    assert {sex: len(given) for sex, given in by_sex.items()} == {"female": 5001, "male": 2943}
    assert len(set(by_sex["female"]) & set(by_sex["male"])) == 365
    assert all(name == name.strip() != "" for name in names.data)
    assert [name for name, count in Counter(by_sex["female"]).items() if count > 1] == ["Gale"]
    assert names.data.tolist() == sorted(names.data.tolist())
    assert "Mark Kantrowitz" in names.license
    assert "redistribute" in names.license
    assert "Kantrowitz" in names.source
    assert (papers_data / "names-README.txt").read_text(encoding="utf-8") == names.license


def test_fetched_r8(papers_data):
    r8 = datasets.fetch_r8()
    assert (len(r8.data), r8.target.shape) == (5485, (5485,))
    assert (len(r8.test_data), r8.test_target.shape) == (2189, (2189,))
    assert r8.target_names.tolist() == ["acq", "crude", "earn", "grain", "interest", "money-fx", "ship", "trade"]
    assert np.bincount(r8.target).tolist() == [1596, 253, 2840, 41, 190, 206, 108, 251]
    assert np.bincount(r8.test_target).tolist() == [696, 121, 1083, 10, 81, 87, 36, 75]
    lines = (papers_data / "r8-test.txt").read_text(encoding="utf-8").split("\n")
    assert lines[77] == f"{r8.target_names[r8.test_target[77]]}\t{r8.test_data[77]}"
    assert r8.data[0].startswith("champion products ch approves stock split")
    assert "research" in r8.license


# ---------------------------------------------------------------------------------------------------------- n-grams


def ngrams_by_definition(name, max_n, min_n=1):
    """Every stretch of the characters plus a mark object, min_n to max_n long; not the mark on its own."""
    marked = [*name, None]
    stretches = [
        tuple(marked[i:j]) for i in range(len(marked)) for j in range(i + min_n, len(marked) + 1) if j - i <= max_n
    ]
    return Counter(stretch for stretch in stretches if stretch != (None,))


def as_stretch(ngram):
    return tuple(None if letter == END else letter for letter in ngram)


def row_counter(counts, vocabulary, i):
    row = counts[[i]].tocoo()
    return Counter({as_stretch(vocabulary[j]): int(count) for j, count in zip(row.col, row.data, strict=True)})


def test_ngrams_of_one_name():
    counts, vocabulary = name_ngrams(["Ann"], 2)
    assert vocabulary.tolist() == ["A", "An", "n", "nn", "n¶"]
    assert counts.toarray().tolist() == [[1, 1, 2, 1, 1]]
    assert name_ngrams(["Ann"], 3, min_n=2)[1].tolist() == ["An", "Ann", "nn", "nn¶", "n¶"]
    assert name_ngrams(["Ann"], 3, min_n=3)[1].tolist() == ["Ann", "nn¶"]


NAMES = st.lists(st.text(st.characters(exclude_characters=END), max_size=12), min_size=1, max_size=8)


@settings(deadline=None)
@given(NAMES, st.integers(1, 15), st.integers(1, 4))
def test_ngrams_follow_the_definition(names, max_n, min_n):
    min_n = min(min_n, max_n)
    counts, vocabulary = name_ngrams(names, max_n, min_n=min_n)
    assert counts.shape == (len(names), len(vocabulary))
    assert vocabulary.tolist() == sorted(set(vocabulary))
    assert counts.has_canonical_format
    assert counts.nnz == 0 or counts.data.min() >= 1
    for i, name in enumerate(names):
        assert row_counter(counts, vocabulary, i) == ngrams_by_definition(name, max_n, min_n)


@settings(deadline=None)
@given(NAMES, NAMES, st.integers(1, 5))
def test_new_names_are_counted_on_an_old_vocabulary(old, new, max_n):
    _, vocabulary = name_ngrams(old, max_n)
    counts, same = name_ngrams(new, max_n, vocabulary=vocabulary)
    assert same.tolist() == vocabulary.tolist()
    assert counts.shape == (len(new), len(vocabulary))
    known = set(map(as_stretch, vocabulary))
    for i, name in enumerate(new):
        expected = {s: count for s, count in ngrams_by_definition(name, max_n).items() if s in known}
        assert row_counter(counts, vocabulary, i) == expected


def test_a_given_vocabulary_keeps_its_order():
    counts, vocabulary = name_ngrams(["abba"], 2, vocabulary=["b", "a¶", "zz", "a"])
    assert vocabulary.tolist() == ["b", "a¶", "zz", "a"]
    assert counts.toarray().tolist() == [[2, 1, 0, 2]]


def test_trailing_nul_is_a_letter_of_its_own():
    assert name_ngrams(["a", "a\x00"], 2)[1].tolist() == ["\x00", "\x00¶", "a", "a\x00", "a¶"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Ann", 2), r"names must be a sequence of str .*; got 'Ann'"),
        ((7, 2), r"names must be a sequence of str .*; got 7"),
        (([], 2), r"names must be a sequence of at least one str; got \[\]"),
        ((["Ann", None], 2), r"names\[1\] must be a str; got None"),
        ((["Ann", "B¶b"], 2), r"names\[1\] must be free of '¶', .*; got 'B¶b'"),
        ((["Ann"], 0), r"max_n must be an integer >= 1; got 0"),
        ((["Ann"], 2, None, 0), r"min_n must be an integer >= 1; got 0"),
        ((["Ann"], 2, None, 3), r"min_n must be at most max_n = 2; got 3"),
        ((["Ann"], 2, "An"), r"vocabulary must be a sequence of str .*; got 'An'"),
        ((["Ann"], 2, ["A", 3]), r"vocabulary\[1\] must be a str; got 3"),
        ((["Ann"], 2, ["A", "n", "A"]), r"vocabulary must be free of repetitions; got \['A', 'n', 'A'\]"),
    ],
)
def test_ngrams_refuse_bad_input(arguments, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        name_ngrams(*arguments)


# ----------------------------------------------------------------------------------------------------- small tables


def test_hair_eye_color():
    students = datasets.load_hair_eye_color()
    assert students.data.shape == (592, 3)
    assert students.feature_names == ["hair", "eye", "sex"]
    assert [" ".join(names) for names in students.categories] == [
        "Black Brown Red Blond", "Brown Blue Hazel Green", "Male Female"]  # fmt: skip
    hair, eye, sex = students.data.T
    two_way = np.zeros((4, 4), dtype=int)
    np.add.at(two_way, (hair, eye), 1)
    assert two_way.tolist() == [[68, 20, 15, 5], [119, 84, 54, 29], [26, 17, 14, 14], [7, 94, 10, 16]]  # Snee (1974)
    assert np.bincount(sex).tolist() == [279, 313]


def survivors_by(bunch, column):
    """Of each value of a column: how many, and how many of class 1."""
    codes = bunch.data[:, column]
    return {str(name): (int((codes == v).sum()), int(bunch.target[codes == v].sum()))
            for v, name in enumerate(bunch.categories[column])}  # fmt: skip


def test_titanic_has_the_margins_of_the_board_of_trade():
    people = datasets.load_titanic()
    assert people.data.shape == (2201, 3)
    assert people.target_names[people.target].tolist().count("Yes") == 711
    assert survivors_by(people, 0) == {"1st": (325, 203), "2nd": (285, 118), "3rd": (706, 178), "Crew": (885, 212)}
    assert survivors_by(people, 1) == {"Male": (1731, 367), "Female": (470, 344)}
    assert survivors_by(people, 2) == {"Child": (109, 57), "Adult": (2092, 654)}
    joint = Counter(zip(*people.data.T.tolist(), people.target.tolist(), strict=True))
    assert (joint[0, 1, 1, 0], joint[3, 0, 1, 0], joint[2, 0, 0, 1]) == (4, 670, 13)
    assert not any(cell[0] == 3 and cell[2] == 0 for cell in joint)  # no children in the crew


def test_berkeley_has_the_margins_of_bickel_and_others():
    people = datasets.load_ucb_admissions()
    assert people.data.shape == (4526, 2)
    assert people.target_names[people.target].tolist().count("Admitted") == 1755
    assert survivors_by(people, 0) == {"Male": (2691, 1198), "Female": (1835, 557)}
    departments = {"A": (933, 601), "B": (585, 370), "C": (918, 322), "D": (792, 269), "E": (584, 147), "F": (714, 46)}
    assert survivors_by(people, 1) == departments
    men = people.data[:, 0] == 0
    rates = [round(100 * people.target[(people.data[:, 1] == d) & men].mean()) for d in range(6)]
    assert rates == [62, 63, 37, 33, 28, 6]  # as Freedman, Pisani and Purves print them, Statistics, chapter 2


def test_play_tennis_day_of_probability_zero():
    tennis = datasets.load_play_tennis()
    assert tennis.data.shape == (14, 4)
    assert tennis.target_names[tennis.target].tolist().count("Yes") == 9
    words = [str(names[code]) for names, code in zip(tennis.categories, tennis.sample[0], strict=True)]
    assert words == ["Overcast", "Hot", "Normal", "Weak"]
    shown = (tennis.data == tennis.sample) & (tennis.target == 0)[:, None]
    assert shown.sum(axis=0).tolist() == [0, 2, 1, 2], "no overcast day was a No"


def test_iir_documents():
    iir = datasets.load_iir_documents()
    assert iir.feature_names == ["Beijing", "Chinese", "Japan", "Macao", "Shanghai", "Tokyo"]
    assert iir.target_names[iir.target].tolist() == ["China", "China", "China", "not China"]
    assert [" ".join(words) for words in iir.tokens] == iir.documents
    assert iir.sample_document == "Chinese Chinese Chinese Tokyo Japan"
    for words, row in zip([*iir.tokens, iir.sample_document.split()], [*iir.data, *iir.sample], strict=True):
        assert {name: count for name, count in zip(iir.feature_names, row, strict=True) if count} == Counter(words)


def test_xor():
    xor = datasets.load_xor()
    points = {tuple(point): label for point, label in zip(xor.data.tolist(), xor.target.tolist(), strict=True)}
    assert points == {(1, 1): 0, (5, 5): 0, (1, 5): 1, (5, 1): 1}


# ----------------------------------------------------------------------------------------------------------- shapes


def inside_by_definition(shape, x, y):
    """One point of the unit square, straight from PAPERS, N16 table 4; the S drawn stroke by stroke."""
    if shape == "ring":
        return 0.28 <= hypot(x - 0.5, y - 0.5) <= 0.43
    if shape == "dots":
        thirds = (1 / 6, 1 / 2, 5 / 6)
        return any(hypot(x - a, y - b) <= 0.1275 for a in thirds for b in thirds)
    if shape == "xor":
        return (x <= 0.47 and y >= 0.53) or (x >= 0.53 and y <= 0.47)
    across = 0.2 <= x <= 0.8 and any(low <= y <= low + 0.1 for low in (0.1, 0.45, 0.8))
    return across or (0.2 <= x <= 0.3 and 0.5 <= y <= 0.85) or (0.7 <= x <= 0.8 and 0.15 <= y <= 0.5)


AREAS = {"ring": pi * (0.43**2 - 0.28**2), "dots": 9 * pi * 0.1275**2, "xor": 2 * 0.47**2, "s": 0.23}


@pytest.mark.parametrize("shape", AREAS)
@pytest.mark.parametrize("width", [1.0, 500.0])
def test_shapes_against_the_definition(shape, width):
    drawn = datasets.make_shape(shape, 3000, np.random.default_rng(1), width=width)
    expected = [inside_by_definition(shape, x / width, y / width) for x, y in drawn.data]
    assert drawn.target.tolist() == expected
    assert drawn.data.shape == (3000, 2)
    assert 0 <= drawn.data.min() < 0.01 * width
    assert 0.99 * width < drawn.data.max() <= width
    np.testing.assert_array_equal(drawn.target, datasets.is_inside(shape, drawn.data, width))


@pytest.mark.parametrize(("shape", "y"), [("ring", 0.22), ("ring", 0.07), ("dots", 0.3725), ("s", 0.1), ("s", 0.2)])
def test_the_edge_of_a_shape_belongs_to_it(shape, y):
    assert datasets.is_inside(shape, [[0.5, y]], width=1).tolist() == [True]


@pytest.mark.parametrize("shape", AREAS)
def test_outside_the_square_there_is_no_shape_and_a_square_may_be_small(shape):
    side = np.linspace(-0.25, 0.75, 61)
    places = np.array([(x, y) for x in side for y in side])
    out = (places < 0).any(axis=1) | (places > 0.5).any(axis=1)
    inside = datasets.is_inside(shape, places, width=0.5)
    assert not inside[out].any()
    np.testing.assert_array_equal(inside[~out], datasets.is_inside(shape, 2 * places[~out], width=1))
    assert inside.any()


def test_shapes_use_the_generator_they_are_given():
    seeded = datasets.make_shape("ring", 10, 3)
    np.testing.assert_array_equal(seeded.data, datasets.make_shape("ring", 10, np.random.default_rng(3)).data)
    rng = np.random.default_rng(3)
    assert (datasets.make_shape("ring", 10, rng).data != datasets.make_shape("ring", 10, rng).data).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("star", 5, 0), "shape must be one of 'ring', 'dots', 'xor', 's'; got 'star'"),
        ((["s"], 5, 0), r"shape must be one of .*; got \['s'\]"),
        (("s", 0, 0), "n must be an integer >= 1; got 0"),
        (("s", 5, None), "rng must be a numpy Generator or an int seed >= 0; got None"),
        (("s", 5, -1), "rng must be .*; got -1"),
        (("s", 5, True), "rng must be .*; got True"),
        (("s", 5, 0, 0.0), "width must be a finite number > 0; got 0.0"),
        (("s", 5, 0, float("inf")), "width must be a finite number > 0; got inf"),
    ],
)
def test_shapes_refuse_bad_input(arguments, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        datasets.make_shape(*arguments)


@pytest.mark.parametrize(("points", "message"), [([[1, 2, 3]], r"points must be of shape \(n, 2\); got \(1, 3\)"),
                                                 ([[1, np.nan]], "points contains NaN")])  # fmt: skip
def test_is_inside_refuses_bad_points(points, message):
    with pytest.raises(ValueError, match=message):
        datasets.is_inside("s", points)
