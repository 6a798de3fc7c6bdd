"""Numbers and sentences on the Explore page come from the mechanism, budget and data they name."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import norm

from dpca_core import MECHANISMS, Adjacency, Budget, Standing
from dpca_core.analysis.needed_epsilon_and_people import PeopleNeeded
from dpca_core.analysis.order_statistics import lower_bound
from dpca_core.data.dataset_guarantee import total_guarantee
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.simulation.sweep import sweep
from sample_data import load_key
from tests.ui.explore.screen_cases import own, rand
from ui.explore.disclosures import clipping
from ui.explore.example_loadings_and_projections import SampleReleases
from ui.explore.figures import page_content
from ui.explore.measurements import CHOSEN_TRIALS, Study
from ui.explore.query import ExploreQuery
from ui.explore.release_figures import largest_rows
from ui.explore.release_file import create_release_file
from ui.explore.summary import summarize
from ui.explore.text import ExploreText
from ui.figures.packed_content import decode, encode
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.numbers import significant

RIVALS = tuple(
    MECHANISMS[key]
    for key in (
        "gaussian",
        "analyze_gauss",
        "wishart_difference",
        "laplace",
        "power",
        "gap_release",
        "smooth_gaussian_printed",
    )
)


def view(key="gaussian", **changes):
    start = ExploreQuery(MECHANISMS[key], 2, 1e-6, 5912.0, Adjacency.ADD_OR_REMOVE_ONE, 0)
    return replace(start, **changes)


@cache
def finished(key="gaussian", k=2, adjacency=Adjacency.ADD_OR_REMOVE_ONE):
    study = Study(rand(), view(key, k=k, adjacency=adjacency), RIVALS)
    while not study.complete:
        study.advance(1)
    return study


def drawn(study, epsilon=0.1, target=0.9):
    content = page_content(
        study,
        identity="x",
        epsilon=epsilon,
        target=target,
        samples=SampleReleases(study, EPSILON_STOPS.index(epsilon)),
        public=False,
    )
    return decode(encode(content))


def curve(content, axis):
    """Return the chosen mechanism's values on one y axis."""
    chosen = next(m["key"] for m in content["mechanisms"] if m["chosen"])
    (line,) = [
        trace
        for trace in content["curves"]["data"]
        if trace.get("meta") == chosen and trace.get("yaxis", "y") == axis
    ]
    return line["y"]


def at(epsilon):
    return EPSILON_STOPS.index(epsilon)


def test_the_curve_is_the_sweep_of_the_same_seed():
    study = finished()
    table = sweep(
        ["gaussian"], rand().problem(2), epsilon=EPSILON_STOPS, delta=1e-6, trials=CHOSEN_TRIALS
    )
    swept = table.pivot_table(index="epsilon", columns="trial", values="captured").to_numpy()
    error = np.abs(study.chosen.captured - swept).mean(axis=1)
    assert (error < 0.1 * swept.std(axis=1) / np.sqrt(CHOSEN_TRIALS)).all()
    assert study.chosen.errors.any(), "single precision was tried"
    assert curve(drawn(study), "y") == pytest.approx(np.median(swept, axis=1), rel=1e-3)


def test_the_answer_says_median_and_certain_bound():
    study = finished()
    values = study.chosen.captured[at(0.1)]
    text = drawn(study)["texts"][at(0.1)]["answer"]
    assert f"keeps **{round(np.median(values) * 100)}\u00a0%**" in text
    bound = int(np.floor(lower_bound(values) * 100))
    assert f"19 of 20 keep at least **{bound}\u00a0%**" in text


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_the_odds_are_the_exact_gaussian_ones_rounded_up(epsilon):
    sigma = gaussian_sigma(epsilon, 1e-6, 1.0)
    exact = norm.cdf(0.5 / sigma) * 100
    said = drawn(finished())["texts"][at(epsilon)]["odds"]
    (times,) = re.findall(r"at most \*\*([\d.]+) times in 100\*\*", said)
    assert 0 <= float(times) - exact < (0.1 if exact < 55 else 1)


def test_at_epsilon_1_the_odds_are_54_8_in_100_and_the_general_ones_where_pure():
    assert "**54.8 times in 100**" in drawn(finished())["texts"][at(1.0)]["odds"]
    assert "**74 times in 100**" in drawn(finished("laplace"))["texts"][at(1.0)]["odds"]


def test_the_printed_triangle_is_weaker_than_claimed_under_replacement():
    study = finished("analyze_gauss", adjacency=Adjacency.REPLACE_ONE)
    badge = drawn(study)["texts"][at(1.0)]["badge"]
    guarantee = MECHANISMS["analyze_gauss"].guarantee(*study.points[at(1.0)])
    assert guarantee.standing is Standing.WEAKER
    assert guarantee.epsilon > 1
    assert badge["label"] == "WEAKER THAN CLAIMED"
    assert "the paper claims ε\u00a0=\u00a01" in badge["line"]
    assert "√2" in badge["reason"]


def test_gap_and_noise_are_in_people():
    content = drawn(finished())
    layout = content["curves"]["layout"]
    (gap,) = [shape["y0"] for shape in layout["shapes"] if shape["yref"] == "y3"]
    assert gap == pytest.approx(128.6, abs=0.1)
    for size in content["curves"]["sizes"].values():
        assert "<b>gap 129\u00a0people</b>" in [a["text"] for a in size["annotations"]]
    noise = curve(content, "y3")
    tau = MECHANISMS["gaussian"].calibrate(rand().problem(2), Budget(0.1, 1e-6)).scale
    assert noise[at(0.1)] == pytest.approx(tau * np.sqrt(2 * 19), rel=0.12)
    band = content["noise_bands"][at(0.1)]
    assert band["words"] == f"noise {significant(noise[at(0.1)], 3)}\u00a0people"
    top = content["beside"]["layout"]["yaxis3"]["range"][1]
    length = re.search(r"height: ([\d.]+)%", band["style"])
    assert float(length[1]) / 100 * top == pytest.approx(noise[at(0.1)], rel=1e-3)
    (ring,) = [t for t in content["curves"]["data"] if t["mode"] == "markers"]
    assert noise[at(0.15)] > gap > noise[at(0.2)]
    assert 0.15 < ring["x"][0] < 0.2
    assert ring["y"] == [pytest.approx(gap)]


def test_both_inverse_answers_are_true_of_new_releases():
    """200 new releases at the ε and n named: 9 of 10 keep 90 %, within what chance allows.

    The 10 % quantile of 200 releases stays above 0.88 unless chance conspires, < 1e-6.
    """
    study = finished()
    summary = summarize(study, 0.9)
    needed, people = summary.chosen.needed, study.people_needed(0.9, at(0.03))
    assert needed.certain
    assert people.certain
    problem = rand().problem(2)
    for asked, budget in (
        (problem, Budget(needed.epsilon, 1e-6)),
        (problem.scaled(people.n), Budget(0.03, 1e-6)),
    ):
        table = sweep(
            ["gaussian"], asked, epsilon=[budget.epsilon], delta=1e-6, trials=200, seed=77
        )
        assert table.captured.quantile(0.1) > 0.88
    sentence = drawn(study)["texts"][at(0.03)]["ladder_sub"]
    assert f"ε\u00a0=\u00a0{needed.epsilon:g}" in sentence
    assert "95\u00a0% confidence" in sentence
    assert "about" not in sentence


def test_few_releases_say_about_and_state_no_confidence():
    """Below 29 releases no order statistic can speak of 9 of 10."""
    study = Study(rand(), view(), ())
    study.first_paint(at(0.1))
    needed = summarize(study, 0.9).chosen.needed
    assert not needed.certain
    sentence = drawn(study)["texts"][at(0.1)]["ladder_sub"]
    assert f"about **ε\u00a0=\u00a0{needed.epsilon:g}**" in sentence.lower()
    assert "confidence" not in sentence
    assert drawn(study)["mechanisms"][0]["needed_text"] == f"about {needed.epsilon:g}"


def test_one_draw_of_a_private_mean_gives_no_confidence():
    """All releases measured share it: their order says nothing of another draw."""
    study = Study(replace(rand(), mean_share=0.1), view(), ())
    while not study.complete:
        study.advance(1)
    assert not study.epsilon_needed(study.query.mechanism, 0.9).certain
    assert not study.people_needed(0.9, at(0.1)).certain


def test_dots_count_what_they_show():
    content = drawn(finished(), epsilon=0.05)
    dots = content["dots"]["kept"][at(0.05)]
    assert len(dots) == 25
    kept = sum(value >= 0.9 for value in dots)
    text = content["texts"][at(0.05)]["dots"]
    assert text == f"{kept} of the first 25 releases keep 90\u00a0% or more"
    assert dots == pytest.approx(finished().chosen.captured[at(0.05), :25], rel=1e-6)


def test_bands_hold_their_share_of_the_releases():
    study = finished()
    filled = [t for t in drawn(study)["curves"]["data"] if "fill" in t and "yaxis" not in t]
    bands = {t["fillcolor"].partition("/band")[2]: t["y"] for t in filled}
    values = study.chosen.captured[at(0.05)]
    assert set(bands) == {"50", "80", "95"}
    for share in (50, 80, 95):
        # The outline goes along the upper end and comes back along the lower one.
        high, low = bands[str(share)][at(0.05)], bands[str(share)][-1 - at(0.05)]
        assert ((values >= low - 1e-3) & (values <= high + 1e-3)).mean() >= share / 100 - 0.011


def test_a_refusal_is_said_and_not_drawn():
    content = drawn(finished("gap_release"), epsilon=0.3)
    assert curve(content, "y")[at(0.3)] is None
    assert content["dots"]["kept"][at(0.3)] == [None] * 25
    text = content["texts"][at(0.3)]
    assert "gives **no answer**" in text["answer"]
    assert "From **ε\u00a0=\u00a01.5** it answers 9 in 10." in text["answer"]
    assert text["dots"] == "Nothing is released"


def test_smooth_sensitivity_is_shown_whatever_is_chosen():
    problem = rand().problem(2)
    noise = MECHANISMS["smooth_gaussian_printed"].calibrate(problem, Budget(0.1, 1e-6)).scale
    assert noise == pytest.approx(510, rel=0.02)
    assert "**510** to each entry" in drawn(finished())["texts"][at(0.1)]["smooth_sensitivity"]


def test_pictures_are_aligned_releases_of_the_same_streams():
    study = finished()
    found = SampleReleases(study, at(0.1)).loadings()
    frame, truth = found.released[0], found.true
    figures = drawn(study)["release"]["figures"]
    for j, each in enumerate(figures):
        rows = largest_rows(truth[j])
        assert each["frames"][0]["x"] == pytest.approx(list(frame[j][rows]), abs=1e-6)
        true_marks = each["figure"]["data"][1]
        assert true_marks["x"] == pytest.approx(list(truth[j][rows]), abs=1e-6)
    assert frame @ frame.T == pytest.approx(np.eye(2), abs=0.01)
    assert np.trace(frame @ truth.T) > 1.5
    captured = np.trace(frame @ rand().moment @ frame.T) / rand().problem(2).spectrum[:2].sum()
    assert captured == pytest.approx(study.chosen.captured[at(0.1), 0], abs=0.01)


def test_what_clipping_does_is_said_in_numbers():
    text = clipping(rand(), rand().problem(2))
    assert "7\u00a0% of rows" in text
    assert "2\u00a0% of values" in text
    assert clipping(load_key("digits"), load_key("digits").problem(2)) is None


def test_data_read_without_paying_carry_no_guarantee():
    data = own(private=False)
    study = Study(data, view(n=500.0), ())
    study.first_paint(at(1.0))
    text = drawn(study, epsilon=1.0)["texts"][at(1.0)]
    assert text["badge"]["label"] == "NOT PRIVATE"
    assert "No bound on guesses" in text["odds"]
    file = create_release_file(data, MECHANISMS["gaussian"], 2, Budget(1.0, 1e-6)).text
    assert file.startswith("# Not private: computed from the true data\n")
    assert "No guarantee: the preprocessing" in file
    assert "Guarantee" not in file


def test_the_mean_and_the_mechanism_add_up_to_the_budget():
    data = own(mean_share=0.25)
    budget = Budget(2.0, 1e-6)
    problem = data.problem(2, None, budget, 1)
    guarantee = MECHANISMS["gaussian"].guarantee(problem, data.mechanism_budget(budget))
    total = total_guarantee(data, guarantee, budget)
    assert total.epsilon == pytest.approx(2.0)
    assert total.delta == pytest.approx(1e-6)
    assert total.noise_multiplier is None
    study = Study(data, view(n=500.0), ())
    study.first_paint(at(1.0))
    assert "ε\u00a0=\u00a01, δ" in drawn(study, epsilon=1.0)["texts"][at(1.0)]["badge"]["line"]


@pytest.mark.parametrize("key", MECHANISMS)
def test_every_sentence_is_whole(key):
    study = Study(rand(), view(key), RIVALS)
    study.first_paint(at(0.1))
    study.advance(0.2)
    words = ExploreText(summarize(study, 0.9))
    for i in range(len(EPSILON_STOPS)):
        for name, text in words.sentences(i, PeopleNeeded(1234.0, certain=i % 2 == 0)).items():
            assert "nan" not in str(text), name
            assert "inf " not in str(text), name
            assert str(text).count("**") % 2 == 0, name
