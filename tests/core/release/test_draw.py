"""Spend, draw, store, show: the tables that leave, the order of events, and what failures cost."""

import sqlite3
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Combine, MissingPerson
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.release import plan_json
from dpca_core.release.draw import NotFinished, draw, finish
from dpca_core.release.drawn import Drawn, DrawnError, from_bytes, to_bytes
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
from dpca_core.release.published_release import PublishedRelease
from dpca_core.release.random_bits import Bits
from dpca_core.release.released_mean import released_mean
from dpca_core.release.score_directions import score_directions
from dpca_core.release.score_histogram import score_counts
from dpca_core.release.table_source import RowSource, Source, TableSource
from tests.core.release.cases import (
    COLUMNS,
    PEOPLE,
    PRIVATE_MEAN,
    RECIPE,
    made_up,
    plan,
    repeating_bits,
    some_account,
    table,
    with_everything,
)


def noise_again(of: Plan, seed: int) -> dict[PartName, Whole]:
    """Draw a plan's noise from the same bits, in the order of its parts."""
    bits, found = repeating_bits(seed), {}
    for part in of.parts:
        scales, d = part.scales, of.d
        size = d + 1 if part.name is PartName.MEANS else of.scores.bins[0] * of.scores.bins[1]
        if part.name is not PartName.MATRIX:
            draw_one = rounded_gaussian if part.noise is ExactNoise.GAUSSIAN else laplace_vector
            found[part.name] = draw_one(*scales.values(), size, bits)
        elif part.noise is ExactNoise.GAUSSIAN:
            found[part.name] = gaussian_matrix(scales["a"], scales["b"], d, bits)
        elif part.noise is ExactNoise.LAPLACE:
            found[part.name] = laplace_matrix(scales["w"], d, bits)
        else:
            found[part.name] = wishart_difference(scales["s"], d, bits)
    return found


@pytest.mark.parametrize("noise", ExactNoise)
@pytest.mark.parametrize("recipe", [RECIPE, PRIVATE_MEAN], ids=["bounded", "private mean"])
def test_what_leaves_is_the_exact_table_plus_the_noise_of_the_plan(tmp_path, noise, recipe):
    wanted, source = with_everything(noise, recipe), TableSource([table(tmp_path)], recipe)
    drawn = draw(some_account(tmp_path), wanted, source, repeating_bits(11)).drawn
    again, first = noise_again(wanted, 11), exact_sums(source)
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
    assert counts.sum() == sums.c == PEOPLE


class Rows(RowSource):
    """Fifty rows; whenever they are read, something is done first."""

    def __init__(self, before: Callable[[], object] = lambda: None) -> None:
        super().__init__(np.random.default_rng(1).normal(size=(50, 4)), columns=COLUMNS)
        self._before = before

    def blocks(self) -> Iterator[Whole]:
        self._before()
        return super().blocks()


def failing(*_: object, **__: object) -> bytes:
    raise KeyError(CELL)


FREE, AGAIN, CELL = "costs nothing more", "spends another", "the cell 123.456"


@pytest.fixture
def people(tmp_path):
    return some_account(tmp_path)


def status(account: Account) -> str:
    rows = account.releases()
    return rows[-1].status.value if rows else "nothing"


def test_rows_are_read_after_the_spend_and_bits_after_the_draw_is_recorded(tmp_path):
    people, seen, bits = some_account(tmp_path), [], np.random.default_rng(2).bytes
    witnessed = Bits(lambda size: seen.append(f"bits: {status(people)}") or bits(size))
    draw(people, with_everything(), Rows(lambda: seen.append(f"rows: {status(people)}")), witnessed)
    assert seen[0] == "rows: spent"
    assert {said for said in seen if said.startswith("bits")} == {"bits: drawn"}
    assert status(people) == "published"


def test_no_bit_is_asked_for_where_the_ledger_cannot_record_the_draw(people, monkeypatch):
    asked, bits = [], np.random.default_rng(2).bytes
    with monkeypatch.context() as broken:
        broken.setattr(Account, "begin_drawing", failing)
        assert FREE in outcome(people, Rows(), bits=Bits(lambda n: asked.append(n) or bits(n)))
    assert (asked, status(people)) == ([], "spent")


def test_a_release_whose_rows_could_not_be_read_is_finished_for_nothing(tmp_path, people):
    assert FREE in outcome(people, Rows(failing))
    (row,), spent = people.releases(), people.total()
    assert row.status is Status.SPENT
    release = finish(people, row, TableSource([table(tmp_path)], RECIPE))
    assert release.row.status is Status.PUBLISHED
    once_more = finish(people, release.row, None)
    np.testing.assert_array_equal(once_more.drawn.matrix, release.drawn.matrix)
    assert people.total() == spent


def outcome(people: Account, source: Source, **options: object) -> str:
    """The sentence of a draw that fails, which quotes nothing and keeps no other error."""
    with pytest.raises(NotFinished) as found:
        draw(people, plan(), source, **options)
    assert CELL not in "".join(traceback.format_exception(found.value))
    assert found.value.__context__ is None
    assert found.value.__cause__ is None
    return str(found.value)


def test_a_draw_that_had_begun_is_spent_again_and_only_when_told_to(people):
    assert AGAIN in outcome(people, Rows(), bits=Bits(failing))
    (row,), spent = people.releases(), people.total()
    assert row.status is Status.DRAWN
    with pytest.raises(NotFinished, match=r"another ε = 0\.5"):
        finish(people, row, Rows())
    assert people.total() == spent
    release = finish(people, row, Rows(), spend_again=True)
    assert release.row.number == row.number + 1
    assert people.total() == spent + plan().cost


def test_a_second_draw_that_does_not_fit_is_refused_and_draws_nothing(tmp_path):
    people = some_account(tmp_path, "0.6")
    outcome(people, Rows(), bits=Bits(failing))
    with pytest.raises(OverLimit):
        finish(people, people.releases()[0], Rows(), spend_again=True, bits=Bits(failing))
    assert [row.status for row in people.releases()] == [Status.DRAWN]


def test_what_can_be_refused_is_refused_before_anything_is_spent(tmp_path):
    people, usual = some_account(tmp_path, "10"), plan(ExactNoise.LAPLACE)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    several = replace(RECIPE, person=("age",), combine=Combine.AT_MOST, most=5)
    wider = replace(RECIPE, numbers=(replace(RECIPE.numbers[0], high=900.0), *RECIPE.numbers[1:]))
    path = table(tmp_path)
    small = {name: {k: v // 10 for k, v in found.items()} for name, found in usual.scales.items()}
    for wanted, source, said in (
        (plan(), TableSource([tmp_path / "other.csv"], RECIPE), "no column “age”"),
        (plan(), RowSource(np.ones((3, 2))), "other columns"),
        (plan(), TableSource([path], several), "otherwise"),
        (plan(), TableSource([path], wider), "otherwise"),
        (plan(), RowSource(np.ones((3, 4)), columns=COLUMNS, rows_per_person=2), "otherwise"),
        (replace(usual, scales=small), TableSource([path], RECIPE), "smaller than its budget"),
    ):
        with pytest.raises((PlanError, TableError), match=said):
            draw(people, wanted, source, Bits(failing))
    assert people.releases() == ()
    with pytest.raises(LedgerError, match="needs the table"):
        finish(people, people.spend(plan()), None)
    with pytest.raises(PlanError, match="without an ID"):
        plan(recipe=replace(RECIPE, person=("age",), missing_person=MissingPerson.OWN))


@pytest.mark.parametrize(
    "content",
    ["", "1,2,3,4\n", "x,,nan,1e999\n", '"1,2,3,4\n5,6,7,8\n', "\x00\n,,,,,,,,\n\n\n"],
    ids=["no rows", "one row", "no numbers", "a lone quote", "noise"],
)
def test_no_rows_and_odd_rows_end_like_any_others(tmp_path, content):
    path = tmp_path / "odd.csv"
    path.write_text(",".join(COLUMNS) + "\n" + content)
    people = some_account(tmp_path, "2")
    odd = draw(people, with_everything(), TableSource([path], RECIPE))
    usual = draw(people, with_everything(), TableSource([table(tmp_path)], RECIPE))
    assert odd.row.status is Status.PUBLISHED
    assert odd.drawn.matrix.shape == usual.drawn.matrix.shape
    assert list(odd.files()) == list(usual.files())


@pytest.mark.parametrize("failure", [BrokenPipeError, KeyboardInterrupt])
@pytest.mark.parametrize(
    ("at", "said"), [(Status.SPENT, FREE), (Status.DRAWN, AGAIN), (Status.PUBLISHED, None)]
)
def test_whoever_is_told_of_a_status_may_fail(people, at, said, failure):

    def told(reached):
        if reached is at:
            raise failure

    if said is None:
        shown = draw(people, plan(), Rows(), reached=told)
        assert shown.row.result == people.release(shown.row.id).result
    else:
        assert said in outcome(people, Rows(), reached=told)
    assert [row.status for row in people.releases()] == [at]


@pytest.mark.parametrize(
    ("owner", "name", "done", "said", "reached"),
    [
        (plan_json, "loads", False, FREE, Status.SPENT),
        (Account, "begin_drawing", True, AGAIN, Status.DRAWN),
        (Account, "publish", True, None, Status.PUBLISHED),
        (PublishedRelease, "of", False, "published already", Status.PUBLISHED),
    ],
)
def test_after_a_failure_the_ledger_says_what_is_said(
    tmp_path, monkeypatch, owner, name, done, said, reached
):
    """Whether a step is done and its answer lost, or not done; what is stored is shown."""
    people, real = some_account(tmp_path), getattr(owner, name)

    def lost(*given):
        if done:
            real(*given)
        failing()

    with monkeypatch.context() as broken:
        broken.setattr(owner, name, lost)
        if said is None:
            shown = draw(people, plan(), Rows())
            assert shown.row.result == people.release(shown.row.id).result
        else:
            assert said in outcome(people, Rows())
    (row,) = people.releases()
    assert row.status is reached
    if reached is not Status.DRAWN:
        assert finish(people, row, Rows()).row.id == row.id
    assert len(people.releases()) == 1


def test_a_loser_of_a_race_is_shown_what_is_stored(people, monkeypatch):
    row, begin, first = people.spend(plan()), Account.begin_drawing, []

    def late(self, late_row):
        if not first:
            first.append(None)
            first[0] = finish(people, row, Rows()).row.result
        return begin(self, late_row)

    monkeypatch.setattr(Account, "begin_drawing", late)
    assert finish(people, row, Rows()).row.result == first[0]
    assert len(people.releases()) == 1


@pytest.mark.parametrize("step", ["spend", "begin_drawing", "publish"])
def test_what_cannot_be_read_back_is_not_written(people, monkeypatch, step):
    row = None if step == "spend" else people.spend(plan())
    if step == "publish":
        row = people.begin_drawing(row)
    before = people.releases()

    def broken(*_):
        raise sqlite3.OperationalError(CELL)

    given = {"spend": (plan(),), "begin_drawing": (row,), "publish": (row, b"result")}[step]
    with monkeypatch.context() as disk:
        disk.setattr("dpca_core.release.ledger_account.read_result", broken)
        with pytest.raises(LedgerError) as said:
            getattr(people, step)(*given)
    assert CELL not in str(said.value)
    assert people.releases() == before


def test_bytes_of_tables_that_are_damaged_or_of_another_shape_are_refused():
    drawn = made_up(with_everything())
    good = to_bytes(drawn)
    assert to_bytes(replace(drawn, matrix=np.asfortranarray(drawn.matrix))) == good
    for content in (
        *(b"", good[:-1], good + b"\0", good.replace(b"drawn/1", b"drawn/2")),
        good.replace(b'"columns":4', b'"columns":-4'),
        good.replace(b'"columns":4', b'"columns":9e9'),
        good.replace(b'"means":true', b'"means": true'),
        good.replace(b'{"bins"', b'{"more":1,"bins"'),
    ):
        assert content != good
        with pytest.raises(DrawnError, match="damaged"):
            from_bytes(content)
    matrix = drawn.matrix
    for bad in (matrix[:2], matrix + np.triu(np.ones((4, 4), np.int64), 1), matrix.astype(float)):
        with pytest.raises(ValueError, match=r"must be|hold"):
            to_bytes(Drawn(bad))
    for name in ("means", "counts"):
        with pytest.raises(ValueError, match="must be"):
            to_bytes(Drawn(matrix, **{name: np.zeros(4, np.int64)}))
