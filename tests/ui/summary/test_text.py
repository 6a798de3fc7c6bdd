"""The sentences of a summary in every state. Fixed seeds: nothing fails by chance."""

from dataclasses import replace

import numpy as np
import pytest

from dpca_core.analysis.reliability import DirectionReliability, Reliabilities, Reliability
from dpca_core.data.provenance import ONE_ROW
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Budget
from dpca_core.text.privacy_numbers import right_guesses
from sample_data import load_key
from tests.built_in_sets import loaded
from tests.ui.explore.answers import begun
from tests.ui.summary.summaries import (
    built_in,
    frozen,
    measured,
    own_table,
    query,
    shown,
)
from ui.claims.text import guess_answer
from ui.explore.guarantee_text import GuaranteeText
from ui.explore.summary import summarize
from ui.state.slider_stops import EPSILON_STOPS
from ui.summary import promise_text as promise
from ui.summary import text
from ui.summary.pattern_rows import (
    LOST_WORDS,
    MOST_ROWS,
    cell,
    joined,
    more_rows,
    row_label,
    rows,
)
from ui.text.documents import DOCUMENTS, title_of, without_documents

R = Reliability


def of(*levels: R, blocks: dict[int, tuple[int, int]] | None = None, ordered: bool = True):
    directions = tuple(
        DirectionReliability(i, level, 0.5, (blocks or {}).get(i))
        for i, level in enumerate(levels, 1)
    )
    return Reliabilities(directions, R.LOST, 0.5, ordered, 1000)


def test_the_page_of_the_specification() -> None:
    found = built_in("rand", 4, 0.5)
    said = shown(found)
    assert text.title(found, said) == (
        "What we could publish about 5,912 people, and what it costs them"
    )
    assert text.lead(found) == (
        "Four patterns that sum up **19 columns** of the RAND Health Insurance Experiment, with "
        "noise added to limit what anyone can learn about one person. At the chosen setting "
        "**two patterns are reliable**; the other two can be read only as a pair."
    )
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
    assert text.people_sentence(found) == (
        "With twice as many people, 3 and 4 would each be reliable at ε\u00a0=\u00a00.5."
    )
    assert "two of them together allow 53.5 in 100" in " ".join(promise.not_promised(found, said))


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.5, 2.0])
def test_settings_and_a_second_release_have_unlike_odds(epsilon: float) -> None:
    """Also where all of them are near a coin, at which whole numbers are the same."""
    problem = built_in("wine", 2, 1.0).query.point(loaded("wine"), 1.0)[0]
    guarantees = [DEFAULT.guarantee(problem, Budget(epsilon * x, 1e-6)) for x in (1 / 5, 1, 4)]
    chances = [guarantee.guess_probability() for guarantee in guarantees]
    written = [right_guesses(p) for p in (*chances, promise.two_releases(guarantees[1]))]
    assert len({*written}) == len(written)
    assert "50" not in written


def test_n_is_said_only_where_it_is_public() -> None:
    data = own_table()
    found = measured(data, query(data, 2, 2.0))
    hidden = shown(found, public=False, people=False)
    said = [text.title(found, hidden), text.lead(found), promise.foot(frozen(found), found, hidden)]
    assert said[0] == "What we could publish about these people, and what it costs them"
    assert "500" not in " ".join(said)
    assert "clinic" not in " ".join(said)
    assert "500 people" in text.title(found, shown(found))


@pytest.mark.parametrize(
    ("mechanism", "odds", "lead", "listed"),
    [
        ("non_private", "nothing protects", "[[Nobody is protected.]]", "Nothing protects"),
        (
            "power_printed",
            "**proved**",
            "[[Nothing is proved about its privacy.]]",
            "Nothing is proved",
        ),
    ],
)
def test_where_no_bound_holds(mechanism: str, odds: str, lead: str, listed: str) -> None:
    found = built_in("rand", 2, 0.5, mechanism)
    bound = promise.odds(found, found.chosen)
    assert bound.chance is None
    assert odds in bound.text
    assert text.lead(found).endswith(lead)
    said = " ".join(promise.not_promised(found, shown(found)))
    assert listed in said
    assert "second release" not in said


@pytest.mark.parametrize("mechanism", ["wishart_sn", "wishart_jiang"])
def test_a_refuted_promise_leaves_a_bound_and_every_page_says_the_same(mechanism: str) -> None:
    """Its total variation δ is proved, and a guess from even odds is right (1 + δ)/2 at most."""
    found = built_in("rand", 2, 0.1, mechanism)
    guarantee = found.chosen.guarantee
    assert guarantee is not None
    share = 1 - np.exp(-0.1 if mechanism == "wishart_sn" else -0.1 / 3)
    assert guarantee.guess_probability() == pytest.approx((1 + share) / 2, rel=1e-12)
    times = right_guesses((1 + share) / 2)
    assert promise.odds(found, found.chosen).text == f"right at most **{times}** in 100"
    assert f"at most <b>{times} times in 100</b>" in guess_answer(guarantee)
    explore = GuaranteeText(summarize(begun(key=mechanism), 0.9)).odds(EPSILON_STOPS.index(0.1))
    assert f"at most **{times} times in 100**" in explore
    said = " ".join(promise.not_promised(found, shown(found)))
    assert "**Its promise is false.**" in said
    assert "The odds above hold all the same" in said
    assert "is left open" not in said
    assert "A second release costs again" in said
    assert text.lead(found).endswith("[[Its promise of privacy is false.]]")


def test_a_preparation_that_reads_the_data_leaves_no_bound() -> None:
    data = own_table(private=False)
    found = measured(data, query(data, 2, 2.0))
    assert promise.odds(found, found.chosen) == (promise.UNPAID, None)
    assert promise.not_promised(found, shown(found))[0] == promise.UNPAID_TEXT
    assert "not private" in promise.foot(frozen(found), found, shown(found))


def test_infeasible_and_refused() -> None:
    pure = built_in("rand", 2, 0.5, delta=0.0)
    assert "**nothing can be released**: Gaussian noise needs" in text.lead(pure)
    assert promise.odds(pure, pure.chosen).chance is None
    (row,) = rows(pure, shown(pure))
    assert row.level is R.UNKNOWN
    refused = built_in("wine", 2, 1.0, "gap_release")
    assert "**it gives no answer in 100 of 100 tries**" in text.lead(refused)


def test_one_row_and_several_rows() -> None:
    rows_only = own_table(unit=ONE_ROW)
    found = measured(rows_only, query(rows_only, 1, 2.0))
    assert "One row is protected" in " ".join(promise.not_promised(found, shown(found)))
    assert promise.guess_label(found) == "A guess whether one row is in the table"
    several = own_table(rows_per_person=3)
    found = measured(several, query(several, 1, 2.0))
    assert "3 rows at most" in " ".join(promise.not_promised(found, shown(found)))


def test_a_large_delta_is_called_large() -> None:
    found = built_in("rand", 2, 0.5, delta=3e-4)
    assert promise.LARGE_DELTA in promise.not_promised(found, shown(found))


def test_the_average_is_not_a_difference() -> None:
    found = built_in("digits", 1, 1.0)
    (row,) = rows(found, shown(found))
    assert row.words == "Mostly **the average image**, not a difference between images"


def test_without_an_order_only_the_span_is_judged() -> None:
    found = built_in("rand", 2, 0.5, "ppca")
    (row,) = rows(found, shown(found))
    assert (row.numbers, row.level) == ((1, 2), R.TOGETHER)
    assert "reliable together" in text.lead(found)
    assert text.people_sentence(found) == ""


def test_lost_directions_have_no_words_and_the_rest_is_counted() -> None:
    found = built_in("rand", 10, 1.0)
    every = rows(found, shown(found))
    assert more_rows(every[MOST_ROWS:]) == "and 5 more: 2 reliable, 3 recognisable"
    lost = built_in("wine", 2, 1.0)
    assert [row.words for row in rows(lost, shown(lost))] == [LOST_WORDS]
    assert "**no pattern is reliable**; both are lost" in text.lead(lost)


@pytest.mark.parametrize(
    ("found", "numbers", "said"),
    [
        (of(R.RELIABLE, R.LOST), (1, 2), ("half", "1 reliable, 2 lost")),
        (of(R.RELIABLE, R.RELIABLE), (1, 2), ("full", "both reliable")),
        (of(*[R.RECOGNISABLE] * 3), (1, 2, 3), ("half", "all recognisable")),
        (of(R.TOGETHER, R.TOGETHER, blocks={1: (1, 2), 2: (1, 2)}), (1,),
         ("half", "only together with 2")),
        (of(R.LOST, R.LOST), (1, 2), ("empty", "lost")),
    ],
)  # fmt: skip
def test_cells(found: Reliabilities, numbers: tuple[int, ...], said: tuple[str, str]) -> None:
    assert cell(found, numbers) == said


def test_numbers_in_rows() -> None:
    assert [joined(n) for n in ((1,), (3, 4), (2, 3, 4), (1, 3, 4))] == [
        "1", "3 and 4", "2 to 4", "1, 3 and 4",
    ]  # fmt: skip
    assert row_label((1,)) == "Pattern 1"


def test_a_scaled_number_of_people_is_named() -> None:
    data = load_key("chaudhuri")
    found = measured(data, replace(query(data, 1, 1.0), n=20_000.0))
    foot = promise.foot(frozen(found), found, shown(found))
    assert "Verdicts are for 20,000 people who look like the 5,000 of the table." in foot
    assert text.title(found, shown(found)) == (
        "What we could publish if there were 20,000 people like the 5,000 in the table, and what "
        "it would cost them"
    )
    hidden = text.title(found, shown(found, people=False))
    assert "20,000 people like those in the table" in hidden
    assert "5,000" not in hidden


@pytest.mark.parametrize(
    ("mechanism", "who", "title"),
    [
        ("gaussian", "Balle & Wang 2018, Theorem 8;", "Gaussian noise, exactly"),
        ("wishart_difference", "our own;", "The difference of two Wisharts is ε-DP"),
        ("wishart", "our own accounting;", "One Wishart matrix, with a δ"),
        ("ppca", "Chaudhuri, Sarwate & Sinha 2013, Theorem 6; sampled exactly;", "Drawing"),
        ("laplace", "Dwork, McSherry, Nissim & Smith 2006 (Laplace noise), at a", "Conventions"),
        ("local_gaussian", "our own;", "Without a curator"),
    ],
)
def test_who_proved_it_and_where_it_is_read(mechanism: str, who: str, title: str) -> None:
    found = built_in("wine", 2, 1.0, mechanism)
    said = promise.proof(found)
    assert said is not None
    assert said.text.startswith(f"**Proof of the promise:** {who}")
    assert title_of(said.document).startswith(title)


def test_no_proof_is_named_where_nothing_is_proved() -> None:
    refuted = promise.proof(built_in("wine", 2, 1.0, "wishart_sn"))
    assert refuted == ("**Refutation:**", "wishart-refutation")
    assert promise.proof(built_in("wine", 2, 1.0, "power_printed")) == (
        "**What is not proved:**",
        "power",
    )
    assert promise.proof(built_in("wine", 2, 1.0, "non_private")) is None
    data = own_table(private=False)
    assert promise.proof(measured(data, query(data, 2, 2.0))) is None


def test_every_promise_says_who_proved_it_without_a_path() -> None:
    point = query(loaded("wine"), 2, 0.5).point(loaded("wine"), 0.5)
    for mechanism in MECHANISMS.values():
        guarantee = mechanism.guarantee(*point)
        assert "docs" not in without_documents(guarantee.source)
        assert mechanism.document in DOCUMENTS
