"""The Papers page without a browser: what a link shows, what controls change, and runs."""

import tomllib

from papers import chaudhuri
from papers.card import Verdict
from papers.registry import BY_KEY, CARDS
from tests.opened_page import open_page
from tests.paths import ROOT
from ui.papers import text
from ui.papers.page import RUN
from ui.papers.query import FIRST, PapersSettings
from ui.papers.text import WORDS
from ui.state.session import SETTINGS
from ui.state.settings import Settings

CHANGEABLE = next(one for one in CARDS if one.vary is not None and one.live)
QUICK, SLOW = "chaudhuri-fig-5", "chaudhuri-fig-2"
"""A card whose run takes well below a second, and one that is not run here."""


def button(page, label):
    return next(one for one in page.button if one.label == label)


def labels(page):
    return [one.label for one in page.button]


def tiles(page):
    start = "papers-open-"
    return [b.key.removeprefix(start) for b in page.button if (b.key or "").startswith(start)]


def test_it_opens_on_the_first_card_with_all_tiles():
    page = open_page("papers")
    assert not page.exception
    assert page.query_params["figure"] == FIRST
    assert tiles(page) == [*BY_KEY]
    button(page, text.tile(BY_KEY[QUICK], veiled=False)).click().run()
    assert page.query_params["figure"] == QUICK


def test_a_link_and_controls_limit_the_wall():
    verdict = CARDS[-1].verdict
    asked = {"seed": "7", "mechanism": "laplace", "epsilon": "5"}
    page = open_page("papers", figure=QUICK, verdict=str(verdict), ready="1", **asked)
    assert page.session_state[SETTINGS] == Settings(), "what other pages show"
    limited = [c.key for c in CARDS if c.verdict == verdict and not c.needs]
    assert {*tiles(page)} == {QUICK, *limited}
    page.get("button_group")[0].set_value(Verdict.ONE_FAILS).run()
    assert page.query_params["verdict"] == str(Verdict.ONE_FAILS)
    page.selectbox[0].set_value("gaussian").run()
    assert page.query_params["uses"] == "gaussian"
    assert not page.exception


def test_a_link_for_a_class_hides_our_run_until_it_is_asked_for():
    """No verdict limits the wall, and no seed in the link begins a run that would show it."""
    verdict = str(Verdict.ONE_FAILS)
    page = open_page("papers", figure=QUICK, reveal="0", seed="3", verdict=verdict)
    assert tiles(page) == [*BY_KEY]
    assert RUN not in page.session_state
    assert text.tile(BY_KEY[QUICK], veiled=True) in labels(page)
    assert WORDS("run") not in labels(page)
    button(page, WORDS("show")).click().run()
    assert WORDS("show") not in labels(page)
    assert page.session_state[RUN][1].share == 1


def test_a_run_with_a_seed_is_another_one_of_the_same_size_and_can_be_left():
    page = open_page("papers", figure=QUICK, seed="3")
    own, known = page.session_state[RUN][1].table.rows, BY_KEY[QUICK].stored.rows
    assert len(own) == len(known)
    assert not own.equals(known)
    button(page, WORDS("back")).click().run()
    assert "seed" not in page.query_params


def test_a_changed_setting_is_another_card_and_stands_in_the_address():
    setting = next(s for s in CHANGEABLE.settings if s.choices)
    stored = CHANGEABLE.chosen[setting.key]
    other = next(c for c in setting.choices if c != stored)
    after = PapersSettings(CHANGEABLE.key).changed(**{setting.key: other})
    assert after.chosen == {setting.key: other}
    assert PapersSettings.from_query(after.to_query()) == after
    varied = CHANGEABLE.vary(**after.chosen)
    assert varied.chosen[setting.key] == other
    assert after.changed(**{setting.key: stored}).at == ""
    assert after.opened(FIRST).at == "", "a setting of another card"
    page = open_page("papers", figure=CHANGEABLE.key, at=f"nonsense:1,{setting.key}:12345")
    assert not page.exception
    assert any("nonsense" in caption.value for caption in page.caption)


def test_a_browser_keeps_what_it_is_referred_to_where_answers_come_late():
    """A card asked for again is sent as a reference to what the browser had when it asked.

    With Streamlit's own setting its front end forgets that after two answers more, and ends with a
    fatal error: they may come before the reference where the connection or the machine is slow.
    """
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["global"]["maxCachedMessageAge"] >= 20


def test_what_cannot_be_run_is_one_sentence(monkeypatch):
    page = open_page("papers", figure=SLOW, seed="4")
    assert not page.error
    assert sum("Not run here" in caption.value for caption in page.caption) == 1
    monkeypatch.delenv("DPCA_DATA", raising=False)
    chaudhuri.problem.cache_clear()
    page = open_page("papers", figure="chaudhuri-fig-4b", seed="1")
    for _ in range(2):
        assert [e.value.split(" is ")[0] for e in page.error] == ["coil2000_insurance.parquet"]
        assert not page.exception
        page.run()
