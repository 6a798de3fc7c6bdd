"""Axes: where a value lies, linear and logarithmic, and what Plotly is told."""

import math

import numpy as np
import pytest

from dpca_core.figures.axes import LARGE_COUNT, Axis, count_format

LINEAR = Axis(2.0, 12.0, title="k", ticks=(2, 7), tick_texts=("two", "seven"))
LOG = Axis(0.001, 100.0, log=True)


def test_a_share_runs_from_one_end_to_the_other():
    np.testing.assert_allclose(LINEAR.share([2, 7, 12, 17]), [0, 0.5, 1, 1.5])
    np.testing.assert_allclose(LOG.share([0.001, 0.1, 100, 1e4]), [0, 0.4, 1, 1.4])
    assert np.isnan(LOG.position([0.0, -1.0, math.nan])).all(), "no logarithm, a gap"
    np.testing.assert_allclose(Axis(1.0, 0.0).share([1, 0.25]), [0, 0.75])
    assert Axis(3.0, 3.0).share(3.0) == 0.5, "a single value lies in the middle"


def test_plotly_has_logarithms_for_the_range_and_values_for_the_ticks():
    found = LOG.layout()
    assert (found["type"], found["nticks"]) == ("log", 6), "one for each decade"
    assert found["range"] == pytest.approx([-3, 2])
    ticked = Axis(1, 100, log=True, ticks=(1, 3, 10)).layout()
    assert (ticked["tickmode"], ticked["tickvals"]) == ("array", [1, 3, 10])
    found = LINEAR.layout()
    assert (found["type"], found["range"], found["title"]["text"]) == ("linear", [2, 12], "k")
    assert (found["tickvals"], found["ticktext"]) == ([2, 7], ["two", "seven"])
    assert not {"nticks", "tickvals"} & Axis(0, 1).layout().keys(), "Plotly's own"


@pytest.mark.parametrize(("most", "expected"), [(LARGE_COUNT * 0.99, ",~r"), (LARGE_COUNT, "~s")])
def test_counts_are_never_written_as_powers(most, expected):
    """D3 writes 1500000 as 1.5e+6 by "~g", as 1,500,000 by ",~r" and as 1.5M by "~s"."""
    assert count_format(most) == expected
