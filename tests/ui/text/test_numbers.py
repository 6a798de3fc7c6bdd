"""Numbers on the page, never rounded to the flattering side where that matters; and texts on it."""

import re

import numpy as np

from dpca_core.data.column_names import shown
from dpca_core.privacy.budget import Adjacency, Guarantee, Notion, Standing
from dpca_core.text.privacy_numbers import epsilon_text, right_guesses, upward, whole_right_guesses
from tests.hostile.files import ODD_NAMES
from ui.text.badges_and_odds import short_guarantee
from ui.text.numbers import escape_markdown, percent, percent_floor, rounded_count, significant


def plain(text):
    return text.replace("\u00a0", " ")


def test_a_number_is_written_no_better_than_it_is():
    for written, value, text in (
        (percent, 0.995, "more than 99 %"),
        (percent_floor, 0.9399, "93 %"),
        (epsilon_text, 2e-6, "2·10⁻⁶"),
        (upward, 0.26315, "0.264"),
        # So small is the ε of a release at a much larger δ than its own.
        (upward, 5e-324, "10⁻³⁰⁰"),
        (rounded_count, 17_401, "18,000"),
        (significant, -0.00000234, "−2.3·10⁻⁶"),
        (right_guesses, 0.5 + 1e-14, "50.01"),
        (right_guesses, 1.0, "nearly 100"),
    ):
        assert plain(written(value)) == text


def test_a_bound_is_never_rounded_down():
    chances = np.linspace(0.5, 1, 100_001)
    written = [right_guesses(chance) for chance in chances.tolist()]
    numbers = np.array([float(text.removeprefix("nearly ")) for text in written])
    assert (numbers >= 100 * chances - 1e-9).all()
    assert (numbers - 100 * chances < 1).all()
    assert (np.diff(numbers) >= 0).all()
    whole = [whole_right_guesses(chance) for chance in chances.tolist()]
    assert (np.array(whole) == np.ceil(numbers)).all()
    for value in 10 ** np.random.default_rng(0).uniform(-3, 2, 200):
        assert float(upward(value)) >= value * (1 - 1e-9)


def test_a_guarantee_in_few_symbols_promises_no_more_than_there_is():
    for notion, standing, epsilon, text in (
        (Notion.NONE, Standing.UNCERTIFIED, 1.0, "nothing certified"),
        (Notion.APPROXIMATE, Standing.REFUTED, 0.0, "δ = 0.5 at every ε"),
        (Notion.LOCAL, Standing.PROVED, 1.0, "ε = 1, δ = 0.5, local"),
    ):
        found = Guarantee(epsilon, 0.5, notion, standing, Adjacency.ADD_OR_REMOVE_ONE, "")
        assert plain(short_guarantee(found)) == text


def test_verbatim_text_is_shown_letter_for_letter_and_none_of_it_is_markup():
    for text in (*ODD_NAMES, "a\\b", "\\", "1. <!-- x -->", "~~a~~ ||b||", "a@b.c &lt;"):
        written = escape_markdown(text)
        assert not set(re.sub(r"\\.", "", written)) & set(r"`*_[]<>$~!|#:&@")
        # A word joiner, which nobody sees, keeps an address from becoming a link.
        seen = re.sub(r"\\(.)", r"\1", written).replace("\u2060", "")
        assert seen == " ".join(text.split())
    assert shown("a\u202eb\nc") == "a b c"
