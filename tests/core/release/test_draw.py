"""Spend, draw, store, show: the tables that leave, the order of events, and what a crash costs."""

import traceback
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from dpca_core.data.recipe import Combine, MissingPerson
from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.release.draw import NotFinished, draw, finish
from dpca_core.release.exact_noise import (
    gaussian_matrix,
    laplace_matrix,
    laplace_vector,
    rounded_gaussian,
    wishart_difference,
)
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID, Whole
from dpca_core.release.ledger import Account, LedgerError, OverLimit, Status
from dpca_core.release.plan import PartName, Plan, PlanError
from dpca_core.release.random_bits import Bits
from dpca_core.release.released_mean import released_mean
from dpca_core.release.score_directions import score_directions
from dpca_core.release.score_histogram import score_counts
from dpca_core.release.table_source import RowSource, TableSource
from tests.core.release.draw_cases import (
    PRIVATE_MEAN,
    RECIPE,
    account,
    plan,
    repeating_bytes,
    table,
    with_everything,
)


def noise_again(of: Plan, seed: int) -> dict[PartName, Whole]:
    """Draw a plan's noise from the same bits, in the order of its parts."""
    bits, found = Bits(repeating_bytes(seed)), {}
    for part in of.parts:
        scales, d = part.scales, of.d
        if part.name is PartName.MATRIX:
            if part.noise is ExactNoise.GAUSSIAN:
                found[part.name] = gaussian_matrix(scales["a"], scales["b"], d, bits)
            elif part.noise is ExactNoise.LAPLACE:
                found[part.name] = laplace_matrix(scales["w"], d, bits)
            else:
                found[part.name] = wishart_difference(scales["s"], d, bits)
            continue
        size = d + 1 if part.name is PartName.MEANS else of.scores.bins[0] * of.scores.bins[1]
        gaussian = part.noise is ExactNoise.GAUSSIAN
        found[part.name] = (
            rounded_gaussian(scales["a"], size, bits)
            if gaussian
            else laplace_vector(scales["w"], size, bits)
        )
    return found


@pytest.mark.parametrize("noise", ExactNoise)
@pytest.mark.parametrize("recipe", [RECIPE, PRIVATE_MEAN], ids=["bounded", "private mean"])
def test_what_leaves_is_the_exact_table_plus_the_noise_of_the_plan(tmp_path, noise, recipe):
    wanted, seed = with_everything(noise, recipe), 11
    source = TableSource([table(tmp_path)], recipe)
    release = draw(account(tmp_path), wanted, source, Bits(repeating_bytes(seed)))
    again, drawn = noise_again(wanted, seed), release.drawn
    first = exact_sums(source)
    means = np.append(first.t, first.c * GRID) + again[PartName.MEANS]
    np.testing.assert_array_equal(drawn.means, means)
    centre = released_mean(drawn.means) if recipe is PRIVATE_MEAN else None
    sums = exact_sums(source, centre=centre)
    np.testing.assert_array_equal(drawn.matrix, sums.T + again[PartName.MATRIX])
    counts = score_counts(
        source, score_directions(drawn.matrix), wanted.scores.bins, wanted.scores.reach, centre
    )
    noise_of_counts = again[PartName.SCORES].reshape(counts.shape)
    np.testing.assert_array_equal(drawn.counts, counts * GRID + noise_of_counts)
    assert counts.sum() == sums.c
    assert np.abs(drawn.matrix).max() > 0


class Witness(RowSource):
    """Rows that write down what the ledger says whenever they are read."""

    def __init__(self, account: Account, seen: list[str]) -> None:
        super().__init__(np.random.default_rng(1).normal(size=(50, 4)), columns=RECIPE_COLUMNS)
        self._account, self._seen = account, seen

    def blocks(self) -> Iterator[Whole]:
        self._seen.append(f"rows: {status(self._account)}")
        return super().blocks()


RECIPE_COLUMNS = tuple(column.name for column in RECIPE.numbers)


def status(account: Account) -> str:
    """Return what the ledger says of the newest release."""
    rows = account.releases()
    return rows[-1].status.value if rows else "nothing"


def test_rows_are_read_after_the_spend_and_bits_after_the_draw_is_recorded(tmp_path):
    of, seen, inner = account(tmp_path), [], repeating_bytes(2)

    def bits(size: int) -> bytes:
        seen.append(f"bits: {status(of)}")
        return inner(size)

    draw(of, with_everything(), Witness(of, seen), Bits(bits))
    assert seen[0] == "rows: spent"
    assert {said for said in seen if said.startswith("bits")} == {"bits: drawn"}
    assert status(of) == "published"


class Failing(RowSource):
    """Rows of a disk that breaks while they are read."""

    def __init__(self) -> None:
        super().__init__(np.ones((3, 4)), columns=RECIPE_COLUMNS)

    def blocks(self) -> Iterator[Whole]:
        raise OSError("the disk broke")
        yield


def test_a_release_whose_rows_could_not_be_read_is_finished_for_nothing(tmp_path):
    of, wanted = account(tmp_path), plan()
    with pytest.raises(NotFinished) as stopped:
        draw(of, wanted, Failing())
    spent = of.total()
    assert stopped.value.row.status is Status.SPENT
    assert "finish" in str(stopped.value).lower()
    source = TableSource([table(tmp_path)], RECIPE)
    release = finish(of, stopped.value.row, source)
    assert of.total() == spent
    assert release.row.status is Status.PUBLISHED
    once_more = finish(of, release.row, None)
    np.testing.assert_array_equal(once_more.drawn.matrix, release.drawn.matrix)
    assert of.total() == spent


class Odd(RowSource):
    """Rows at which a reader fails in a way that nobody thought of."""

    def __init__(self) -> None:
        super().__init__(np.ones((3, 4)), columns=RECIPE_COLUMNS)

    def blocks(self) -> Iterator[Whole]:
        raise KeyError("Alice Miller, 1961")
        yield


def test_nothing_of_an_unexpected_failure_is_said(tmp_path):
    of = account(tmp_path)
    with pytest.raises(NotFinished) as stopped:
        draw(of, plan(), Odd())
    assert "Alice" not in "".join(traceback.format_exception(stopped.value))
    assert stopped.value.row.status is Status.SPENT


def no_bits(size: int) -> bytes:
    raise OSError("no random bits")


def test_a_draw_that_had_begun_is_spent_again_and_only_when_told_to(tmp_path):
    of, source = account(tmp_path), TableSource([table(tmp_path)], RECIPE)
    with pytest.raises(NotFinished) as stopped:
        draw(of, plan(), source, Bits(no_bits))
    row = stopped.value.row
    assert status(of) == "drawn"
    spent = of.total()
    with pytest.raises(NotFinished, match=r"another ε = 0\.5"):
        finish(of, row, source)
    assert of.total() == spent
    release = finish(of, row, source, spend_again=True)
    assert release.row.number == row.number + 1
    assert of.total() == spent + plan().cost


def test_a_second_draw_that_does_not_fit_is_refused_and_draws_nothing(tmp_path):
    of, source = account(tmp_path, Fraction(6, 10)), TableSource([table(tmp_path)], RECIPE)
    with pytest.raises(NotFinished) as stopped:
        draw(of, plan(), source, Bits(no_bits))
    with pytest.raises(OverLimit):
        finish(of, stopped.value.row, source, spend_again=True, bits=Bits(no_bits))
    assert [row.status for row in of.releases()] == [Status.DRAWN]


def test_what_can_be_refused_is_refused_before_anything_is_spent(tmp_path):
    of = account(tmp_path)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(Exception, match="age") as refused:
        draw(of, plan(), TableSource([tmp_path / "other.csv"], RECIPE), Bits(no_bits))
    assert not isinstance(refused.value, NotFinished)
    with pytest.raises(PlanError, match="other columns"):
        draw(of, plan(), RowSource(np.ones((3, 2))), Bits(no_bits))
    several = replace(RECIPE, person=("age",), combine=Combine.AT_MOST, most=5)
    wider = replace(RECIPE, numbers=(replace(RECIPE.numbers[0], high=900.0), *RECIPE.numbers[1:]))
    for recipe in (several, wider):
        with pytest.raises(PlanError, match="otherwise"):
            draw(of, plan(), TableSource([table(tmp_path)], recipe), Bits(no_bits))
    rows = RowSource(np.ones((3, 4)), columns=RECIPE_COLUMNS, rows_per_person=2)
    with pytest.raises(PlanError, match="otherwise"):
        draw(of, plan(), rows, Bits(no_bits))
    with pytest.raises(LedgerError, match="needs the table"):
        finish(of, of.spend(plan()), None)
    assert [row.status for row in of.releases()] == [Status.SPENT]


@pytest.mark.parametrize(
    "content",
    ["", "1,2,3,4\n", "x,,nan,1e999\n", '"1,2,3,4\n5,6,7,8\n', "\x00\n,,,,,,,,\n\n\n"],
    ids=["no rows", "one row", "no numbers", "a lone quote", "noise"],
)
def test_no_rows_and_odd_rows_end_like_any_others(tmp_path, content):
    path = tmp_path / "odd.csv"
    path.write_text(",".join(RECIPE_COLUMNS) + "\n" + content)
    release = draw(account(tmp_path), with_everything(), TableSource([path], RECIPE))
    assert release.row.status is Status.PUBLISHED
    usual = draw(
        account(Path(tmp_path / "usual")), with_everything(), TableSource([table(tmp_path)], RECIPE)
    )
    assert release.drawn.matrix.shape == usual.drawn.matrix.shape
    assert list(release.files()) == list(usual.files())


def test_scales_below_the_budget_are_refused_before_anything_is_spent(tmp_path):
    of, usual = account(tmp_path, Fraction(10)), plan(ExactNoise.LAPLACE)
    small = {name: {k: v // 10 for k, v in found.items()} for name, found in usual.scales.items()}
    with pytest.raises(PlanError, match="smaller than its budget"):
        draw(
            of,
            plan(ExactNoise.LAPLACE, scales=small),
            TableSource([table(tmp_path)], RECIPE),
            Bits(no_bits),
        )
    assert of.releases() == ()


def test_rows_without_an_id_are_left_out_of_a_release():
    own = replace(RECIPE, person=("age",), missing_person=MissingPerson.OWN)
    with pytest.raises(PlanError, match="without an ID"):
        plan(recipe=own)
