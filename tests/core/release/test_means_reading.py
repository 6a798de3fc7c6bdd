"""Released means in the units of columns: what rows on the grid give back, and how surely."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from dpca_core.data.recipe import Category, CategoryCoding, Number, Recipe, RowLength, Scaling
from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.release.drawn import Drawn
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.means_reading import MeansReading, scale_of_means, units_of_means
from dpca_core.release.plan import Plan
from dpca_core.release.release_files import release_files
from dpca_core.release.scores_reading import ScoresReading
from dpca_core.release.table_source import TableSource
from tests.core.release.draw_cases import plan, with_everything
from tests.core.release.published_cases import made_up

AGES, WEIGHTS = [20.0, 40.0, 60.0, 80.0], [50.0, 61.5, 70.25, 90.0]
SEX = ["f", "m", "f", "x"]
TYPICAL = (Number("age", 0.0, 100.0, typical=30.0), Number("weight", 20.0, 120.0))
CATEGORIES = (Category("sex", ("f", "m", "x")),)


def read(recipe: Recipe, folder: Path) -> MeansReading:
    """Release the means of four rows at a budget so large that no noise is left to see."""
    lines = ["age,weight,sex"]
    lines += [f"{a},{w},{s}" for a, w, s in zip(AGES, WEIGHTS, SEX, strict=True)]
    path = folder / "rows.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found: Plan = plan(recipe=recipe, epsilon=Fraction(1000), means=Fraction(1, 20))
    sums = exact_sums(TableSource([path], recipe))
    table = np.append(sums.t, np.int64(sums.c) * GRID)
    return MeansReading.of(found, Drawn(sums.T, table, None))


@pytest.mark.parametrize("scaling", [Scaling.BOUNDED, Scaling.PRIVATE_MEAN, Scaling.NORM_ONLY])
@pytest.mark.parametrize("coding", CategoryCoding)
def test_means_come_back_in_their_units(tmp_path, scaling, coding):
    """But for rounding to the grid: R/2¹⁷ a row at most, times half a range where there is one."""
    recipe = Recipe(
        TYPICAL,
        CATEGORIES,
        category_coding=coding,
        scaling=scaling,
        radius=300.0 if scaling is Scaling.NORM_ONLY else None,
        bounds_are_public=True,
    )
    found = read(recipe, tmp_path)
    wanted = [np.mean(AGES), np.mean(WEIGHTS), 0.5, 0.25, 0.25]
    np.testing.assert_allclose(found.values, wanted, atol=4e-3)
    assert found.in_units


def test_rows_of_length_one_have_means_without_a_unit(tmp_path):
    recipe = Recipe(TYPICAL, CATEGORIES, row_length=RowLength.ONE, bounds_are_public=True)
    found = read(recipe, tmp_path)
    assert not found.in_units
    assert np.linalg.norm(found.values) <= 1


@pytest.mark.parametrize("noise", ExactNoise)
def test_intervals_of_means_hold_in_19_of_20(noise):
    """Noise of sums and of their number together; 4,000 columns' means, three standard errors."""
    of = with_everything(noise)
    scale = next(part for part in of.parts if part.name == "means").scales
    (scale,) = scale.values()
    rng, people, truth = np.random.default_rng(12), 3000, np.array([90.0, 100.0, 120.0, 40.0])
    # Rows from 0 to 200 are mapped to −1 … 1 and divided by R = 2.
    sums = np.append((truth - 100) / 100 / 2, 1.0) * people * GRID
    held = []
    for _ in range(1000):
        unit = rng.laplace(size=5) if noise is not ExactNoise.GAUSSIAN else rng.normal(size=5)
        drawn = Drawn(
            np.eye(4, dtype=np.int64), np.rint(sums + scale * unit).astype(np.int64), None
        )
        found = MeansReading.of(of, drawn)
        held.append(np.abs(found.values - truth) <= found.halves)
    share = float(np.mean(held))
    # Columns of one release share the noise of the number of rows: fewer than 4,000 independent.
    assert 0.95 - 3 * np.sqrt(0.95 * 0.05 / 4000) - 0.002 < share < 0.975


def test_no_mean_is_shown_where_the_number_of_rows_drowns():
    of = with_everything()
    (scale,) = next(part for part in of.parts if part.name == "means").scales.values()
    for count, shown in ((4.9, False), (5.1, True)):
        means = np.array([0, 0, 0, 0, int(count * scale)])
        found = MeansReading.of(of, Drawn(np.eye(4, dtype=np.int64), means, None))
        assert np.isnan(found.values).all() != shown


def test_scores_are_counts_in_public_bins():
    of = with_everything()
    drawn = made_up(of)
    found = ScoresReading.of(of, drawn)
    np.testing.assert_allclose(found.counts, drawn.counts / GRID)
    np.testing.assert_allclose(found.edges[0], np.linspace(-0.75, 0.75, 7))
    (scale,) = next(part for part in of.parts if part.name == "scores").scales.values()
    assert found.noise == pytest.approx(scale / GRID)
    for reading in (MeansReading, ScoresReading):
        with pytest.raises(ValueError, match="publishes no"):
            reading.of(plan(), Drawn(drawn.matrix, None, None))


def test_a_reader_is_told_in_which_unit_means_are():
    numbers = (Number("age", 0, 110, unit="years"), Number("dose", 0, 5))
    ranged = Recipe(numbers, bounds_are_public=True)
    free = Recipe(numbers, scaling=Scaling.NORM_ONLY, radius=9.0, bounds_are_public=True)
    one = replace(ranged, row_length=RowLength.ONE)
    mean = replace(one, scaling=Scaling.PRIVATE_MEAN)
    said = {
        "cut to their ranges": (ranged, ""),
        "rows cut to length R": (free, ""),
        "no unit": (one, ""),
        "ranges, in its column’s unit": (mean, ""),
        "prepared already": (free, "A built-in set"),
    }
    for words, (recipe, practice) in said.items():
        of = plan(recipe=recipe, means=Fraction(1, 20), practice=practice, k=1)
        assert words in scale_of_means(of)
        in_units = "unit;" in scale_of_means(of)
        assert units_of_means(of) == ({"age": "years"} if in_units else {})
        made = Drawn(np.eye(2, dtype=np.int64), np.array([5, 5, 2**40]))
        assert MeansReading.of(of, made).in_units == (words != "no unit")
        assert scale_of_means(of) in release_files(of, made)["means.csv"].decode()
