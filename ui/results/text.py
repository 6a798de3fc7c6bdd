"""Every sentence of the Results page; a difference is stated only beyond sampling error."""

import numpy as np

from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.results.measurements import (
    ERRORS,
    MEASURED_DELTA,
    ONE_LENGTH,
    Cell,
    Panel,
    less_with_more_epsilon,
    not_privacys,
    split,
    worse,
)
from ui.results.query import ResultsSettings
from ui.text.numbers import count

DIRECTIONS_LABEL, GUARANTEE_LABEL = "Directions", "Guarantee"
GUARANTEES = {False: f"ε and δ\u00a0=\u00a0{power(MEASURED_DELTA)}", True: "ε alone"}
PAPERS_BEST, ONE_LOOK, RECOMMENDED = "papers’ best", "our noise, one look", "recommended"
"""Names of the lines."""
EPSILON_AXIS = "ε"
COMMAND = "python -m benchmarks.frontier"
CELLS_NAMED = 3
"""Cells named in a sentence, at most."""

_NAMES = {
    "rand": "RAND Health",
    "breast_cancer": "Breast cancer",
    "wine": "Wine",
    "chaudhuri": "Chaudhuri’s ten columns",
    "digits": "Digits",
    "coil2000": "CoIL 2000 insurance",
    "kdd": "KDD Cup 1999",
    "mnist": "MNIST",
    "mnist_loose": "MNIST, R = 28",
    "imtiaz": "Imtiaz d = 100",
}
_CENTRED = "_centred"


def data_name(key: str) -> str:
    """Name a data set; centring by the sample is no private preparation."""
    name = _NAMES[key.removesuffix(_CENTRED)]
    return f"{name}, centred (not private)" if key.endswith(_CENTRED) else name


def answer(panels: tuple[Panel, ...], settings: ResultsSettings) -> str:
    """Say how much of the loss was not privacy's."""
    share = float(np.median(not_privacys(panels)))
    k = settings.directions
    named = "one direction" if k == 1 else f"{k} directions"
    return (
        f"For {named}, [[{_percent(share)}]] of what the papers’ best mechanism loses was not "
        "privacy’s: what is recommended, within the same ε and δ, does not lose it."
    )


def _percent(value: float) -> str:
    return f"{100 * value:.0f}\u00a0%"


def split_sentence(panels: tuple[Panel, ...]) -> str:
    """Tell what the mechanism saves from what rows of one length save; "" where no cell does."""
    found = split(panels)
    if found is None:
        return ""
    change = "saves another" if found.preparation >= 0 else "costs"
    return (
        f" On the papers’ own rows the recommended mechanism alone saves "
        f"{_percent(found.mechanism)} of their loss; its preparation of the rows {change} "
        f"{_percent(abs(found.preparation))} of it; both save {_percent(found.both)} (medians over "
        f"the {found.cells} cells in which both kinds of rows were measured; they need not add up)."
    )


def summary(panels: tuple[Panel, ...]) -> str:
    """Say over what that is the median, and where it is not so."""
    cells = sum(len(panel.cells) for panel in panels)
    best = sum(cell.recommended.better_than(cell.papers) for p in panels for cell in p.cells)
    lost = worse(panels)
    said = (
        f"Median over {cells} cells: {len(panels)} tables at {len(panels[0].cells)} values of ε. "
        "What public facts recommend keeps more in "
    )
    told_apart = split_sentence(panels)
    if best == cells:
        return f"{said}all of them, beyond sampling error.{told_apart}"
    said += f"{best} of them"
    if not lost:
        return f"{said}, and nowhere less, beyond sampling error.{told_apart}"
    named = [
        f"{data_name(panel.data)} at ε\u00a0=\u00a0{epsilon_text(cell.epsilon)} "
        f"({share(cell.papers.share)}, not {share(cell.recommended.share)})"
        for panel, cell in lost[:CELLS_NAMED]
    ]
    more = f" and {len(lost) - CELLS_NAMED} more" if len(lost) > CELLS_NAMED else ""
    return f"{said}, and less in {len(lost)}: {', '.join(named)}{more}.{told_apart}"


def panel_labels(panel: Panel) -> dict[str, str]:
    """Title the chart of a data set, and say what its lines come to."""
    return {
        "title": data_name(panel.data),
        "sub": f"lost, of what PCA keeps; {count(panel.n)} rows × {panel.d} columns",
        "note": panel_note(panel),
    }


def panel_note(panel: Panel) -> str:
    """Say what is kept where most is gained, by what, and what no noise could mend."""
    cell = max(panel.cells, key=lambda one: one.recommended.share - one.papers.share)
    said = ""
    if cell.recommended.better_than(cell.papers):
        said = (
            f"At ε\u00a0=\u00a0{epsilon_text(cell.epsilon)}: {share(cell.papers.share)} kept "
            f"becomes {share(cell.recommended.share)} by {what(cell)}. "
        )
    if np.isfinite(panel.ceiling):
        said += f"Rows of length 1 keep {share(panel.ceiling)} without noise. "
    return f"{said}{falls(panel)}".strip()


def falls(panel: Panel) -> str:
    """Explain where more ε keeps less as recommended; "" where it does not, as it is written."""
    return " ".join(
        _fall(panel, less, more)
        for less, more in less_with_more_epsilon(panel)
        if share(less.recommended.share) != share(more.recommended.share)
    )


def _fall(panel: Panel, less: Cell, more: Cell) -> str:
    kept = (
        f"From ε\u00a0=\u00a0{epsilon_text(less.epsilon)} to {epsilon_text(more.epsilon)} it keeps "
        f"{share(more.recommended.share)} after {share(less.recommended.share)}"
    )
    if (less.mechanism, less.rows) != (more.mechanism, more.rows):
        return (
            f"{kept}: by the rule of thumb {what(more)} takes the place of {what(less)} there, and "
            "keeps less on this table even with more ε."
        )
    if more.rows == ONE_LENGTH and less.recommended.share > more.recommended.share >= panel.ceiling:
        return f"{kept}: with less noise it comes nearer to what such rows keep without any."
    return f"{kept}."


def what(cell: Cell) -> str:
    """Name a mechanism and its rows."""
    rows = "rows of length 1" if cell.rows == ONE_LENGTH else "rows at most R"
    return f"{cell.mechanism.name} on {rows}"


def footer(panels: tuple[Panel, ...]) -> str:
    """Say what was measured, how often, and how to measure it again."""
    trials = sorted({panel.trials for panel in panels})
    times = f"{trials[0]} to {trials[-1]}" if len(trials) > 1 else str(trials[0])
    seeds = ", ".join(map(str, sorted({panel.seed for panel in panels})))
    return (
        f"Means of {times} releases a cell, seed {seeds}; one person added or removed. “Papers’ "
        f"best”: the best of {_papers(panels)}, chosen in each cell by its result, which no budget "
        "pays for; "
        "“recommended” follows from the number of people, columns, k, ε and δ alone, and so do its "
        "rows: at most R long, as the papers’ are, or each made of length 1. A cell is a table at "
        "one ε. What the mechanism saves: by how much less it loses on rows at most R than the "
        "papers’ best does, as a share of what that loses. What the preparation saves: by how much "
        "less the same mechanism loses on rows of length 1, where they are recommended, as a share "
        "of the same loss. What the recommended release still loses is no less than privacy costs, "
        "and may be more. More or less is said where means "
        f"are {ERRORS:g} standard errors apart. Make it again: {COMMAND}."
    )


def _papers(panels: tuple[Panel, ...]) -> str:
    """Name the papers' mechanisms that were measured, everywhere and on some tables."""
    every = frozenset[Mechanism].intersection(*(panel.papers for panel in panels))
    some = frozenset[Mechanism].union(*(panel.papers for panel in panels)) - every
    named = _names(every)
    return f"{named}, and on smaller tables {_names(some)}" if some else named


def _names(mechanisms: frozenset[Mechanism]) -> str:
    return listed([m.name for m in MECHANISMS.values() if m in mechanisms])


def share(value: float) -> str:
    """Write a share kept: more digits the nearer it is to all."""
    digits = 1 if value < 0.99 else 2
    return f"{np.floor(value * 100 * 10**digits + 1e-9) / 10**digits:.{digits}f}\u00a0%"
