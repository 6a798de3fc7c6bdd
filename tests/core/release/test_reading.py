"""What is read off released tables: exact without noise, withheld where it must be.

Statistical tests fail in one stream of random numbers of ten million, unless they say otherwise:
limits are 5.33 standard errors from what is expected, or more. Releases are drawn as floats: their
law is that of exact noise but for a rounding of half a grid unit, 10⁻¹⁰ people.
"""

from fractions import Fraction
from math import isqrt, sqrt

import numpy as np
import pytest

from dpca_core.data.recipe import Category, CategoryCoding, Number, Recipe, Scale, Scaling
from dpca_core.mechanisms.noise_laws import ISOTROPIC, LAPLACE, WISHART_DIFFERENCE
from dpca_core.release import shares
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.plan import MATRIX, MEANS
from dpca_core.release.reading import Apart, Reading, noise_quantile
from dpca_core.release.shares import held, tau
from dpca_core.release.table_source import TableSource
from sample_data import load_key
from tests.cases import sampled
from tests.core.release.cases import NOISES, PUBLIC, some_plan, with_everything

LAWS = {"gaussian": ISOTROPIC, "wishart_difference": WISHART_DIFFERENCE, "laplace": LAPLACE}
LIMIT = 5.33


def least(chance, times):
    """What a share is at least that has such a chance in each of so many releases."""
    return chance - LIMIT * sqrt(chance * (1 - chance) / times)


def of_matrix(exact, tau=1.0, mechanism="gaussian", k=1):
    """A release of a matrix (d, d) in people, with noise of a chosen size that came out as 0."""
    d, whole = len(exact), tau * GRID**2
    scales = {
        "gaussian": {"a": isqrt(round(whole) ** 2 // 2), "b": round(whole)},
        "wishart_difference": {"s": round(whole / (2 * sqrt(d + 1)))},
        "laplace": {"w": round(whole / 2)},
    }[mechanism]
    of = some_plan(d=d, k=k, mechanism=mechanism, scales={MATRIX: scales})
    return Reading(of, {MATRIX: np.rint(exact * GRID**2).astype(np.int64)})


def of_values(*values, **settings):
    return of_matrix(np.diag(values), **settings)


# --- Eigenvalues, directions and loadings ---


def test_the_correction_by_hand():
    """Two values 100 and 60 with τ = 4, s² = 8: λ₁ loses s²/(100 − 60) = 1/5, λ₂ gains it."""
    found = of_values(100.0, 60.0, tau=4.0).exact_eigenvalues
    np.testing.assert_allclose(found, [100 - 8 / 40, 60 + 8 / 40], rtol=1e-9)
    # In the noise or too close first order says nothing, and values stay as they are.
    found = of_values(100.0, 99.9, 40.0, 0.5, -3.0).exact_eigenvalues
    kept = np.isclose(found, [100.0, 99.9, 40.0, 0.5, -3.0], rtol=1e-5)
    np.testing.assert_array_equal(kept, [True, True, False, True, True])


@pytest.mark.parametrize(("mechanism", "point"), [("gaussian", 1.96), ("laplace", 2.1183)])
def test_loadings_only_where_both_neighbours_are_far(mechanism, point):
    found = of_values(100.0, 80.0, 73.0, 50.0, 20.0, mechanism=mechanism)
    errors = found.loading_errors(5)
    np.testing.assert_array_equal(np.isnan(errors[0]), [False, True, True, False, False])
    # To first order direction 1 turns towards direction 2 by s over their gap.
    gap = found.exact_eigenvalues[0] - found.exact_eigenvalues[1]
    assert errors[1, 0] == pytest.approx(point * np.sqrt(0.5) / gap, rel=1e-4)


def test_directions_are_told_apart_in_the_smallest_groups():
    found = of_values(900.0, 500.0, 499.0, 200.0, 60.0, 58.0, 1.0, tau=1.0, k=5)
    first, *groups = found.apart()
    by_hand = sqrt(0.5 * sum(1 / (900 - other) ** 2 for other in (500, 499, 200, 60, 58, 1)))
    assert first == (1, 1, pytest.approx(by_hand, rel=1e-2))
    assert [(of.first, of.last) for of in groups] == [(2, 3), (4, 4), (5, 5)]
    assert groups[-1] == Apart(5, 5, None)
    # What lies where noise alone reaches is not told from it, however far from the others.
    assert of_values(2.0, -1e6, -1e6, tau=1.0).apart() == [Apart(1, 1, None)]


def test_what_is_certain_of_an_angle_and_what_is_not():
    wide = of_values(1000.0, 500.0, 1.0)
    assert wide.angle_certain(1) == pytest.approx(wide.band / (500 - wide.band))
    assert of_values(10.0, 9.0, 1.0).angle_certain(1) is None


@pytest.mark.chance(2e-7)
@pytest.mark.parametrize("d", sampled([9, 2], 2, "smaller matrices"))
@pytest.mark.parametrize("mechanism", NOISES)
def test_simulated_quantiles_are_not_exceeded_more_often_than_they_say(mechanism, d):
    """Of 2,000 fresh draws; the quantile is simulated with as many, and errs to the wide side."""
    ends = np.linalg.eigvalsh(LAWS[mechanism].draw(d, np.random.default_rng(1000 + d), 2000))
    for sizes, limit, rare in (
        (np.abs(ends).max(axis=1), noise_quantile(mechanism, d, 0.95, both=True), 0.05),
        (ends[:, -1], noise_quantile(mechanism, d, 0.975), 0.025),
    ):
        assert (sizes > limit).mean() < rare + 5.7 * np.sqrt(rare / 2000)


def released(exact, plan, times, rng):
    """Release a matrix (d, d), in people, so many times."""
    *_, scale = plan.scales[MATRIX].values()
    for _ in range(times):
        noise = scale * LAWS[plan.mechanism].draw(plan.d, rng, 1)[0]
        whole = np.rint(exact / float(plan.unit(MATRIX)) + noise).astype(np.int64)
        yield Reading(plan, {MATRIX: whole})


RAND = load_key("rand").rows


@pytest.mark.chance(1e-6)
@pytest.mark.parametrize("mechanism", NOISES)
def test_intervals_hold(mechanism):
    """Of loadings 93 % to first order, of 300 releases on people of RAND with noise of τ = 5."""
    exact, k, times = RAND.T @ RAND, 4, 300
    values, vectors = (part[..., ::-1][..., :k] for part in np.linalg.eigh(exact))
    plan, turned, band = of_matrix(exact, 5.0, mechanism, k).plan, [], 0
    for read in released(exact, plan, times, np.random.default_rng(64)):
        basis, halves = read.directions(k), read.loading_errors(k)
        off = np.abs(basis * np.sign((basis * vectors).sum(axis=0)) - vectors)
        turned += (off <= halves)[:, np.isfinite(halves[0])].mean(axis=0).tolist()
        band += bool(np.abs(read.eigenvalues[:k] - values).max() <= read.band)
    assert len(turned) > times
    assert np.mean(turned) > 0.93 - 0.02
    assert band / times > least(0.95, times)


# --- Means ---

ROWS = "age,weight,mood,sex 20,50,low,f 40,61.5,low,m 60,70.25,high,f 80,90,high,x"


@pytest.mark.parametrize("scaling", [Scaling.BOUNDED, Scaling.PRIVATE_MEAN, Scaling.NORM_ONLY])
@pytest.mark.parametrize("coding", CategoryCoding)
def test_means_come_back_in_their_units(tmp_path, scaling, coding):
    """But for rounding to the grid: R/2¹⁷ a row at most, times half a range where there is one."""
    recipe = Recipe(
        (Number("age", 0.0, 100.0, typical=30.0), Number("weight", 20.0, 120.0)),
        (Category("sex", ("f", "m", "x")),),
        scales=(Scale("mood", ("low", "high")),),
        radius=300.0 if scaling is Scaling.NORM_ONLY else None,
        **PUBLIC | {"category_coding": coding, "scaling": scaling},
    )
    path = tmp_path / "rows.csv"
    path.write_text(ROWS.replace(" ", "\n"))
    sums = exact_sums(TableSource([path], recipe))
    of = some_plan("1000", recipe=recipe, means=Fraction(1, 20))
    tables = {MATRIX: sums.T, MEANS: np.append(sums.t, np.int64(sums.c) * GRID)}
    means, _ = Reading(of, tables).means()
    np.testing.assert_allclose(means, [50, 67.9375, 0.0, 0.5, 0.25, 0.25], atol=4e-3)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
def test_intervals_of_means_hold_in_19_of_20_and_none_is_shown_where_rows_drown(mechanism):
    """Noise of sums and of their number together; 3,000 releases, as if all columns were one."""
    of, rng = with_everything(mechanism), np.random.default_rng(12)
    (scale,) = of.scales[MEANS].values()
    # At the ends of their ranges, where the noise of the number of rows counts most.
    truth = np.array([0.0, 200.0, 0.0, 200.0])
    # 3,000 rows from 0 to 200 are mapped to −1 … 1 and divided by R = 2.
    sums, held = np.append((truth - 100) / 200, 1.0) * 3000 * GRID, []
    for noise in (rng.normal if mechanism == "gaussian" else rng.laplace)(size=(3000, 5)):
        values, halves = Reading(of, {MEANS: np.rint(sums + scale * noise)}).means()
        held.append(np.abs(values - truth) <= halves)
    assert least(0.95, 3000) - 0.002 < float(np.mean(held)) < 0.99
    rows = of.noise(MEANS) * GRID
    for count, shown in ((4.9, False), (5.1, True)):
        values, _ = Reading(of, {MEANS: np.array([0, 0, 0, 0, int(count * rows)])}).means()
        assert np.isnan(values).all() != shown


# --- What directions hold ---

PEOPLE = 600 * np.array([0.4, 0.35, 0.1, 0.08, 0.05, 0.02])


@pytest.mark.parametrize("mechanism", NOISES)
def test_without_noise_the_eigenvalues_are_what_is_held(mechanism):
    found = held(mechanism, 1e-9, PEOPLE, 2)
    for part, people in zip((*found.each, found.together), (240, 210, 450), strict=True):
        assert part.people.value == pytest.approx(people)
        assert part.share.value == pytest.approx(people / 600)
        assert part.share.high - part.share.low < 1e-9
    assert found.trace.value == pytest.approx(600)


def test_stein_s_correction_by_hand():
    """100 and 60 with τ = 4: λ₁ loses 16/40, and λ₂ gains as much."""
    found = held("gaussian", 4.0, np.array([100.0, 60.0]), 1)
    assert found.each == (found.together,)
    assert found.together.people.value == pytest.approx(99.6)
    half = 1.96 * np.sqrt(16 + 16**2 / 40**2)
    assert found.together.people.high == pytest.approx(99.6 + half)
    # The ends of a share p are where p misses 99.6 − 160 p by 1.96 deviations.
    for p in (found.together.share.low, found.together.share.high):
        variance = (half / 1.96) ** 2 - 2 * p * 16 + p**2 * 32
        assert abs(99.6 - 160 * p) == pytest.approx(1.96 * np.sqrt(variance))


def test_what_is_simulated_is_taken_off_and_sets_the_width(monkeypatch):
    found = []
    for bias in (0.0, 7.0):
        errors = np.array([bias, 1.0, 2.0]), np.array([4.0, 9.0, 16.0])
        monkeypatch.setattr(shares, "_simulated", lambda *_, errors=errors: errors)
        found.append(held("wishart_difference", 0.5, PEOPLE, 2).each[0].people)
    assert found[0].value - found[1].value == pytest.approx(7)
    assert found[1].high - found[1].low == pytest.approx(2 * 1.96 * 2)


@pytest.mark.parametrize("mechanism", NOISES)
def test_tau_is_how_noise_deviates_along_a_direction_at_most(mechanism):
    """Along one that weighs 9 columns alike, where Laplace noise has 1/18 less than at most."""
    on_diagonal, beside = LAWS[mechanism].std(9)
    variance = on_diagonal**2 / 9 + 2 * (1 - 1 / 9) * beside**2
    most = tau(mechanism, 1.0, 9) ** 2
    assert variance == pytest.approx(most * (17 / 18 if mechanism == "laplace" else 1))


def shares_found(exact, plan, times):
    """Compare with the truth what directions are said to hold: in people, and as shares.

    Yield of each direction and of all together (k + 1,) how far the mean is off, in deviations of
    the estimate, how often intervals hold, and their width over that of a normal interval.
    """
    said, truth = [], []
    for reading in released(exact, plan, times, np.random.default_rng(2026)):
        basis = reading.directions(plan.k)
        each = ((exact @ basis) * basis).sum(axis=0)
        truth.append(np.append(each, each.sum()))
        said.append([*reading.shares.each, reading.shares.together])
    for part, total in enumerate((1.0, np.trace(exact))):
        value, low, high = np.moveaxis(np.array(said)[:, :, part], -1, 0)
        exactly = np.array(truth) / total
        deviation, wrong = value.std(axis=0), value - exactly
        off = np.abs(wrong.mean(axis=0)) / deviation
        covered = ((low <= exactly) & (exactly <= high)).mean(axis=0)
        error = wrong.std(axis=0) / deviation / np.sqrt(times)
        yield off, error, covered, (high - low).mean(axis=0) / (2 * 1.96 * deviation)


@pytest.mark.chance(3e-7)
def test_releases_drowned_in_wishart_noise_are_read_right(monkeypatch):
    """150 releases of little but noise, with 100 draws in the simulation that all have."""
    monkeypatch.setattr(shares, "MOST_PAIRS", 50)
    plan = some_plan("0.1", d=20, mechanism="wishart_difference", k=2)
    off, _, covered, _ = next(shares_found(np.diag(np.full(20, 5.0)), plan, 150))
    assert (covered >= least(0.95, 150)).all()
    assert (off <= LIMIT * np.sqrt(1 / 150 + 1 / 100)).all()


def survey():
    """Make up rows (1,200, 34) of length 1: what one looks like who visits, answers and pays.

    Four habits lie behind 14 numbers, cut to −1 … 1, and behind four questions of five answers,
    coded 0 or 1 minus 1/5. Of all variation the top directions hold 11, 11, 10 and 8 %.
    """
    rng = np.random.default_rng(34)
    habits = rng.standard_normal((1200, 4))
    weights = np.kron(np.eye(4), np.full(4, 0.75))[:, :14]
    numbers = (habits @ weights + 0.7 * rng.standard_normal((1200, 14))) / 2
    parts = [np.clip(numbers, -1, 1)]
    for habit in habits.T:
        leaning = np.outer(habit, np.linspace(-1.5, 1.5, 5)) + rng.gumbel(size=(1200, 5))
        parts.append(np.eye(5)[leaning.argmax(axis=1)] - 1 / 5)
    rows = np.concatenate(parts, axis=1)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


SURVEY = survey()


@pytest.mark.chance(1e-6)
@pytest.mark.parametrize(
    ("rows", "mechanism", "times"),
    sampled(
        [
            *((SURVEY, "gaussian", 2000), (RAND, "gaussian", 5000), (SURVEY, "gaussian", 5000)),
            *((RAND, "wishart_difference", 200), (SURVEY, "wishart_difference", 200)),
        ],
        5,
        "thousands of releases, and hundreds with a simulation each",
    ),
)
def test_intervals_of_shares_hold_and_are_no_wider_than_they_must(rows, mechanism, times):
    """At ε = .3, where released eigenvalues are too high; limits are 5.33 standard errors away."""
    plan = some_plan("0.3", d=rows.shape[1], mechanism=mechanism, k=4)
    for off, error, covered, width in shares_found(rows.T @ rows, plan, times):
        assert (covered >= least(0.94, times)).all()
        assert (off <= 0.03 + LIMIT * error).all()
        assert (width <= 1.5).all()
