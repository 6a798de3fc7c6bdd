"""The sentence at the top of Explore, one test for each state that a study can be in.

Draws have fixed seeds, so what is said of them is always the same.
"""

import re
from dataclasses import replace

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency
from dpca_core.analysis.order_statistics import lower_bound
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.trials import run_trials
from sample_data import load_key
from tests.ui.explore.answers import at, begun, finished
from ui.explore.headline import ENOUGH_FOR_BOUND, LARGE_DELTA, NO_PRIVACY, Headline
from ui.explore.measurements import Study
from ui.explore.query import ExploreQuery
from ui.explore.summary import summarize
from ui.state.slider_stops import EPSILON_STOPS

FINDS = "of the variation an ordinary PCA finds"


def headline(study, epsilon):
    return Headline(summarize(study, 0.9)).answer(at(epsilon)).replace("\u00a0", " ")


def with_releases(study, trials):
    """The study with its chosen mechanism's first releases at every stop, and nothing else."""
    mechanism = study.query.mechanism
    drawn = run_trials(TrialDraws(mechanism, study.query.seed, range(trials)), study.points)
    study.chosen.enter(range(len(EPSILON_STOPS)), range(trials), drawn)
    return study


def with_reliability(study, epsilon):
    """The study once it knows how reliable the directions are where it is read."""
    study.first_paint(at(epsilon))
    while study.reliability.at(at(epsilon)) is None:
        study.advance(0.05)
    return study


def prepared(data, *, mechanism="gaussian", **changes):
    """A study of a built-in data set, changed."""
    found = replace(load_key(data), **changes)
    view = ExploreQuery(
        MECHANISMS[mechanism], 2, 1e-6, float(found.people), Adjacency.ADD_OR_REMOVE_ONE, 0
    )
    return Study(found, view, ())


def test_measuring():
    assert headline(begun(), 0.1) == "At [[ε = 0.1]]: drawing the first releases …"


def test_under_59_releases_they_are_counted_and_nothing_is_bounded():
    assert ENOUGH_FOR_BOUND == 59
    few = headline(with_releases(begun(), 12), 0.1)
    assert re.fullmatch(
        rf"At \[\[ε = 0.1\]\] .* \*\*9\d %\*\* {FINDS} \(12 releases so far\)\.", few
    )
    enough = headline(with_releases(begun(), 59), 0.1)
    assert "so far" not in enough
    assert "19 of 20 keep at least **9" in enough


def test_normal():
    study = finished()
    values = study.chosen.captured[at(1.0)]
    kept, least = round(100 * np.median(values)), int(100 * lower_bound(values))
    kept_text = "more than 99" if np.median(values) >= 0.995 else f"{kept}"
    assert headline(study, 1.0) == (
        f"At [[ε = 1]] a release keeps **{kept_text} %** {FINDS}; "
        f"19 of 20 keep at least **{least} %**."
    )


def test_nearly_everything_is_more_than_99_percent():
    text = headline(finished(), 10.0)
    assert f"keeps **more than 99 %** {FINDS}" in text
    assert "100 %" not in text


def test_not_above_chance():
    assert headline(finished(), 0.001) == (
        "At [[ε = 0.001]] a release does no better than directions drawn at random (28 %)."
    )


def test_some_directions_lost():
    study = with_reliability(finished(k=3), 0.5)
    assert headline(study, 0.5).endswith(", but only directions 1 and 2 are reliable.")


def test_the_average():
    text = headline(with_reliability(finished("wine", k=1), 100.0), 100.0)
    assert "; direction 1 is mostly the average " in text


@pytest.mark.parametrize(("epsilon", "tries"), [(0.3, None), (1.0, True)])
def test_refuses(epsilon, tries):
    study = finished(key="gap_release")
    share = summarize(study, 0.9).chosen.refusals[at(epsilon)]
    none = "no answer" if tries is None else f"no answer in {round(100 * share)} of 100 tries"
    assert headline(study, epsilon) == (
        f"At [[ε = {epsilon:g}]] Gap release gives **{none}**: the eigengap cannot be certified "
        "with this budget. From **ε = 1.5** it answers 9 in 10."
    )
    refused = summarize(study, 0.9).chosen.refusals
    assert refused[at(1.5)] <= 0.1 < refused[at(1.5) - 1]


def test_a_stop_that_is_not_measured_is_no_answer():
    study = begun(key="gap_release")
    study.first_paint(at(0.1))
    answers = re.search(r"From \*\*ε = ([\d.]+)\*\*", headline(study, 0.1))
    assert float(answers[1]) >= 1.5


def test_infeasible():
    text = headline(with_releases(begun(delta=0.0), 1), 0.1)
    assert text.startswith("Gaussian noise needs δ > 0: choose a positive δ, or a pure mechanism")


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 1.0])
def test_refuted(epsilon):
    study = with_releases(begun(key="wishart_sn"), 60)
    text = headline(study, epsilon)
    # 1 − e^{−ε}: the share of results of one Wishart matrix that a record of norm 1 sticks out of.
    proofs = round(100 * -np.expm1(-epsilon))
    said = f"about **{proofs} of 100** results prove" if proofs else "some results prove"
    assert text.endswith(f"its promise is false: {said} that somebody is absent.")
    assert "19 of 20" not in text


def test_not_certified():
    study = with_releases(begun(key="power_pure_printed"), 60)
    assert re.search(
        rf"keeps \*\*.* %\*\* {FINDS}, but nothing is proved about its privacy\.",
        headline(study, 100.0),
    )
    assert headline(study, 0.001).endswith(
        "at random (28 %), and nothing is proved about its privacy."
    )


def test_printed_and_weaker():
    study = with_releases(begun(key="analyze_gauss"), 60)
    found = re.search(r"ε = 50; what holds is \*\*([\d.]+)\*\*\.", headline(study, 50.0))
    true = MECHANISMS["analyze_gauss"].guarantee(*study.points[at(50.0)]).epsilon
    assert true <= float(found[1]) < 1.01 * true
    assert "paper promises" not in headline(study, 0.1)


def test_no_privacy():
    assert headline(with_releases(begun(key="non_private"), 1), 0.1) == NO_PRIVACY


def test_directions_drawn_at_random():
    assert headline(with_releases(begun(key="random_projection"), 1), 0.1) == (
        "Directions drawn at random keep **28 %** of the variation."
    )


def test_preparation_reads_the_data():
    study = with_releases(prepared("wine", private=False), 60)
    assert headline(study, 100.0).endswith(
        "but its preparation reads the data before any noise: no promise holds."
    )


def test_delta_of_one_in_the_number_of_people():
    people = load_key("rand").people
    below, above = (begun(delta=delta) for delta in (0.99 / people, 1 / people))
    assert LARGE_DELTA not in headline(with_releases(below, 12), 0.1)
    assert headline(with_releases(above, 12), 0.1).endswith(LARGE_DELTA)
    pure = begun(key="wishart_difference", delta=1 / people)
    assert LARGE_DELTA not in headline(with_releases(pure, 12), 0.1)


def test_no_headline_speaks_in_symbols():
    for key in MECHANISMS:
        study = begun(key=key)
        study.first_paint(at(0.1))
        text = headline(study, 0.1)
        assert not re.search("sin Θ|second moment|swallow", text), key
        assert text.endswith("."), key
