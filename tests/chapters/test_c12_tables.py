"""A CSV file of the reader's own: read whatever wrote it, or one sentence on what is wrong; sent nowhere."""

import codecs
import gzip
import io
import re
import socket

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold

from nbcore.diagnosis import Adjusted, diagnose
from nbcore.mixed import MixedNB
from workbook.chapters.c12_your_own_table import csv_table
from workbook.chapters.c12_your_own_table.csv_table import (
    MOST_BYTES,
    MOST_CLASSES,
    Table,
    TableError,
    _decoded,
    _text,
    _width,
    read_table,
)
from workbook.chapters.c12_your_own_table.your_table import your_table

TOWNS, KINDS = ["Rome", "Liège", "Møns", "Łódź"], ["good", "bad"]
GERMAN = str.maketrans(",.", ".,")
FRAME = pd.DataFrame(
    {
        "length": [round(1.5 + (7 * i) % 11 / 4, 2) for i in range(40)],
        "town": [TOWNS[i * i % 4 if i % 3 else 3] for i in range(40)],
        "kind": [KINDS[i * i % 3 == 0] for i in range(40)],
    }
)


def csv(frame=FRAME, **options):
    return frame.to_csv(index=False, **options)


def sentence(content, **options):
    """What is said of a file that cannot be read."""
    with pytest.raises(TableError) as problem:
        str(read_table(content.encode() if isinstance(content, str) else content, name="mine.csv", **options))
    said = str(problem.value)
    assert said[0].isupper() or said[0] in "'"
    assert said.endswith((".", "?"))
    assert len(said) < 320
    return said


# --- files that can be read ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_every_separator_in_every_encoding_gives_the_same_table(separator, encoding):
    table = read_table(csv(sep=separator).encode(encoding), name="mine.csv")
    pd.testing.assert_frame_equal(table.frame, FRAME, check_dtype=False)
    assert table.notes == ()
    assert (table.name, table.target) == ("mine.csv", "kind")
    pd.testing.assert_frame_equal(table.X, FRAME[["length", "town"]], check_dtype=False)
    assert table.y.tolist() == FRAME["kind"].tolist()


@pytest.mark.parametrize(
    ("text", "encoding"), [("Ж,ж" * 4, "utf-16-le"), ("aaȀ", "utf-16-be"), ("aaȀ", "utf-16-le"), ("aȀ", "utf-16-be")]
)
def test_without_a_mark_the_byte_order_is_told_by_where_most_zeros_stand(text, encoding):
    """Those of the commas, digits and Latin letters: however few they are. A tie is big-endian, as in RFC 2781."""
    assert _decoded(text.encode(encoding)) == (text, [])


@pytest.mark.parametrize(("encoding", "word"), [("latin-1", "Liège"), ("cp1252", "5 €"), ("latin-1", "\x81é")])
def test_latin_1_is_read_with_a_word_on_it(encoding, word):
    frame = FRAME.replace({"town": {"Łódź": word, "Møns": "Mons"}})
    table = read_table(csv(frame).encode(encoding))
    assert table.frame["town"].tolist() == frame["town"].tolist()
    assert [note for note in table.notes if "read it as Latin-1" in note]
    assert "Latin-1" in str(table)


def test_what_pandas_writes_pandas_reads_alike():
    """By pandas's own reader, line breaks and quotation marks inside cells included."""
    frame = FRAME.assign(remark=['a "b", c', "two\nlines", "x;y", ""] * 10)
    for end in ("\n", "\r\n"):
        text = csv(frame, lineterminator=end)
        theirs = pd.read_csv(io.StringIO(text, newline=""), keep_default_na=True)
        ours = read_table(text.encode(), target="kind").frame
        assert ours["remark"].isna().tolist() == theirs["remark"].isna().tolist()
        assert [str(a).split() for a in ours["remark"].dropna()] == [str(a).split() for a in theirs["remark"].dropna()]
        assert ours["length"].tolist() == theirs["length"].tolist()


def test_decimal_commas_are_numbers_where_semicolons_part_the_columns():
    assert read_table(csv(sep=";", decimal=",").encode()).frame["length"].tolist() == FRAME["length"].tolist()


@pytest.mark.parametrize("gap", ["", "NA", "n/a", "NaN", "null", "None", "?", "-", "."])
def test_gaps_are_gaps(gap):
    text = csv().replace("1.5,", f"{gap},").replace("Rome", f" {gap} ")
    table = read_table(text.encode())
    assert table.frame["length"].isna().tolist() == (FRAME["length"] == 1.5).tolist()
    assert table.frame["town"].isna().tolist() == (FRAME["town"] == "Rome").tolist()
    assert table.frame["length"].dtype == float


def test_codes_stay_words_and_whole_numbers_whole():
    frame = FRAME.assign(postcode=[f"0{4 + i % 3}109" for i in range(40)], legs=[i % 4 for i in range(40)])
    table = read_table(csv(frame).encode(), target="kind")
    assert table.frame["postcode"].iloc[1] == "05109"
    assert table.frame["legs"].dtype == int


def test_whole_numbers_among_others_leave_these_as_they_are():
    text = csv(FRAME.assign(x=["3", "3.5"] * 20)).encode()
    assert read_table(text, "kind").frame["x"].tolist() == [3, 3.5] * 20


@pytest.mark.parametrize(("odd", "numbers"), [(2, True), (3, False)])
def test_one_cell_in_twenty_may_be_no_number(odd, numbers):
    cells = ["unknown"] * odd + FRAME["length"].astype(str).tolist()[odd:]
    column = read_table(csv(FRAME.assign(length=cells)).encode(), "kind").frame["length"]
    assert column.tolist()[odd:] == (FRAME["length"].tolist() if numbers else cells)[odd:]


def test_a_few_cells_that_are_no_numbers_are_gaps_and_many_make_a_column_of_words():
    few = FRAME.assign(length=[str(x) if i else "about 2" for i, x in enumerate(FRAME["length"])])
    table = read_table(csv(few).encode())
    assert table.frame["length"].isna().sum() == 1
    assert "'length': no number in 1 cell, such as 'about 2': taken as gaps." in str(table)
    many = FRAME.assign(length=[str(x) if i > 9 else "about 2" for i, x in enumerate(FRAME["length"])])
    assert read_table(csv(many).encode()).frame["length"].dtype == object


def test_without_a_file_it_is_the_penguins():
    table = read_table()
    assert str(table) == (
        "penguins.csv: 344 rows, 11 of them with gaps; target species (Adelie 152, Gentoo 124, Chinstrap 68); "
        "7 columns: island, bill_length_mm, bill_depth_mm, flipper_length_mm, body_mass_g, sex and year."
    )
    assert table.targets == ["species", "island", "sex", "year"]
    assert len(table.choose("sex").X) == 333
    assert "Left out: 11 rows without a sex." in str(table.choose("sex"))
    assert str(read_table(target="sex")) == str(table.choose("sex"))
    assert str(read_table(name="birds")).startswith("birds: 344 rows")


def test_a_path_or_a_frame_is_read_alike(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(csv(), encoding="utf-8")
    for source in (path, str(path), FRAME):
        table = read_table(source, "town")
        assert (len(table.X), table.target, list(table.X)) == (40, "town", ["length", "kind"])
    assert [read_table(source, name=name).name for source in (path, FRAME) for name in ("", "ours")] == [
        "mine.csv", "ours", "your table", "ours",
    ]  # fmt: skip
    frame = FRAME.copy()
    table = read_table(frame).X
    table.loc[0, "length"] = 99
    pd.testing.assert_frame_equal(frame, FRAME)


def test_the_target_is_the_column_that_is_called_so_or_the_last_that_can_be():
    assert read_table(FRAME).target == "kind"
    assert read_table(FRAME[["kind", "length", "town"]]).target == "town"
    assert read_table(FRAME.assign(sex=FRAME["kind"])).target == "sex"
    assert read_table(FRAME.rename(columns={"town": "Class"})).target == "Class"
    assert read_table(FRAME.rename(columns={"town": "Class"})).notes == ()
    assert read_table(FRAME.rename(columns={"town": "Class", "kind": "label"})).target == "label", "the last of two"


@pytest.mark.parametrize(("classes", "more"), [(4, ""), (5, " and 1 more"), (6, " and 2 more")])
def test_of_many_classes_the_four_largest_are_counted(classes, more):
    kinds = [letter for k, letter in enumerate("abcdef"[:classes]) for _ in range(20 - k)]
    table = read_table(pd.DataFrame({"x": ["u" if i % 3 else "v" for i in range(len(kinds))], "kind": kinds}))
    assert f"target kind (a 20, b 19, c 18, d 17{more}); " in str(table)


# --- columns and rows that are left out -------------------------------------------------------------------------------


def test_columns_that_name_a_row_or_say_nothing_are_left_out_by_name():
    frame = FRAME.assign(
        id=range(100, 140), name=[f"n{i}" for i in range(40)], unit="mm", empty=None, weight=np.linspace(0, 1, 40)
    )
    table = read_table(frame, "kind")
    assert list(table.X) == ["length", "town", "weight"], "numbers that all differ are measurements"
    said = str(table)
    for name, why in (("id", "it counts the rows"), ("name", "40 different texts in 40 rows"),
                      ("unit", "it has the same value everywhere"), ("empty", "it is empty")):  # fmt: skip
        assert re.search(rf"Left out: column {name}, {why}", said)
    assert "names rows" not in said
    assert "steps" in read_table(FRAME.assign(steps=[0, *range(2, 41)]), "kind").X, "not one by one"


@pytest.mark.parametrize("decimal", [".", ","])
def test_numbers_with_a_word_among_them_are_left_out_for_that_word(decimal):
    """Not for being texts that tell rows apart: the word is named, and without it they are read as numbers."""
    cells = [f"{5 + i / 100:.2f}".replace(".", decimal) for i in range(40)]
    kinds = [f"x{i % 2}" for i in range(40)]
    for words in (["k.A."] * 3 + ["n/m"], *([["k.A."]] if decimal == "," else [])):
        column = [*words, *cells[len(words) :]]
        lines = (f'"{cell}",{i % 3},{kind}\n' for i, (cell, kind) in enumerate(zip(column, kinds, strict=True)))
        text = "length,legs,kind\n" + "".join(lines)
        said = str(read_table(text.encode(), "kind"))
        assert f"Left out: column length, {40 - len(words)} of 40 cells are numbers and 'k.A.' is none" in said
        emptied = text.replace("k.A.", "").replace("n/m", "")
        assert read_table(emptied.encode(), "kind").X["length"].dtype == float


def test_classes_of_one_row_and_rows_without_a_class_are_left_out():
    twice = pd.concat([FRAME, FRAME], ignore_index=True)
    kinds = [None, None, *["rare"] * 9, "odd", *twice["kind"][12:]]
    table = read_table(twice.assign(kind=kinds), "kind")
    assert len(table.X) == len(table.y) == 68
    assert set(table.y) == set(KINDS)
    assert "Left out: 2 rows without a kind." in str(table)
    assert "Left out: rare and odd, classes of fewer than 10 rows" in str(table)
    one = read_table(twice.assign(kind=[*["rare"] * 9, *["ten"] * 10, *twice["kind"][19:]]), "kind")
    assert "Left out: rare, a class of fewer than 10 rows" in str(one)
    assert set(one.y) == {"ten", *KINDS}


@pytest.mark.parametrize("rare", [2, 4, 9])
def test_whatever_is_accepted_can_be_diagnosed_and_calibrated(rare):
    """Section 6 of chapter 12, on 40 rows and with a third class that is rare."""
    rng = np.random.default_rng(rare)
    kinds = np.repeat(["a", "b", "c"], [20, 20, rare])
    frame = pd.DataFrame({"x": rng.normal(size=len(kinds)) + (kinds == "a"), "w": rng.choice(["u", "v"], len(kinds))})
    table = read_table(frame.assign(kind=kinds), "kind")
    report = diagnose(MixedNB(handle_unknown="ignore"), table.X, table.y, cv=StratifiedKFold(5))
    assert "on 40 rows" in report.summary
    assert Adjusted(MixedNB(handle_unknown="ignore"), cv=5).fit(table.X, table.y).value_ > 0


def test_iris_goes_through_section_6():
    iris = load_iris(as_frame=True).frame
    table = read_table(iris.assign(target=iris["target"].map(str)))
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    assert "on 150 rows" in diagnose(MixedNB(handle_unknown="ignore"), table.X, table.y, cv=folds).summary


def test_many_decimals_are_to_be_cut_into_ranges():
    frame = pd.concat([FRAME] * 8, ignore_index=True).assign(price=np.linspace(0, 1, 320) ** 2)
    with pytest.raises(TableError, match=r"'price' cannot be the target: it has 320 different values.*pandas.cut"):
        read_table(frame, "price")


def test_a_comma_in_one_name_parts_no_columns():
    text = csv(FRAME.rename(columns={"length": "length, mm"}), sep=";")
    assert "length, mm" in read_table(text.encode()).frame
    assert _width("a, b;c\n" + "1;2\n" * 9, ";") == 2
    assert _width("a, b;c\n" + "1;2\n" * 9, ",") == 2 * 1 / 10
    two = read_table(("x;y\n" + "1,5;2,5\n3,5;4,5\n" * 20).encode())
    assert two.frame.drop_duplicates().to_numpy().tolist() == [[1.5, 2.5], [3.5, 4.5]]


def test_a_text_has_next_to_no_signs_that_no_text_has():
    text = "a,b\n" + "x" * 986
    assert _text((text + "\x01" * 10).encode())[1] == []
    with pytest.raises(TableError, match="This is no text"):
        _text((text + "\x01" * 11).encode())
    assert _text(b"a, b\n")[1] == []


@pytest.mark.parametrize(("different", "kept"), [(20, True), (21, False)])
def test_texts_that_tell_rows_apart_are_those_of_more_than_half_of_them(different, kept):
    texts = [f"t{min(k, different - 1)}" for k in range(40)]
    table = read_table(FRAME[:40].assign(note=texts), "kind")
    assert ("note" in table.X) == kept
    assert f"column note, {different} different texts in 40 rows tell rows apart" in str(table) or kept


def test_a_name_that_is_a_number_is_a_name_where_most_are_none():
    assert list(read_table(csv(FRAME.rename(columns={"length": "2020"})).encode()).frame)[:2] == ["2020", "town"]
    two = pd.DataFrame({"1990": range(40), "kind": ["x", "y"] * 20})
    assert list(read_table(csv(two).encode(), "kind").frame) == ["1990", "kind"]


def test_one_row_that_is_too_long_is_named_and_of_several_the_first_and_how_many_more():
    lines = csv().splitlines()
    for more, said in ((1, "marks?"), (2, "marks? 1 other row too."), (3, "marks? 2 other rows too.")):
        broken = [*lines[:3], *(line + ",extra" for line in lines[3 : 3 + more]), *lines[3 + more :]]
        with pytest.raises(TableError, match=r"row 4 has \d+\. Is a comma inside") as problem:
            read_table("\n".join(broken).encode())
        assert str(problem.value).endswith(said)


def test_infinite_numbers_are_gaps():
    text = csv().replace("1.5,", "inf,")
    table = read_table(text.encode())
    assert table.frame["length"].isna().sum() == (FRAME["length"] == 1.5).sum() > 0
    assert "'length': no number in" in str(table)
    for endless in (np.inf, -np.inf):
        theirs = FRAME.assign(length=FRAME["length"].replace(1.5, endless))
        table = read_table(theirs)
        assert table.frame["length"].isna().sum() == (FRAME["length"] == 1.5).sum()
        assert "'length': infinite in 4 cells: taken as gaps." in str(table)
        assert np.isinf(theirs["length"]).any(), "the reader's own frame stays as it is"


def test_whole_numbers_that_all_differ_are_asked_about():
    numbers = np.random.default_rng(0).permutation(np.arange(1000, 1400, 10))
    table = read_table(FRAME.assign(ticket=numbers), "kind")
    assert "ticket" in table.X
    assert "Every row has its own ticket: is it a number that names rows? Then leave it out" in str(table)
    assert "names rows" not in str(read_table(FRAME.assign(ticket=numbers // 100), "kind"))


@pytest.mark.parametrize("separator", [",", ";"])
def test_commas_between_thousands(separator):
    prices = [1_234_567 + 1000 * (i % 7) for i in range(40)]
    text = csv(FRAME.assign(price=[f"{p:,}" for p in prices]), sep=separator).encode()
    table = read_table(text, "kind")
    assert table.frame["price"].tolist() == prices
    assert "'price': 1,234,567 is read as 1234567." in str(table)


@pytest.mark.parametrize(("separator", "way"), [
    (";", lambda p: f"{p:,.2f}".translate(GERMAN)),  # 1.234.567,50
    ("|", lambda p: f"{p:,.2f} €".translate(GERMAN)),
    (",", lambda p: f"{p:.2f}".replace(".", ",")),  # between quotation marks, as pandas writes it
    (",", lambda p: f"{p:,.2f}".translate(GERMAN)),
    (",", lambda p: f"{p:,.2f}".replace(",", "\u202f")),
    (";", lambda p: f"{p:,.2f}".replace(",", " ").replace(".", ",")),
    (",", lambda p: f"{p} kg"),
    (";", lambda p: f"${p:,}"),
    (",", lambda p: f"{p}%"),
])  # fmt: skip
def test_numbers_are_read_however_they_are_written(separator, way):
    """One of them small: no mark between its thousands. One of them is missing."""
    prices = [1_234_567.5 + 1000 * (i % 7) for i in range(38)] + [812.25, np.nan]
    cells = [way(p) for p in prices[:-1]] + [""]
    table = read_table(csv(FRAME.assign(price=cells), sep=separator).encode(), "kind")
    np.testing.assert_array_equal(table.frame["price"], prices)
    assert f"'price': {cells[0]} is read as 1234567.5" in str(table)


def test_a_dot_is_a_mark_of_thousands_where_it_cannot_be_another():
    """In a file of decimal commas 1.234 beside 812 is 1234; alone it may be either, and is read as a number."""
    dotted, plain = [f"1.{200 + i % 7}" for i in range(40)], [f"{800 + i % 7}" for i in range(40)]
    both = [(dotted if i % 2 else plain)[i] for i in range(40)]
    for cells, sep, first in ((both, ";", 1201), (dotted, ";", 1.201), (both, ",", 1.201)):
        table = read_table(csv(FRAME.assign(price=cells), sep=sep).encode(), "kind")
        assert table.frame["price"].iloc[1] == first
    decimals = [f"{i / 7:.3f}" for i in range(40)]
    assert read_table(csv(FRAME.assign(x=decimals), sep=";").encode(), "kind").frame["x"].iloc[8] == 1.143


@pytest.mark.parametrize("cells", [["5 kg", "7 mm"], ["1,2,3", "1,2"], ["A4", "A5"], ["05 kg", "04 kg"],
                                   ["2024-01-01", "2024-01-02"], ["1.2.3", "1.2.4"], ["10:30", "11:30"],
                                   ["1st", "2nd"], ["12.345,6", "1.5"]])  # fmt: skip
@pytest.mark.parametrize("separator", [",", ";"])
def test_what_only_looks_like_a_number_stays_text(cells, separator):
    text = csv(FRAME.assign(x=cells * 20), sep=separator).encode()
    assert read_table(text, "kind").frame["x"].tolist() == cells * 20


@pytest.mark.parametrize(("separator", "read"), [(",", ["1,5 kg", "2.5 kg"]), (";", [1.5, 2.5])])
def test_two_ways_to_write_decimals_are_one_where_no_comma_parts_the_columns(separator, read):
    text = csv(FRAME.assign(x=["1,5 kg", "2.5 kg"] * 20), sep=separator).encode()
    assert read_table(text, "kind").frame["x"].tolist() == read * 20


def test_numbers_of_nines_far_from_the_rest_are_asked_about():
    def said(values):
        return str(read_table(FRAME.assign(lab=values * 10), "kind"))

    assert "'lab': −999 in 10 rows, far from all others: does it stand for a gap?" in said([3, 5, 4, -999])
    assert "'lab': 99.0 in" not in said([3.5, 5.0, 4.0, 98.0])
    assert "'lab': 99 in 10 rows" in said([3.5, 5.0, 4.0, 99.0])
    assert "'lab': −999 in 10 rows" in said([900, 998, 950, -999]), "far from them, not from their negatives"
    assert "'lab': −999 in 20 rows" in said([3, 5, -999, -999])
    for none in ([3, 5, 4, 9], [30, 60, 90, 99], [3, 5, 4, -998], [-500, 3, 4, -999], [3, 4, 600, 999], [1, 50, 1, 99],
                 [3, 3, 3, -999]):  # fmt: skip
        assert "stand for a gap" not in said(none)
    twice = str(read_table(FRAME.assign(lab=[3, 4, 5, 6] * 9 + [3, 4, 9999, 9999]), "kind"))
    assert "'lab': 9999 in 2 rows" in twice
    once = str(read_table(FRAME.assign(lab=[3, 4, 5, 6] * 9 + [3, 4, 5, 9999]), "kind"))
    assert "stand for a gap" not in once, "a single one may be an outlier"


def test_three_decimals_after_a_comma_are_decimals():
    text = csv(FRAME.assign(price=[f"1,{200 + i % 7}" for i in range(40)]), sep=";").encode()
    assert read_table(text, "kind").frame["price"].iloc[0] == 1.2


def test_a_label_column_of_one_class_says_why_it_is_not_the_target():
    table = read_table(FRAME.assign(species="Adelie"))
    assert table.target == "kind"
    assert "'species' cannot be the target: it has one class only, Adelie." in str(table)
    assert read_table(FRAME.assign(species="Adelie"), "kind").notes == (), "who names another one knows"
    once = FRAME.assign(species=["Adelie", *[None] * 39])
    assert "it has one class only, Adelie." in read_table(once).notes[0]


def test_a_column_without_a_name_is_named_by_its_number():
    frame = FRAME.rename(columns={"length": ""}).assign(**{"": range(40)})
    said = str(read_table(csv(frame).encode()))
    assert "Left out: column 1, it counts the rows." in said
    assert "column column" not in said
    two = read_table(csv(FRAME[["town", "kind"]].rename(columns={"town": ""})).encode())
    assert list(two.frame) == ["column 1", "kind"], "one name of two is no title"


# --- files that cannot be read, each with its sentence ----------------------------------------------------------------


@pytest.mark.parametrize(("content", "words"), [
    (b"", "The file is empty."),
    (b" \r\n ", "The file is empty."),
    (b"PK\x03\x04rest", "This is an Excel file, or another packed one and no text. In the spreadsheet: Save as"),
    (b"%PDF-1.7", "This is a PDF file"),
    (bytes(range(256)) * 2, "This is no text"),
    ("a\n" + "1\n" * 20, "There is only one column"),
    ("a,b\n", "a header, and no row"),
    ("a,b\n1,x\n2,y\n", "2 rows under its header, and it takes 40"),
    (csv(FRAME[:39]), "39 rows under its header, and it takes 40"),
    (codecs.BOM_UTF8, "The file is empty."),
    (codecs.BOM_UTF16_LE, "The file is empty."),
    (gzip.compress(csv().encode()), "This is a packed file and no text. Unpack it first."),
    ("<!DOCTYPE html>\n<html><body>a,b</body></html>\n" * 9, "This is a web page"),
    (bytes(range(1, 256)) * 9, "This is no text"),
    ("Penguins of 2007\n" + csv(), "Is there a title above the header?"),
    ("Penguins of 2007,,\n" + csv(), "Is there a title above the header?"),
    ("Penguins of 2007\n" + csv(sep=";"), "Is there a title above the header?"),
    ("length,town\n" + csv().split("\n", 1)[1], "The header has 2 columns and row 2 has 3"),
    ("a,b\n" + "1,x\n" * 20 + "1,x,3\n", "The header has 2 columns and row 22 has 3"),
    ("5.1,3.5,setosa\n" + "4.9,3.0,setosa\n" * 20, "The first row looks like data"),
    ("x,p,s\n" + "x,e,s\nx,p,n\n" * 10, "The first row looks like data"),
    ("5.1,3.5,1.4,0.2,setosa\n" * 9, "The first row looks like data (5.1, 3.5, 1.4, 0.2, …)."),
    ("a,b\na,b\n", "1 row under its header"),
    ("a,b\na,b\nc,d\n", "The first row looks like data"),
    ("a,a\n" + "1,x\n2,y\n" * 10, "Two columns have the same name, 'a'"),
    ("a,b\n" + "".join(f"{i}.5,x\n" for i in range(40)), "'b': it has one class only, x."),
    ("a,b\n" + "".join(f"{i}.5,w{i}\n" for i in range(40)), "No column can be the target"),
    ('a,b\n1,"x\n' + "2,y\n" * 60_000, "Is a quotation mark left open?"),
    ('a,b\n1,"x\n' + "2,y\n" * 60, "Is a quotation mark left open?"),
])  # fmt: skip
def test_a_wrong_file_gets_one_sentence(content, words):
    assert words in sentence(content)


def test_a_target_of_ten_thousand_categories_is_refused():
    frame = pd.DataFrame({"town": [f"t{i % 10_000}" for i in range(20_000)], "kind": ["a", "b"] * 10_000,
                          "price": [i % 9_000 for i in range(20_000)]})  # fmt: skip
    with pytest.raises(TableError, match=r"'town' cannot be the target: it has 10,000 different values, and more than"):
        read_table(frame, "town")
    with pytest.raises(TableError, match=r"9,000 different values.* Cut it into ranges, with pandas.cut"):
        read_table(frame, "price")
    assert read_table(frame).targets == ["kind"]
    assert MOST_CLASSES == 50


def test_a_target_that_is_not_there_or_names_the_rows_is_refused():
    with pytest.raises(TableError, match=r"There is no column 'sort'; there are length, town and kind."):
        read_table(FRAME, "sort")
    with pytest.raises(TableError, match="every row has a value of its own"):
        read_table(FRAME.assign(name=[f"n{i}" for i in range(40)]), "name")
    with pytest.raises(TableError, match="only one of its classes has 10 rows or more"):
        read_table(FRAME.assign(kind=["a"] * 31 + ["b"] * 9), "kind")
    with pytest.raises(TableError, match="only 35 rows have a class of 10 rows or more, and it takes 40"):
        read_table(FRAME.assign(kind=["a"] * 25 + ["b"] * 10 + ["c"] * 5), "kind")


def test_why_a_column_is_no_target():
    def why(values, name="x"):
        with pytest.raises(TableError) as problem:
            read_table(pd.DataFrame({name: values, "kind": [*"ab" * (len(values) // 2)]}), name)
        return str(problem.value).removeprefix(f"{name!r} cannot be the target: ")

    assert why(range(50)).startswith("every row has a value of its own")
    assert why([f"n{i}" for i in range(60)]).startswith("every row has a value of its own")
    assert why(range(52)).startswith("it has 52 different values, and more than 50 are hardly classes. Cut it")
    assert why([i % 5 for i in range(40)]) == "none of its classes has 10 rows or more."
    many = pd.DataFrame({"fifty": [f"n{i % 50}" for i in range(510)], "more": [f"n{i % 51}" for i in range(510)]})
    assert read_table(many).targets == ["fifty"]
    three = pd.DataFrame({name: range(40) for name in "abcd"})
    assert re.findall("'(.)': every row", sentence(csv(three))) == ["a", "b", "c"]


def test_of_more_than_eight_columns_the_first_eight_are_listed():
    frame = FRAME.assign(**{name: FRAME["kind"] for name in "abcdef"})
    for left, end in ((frame.drop(columns="f"), "d and e."), (frame, "d, e and 1 more.")):
        with pytest.raises(TableError, match=rf"there are length, town, kind, a, b, c, {end}$"):
            read_table(left, "sort")


def test_no_column_left_to_learn_from_is_said():
    frame = pd.DataFrame({"name": [f"n{i}" for i in range(40)], "kind": ["a", "b"] * 20})
    with pytest.raises(TableError, match=r"Beside 'kind' no column is left to learn from. Left out: column name"):
        str(read_table(frame))


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(TableError, match=r"The file has 50 MB, and this page reads up to 50. Take some of its rows"):
        read_table(path)
    with pytest.raises(TableError, match="reads up to 50"):
        read_table(bytes(MOST_BYTES + 1))


def test_a_file_of_just_the_largest_size_is_read(tmp_path, monkeypatch):
    path = tmp_path / "mine.csv"
    path.write_bytes(csv().encode())
    monkeypatch.setattr(csv_table, "MOST_BYTES", path.stat().st_size)
    for source in (path, path.read_bytes()):
        assert len(read_table(source).X) == 40


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(TableError, match="No such file"):
        read_table(tmp_path / "nowhere.csv")
    with pytest.raises(TableError, match="cannot be read"):
        read_table(tmp_path)


# --- on the page ------------------------------------------------------------------------------------------------------


def test_nothing_leaves_the_machine(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a table is read here")

    for name in ("create_connection", "getaddrinfo", "socket"):
        monkeypatch.setattr(socket, name, refuse)
    assert your_table().take(csv().encode(), "mine.csv").startswith("mine.csv: 40 rows")


def test_the_button_exchanges_the_table_and_a_wrong_file_does_not():
    yours = your_table()
    assert yours.plain() == repr(yours) == str(read_table())
    _, row, reply = yours.rows(said := Said())
    upload, target = row.children
    assert reply is said
    assert (target.value, target.options) == ("species", ("species", "island", "sex", "year"))
    upload.value = ({"name": "bad.csv", "type": "", "size": 2, "content": memoryview(b"PK"), "last_modified": NOW},)
    assert said.words.startswith("bad.csv: This is an Excel file")
    assert said.words.endswith("The table still is penguins.csv.")
    assert yours.name == "penguins.csv"
    upload.value = (upload.value[0] | {"name": "mine.csv", "content": memoryview(csv().encode())},)
    assert said.words.startswith("mine.csv: 40 rows")
    assert (target.value, target.options) == ("kind", tuple(yours.table.targets))
    target.value = "town"
    assert yours.y.tolist() == FRAME["town"].tolist()
    assert list(yours.X) == ["length", "kind"]
    assert "target town" in said.words


def test_without_a_kernel_the_page_has_its_words():
    data = your_table()._repr_mimebundle_()
    assert data["text/plain"] == str(read_table())
    assert "application/vnd.jupyter.widget-view+json" in data


def test_a_chosen_target_that_leaves_nothing_is_said_and_changes_nothing():
    yours = your_table(pd.DataFrame({"a": ["x", "y"] * 20, "b": ["u", "v", "u", "u"] * 10}))
    yours.table = Table("t", yours.table.frame.assign(a="x"), "b")
    assert "no column is left" in yours.choose("b")
    assert "cannot be the target" in yours.choose("a")


NOW = pd.Timestamp("2026-01-01").to_pydatetime()


class Said:
    """What the page says."""

    words = ""

    def say(self, words):
        self.words = words
