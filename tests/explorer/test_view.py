"""What of a view travels: everything that the page reads or writes, and each word it says, even twice."""

import re
from pathlib import Path

import numpy as np

from workbook.explorer import view
from workbook.explorer.view import View


def test_what_the_pages_script_reads_or_writes_is_sent():
    script = "\n".join((Path(view.__file__).parent / name).read_text("utf-8") for name in ("view.js", "ahead.js"))
    asked = set(re.findall(r'model\.(?:get|set)\("(\w+)"', script)) | set(re.findall(r'"change:(\w+)"', script))
    assert len(asked) > 10
    made = View()
    assert asked <= set(made.get_state())
    for trait in ("figure", "formula", "sentence", "caption", "error", "fitting", "share", "name", "said",
                  "controls", "moved", "at", "focused", "plotly", "plain"):  # fmt: skip
        assert trait in made.get_state(), trait


def test_a_page_that_started_late_gets_all_it_missed(monkeypatch):
    brought, sent = [], []
    monkeypatch.setattr(view, "load_page", lambda: brought.append(1))
    made = View()
    assert brought, "what draws is there before the first figure"
    monkeypatch.setattr(made, "send_state", lambda *_: sent.append(1))
    made._handle_custom_msg({}, [])
    assert sent


def test_the_same_words_said_twice_count_twice():
    made = View()
    counts = []
    for words in ("Right.", "Right.", "Wrong."):
        made.say(words)
        counts.append(made.said)
        assert made.sentence == words
    assert len(set(counts)) == 3


def test_the_figure_for_plotly_is_sent_to_those_who_ask_for_it():
    made = View()
    made.show(dict(data=[dict(type="scatter", y=[1.0, 2.0])], layout={}))
    assert made.plain == {}
    assert made.figure["data"][0]["type"] == "scatter"
    made.plotly = True
    assert made.plain["data"][0]["y"] == [1.0, 2.0]
    made.show(dict(data=[dict(type="scatter", y=np.arange(5.0))], layout={}))
    sent = made.plain["data"][0]["y"]
    assert np.array_equal(np.frombuffer(sent["bdata"], sent["dtype"]), np.arange(5.0)), "and every one after it"
    assert "source" in view.load_plotly().traits(sync=True)
    other = View(plotly=True)
    assert other.plain == {}, "nothing is shown yet"
    assert other.name != made.name
