"""The page without a browser: it is frozen until somebody asks for another."""

from dpca_core.mechanisms.registry import MECHANISMS
from tests.opened_page import open_page, page_at
from tests.ui.summary.summaries import own_table
from ui.state.settings import Settings
from ui.summary import promise_text as promise

SMALL = {"data": "chaudhuri", "k": "2", "epsilon": "0.5"}


MOST_RUNS = 100


def sheets(page) -> list[str]:
    assert not page.exception
    return [h.proto.body for h in page.get("html") if "<article" in h.proto.body]


def sheet(page) -> str:
    """Return the sheet, once the page has measured it: each run measures a slice more."""
    for _ in range(MOST_RUNS):
        if sheets(page):
            break
        page.run()
    (found,) = sheets(page)
    return found


def test_it_is_frozen_until_it_is_updated() -> None:
    page = open_page("summary", **SMALL)
    first = sheet(page)
    assert "ε\u00a0=\u00a00.5" in first
    page.session_state["settings"] = Settings(data="chaudhuri", k=2, epsilon=1.0)
    page.run()
    assert sheet(page) == first
    assert page.query_params["epsilon"] in ("0.5", ["0.5"])
    page.button(key="summary-update").click().run()
    assert "ε\u00a0=\u00a01" in sheet(page)
    assert "summary-update" not in [button.key for button in page.button]


def test_a_mechanism_keeps_its_own_settings() -> None:
    page = page_at("summary", **SMALL, mechanism="power")
    changed = type(MECHANISMS["power"])(rounds=7)
    page.session_state["summary.mechanism"] = changed
    page.run()
    assert "Rounds L 7" in sheet(page)


def test_a_table_of_ones_own() -> None:
    data = own_table()
    page = page_at("summary")
    page.session_state["datasets"] = {data.key: data}
    page.session_state["settings"] = Settings(data=data.key, k=2, epsilon=2.0)
    page.run()
    assert "these people" in sheet(page)
    assert promise.INSIDE in sheet(page)
    page.checkbox[0].check().run()
    assert "500 people" in sheet(page)
    first = next(box for box in page.text_input if box.label.endswith("high end"))
    first.set_value("those who **shout**").run()
    assert "those who ∗∗shout∗∗" in sheet(page)


def test_missing_data_are_one_sentence() -> None:
    page = open_page("summary", data="nothing")
    assert not page.exception
    assert "nothing" in page.info[0].value


def test_wide_data_say_how_far_they_are() -> None:
    page = open_page("summary", data="imtiaz?n=1000&d=300&k=5")
    assert not page.exception
    (progress,) = page.get("progress")
    assert progress.proto.text.startswith("Drawing ")
