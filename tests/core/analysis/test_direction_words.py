"""Words for a direction, compared with the rules as one would check them by hand."""

import numpy as np
import pytest

from dpca_core.analysis.direction_words import (
    NONE_STANDS_OUT,
    ColumnWords,
    block_phrase,
    candidates,
    direction_phrase,
    plain,
    stand_out,
    words_of_name,
)

WORDS = [
    ColumnWords("adults", "children", "child"),
    ColumnWords("younger people", "older people", "age"),
    ColumnWords("health not good", "health good", "health", high_people="who feel well"),
    ColumnWords("low costs", "high costs", "costs", "the costs", high_people="who pay more"),
    words_of_name("x1"),
]


def directions(count: int, d: int = 9) -> np.ndarray:
    drawn = np.random.default_rng(3).standard_normal((count, d)) ** 3
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def by_hand(direction: np.ndarray) -> set[int]:
    """At most three of either sign, none below .3, none left out that is larger than one named."""
    named = set()
    for sign in (1, -1):
        side = [(abs(v), i) for i, v in enumerate(direction) if v * sign >= 0.3]
        named |= {i for _, i in sorted(side, reverse=True)[:3]}
    return named


def test_candidates_are_the_large_loadings_of_either_side() -> None:
    several = 0
    for direction in directions(500):
        found = candidates(direction)
        assert set(found) == by_hand(direction)
        sizes = [abs(direction[i]) for i in found]
        assert sizes == sorted(sizes, reverse=True)
        several += len(found) > 1
    assert several > 100
    assert len(candidates(np.ones(9) / 3)) == 3
    assert candidates(np.full(16, 0.25)) == ()


@pytest.mark.parametrize(("misses", "held"), [(84, True), (85, False)])
def test_a_column_stands_out_where_nine_of_ten_releases_hold_it(misses: int, held: bool) -> None:
    """Of 1,000 releases at most 84 may miss, so that 9 of 10 of all hold it with 95 %."""
    released = np.full((1000, 2), 0.4)
    released[:misses, 0] = 0.19
    released[:, 1] = -0.4
    direction = np.array([0.6, -0.5, 0.62])
    found = stand_out(direction, released, (0, 1))
    assert found == ((0, 1) if held else (1,))
    released[:200, 0], released[:200, 1] = -0.6, np.nan
    assert stand_out(direction, released, (0, 1)) == (), "the wrong sign and a refusal miss"


@pytest.mark.parametrize(
    ("loadings", "said"),
    [
        ((0.7, -0.5, -0.4, 0, 0), "Tells **children** from **older people who feel well**"),
        (
            (0, 0, 0.6, 0.5, -0.5),
            "Tells **people who feel well and who pay more** from **high x1**",
        ),
        ((0.6, 0, 0, 0, 0.6), "**Children, high x1** go together"),
        ((0, 0, 0, 0, 0.95), "Tells **high x1** from **low x1**"),
    ],
)
def test_phrases(loadings: tuple[float, ...], said: str) -> None:
    direction = np.array(loadings)
    assert direction_phrase(direction, candidates(direction), WORDS) == said
    assert direction_phrase(np.full(5, 0.2), (), WORDS) == NONE_STANDS_OUT
    assert block_phrase((), WORDS) == NONE_STANDS_OUT


def test_a_name_cannot_mark_words_or_run_on() -> None:
    assert plain("a**b**\n[[c]]") == "a∗∗b∗∗ [ [c] ]"
    assert len(plain("x" * 500)) <= 60
