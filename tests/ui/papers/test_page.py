"""The Papers page without a browser: what a link shows, what messages change, and runs."""

import csv

import numpy as np
import pytest

from papers import chaudhuri
from papers.card import Verdict
from papers.registry import BY_KEY, CARDS
from tests.opened_page import open_page
from ui.figures.downloads import NOT_PRIVATE
from ui.papers.content import Screen
from ui.papers.export import card_numbers, card_script
from ui.papers.page import RUN, SHOWN
from ui.papers.query import (
    FIRST,
    Message,
    PapersSettings,
    changed,
    choices_of,
    mechanisms_run,
)
from ui.state.session import SETTINGS
from ui.state.settings import Settings

CHANGEABLE = next(one for one in CARDS if one.vary is not None and one.live)
QUICK = "chaudhuri-fig-5"
"""A card whose run takes well below a second."""


def drawn(page):
    assert not page.exception
    return page.session_state["papers.drawn"][0]


def test_it_opens_on_the_first_card():
    page = open_page("papers")
    assert drawn(page)["figure"] == FIRST
    assert page.query_params["figure"] == FIRST
    assert set(drawn(page)["shown"]) == {*BY_KEY}


def test_a_link_opens_a_card_and_limits_the_wall():
    verdict = CARDS[-1].verdict
    asked = {"seed": "7", "mechanism": "laplace", "epsilon": "5"}
    page = open_page("papers", figure=QUICK, verdict=str(verdict), ready="1", **asked)
    content = drawn(page)
    assert page.session_state[SETTINGS] == Settings(), "what other pages show"
    assert content["figure"] == QUICK
    assert content["shown"] == [
        one.key for one in CARDS if one.verdict == verdict and not one.needs
    ]


def test_a_link_for_a_class_hides_our_run_until_it_is_asked_for():
    page = open_page("papers", figure=QUICK, reveal="0")
    assert 'data-say="show"' in drawn(page)["words"]
    page.session_state[SHOWN] = {QUICK}
    page.run()
    assert 'data-say="show"' not in drawn(page)["words"]
    assert drawn(page)["veiled"]


@pytest.mark.chance(1e-6)
def test_a_run_with_a_seed_is_drawn_over_the_stored_one_and_agrees_with_it():
    """Of fewer than 100 differences of means of 100 none exceeds 6 standard errors."""
    page = open_page("papers", figure=QUICK, seed="3")
    while not drawn(page)["complete"]:
        page.session_state["papers.more"] = True
        page.run()
    run, card = page.session_state[RUN][1], BY_KEY[QUICK]
    own, known = run.table, card.stored
    assert run.seed == 3
    assert len(own.rows) == len(known.rows)
    assert not own.rows.equals(known.rows)
    differences = [
        (own.mean(s.key, x) - known.mean(s.key, x))
        / max(np.hypot(own.error(s.key, x), known.error(s.key, x)), 1e-9)
        for s in card.series
        for x in card.panel_of(s).x.values
        if card.trials_of(s) > 1
    ]
    assert np.nanmax(np.abs(differences)) < 6
    traces = [trace for chart in drawn(page)["charts"] for trace in chart["figure"]["data"]]
    assert any(trace.get("name", "").endswith("this run") for trace in traces)
    assert "Your run, seed 3" in drawn(page)["notes"]


def test_a_changed_setting_is_another_card_and_stands_in_the_address():
    setting = next(s for s in CHANGEABLE.settings if s.choices)
    other = next(c for c in setting.choices if c != setting.chosen)
    now = PapersSettings(CHANGEABLE.key)
    number = choices_of(CHANGEABLE).index((setting.key, other))
    after = changed(now, Message.CHOOSE, float(number))
    assert after.chosen == {setting.key: other}
    assert PapersSettings.from_query(after.to_query()) == after
    varied = CHANGEABLE.vary(**after.chosen)
    assert [s.chosen for s in varied.settings if s.key == setting.key] == [other]
    assert after.changed(setting.key, setting.chosen).at == ""
    assert after.opened(FIRST).at == "", "a setting of another card"
    page = open_page("papers", figure=CHANGEABLE.key, at=f"nonsense:1,{setting.key}:12345")
    assert drawn(page)["complete"]
    assert any("nonsense" in caption.value for caption in page.caption)


def test_a_message_that_means_nothing_changes_nothing():
    nonsense = {
        Message.FIGURE: ("none-such", None),
        Message.VERDICT: ("wonderful",),
        Message.USES: (10**9, -3.5),
        Message.READY: ("yes",),
        Message.PREDICT: ({},),
        Message.CHOOSE: (1e300, -1.0, 999_999.0, "1"),
    }
    for message, values in nonsense.items():
        for said in values:
            assert changed(PapersSettings(), message, said) == PapersSettings(), (message, said)


def test_messages_change_what_they_say():
    now = PapersSettings(QUICK)
    assert changed(now, Message.FIGURE, FIRST).figure == FIRST
    only = changed(now, Message.VERDICT, str(Verdict.ONE_FAILS))
    assert only.verdict == Verdict.ONE_FAILS
    assert changed(only, Message.VERDICT, str(Verdict.ONE_FAILS)).verdict == ""
    assert changed(now, Message.USES, 1).uses == mechanisms_run()[0]
    assert changed(now, Message.PREDICT, True).reveal is False
    assert changed(now, Message.RUN, None).seed == 1
    assert changed(changed(now, Message.RUN, None), Message.RUN, "0") == now


def test_a_run_without_its_data_is_one_sentence(monkeypatch):
    monkeypatch.delenv("DPCA_DATA", raising=False)
    chaudhuri.problem.cache_clear()
    page = open_page("papers", figure="chaudhuri-fig-4b", seed="1")
    for _ in range(2):
        assert drawn(page)["trouble"].startswith("coil2000_insurance.parquet is not at hand")
        assert drawn(page)["complete"]
        page.run()


def test_numbers_and_script_can_be_saved():
    page = open_page("papers", figure=QUICK)
    card = page.session_state["papers.drawn"][1].view
    numbers = card_numbers(card).text
    assert numbers.splitlines()[1] == "series,x,trial,value,printed,source"
    assert len(numbers.splitlines()) >= len(card.results.rows)
    script = card_script(card, "name", {}).text
    assert all(text.startswith(f"# {NOT_PRIVATE}\n") for text in (numbers, script))
    compile(script, "script", "exec")
    assert f'BY_KEY["{QUICK}"]' in script


def test_a_number_that_is_not_in_the_paper_is_not_saved_as_printed():
    """Of Figure 1(b) the first author's own runs are on record, of Table 1 what is printed."""
    authors = "the first author's later public code (stored result)"
    for key, source in (("imtiaz-fig-1b", authors), ("imtiaz-table-1", "Table 1 (typed)")):
        card = Screen(PapersSettings(key)).view
        rows = csv.DictReader(card_numbers(card).text.splitlines()[1:])
        saved = [row for row in rows if row["source"] != "ours"]
        assert {row["source"] for row in saved} == {source}
        assert {bool(row["printed"]) for row in saved} == {source != authors}
        assert {bool(row["value"]) for row in saved} == {source == authors}
