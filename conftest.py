"""Which tests run, and how they are shared out when several workers run them (pytest-xdist)."""

from itertools import count

import pytest

APART = "browser/test_notebooks.py", "browser/test_site_controls.py"
FIGURES = "browser/test_details.py", "browser/test_draw.py", "browser/test_look.py"
FIRST = "test_site_pages.py", "test_setup.py", "test_wheel.py"  # one worker builds the site, the other has enough to do


def together(nodeid):
    """Name the group that one xdist worker runs: a notebook's cells share a kernel, its browser tests a page, the
    tests of a file what they computed, three files the figures of all explorers; on the site an explorer has a page of
    its own. xdist's own groups (3.8) do not reach it under pytest 9.2.
    """
    file, _, test = nodeid.partition("::")
    if file.endswith(FIGURES):
        return "figures"
    return f"{file} {test.partition('[')[2]}" if file.endswith(APART) else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return together(nodeid)

    config.option.loadscopereorder = False  # the order is that of the collection
    return Together(config, log)


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes, too")


def pytest_collection_modifyitems(config, items):
    """Leave what takes minutes to --slow. Workers begin with what takes longest (the site, environments, pages,
    notebooks): at the end nobody waits for one long file. What needs the site or its fits comes once they are there.
    """
    if not config.option.slow:
        slow = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if item not in slow]
        config.hook.pytest_deselected(items=slow)
    if hasattr(config, "workerinput"):
        items.sort(key=order)


def order(item):
    """Return what tests are sorted by."""
    file, first = item.path.name, item.path.name in FIRST
    needs_site = file.startswith(("test_engines", "test_site")) or together(item.nodeid) == "figures"
    return not first, first and FIRST.index(file), "/browser/" not in item.nodeid, needs_site, item.path.suffix == ".py"


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Add to a page that nbval runs a check of each section's numbers, at the section's end."""
    report = yield
    if type(collector).__name__ == "IPyNbFile" and report.passed:
        report.result = list(with_numbers(collector, report.result))
    return report


def with_numbers(page, items):
    from tests.notebooks.sentence_numbers import check_cells

    items, numbers = iter(items), count(1)
    checked = check_cells(page.nb)
    for place, cell in enumerate(page.nb.cells):
        if cell.cell_type == "code":
            yield (item := next(items))
        if place in checked:
            name = f"Numbers {next(numbers)}"
            yield type(item).from_parent(
                page, name=name, cell_num=item.cell_num, cell=checked[place], options=item.options | {"check": True})


def pytest_terminal_summary(terminalreporter):
    """Print what tests hand over by record_property("table", ...), above pytest's own last line."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, text in report.user_properties:
            if name == "table":
                terminalreporter.write_line(text)
