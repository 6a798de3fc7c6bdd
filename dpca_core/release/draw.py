"""From a plan and a table to a published release: spend, draw, store, show, in this order.

A crash costs budget, never privacy: what is spent is committed before a row is read for the
release, and that a draw has begun is committed before a random bit is read. Nothing in here depends
on the table but the tables that leave, each with its noise: no refusal, no message, no order of
events. What can be refused (a recipe, a header, a path) is refused before anything is spent.
"""

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from dpca_core.release.exact_noise import (
    RandomBits,
    laplace_vector,
    rounded_gaussian,
    symmetric,
    wishart_difference,
)
from dpca_core.release.exact_sums import exact_sums, released_mean, score_counts, score_directions
from dpca_core.release.grid import GRID, Whole
from dpca_core.release.ledger import Account, Ledger, LedgerError, Row, Status
from dpca_core.release.plan import MATRIX, MEANS, SCORES, Plan, PlanError, loads, same_recipe
from dpca_core.release.published_release import Published, to_bytes
from dpca_core.release.table_source import Source, TableSource

Step = Callable[[Status], object]
"""Told of each status that is reached; whatever it raises stops the release there."""


class NotFinished(Exception):
    """A release was spent, and its result could not be stored; the message says how to go on."""

    def __init__(self, row: Row, status: Status, said: str = "") -> None:
        number = row.number
        known = {
            Status.SPENT: f"Spent and not yet shown: finish release {number}; it costs nothing "
            "more.",
            Status.DRAWN: f"A draw of release {number} may have reached the disk; finishing it "
            "costs as much again.",
            Status.PUBLISHED: f"Release {number} is published already: read it again for nothing.",
        }
        super().__init__(said or known[status])
        self.row = row


def draw(
    ledger: Ledger,
    account: Account,
    plan: Plan,
    source: Source,
    bits: RandomBits | None = None,
    reached: Step = lambda status: None,
) -> Published:
    """Spend a plan's cost, draw its tables, store them and return what is stored.

    The rows are about the people of the account, and read three times at most. ``bits`` are those
    of the operating system, but in tests. PlanError, LedgerError, RecipeError or TableError before
    anything is spent; NotFinished after it, where a file or the ledger could not be used.
    """
    _require_fitting(plan, source)
    return _drawn(ledger, ledger.spend(account, plan), plan, source, bits, reached)


def finish(
    ledger: Ledger,
    row: Row,
    source: Source | None,
    *,
    spend_again: bool = False,
    reached: Step = lambda status: None,
) -> Published:
    """Finish a release that was interrupted; one that is stored is returned as it is, without rows.

    It costs nothing where its draw had not begun. A draw that had begun, and may have reached a
    disk, is spent and drawn anew only with ``spend_again``: as one release, however often and by
    whomever that is asked. Else NotFinished; errors are those of ``draw``.
    """
    row = ledger.release(row.id)
    plan = loads(row.plan)
    if row.status is Status.PUBLISHED:
        return Published(row)
    if source is None:
        raise LedgerError("Finishing this release needs the table of the same people.")
    _require_fitting(plan, source)
    if row.status is Status.DRAWN:
        if not spend_again:
            raise NotFinished(row, row.status)
        row = ledger.spend(row.account, plan, again_for=row)
        if row.status is Status.PUBLISHED:
            return Published(row)
        if row.status is Status.DRAWN:
            raise NotFinished(row, row.status)
    return _drawn(ledger, row, plan, source, None, reached)


def _require_fitting(plan: Plan, source: Source) -> None:
    """Refuse a source, or scales, under which rows would get too little noise."""
    if not plan.keeps_its_budget:
        raise PlanError("The scales of this plan are smaller than its budget asks for.")
    source.check()
    if source.columns != plan.columns:
        raise PlanError("The plan is about other columns than the table and its recipe.")
    same = plan.recipe.rows_per_person == 1
    if isinstance(source, TableSource):
        if plan.practice:
            raise PlanError("Practice is on built-in data only, not on a table.")
        same = same_recipe(source.recipe, plan.recipe)
    if not same:
        raise PlanError("The plan is about rows that are prepared otherwise than this table’s.")


def _drawn(
    ledger: Ledger, row: Row, plan: Plan, source: Source, bits: RandomBits | None, reached: Step
) -> Published:
    """Draw and store what is spent; after a failure say what the ledger says."""
    status, said = Status.SPENT, ""

    def begin() -> None:
        nonlocal status
        status = Status.DRAWN
        ledger.begin_drawing(row.id)
        reached(Status.DRAWN)

    try:
        reached(Status.SPENT)
        tables = _tables(plan, source, bits or RandomBits(), begin)
        stored = ledger.publish(row.id, to_bytes(tables))
        reached(Status.PUBLISHED)
        return Published(stored)
    except LedgerError as error:
        said = str(error)
    except (Exception, KeyboardInterrupt):
        # Whatever went wrong may depend on the table: nothing of it is said, nor goes it along as
        # the context of what is raised below. Ctrl-C, too, comes here after spending.
        said = ""
    with suppress(Exception):
        now = ledger.release(row.id)
        status = now.status
        if status is Status.PUBLISHED:
            return Published(now)
    raise NotFinished(row, status, said)


def _tables(
    plan: Plan, source: Source, bits: RandomBits, begin: Callable[[], None]
) -> dict[str, Whole]:
    """Draw the tables one after another; a later one may use what an earlier one released.

    ``begin`` is called before the first random bit is read.
    """
    one, centre = plan.recipe.ends_at_length_one, None
    released: dict[str, Whole] = {}
    sums = exact_sums(source)
    begin()
    if plan.means:
        # The number of rows in the grid's units too: one scale for all d + 1 numbers.
        means = np.append(sums.t, np.int64(sums.c) * np.int64(GRID))
        released[MEANS] = means + noise(plan, MEANS, means.shape, bits)
    if plan.private_mean:
        centre = released_mean(released[MEANS])
        sums = exact_sums(source, centre, length_one=one)
    released[MATRIX] = sums.T + noise(plan, MATRIX, sums.T.shape, bits)
    if scores := plan.scores:
        along = score_directions(released[MATRIX])
        counts = score_counts(source, along, scores.bins, scores.reach, centre, length_one=one)
        released[SCORES] = counts * np.int64(GRID) + noise(plan, SCORES, counts.shape, bits)
    return released


def noise(plan: Plan, table: str, shape: tuple[int, ...], bits: RandomBits) -> Whole:
    """Draw the noise of a table; adding it wraps modulo 2⁶⁴, a function of the release."""
    scales, d = plan.scales[table], shape[0]
    if "s" in scales:
        return wishart_difference(scales["s"], d, bits)
    vector = rounded_gaussian if plan.gaussian else laplace_vector
    # Of a Gaussian matrix a and b; else there is one scale.
    beside, diagonal = min(scales.values()), max(scales.values())
    if table == MATRIX:
        on_it = vector(diagonal, d, bits)
        return symmetric(on_it, vector(beside, d * (d - 1) // 2, bits))
    return vector(beside, int(np.prod(shape)), bits).reshape(shape)
