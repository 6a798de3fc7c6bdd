"""Curves that are pinned say what they are of, and go with their data."""

from dataclasses import replace

from dpca_core import Adjacency
from dpca_core.data.provenance import Unit
from tests.opened_page import open_page
from tests.ui.explore.answers import begun, drawn, own, plain, study_of
from ui.explore.pinned_curves import PinnedCurves

REPLACED = Adjacency.REPLACE_ONE


def test_the_name_says_neighbours_and_people_where_they_differ() -> None:
    study = begun()
    study.first_paint(0)
    curves, usual = PinnedCurves.of(study, 0.9), "Gaussian, k = 2, δ = 10⁻⁶"
    for changes, more in (
        ({"k": 3}, ""),
        ({"n": 100.0}, ", 5,912 people"),
        ({"adjacency": REPLACED}, ", one person added or removed"),
    ):
        label = curves.beside(replace(study.query, **changes))["label"]
        assert plain(label) == usual + more


def test_the_name_of_a_file_stays_out_and_the_units_is_no_markup() -> None:
    study = study_of(own(unit=Unit("<b>one", "<b>many")))
    study.first_paint(0)
    other = replace(study.query, n=100.0, adjacency=REPLACED)
    beside = PinnedCurves.of(study, 0.9).beside(other)
    assert study.dataset.short not in beside["label"]
    names = [trace.get("name", "") for trace in drawn(study, pinned=beside)["curves"]["data"]]
    (name,) = {name for name in names if name.startswith("Pinned")}
    assert "500 &lt;b&gt;many" in name
    assert "<" not in name


def test_what_is_pinned_is_drawn_with_its_own_data_only() -> None:
    page = open_page("explore", data="rand")
    page.session_state["pinned"] = PinnedCurves.of(page.session_state["drawn"][1], 0.9)
    for data, seen in (("rand", True), ("wine", False), ("rand", False)):
        page.selectbox(key="data").select(data).run()
        assert not page.exception
        assert page.session_state["drawn"][0]["pinned"] is seen
