"""Tables and given names that come with the workbook, and two corpora fetched on demand.

Every `load_` and `fetch_` returns a `sklearn.utils.Bunch`; `source` says where the data come from. Class and category
codes are positions in `target_names` and in `categories[column]`.
"""

import csv
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils import Bunch

from nbcore.datasets.fetchers import fetch_file

SEXES = np.array(["female", "male"])


def _data_file(name: str) -> Traversable:
    """Return an embedded data file."""
    return files("nbcore.datasets") / "data" / name


def _read_table(name: str) -> list[list[str]]:
    """Return the rows of an embedded csv file, the header first."""
    return list(csv.reader(_data_file(name).read_text(encoding="utf-8").splitlines()))


def _coded_bunch(name: str, categories: Sequence[Sequence[str]], classes: Sequence[str] = (), **about: Any) -> Bunch:
    """Return a csv file of features, class (if it has classes) and count (if it has one) as codes, one row a case."""
    header, *rows = _read_table(name)
    values = [*categories, classes] if classes else categories
    coded = np.array([[names.index(value) for names, value in zip(values, row, strict=False)] for row in rows])
    if header[-1] == "count":
        coded = np.repeat(coded, [int(row[-1]) for row in rows], axis=0)
    n_features = len(categories)
    target = {"target": coded[:, -1], "target_names": np.array(classes)} if classes else {}
    named = [np.array(names) for names in categories]
    return Bunch(data=coded[:, :n_features], feature_names=header[:n_features], categories=named, **target, **about)


def _names_bunch(pairs: Iterable[tuple[str, ...]], **about: Any) -> Bunch:
    """Return (name, sex) pairs, sorted by name and then sex, as data (n,) and target (n,)."""
    names, sexes = zip(*sorted(pairs), strict=True)
    target = np.array([sex == "male" for sex in sexes], dtype=int)
    return Bunch(data=np.array(names), target=target, target_names=SEXES.copy(), **about)


def load_names(*, both_lists: bool = True) -> Bunch:
    """Load 7,203 US given names: 3,932 female (target 0) and 3,271 male (target 1); 379 names are on both lists.

    both_lists: False leaves those 379 names out, with both rows of each; 6,445 rows are left, each another name.
    `data` (7203,) str, `target` (7203,) int, `target_names`, `source`, `license` (the MIT licence of the source).
    The rows are in alphabetical order: shuffle before you split.

    Examples
    --------
    >>> from nbcore.datasets import load_names
    >>> names = load_names()
    >>> names.data[:3].tolist(), names.target_names[names.target[:3]].tolist()
    (['Aaden', 'Aaliyah', 'Aarav'], ['male', 'female', 'male'])
    """
    rows = np.array(_read_table("us_given_names.csv")[1:])
    _, place, times = np.unique(rows[:, 0], return_inverse=True, return_counts=True)
    return _names_bunch(
        map(tuple, rows[both_lists | (times[place] == 1)].tolist()),
        source="Python package Faker 40.54.0 (MIT), faker.providers.person.en.Provider.first_names_female and _male",
        license=_data_file("us_given_names.LICENSE.txt").read_text(encoding="utf-8"),
    )


def fetch_names() -> Bunch:
    """Fetch the 7,944 given names of Carlos (2015): 5,001 female (target 0), 2,943 male (target 1); 365 on both lists.

    `data` (7944,) str, `target` (7944,) int, `target_names`, `source` (whom to credit), `license`: the corpus's own
    README, also kept beside the cached archive as names-README.txt. Rows are in alphabetical order: shuffle before you
    split. One entry ends in a space ("Gale "); it is stripped, so that "Gale" occurs twice among the women.
    Downloaded on first use, then cached; errors as in `nbcore.datasets.fetchers.fetch_file`.
    """
    path = fetch_file("names.zip")
    with zipfile.ZipFile(path) as archive:
        text = {part: archive.read(f"names/{part}").decode() for part in ("README", "female.txt", "male.txt")}
    with suppress(OSError):  # a read-only cache: the terms are inside the archive too
        path.with_name("names-README.txt").write_bytes(text["README"].encode())
    return _names_bunch(
        ((name.strip(), sex) for sex in SEXES for name in text[f"{sex}.txt"].splitlines()),
        source="Names Corpus 1.3 (1994), copyright 1991 Mark Kantrowitz, additions by Bill Ross; "
        "free to use with credit, to be passed on only with its README",
        license=text["README"],
    )


def _labelled_lines(path: Path) -> tuple[list[str], list[str]]:
    """Read lines `label<TAB>text` as two lists: labels, texts."""
    lines = path.read_text(encoding="utf-8").splitlines()
    labels, texts = zip(*(line.split("\t", 1) for line in lines), strict=True)
    return list(labels), list(texts)


def fetch_r8() -> Bunch:
    """Fetch Reuters R8: 5,485 training and 2,189 test news stories, each on one of eight topics, cut and lower-cased.

    `data` list of 5485 str, `target` (5485,) int; `test_data` list of 2189 str, `test_target` (2189,) int;
    `target_names` (8,) sorted; `source`, `license`.
    Downloaded on first use, then cached; errors as in `nbcore.datasets.fetchers.fetch_file`.
    """
    labels, data = _labelled_lines(fetch_file("r8-train.txt"))
    test_labels, test_data = _labelled_lines(fetch_file("r8-test.txt"))
    target_names, target = np.unique(labels, return_inverse=True)
    return Bunch(
        data=data,
        target=target,
        test_data=test_data,
        test_target=np.searchsorted(target_names, test_labels),
        target_names=target_names,
        source="Reuters-21578, R8 split: Cardoso-Cachopo (2007), Improving methods for single-label text "
        "categorization, PhD thesis, Universidade Tecnica de Lisboa; file from github.com/yao8839836/text_gcn",
        license="Copyright of the news stories: Reuters Ltd, which lets them be distributed for research purposes only",
    )


def load_hair_eye_color() -> Bunch:
    """Load hair, eye colour and sex of 592 students, one row each: R's HairEyeColor table.

    `data` (592, 3) int codes of the columns `feature_names` = hair, eye, sex; `categories` their names, one array per
    column; `source`. There is no target: the book predicts hair from eye colour, and sex from both.
    """
    return _coded_bunch(
        "hair_eye_color.csv",
        [["Black", "Brown", "Red", "Blond"], ["Brown", "Blue", "Hazel", "Green"], ["Male", "Female"]],
        source="Snee (1974), The American Statistician 28, 9-12, as R's datasets::HairEyeColor; "
        "the split by sex was added by Friendly (1992) for teaching",
    )


def load_penguins() -> Bunch:
    """Load 344 penguins of three species from the Palmer Archipelago, Antarctica; 11 rows have gaps.

    `data` dict of columns, in the order of `feature_names`: island and sex (344,) str, with None where the sex is not
    known; bill_length_mm, bill_depth_mm, flipper_length_mm and body_mass_g (344,) float, with nan where nothing was
    measured; year (344,) int. `target` (344,) int, `target_names` Adelie, Chinstrap, Gentoo; `source`. The rows are
    sorted by species: shuffle before you split. `pandas.DataFrame(load_penguins().data)` makes a frame of it.

    Examples
    --------
    >>> from nbcore.datasets import load_penguins
    >>> penguins = load_penguins()
    >>> penguins.data["body_mass_g"][:4], penguins.data["sex"][:4].tolist()
    (array([3750., 3800., 3250.,   nan]), ['male', 'female', 'female', None])
    """
    header, *rows = _read_table("penguins.csv")
    columns = dict(zip(header, np.array(rows, dtype=object).T, strict=True))
    for name, column in columns.items():
        is_text = name in ("species", "island", "sex")
        column[column == "NA"] = None if is_text else np.nan
        columns[name] = column if is_text else column.astype(int if name == "year" else float)
    target_names, target = np.unique(columns.pop("species").astype(str), return_inverse=True)
    return Bunch(
        data=columns,
        target=target,
        feature_names=list(columns),
        target_names=target_names,
        source="Horst, Hill and Gorman (2020), palmerpenguins: Palmer Archipelago (Antarctica) penguin data (CC0), "
        "doi 10.5281/zenodo.3960218; measured by Gorman, Williams and Fraser (2014), Ecological sexual dimorphism and "
        "environmental variability within a community of Antarctic penguins, PLoS ONE 9(3), e90081",
    )


def load_titanic() -> Bunch:
    """Load class, sex, age and survival of the 2,201 people aboard the Titanic, one row each; 711 survived.

    `data` (2201, 3) int codes of the columns `feature_names` = class, sex, age; `categories` their names, one array per
    column; `target` (2201,) with `target_names` No, Yes (survived); `source`. The rows are sorted: shuffle before you
    split.
    """
    return _coded_bunch(
        "titanic.csv",
        [["1st", "2nd", "3rd", "Crew"], ["Male", "Female"], ["Child", "Adult"]],
        ["No", "Yes"],
        source="Dawson (1995), The 'unusual episode' data revisited, Journal of Statistics Education 3(3), after the "
        "British Board of Trade's report of 1912, as R's datasets::Titanic",
    )


def load_ucb_admissions() -> Bunch:
    """Load the 4,526 applicants to Berkeley's six largest graduate departments in 1973; 1,755 were admitted.

    `data` (4526, 2) int codes of the columns `feature_names` = gender, department; `categories` their names, one array
    per column; `target` (4526,) with `target_names` Rejected, Admitted; `source`. The rows are sorted: shuffle before
    you split.
    """
    return _coded_bunch(
        "ucb_admissions.csv",
        [["Male", "Female"], list("ABCDEF")],
        ["Rejected", "Admitted"],
        source="Bickel, Hammel and O'Connell (1975), Sex bias in graduate admissions: data from Berkeley, Science 187, "
        "398-403, as R's datasets::UCBAdmissions",
    )


def load_play_tennis() -> Bunch:
    """Load fourteen days on which tennis was played or not.

    `data` (14, 4) int codes of outlook, temperature, humidity, wind; `categories` their names, one array per column;
    `target` (14,) with `target_names` No, Yes; `sample` (1, 4): Overcast, Hot, Normal, Weak, the day whose P(No | x)
    is 0 without smoothing, because no overcast day was a No; `feature_names`, `source`.
    """
    return _coded_bunch(
        "play_tennis.csv",
        [["Sunny", "Overcast", "Rain"], ["Hot", "Mild", "Cool"], ["High", "Normal"], ["Weak", "Strong"]],
        ["No", "Yes"],
        sample=np.array([[1, 0, 1, 0]]),  # Overcast, Hot, Normal, Weak
        source="Quinlan (1986), Induction of decision trees, Machine Learning 1, 81-106, table 1, in the wording of "
        "Mitchell (1997), Machine Learning, table 3.2",
    )


def load_gender_measurements() -> Bunch:
    """Load height (feet), weight (lb) and foot size (inches) of 4 women (target 0) and 4 men (target 1).

    `data` (8, 3) float, `target` (8,), `sample` (1, 3): the person to classify; `feature_names`, `target_names`,
    `source`.
    """
    men = [(6, 180, 12), (5.92, 190, 11), (5.58, 170, 12), (5.92, 165, 10)]
    women = [(5, 100, 6), (5.5, 150, 8), (5.42, 130, 7), (5.75, 150, 9)]
    data, target = np.array(men + women, dtype=float), np.array([1, 1, 1, 1, 0, 0, 0, 0])
    about = {"feature_names": ["height", "weight", "foot size"], "target_names": SEXES.copy()}
    about["source"] = "Wikipedia, Naive Bayes classifier, section Gender classification"
    return Bunch(data=data, target=target, sample=np.array([[6.0, 130.0, 8.0]]), **about)


def load_iir_documents() -> Bunch:
    """Load four training documents and a test document, on China or not.

    `documents` list of 4 str, `tokens` the same as lists of words, `data` (4, 6) int counts of the words in
    `feature_names` (sorted), `target` (4,) with `target_names` "not China", "China"; `sample_document` str, `sample`
    (1, 6) its counts; `source`.
    """
    documents = ["Chinese Beijing Chinese", "Chinese Chinese Shanghai", "Chinese Macao", "Tokyo Japan Chinese"]
    sample_document = "Chinese Chinese Chinese Tokyo Japan"
    words = CountVectorizer(lowercase=False).fit(documents)
    return Bunch(
        documents=documents,
        tokens=[document.split() for document in documents],
        data=words.transform(documents).toarray(),
        target=np.array([1, 1, 1, 0]),
        sample_document=sample_document,
        sample=words.transform([sample_document]).toarray(),
        feature_names=words.get_feature_names_out().tolist(),
        target_names=np.array(["not China", "China"]),
        source="Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, table 13.1",
    )


def load_xor() -> Bunch:
    """Load the scaled and shifted XOR: (1, 1), (5, 5) -> 0 and (1, 5), (5, 1) -> 1.

    `data` (4, 2) float, `target` (4,), `feature_names` x, y, `target_names`, `source`.
    """
    data, target = np.array([[1.0, 1.0], [5.0, 5.0], [1.0, 5.0], [5.0, 1.0]]), np.array([0, 0, 1, 1])
    about = {"target_names": np.array(["0", "1"]), "source": "Carlos and Rakshit (2016), figure 1"}
    return Bunch(data=data, target=target, feature_names=["x", "y"], **about)
