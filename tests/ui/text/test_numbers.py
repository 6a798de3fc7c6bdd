"""Numbers on the page: never rounded to the flattering side where that matters."""

import numpy as np
import pytest

from dpca_core.privacy.budget import Adjacency, Guarantee, Notion, Standing
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import (
    epsilon_text,
    power,
    right_guesses,
    upward,
    whole_right_guesses,
)
from ui.text.badges_and_odds import short_guarantee
from ui.text.certainty import TargetCount
from ui.text.numbers import count, percent, percent_floor, rounded_count, significant


def plain(text):
    return text.replace("\u00a0", " ")


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
        (listed, "a", "a"),
        (listed, "abc", "a, b and c"),
    ],
)
def test_a_number_is_written(written, value, text):
    assert plain(written(value)) == text


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


def test_a_guarantee_in_few_symbols_promises_no_more_than_there_is():
    for notion, standing, epsilon, text in (
        (Notion.PURE, Standing.PROVED, 1.0, "ε = 1, pure"),
        (Notion.NONE, Standing.NONE, 1.0, "nothing"),
        (Notion.NONE, Standing.UNCERTIFIED, 1.0, "nothing certified"),
        (Notion.APPROXIMATE, Standing.REFUTED, 0.0, "δ = 0.5 at every ε"),
        (Notion.APPROXIMATE, Standing.REFUTED, 1.0, "ε = 1, δ = 0.5"),
        (Notion.APPROXIMATE, Standing.PROVED, 0.0, "ε = 0, δ = 0.5"),
        (Notion.LOCAL, Standing.PROVED, 1.0, "ε = 1, δ = 0.5, local"),
    ):
        delta = 0.0 if notion is Notion.PURE else 0.5
        found = Guarantee(epsilon, delta, notion, standing, Adjacency.ADD_OR_REMOVE_ONE, "")
        assert plain(short_guarantee(found)) == text


@pytest.mark.parametrize(
    ("sure", "estimated", "said"),
    [
        (1, 6, "1 of 11 surely keeps {}, 5 more do by estimate ({}; surely: 95 % confidence each)"),
        (
            2,
            3,
            "2 of 11 surely keep {}, 1 more does by estimate ({}; surely: 95 % confidence each)",
        ),
        (0, 6, "none of 11 surely keeps {}, 6 do by estimate ({}; surely: 95 % confidence each)"),
        (0, 0, "none of 11 keeps {}, not even by estimate ({})"),
        (None, 6, "by estimate 6 of 11 keep {} ({})"),
        (None, 0, "by estimate none of 11 keeps {} ({})"),
    ],
)
def test_a_count_says_what_is_sure_and_on_what_it_rests(sure, estimated, said):
    for fewest, most, basis in ((6, 40, "6 to 40 releases each"), (1, 1, "1 release each")):
        found = TargetCount(sure, estimated, 11, (fewest, most)).sentence("90 %")
        assert plain(found) == said.format("90 % in 9 of 10 releases", basis)
