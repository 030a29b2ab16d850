"""The benchmark's matplotlib peer draws the same four panels: a peer that fails would leave its row unmeasured."""

import matplotlib.pyplot as plt
import pytest

from benchmarks.peer import draw
from workbook.explorers import SmoothingExplorer


@pytest.mark.parametrize("preset", SmoothingExplorer.presets)
def test_the_peer_draws_the_same_four_panels(preset):
    explorer = SmoothingExplorer().preset(preset)
    figure = draw(explorer.compute(**explorer.state))
    assert len(figure.axes) == 4
    assert all(axis.has_data() for axis in figure.axes)
    plt.close(figure)
