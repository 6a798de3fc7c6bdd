"""Single releases that Explore shows are those of its curves, aligned for display."""

import numpy as np
import pytest

from sample_data import load_key
from tests.opened_page import open_page
from tests.ui.explore.studies import at, few, finished
from ui.explore.below import (
    MOST_ROWS,
    PROJECTED_ROWS,
    SHOWN,
    aligned,
    loadings_figure,
    people_figure,
    releases_at,
)
from ui.explore.page import BELOW, CHECKLIST, RELEASE, TERMS


def test_pictures_are_aligned_releases_of_the_same_streams():
    found, rand = releases_at(finished(), at(0.1)), load_key("rand")
    frame, truth = found.released[0], found.true
    rows = np.argsort(-np.abs(truth[1]), kind="stable")[:MOST_ROWS]
    drawn = loadings_figure(found, 0, 1, rand.columns, "gaussian")["data"]
    for symbol, loadings in (("line-ns", truth[1]), ("circle", frame[1])):
        marks = [t["x"][0] for t in drawn if t.get("marker", {}).get("symbol") == symbol]
        assert marks == pytest.approx(loadings[rows])
    assert frame @ frame.T == pytest.approx(np.eye(2), abs=0.01)
    assert np.trace(frame @ truth.T) > 1.5
    captured = np.trace(frame @ rand.moment @ frame.T) / rand.problem(2).spectrum[:2].sum()
    assert captured == pytest.approx(finished().curves.chosen.captured[at(0.1), 0], abs=0.01)
    (people,) = people_figure(found.true, rand, "ink")["data"]
    assert len(people["x"]) == PROJECTED_ROWS


def test_alignment_is_the_closest_turn():
    """Of all turns of a basis the closest one makes BᵀT symmetric and positive (Procrustes)."""
    draw = np.random.default_rng(10).standard_normal
    bases, target = np.linalg.qr(draw((4, 5, 2)))[0], np.linalg.qr(draw((5, 2)))[0]
    closest = aligned(bases, target)
    spans = (each @ each.swapaxes(1, 2) for each in (closest, bases))
    np.testing.assert_allclose(*spans, atol=1e-14)
    inner = closest.swapaxes(1, 2) @ target
    np.testing.assert_allclose(inner, inner.swapaxes(1, 2), atol=1e-14)
    assert (np.linalg.eigvalsh(inner) > 0).all()


def test_a_refused_release_has_no_numbers():
    found = releases_at(few("gap_release", 1), at(1.0))
    assert 0 < np.isnan(found.released).any(axis=(1, 2)).sum() < SHOWN
    assert releases_at(few(trials=1, delta=0.0), at(0.1)) is None


@pytest.mark.parametrize(("data", "drawn"), [("rand", 3), ("digits", 1)])
def test_what_is_read_on_demand_is_drawn_below(data, drawn):
    page = open_page("explore", data=data)
    for asked, said, charts in (
        (RELEASE, "Not private", drawn),
        (CHECKLIST, "your choice", 0),
        (TERMS, "ε (epsilon)", 0),
    ):
        page.session_state[BELOW] = asked
        page.run()
        assert not page.exception
        assert len(page.get("plotly_chart")) == charts
        assert said in " ".join(x.value for x in (*page.markdown, *page.caption))
