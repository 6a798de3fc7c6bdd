"""Curves that are pinned say what they are of, and go with their data."""

from dataclasses import replace

import pytest

from dpca_core import Adjacency
from dpca_core.data.provenance import Unit
from tests.opened_page import open_page
from tests.ui.explore.answers import begun
from tests.ui.explore.screen_cases import own
from ui.explore.figures import page_content
from ui.explore.measurements import Study
from ui.explore.pinned_curves import PinnedCurves

REPLACED = Adjacency.REPLACE_ONE


def pinned() -> PinnedCurves:
    study = begun()
    study.first_paint(0)
    return PinnedCurves.of(study, 0.9)


def test_the_name_says_neighbours_and_people_where_they_differ() -> None:
    curves = pinned()
    before = curves.query
    usual = "Gaussian, k\u00a0=\u00a02, δ\u00a0=\u00a010⁻⁶"
    assert curves.beside(replace(before, k=3))["label"] == usual
    assert curves.beside(replace(before, n=100.0))["label"] == f"{usual}, 5,912 people"
    other = replace(before, adjacency=REPLACED)
    assert curves.beside(other)["label"] == f"{usual}, one person added or removed"


def test_the_name_of_a_file_stays_out_and_the_units_is_no_markup() -> None:
    data = own(unit=Unit("<b>one", "<b>many"))
    query = replace(begun().query, n=500.0)
    study = Study(data, query, ())
    study.first_paint(0)
    beside = PinnedCurves.of(study, 0.9).beside(replace(query, n=100.0, adjacency=REPLACED))
    assert data.short not in beside["label"]
    content = page_content(
        study, identity="x", epsilon=0.1, target=0.9, samples=None, public=False, pinned=beside
    )
    names = [trace.get("name", "") for trace in content["curves"]["data"]]
    (name,) = {name for name in names if name.startswith("Pinned")}
    assert "500 &lt;b&gt;many" in name
    assert "<" not in name


@pytest.mark.parametrize("identity", ["rand", "wine"])
def test_what_is_pinned_is_drawn_with_its_own_data_only(identity: str) -> None:
    page = open_page("explore", data="rand")
    page.session_state["pinned"] = PinnedCurves.of(page.session_state["drawn"][1], 0.9)
    page.selectbox(key="data").select(identity).run()
    assert not page.exception
    assert page.session_state["drawn"][0]["pinned"] is (identity == "rand")
    page.selectbox(key="data").select("rand").run()
    content = page.session_state["drawn"][0]
    assert content["pinned"] is (identity == "rand")
