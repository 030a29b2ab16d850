"""A CSV file of the reader's own: read whatever wrote it, or one sentence on what is wrong; sent nowhere."""

import codecs
import io
import re
import socket

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold

from nbcore.diagnosis import Adjusted, diagnose
from nbcore.mixed import MixedNB
from workbook.chapters.c12_your_own_table import csv_file
from workbook.chapters.c12_your_own_table.csv_table import Table, TableError, read_table
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
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_every_separator_in_every_encoding_gives_the_same_table(separator, encoding):
    table = read_table(csv(sep=separator).encode(encoding), name="mine.csv")
    pd.testing.assert_frame_equal(table.frame, FRAME, check_dtype=False)
    assert table.notes == ()
    assert (table.name, table.target) == ("mine.csv", "kind")
    pd.testing.assert_frame_equal(table.X, FRAME[["length", "town"]], check_dtype=False)
    assert table.y.tolist() == FRAME["kind"].tolist()


def test_a_file_in_no_unicode_is_read_as_latin_1_with_a_note():
    frame = FRAME.replace({"town": {"Łódź": "5 €", "Møns": "Mons"}})
    table = read_table(csv(frame).encode("cp1252"))
    assert table.frame["town"].tolist() == frame["town"].tolist()
    assert "read it as Latin-1" in str(table)


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


@pytest.mark.parametrize("word", ["about 2", "inf"])
@pytest.mark.parametrize(("odd", "different", "numbers"), [(2, 4, True), (3, 4, False), (8, 11, True), (9, 11, False)])
def test_a_few_cells_may_be_no_numbers(odd, different, numbers, word):
    """One of twenty anywhere, one of five among measurements: of ten codes or fewer the word may be one more."""
    cells = [word] * odd + [f"{(7 * i) % different / 4:g}" for i in range(odd, 40)]
    table = read_table(csv(FRAME.assign(length=cells)).encode(), "kind")
    assert table.frame["length"].tolist()[odd:] == [float(cell) if numbers else cell for cell in cells[odd:]]
    said = f"'length': {40 - odd} of 40 cells are numbers; '{word}' is not. What is no number is taken as a gap."
    assert (said in str(table)) == numbers


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize(("word", "odd"), [("k.A.", 1), ("k.A.", 6), ("#N/A", 6), ("<0.5", 9)])
@pytest.mark.parametrize("way", [
    "{:.2f}".format, lambda x: f"{x:.2f}".replace(".", ","), lambda x: f"{1000 * x:,.2f}",
    lambda x: f"{1000 * x:,.2f}".translate(GERMAN), lambda x: f"{1000 * x:,.1f}".replace(",", " "),
    lambda x: f"{x:.1f} %",
])  # fmt: skip
def test_a_column_of_measurements_keeps_its_numbers_beside_odd_cells(way, word, odd, separator):
    lengths = [4 + (37 * i) % 90 / 30 for i in range(90)]
    cells = [word if i % 10 == 3 and i // 10 < odd else way(x) for i, x in enumerate(lengths)]
    frame = pd.DataFrame({"length": cells, "kind": [KINDS[i % 2] for i in range(90)]})
    table = read_table(csv(frame, sep=separator).encode(), "kind")
    assert table.X["length"].isna().tolist() == [cell == word for cell in cells]
    scale = table.X["length"].mean() / np.mean(lengths)
    assert scale == pytest.approx(1000 if scale > 2 else 1, rel=0.02)
    assert f"'length': {90 - odd} of 90 cells are numbers; '{word}' is not." in str(table)


def test_a_class_among_numbers_stays_a_class():
    kinds = ["X" if i % 7 == 0 else str(i % 3) for i in range(90)]
    table = read_table(csv(pd.DataFrame({"x": np.arange(90) % 13 / 2, "class": kinds})).encode())
    assert table.y.tolist() == kinds


def test_the_first_line_of_excel_names_the_separator():
    for separator in ",;\t|":
        text = f"sep={separator}\r\n" + csv(sep=separator)
        pd.testing.assert_frame_equal(read_table(text.encode()).frame, FRAME, check_dtype=False)


def test_values_that_differ_in_capitals_only_are_told():
    frame = FRAME.assign(color=["Red", "red", "blue", "reds", "green"] * 8)
    assert "color: 'Red' and 'red' are two values here; write them alike if they are one." in str(read_table(frame))
    assert "two values" not in str(read_table(FRAME))


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
    assert read_table(FRAME.rename(columns={"town": "Class", "kind": "label"})).target == "label", "the last of two"


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
    steps = FRAME.assign(steps=[0, *range(2, 41)], half=[f"t{min(k, 19)}" for k in range(40)])
    assert {"steps", "half"} <= set(read_table(steps, "kind").X), "not one by one; not more than half"
    nothing = pd.DataFrame({"name": [f"n{i}" for i in range(40)], "kind": ["a", "b"] * 20})
    with pytest.raises(TableError, match=r"Beside 'kind' no column is left to learn from. Left out: column name"):
        str(read_table(nothing))


@pytest.mark.parametrize("decimal", [".", ","])
def test_numbers_with_many_words_among_them_are_left_out_for_the_words(decimal):
    """Not for being texts that tell rows apart: the word is named, and without it they are read as numbers."""
    cells = [f"{5 + i / 100:.2f}".replace(".", decimal) for i in range(40)]
    frame = FRAME.assign(length=["k.A."] * 7 + ["n/m"] * 3 + cells[10:])
    said = str(read_table(csv(frame).encode(), "kind"))
    assert "Left out: column length, 30 of 40 cells are numbers; 'k.A.' is not" in said
    emptied = csv(frame).replace("k.A.", "").replace("n/m", "")
    assert read_table(emptied.encode(), "kind").X["length"].dtype == float


def test_classes_of_one_row_and_rows_without_a_class_are_left_out():
    twice = pd.concat([FRAME, FRAME], ignore_index=True)
    kinds = [None, None, *["rare"] * 9, "odd", *twice["kind"][12:]]
    table = read_table(twice.assign(kind=kinds), "kind")
    assert len(table.X) == len(table.y) == 68
    assert set(table.y) == set(KINDS)
    assert "Left out: 2 rows without a kind." in str(table)
    assert "Left out: the rows of rare and odd, fewer than 10 of a class." in str(table)
    one = read_table(twice.assign(kind=[*["rare"] * 9, *["ten"] * 10, *twice["kind"][19:]]), "kind")
    assert set(one.y) == {"ten", *KINDS}
    five = [*"abcde" * 10, *"abcd" * 5, *"abc" * 4, *"ab" * 3]
    letters = read_table(pd.DataFrame({"x": np.arange(len(five)) % 7 / 2, "kind": five}))
    assert "target kind (a 22, b 22, c 19, d 15 and 1 more); " in str(letters)


@pytest.mark.parametrize("rare", [2, 4, 9])
def test_whatever_is_accepted_can_be_diagnosed_and_calibrated(rare):
    """Section 6 of chapter 12, on 40 rows and with a third class that is rare."""
    rng = np.random.default_rng(rare)
    kinds = np.repeat(["a", "b", "c"], [20, 20, rare])
    frame = pd.DataFrame({"x": rng.normal(size=len(kinds)) + (kinds == "a"), "w": rng.choice(["u", "v"], len(kinds))})
    table = read_table(frame.assign(kind=kinds), "kind")
    report = diagnose(MixedNB(handle_unknown="ignore"), table.X, table.y, cv=StratifiedKFold(5))
    assert "on 40 rows" in report.summary
    adjusted = Adjusted(MixedNB(handle_unknown="ignore"), cv=5).fit(table.X, table.y)
    np.testing.assert_allclose(adjusted.predict_proba(table.X).sum(axis=1), 1)


def test_a_comma_in_one_name_parts_no_columns():
    text = csv(FRAME.rename(columns={"length": "length, mm"}), sep=";")
    assert "length, mm" in read_table(text.encode()).frame
    two = read_table(("x;y\n" + "1,5;2,5\n3,5;4,5\n" * 20).encode())
    assert two.frame.drop_duplicates().to_numpy().tolist() == [[1.5, 2.5], [3.5, 4.5]]


def test_whole_numbers_that_all_differ_are_asked_about():
    numbers = np.random.default_rng(0).permutation(np.arange(1000, 1400, 10))
    table = read_table(FRAME.assign(ticket=numbers), "kind")
    assert "ticket" in table.X
    assert "Every row has its own ticket: is it a number that names rows? Then delete it in the file." in str(table)
    assert "names rows" not in str(read_table(FRAME.assign(ticket=numbers // 100), "kind"))


@pytest.mark.parametrize(("separator", "way"), [
    (",", lambda p: f"{p:,}"),  # 1,234,567.5
    (";", lambda p: f"{p:,}"),
    (";", lambda p: f"{p:,.2f}".translate(GERMAN)),  # 1.234.567,50
    (",", lambda p: f"{p:.2f}".replace(".", ",")),  # between quotation marks, as pandas writes it
    (",", lambda p: f"{p:,.2f}".translate(GERMAN)),
    (",", lambda p: f"{p:,.2f}".replace(",", "\u202f")),
    (";", lambda p: f"{p:,.2f}".replace(",", " ").replace(".", ",")),
    (",", lambda p: f"{p}%"),
    (";", lambda p: f"{p} %".replace(".", ",")),
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
    for cells, first in (([f"{8 + i / 7:.3f}" for i in range(40)], 8.143), (["0.125", "2"] * 20, 2),
                         (["1.250", "1500"] * 20, 1500), (["3", "3.5"] * 20, 3.5)):  # fmt: skip
        assert read_table(csv(FRAME.assign(x=cells), sep=";").encode(), "kind").frame["x"].iloc[1] == first


def test_a_comma_of_three_digits_begins_decimals_unless_commas_separate_the_columns():
    cells = [f"1,{200 + i % 7}" for i in range(40)]
    for sep, first in ((";", 1.2), (",", 1200)):
        assert read_table(csv(FRAME.assign(price=cells), sep=sep).encode(), "kind").frame["price"].iloc[0] == first


@pytest.mark.parametrize("cells", [["5 kg", "7 kg"], ["1,2,3", "1,2"], ["A4", "A5"], ["05%", "04%"],
                                   ["2024-01-01", "2024-01-02"], ["1.2.3", "1.2.4"], ["10:30", "11:30"],
                                   ["1st", "2nd"], ["12.345,6", "1.5"]])  # fmt: skip
@pytest.mark.parametrize("separator", [",", ";"])
def test_what_only_looks_like_a_number_stays_text(cells, separator):
    text = csv(FRAME.assign(x=cells * 20), sep=separator).encode()
    assert read_table(text, "kind").frame["x"].tolist() == cells * 20


def test_a_column_without_a_name_is_named_by_its_number():
    frame = FRAME.rename(columns={"length": ""}).assign(**{"": range(40)})
    said = str(read_table(csv(frame).encode()))
    assert "Left out: column unnamed 1, it counts the rows." in said
    two = read_table(csv(FRAME[["town", "kind"]].rename(columns={"town": ""})).encode())
    assert list(two.frame) == ["unnamed 1", "kind"], "one name of two is no title"


# --- files that cannot be read, each with its sentence ----------------------------------------------------------------


@pytest.mark.parametrize(("content", "words"), [
    (b"", "The file is empty."),
    (b"PK\x03\x04rest", "This is an Excel or another packed file and no text. In the spreadsheet: Save as"),
    (b"%PDF-1.7", "This is a PDF file"),
    (bytes(range(256)) * 2, "This is no text"),
    ("a\n" + "1\n" * 20, "There is only one column"),
    ("a,b\n", "0 rows under its header, and it takes 40"),
    (csv(FRAME[:39]), "39 rows under its header, and it takes 40"),
    (codecs.BOM_UTF16_LE, "The file is empty."),
    (csv().encode("utf-16-le"), "This is no text"),
    ("<!DOCTYPE html>\n<html><body>a,b</body></html>\n" * 9, "This is a web page"),
    (b"a,b\n" + b"x" * 986 + b"\x01" * 10, "row 2 has 1"),
    (b"a,b\n" + b"x" * 986 + b"\x01" * 11, "This is no text"),
    (bytes(50_000_001), "more than 50 MB"),
    ("Penguins of 2007\n" + csv(), "Delete a title above the header."),
    ("Penguins of 2007,,\n" + csv(), "Delete a title above the header."),
    ("Penguins of 2007\n" + csv(FRAME[["town", "kind"]], sep=";"), "Delete a title above the header."),
    ("length,town\n" + csv().split("\n", 1)[1], "The header has 2 columns and row 2 has 3"),
    ("a,b\n" + "1,x\n" * 20 + "1,x,3\n", "The header has 2 columns and row 22 has 3"),
    ("x,p,s\n" + "x,e,s\nx,p,n\n" * 10, "The first row looks like data"),
    ("5.1,3.5,1.4,0.2,setosa\n" * 9, "The first row looks like data (5.1, 3.5, 1.4, 0.2, …)."),
    ("a,b\na,b\n", "1 row under its header"),
    ("a,b\na,b\nc,d\n", "The first row looks like data"),
    ("a,a\n" + "1,x\n2,y\n" * 10, "Two columns have the same name, 'a'"),
    ("a,b\n" + "".join(f"{i}.5,x\n" for i in range(40)), "'b': it has one class only, x."),
    ("a,b\n" + "".join(f"{i}.5,w{i}\n" for i in range(40)), "No column can be the target"),
    ('a,b\n1,"x\n' + "2,y\n" * 60, "Is a quotation mark left open?"),
])  # fmt: skip
def test_a_wrong_file_gets_one_sentence(content, words):
    assert words in sentence(content)


def test_a_file_that_is_too_large_or_not_there_gets_its_sentence_too(tmp_path, monkeypatch):
    path = tmp_path / "mine.csv"
    path.write_bytes(csv().encode())
    monkeypatch.setattr(csv_file, "MOST_BYTES", path.stat().st_size)
    assert len(read_table(path).X) == 40
    monkeypatch.setattr(csv_file, "MOST_BYTES", path.stat().st_size - 1)
    with pytest.raises(TableError, match="Take some of its rows"):
        read_table(path)
    with pytest.raises(TableError, match="No such file"):
        read_table(tmp_path / "nowhere.csv")


def test_why_a_column_is_no_target():
    def why(values, name="x"):
        with pytest.raises(TableError) as problem:
            read_table(pd.DataFrame({name: values, "kind": [*"ab" * (len(values) // 2)]}), name)
        return str(problem.value).removeprefix(f"{name!r} cannot be the target: ")

    assert why(range(50)).startswith("every row has a value of its own")
    assert why([f"n{i}" for i in range(60)]).startswith("every row has a value of its own")
    assert why(range(52)).startswith("it has 52 different values, and more than 50 are hardly classes. Cut it")
    assert why([i % 5 for i in range(40)]).startswith("0 rows have a class of 10 rows or more, and it takes 40")
    assert why(["a"] * 31 + ["b"] * 9).startswith("31 rows have a class of 10 rows or more")
    assert why(["a"] * 25 + ["b"] * 10 + ["c"] * 5).startswith("35 rows have a class of 10 rows or more")
    with pytest.raises(TableError, match=r"There is no column 'sort'; there are length, town and kind."):
        read_table(FRAME, "sort")
    nine = FRAME.assign(**dict.fromkeys("abcdef", FRAME["kind"]))
    with pytest.raises(TableError, match=r"there are length, town, kind, a, b, c, d, e and 1 more.$"):
        read_table(nine, "sort")
    many = pd.DataFrame({"fifty": [f"n{i % 50}" for i in range(510)], "more": [f"n{i % 51}" for i in range(510)]})
    assert read_table(many).targets == ["fifty"]
    three = pd.DataFrame({name: range(40) for name in "abcd"})
    assert re.findall("'(.)': every row", sentence(csv(three))) == ["a", "b", "c"]


# --- on the page ------------------------------------------------------------------------------------------------------


def test_nothing_leaves_the_machine(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a table is read here")

    for name in ("create_connection", "getaddrinfo", "socket"):
        monkeypatch.setattr(socket, name, refuse)
    assert your_table().take(csv().encode(), "mine.csv").startswith("mine.csv: 40 rows")


def test_the_button_exchanges_the_table_and_a_wrong_file_does_not():
    yours = your_table()
    assert yours.to_text() == repr(yours)
    assert yours.to_text().split() == str(read_table()).split()
    assert max(map(len, repr(yours).splitlines())) <= 64
    _, row, reply = yours.rows()
    upload, target = row.children
    assert (target.value, target.options) == ("species", ("species", "island", "sex", "year"))
    upload.value = ({"name": "bad.csv", "type": "", "size": 2, "content": memoryview(b"PK"), "last_modified": NOW},)
    assert reply.sentence.startswith("bad.csv: This is an Excel")
    assert reply.sentence.endswith("The table still is penguins.csv.")
    assert yours.name == "penguins.csv"
    upload.value = (upload.value[0] | {"name": "mine.csv", "content": memoryview(csv().encode())},)
    assert reply.sentence.startswith("mine.csv: 40 rows")
    assert (target.value, target.options) == ("kind", tuple(yours.table.targets))
    target.value = "town"
    assert yours.y.tolist() == FRAME["town"].tolist()
    assert list(yours.X) == ["length", "kind"]
    assert "target town" in reply.sentence


def test_a_chosen_target_that_leaves_nothing_is_said_and_changes_nothing():
    yours = your_table(pd.DataFrame({"a": ["x", "y"] * 20, "b": ["u", "v", "u", "u"] * 10}))
    yours.table = Table("t", yours.table.frame.assign(a="x"), "b")
    assert "no column is left" in yours.choose("b")
    assert "cannot be the target" in yours.choose("a")


NOW = pd.Timestamp("2026-01-01").to_pydatetime()
