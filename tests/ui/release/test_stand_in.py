"""The preview of a release: a public guess and a stand-in, never the table."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.analysis.expected_spectrum import Expectation, expected_shares, expected_spectrum
from dpca_core.analysis.planned_reliability import planned_reliability
from dpca_core.analysis.reliability import Reliability
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget
from tests.core.release.draw_cases import plan
from tests.ui.release.release_page import PEOPLE, decision, html, opened, own_page, run
from ui.release.stand_in import stand_in
from ui.release.text import NOT_READ
from ui.state.decision import DECISION


def guess(page: AppTest) -> object:
    return next(f for f in page.number_input if f.key.startswith("release-people-guess")).value


def test_the_guess_is_the_one_of_decide_and_can_be_changed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = own_page(monkeypatch, tmp_path)
    assert guess(page) == decision().handover.people_guess
    assert "for 900 patients" in html(page)
    assert "How many patients do you think there are?" in [f.label for f in page.number_input]
    page.number_input[-1].set_value(40).run()
    assert "for 40 patients" in html(page)
    assert "for 900 patients" not in html(page)
    assert str(PEOPLE) not in f"{html(page)} {page.query_params}"


def test_the_preview_reads_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two decisions that differ in the table alone show the same, and no reader is asked."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the table was read")

    monkeypatch.delenv("DPCA_LEDGER", raising=False)
    for place in ("blocks", "check"):
        monkeypatch.setattr(f"dpca_core.release.table_source.TableSource.{place}", refuse)
    shown = []
    for rows in (b"", b"7,1,2,3\n" * 5):
        page, found = opened(), decision()
        object.__setattr__(found, "table", type(found.table)("x.csv", b"id,age,weight\n" + rows))
        page.session_state[DECISION] = found
        run(page)
        shown.append(html(page))
    assert NOT_READ in shown[0]
    assert shown[0] == shown[1]


def test_a_stand_in_holds_what_decide_would_say_of_such_data() -> None:
    of = plan(k=2)
    # With four columns three directions are expected to stand out. The plan's noise is a hair
    # larger than the mechanism's own at the same budget.
    spectrum = expected_spectrum(900, expected_shares(Expectation.FEW_STRONG, of.d), of.d)
    expected = planned_reliability(MECHANISMS["gaussian"], spectrum, 3, Budget(0.5, 1e-6))
    found = stand_in(of, 900, Expectation.FEW_STRONG)
    assert found is not None
    assert [d.level for d in found.directions] == [
        d.level for d in expected.reliabilities.directions
    ]


def test_more_people_hold_more_and_no_guess_says_nothing() -> None:
    of = plan(k=2)
    few, many = (stand_in(of, people, Expectation.ONE_STRONG) for people in (20, 10**6))
    assert few is not None
    assert many is not None
    assert few.directions[0].level is Reliability.LOST
    assert many.directions[0].level is Reliability.RELIABLE
    assert stand_in(of, 0, Expectation.ONE_STRONG) is None
