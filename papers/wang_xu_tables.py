"""Wang & Xu 2020, Tables 1 and 2: sparse directions of six real sets, two of them at hand."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.text.listed import listed
from papers.experiment import (
    Axis,
    Experiment,
    Link,
    Panel,
    Results,
    Role,
    Series,
    Setting,
    Statement,
    Verdict,
    by_statements,
    named,
)
from papers.store import printed_of
from papers.tables import COLON
from papers.wang_xu_covertype import CURATOR, RANDOM
from papers.wang_xu_errors import largest_distance
from papers.wang_xu_figure_4 import UNSEEN
from papers.wang_xu_runs import CENTRAL, DELTA, SPARSE
from papers.wang_xu_sparse import MULTIPLE, K
from papers.wang_xu_table_errors import (
    AT_HAND,
    CURATOR_TRIALS,
    SOLVED,
    SPARSITIES,
    TABLE_EPSILON,
    TABLE_EPSILONS,
    TABLE_SPARSITY,
    TRIALS_OF_AXES,
    measured_cells,
)

TABLE_1, TABLE_2 = "wang-xu-table-1", "wang-xu-table-2"
SETS = ("cancer RNA-Seq", "Leukemia", "Colon cancer", "isolet5", "lung", "NIPS")
ROUNDED = 5e-4
"""Half of the last digit that the tables print."""
_PEOPLE = 62
"""Of Colon, as the file at hand has them."""


def _series() -> tuple[Series, ...]:
    found = [
        Series(name, name, Role.PRINTED, SPARSE, needs=AT_HAND.get(name, ""))
        if name in AT_HAND
        else Series(name, f"{name}, printed alone", Role.PRINTED, SPARSE, trials=1)
        for name in SETS
    ]
    curator = Series(
        CURATOR, "Colon cancer, Gaussian of a curator", Role.REPAIRED, CENTRAL, needs=COLON,
        trials=CURATOR_TRIALS,
    )  # fmt: skip
    random = Series(RANDOM, "Random directions", Role.REFERENCE, trials=1, needs=COLON)
    return (*found, curator, random)


def printed_values(key: str) -> Array:
    """All printed errors (6, 3): data sets by the table's columns."""
    table = printed_of(key).set_index(["series", "x"])["value"]
    return np.array([[float(table[name, float(x)]) for x in range(3)] for name in SETS])


def even_roots(errors: Array) -> np.ndarray:
    """Which errors are, as they are rounded, roots of even whole numbers."""
    nearest = np.sqrt(2 * np.rint(np.square(errors) / 2))
    return np.asarray(np.abs(errors - nearest) <= ROUNDED, dtype=np.bool_)


def _consistent(results: Results) -> bool:
    """Whether errors on Colon grow from the first column that is run to the last."""
    means = results.means("Colon cancer")
    return bool(means[-1] - means[0] > UNSEEN)


def _beyond(results: Results, statements: Sequence[Statement]) -> Verdict:
    """No error is above √(2k): one that is printed is."""
    if printed_values(TABLE_2).max() > largest_distance(K) + ROUNDED:
        return Verdict.CANNOT_BE
    return by_statements(results, statements)


def _facts(key: str, results: Results) -> dict[str, object]:
    printed = printed_values(key)
    roots = even_roots(printed[:, 0])
    colon = np.concatenate([results.values("Colon cancer", x) for x in (0, 1, 2)])
    others = [f"{value:.3f}" for value in printed[~roots, 0]]
    return {
        "least": colon.min(),
        "most": colon.max(),
        "random": results.mean(RANDOM, 0),
        "ceiling": largest_distance(K),
        "colon_printed": printed[SETS.index("Colon cancer"), 0],
        "roots": int(roots.sum()),
        "sets": len(SETS),
        "others": listed(others),
        "largest": printed.max(),
        "whose": SETS[int(printed.max(axis=1).argmax())],
        "k": K,
        "n": _PEOPLE,
        "curator": results.mean(CURATOR, 0),
    }


def _settings(*own: Setting) -> tuple[Setting, ...]:
    return (
        Setting("k", f"{K}", True),
        *own,
        Setting("δ", f"{DELTA:g}", False, "printed for Figure 3 only"),
        Setting("rows", "of length 1", True),
        Setting("noise", "calibrated to (ε, δ)", False, "printed: larger off the diagonal"),
        Setting("λ", f"{MULTIPLE:g} times the noise of an entry", False,
                "not printed; gives about 20 columns"),
        Setting("Colon", f"{_PEOPLE} rows, 3 levels a gene", False, "the paper has 60 rows"),
        Setting("Leukemia", "7,070 genes, s = 10 alone", False, "the paper has 7,128"),
        Setting("s = 40 and the other sets", "not run", False,
                "minutes a round, or no file at hand"),
        Setting("releases", f"{TRIALS_OF_AXES} at s = 10, else {SOLVED}", False, "the paper: 20"),
    )  # fmt: skip


def _figure(key: str, number: str, over: Axis, cells: Sequence[tuple[float, int]],
            own: tuple[Setting, ...], **texts: Any) -> Experiment:  # fmt: skip
    return Experiment(
        key=key,
        paper="wang-xu",
        number=number,
        panels=(Panel("", over),),
        y=Axis("error ‖V̂V̂ᵀ − VVᵀ‖_F", low=0.0, ceiling=largest_distance(K), ceiling_name="√(2k)"),
        series=_series(),
        settings=_settings(*own),
        statements=(
            Statement(
                "We can see that these results are consistent with our theoretical analysis",
                "section 6.2",
                _consistent,
            ),
        ),
        facts=partial(_facts, key),
        measure=measured_cells(cells),
        links=(
            Link("local", {
                "source": "sparse", "k": f"{K}", "p": "400", "columns": "20", "n": "2000",
                "epsilon": "1", "delta": f"{DELTA:g}",
            }),
        ),
        trials=TRIALS_OF_AXES,
        seconds=100.0,
        needs=(COLON,),
        **texts,
    )  # fmt: skip


def table_1() -> Experiment:
    """Table 1: three sparsities at ε = 2."""
    return _figure(
        TABLE_1,
        "Table 1",
        named("columns used", *(f"s = {s}" for s in SPARSITIES)),
        [(TABLE_EPSILON, s) for s in SPARSITIES],
        (Setting("ε", f"{TABLE_EPSILON:g}", True), Setting("s", "10, 20, 40", True)),
        title="Sparse directions of real data, by sparsity",
        asks="Does an error grow with the columns that are used?",
        verdict=Verdict.ONE_FAILS,
        sentence=(
            "Our errors on Colon are at least {least:.3f} wherever it is run, as of two choices "
            "without a column in common; random directions have {random:.3f}. {colon_printed:.3f} "
            "and the like do not come from this noise on rows of length 1."
        ),
        because=(
            "Where s = k both sides are spans of axes, so a squared error is an even whole number. "
            "{roots} of the {sets} printed there are roots of such numbers, as single runs would "
            "be and means of twenty would not; {others} are not, as means could be: no one reading "
            "fits the column."
        ),
    )


def table_2() -> Experiment:
    """Table 2: three ε at s = 20."""
    return _figure(
        TABLE_2,
        "Table 2",
        named("ε", *(f"ε = {epsilon:g}" for epsilon in TABLE_EPSILONS)),
        [(epsilon, TABLE_SPARSITY) for epsilon in TABLE_EPSILONS],
        (Setting("ε", "1, 0.5, 0.1", True), Setting("s", f"{TABLE_SPARSITY}", True)),
        title="Sparse directions of real data, by ε",
        asks="Does an error grow with privacy?",
        verdict=Verdict.CANNOT_BE,
        judge=_beyond,
        sentence=(
            "{whose}’s {largest:.3f} cannot be: two subspaces of {k} directions are never more "
            "than {ceiling:.3f} apart, the root of twice {k}, and a mean of errors is not either."
        ),
        because=(
            "Our errors on Colon are at least {least:.3f} at every ε, random directions have "
            "{random:.3f}: next to this noise the records do not count. With {n} people a "
            "curator’s noise is too large as well ({curator:.3f})."
        ),
    )


FIGURES = (table_1(), table_2())
