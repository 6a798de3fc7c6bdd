"""From a plan and a table to a published release: spend, draw, store, show, in this order.

A crash costs budget, never privacy: what is spent is committed before a row is read for the
release, and that a draw has begun is committed before a random bit is read. Nothing in here depends
on the table but the tables that leave, each with its noise: no refusal, no message, no order of
events. What can be refused (a recipe, a header, a path) is refused before anything is spent.
Statuses and what finishing costs: docs/release.md.
"""

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from dpca_core.data import recipe_json
from dpca_core.data.recipe import Recipe
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.release.drawn import Drawn, to_bytes
from dpca_core.release.exact_noise import (
    gaussian_matrix,
    laplace_matrix,
    laplace_vector,
    rounded_gaussian,
    wishart_difference,
    wrapped_sum,
)
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID, Whole
from dpca_core.release.ledger import Account, LedgerError, Row, Status
from dpca_core.release.ledger_checks import (
    drawn_sentence,
    published_sentence,
    unfinished_sentence,
)
from dpca_core.release.plan import Part, PartName, Plan, PlanError
from dpca_core.release.published_release import PublishedRelease
from dpca_core.release.random_bits import Bits
from dpca_core.release.released_mean import released_mean
from dpca_core.release.score_directions import score_directions
from dpca_core.release.score_histogram import score_counts
from dpca_core.release.table_source import Source, TableSource

Step = Callable[[Status], None]
"""Told when a status is reached."""


class NotFinished(Exception):
    """A release was spent, and its result could not be stored; the message says how to go on."""

    def __init__(self, row: Row, reason: str) -> None:
        super().__init__(reason)
        self.row = row


def draw(
    account: Account,
    plan: Plan,
    source: Source,
    bits: Bits | None = None,
    reached: Step = lambda status: None,
) -> PublishedRelease:
    """Spend a plan's cost, draw its tables, store them and return what is stored.

    Parameters
    ----------
    account
        Whose people the rows are; its limit must have room.
    plan
        All public settings.
    source
        The rows, which can be read as often as the plan needs: three times at most.
    bits
        Random bits of the operating system; others in tests only.
    reached
        Called when the plan is spent, when its draw begins, and when its result is stored.

    Raises
    ------
    PlanError, LedgerError, RecipeError, TableError
        Before anything is spent: for settings, the ledger, the header or the path.
    NotFinished
        After it was spent, where the file or the ledger could not be read or written.
    """
    require_fitting(plan, source)
    return _drawn(account, account.spend(plan), source, bits or Bits(), reached, new=True)


def finish(
    account: Account,
    row: Row,
    source: Source | None,
    *,
    spend_again: bool = False,
    bits: Bits | None = None,
    reached: Step = lambda status: None,
) -> PublishedRelease:
    """Finish a release that was interrupted; one that is stored is returned as it is.

    Parameters
    ----------
    source
        The same people's rows; not needed for what is stored.
    spend_again
        Whether a draw that had begun, and may have reached a disk, may be spent and drawn anew.
        Finishing a release whose draw had not begun costs nothing.

    Raises
    ------
    LedgerError
        Where there is no table, or spending again does not fit.
    NotFinished
        Where a draw had begun and may not be spent again; and as for ``draw``.
    """
    row = account.release(row.id)
    if row.status is Status.PUBLISHED:
        return PublishedRelease.of(row)
    if source is None:
        raise LedgerError("Finishing this release needs the table of the same people.")
    require_fitting(row.plan, source)
    new = False
    if row.status is Status.DRAWN:
        if not spend_again:
            raise NotFinished(row, drawn_sentence(row))
        row, new = account.spend(row.plan), True
    return _drawn(account, row, source, bits or Bits(), reached, new=new)


def require_fitting(plan: Plan, source: Source) -> None:
    """Refuse a source whose header or settings are not the plan's, before anything is spent.

    Noise is scaled for the plan's rows a person and norm bound: other rows would get too little.

    Raises
    ------
    RecipeError, TableError
        For the header, the path or permissions.
    PlanError
        Where the plan is about other columns, rows prepared otherwise, or too little noise.
    """
    if not plan.cost.fits(plan.epsilon, plan.delta):
        raise PlanError("The scales of this plan are smaller than its budget asks for.")
    source.check()
    plan.require_columns(source.columns)
    same = source.rows_per_person == plan.rows_per_person
    if isinstance(source, TableSource):
        same = same and _text(source.recipe) == _text(plan.recipe)
    if not same:
        raise PlanError("The plan is about rows that are prepared otherwise than this table’s.")


def _text(recipe: Recipe) -> str:
    """Write a recipe so that 0 and 0.0 are the same."""
    return recipe_json.dumps(recipe_json.loads(recipe_json.dumps(recipe)))


def _drawn(
    account: Account, row: Row, source: Source, bits: Bits, reached: Step, *, new: bool
) -> PublishedRelease:
    """Draw and store what is spent; ``new`` tells whether that was just now."""
    drawing, said = _Draw(account, row, source, bits, reached), ""
    try:
        if new:
            reached(Status.SPENT)
        stored = account.publish(row, to_bytes(drawing.run()))
        reached(Status.PUBLISHED)
        return PublishedRelease.of(stored)
    except LedgerError as error:
        said = str(error)
    except (Exception, KeyboardInterrupt):
        # Whatever went wrong may depend on the table: nothing of it is said. Nor does it go along
        # as the context of what is raised, which is why that is done below.
        # Who presses Ctrl-C here has spent, and is told how to go on like after any failure.
        said = ""
    return _as_booked(account, row, said, begun=drawing.begun)


def _as_booked(account: Account, row: Row, said: str, *, begun: bool) -> PublishedRelease:
    """Return what is stored after a failure, or raise the sentence for what the ledger says."""
    status = Status.DRAWN if begun else Status.SPENT
    with suppress(Exception):
        now = account.release(row.id)
        status = now.status
        if status is Status.PUBLISHED:
            return PublishedRelease.of(now)
    if said:
        raise NotFinished(row, said)
    if status is Status.DRAWN:
        raise NotFinished(row, drawn_sentence(row))
    published = status is Status.PUBLISHED
    raise NotFinished(row, (published_sentence if published else unfinished_sentence)(row.number))


class _Draw:
    """The tables of one row of the ledger, in the plan's order."""

    def __init__(
        self, account: Account, row: Row, source: Source, bits: Bits, reached: Step
    ) -> None:
        self._account, self._row, self._source = account, row, source
        self._bits, self._reached = bits, reached
        self.begun = False

    def run(self) -> Drawn:
        """Draw the parts one after another; a later one may use what an earlier one published."""
        plan = self._row.plan
        parts = {part.name: part for part in plan.parts}
        means, centre = None, None
        sums = exact_sums(self._source, length_one=plan.length_one and not plan.private_mean)
        if PartName.MEANS in parts:
            # The number of rows in the grid's units too: one scale for all d + 1 numbers.
            table = np.append(sums.t, np.int64(sums.c) * np.int64(GRID))
            means = self._noisy(parts[PartName.MEANS], table)
        if plan.private_mean:
            assert means is not None
            centre = released_mean(means)
            sums = exact_sums(self._source, centre=centre, length_one=plan.length_one)
        matrix = self._noisy(parts[PartName.MATRIX], sums.T)
        counts = None
        if plan.scores is not None:
            found = score_counts(
                self._source,
                score_directions(matrix),
                plan.scores.bins,
                plan.scores.reach,
                centre=centre,
                length_one=plan.length_one,
            )
            counts = self._noisy(parts[PartName.SCORES], found * np.int64(GRID))
        return Drawn(matrix, means, counts)

    def _noisy(self, part: Part, table: Whole) -> Whole:
        """Add the noise of a part to its table, modulo 2⁶⁴; the first time say that it begins."""
        if not self.begun:
            self.begun = True
            self._account.begin_drawing(self._row)
            self._reached(Status.DRAWN)
        return wrapped_sum(table, _noise(part, table.shape, self._bits))


def matrix_noise(part: Part, d: int, bits: Bits) -> Whole:
    """Draw the symmetric noise (d, d) of a matrix."""
    scales = part.scales
    if part.noise is ExactNoise.GAUSSIAN:
        return gaussian_matrix(scales["a"], scales["b"], d, bits)
    if part.noise is ExactNoise.WISHART_DIFFERENCE:
        return wishart_difference(scales["s"], d, bits)
    return laplace_matrix(scales["w"], d, bits)


def _noise(part: Part, shape: tuple[int, ...], bits: Bits) -> Whole:
    """Draw the noise of a part: of a matrix, or independent entries of any other table."""
    if part.name is PartName.MATRIX:
        return matrix_noise(part, shape[0], bits)
    size = int(np.prod(shape))
    if part.noise is ExactNoise.GAUSSIAN:
        return rounded_gaussian(part.scales["a"], size, bits).reshape(shape)
    return laplace_vector(part.scales["w"], size, bits).reshape(shape)
