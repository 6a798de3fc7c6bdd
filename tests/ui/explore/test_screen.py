"""What Explore draws, pins and gives away comes from the mechanism, budget and data it names."""

import json
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from dpca_core import Adjacency, Budget
from dpca_core.data.provenance import Unit
from dpca_core.metrics import random_baseline
from dpca_core.simulation.sweep import sweep
from sample_data import load_key
from tests.opened_page import open_page
from tests.ui.explore.answers import (
    GAUSSIAN,
    at,
    begun,
    drawn,
    finished,
    own,
    plain,
    study_of,
    with_releases,
)
from ui.explore.curve_figures import kept_axis, sin_axis
from ui.explore.example_loadings_and_projections import SampleReleases, aligned
from ui.explore.measurements import CHOSEN_TRIALS
from ui.explore.moving_markup import moving_markup
from ui.explore.pinned_curves import PinnedCurves
from ui.explore.release_dots_figures import beside_figure, release_dots
from ui.explore.release_figures import largest_rows
from ui.explore.summary import DOTS, summarize
from ui.figures.packed_content import decode, encode
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.numbers import significant


@cache
def rand():
    return load_key("rand")


@cache
def sent(epsilon=0.1):
    """What the browser reads of the default screen."""
    samples = SampleReleases(finished(), at(epsilon))
    return decode(encode(drawn(finished(), epsilon, samples=samples)))


def curve(content, axis):
    """The only mechanism's values on one y axis."""
    traces = content["curves"]["data"]
    (line,) = [t for t in traces if t.get("meta") and t.get("yaxis", "y") == axis]
    return line["y"]


def test_the_curve_is_the_sweep_of_the_same_seed():
    study = finished()
    table = sweep(
        ["gaussian"], rand().problem(2), epsilon=EPSILON_STOPS, delta=1e-6, trials=CHOSEN_TRIALS
    )
    swept = table.pivot_table(index="epsilon", columns="trial", values="captured").to_numpy()
    error = np.abs(study.chosen.captured - swept).mean(axis=1)
    assert (error < 0.1 * swept.std(axis=1) / np.sqrt(CHOSEN_TRIALS)).all()
    assert curve(sent(), "y") == pytest.approx(np.median(swept, axis=1), rel=1e-3)


def test_gap_and_noise_are_in_people():
    content = sent()
    (gap,) = [s["y0"] for s in content["curves"]["layout"]["shapes"] if s["yref"] == "y3"]
    assert gap == pytest.approx(128.6, abs=0.1)
    for size in content["curves"]["sizes"].values():
        assert "<b>gap 129\u00a0people</b>" in [a["text"] for a in size["annotations"]]
    noise = curve(content, "y3")
    tau = GAUSSIAN.calibrate(rand().problem(2), Budget(0.1, 1e-6)).scale
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


def test_bands_hold_their_share_of_the_releases():
    filled = [t for t in sent()["curves"]["data"] if "fill" in t and "yaxis" not in t]
    bands = {t["fillcolor"].partition("/band")[2]: t["y"] for t in filled}
    values = finished().chosen.captured[at(0.05)]
    assert set(bands) == {"50", "80", "95"}
    for share in (50, 80, 95):
        # The outline goes along the upper end and comes back along the lower one.
        high, low = bands[str(share)][at(0.05)], bands[str(share)][-1 - at(0.05)]
        assert ((values >= low - 1e-3) & (values <= high + 1e-3)).mean() >= share / 100 - 0.011


@pytest.mark.chance(2e-8)
@pytest.mark.parametrize(
    ("key", "shares"),
    [
        ("gaussian", [0.49, 0.91, 0.97, 1.00, 1.00]),
        ("laplace_printed", [0.27, 0.29, 0.32, 0.67, 1.00]),
        ("smooth_gaussian_printed", [0.28, 0.28, 0.28, 0.28, 1.00]),
    ],
)
def test_shares_are_those_of_an_independent_implementation(key, shares):
    """Its means of 40 releases, to two digits: within six standard errors of both means."""
    epsilons = [0.01, 0.05, 0.1, 0.5, 10]
    table = sweep([key], rand().problem(2), epsilon=epsilons, delta=1e-6, trials=300, seed=1)
    for epsilon, share in zip(epsilons, shares, strict=True):
        captured = table[table.epsilon == epsilon].captured
        error = 0.005 + 6 * captured.std() * np.sqrt(1 / 300 + 1 / 40)
        assert captured.mean() == pytest.approx(share, abs=error), epsilon


@pytest.mark.chance(2e-8)
def test_at_three_directions_the_gap_defeats_noise_on_the_basis():
    """A gap of 17 people: no better than a random subspace, at any ε up to 5."""
    problem, epsilons = rand().problem(3), [0.1, 1, 5]
    assert round(problem.gap) == 17
    keys = ["gaussian", "smooth_gaussian_printed", "gap_release"]
    table = sweep(keys, problem, epsilon=epsilons, delta=1e-6, trials=100, seed=1)
    chance = random_baseline(problem).captured
    for _, found in table[table.mechanism == keys[1]].groupby("epsilon"):
        near = 6 * found.captured.std() / 10 + 0.01
        assert found.captured.mean() == pytest.approx(chance, abs=near)
    assert table[table.mechanism == keys[2]].refused.mean() > 0.9
    assert table[(table.mechanism == keys[0]) & (table.epsilon == 1)].captured.mean() > 0.97


@pytest.mark.chance(1e-7)
def test_both_inverse_answers_are_true_of_new_releases():
    """200 new releases at the ε and n named: their 10 % quantile stays above 0.88, but for 1e-7."""
    summary = summarize(finished(), 0.9)
    needed, people = summary.chosen.needed, finished().people_needed(0.9, at(0.03))
    assert needed.certain
    assert people.certain
    for asked, epsilon in (
        (rand().problem(2), needed.epsilon),
        (rand().problem(2).scaled(people.n), 0.03),
    ):
        table = sweep(["gaussian"], asked, epsilon=[epsilon], delta=1e-6, trials=200, seed=77)
        assert table.captured.quantile(0.1) > 0.88
    sentence = sent()["texts"][at(0.03)]["ladder_sub"]
    assert f"ε\u00a0=\u00a0{needed.epsilon:g}" in sentence
    assert "95\u00a0% confidence" in sentence


def test_pictures_are_aligned_releases_of_the_same_streams():
    found = SampleReleases(finished(), at(0.1)).loadings()
    frame, truth = found.released[0], found.true
    for j, each in enumerate(sent()["release"]["figures"]):
        rows = largest_rows(truth[j])
        assert each["frames"][0]["x"] == pytest.approx(list(frame[j][rows]), abs=1e-6)
        assert each["figure"]["data"][1]["x"] == pytest.approx(list(truth[j][rows]), abs=1e-6)
    assert frame @ frame.T == pytest.approx(np.eye(2), abs=0.01)
    assert np.trace(frame @ truth.T) > 1.5
    captured = np.trace(frame @ rand().moment @ frame.T) / rand().problem(2).spectrum[:2].sum()
    assert captured == pytest.approx(finished().chosen.captured[at(0.1), 0], abs=0.01)


def test_alignment_is_the_closest_turn():
    bases, target = (
        np.linalg.qr(np.random.default_rng(seed).standard_normal(shape))[0]
        for shape, seed in (((4, 5, 2), 10), ((5, 2), 11))
    )
    closest = aligned(bases, target)
    spans = (each @ each.swapaxes(1, 2) for each in (closest, bases))
    np.testing.assert_allclose(*spans, atol=1e-14)
    t = np.linspace(0, 2 * np.pi, 721)
    turns = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]).transpose(2, 0, 1)
    turns = np.concatenate([turns, turns * [1, -1]])
    for basis, best in zip(bases, closest, strict=True):
        least = np.linalg.norm(basis @ turns - target, axis=(1, 2)).min()
        assert least - 1e-3 <= np.linalg.norm(best - target) <= least + 1e-12


@pytest.mark.parametrize(("people", "form"), [(5912.0, ",~r"), (1e7, "~s")])
def test_no_count_is_written_as_a_power(people, form):
    study = study_of(rand(), n=people)
    study.first_paint(at(0.1))
    written = json.dumps(decode(encode(drawn(study))))
    assert written.count(f'"tickformat": "{form}"') == 2, "noise and eigenvalues"
    assert ",~g" not in written
    # Under the pointer too: D3's "g" writes 218,000 as 2.18e+5.
    said = re.findall(r"%\{y:,[^}]*\}", written)
    assert said
    assert all(each.endswith("~r}") for each in said)


def test_data_read_without_paying_carry_no_guarantee():
    data = own(private=False)
    study = study_of(data)
    study.first_paint(at(1.0))
    text = drawn(study, epsilon=1.0)["texts"][at(1.0)]
    assert text["badge"]["label"] == "NOT PRIVATE"
    assert "No bound on a guess" in text["odds"]


def test_the_mean_and_the_mechanism_add_up_to_the_budget():
    data, budget = own(mean_share=0.25), Budget(2.0, 1e-6)
    problem = data.problem(2, None, budget, 1)
    guarantee = GAUSSIAN.guarantee(problem, data.mechanism_budget(budget))
    total = data.total_guarantee(guarantee, budget)
    assert total.epsilon == pytest.approx(2.0)
    assert total.delta == pytest.approx(1e-6)
    assert total.noise_multiplier is None
    study = study_of(data)
    study.first_paint(at(1.0))
    badge = drawn(study, epsilon=1.0)["texts"][at(1.0)]["badge"]
    assert "ε\u00a0=\u00a01, δ" in badge["line"]


@cache
def measured(data, k):
    """As many releases as are drawn one by one."""
    return summarize(with_releases(begun(data, k=k), DOTS), 0.9)


@pytest.mark.parametrize("epsilon", [0.001, 0.1])
@pytest.mark.parametrize(("data", "k"), [("rand", 2), ("wine", 1)])
def test_no_dot_lies_on_another(data, k, epsilon):
    found = release_dots(measured(data, k), 0.9)
    for name, pile, axis in zip(
        ("kept", "sin"), found["piles"], (kept_axis, sin_axis), strict=True
    ):
        known = np.isfinite(found[name][at(epsilon)])
        assert known.sum() == DOTS
        x, y = (pile[side][at(epsilon)][known] for side in ("x", "y"))
        assert len({*zip(x.tolist(), y.tolist(), strict=True)}) == DOTS, name
        low, high = axis(measured(data, k)).ends
        assert low < y.min() <= y.max() < high


def test_a_refused_release_has_no_dot_and_no_noise_no_band():
    summary = measured("rand", 2)
    dots = release_dots(summary, 0.9)
    dots["kept"][at(0.1), 1:] = np.nan
    beside = beside_figure(summary, 0.9, "gap")
    bands = [{"style": "", "words": "noise"}] * len(EPSILON_STOPS)
    here, without = (moving_markup(beside, dots, each)[at(0.1)] for each in (bands, None))
    assert here["kept_places"].count("title=") == 1
    assert here["noise_place"].count("dpca-band") == 1
    assert without["noise_place"] == ""
    some = moving_markup(beside, dots, None, range(at(0.1) - 2, at(0.1) + 3))
    assert sum(each is not None for each in some) == 5, "only where there are sentences"


REPLACED = Adjacency.REPLACE_ONE


def test_the_name_says_neighbours_and_people_where_they_differ():
    study = begun()
    study.first_paint(0)
    curves, usual = PinnedCurves.of(study, 0.9), "Gaussian, k = 2, δ = 10⁻⁶"
    for changes, more in (
        ({"k": 3}, ""),
        ({"n": 100.0}, ", 5,912 people"),
        ({"adjacency": REPLACED}, ", one person added or removed"),
    ):
        label = curves.beside(replace(study.query, **changes))["label"]
        assert plain(label) == usual + more


def test_the_name_of_a_file_stays_out_and_the_units_is_no_markup():
    study = study_of(own(unit=Unit("<b>one", "<b>many")))
    study.first_paint(0)
    other = replace(study.query, n=100.0, adjacency=REPLACED)
    beside = PinnedCurves.of(study, 0.9).beside(other)
    assert study.dataset.short not in beside["label"]
    names = [trace.get("name", "") for trace in drawn(study, pinned=beside)["curves"]["data"]]
    (name,) = {name for name in names if name.startswith("Pinned")}
    assert "500 &lt;b&gt;many" in name
    assert "<" not in name


def test_what_is_pinned_is_drawn_with_its_own_data_only():
    page = open_page("explore", data="rand")
    page.session_state["pinned"] = PinnedCurves.of(page.session_state["drawn"][1], 0.9)
    for data, seen in (("rand", True), ("wine", False), ("rand", False)):
        page.selectbox(key="data").select(data).run()
        assert not page.exception
        assert page.session_state["drawn"][0]["pinned"] is seen
