"""One page before a decision: what it measures and says in every state, and the file it saves."""

import re
from html import unescape
from math import expm1

import numpy as np
import pytest

from dpca_core import MECHANISMS
from dpca_core.analysis.order_statistics import fewest
from dpca_core.analysis.reliability import Reliability
from dpca_core.data.recipe import ONE_ROW
from dpca_core.text.privacy_numbers import right_guesses
from tests.built_in_sets import QUICK_SETS, loaded
from tests.cases import sampled
from tests.opened_page import page_at
from tests.page_charts import chart_of, texts_of
from tests.ui.explore.studies import MADE, at, built_in, finished, own, plain, sheet_of, worded
from ui.eigengap.figures import page_content as eigengap
from ui.eigengap.query import EigengapQuery
from ui.explore import reliability
from ui.explore import sheet_words as words
from ui.explore.all import all_content
from ui.explore.one import one_content
from ui.explore.sheet import markup, saved_sheet
from ui.explore.sheet_measurements import Sheet
from ui.page.files import NOT_PRIVATE
from ui.state.settings import Settings
from ui.text.numbers import count, degree_floor, rounded_count

R = Reliability
MOST_BYTES = 60_000
INSIDE = "For use inside: made from the true data"


def text_of(found, **wording):
    page = markup(found, worded(found, **wording), MADE)
    text = re.sub(r"<style>.*?</style>|<[^>]+>", "", page, flags=re.S)
    return " ".join(unescape(text).split())


@pytest.fixture
def hasty(monkeypatch):
    """Few releases, where what is said does not hang on what they show."""
    monkeypatch.setattr(reliability, "RELEASES_JUDGED", fewest(0.9))


def test_the_page_begins_with_the_decision_and_says_what_each_pattern_is():
    found = built_in("rand", 4, 0.5)
    page = text_of(found)
    assert (
        "At ε = 0.5 patterns 1 and 2 survive, 3 and 4 only together. Someone who guesses whether "
        "one of the 5,912 people is in the data is right at most 52.5 times in 100 (a coin: 50). "
        "Publish? ☐ yes ☐ no decided by until Four patterns that sum up 19 columns of “RAND Health"
    ) in page
    first, second, pair = words.rows(found, worded(found))
    assert first.words == "Tells **children** from **older people who rate their health “good”**"
    assert first.note == "child +0.73 · age −0.45 · health “good” −0.40"
    assert second.words == "**Deductible plan, larger share of costs, health “good”** go together"
    assert (pair.numbers, pair.level) == ((3, 4), R.TOGETHER)
    assert pair.words == "**Women and men; the share of costs; health rated “good”**"
    less, _, more = (words.surviving(setting) for setting in found.settings.values())
    assert (less, more) == ("pattern 1 is recognisable", "all four patterns survive")
    assert re.findall(r"at most ([\d.]+) in 100\.", page) == ["50.6", "52.5", "59"]
    assert "A second release costs again" in page
    assert "ε is the guarantee: smaller is more private." in page
    assert dots(found) == [(100, 50, 1), (100, 50, 3), (100, 50, 9)], "as the odds"


def test_nothing_tells_of_ones_own_table_where_n_is_not_public():
    found = sheet_of(own(), 2, 2.0)
    hidden = saved_sheet(found, worded(found, public=False, people=False), MADE)
    assert f'<b class="op-inside">{INSIDE}' in hidden
    assert "whether one of these people is in the data" in hidden
    hidden = re.sub(r"<style>.*?</style>", "", hidden, flags=re.S)
    assert not re.search("clinic|<b>age</b>|500", hidden)


def right(tau):
    """A refuted promise leaves its total variation: a guess from even odds is right (1 + τ)/2."""
    return f"right at most {right_guesses((1 + tau) / 2)} times in 100"


PROVED, AGAIN = "Proof of the promise", "A second release costs again"
FALSE = ("Its promise of privacy is false:", "The odds hold all the same", "Refutation", AGAIN)
LIKE = "20,000 people like the 5,000 in the table"
STATES = [
    ("rand", "non_private", {}, ["A guess: may always be right.", "Nobody is protected."]),
    ("rand", "power_printed", {}, ["A guess: no bound is proved.", "Nothing is proved about its"]),
    ("rand", "wishart_sn", {}, [right(-expm1(-0.1)), *FALSE, "At ε = 0.1 (asked)"]),
    ("rand", "laplace_printed", {}, ["Chosen, ε = 0.1 (asked)", "the guarantee that is asked for"]),
    ("rand", "gaussian", {"delta": 0.0}, ["nothing can be released (Gaussian needs δ > 0"]),
    ("wine", "gaussian", {}, ["one wine is in the table", f"{PROVED}: Balle & Wang 2018, Theorem"]),
    ("chaudhuri", "gaussian", {"n": 2e4}, [f"one of {LIKE} is in", "As these are public"]),
    ("own", "gaussian", {"unit": ONE_ROW}, ["One row is protected", "only if these are public"]),
    ("own", "gaussian", {"private": False}, ["preparing the table reads it", "No promise holds:"]),
]


@pytest.mark.parametrize(("data", "key", "changes", "said"), STATES)
def test_each_state_has_its_sentences(data, key, changes, said, hasty):
    table, changed = (own(**changes), {}) if data == "own" else (loaded(data), changes)
    found = sheet_of(table, 2, 0.1, key, **changed)
    page = text_of(found)
    assert [sentence for sentence in said if sentence not in page] == []
    assert INSIDE not in page
    bounded = key not in ("non_private", "power_printed")
    assert bounded or (AGAIN not in page and dots(found) == [])
    assert PROVED not in page or "private" not in changes


def test_a_what_if_without_the_number_of_people_does_not_tell_it(hasty):
    hidden = text_of(sheet_of(loaded("chaudhuri"), 1, 1.0, n=20_000.0), people=False)
    assert "one of 20,000 people like those in the table" in hidden
    assert "5,000" not in hidden


@pytest.mark.parametrize("key", sampled(QUICK_SETS, len(QUICK_SETS), "every data set"))
def test_the_file_is_small_and_loads_nothing(key):
    found = built_in(key, 5, 0.5)
    file = saved_sheet(found, worded(found), MADE)
    assert len(file.encode()) <= MOST_BYTES
    assert not re.search(r"<(script|link|iframe|object|svg|a)\b|<[^>]*\son\w+=", file)
    assert not re.search(r"https?://|url\(|@import|@font-face", file)
    assert f"<p><strong>{NOT_PRIVATE}</strong></p>" in file


def dots(found):
    """How many dots each setting has, how many of them a coin would have, and how many more."""
    groups = re.findall(r'<div class="op-dots".*?</div>', markup(found, worded(found), MADE))
    return [(g.count("<i"), g.count("op-coin"), g.count("op-gained")) for g in groups]


SETTINGS = [("rand", "gaussian", 2, 0.1), ("rand", "wishart", 3, 0.5), ("rand", "laplace", 2, 1.0)]
RIVALS = (MECHANISMS["gaussian"], MECHANISMS["laplace"])


@pytest.mark.parametrize(("data", "key", "k", "epsilon"), SETTINGS)
def test_numbers_are_equal_wherever_they_stand(data, key, k, epsilon):
    """Kept, needed ε, odds, noise, people needed and half off by, as printed, in all that say so.

    Of 200 releases in each view; what directions do, of those that One page judges them by.
    """
    study = finished(data, key, rivals=RIVALS, k=k, epsilon=epsilon)
    study.at = at(epsilon)
    one, every = (make(study, "x", at(epsilon), 0.9) for make in (one_content, all_content))
    said = plain(one.says["answer"][at(epsilon)])
    kept = re.search(r"keeps \*\*(?:more than )?(\d+) %\*\*", said)[1]
    rows = {row.key: row for row in every.rows}
    assert f"{kept} %" in plain(rows[key].cells[0][at(epsilon)])
    for row in one.rows:
        there = rows[row.key].cells[-1]
        assert plain(row.cells[0]) == plain(there if isinstance(there, str) else there[at(epsilon)])
    assert f"200 releases per point for {study.mechanism.name}" in one.says["footer"]
    (odds,) = re.findall(r"at most \*\*([\d.]+) times in 100", one.says["under"][at(epsilon)])
    assert f"at most **{odds}** in 100" in one.says["beside"][at(epsilon)]
    sheet = Sheet(study, epsilon)
    for _ in sheet.steps():
        pass
    assert f"right at most {odds} times in 100" in text_of(sheet)
    one = one_content(study, "x", at(epsilon), 0.9)
    half = re.search(r"are off by \*\*([\d.]+)°", chart_of(one, "sin-theta").sub[at(epsilon)])[1]
    angles = study.reliability.at(at(epsilon)).angles
    assert f"{half}°" == degree_floor(np.median(angles))
    assert len(angles) == sheet.chosen.found.trials
    asked = EigengapQuery(study.dataset, k, study.asked.n, study.problem.gap, study.asked.budget)
    others = plain(" ".join(texts_of(eigengap(asked))))
    assert "off by" not in others
    assert "off by" not in plain(str(every.charts))
    people = study.people_needed(0.9, at(epsilon)).n
    many = re.findall(
        r"at ε = [\d.]+ (?:about )?\*\*(?:all )?([\d,]+) people",
        plain(one.says["lead"][at(epsilon)]),
    )
    assert many in ([rounded_count(people)], [count(study.asked.n)])
    if key == "gaussian":
        title = plain(chart_of(one, "noise").title[at(epsilon)])
        noise = re.search(r"Noise ([\d.,]+) people", title)[1]
        assert f"noise {noise} people" in others


def test_a_table_of_ones_own():
    data = own()
    page = page_at("explore", view="page")
    page.session_state["datasets"] = {data.key: data}
    page.session_state["settings"] = Settings(data=data.key, k=2, epsilon=2.0)

    def drawn():
        assert not page.exception
        (body,) = [h.proto.body for h in page.get("html") if "<article" in h.proto.body]
        return body

    page.run()
    assert INSIDE in drawn()
    assert "one of these people" in drawn()
    page.checkbox(key=f"sheet-n-{data.key}").check().run()
    assert "one of the 500 people" in drawn()
