"""Numbers on the page: never rounded to the flattering side where that matters."""

import numpy as np
import pytest

from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import (
    epsilon_text,
    power,
    right_guesses,
    upward,
    whole_right_guesses,
)
from ui.text.certainty import TargetCount, releases_each
from ui.text.numbers import count, percent, percent_floor, rounded_count, significant

KEPT, SURE = "90 % in 9 of 10 releases", "40 releases each; surely: 95 % confidence each"


@pytest.mark.parametrize(
    ("written", "value", "text"),
    [
        (percent, 0.9949, "99 %"),
        (percent, 0.995, "more than 99 %"),
        (percent_floor, 0.9399, "93 %"),
        (epsilon_text, 0.001, "0.001"),
        (epsilon_text, 2e-6, "2·10⁻⁶"),
        (upward, 0.26315, "0.264"),
        # So small is the ε of a release at a much larger δ than its own.
        (upward, 5e-324, "10⁻³⁰⁰"),
        (power, 3e-12, "3·10⁻¹²"),
        (count, 5912, "5,912"),
        (rounded_count, 17_401, "18,000"),
        (significant, 1268.4, "1,300"),
        (significant, -0.00000234, "−2.3·10⁻⁶"),
        (right_guesses, 0.5, "50"),
        (right_guesses, 0.5 + 1e-14, "50.01"),
        (right_guesses, 0.99951, "99.96"),
        (right_guesses, 0.99995, "99.995"),
        (right_guesses, 1.0, "nearly 100"),
    ],
)
def test_a_number_is_written(written, value, text):
    assert written(value).replace("\u00a0", " ") == text


def test_names_are_listed_as_people_list_them():
    found = [listed("abc"[:count]) for count in range(4)]
    assert found == ["", "a", "a and b", "a, b and c"]
    assert listed("abc", "or") == "a, b or c"


def test_a_bound_is_never_rounded_down():
    chances = np.linspace(0.5, 1, 100_001)
    written = [right_guesses(chance) for chance in chances.tolist()]
    numbers = np.array([float(text.removeprefix("nearly ")) for text in written])
    assert (numbers >= 100 * chances - 1e-9).all()
    assert (numbers - 100 * chances < 1).all()
    assert (np.diff(numbers) >= 0).all()
    assert written.count("50") == 1
    whole = [whole_right_guesses(chance) for chance in chances.tolist()]
    assert (np.array(whole) == np.ceil(numbers)).all()
    for value in 10 ** np.random.default_rng(0).uniform(-3, 2, 200):
        assert float(upward(value)) >= value * (1 - 1e-9)


@pytest.mark.parametrize(
    ("sure", "estimated", "said"),
    [
        (1, 6, f"1 of 11 surely keeps {KEPT}, 5 more do by estimate ({SURE})"),
        (2, 3, f"2 of 11 surely keep {KEPT}, 1 more does by estimate ({SURE})"),
        (0, 6, f"none of 11 surely keeps {KEPT}, 6 do by estimate ({SURE})"),
        (0, 0, f"none of 11 keeps {KEPT}, not even by estimate (40 releases each)"),
        (None, 6, f"by estimate 6 of 11 keep {KEPT} (40 releases each)"),
        (None, 0, f"by estimate none of 11 keeps {KEPT} (40 releases each)"),
    ],
)
def test_a_count_says_what_is_sure_and_on_what_it_rests(sure, estimated, said):
    found = TargetCount(sure, estimated, 11, (40, 40)).sentence("90 %")
    assert found.replace("\u00a0", " ") == said
    assert releases_each(6, 40) == "6 to 40 releases each"
    assert releases_each(1, 1) == "1 release each"
