"""The rule of coverage on toy explorers, by brute force."""

from itertools import pairwise, product

import pytest

from workbook.site.packs.coverage import STEPS, WHOLE, Scale, coverages, grid

ORDERED, CHOICE = Scale(9), Scale(3, ordered=False)
TOYS = {
    "sliders": ([Scale(9), Scale(20)], [(4, 7)], [(0, 0), (8, 3)]),
    "with a choice": ([Scale(9), CHOICE, Scale(5)], [(4, 1, 0), (2, 2, 2)], [(8, 0, 4)]),
    "one control": ([Scale(6)], [(2,)], [(2,), (5,)]),
}


def always(number, place):
    return True


def off(place, base):
    return [k for k, (a, b) in enumerate(zip(place, base, strict=True)) if a != b]


@pytest.fixture(params=TOYS)
def toy(request):
    return TOYS[request.param]


def found(toy, active=always, most=10**6):
    return dict(coverages(*toy, active, most))


def brute(toy, within):
    scales, first, more = toy
    return {place for place in product(*(range(scale.count) for scale in scales)) if within(place, [*first, *more])}


def test_each_level_holds_the_one_before_it_in_order(toy):
    found_coverages = list(found(toy).values())
    for small, large in pairwise(found_coverages):
        assert large[: len(small)] == small
        assert len(large) > len(small)
        assert len(set(large)) == len(large)


def test_it_begins_with_the_states_of_interest_and_ends_with_the_grid(toy):
    scales, first, more = toy
    found_coverages = list(found(toy).values())
    assert found_coverages[0] == list(dict.fromkeys([*first, *more]))
    assert len(found_coverages[-1]) == grid(scales)
    assert set(found_coverages[-1]) == brute(toy, lambda place, bases: True)


def rules(toy):
    """Name of each coverage -> whether a place belongs to it, by definition."""
    scales, first, more = toy
    bases = [*first, *more]
    chosen = {k for k, scale in enumerate(scales) if not scale.ordered}
    yield "one control away from where it starts", lambda place: any(len(off(place, base)) <= 1 for base in first)
    yield "one control", lambda place: any(len(off(place, base)) <= 1 for base in bases)
    yield (
        "two controls, one of them a choice",
        lambda place: any(len(d := off(place, b)) <= 1 or (len(d) == 2 and chosen & {*d}) for b in bases),
    )
    for step in STEPS:

        def in_steps(place, step=step):
            for base in bases:
                moved = off(place, base)
                if len(moved) < 2 or (len(moved) == 2 and {*moved} & chosen):
                    return True
                if len(moved) == 2 and any((place[k] - base[k]) % step == 0 for k in moved):
                    return True
            return False

        yield f"two controls, one in steps of {step}" if step > 1 else "any two controls", in_steps


def test_each_coverage_is_what_its_name_says(toy):
    named, seen = found(toy), 0
    for name, belongs in rules(toy):

        def within(place, bases, belongs=belongs):
            return place in bases or belongs(place)

        if name in named:
            assert set(named[name]) == brute(toy, within), name
            seen += 1
    assert seen == len(named) - 1 - (WHOLE in named)


def test_a_control_that_cannot_be_moved_at_a_place_is_not():
    scales, first, more = TOYS["with a choice"]

    def active(number, place):
        return number != 2 or place[1] == 0

    named = dict(coverages(scales, first, more, active, 10**6))
    assert all(place[1] == 0 or place[2] in {base[2] for base in (*first, *more)} for place in named["one control"])
    assert (4, 0, 3) in named["two controls, one of them a choice"], "the choice that lets it move, and its move"


@pytest.mark.parametrize("most", [3, 20, 50, 200])
def test_it_stops_at_so_many_states(toy, most):
    found_coverages = list(found(toy, most=most).values())
    assert all(len(places) <= max(most, 3) for places in found_coverages)
