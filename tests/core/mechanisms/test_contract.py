"""What every mechanism of the registry must do, and what a sweep promises."""

from dataclasses import FrozenInstanceError, dataclass
from itertools import pairwise
from math import inf, isfinite
from zlib import crc32

import numpy as np
import pytest

from dpca_core import (
    MECHANISMS,
    Adjacency,
    Budget,
    Guarantee,
    InfeasibleBudget,
    Mechanism,
    Notion,
    Problem,
    Standing,
)
from dpca_core.mechanisms.base import MatrixNoise, SharedNoise
from dpca_core.mechanisms.gap_release import GapRelease
from dpca_core.metrics import quality
from dpca_core.privacy.gaussian import gaussian_delta
from dpca_core.simulation.sweep import sweep
from dpca_core.simulation.draws import stream

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
EVERY = pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS)
BOTH = pytest.mark.parametrize("adjacency", Adjacency)

_Q = np.linalg.qr(np.random.default_rng(0).standard_normal((5, 5)))[0]
_S = _Q @ np.diag([400.0, 250.0, 120.0, 90.0, 40.0]) @ _Q.T
PROBLEM = Problem.from_moment((_S + _S.T) / 2, 1000, 2)
EPSILONS = np.geomspace(0.01, 100, 13)


# Sheffet's theorem is for ε < 1; one Wishart matrix of fixed scale and a power method of a few
# rounds stay short of PCA whatever ε.
SHORT_OF_PCA = ("wishart", "power", "power_pure", "power_printed", "power_pure_printed")


def within(mechanism, epsilon, delta=1e-6, adjacency=ADD):
    """Return a budget in the range that the mechanism serves."""
    top = 0.9 if mechanism.key == "wishart_sheffet" else epsilon
    return Budget(min(epsilon, top), delta, adjacency)


def certified(mechanism):
    """Whether a mechanism promises anything."""
    guarantee = mechanism.guarantee(PROBLEM, within(mechanism, 1.0))
    return guarantee.notion is not Notion.NONE and guarantee.standing is not Standing.REFUTED


def is_pure(mechanism):
    return mechanism.guarantee(PROBLEM, within(mechanism, 1.0)).notion is Notion.PURE


# --- Releases ---


@EVERY
@BOTH
@pytest.mark.parametrize("k", [1, 2, 4])
def test_release_is_a_stack_of_orthonormal_bases(mechanism, adjacency, k):
    problem = PROBLEM.with_k(k)
    release = mechanism.release(
        problem, within(mechanism, 2.0, 1e-3, adjacency), np.random.default_rng(1), trials=7
    )
    assert release.bases.shape == (7, 5, k)
    assert release.bases.dtype == np.float64
    assert release.refused.shape == (7,)
    assert release.refused.dtype == bool
    for basis, refused in zip(release.bases, release.refused, strict=True):
        if refused:
            assert np.isnan(basis).all()
        else:
            np.testing.assert_allclose(basis.T @ basis, np.eye(k), atol=1e-12)
    for diagnostic in release.info.values():
        assert len(diagnostic) == 7


@EVERY
def test_the_seed_fixes_a_release(mechanism):
    budget = Budget(0.7, 1e-3)
    first, again, other = (
        mechanism.release(PROBLEM, budget, np.random.default_rng(seed), 5).bases
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    if mechanism.key != "non_private":
        assert (np.nan_to_num(first) != np.nan_to_num(other)).any() or np.isnan(first).all()


@EVERY
def test_trials_differ(mechanism):
    bases = mechanism.release(
        PROBLEM, within(mechanism, 50.0, 1e-3), np.random.default_rng(3), 4
    ).bases
    same = [np.array_equal(bases[0], b) for b in bases[1:]]
    assert all(same) if mechanism.key == "non_private" else not any(same)


@EVERY
def test_a_release_leaves_the_problem_alone(mechanism):
    moment, spectrum = PROBLEM.moment.copy(), PROBLEM.spectrum.copy()
    budget = within(mechanism, 1.0, 1e-3)
    mechanism.release(PROBLEM, budget, np.random.default_rng(4), 3, keep="moment")
    np.testing.assert_array_equal(PROBLEM.moment, moment)
    np.testing.assert_array_equal(PROBLEM.spectrum, spectrum)


@EVERY
@BOTH
def test_without_a_limit_on_epsilon_it_is_pca(mechanism, adjacency):
    budget = within(mechanism, 1e9, adjacency=adjacency)
    release = mechanism.release(PROBLEM, budget, np.random.default_rng(5), 20)
    assert not release.refused.any()
    measured = quality(PROBLEM, release.bases)
    if mechanism.key == "random_projection":
        assert measured.sin_theta.min() > 0.1
    elif mechanism.key in SHORT_OF_PCA:
        assert np.median(measured.captured) > 0.9
    elif mechanism.key != "wishart_sheffet":
        assert measured.captured.min() > 1 - 1e-6
        assert measured.sin_theta.max() < 1e-3


@EVERY
def test_a_published_matrix_has_the_released_basis(mechanism):
    release = mechanism.release(
        PROBLEM, Budget(0.5, 1e-3), np.random.default_rng(6), 4, keep="moment"
    )
    assert mechanism.release(PROBLEM, Budget(0.5, 1e-3), np.random.default_rng(6)).moment is None
    if isinstance(mechanism, MatrixNoise):
        assert release.moment.shape == (4, 5, 5)
        for moment, basis in zip(release.moment, release.bases, strict=True):
            np.testing.assert_array_equal(moment, moment.T)
            largest = np.sort(np.linalg.eigvals(moment).real)[::-1][:2]
            np.testing.assert_allclose(np.diag(basis.T @ moment @ basis), largest, rtol=1e-10)


@EVERY
@pytest.mark.parametrize("trials", [0, -3])
def test_at_least_one_trial(mechanism, trials):
    with pytest.raises(ValueError, match=rf"at least one trial, not {trials}\."):
        mechanism.release(PROBLEM, Budget(1.0, 1e-3), np.random.default_rng(0), trials)


# --- Noise ---


@EVERY
@BOTH
def test_a_larger_epsilon_never_needs_more_noise(mechanism, adjacency):
    budgets = [within(mechanism, e, adjacency=adjacency) for e in EPSILONS]
    scales = [mechanism.calibrate(PROBLEM, budget).scale for budget in budgets]
    assert all(scale >= 0 for scale in scales)
    assert all(later <= earlier for earlier, later in pairwise(scales))
    if mechanism.key not in ("non_private", "random_projection"):
        assert scales[-1] < scales[0]
        assert 0 < scales[-1] < inf


@EVERY
@BOTH
def test_noise_is_deterministic_and_has_a_unit(mechanism, adjacency):
    budget = Budget(0.3, 1e-4, adjacency)
    noise = mechanism.calibrate(PROBLEM, budget)
    assert noise == mechanism.calibrate(PROBLEM, budget)
    assert noise.unit in ("people", "per entry")
    assert noise.symbol
    if isinstance(mechanism, MatrixNoise):
        assert noise.unit == "people"


@EVERY
def test_replacing_a_person_never_needs_less_noise(mechanism):
    for epsilon in EPSILONS:
        add, replace = (
            mechanism.calibrate(PROBLEM, within(mechanism, epsilon, adjacency=a)).scale
            for a in (ADD, REPLACE)
        )
        assert replace >= add
        if mechanism.printed and isinstance(mechanism, MatrixNoise):
            assert replace == add  # printed noise ignores the relation; only its guarantee differs


def test_calibrated_scales_in_closed_form():
    """d = 5, ε = 0.5: Laplace (d + 1)/2ε or √(d(d + 3)/2)/ε, Wishart Δ_*/2ε, printed 2d/ε."""

    def scale(key, adjacency):
        return MECHANISMS[key].calibrate(PROBLEM, Budget(0.5, 1e-6, adjacency)).scale

    assert scale("laplace", ADD) == pytest.approx(6)
    assert scale("laplace", REPLACE) == pytest.approx(2 * np.sqrt(20))
    assert scale("laplace_printed", ADD) == scale("laplace_printed", REPLACE) == 20
    assert scale("wishart_difference", ADD) == pytest.approx(1)
    assert scale("wishart_difference", REPLACE) == pytest.approx(2)
    assert scale("gaussian", REPLACE) == pytest.approx(np.sqrt(2) * scale("gaussian", ADD))
    assert scale("analyze_gauss", ADD) == pytest.approx(np.sqrt(2 * np.log(1.25e6)) / 0.5)


@EVERY
@BOTH
def test_relative_noise_scales_with_people(mechanism, adjacency):
    budget = Budget(0.5, 1e-4, adjacency)
    relative = mechanism.relative_noise(PROBLEM, budget)
    noise = mechanism.calibrate(PROBLEM, budget)
    if relative is not None:
        expected = noise.scale / PROBLEM.n if noise.unit == "people" else noise.scale
        assert relative == pytest.approx(expected, rel=1e-14)
    assert (relative is not None) or not isinstance(mechanism, MatrixNoise)


# --- Guarantees ---


@EVERY
@BOTH
@pytest.mark.parametrize("epsilon", [0.05, 0.9, 3.0, 20.0])
def test_guarantee_is_sane(mechanism, adjacency, epsilon):
    budget = within(mechanism, epsilon, adjacency=adjacency)
    g = mechanism.guarantee(PROBLEM, budget)
    assert isinstance(g, Guarantee)
    assert g.adjacency is adjacency
    assert g.epsilon >= 0
    assert 0 <= g.delta <= 1
    assert g.source
    assert g.standing is not Standing.CLAIMED
    if g.notion is Notion.PURE:
        assert g.delta == 0
    if g.notion is Notion.NONE:
        assert (g.epsilon, g.even_odds()) == (inf, 1.0)
        assert g.standing in (Standing.NONE, Standing.UNCERTIFIED)
    if g.standing in (Standing.PROVED, Standing.CORRECTED):
        assert g.meets(budget)
        assert isfinite(g.epsilon)
    else:
        assert not g.meets(budget)
    if g.standing in (Standing.CORRECTED, Standing.WEAKER, Standing.REFUTED):
        assert g.erratum
    if g.erratum:
        assert g.erratum.endswith(".")
    assert 0.5 <= g.even_odds() <= 1


@EVERY
@BOTH
def test_only_printed_mechanisms_claim(mechanism, adjacency):
    budget = Budget(0.5, 1e-6, adjacency)
    claim = mechanism.claim(PROBLEM, budget)
    assert (claim is not None) == (mechanism.printed or mechanism.key == "ppca")
    if claim is not None:
        assert claim.standing is Standing.CLAIMED
        assert (claim.epsilon, claim.adjacency) == (0.5, adjacency)
        assert claim.delta in (0.0, 1e-6)
        assert claim.source
        assert not claim.meets(budget)


def test_exactly_gaussian_guarantees_are_exact():
    """(ε, δ) lies on the profile of noise of the multiplier stated, and even odds follow it."""
    for key in ("gaussian", "analyze_gauss"):
        for adjacency, root in ((ADD, 1), (REPLACE, np.sqrt(2))):
            budget = Budget(1.0, 1e-6, adjacency)
            g = MECHANISMS[key].guarantee(PROBLEM, budget)
            scale = MECHANISMS[key].calibrate(PROBLEM, budget).scale
            assert g.noise_multiplier == pytest.approx(scale / root)
            assert gaussian_delta(scale, g.epsilon, root) == pytest.approx(1e-6, rel=1e-6)
    odds = MECHANISMS["gaussian"].guarantee(PROBLEM, Budget(1.0, 1e-6)).even_odds()
    assert 0.54 < odds < 0.55  # "at most 55 times in 100"


def test_pure_even_odds():
    g = MECHANISMS["laplace"].guarantee(PROBLEM, Budget(np.log(3)))
    assert g.even_odds() == pytest.approx(0.75)
    assert MECHANISMS["random_projection"].guarantee(PROBLEM, Budget(9.0)).even_odds() == 0.5


def test_printed_laplace_is_stronger_than_claimed():
    for adjacency, l1 in ((ADD, 3.0), (REPLACE, np.sqrt(20))):
        g = MECHANISMS["laplace_printed"].guarantee(PROBLEM, Budget(1.0, 0, adjacency))
        assert g.epsilon == pytest.approx(l1 / 10)
        assert g.standing is Standing.PROVED


@pytest.mark.parametrize(
    ("adjacency", "epsilon", "standing", "reason"),
    [
        (ADD, 1.0, Standing.PROVED, None),
        (ADD, 8.0, Standing.PROVED, None),
        (ADD, 9.0, Standing.WEAKER, "proved for ε ≤ 1 only"),
        (REPLACE, 1.0, Standing.WEAKER, "moves S by √2, not by 1"),
    ],
)
def test_printed_analyze_gauss_holds_while_its_true_epsilon_does(
    adjacency, epsilon, standing, reason
):
    g = MECHANISMS["analyze_gauss"].guarantee(PROBLEM, Budget(epsilon, 1e-5, adjacency))
    assert g.standing is standing
    assert (g.epsilon <= epsilon) == (standing is Standing.PROVED)
    if reason:
        assert reason in g.erratum
        assert f"true ε = {g.epsilon:.3g}" in g.erratum


def test_printed_smooth_gaussian_beyond_its_range():
    """Stated for ε < 1; with the exact δ beyond."""
    mechanism = MECHANISMS["smooth_gaussian_printed"]
    inside = mechanism.guarantee(PROBLEM, Budget(0.5, 1e-6))
    assert (inside.standing, inside.delta) == (Standing.CORRECTED, 1e-6)
    beyond = mechanism.guarantee(PROBLEM, Budget(60.0, 1e-6))
    assert beyond.standing is Standing.WEAKER
    assert beyond.delta > 1e-6
    assert "exact δ" in beyond.erratum


def test_meets():
    def proved(epsilon, delta, adjacency=ADD, standing=Standing.PROVED):
        return Guarantee(epsilon, delta, Notion.APPROXIMATE, standing, adjacency, "test")

    budget = Budget(1.0, 1e-6)
    assert proved(1.0, 1e-6).meets(budget)
    assert proved(0.5, 0.0).meets(budget)
    assert not proved(1.001, 1e-6).meets(budget)
    assert not proved(1.0, 2e-6).meets(budget)
    assert not proved(1.0, 1e-6, REPLACE).meets(budget)
    assert not proved(1.0, 1e-6, standing=Standing.UNCERTIFIED).meets(budget)


@EVERY
@BOTH
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_without_delta_a_mechanism_is_pure_or_says_what_to_do(mechanism, adjacency, epsilon):
    budget = Budget(epsilon, 0.0, adjacency)
    if is_pure(mechanism):
        mechanism.calibrate(PROBLEM, budget)
        assert mechanism.guarantee(PROBLEM, budget).delta == 0
        return
    if not certified(mechanism) and mechanism.key != "power_printed":
        mechanism.calibrate(PROBLEM, budget)
        assert not mechanism.guarantee(PROBLEM, budget).meets(budget)
        return
    for ask in (
        lambda: mechanism.calibrate(PROBLEM, budget),
        lambda: mechanism.guarantee(PROBLEM, budget),
        lambda: mechanism.release(PROBLEM, budget, np.random.default_rng(0)),
    ):
        with pytest.raises(InfeasibleBudget) as caught:
            ask()
        message = str(caught.value)
        assert "δ > 0" in message
        assert "pure mechanism" in message
        assert message.endswith(".")
        assert "\n" not in message


@EVERY
def test_pure_mechanisms_do_not_use_delta(mechanism):
    if is_pure(mechanism):
        bases = [
            mechanism.release(PROBLEM, Budget(1.0, delta), np.random.default_rng(7), 5).bases
            for delta in (0.0, 1e-9, 0.5)
        ]
        np.testing.assert_array_equal(bases[0], bases[1])
        np.testing.assert_array_equal(bases[0], bases[2])


# --- Cards and settings ---


@EVERY
def test_card(mechanism):
    card = mechanism.card()
    summary = card.split("\n")[0]
    assert 20 < len(summary) <= 100
    assert "mechanism, private or not" not in card  # not inherited from the base class
    assert type(mechanism).__doc__
    assert mechanism.name
    assert mechanism.family
    assert mechanism.printed == ("printed" in mechanism.name)


def test_registry_keys_and_streams_are_distinct():
    assert all(key == mechanism.key for key, mechanism in MECHANISMS.items())
    assert len({m.name for m in MECHANISMS.values()}) == len(MECHANISMS)
    assert len({crc32(key.encode()) for key in MECHANISMS}) == len(MECHANISMS)
    assert len({m.card() for m in MECHANISMS.values()}) == len(MECHANISMS)


@EVERY
def test_settings_have_labels_ranges_and_defaults(mechanism):
    for setting in type(mechanism).parameters():
        assert setting.label
        assert setting.low <= setting.default <= setting.high
        assert getattr(mechanism, setting.name) == setting.default
        for value in (setting.low, setting.high):
            assert getattr(type(mechanism)(**{setting.name: value}), setting.name) == value
        for value in (setting.low - 1, setting.high + 1, float("nan")):
            with pytest.raises(ValueError, match=rf"{setting.label} must be .*, not {value}\."):
                type(mechanism)(**{setting.name: value})
    assert mechanism == type(mechanism)()


def test_settings_change_the_mechanism():
    """A larger share for the gap certifies a larger gap and leaves less for the basis."""
    budget = Budget(2.0, 1e-3)
    small, large = GapRelease(gap_share=0.1), GapRelease(gap_share=0.5)
    gaps = [
        m.release(PROBLEM, budget, np.random.default_rng(8), 400).info["certified_gap"].mean()
        for m in (small, large)
    ]
    assert gaps[0] < gaps[1] < PROBLEM.gap
    (setting,) = GapRelease.parameters()
    assert (setting.name, setting.low, setting.high) == ("gap_share", 0.01, 0.9)
    with pytest.raises(FrozenInstanceError):
        small.gap_share = 0.2


# --- Sweeps ---

COLUMNS = [
    "mechanism", "standing", "epsilon", "delta", "n", "k", "trial", "captured", "captured_of_all",
    "sin_theta", "refused", "note",
]  # fmt: skip


def test_sweep_is_a_tidy_table():
    table = sweep(list(MECHANISMS), PROBLEM, epsilon=[0.5, 0.9], delta=1e-3, trials=3, seed=1)
    assert list(table) == COLUMNS
    assert len(table) == len(MECHANISMS) * 2 * 3
    assert table.groupby(["mechanism", "epsilon"], sort=False).size().eq(3).all()
    assert list(table.mechanism.unique()) == list(MECHANISMS)
    assert set(table.standing) <= set(Standing)
    assert (table.note == "").all()


@EVERY
@BOTH
def test_row_t_is_the_release_of_stream_t(mechanism, adjacency):
    table = sweep(
        [mechanism.key], PROBLEM, epsilon=[0.4, 0.8], delta=1e-3, trials=3, seed=9,
        adjacency=adjacency,
    )  # fmt: skip
    for row in table.itertuples():
        release = mechanism.release(
            PROBLEM, Budget(row.epsilon, 1e-3, adjacency), stream(9, mechanism.key, row.trial)
        )
        captured, of_all, sine = (float(x[0]) for x in quality(PROBLEM, release.bases))
        assert row.refused == release.refused[0]
        np.testing.assert_allclose(row.captured, captured, rtol=1e-9)
        np.testing.assert_allclose(row.captured_of_all, of_all, rtol=1e-9)
        np.testing.assert_allclose(row.sin_theta, sine, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    ("axis", "values"), [("epsilon", [0.5, 2]), ("delta", [1e-6, 1e-3]), ("n", [500, 4000]),
                         ("k", [1, 3])]
)  # fmt: skip
def test_every_axis(axis, values):
    fixed = {"epsilon": 2.0, "delta": 1e-3} | {axis: values}
    table = sweep(["gaussian", "laplace"], PROBLEM, trials=4, seed=2, **fixed)
    assert list(table[axis].unique()) == values
    for row in table.itertuples():
        problem = PROBLEM.with_k(row.k).scaled(row.n)
        release = MECHANISMS[row.mechanism].release(
            problem, Budget(row.epsilon, row.delta), stream(2, row.mechanism, row.trial)
        )
        expected = quality(problem, release.bases).captured[0]
        assert row.captured == pytest.approx(expected, rel=1e-9)


def test_other_mechanisms_trials_and_points_change_nothing():
    def numbers(mechanisms, epsilons, trials, seed=3):
        table = sweep(mechanisms, PROBLEM, epsilon=epsilons, delta=1e-3, trials=trials, seed=seed)
        keep = (table.mechanism == "gaussian") & (table.epsilon == 0.4) & (table.trial < 3)
        return table[keep].captured.to_numpy()

    alone = numbers(["gaussian"], [0.4], 3)
    assert len(set(alone)) == 3
    for other in (
        numbers(["laplace", "gaussian", "random_projection"], [0.4], 3),
        numbers(["gaussian"], [7.0, 0.4, 0.01], 3),
        numbers(["gaussian"], [0.4], 8),
        numbers([MECHANISMS["gaussian"]], [0.4], 3),
    ):
        np.testing.assert_allclose(other, alone, rtol=1e-9)
    assert not np.isclose(numbers(["gaussian"], [0.4], 3, seed=4), alone).any()


def test_streams_are_distinct():
    draws = {
        float(stream(seed, key, trial).random())
        for seed in (0, 1, 2)
        for key in MECHANISMS
        for trial in range(50)
    }
    assert len(draws) == 3 * len(MECHANISMS) * 50


def test_an_infeasible_budget_becomes_rows_with_a_note():
    table = sweep(["gaussian", "laplace"], PROBLEM, epsilon=1.0, delta=[0.0, 1e-3], trials=2)
    gap = table[(table.mechanism == "gaussian") & (table.delta == 0)]
    assert len(gap) == 2
    assert gap.note.str.contains("δ > 0").all()
    assert gap[["captured", "captured_of_all", "sin_theta"]].isna().all(axis=None)
    assert (gap.standing == "").all()
    rest = table.drop(gap.index)
    assert (rest.note == "").all()
    assert rest.captured.notna().all()


def test_a_mechanism_of_ones_own():
    """Anything that keeps the contract can be swept; what it cannot do becomes a note."""

    @dataclass(frozen=True)
    class Fussy(SharedNoise):
        """It works for small budgets only, to see what becomes of the others."""

        key = "fussy"
        name = "Fussy"
        family = "test"

        def guarantee(self, problem, budget):
            return Guarantee(0.0, 0.0, Notion.PURE, Standing.PROVED, budget.adjacency, "test")

        def calibrate(self, problem, budget):
            if budget.epsilon > 1:
                raise InfeasibleBudget("Fussy needs ε ≤ 1; choose a smaller ε.")
            return MECHANISMS["non_private"].calibrate(problem, budget)

        def unit(self, d, k, rng, trials):
            return (np.zeros(trials),)

        def apply(self, problem, budget, unit, keep=None):
            self.calibrate(problem, budget)
            return MECHANISMS["non_private"].apply(problem, budget, (unit[0][:, None],))

    assert isinstance(Fussy(), Mechanism)
    table = sweep([Fussy()], PROBLEM, epsilon=[0.5, 2.0], delta=0, trials=2)
    assert list(table.note) == ["", "", *["Fussy needs ε ≤ 1; choose a smaller ε."] * 2]
    np.testing.assert_allclose(table.captured[:2], 1)


def test_progress_is_reported_and_can_stop():
    shares = []
    table = sweep(
        ["gaussian", "laplace"], PROBLEM, epsilon=list(EPSILONS), delta=1e-3, trials=1,
        on_progress=shares.append,
    )  # fmt: skip
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert 0 < shares[0] < 1
    assert len(table) == 2 * len(EPSILONS)

    seen = []

    def stop_half_way(share):
        seen.append(share)
        return share < 0.5

    part = sweep(
        ["gaussian", "laplace"], PROBLEM, epsilon=list(EPSILONS), delta=1e-3, trials=1,
        on_progress=stop_half_way,
    )  # fmt: skip
    assert len(part) == round(seen[-1] * 2 * len(EPSILONS)) < len(table)
    np.testing.assert_allclose(part.captured, table.captured[: len(part)])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon": 1.0, "delta": 1e-6}, r"Exactly one of .* must be a sequence, not none\."),
        ({"epsilon": [1.0], "delta": [1e-6]}, r"sequence, not \['epsilon', 'delta'\]\."),
        ({"epsilon": [1.0, -1.0], "delta": 0}, r"ε must be a positive number, not -1\.0\."),
        ({"epsilon": 1.0, "delta": [1.0]}, r"δ must be at least 0 and below 1, not 1\.0\."),
        ({"epsilon": 1.0, "delta": 0, "k": [5]}, r"k must be .* from 1 to 4, not 5\.0\."),
        ({"epsilon": 1.0, "delta": 0, "k": [1.5]}, r"k must be a whole number .* not 1\.5\."),
        ({"epsilon": 1.0, "delta": 0, "n": [0]}, r"n must be a positive number .* not 0\.0\."),
        ({"epsilon": [1.0], "delta": 0, "trials": 0}, r"at least one trial, not 0\."),
    ],
)
def test_bad_sweeps(arguments, message):
    with pytest.raises(ValueError, match=message):
        sweep(["laplace"], PROBLEM, **arguments)


def test_unknown_mechanism():
    with pytest.raises(ValueError, match=r"No mechanism 'laplas'; choose from gaussian, .*laplace"):
        sweep(["laplas"], PROBLEM, epsilon=[1.0], delta=0)
