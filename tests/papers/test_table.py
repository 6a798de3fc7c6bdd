"""What verdicts rest on: what is said of curves by a table of single releases."""

import numpy as np
import pandas as pd
import pytest

from papers.table import Table

XS = (1.0, 10.0, 100.0)


def table(exact=(), count=25, **curves: tuple[float, ...]) -> Table:
    """Curves of some releases a place, with standard deviation 0.05: of 25, an error of 0.01."""
    noise = np.resize([-1.0, 1.0], count)
    noise = 0.05 * (noise - noise.mean()) / noise.std(ddof=1) if count > 1 else np.zeros(1)
    rows = [
        (name, x, trial, mean + error)
        for name, means in curves.items()
        for x, mean in zip(XS, means, strict=True)
        for trial, error in enumerate(noise[:1] * 0 if name in exact else noise)
    ]
    return Table(pd.DataFrame(rows, columns=["series", "x", "trial", "value"]), exact)


def test_a_difference_counts_beyond_three_standard_errors():
    """Of two means with an error of 0.01 each: 0.0424 is three; one release has no known spread."""
    found = table(a=(0.5, 0.5, 0.5), b=(0.53, 0.55, 0.5))
    assert [found.below("a", "b", x) for x in XS] == [False, True, False]
    assert found.above("b", "a", 10.0)
    assert not found.above("b", "a", 10.0, slack=0.02)
    single, formula = table(count=1, a=(0, 0, 0), b=XS), table(exact=("a", "b"), a=(0, 0, 0), b=XS)
    assert np.isnan([single.sd("a", 1.0), single.error("a", 1.0)]).all()
    assert not any(single.below("a", "b", x) for x in XS)
    assert all(formula.below("a", "b", x) for x in XS)
    assert np.isnan(formula.mean("c", 1.0))
    found = table(a=(0.5, 0.52, 0.9), b=(0.52, 0.5, 0.6), c=(0.6, 0.5, 0.6))
    assert found.never_below("a", "b")
    assert not found.never_below("a", "c", XS)
    assert not found.never_below("b", "b")


def test_rising_is_not_undone_by_chance_but_by_a_fall():
    found = table(
        chance=(0.2, 0.19, 0.6), fall=(0.2, 0.1, 0.6), flat=(0.2, 0.2, 0.21), down=(0.6, 0.61, 0.2)
    )
    assert [name for name in ("chance", "fall", "flat", "down") if found.rises(name)] == ["chance"]
    assert found.rises("down", -1)
    assert not found.rises("flat", -1)


def test_where_a_curve_reaches_a_level_and_the_power_with_which_it_grows():
    found = table(a=(0.4, 0.6, 1.0), b=(2.0, 20.0, 200.0))
    reached = [found.crossing("a", level) for level in (0.5, 0.3, 1.2)]
    assert reached == pytest.approx([10**0.5, 1.0, np.nan], nan_ok=True)
    assert found.exponent("b", 1.0) == pytest.approx(1.0, abs=1e-3)
