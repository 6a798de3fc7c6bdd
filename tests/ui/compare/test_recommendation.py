"""What Compare recommends follows from public settings; what it measured is said beside it."""

from dataclasses import replace

import numpy as np
import pytest

from dpca_core import MECHANISMS
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import LESS_NOISE, TWO_LOOKS
from sample_data import load_key
from tests.opened_page import open_page
from tests.ui.compare import comparisons
from tests.ui.compare.comparisons import finished
from ui.compare.measurements import Comparison
from ui.compare.query import CompareQuery, CompareSettings
from ui.compare.recommendation_text import (
    FROM_PUBLIC,
    MAY_DIFFER,
    measured_sentence,
    not_drawn,
    recommendation,
)
from ui.compare.release_cache import ReleaseCache
from ui.compare.text import CompareText
from ui.state.slider_stops import EPSILON_STOPS

GAUSSIAN = MECHANISMS["gaussian"]
DRAWN = (GAUSSIAN, TWO_LOOKS, LESS_NOISE)
AT = EPSILON_STOPS.index(0.1)
RULE = "Second look, which the rule of thumb names for 5,912 people"


def asked(mechanisms: tuple[Mechanism, ...] = DRAWN, trials: int = 40) -> CompareQuery:
    return comparisons.asked(mechanisms=mechanisms, n=5912.0, k=2, trials=trials)


def test_two_data_sets_with_equal_settings_get_the_same_words() -> None:
    """Other rows, and another number of them, change no word."""
    query = replace(asked((), 20), epsilon=0.5, n=500.0, k=3)
    rng = np.random.default_rng(0)
    columns = tuple("abcdefghijkl")
    sets = [
        Dataset(f"k{n}", "Rows", "rows", scale * rng.random((n, 12)) / 12, columns)
        for n, scale in ((30, 1.0), (900, 0.1), (2000, 3.0))
    ]
    (words,) = {recommendation(data, query) for data in sets}
    assert words.startswith(FROM_PUBLIC.format(epsilon="0.5"))
    assert "As a rule of thumb, Second look keeps most for about" in words
    assert words.endswith(MAY_DIFFER)
    assert {not_drawn(data, query) for data in sets} == {(TWO_LOOKS, LESS_NOISE)}


def test_only_what_is_named_and_missing_is_offered() -> None:
    data, query = load_key("rand"), asked()
    assert not_drawn(data, query) == ()
    assert not_drawn(data, replace(query, mechanisms=(GAUSSIAN, TWO_LOOKS))) == (LESS_NOISE,)
    assert not_drawn(data, replace(query, mechanisms=(GAUSSIAN,), k=1)) == (LESS_NOISE,)


def said(second_look: float, matrix_t: float, gaussian: float = 0.5) -> str:
    """Return the sentence where the mechanisms keep these medians, each ± 0.01."""
    comparison = Comparison(load_key("rand"), asked(), ReleaseCache())
    comparison._tasks.clear()
    for line in comparison.lines:
        comparison._prepare(line)
        line.done[:] = True
        median = {TWO_LOOKS: second_look, LESS_NOISE: matrix_t, GAUSSIAN: gaussian}
        line.captured[:] = median[line.mechanism] + 0.01 * np.linspace(-1, 1, 40)
    return measured_sentence(CompareText(comparison, 0.9), AT)


@pytest.mark.parametrize(
    ("second_look", "matrix_t", "verdict"),
    [
        (0.9, 0.95, f"otherwise: Matrix t keeps about 5 percentage points more than {RULE}."),
        (0.95, 0.9, f"it is so: {RULE}, keeps the most of those ranked here."),
        (0.9, 0.9005, "the median of Matrix t is higher, but within sampling error."),
        (0.9005, 0.9, f"none of those ranked here is shown to keep more than {RULE}."),
        (0.28, 0.28, None),
    ],
)
def test_a_difference_is_said_only_beyond_sampling_error(
    second_look: float, matrix_t: float, verdict: str | None
) -> None:
    found = said(second_look, matrix_t, gaussian=min(second_look, 0.5, matrix_t))
    if verdict is None:
        assert found == ""  # no better than directions drawn at random
    else:
        assert found.startswith("Measured here at ε\u00a0=\u00a00.1 (40 releases each), ")
        assert found.endswith(verdict)


def test_nothing_is_said_before_all_is_measured_or_where_it_is_not_drawn() -> None:
    data = load_key("rand")
    begun = Comparison(data, asked(), ReleaseCache())
    while len(begun._tasks) > 1:
        begun.advance(0)
    assert measured_sentence(CompareText(begun, 0.9), AT) == ""
    begun.advance(1)
    assert measured_sentence(CompareText(begun, 0.9), AT) != ""
    without = replace(asked((GAUSSIAN, LESS_NOISE), 20), axis="k")
    assert measured_sentence(CompareText(finished(data, without), 0.9), 1) == ""


def test_a_button_draws_what_is_recommended() -> None:
    opened = open_page("compare", data="rand", k="2", mechanisms="gaussian", trials="20")
    captions = [caption.value for caption in opened.caption]
    assert any("As a rule of thumb, Second look keeps most" in said for said in captions)
    (button,) = [b for b in opened.button if b.label == "Draw Second look and Matrix t"]
    button.click().run()
    assert not opened.exception
    drawn = opened.session_state["compare.drawn"][1]
    assert {line.mechanism for line in drawn.lines} == set(DRAWN)
    assert set(opened.multiselect[0].value) == {m.key for m in DRAWN}
    assert not [b for b in opened.button if b.label.startswith("Draw ")]
    assert not {TWO_LOOKS.key, LESS_NOISE.key} & set(CompareSettings().keys)
