"""What a summary measures and says in every state. Fixed seeds: nothing fails by chance."""

from dataclasses import replace
from math import log

import numpy as np
import pytest

from dpca_core.analysis.reliability import Reliability, judged, simulated
from dpca_core.data.provenance import ONE_ROW
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Budget
from dpca_core.text.guarantee_sentences import odds
from dpca_core.text.privacy_numbers import right_guesses
from sample_data import load_key
from tests.built_in_sets import loaded
from tests.ui.summary.summaries import built_in, frozen, measured, own_table, query, shown
from ui.summary import promise_text as promise
from ui.summary import text
from ui.summary.measurements import SummaryMeasurements, all_reliable
from ui.summary.pattern_rows import LOST_WORDS, MOST_ROWS, cell, more_rows, rows
from ui.text.documents import DOCUMENTS, title_of, without_documents

R = Reliability


def own(k=2, epsilon=2.0, **changes):
    data = own_table(**changes)
    return measured(data, query(data, k, epsilon))


def not_promised(found):
    return " ".join(promise.not_promised(found, shown(found)))


def test_the_page_of_the_specification():
    found = built_in("rand", 4, 0.5)
    said = shown(found)
    assert "publish about 5,912 people" in text.title(found, said)
    lead = text.lead(found)
    assert lead.startswith("Four patterns that sum up **19 columns** of the RAND Health")
    assert "**two patterns are reliable**; the other two can be read only as a pair." in lead
    first, second, pair = rows(found, said)
    assert first.words == "Tells **children** from **older people who rate their health “good”**"
    assert first.note == "child +0.73 · age −0.45 · health “good” −0.40"
    assert second.words == "**Deductible plan, larger share of costs, health “good”** go together"
    assert (pair.numbers, pair.level) == ((3, 4), R.TOGETHER)
    assert pair.words == "**Women and men; the share of costs; health rated “good”**"
    bounds = [promise.odds(found, setting).text for setting in found.settings.values()]
    assert bounds == [f"right at most **{times}** in 100" for times in ("50.6", "52.5", "59")]
    cells = [cell(s.found, (3, 4))[1] for s in found.settings.values() if s.found]
    assert cells == ["lost", "only together", "both reliable"]
    assert "3 and 4 would each be reliable at ε\u00a0=\u00a00.5." in text.people_sentence(found)
    assert "two of them together allow 53.5 in 100" in not_promised(found)


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.5, 2.0])
def test_settings_and_a_second_release_have_unlike_odds(epsilon):
    """Also where all of them are near a coin, at which whole numbers are the same."""
    problem = loaded("wine").problem(2)
    guarantees = [DEFAULT.guarantee(problem, Budget(epsilon * x, 1e-6)) for x in (1 / 5, 1, 4)]
    chances = [guarantee.guess_probability() for guarantee in guarantees]
    written = [right_guesses(p) for p in (*chances, promise.two_releases(guarantees[1]))]
    assert len({*written}) == len(written)
    assert "50" not in written


def test_n_is_said_only_where_it_is_public():
    found = own()
    hidden = shown(found, public=False, people=False)
    said = [text.title(found, hidden), text.lead(found), promise.foot(frozen(found), found, hidden)]
    assert "about these people" in said[0]
    assert "500" not in " ".join(said)
    assert "clinic" not in " ".join(said)
    assert "500 people" in text.title(found, shown(found))


@pytest.mark.parametrize(
    ("mechanism", "bound", "lead", "listed"),
    [
        ("non_private", "may **always** be right", "[[Nobody is protected.]]", "Nothing protects"),
        ("power_printed", "**proved**", "[[Nothing is proved", "Nothing is proved"),
    ],
)
def test_where_no_bound_holds(mechanism, bound, lead, listed):
    found = built_in("rand", 2, 0.5, mechanism)
    said = promise.odds(found, found.chosen)
    assert said.chance is None
    assert bound in said.text
    assert lead in text.lead(found)
    assert listed in not_promised(found)
    assert "second release" not in not_promised(found)


@pytest.mark.parametrize("mechanism", ["wishart_sn", "wishart_jiang"])
def test_a_refuted_promise_leaves_a_bound(mechanism):
    """Its total variation δ is proved, and a guess from even odds is right (1 + δ)/2 at most."""
    found = built_in("rand", 2, 0.1, mechanism)
    guarantee = found.chosen.guarantee
    assert guarantee is not None
    share = 1 - np.exp(-0.1 if mechanism == "wishart_sn" else -0.1 / 3)
    assert guarantee.guess_probability() == pytest.approx((1 + share) / 2, rel=1e-12)
    times = right_guesses((1 + share) / 2)
    assert promise.odds(found, found.chosen).text == f"right at most **{times}** in 100"
    assert f"at most **{times} times in 100**" in odds(guarantee, "person")
    said = not_promised(found)
    assert "**Its promise is false.**" in said
    assert "The odds above hold all the same" in said
    assert "A second release costs again" in said
    assert text.lead(found).endswith("[[Its promise of privacy is false.]]")


def test_a_preparation_that_reads_the_data_leaves_no_bound_and_no_proof():
    found = own(private=False)
    assert promise.odds(found, found.chosen) == ("no bound", None)
    assert promise.not_promised(found, shown(found))[0] == promise.UNPAID_TEXT
    assert "not private" in promise.foot(frozen(found), found, shown(found))
    assert promise.proof(found) is None


def test_infeasible_and_refused():
    pure = built_in("rand", 2, 0.5, delta=0.0)
    assert "**nothing can be released**: Gaussian needs" in text.lead(pure)
    assert "δ" in pure.chosen.why
    assert promise.odds(pure, pure.chosen).chance is None
    (row,) = rows(pure, shown(pure))
    assert row.level is R.UNKNOWN
    refused = built_in("wine", 2, 1.0, "gap_release")
    assert refused.chosen.refused == 1.0
    assert "**it gives no answer in 100 of 100 tries**" in text.lead(refused)


def test_one_row_and_several_rows():
    found = own(1, unit=ONE_ROW)
    assert "One row is protected" in not_promised(found)
    assert promise.guess_label(found) == "A guess whether one row is in the table"
    assert "3 rows at most" in not_promised(own(1, rows_per_person=3))


def test_without_an_order_only_the_span_is_judged():
    found = built_in("rand", 2, 0.5, "ppca")
    (row,) = rows(found, shown(found))
    assert (row.numbers, row.level) == ((1, 2), R.TOGETHER)
    assert "reliable together" in text.lead(found)
    assert text.people_sentence(found) == ""


def test_lost_directions_have_no_words_and_the_rest_is_counted():
    every = rows(built_in("rand", 10, 1.0), shown(built_in("rand", 10, 1.0)))
    assert more_rows(every[MOST_ROWS:]).startswith("and 5 more: ")
    lost = built_in("wine", 2, 1.0)
    assert [row.words for row in rows(lost, shown(lost))] == [LOST_WORDS]
    assert "**no pattern is reliable**; both are lost" in text.lead(lost)


def test_a_scaled_number_of_people_is_named():
    data = load_key("chaudhuri")
    found = measured(data, replace(query(data, 1, 1.0), n=20_000.0))
    foot = promise.foot(frozen(found), found, shown(found))
    assert "for 20,000 people who look like the 5,000 of the table." in foot
    title = text.title(found, shown(found))
    assert "if there were 20,000 people like the 5,000 in the table" in title
    hidden = text.title(found, shown(found, people=False))
    assert "20,000 people like those in the table" in hidden
    assert "5,000" not in hidden


@pytest.mark.parametrize(
    ("mechanism", "who", "title"),
    [
        ("gaussian", "Balle & Wang 2018, Theorem 8;", "Gaussian noise, exactly"),
        ("ppca", "Chaudhuri, Sarwate & Sinha 2013, Theorem 6; sampled exactly;", "Drawing"),
        ("local_gaussian", "our own;", "Without a curator"),
        ("wishart_sn", None, None),
    ],
)
def test_who_proved_it_and_where_it_is_read(mechanism, who, title):
    said = promise.proof(built_in("wine", 2, 1.0, mechanism))
    assert promise.proof(built_in("rand", 2, 0.5, "non_private")) is None
    if who is None:
        assert not said.text.startswith("**Proof")
        assert said.document == MECHANISMS[mechanism].document
    else:
        assert said.text.startswith(f"**Proof of the promise:** {who}")
        assert title_of(said.document).startswith(title)


def test_every_promise_says_who_proved_it_without_a_path():
    point = query(loaded("wine"), 2, 0.5).point(loaded("wine"), 0.5)
    for mechanism in MECHANISMS.values():
        assert "docs" not in without_documents(mechanism.guarantee(*point).source)
        assert mechanism.document in DOCUMENTS


def test_levels_are_those_of_the_one_definition():
    found, problem = built_in("rand", 4, 0.5), load_key("rand").problem(4)
    assert found.trials == 1000
    for setting in found.settings.values():
        cosines = simulated(DEFAULT, problem, Budget(setting.epsilon, 1e-6), 0, range(1000))
        assert setting.found == judged(problem, cosines, ordered=True)


def test_the_number_of_people_is_the_smallest_on_the_grid():
    found, problem = built_in("rand", 4, 0.5), load_key("rand").problem(4)
    assert found.people_factor is not None
    steps = round(log(found.people_factor) / log(1.25))
    assert found.people_factor == pytest.approx(1.25**steps)
    for power, holds in ((steps - 1, False), (steps, True)):
        more = problem.scaled(problem.n * 1.25**power)
        cosines = simulated(DEFAULT, more, Budget(0.5, 1e-6), 0, range(1000))
        assert all_reliable(judged(more, cosines, ordered=True)) is holds
    assert built_in("rand", 4, 2.0).people_factor is None


def test_the_steps_are_the_whole_however_often_one_breaks_off():
    data = load_key("chaudhuri")
    asked = query(data, 2, 0.1)
    whole, broken = measured(data, asked), SummaryMeasurements(data, asked)
    shares = []
    while not broken.complete:
        next(broken.steps())
        shares.append(broken.share)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert broken.settings == whole.settings
    assert (broken.words, broken.people_factor) == (whole.words, whole.people_factor)


def test_each_release_pays_for_a_mean_of_its_own():
    data = own_table(mean_share=0.2)
    found = measured(data, query(data, 2, 5.0))
    alone = DEFAULT.guarantee(*query(own_table(), 2, 5.0).point(own_table(), 5.0))
    assert found.chosen.guarantee is not None
    assert found.chosen.guarantee.epsilon == pytest.approx(5.0, rel=1e-3)
    assert found.chosen.guarantee.noise_multiplier is None
    assert alone.noise_multiplier is not None
    assert np.isnan(found.averages).all()
    assert found.chosen.found is not None
