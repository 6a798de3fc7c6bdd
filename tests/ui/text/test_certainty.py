"""What is sure and what is estimated is said in the same words everywhere."""

import pytest

from ui.text.certainty import TargetCount, releases_each

KEPT, SURE = "90 % in 9 of 10 releases", "40 releases each; surely: 95\u00a0% confidence each"


@pytest.mark.parametrize(
    ("sure", "estimated", "said"),
    [
        (1, 6, f"1 of 11 surely keeps {KEPT}, 5 more do by estimate ({SURE})"),
        (2, 3, f"2 of 11 surely keep {KEPT}, 1 more does by estimate ({SURE})"),
        (5, 5, f"5 of 11 surely keep {KEPT} ({SURE})"),
        (0, 6, f"none of 11 surely keeps {KEPT}, 6 do by estimate ({SURE})"),
        (0, 0, f"none of 11 keeps {KEPT}, not even by estimate (40 releases each)"),
        (None, 6, f"by estimate 6 of 11 keep {KEPT} (40 releases each)"),
        (None, 0, f"by estimate none of 11 keeps {KEPT} (40 releases each)"),
    ],
)
def test_a_count_says_what_is_sure_and_on_what_it_rests(
    sure: int | None, estimated: int, said: str
) -> None:
    assert TargetCount(sure, estimated, 11, (40, 40)).sentence("90 %") == said


def test_unequal_numbers_of_releases_are_said() -> None:
    assert releases_each(6, 40) == "6 to 40 releases each"
    assert releases_each(1, 1) == "1 release each"
