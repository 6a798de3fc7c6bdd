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
PAPER_FIGURE = "Figure {number}’s values"
PAPER_FIGURE_HELP = "Sets the size of the data, ε and δ of this figure of Wang & Xu, on all pages."
PAPER_SIZES = "the paper’s n: {low} to {high}"
PEOPLE_CHART = (
    "Error against the number of {}",
    "log₁₀ scale on both axes; an error of order 1/√n falls in a straight line",
)
EPSILON_AXIS, EPSILON_CHART = "privacy parameter ε", ("Error against ε", "at this n")
PENALTY_AXIS, PENALTY_LINES = "penalty c, times s·√ln d", ("precision", "recall", "error ÷ ceiling")
PENALTY_CHART = (
    "Columns found against the penalty",
    "precision: share of the selected columns that are used; recall: share of the used columns "
    "that are selected",
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
    if local > 0.97 * random:
        found = f"are not enough: an error of {error} is no better than **random directions**"
    else:
        found = (
            f"give an error of {error}, compared with {error_text(random)} for random directions"
        )
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
    if query.data:
        records = (
            f"{query.data.name}, {query.d} columns, errors relative to the directions of these data"
        )
    else:
        kind = f"sparse design, {query.columns} of" if query.is_sparse else "dense design,"
        records = f"Wang & Xu’s {kind} {query.p} columns, errors relative to the true directions"
    fewer = " (1 to 3 of the sparse mechanism)" if query.is_sparse else ""
    return (
        f"{records}; n\u00a0=\u00a0{count(query.n)}, k\u00a0=\u00a0{query.k}, "
        f"ε\u00a0=\u00a0{epsilon_text(query.epsilon)}, δ\u00a0=\u00a0{power(query.delta)}, between "
        f"any two records; mean of {query.repetitions} releases, as in the paper{fewer}; seed "
        f"{query.seed}."
    )


def slope_note(slope: float | None, turning_point: float | None) -> str:
    """Say how steeply ln error falls over ln n; None where it does not, or is not known.

    ``turning_point``: people from which on it falls, where that is beyond the paper's own n.
    """
    if slope is None:
        return "In this range the local error has not begun to fall, or is not measured yet."
    exponent = f"{slope:.2f}".replace("-", "−")
    text = f"Once it falls, the local error falls as n to the power **{exponent}**; theory: −0.50."
    if turning_point is None:
        return text
    return (
        f"{text} Only from about {count(turning_point)} people on is it far below that of random "
        "directions: at the paper’s own n, with the noise that its Algorithm 1 states, they are "
        "as good as random."
    )


def correlation_note(query: LocalModelQuery, value: float) -> str:
    """Write the condition of limited correlation, in the population and in this sample."""
    return (
        "Support recovery is proved under limited correlation: 8s/(λₖ − λₖ₊₁) times the longest "
        "row of Σ between unused and used columns must be below 1. For this design it is 0; for "
        f"the sample of {count(query.n)} it is **{significant(value)}**."
    )


def matrix_captions(n: float) -> tuple[str, str, str, str]:
    """Name a record, its report, the average of n reports, and what they estimate."""
    return (
        "one record, x·xᵀ",
        "its report, x·xᵀ + Z",
        f"average of {count(n)} reports",
        "without privacy, S/n",
    )


def with_largest_entry(caption: str, largest: float) -> str:
    """Add the scale of a picture to its caption."""
    return f"{caption}; largest entry {significant(largest)}"
