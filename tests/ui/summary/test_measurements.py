"""What a summary measures. All from fixed seeds: nothing fails by chance."""

from math import log

import numpy as np
import pytest

from dpca_core.analysis.reliability import Reliability, judged, simulated
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget
from sample_data import load_key
from tests.ui.summary.summaries import built_in, measured, own_table, query
from ui.state.settings import Settings
from ui.summary.measurements import SummaryMeasurements, all_reliable
from ui.summary.query import Name, SummaryQuery


def test_settings_are_a_fifth_and_four_times_at_the_nearest_stops() -> None:
    asked = query(load_key("rand"), 4, 0.5)
    assert asked.epsilons == {Name.STRICTER: 0.1, Name.CHOSEN: 0.5, Name.LOOSER: 2.0}
    assert query(load_key("rand"), 4, 0.001).epsilons.keys() == {Name.CHOSEN, Name.LOOSER}
    assert query(load_key("rand"), 4, 100.0).epsilons.keys() == {Name.STRICTER, Name.CHOSEN}


def test_a_query_follows_the_settings() -> None:
    data = load_key("wine")
    settings = Settings(data="wine", k=19, epsilon=2.0, adjacency="replace_one", seed=3)
    asked = SummaryQuery.of(settings, DEFAULT, data, 2)
    assert (asked.k, asked.n, asked.epsilon, asked.seed) == (12, 178, 2.0, 3)
    assert asked.adjacency is Adjacency.REPLACE_ONE
    assert SummaryQuery.of(Settings(), DEFAULT, data, 2).k == 2


def test_levels_are_those_of_the_one_definition() -> None:
    found, problem = built_in("rand", 4, 0.5), load_key("rand").problem(4)
    assert found.trials == 1000
    for setting in found.settings.values():
        cosines = simulated(DEFAULT, problem, Budget(setting.epsilon, 1e-6), 0, range(1000))
        assert setting.found == judged(problem, cosines, ordered=True)


def test_the_number_of_people_is_the_smallest_on_the_grid() -> None:
    found, problem = built_in("rand", 4, 0.5), load_key("rand").problem(4)
    assert found.people_factor is not None
    steps = round(log(found.people_factor) / log(1.25))
    assert found.people_factor == pytest.approx(1.25**steps)
    for power, holds in ((steps - 1, False), (steps, True)):
        more = problem.scaled(problem.n * 1.25**power)
        cosines = simulated(DEFAULT, more, Budget(0.5, 1e-6), 0, range(1000))
        assert all_reliable(judged(more, cosines, ordered=True)) is holds
    assert built_in("rand", 4, 2.0).people_factor is None


def test_the_steps_are_the_whole_however_often_one_breaks_off() -> None:
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


def test_where_nothing_can_be_released_it_says_why_and_refusals_are_counted() -> None:
    found = built_in("rand", 2, 0.5, delta=0.0)
    assert [s.guarantee for s in found.settings.values()] == [None] * 3
    assert "δ" in found.chosen.why
    assert found.chosen.found is None
    refused = built_in("wine", 2, 1.0, "gap_release").chosen
    assert refused.refused == 1.0
    assert refused.found is not None
    assert {d.level for d in refused.found.directions} == {Reliability.LOST}


def test_each_release_pays_for_a_mean_of_its_own() -> None:
    data = own_table(mean_share=0.2)
    found = measured(data, query(data, 2, 5.0))
    alone = DEFAULT.guarantee(*query(own_table(), 2, 5.0).point(own_table(), 5.0))
    assert found.chosen.guarantee is not None
    assert found.chosen.guarantee.epsilon == pytest.approx(5.0, rel=1e-3)
    assert found.chosen.guarantee.noise_multiplier is None
    assert alone.noise_multiplier is not None
    assert np.isnan(found.averages).all()
    assert found.chosen.found is not None


def test_wide_data_are_measured_in_short_steps_with_fewer_releases() -> None:
    data = load_key("imtiaz?d=400&n=2000&k=5")
    found = SummaryMeasurements(data, query(data, 5, 1.0, mechanism=MECHANISMS["gaussian"]))
    assert 29 <= found.trials <= 1000
    assert found._at_once <= 10
