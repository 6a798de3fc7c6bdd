"""Words for a direction, compared with the rules as one would check them by hand."""

import numpy as np
import pytest

from dpca_core.analysis import direction_words
from dpca_core.analysis.direction_words import ColumnWords, block_columns, block_phrase, stand_out

COSTS = ColumnWords("low costs", "high costs", "costs", "the costs")
WORDS = [*map(direction_words.words_of_name, ("child", "age", "health", "x1")), COSTS]


@pytest.mark.parametrize(("misses", "held"), [(84, (0, 1)), (85, (1,))])
def test_a_column_stands_out_where_nine_of_ten_releases_hold_it(misses, held):
    """Of 1,000 releases at most 84 may miss, so that 9 of 10 of all hold it with 95 %."""
    released = np.tile([0.2, -0.4], (1000, 1))
    released[:misses, 0] = 0.19
    direction = np.array([0.6, -0.5, 0.62])
    assert stand_out(direction, released, (0, 1)) == held
    released[:200] = -0.6, np.nan
    assert stand_out(direction, released, (0, 1)) == (), "the wrong sign and a refusal miss"
    assert stand_out(direction, released[:, :0], ()) == ()


def test_directions_taken_together_are_about_the_columns_that_any_basis_has():
    directions = np.array([[0.6, 0.0], [0.3, 0.4], [0.0, 0.0], [0.5, 0.6], [0.6, 0.3]])
    turned = directions @ np.array([[0.6, -0.8], [0.8, 0.6]])
    assert block_columns(directions) == block_columns(turned) == (3, 4, 0)
    assert block_phrase((4, 3, 0), WORDS) == "**The costs; x1; child**"
    assert block_phrase((), WORDS) == direction_words.NONE_STANDS_OUT


def test_a_name_cannot_mark_words_or_run_on():
    assert direction_words.plain("a**b**\n[[c]]") == "a∗∗b∗∗ [ [c] ]"
    assert len(direction_words.plain("x" * 500)) <= 60
