"""Roots are returned from the side on which the condition holds."""

from math import exp, inf, pi

import pytest

from dpca_core.privacy.roots import MOST_STEPS, bisect, falls_to


@pytest.mark.parametrize("tolerances", [{"absolute": 1e-6}, {"relative": 1e-6}])
def test_the_end_at_which_the_condition_holds(tolerances):
    seen = {}

    def holds(x):
        seen[x] = x >= pi
        return seen[x]

    above = bisect(holds, 0.0, 10.0, **tolerances)
    below = bisect(lambda x: x <= pi, 10.0, 0.0, **tolerances)
    assert pi - 4e-6 <= below <= pi <= above <= pi + 4e-6
    assert above == min(x for x, held in seen.items() if held)
    assert not {0.0, 10.0} & seen.keys(), "the ends are not asked"


def test_the_search_ends_even_where_no_tolerance_is_reached():
    asked = []
    found = bisect(lambda x: not asked.append(x), 0.0, 1.0, relative=1e-14)
    assert (len(asked), found) == (MOST_STEPS, 2.0**-MOST_STEPS)
    assert bisect(lambda x: False, 0.0, 1.0, absolute=1e-3) == 1.0


def spent(x):
    return exp(-x)


@pytest.mark.parametrize("tolerance", [1e-9, 1e-6])
def test_a_root_is_rounded_up_wherever_the_search_starts_and_kept_between_ends(tolerance):
    for start in (-20.0, 1.3, 9.0):
        found = falls_to(0.25, spent, start, tolerance=tolerance)
        assert spent(found) <= 0.25 < spent(found - tolerance)
    assert falls_to(0.25, spent, 3.0, tolerance=tolerance, least=1.5) == 1.5
    assert falls_to(0.25, spent, 0.0, tolerance=tolerance, most=1.3) == inf
    assert falls_to(0.25, spent, 0.0, tolerance=tolerance, most=1.4) == pytest.approx(1.3862944)
