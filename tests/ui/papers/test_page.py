"""The Papers page without a browser: what a link shows, what controls change, and runs."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from papers import chaudhuri
from papers.card import Verdict
from papers.registry import BY_KEY, CARDS
from tests.cases import sampled
from tests.opened_page import open_page
from ui.page.files import NOT_PRIVATE
from ui.papers import text
from ui.papers.export import numbers_csv, script
from ui.papers.page import RUN
from ui.papers.query import FIRST, PapersSettings
from ui.papers.words import CardView
from ui.state.session import SETTINGS
from ui.state.settings import Settings

CHANGEABLE = next(one for one in CARDS if one.vary is not None and one.live)
QUICK = "chaudhuri-fig-5"
"""A card whose run takes well below a second."""


def button(page, label):
    return next(one for one in page.button if one.label == label)


def tiles(page):
    return [
        key.removeprefix("papers-open-")
        for b in page.button
        if "papers-open" in (key := b.key or "")
    ]


def markup(page):
    return " ".join(one.value for one in page.get("html") if isinstance(one.value, str))


def test_it_opens_on_the_first_card_with_all_tiles():
    page = open_page("papers")
    assert not page.exception
    assert page.query_params["figure"] == FIRST
    assert tiles(page) == [*BY_KEY]
    button(page, text.tile(BY_KEY[QUICK], known=False, veiled=False)).click().run()
    assert page.query_params["figure"] == QUICK


def test_a_link_opens_a_card_and_limits_the_wall():
    verdict = CARDS[-1].verdict
    asked = {"seed": "7", "mechanism": "laplace", "epsilon": "5"}
    page = open_page("papers", figure=QUICK, verdict=str(verdict), ready="1", **asked)
    assert page.session_state[SETTINGS] == Settings(), "what other pages show"
    limited = [c.key for c in CARDS if c.verdict == verdict and not c.needs]
    assert {*tiles(page)} == {QUICK, *limited}


def test_controls_change_what_they_say():
    page = open_page("papers", figure=QUICK)
    page.get("button_group")[0].set_value(Verdict.ONE_FAILS).run()
    assert page.query_params["verdict"] == str(Verdict.ONE_FAILS)
    page.selectbox[0].set_value("gaussian").run()
    assert page.query_params["uses"] == "gaussian"
    page.checkbox[0].check().run()
    page.checkbox[1].check().run()
    assert (page.query_params["ready"], page.query_params["reveal"]) == ("1", "0")
    assert not page.exception


@pytest.mark.parametrize("key", sampled(BY_KEY, 6, "each card on the page, hidden and not"))
def test_every_card_is_drawn_hidden_and_not(key):
    for reveal in ("0", "1"):
        page = open_page("papers", figure=key, reveal=reveal)
        assert not page.exception
        assert not page.error


def test_a_link_for_a_class_hides_our_run_until_it_is_asked_for():
    page = open_page("papers", figure=QUICK, reveal="0")
    assert text.tile(BY_KEY[QUICK], known=False, veiled=True) in [b.label for b in page.button]
    labels = [b.label for b in page.button]
    assert text.RUN not in labels
    button(page, text.SHOW).click().run()
    labels = [b.label for b in page.button]
    assert text.SHOW not in labels
    assert text.RUN in labels


@pytest.mark.chance(1e-6)
def test_a_run_with_a_seed_is_drawn_over_the_stored_one_and_agrees_with_it():
    """Of fewer than 100 differences of means of 100 none exceeds 6 standard errors."""
    page = open_page("papers", figure=QUICK, seed="3")
    assert not page.exception
    run, card = page.session_state[RUN][1], BY_KEY[QUICK]
    own, known = run.table, card.stored
    assert run.complete
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
    button(page, text.BACK_TO_STORED).click().run()
    assert "seed" not in page.query_params


def test_a_changed_setting_is_another_card_and_stands_in_the_address():
    setting = next(s for s in CHANGEABLE.settings if s.choices)
    other = next(c for c in setting.choices if c != setting.chosen)
    now = PapersSettings(CHANGEABLE.key)
    after = now.changed(setting.key, other)
    assert after.chosen == {setting.key: other}
    assert PapersSettings.from_query(after.to_query()) == after
    varied = CHANGEABLE.vary(**after.chosen)
    assert [s.chosen for s in varied.settings if s.key == setting.key] == [other]
    assert after.changed(setting.key, setting.chosen).at == ""
    assert after.opened(FIRST).at == "", "a setting of another card"
    page = open_page("papers", figure=CHANGEABLE.key, at=f"nonsense:1,{setting.key}:12345")
    assert not page.exception
    assert any("nonsense" in caption.value for caption in page.caption)


def test_a_run_without_its_data_is_one_sentence(monkeypatch):
    monkeypatch.delenv("DPCA_DATA", raising=False)
    chaudhuri.problem.cache_clear()
    page = open_page("papers", figure="chaudhuri-fig-4b", seed="1")
    for _ in range(2):
        assert [e.value.split(" is ")[0] for e in page.error] == ["coil2000_insurance.parquet"]
        assert not page.exception
        page.run()


def test_numbers_and_script_say_that_they_are_not_private():
    view = CardView(BY_KEY[QUICK], BY_KEY[QUICK].stored)
    numbers, (file, program) = numbers_csv(view), script(view, {})
    assert numbers.splitlines()[1] == "series,x,trial,value,printed,source"
    assert len(numbers.splitlines()) >= len(view.results.rows)
    assert all(content.startswith(f"# {NOT_PRIVATE}\n") for content in (numbers, program))
    compile(program, file, "exec")
    assert f'BY_KEY["{QUICK}"]' in program
    changed = script(replace(view, card=CHANGEABLE), {"k": 8.0})[1]
    assert ".vary(**{'k': 8.0})" in changed


def test_a_number_that_is_not_in_the_paper_is_not_saved_as_printed():
    """Of Figure 1(b) the first author's own runs are on record, of Table 1 what is printed."""
    authors = "the first author's later public code (stored result)"
    for key, source in (("imtiaz-fig-1b", authors), ("imtiaz-table-1", "Table 1 (typed)")):
        view = CardView(BY_KEY[key], BY_KEY[key].stored)
        rows = csv.DictReader(numbers_csv(view).splitlines()[1:])
        saved = [row for row in rows if row["source"] != "ours"]
        assert {row["source"] for row in saved} == {source}
        assert {bool(row["printed"]) for row in saved} == {source != authors}
        assert {bool(row["value"]) for row in saved} == {source == authors}
