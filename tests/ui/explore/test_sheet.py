"""One page before a decision: what it measures and says in every state, and the file it saves."""

import re
from html import unescape

import numpy as np
import pytest

from dpca_core.analysis.reliability import Reliability, judged, simulated
from dpca_core.data.provenance import ONE_ROW
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Budget
from dpca_core.text.privacy_numbers import right_guesses
from sample_data import load_key
from tests.built_in_sets import QUICK_SETS, loaded
from tests.cases import sampled
from tests.opened_page import open_page, page_at
from tests.ui.explore.sheets import MADE, built_in, measured, own_table, worded
from tests.ui.explore.studies import study_of
from ui.explore import sheet_words as words
from ui.explore.sheet import MOST_ROWS, markup, saved_sheet
from ui.explore.sheet_measurements import Sheet
from ui.explore.text import say
from ui.page.files import NOT_PRIVATE
from ui.state.settings import Settings
from ui.text.documents import DOCUMENTS, title_of, without_documents

R = Reliability
MOST_BYTES = 60_000
INSIDE = "For use inside: made from the true data"


def text_of(found, **wording):
    """Return what a page says, without its markup."""
    page = markup(found, worded(found, **wording), MADE)
    return re.sub(
        r"\s+", " ", unescape(re.sub(r"<style>.*?</style>|<[^>]+>", "", page, flags=re.S))
    )


def test_the_page_begins_with_the_decision_and_says_what_each_pattern_is():
    found = built_in("rand", 4, 0.5)
    page = text_of(found)
    assert (
        "At ε = 0.5 patterns 1 and 2 survive, 3 and 4 only together. Someone who guesses whether "
        "one of the 5,912 people is in the data is right at most 52.5 times in 100 (a coin: 50). "
        "Publish? ☐ yes ☐ no by until Four patterns that sum up 19 columns of “RAND Health"
    ) in page
    first, second, pair = words.rows(found, worded(found))
    assert first.words == "Tells **children** from **older people who rate their health “good”**"
    assert first.note == "child +0.73 · age −0.45 · health “good” −0.40"
    assert second.words == "**Deductible plan, larger share of costs, health “good”** go together"
    assert (pair.numbers, pair.level) == ((3, 4), R.TOGETHER)
    assert pair.words == "**Women and men; the share of costs; health rated “good”**"
    said = [words.surviving(setting) for setting in found.settings.values()]
    assert said[0] == "pattern 1 is recognisable"
    assert said[2] == "all four patterns survive"
    assert re.findall(r"at most ([\d.]+) in 100\.", page) == ["50.6", "52.5", "59"]
    assert "A second release costs again" in page


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.5, 2.0])
def test_settings_have_unlike_odds(epsilon):
    """Also where all of them are near a coin, at which whole numbers are the same."""
    problem = loaded("wine").problem(2)
    guarantees = [DEFAULT.guarantee(problem, Budget(epsilon * x, 1e-6)) for x in (1 / 5, 1, 4)]
    chances = [guarantee.guess_probability() for guarantee in guarantees]
    written = [right_guesses(chance) for chance in chances]
    assert len({*written}) == len(written)
    assert "50" not in written


def test_nothing_tells_of_ones_own_table_and_n_is_said_only_where_it_is_public():
    found = measured(own_table(), 2, 2.0)
    hidden = saved_sheet(found, worded(found, public=False, people=False), MADE)
    assert f'<b class="op-inside">{INSIDE}' in hidden
    assert "whether one of these people is in the data" in hidden
    assert "clinic" not in hidden
    assert "<b>age</b>" not in hidden
    assert "500" not in re.sub(r"<style>.*?</style>", "", hidden, flags=re.S)
    shown = text_of(found)
    assert "whether one of the 500 people is in the data" in shown
    assert INSIDE not in shown


@pytest.mark.parametrize(
    ("mechanism", "bound", "wrong"),
    [
        ("non_private", "may always be right", "Nobody is protected."),
        ("power_printed", "no bound is proved", "Nothing is proved about its privacy."),
    ],
)
def test_where_no_bound_holds_no_dots_are_drawn(mechanism, bound, wrong):
    found = built_in("rand", 2, 0.5, mechanism)
    page = text_of(found)
    assert page.count(f"A guess: {bound}.") == 3
    assert wrong in page
    assert "second release" not in page
    assert "op-coin" not in markup(found, worded(found), MADE).partition("</style>")[2]


@pytest.mark.parametrize("mechanism", ["wishart_sn", "wishart_jiang"])
def test_a_refuted_promise_leaves_a_bound(mechanism):
    """Its total variation δ is proved, and a guess from even odds is right (1 + δ)/2 at most."""
    found = built_in("rand", 2, 0.1, mechanism)
    guarantee = found.chosen.guarantee
    assert guarantee is not None
    share = 1 - np.exp(-0.1 if mechanism == "wishart_sn" else -0.1 / 3)
    assert guarantee.guess_probability() == pytest.approx((1 + share) / 2, rel=1e-12)
    page = text_of(found)
    assert f"right at most {right_guesses((1 + share) / 2)} times in 100" in page
    assert "Its promise of privacy is false:" in page
    assert "The odds hold all the same" in page
    assert "A second release costs again" in page


def test_a_preparation_that_reads_the_data_leaves_no_bound_and_no_proof():
    page = text_of(measured(own_table(private=False), 2, 2.0))
    assert "No bound on a guess holds: preparing the table reads it before any noise." in page
    assert "No promise holds:" in page
    assert "Gaussian, not private" in page
    assert "Proof of the promise" not in page


def test_where_nothing_is_released_or_every_release_refused():
    pure = built_in("rand", 2, 0.5, delta=0.0)
    assert "nothing can be released (Gaussian needs δ > 0" in text_of(pure)
    (row,) = words.rows(pure, worded(pure))
    assert row.level is R.UNKNOWN
    refused = built_in("wine", 2, 1.0, "gap_release")
    assert refused.chosen.refused == 1.0
    assert words.surviving(refused.chosen) == "there is no answer in 100 of 100 tries"


def test_one_row_several_rows_and_another_unit():
    found = measured(own_table(unit=ONE_ROW), 1, 2.0)
    assert "One row is protected" in text_of(found)
    assert "3 rows at most" in text_of(measured(own_table(rows_per_person=3), 1, 2.0))
    assert "whether or not one wine is in the table" in text_of(built_in("wine", 2, 1.0))


def test_without_an_order_only_the_span_is_judged():
    found = built_in("rand", 2, 0.5, "ppca")
    (row,) = words.rows(found, worded(found))
    assert (row.numbers, row.level) == ((1, 2), R.TOGETHER)
    assert words.surviving(found.chosen) == "both patterns survive together, in no order"


def test_lost_directions_have_no_words_and_the_rest_is_counted():
    found = built_in("rand", 10, 1.0)
    every = words.rows(found, worded(found))
    assert f"and {10 - sum(len(row.numbers) for row in every[:MOST_ROWS])} more" in text_of(found)
    lost = built_in("wine", 2, 1.0)
    assert [row.words for row in words.rows(lost, worded(lost))] == [say("lost_words")]
    assert words.surviving(lost.chosen) == "no pattern survives"


def test_another_number_of_people_than_the_tables_is_a_what_if():
    found = measured(load_key("chaudhuri"), 1, 1.0, n=20_000.0)
    like = "20,000 people like the 5,000 in the table"
    assert f"whether one of {like} is in the data" in text_of(found)
    assert f"Verdicts are for {like}." in text_of(found)
    hidden = text_of(found, people=False)
    assert "one of 20,000 people like those in the table" in hidden
    assert "5,000" not in hidden


@pytest.mark.parametrize(
    ("mechanism", "who", "title"),
    [
        ("gaussian", "Proof of the promise: Balle & Wang 2018, Theorem 8;", "Gaussian noise"),
        ("ppca", "Sinha 2013, Theorem 6; sampled exactly;", "Drawing directions at random"),
        ("local_gaussian", "Proof of the promise: our own;", "Without a curator"),
        ("wishart_sn", "Refutation:", "Why one Wishart matrix is not private"),
    ],
)
def test_who_proved_it_and_where_it_is_read(mechanism, who, title):
    found = built_in("wine", 2, 1.0, mechanism)
    assert f"{who} see “{title}" in text_of(found)
    assert title_of(found.mechanism.document).startswith(title)
    link = f'<a href="proofs?document={found.mechanism.document}" target="_blank" rel="noopener">'
    assert link in markup(found, worded(found), MADE)


def test_every_promise_says_who_proved_it_without_a_path():
    point = load_key("wine").point(2, 178, Budget(0.5, 1e-6))
    for mechanism in MECHANISMS.values():
        assert "docs" not in without_documents(mechanism.guarantee(*point).source)
        assert mechanism.document in DOCUMENTS


def test_levels_are_those_of_the_one_definition():
    found, problem = built_in("rand", 4, 0.5), load_key("rand").problem(4)
    for setting in found.settings.values():
        cosines = simulated(DEFAULT, problem, Budget(setting.epsilon, 1e-6), 0, range(1000))
        assert setting.found == judged(problem, cosines, ordered=True)


def test_the_steps_are_the_whole_however_often_one_breaks_off():
    whole = measured(load_key("chaudhuri"), 2, 0.1)
    broken, shares = Sheet(study_of(load_key("chaudhuri"), k=2, epsilon=0.1), 0.1), []
    while not broken.complete:
        next(broken.steps())
        shares.append(broken.share)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert broken.settings == whole.settings
    assert broken.words == whole.words


def test_each_release_pays_for_a_mean_of_its_own():
    found = measured(own_table(mean_share=0.2), 2, 5.0)
    alone = measured(own_table(), 2, 5.0).chosen.guarantee
    total = found.chosen.guarantee
    assert total is not None
    assert total.epsilon == pytest.approx(5.0, rel=1e-3)
    assert total.noise_multiplier is None
    assert alone is not None
    assert alone.noise_multiplier is not None
    assert np.isnan(found.averages).all()
    assert found.chosen.found is not None


def assert_closed(text):
    """Each element that is opened is closed, the last one first."""
    opened = []
    for end, tag in re.findall(r"<(/?)([a-z]\w*)", text):
        if end:
            assert opened.pop() == tag
        elif tag not in ("meta", "img"):
            opened.append(tag)
    assert opened == []


SETS = [("rand", 4, 0.5), *((key, 5, 1.0) for key in QUICK_SETS)]


@pytest.mark.parametrize(("key", "k", "epsilon"), sampled(SETS, len(SETS), "every data set"))
def test_the_file_is_small_and_loads_nothing(key, k, epsilon):
    found = built_in(key, k, epsilon)
    file = saved_sheet(found, worded(found), MADE)
    assert len(file.encode()) <= MOST_BYTES
    assert_closed(file.partition("<!doctype html>\n")[2])
    assert not re.search(r"<(script|link|iframe|object|svg|a)\b|<[^>]*\son\w+=", file)
    assert not re.search(r"https?://|url\(|@import|@font-face", file)
    assert f"<p><strong>{NOT_PRIVATE}</strong></p>" in file


def test_dots_are_a_hundred_and_match_the_odds():
    found = built_in("rand", 4, 0.5)
    groups = re.findall(r'<div class="op-dots".*?</div>', markup(found, worded(found), MADE))
    counts = [(g.count("<i"), g.count("op-coin"), g.count("op-gained")) for g in groups]
    assert counts == [(100, 50, 1), (100, 50, 3), (100, 50, 9)]


SMALL = {"data": "chaudhuri", "k": "2", "epsilon": "0.5", "view": "page"}


def sheet_of(page):
    """Return the sheet on a page."""
    assert not page.exception
    (body,) = [h.proto.body for h in page.get("html") if "<article" in h.proto.body]
    return body


def test_the_view_follows_the_controls_of_all_views_and_of_a_mechanism():
    page = open_page("explore", **SMALL, mechanism="power")
    assert "ε&nbsp;=&nbsp;0.5" in sheet_of(page)
    page.select_slider(key="epsilon").set_value(1.0).run()
    page.slider(key="power.rounds").set_value(7).run()
    assert "ε&nbsp;=&nbsp;1 " in sheet_of(page)
    assert "Rounds L 7" in sheet_of(page)


def test_a_table_of_ones_own():
    data = own_table(key="upload:x:1")
    page = page_at("explore", view="page")
    page.session_state["datasets"] = {data.key: data}
    page.session_state["settings"] = Settings(data=data.key, k=2, epsilon=2.0)
    page.run()
    assert INSIDE in sheet_of(page)
    assert "one of these people" in sheet_of(page)
    page.checkbox(key=f"sheet-n-{data.key}").check().run()
    assert "one of the 500 people" in sheet_of(page)
