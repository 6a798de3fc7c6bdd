"""The first answer of a very wide table: the numbers of any other, and nothing else before it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.precision import Precision
from dpca_core.simulation.trials import run_trials
from sample_data import CATALOGUE, load_key
from tests.ui.explore.answers import begun
from ui.explore import disclosures, measurements
from ui.explore.first_release import measured_first
from ui.explore.query import ExploreQuery


@pytest.mark.parametrize("key", ["gaussian", "wishart", "ppca_sequential"])
def test_it_is_what_all_other_releases_are(key: str) -> None:
    points = [load_key("digits").point(3, None, Budget(e, 1e-6)) for e in (0.5, 5.0)]
    for asked in (points[:1], points):
        draws = TrialDraws(MECHANISMS[key], 0, range(2))
        found = measured_first(draws, asked, Precision.SCREEN)
        whole = run_trials(TrialDraws(MECHANISMS[key], 0, range(2)), asked)
        for name, bound in zip(("captured", "sin_theta"), found.errors, strict=True):
            ours, theirs = getattr(found, name), getattr(whole, name)
            assert ours.shape == (len(asked), 2)
            assert (np.abs(ours - theirs) <= bound + 1e-6).all()
        assert np.array_equal(found.refused, whole.refused)
        assert len(asked) > 1 or not found.errors.any()
        assert found.notes == ("",) * len(asked)


def test_where_there_is_no_noise_it_says_so() -> None:
    points = [load_key("wine").point(2, None, Budget(1.0, 0.0))]
    draws = TrialDraws(MECHANISMS["wishart"], 0, range(2))
    found = measured_first(draws, points, Precision.SCREEN)
    assert "δ" in found.notes[0]
    assert found.refused.all()


def test_a_very_wide_table_is_answered_after_one_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the chosen ε alone and without norms, though the time of thirty is a multiple of that."""
    study = begun("digits", rivals=shown_by_default())
    fresh = measurements.Study(study.dataset, study.query, shown_by_default())
    clock, asked = [0.0], list[list[Any]]()

    def slowly(measure: Callable[..., Any]) -> Callable[..., Any]:
        def measured(draws: TrialDraws, points: list[Any], precision: Precision) -> Any:
            clock[0] += 1.0
            asked.append(points)
            return measure(draws, points, precision)

        return measured

    monkeypatch.setattr(measurements, "expected_seconds", lambda d: 0.34)
    monkeypatch.setattr(measurements, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(measurements, "measured_first", slowly(measured_first))
    monkeypatch.setattr(fresh.pace, "_solve", 0.34)
    fresh.first_paint(9)
    assert asked == [[fresh.points[9]]]
    assert np.flatnonzero(fresh.chosen.done.any(axis=1)).tolist() == [9]
    assert np.isnan(fresh.chosen.norms).all()


def test_what_clipping_does_is_found_once_and_not_before_the_first_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data, asked = CATALOGUE["rand"].make(), list[int]()
    found = disclosures.clipping

    def counted(dataset: Dataset, problem: Problem) -> str | None:
        asked.append(problem.k)
        return found(dataset, problem)

    monkeypatch.setattr(disclosures, "clipping", counted)
    monkeypatch.setattr(disclosures, "is_heavy", lambda d: True)
    query = ExploreQuery(MECHANISMS["gaussian"], 2, 1e-6, 500.0, Adjacency.ADD_OR_REMOVE_ONE, 0)
    study = measurements.Study(data, query, ())
    study.first_paint(9)
    assert study.stage == 1
    assert "Clipping:" not in disclosures.disclosure_checklist(study)
    assert asked == []
    study.advance(0.0)
    for _ in range(2):
        assert "Clipping:" in disclosures.disclosure_checklist(study)
    other = measurements.Study(data, replace(query, k=3), ())
    monkeypatch.setattr(disclosures, "is_heavy", lambda d: False)
    assert "Clipping:" in disclosures.disclosure_checklist(other), "of narrow tables at once"
    assert asked == [2, 3]
