"""Slices start short after every change and grow up to a limit while nothing changes."""

import pytest

from ui.server import growing_slices
from ui.server.growing_slices import GrowingSlices
from ui.server.scheduler import never_yield


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Lengths of the slices that are taken."""
    taken: list[float] = []
    monkeypatch.setattr(
        growing_slices, "take_steps", lambda steps, seconds, should_yield: taken.append(seconds)
    )
    return taken


def test_slices_grow_until_something_else_is_asked(lengths: list[float]) -> None:
    slices = GrowingSlices(0.1, 0.15)
    for query in ("a", "a", "a", "b"):
        slices.take(query, (), never_yield)
    assert lengths == pytest.approx([0.1, 0.125, 0.15, 0.1])
    assert slices.stage == 4


def test_a_limit_of_the_moment_comes_before_the_usual_one(lengths: list[float]) -> None:
    GrowingSlices(0.1, 0.5).take("a", (), never_yield, most=0.02)
    assert lengths == [0.02]


def test_a_query_is_new_until_it_was_measured(lengths: list[float]) -> None:
    slices = GrowingSlices(0.1, 0.5)
    assert slices.is_new("a")
    slices.take("a", (), never_yield)
    assert not slices.is_new("a")
    assert slices.is_new("b")
