"""Numbers on the page: never rounded to the flattering side where that matters."""

import numpy as np
import pytest

from dpca_core.text.privacy_numbers import (
    epsilon_text,
    power,
    right_guesses,
    upward,
    whole_right_guesses,
)
from ui.text.numbers import count, percent, percent_floor, rounded_count, significant


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.964, "96\u00a0%"),
        (0.9949, "99\u00a0%"),
        (0.995, "more than 99\u00a0%"),
        (-0.001, "0\u00a0%"),
    ],
)
def test_percent(share: float, text: str) -> None:
    assert percent(share) == text


def test_at_least_is_rounded_down() -> None:
    assert percent_floor(0.9399) == "93\u00a0%"
    assert percent_floor(0.94) == "94\u00a0%"
    assert percent_floor(0.29) == "29\u00a0%"


@pytest.mark.parametrize(
    ("epsilon", "text"),
    [(0.001, "0.001"), (0.15, "0.15"), (100, "100"), (1e-6, "10⁻⁶"), (2e-6, "2·10⁻⁶")],
)
def test_epsilon(epsilon: float, text: str) -> None:
    assert epsilon_text(epsilon) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.26315, "0.264"), (1.0, "1"), (0.0666762, "0.0667"), (0, "0")]
)
def test_a_guarantee_is_rounded_up(value: float, text: str) -> None:
    assert upward(value) == text
    assert value == 0 or float(upward(value)) >= value * (1 - 1e-9)


@pytest.mark.parametrize(
    ("value", "text"), [(1e-6, "10⁻⁶"), (3e-12, "3·10⁻¹²"), (0, "0"), (0.1, "10⁻¹")]
)
def test_power(value: float, text: str) -> None:
    assert power(value) == text


def test_counts() -> None:
    assert count(5912) == "5,912"
    assert count(10_000_000) == "10,000,000"
    assert rounded_count(17_401) == "18,000"
    assert rounded_count(0.2) == "1"
    assert significant(1268.4) == "1,300"
    assert significant(0.00394) == "0.0039"
    assert significant(0.0000901) == "9·10⁻⁵"
    assert significant(0.00000234) == "2.3·10⁻⁶"
    assert significant(-0.00000234) == "−2.3·10⁻⁶"


def test_a_guarantee_that_is_almost_nothing_is_written_too():
    """So small is the ε of a release at a much larger δ than its own."""
    assert upward(5e-324) == upward(1e-320) == "10⁻³⁰⁰"
    assert upward(0) == "0"


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.5, "50"),
        (0.5 + 1e-14, "50.01"),
        (0.50251, "50.3"),
        (0.505, "50.5"),
        (0.54682, "54.7"),
        (0.54951, "55"),
        (0.56, "56"),
        (0.7311, "74"),
        (0.99, "99"),
        (0.99331, "99.4"),
        (0.99951, "99.96"),
        (0.99999, "100"),
        (1.0, "100"),
    ],
)
def test_right_guesses(chance: float, text: str) -> None:
    assert right_guesses(chance) == text


def test_a_bound_on_guesses_is_never_rounded_down() -> None:
    chances = np.linspace(0.5, 1, 100_001)
    written = [right_guesses(chance) for chance in chances.tolist()]
    numbers = np.array([float(text) for text in written])
    assert (numbers >= 100 * chances - 1e-9).all()
    assert (numbers - 100 * chances < 1).all()
    assert (np.diff(numbers) >= 0).all()
    assert written.count("50") == 1
    whole = [whole_right_guesses(chance) for chance in chances.tolist()]
    assert (np.array(whole) == np.ceil(numbers)).all()
