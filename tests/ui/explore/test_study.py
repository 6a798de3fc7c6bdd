"""What Explore measures: the same releases in every view, reliability in time, what is needed."""

from dataclasses import replace

import numpy as np

from dpca_core.analysis.needed import EpsilonNeeded
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.simulation.releases_per_point import FIRST, RELEASES
from sample_data import load_key
from tests.ui.explore.studies import FEW, at, begun, few, finished, study_of, with_shares
from ui.explore.medians import Medians
from ui.explore.one import bands_of
from ui.state.slider_stops import EPSILON_STOPS


def test_a_refinement_is_one_step_where_others_wait_and_all_ends():
    study = begun("wine", rivals=FEW[:1], trials=FIRST)
    while not study.curves._find_guarantees(study.curves.chosen):
        pass
    study.advance(lambda: True)
    done = study.curves.chosen.done
    assert 0 < done.sum() < len(EPSILON_STOPS) * RELEASES / 10
    assert study.stage == 1
    while not study.complete:
        assert study.progress["progress"]
        study.advance()
    assert study.progress == {"share": 1, "complete": True, "progress": "", "stage": study.stage}


def test_the_epsilon_needed_follows_what_is_measured_as_often_for_all():
    """As many numbers, but at other points: seven points of 40 releases, fourteen of twenty."""
    study = begun("wine")
    line = study.curves.chosen
    assert study.needed(line, 0.9) is None, "nothing is measured"
    first, seventh = EPSILON_STOPS[14], EPSILON_STOPS[7]
    with_shares(study, "gaussian", 1.0, 40, range(14, 21))
    assert study.needed(line, 0.9) == EpsilonNeeded(first, True, first, 40)
    with_shares(study, "gaussian", 1.0, 20, range(7, 14))
    assert study.needed(line, 0.9) == EpsilonNeeded(seventh, False, seventh, 20)
    # Where the others have 40 at most, the chosen one's 200 would make it seem to need less.
    study = study_of(load_key("digits"), rivals=shown_by_default(), k=3)
    with_shares(study, "gaussian", 1.0, RELEASES)
    fewest = min(study.curves.trials.values())
    assert study.needed(study.curves.chosen, 0.9).releases == fewest < RELEASES


def test_one_draw_of_a_private_mean_gives_no_confidence():
    """All releases measured share it: their order says nothing of another draw."""
    study = study_of(replace(load_key("rand"), mean_share=0.1), trials=60)
    with_shares(study, "gaussian", 1.0, 60)
    assert not study.needed(study.curves.chosen, 0.9).certain
    assert not study.people_needed(0.9, at(0.1)).certain


def test_bands_hold_their_share_and_where_most_is_refused_there_is_no_median():
    line = finished().curves.chosen
    bands = bands_of(Medians(line, None), "captured")
    values = line.captured[at(0.05)]
    for share, band in zip((95, 80, 50), bands, strict=True):
        assert f"{share} % of releases" in band.name
        inside = (values >= band.low[at(0.05)] - 1e-9) & (values <= band.high[at(0.05)] + 1e-9)
        assert inside.mean() >= share / 100 - 0.011
    medians = Medians(few("gap_release", 30).curves.chosen, None)
    assert medians.refusals[at(0.1)] > 0.9
    assert np.isnan(medians.captured[at(0.1)])
    assert np.isfinite(medians.captured[at(100.0)])
