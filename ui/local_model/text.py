"""Every sentence of the Local model page."""

from math import isnan

from dpca_core.privacy.budget import Guarantee
from dpca_core.text.privacy_numbers import epsilon_text, power, upward
from papers.wang_xu_errors import random_distance
from ui.local_model.measurements import CURATOR, LOCAL, PRINTED, SAMPLE, SPARSE
from ui.local_model.query import LocalModelQuery, RecordSource
from ui.text.numbers import count, significant

SOURCES = {
    RecordSource.DENSE: "Dense design",
    RecordSource.SPARSE: "Sparse design",
    RecordSource.DATA: "Data",
}
RANDOM, CEILING = "random", "ceiling"
"""Keys of what releases are compared with."""
LINE_NAMES = {
    SAMPLE: "without privacy",
    CURATOR: "with a curator, Gaussian",
    LOCAL: "local Gaussian",
    PRINTED: "local, printed noise",
    SPARSE: "local, sparse",
    RANDOM: "random directions",
    CEILING: "ceiling √(2k)",
}
LIST_TITLE = "Error at this setting"
LIST_HEADS = ("released by", "mean error", "releases")
NO_NEIGHBOURS = "Each report hides its whole record, so there are no neighbours to choose."
NO_DATA_SET = " This design replaces the data set."
PAPER_SIZES = "the paper’s n: {low} to {high}"
PEOPLE_CHART = (
    "Error against the number of {}",
    "an error of order 1/√n falls in a straight line",
)
EPSILON_AXIS, EPSILON_CHART = "privacy parameter ε", ("Error against ε", "at this n")
PENALTY_AXIS, PENALTY_LINES = "penalty c, times s·√ln d", ("precision", "recall", "error ÷ ceiling")
PENALTY_CHART = (
    "Columns found against the penalty",
    "precision: share of the selected columns that are used; recall: share of the used columns "
    "that are selected",
)
MATRIX_CAPTIONS = (
    "one record, x·xᵀ; largest entry {}",
    "its report, x·xᵀ + Z; largest entry {}",
    "average of {n} reports; largest entry {}",
    "without privacy, S/n; largest entry {}",
)
VECTOR_CAPTIONS = (
    "the record x",
    "guessed from its report",
    "first direction of the average",
    "first direction without privacy",
)
RECORD_TITLE = "What one person sends, and what all reports show together"
RECORD_SUBTITLE = (
    "each picture has its own scale; orange: positive, violet: negative{part}; ε holds for the "
    "report of each of the {unit}"
)
FIRST_COLUMNS = "; the first {columns} columns"
ERROR = (
    " Error: ‖V̂V̂ᵀ − VVᵀ‖ in the Frobenius norm. The curator has the same ε and δ for one record "
    "replaced."
)


def error_text(error: float) -> str:
    """Write an error, as all on this page are written; a dash where there is none."""
    return "–" if isnan(error) else f"{error:.2f}"


def answer(query: LocalModelQuery, local: float, central: float, so_far: bool) -> str:
    """Compare the error without a curator with that of random directions and of a curator.

    Errors are NaN while they are unknown; ``so_far``: more releases are to come.
    """
    budget = f"[[ε = {epsilon_text(query.epsilon)}]]"
    start = f"Without a trusted curator, {count(query.n)} {query.unit} at {budget}"
    if query.delta == 0:
        return f"{start} have no release: the paper’s algorithms need δ > 0."
    if isnan(local) or isnan(central):
        return f"{start}: measuring…"
    random = random_distance(query.d, query.k)
    error = f"**{error_text(local)}**{' so far' if so_far else ''}"
    found = f"give an error of {error}, compared with {error_text(random)} for random directions"
    if local > 0.97 * random:
        found = f"are not enough: an error of {error} is no better than **random directions**"
    return f"{start} {found}; with a curator it is {error_text(central)}."


def noise_summary(
    query: LocalModelQuery, gap: float, noise: float, central: float, printed: Guarantee
) -> str:
    """Compare the noise in a cell off the diagonal with a curator's, both in people.

    And say what the printed noise guarantees.
    """
    calibrated = epsilon_text(query.mechanism_budget.epsilon)
    found = (
        f"The noise in the sum of all reports is **{significant(noise / central)} times** a "
        f"curator’s: {significant(noise, 3)} {query.unit} in each cell off the diagonal, against a "
        f"gap of {significant(gap, 3)}. The printed noise, calibrated for "
        f"ε\u00a0=\u00a0{calibrated}, actually has ε\u00a0=\u00a0**{upward(printed.epsilon)}**."
    )
    if query.mechanism_budget == query.budget:
        return found
    return (
        f"{found} The private mean spends the rest of the budget and needs a trusted curator, so "
        "the reports of these data carry **no local guarantee**."
    )


def settings(query: LocalModelQuery) -> str:
    """Name the records and the settings."""
    kind = f"sparse design, {query.columns} of" if query.is_sparse else "dense design,"
    records = f"Wang & Xu’s {kind} {query.p} columns, errors relative to the true directions"
    if query.data:
        records = f"{query.data.name}, {query.d} columns, errors relative to their own directions"
    fewer = " (1 to 3 of the sparse mechanism)" if query.is_sparse else ""
    return (
        f"{records}; n\u00a0=\u00a0{count(query.n)}, k\u00a0=\u00a0{query.k}, "
        f"ε\u00a0=\u00a0{epsilon_text(query.epsilon)}, δ\u00a0=\u00a0{power(query.delta)}, between "
        f"any two records; mean of {query.repetitions} releases{fewer}; seed {query.seed}."
    )
