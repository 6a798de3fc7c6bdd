"""How a release is best made, by public facts alone."""

from inspect import signature
from math import sqrt

import pytest

from dpca_core.analysis.public_preview import public_preview
from dpca_core.analysis.recommended_mechanism import (
    default_delta,
    people_for_private_mean,
    recommended_mechanism,
)
from dpca_core.privacy.budget import Adjacency, Budget


@pytest.mark.parametrize(
    ("d", "delta", "key"),
    [
        (19, 1e-6, "gaussian"),
        (1000, 1e-12, "gaussian"),
        (19, 0.0, "wishart_difference"),
        (200, 0.0, "wishart_difference"),
        (201, 0.0, "laplace"),
    ],
)
def test_the_mechanism_follows_from_delta_and_columns(d: int, delta: float, key: str) -> None:
    assert recommended_mechanism(900, d, Budget(1.0, delta)).mechanism.key == key


def test_nothing_but_public_facts_decides() -> None:
    assert [*signature(recommended_mechanism).parameters] == ["people", "d", "budget"]
    assert [*signature(public_preview).parameters] == ["people", "d", "k", "budget"]


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize(("people", "fits"), [(1.0, False), (1e12, True)])
def test_a_private_mean_needs_many_people(adjacency: Adjacency, people: float, fits: bool) -> None:
    found = recommended_mechanism(people, 19, Budget(1.0, 1e-6, adjacency))
    assert found.mean_fits is fits
    assert found.people_for_mean == people_for_private_mean(19, Budget(1.0, 1e-6, adjacency))


def test_people_for_a_private_mean_follow_its_own_noise() -> None:
    """σ solves δ(σ) = 5·10⁻⁸ at ε = 0.05 and sensitivity √2, found by another program: 116.750."""
    assert people_for_private_mean(19, Budget(1.0, 1e-6)) == pytest.approx(
        116.750 * sqrt(38_000), rel=1e-4
    )
    pure = people_for_private_mean(19, Budget(1.0, 0.0))
    assert pure == pytest.approx(sqrt(2) * (sqrt(19) + 1) / 0.05 * sqrt(38_000))


@pytest.mark.parametrize(
    ("people", "delta"),
    [
        (None, 1e-6),
        (1, 1e-6),
        (900, 1e-6),
        (10_000, 1e-6),
        (10_001, 1e-7),
        (100_000, 1e-7),
        (10**7, 1e-9),
        (10**12, 1e-14),
    ],
)
def test_delta_is_far_below_one_in_the_number_of_people(people: float | None, delta: float) -> None:
    assert default_delta(people) == delta


def test_the_public_preview_is_that_of_the_mechanism() -> None:
    """19 columns at ε = 1, two directions: τ = 4.2247, off the diagonal τ/√2."""
    found = public_preview(1000, 19, 2, Budget(1.0, 1e-6))
    assert found.columns == 19
    assert found.entry_noise == pytest.approx(2.98730, rel=1e-5)
    assert found.visible_gap == pytest.approx(58.06, rel=1e-3)
    assert public_preview(10, 19, 2, Budget(1.0, 1e-6)) == found
