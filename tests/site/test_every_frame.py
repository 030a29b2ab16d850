"""At least 2,000 states over all explorers: packed and read again, a frame is what the live page would show."""

from math import prod

import numpy as np
import pytest

from workbook.site.packs.catalog import Catalog
from workbook.site.packs.frames import Packer
from workbook.site.packs.starts import explorer_classes, starts

from .reader import Frames
from .same import assert_same, assert_words

EACH, RUNS = 57, 3  # states of an explorer; runs of neighbours in the order of its pack, which share slow work


def drawn(catalog):
    """Places of a pack, the presets first; of an explorer with slow work those that need no more of it."""
    places, bases = catalog.places(), catalog.bases
    if slow(type(catalog.explorer)):
        catalog.frame(bases[0])
        places = [place for place in places if catalog.explorer.pending(**catalog.state(place)) is None]
        bases = [place for place in bases if place in places]
    starts_ = np.random.default_rng(20261122).integers(max(1, len(places) - EACH), size=RUNS)
    runs = [place for start in starts_ for place in places[start : start + EACH // RUNS]]
    return list(dict.fromkeys([*bases, *runs, *places]))[:EACH]


def slow(kind):
    return "pending" in vars(kind)


def test_more_than_2000_states_are_looked_at():
    assert EACH * sum(not slow(kind) for kind in explorer_classes().values()) > 2000


@pytest.mark.parametrize("name", explorer_classes())
def test_frames_are_those_of_the_kernel(name):
    catalog = Catalog(explorer_classes()[name], starts()[name])
    places = drawn(catalog)
    every = prod(map(len, catalog.values.values()))
    assert len(places) == min(EACH, every) or slow(type(catalog.explorer))
    assert places
    kernel = {place: catalog.frame(place) for place in places}
    packer = Packer()
    for place, frame in kernel.items():
        packer.add(place, frame)
    packed = Frames(packer.to_bytes(catalog.about()))
    assert packed.places == places
    for place, frame in kernel.items():
        assert_same(frame, packed[place])


def test_the_comparison_sees_a_mark_elsewhere_a_number_said_otherwise_and_another_sentence():
    catalog = Catalog(explorer_classes()["SmoothingExplorer"], {})
    place = catalog.place(catalog.explorer.state)
    one = catalog.frame(place)
    for change in (
        lambda frame: frame.update(sentence="?"),
        lambda frame: frame["formula"].append("?"),
        lambda frame: frame["figure"]["data"].pop(),
        lambda frame: frame["figure"]["layout"]["xaxis"].update(range=[0, 1]),
        lambda frame: frame["figure"]["data"][0].update(name="?"),
    ):
        two = catalog.frame(place)
        assert_same(one, two)
        change(two)
        with pytest.raises(AssertionError):
            assert_same(one, two)


def test_the_comparison_sees_a_fifth_of_a_pixel():
    layout = {"xaxis": {"range": [0, 1]}, "yaxis": {"range": [0, 1]}}

    def frame(x):
        return {"figure": {"data": [{"x": [x], "y": [0.5]}], "layout": layout}, "formula": [], "sentence": "s"}

    assert_same(frame(0.5), frame(0.5 + 0.05 / 1280))
    with pytest.raises(AssertionError):
        assert_same(frame(0.5), frame(0.5 + 0.2 / 1280))
    said = [{"x": [x], "hovertemplate": "%{x:.2f}"} for x in (0.1249, 0.1251, 0.124)]
    with pytest.raises(AssertionError):
        assert_words(said[0], said[1])
    assert_words(said[0], said[2])
