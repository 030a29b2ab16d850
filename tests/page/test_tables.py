"""A CSV file of the reader's own: read whatever wrote it, or one sentence on what is wrong; sent nowhere."""

import io
import re
import socket

import numpy as np
import pandas as pd
import pytest

from workbook.chapters.c12_your_own_table.your_table import your_table
from workbook.page.tables import MOST_BYTES, MOST_CLASSES, Table, TableError, read_table

TOWNS, KINDS = ["Rome", "Liège", "Møns", "Łódź"], ["good", "bad"]
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


def test_a_path_or_a_frame_is_read_alike(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(csv(), encoding="utf-8")
    for source in (path, str(path), FRAME):
        table = read_table(source, "town")
        assert (len(table.X), table.target, list(table.X)) == (40, "town", ["length", "kind"])
    frame = FRAME.copy()
    table = read_table(frame).X
    table.loc[0, "length"] = 99
    pd.testing.assert_frame_equal(frame, FRAME)


def test_the_target_is_the_column_that_is_called_so_or_the_last_that_can_be():
    assert read_table(FRAME).target == "kind"
    assert read_table(FRAME[["town", "kind", "length"]]).target == "length"
    assert read_table(FRAME.rename(columns={"town": "Class"})).target == "Class"


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


def test_classes_of_one_row_and_rows_without_a_class_are_left_out():
    kinds = [None, None, "rare", *FRAME["kind"][3:]]
    table = read_table(FRAME.assign(kind=kinds), "kind")
    assert len(table.X) == len(table.y) == 37
    assert set(table.y) == set(KINDS)
    assert "Left out: 2 rows without a kind." in str(table)
    assert "Left out: rare, with one row each" in str(table)


# --- files that cannot be read, each with its sentence ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "The file is empty."),
        (b" \r\n ", "The file is empty."),
        (b"PK\x03\x04rest", "This is an Excel file"),
        (b"%PDF-1.7", "This is a PDF file"),
        (bytes(range(256)) * 2, "This is no text"),
        ("a\n" + "1\n" * 20, "There is only one column"),
        ("a,b\n", "a header, and no row"),
        ("a,b\n1,x\n2,y\n", "2 rows under its header: too few"),
        ("a,b\n" + "1,x\n" * 20 + "1,x,3\n", "The header has 2 columns and row 22 has 3"),
        ("5.1,3.5,setosa\n" + "4.9,3.0,setosa\n" * 20, "The first row looks like data"),
        ("x,p,s\n" + "x,e,s\nx,p,n\n" * 10, "The first row looks like data"),
        ("a,a\n" + "1,x\n2,y\n" * 10, "Two columns have the same name, 'a'"),
        ("a,b\n" + "".join(f"{i}.5,x\n" for i in range(20)), "'b': it has one class only, x."),
        ("a,b\n" + "".join(f"{i}.5,w{i}\n" for i in range(20)), "No column can be the target"),
        ('a,b\n1,"x\n' + "2,y\n" * 60_000, "Is a quotation mark left open?"),
        ('a,b\n1,"x\n' + "2,y\n" * 60, "Is a quotation mark left open?"),
    ],
)
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
    with pytest.raises(TableError, match="only one of its classes has more than one row"):
        read_table(FRAME.assign(kind=["a"] * 39 + ["b"]), "kind")


def test_no_column_left_to_learn_from_is_said():
    frame = pd.DataFrame({"name": [f"n{i}" for i in range(20)], "kind": ["a", "b"] * 10})
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
    yours = your_table(pd.DataFrame({"a": ["x", "y"] * 10, "b": ["u", "v", "u", "u"] * 5}))
    yours.table = Table("t", yours.table.frame.assign(a="x"), "b")
    assert "no column is left" in yours.choose("b")
    assert "cannot be the target" in yours.choose("a")


NOW = pd.Timestamp("2026-01-01").to_pydatetime()


class Said:
    """What the page says."""

    words = ""

    def say(self, words):
        self.words = words
