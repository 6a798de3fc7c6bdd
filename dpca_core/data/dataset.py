"""A prepared data set: rows in the unit ball, what they stand for, and what preparing them read."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from secrets import token_hex

import numpy as np
from numpy.typing import NDArray

from dpca_core.data.clipping import to_ball, to_length_one
from dpca_core.data.disclosures import Disclosure, Mark
from dpca_core.data.errors import WORDS
from dpca_core.data.pair_differences import of_pairs, pair_rows
from dpca_core.data.private_mean import private_mean_of_sum
from dpca_core.data.recipe import RowLength, Unit
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import eigh_descending
from dpca_core.privacy.budget import Budget, Guarantee, with_preparation
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from dpca_core.runtime.offload import expected_seconds, run

OWN, OWN_KEY = "upload:", re.compile("upload:[0-9a-f]{32}")
"""How the key of a table of one's own begins, and what one is that was drawn."""
_MATCHINGS = 8
"""Over whose mean the moment of pairs is taken that releases are judged by."""


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Rows ready for a mechanism, with the facts a page shows beside them.

    ``rows`` (n, d) have norm at most 1; of a table that was only summed up, ``summed`` is S (d, d)
    and they are a sample. No ``key`` asks for a random one, which says nothing of the rows or their
    file.

    Nobody owns more than m = ``rows_per_person`` rows. S is divided by m, so that a person's part
    of it is positive semi-definite with trace at most 1, as one row's is (docs/conventions.md).
    ``people`` are units behind the rows, 0 stands for one a row; ``mean_share`` of the budget pays
    for a mean.

    ``row_length`` is that of rows in the end: already here, or once a private mean is subtracted;
    ``at_most_r`` is S of the same rows at most R, where that is public. Not ``private`` is what
    read the data without paying; n depends on what a row holds where that ``selects_rows``.
    ``gaps`` (n, d) are missing cells, 0 in the rows, for mechanisms that get differences of
    ``pairs``.
    """

    key: str
    name: str
    rows: Array
    columns: tuple[str, ...]
    unit: Unit = field(default_factory=Unit)
    image_shape: tuple[int, int] | None = None
    clipped_rows: float = 0.0
    clipped_cells: float = 0.0
    disclosures: tuple[Disclosure, ...] = ()
    private: bool = True
    synthetic: bool = False
    public: bool = False
    licence: str = ""
    rows_per_person: int = 1
    people: int = 0
    mean_share: float = 0.0
    selects_rows: bool = False
    recipe: object = None
    summed: Array | None = None
    row_length: RowLength = RowLength.AT_MOST_R
    at_most_r: Array | None = None
    pairs: bool = False
    gaps: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        """Count one unit a row unless told otherwise, and draw a key where none is given."""
        if not self.key:
            object.__setattr__(self, "key", f"{OWN}{token_hex(16)}")
        if self.people == 0:
            object.__setattr__(self, "people", len(self.rows))

    def __repr__(self) -> str:
        """Return the sizes alone: what is printed is soon published."""
        return f"Dataset(d={self.d}, n={self.people})"

    @property
    def d(self) -> int:
        """Number of columns after coding."""
        return int(self.rows.shape[1])

    @property
    def own(self) -> bool:
        """Whether it was made of a table that somebody brought, not built in."""
        return self.key.startswith(OWN)

    @property
    def public_name(self) -> str:
        """Name that may be published: a file's own name may tell of the people in it."""
        return "A table of your own" + ", in pairs" * self.pairs if self.own else self.name

    @cached_property
    def identity(self) -> str:
        """Digits of public content, else the key: a digest of rows confirms who guesses them."""
        in_pairs = " in pairs" * self.pairs
        if not self.public or self.own:
            return f"{self.key}{in_pairs}"
        facts = (self.rows.shape, self.rows_per_person, self.mean_share, self.columns, self.people)
        content = sha256(f"{facts!r}{in_pairs}".encode())
        content.update(np.ascontiguousarray(self.rows).data)
        if self.summed is not None:
            content.update(np.ascontiguousarray(self.summed).data)
        return content.hexdigest()[:16]

    @cached_property
    def moment(self) -> Array:
        """S (d, d) in people, before a private mean; of pairs the mean over some matchings."""
        if self.pairs:
            seeds = ([_MATCHINGS, i] for i in range(_MATCHINGS))
            drawn = (pair_rows(self._known, np.random.default_rng(seed)) for seed in seeds)
            return np.asarray(sum(map(self._moment_of, drawn)) / _MATCHINGS)
        return self._moment_of(self.rows) if self.summed is None else self.summed

    @cached_property
    def centred_directions(self) -> Array:
        """Directions (d, d) of the rows about their mean, as columns; it reads the data."""
        centred = self.rows - self.rows.mean(axis=0)
        return run(expected_seconds(self.d), eigh_descending, np.asarray(centred.T @ centred))[1]

    @property
    def draws(self) -> bool:
        """Whether preparing the rows draws something at random: a private mean, or pairs."""
        return self.mean_share > 0 or self.pairs

    @property
    def no_pairs(self) -> str:
        """Why there are no differences of pairs of these people; "" where there are."""
        if self.summed is not None:
            return WORDS["pairs"]["summed"]
        if self.rows_per_person > 1 or self.selects_rows:
            return WORDS["pairs"]["several_rows"].format(one=self.unit.one)
        centred = self.mean_share > 0 or self.row_length is RowLength.ONE
        return WORDS["pairs"]["centred"] if centred else ""

    @cached_property
    def in_pairs(self) -> "Dataset":
        """The same people in random pairs, drawn anew at each release; ValueError for no pairs."""
        if self.no_pairs:
            raise ValueError(self.no_pairs)
        said = WORDS["pairs"]["said"].format(many=self.unit.many)
        every = (Disclosure("Pairs", Mark.NOTHING, said), *self.disclosures)
        return replace(self, name=f"{self.name}, in pairs", disclosures=every, pairs=True)

    def mechanism_budget(self, budget: Budget) -> Budget:
        """Return what the preprocessing leaves of a budget to the mechanism."""
        return budget.split(self.mean_share)[1] if self.mean_share > 0 else budget

    def total_guarantee(self, guarantee: Guarantee, budget: Budget) -> Guarantee:
        """Add what preparing the rows costs, or breaks, to a mechanism's guarantee."""
        if self.pairs:
            return of_pairs(guarantee)
        return with_preparation(
            guarantee, budget, mean_share=self.mean_share, selects_rows=self.selects_rows
        )

    @cached_property
    def _problem(self) -> Problem:
        return self._judged(self.moment, None if self.summed is not None else self.rows)

    @property
    def _known(self) -> Array:
        """Rows with NaN where a cell is missing."""
        return self.rows if self.gaps is None else np.where(self.gaps, np.nan, self.rows)

    @cached_property
    def _problem_of_pairs(self) -> Callable[[int], Problem]:
        """Draw the pairs of a seed; the last ones are kept."""

        def drawn(seed: int) -> Problem:
            rows = pair_rows(self._known, np.random.default_rng(seed))
            return replace(self._judged(self._moment_of(rows), rows), pairs=True)

        return lru_cache(maxsize=4)(drawn)

    def _judged(self, moment: Array, rows: Array | None) -> Problem:
        truth, reference = self._judges
        return self._plain(moment, rows, truth=truth, reference=reference)

    def _plain(self, moment: Array, rows: Array | None = None, **judges: Problem | None) -> Problem:
        # An empty table has S = 0, and a release of it is drawn like any other.
        people = max(self.people, 1)
        return Problem.from_moment(moment, people, 1, self.rows_per_person, rows, **judges)

    @cached_property
    def _judges(self) -> tuple[Problem | None, Problem | None]:
        """Truth and reference: rows less their exact mean where ε pays for one, and at most R.

        Where no public R is known, the reference is these rows; pairs are judged by the mean over
        some matchings, and by the rows less their exact mean. It reads the data.
        """
        reference = None if self.at_most_r is None else self._plain(self.at_most_r)
        if not self.draws:
            return None, reference
        mean = np.asarray(self.rows.sum(axis=0) / max(len(self.rows), 1))
        lengths = {RowLength.AT_MOST_R, self.row_length}
        about = {length: self._moment_of(self._rows_about(mean, length)) for length in lengths}
        if self.pairs or self.row_length is RowLength.ONE:
            reference = self._plain(about[RowLength.AT_MOST_R])
        truth = self.moment if self.pairs else about[self.row_length]
        return self._plain(truth, reference=reference), reference

    def problem(
        self, k: float, n: float | None = None, budget: Budget | None = None, seed: int = 0
    ) -> Problem:
        """Return the problem of k directions, as if ``n`` units looked like these.

        A private mean takes its share of the whole ``budget`` and the randomness of ``seed``, and
        is as exact as for n units; without a budget rows stay uncentred. Pairs are those of
        ``seed``.
        """
        people = self.people if n is None else n
        problem = self._problem_of_pairs(seed) if self.pairs else self._problem
        if budget is not None and self.mean_share > 0:
            mean_budget, _ = budget.split(self.mean_share)
            # As many people as asked for, so that the mean is as exact as theirs.
            factor, rng = people / max(self.people, 1), np.random.default_rng(seed)
            total, count = self.rows.sum(axis=0) * factor, len(self.rows) * factor
            mean = private_mean_of_sum(total, count, mean_budget, rng, self.rows_per_person)
            rows = self._rows_about(mean, self.row_length)
            problem = self._judged(self._moment_of(rows), rows)
        problem = problem.with_k(k)
        return problem if people == self.people else problem.scaled(people)

    def true_problem(self, k: int, n: float | None = None) -> Problem:
        """What releases are judged by; it reads the data: for simulations and pages."""
        return self.problem(k, n).true_problem

    def point(
        self, k: float, n: float | None, budget: Budget, seed: int = 0
    ) -> tuple[Problem, Budget]:
        """Return what a mechanism works on and what it may spend; a private mean is paid first."""
        return self.problem(k, n, budget, seed), self.mechanism_budget(budget)

    def _rows_about(self, mean: Array, length: RowLength) -> Array:
        rows = self.rows - mean
        return to_length_one(rows) if length is RowLength.ONE else to_ball(rows).values

    def _moment_of(self, rows: Array) -> Array:
        """S (d, d) in people."""
        return np.asarray(rows.T @ rows) / self.rows_per_person
