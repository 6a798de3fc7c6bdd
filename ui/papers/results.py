"""Results, the last section of Papers: how much of what a release loses was not privacy's.

A difference is stated only beyond sampling error.
"""

import numpy as np
import streamlit as st

from dpca_core.figures.chart import Axis, Curve, Spec, chart
from dpca_core.figures.colours import CHOSEN_WIDTH, family_role
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.page.component import show
from ui.page.content import Chart, Content
from ui.papers.kept import ERRORS, MEASURED_DELTA, ONE_LENGTH, Panel, panels, saved
from ui.papers.query import DIRECTIONS, PapersSettings
from ui.state import query_params, session
from ui.state.widget_keys import widget_key
from ui.text.numbers import count

GUARANTEES = {False: f"ε and δ\u00a0=\u00a0{power(MEASURED_DELTA)}", True: "ε alone"}
LINES = (
    ("papers’ best", "papers", "grey", "solid", 1.6),
    ("our noise, one look", "one_look", "grey", "2px,3px", 1.3),
    ("recommended", "recommended", family_role(DEFAULT.family), "solid", CHOSEN_WIDTH),
)
"""Names of the lines, what they are in a cell, colours, dashes and widths."""
CELLS_NAMED = 3
"""Cells named in a sentence, at most."""
_LEAST_LOSS, _LOSSES = 1e-5, (1e-4, 1e-3, 1e-2, 0.1, 1.0)
_CENTRED = "_centred"
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


@st.fragment
def draw_results() -> None:
    """Draw the section's controls and charts; everything shown was measured before."""
    now = session.page_settings(PapersSettings)
    st.subheader("Results", anchor="results")
    with st.container(horizontal=True, vertical_alignment="bottom", key="results-row"):
        k = st.segmented_control(
            "Directions",
            DIRECTIONS,
            default=now.directions,
            required=True,
            key=widget_key("directions"),
        )
        pure = st.segmented_control(
            "Guarantee",
            [False, True],
            default=now.pure,
            required=True,
            format_func=lambda without: GUARANTEES[without],
            key=widget_key("pure"),
        )
    directions = int(k or now.directions)
    now = session.change_page_settings(now, directions=directions, pure=bool(pure))
    query_params.write_address(now.to_query())
    show(results_content(now.directions, now.pure), "results")


def results_content(k: int, pure: bool) -> Content:
    """Compose a chart for each data set, and what they come to."""
    found = panels(k, pure)
    said = {"under": f"{answer(found, k)} {summary(found)}", "footer": footer(found)}
    charts = [
        Chart(
            f"lost-{panel.data.replace('_', '-')}",
            _figure(panel),
            data_name(panel.data),
            f"lost, of what PCA keeps; {count(panel.n)} rows × {panel.d} columns",
            panel_note(panel),
        )
        for panel in found
    ]
    return Content(f"{k} {pure}", charts, said, settings=said["footer"])


def _figure(panel: Panel) -> Spec:
    """Return what is lost at each ε, as three lines; what rounds to none is a gap."""
    epsilons = tuple(cell.epsilon for cell in panel.cells)
    curves = []
    for name, kept, color, dash, width in LINES:
        lost = np.array([getattr(cell, kept).lost for cell in panel.cells])
        shown = np.where(lost >= _LEAST_LOSS, lost, np.nan)
        curves.append(Curve(name, name, shown, color, dash, width, kept == "recommended"))
    texts = tuple(map(epsilon_text, epsilons))
    percents = tuple(f"{100 * loss:g}\u00a0%" for loss in _LOSSES)
    return chart(
        Axis(epsilons[0] / 1.08, epsilons[-1] * 1.08, True, "ε", epsilons, texts),
        Axis(_LEAST_LOSS, 1.0, True, "", _LOSSES, percents, hover_format=".2%"),
        np.array(epsilons),
        curves,
        height=190.0,
    )


def data_name(key: str) -> str:
    """Name a data set; centring by the sample is no private preparation."""
    name = _NAMES[key.removesuffix(_CENTRED)]
    return f"{name}, centred (not private)" if key.endswith(_CENTRED) else name


def answer(found: tuple[Panel, ...], k: int) -> str:
    """Say how much of the loss was the mechanism's, and what another preparation saves besides."""
    named = "one direction" if k == 1 else f"{k} directions"
    share = saved(found)
    if share is None:
        return f"For {named} no recommended mechanism was measured on the papers’ own rows."
    change = "saves another" if share.preparation >= 0 else "costs"
    return (
        f"For {named}, [[{_percent(share.mechanism)}]] of what the papers’ best mechanism loses on "
        "their own rows was not privacy’s: what is recommended, within the same ε and δ, does not "
        f"lose it. Another preparation of the rows {change} {_percent(abs(share.preparation))}; "
        f"both save {_percent(share.both)} (medians over the {share.cells} cells, a table at one ε "
        "each, in which both kinds of rows were measured; they need not add up)."
    )


def summary(found: tuple[Panel, ...]) -> str:
    """Say where what is recommended keeps more, and where less."""
    cells = [(panel, cell) for panel in found for cell in panel.cells]
    best = sum(cell.recommended.better_than(cell.papers) for _, cell in cells)
    lost = [(panel, cell) for panel, cell in cells if cell.papers.better_than(cell.recommended)]
    said = f"What public facts recommend keeps more in {best} of {len(cells)} cells"
    if not lost:
        return f"{said}, and nowhere less, beyond sampling error."
    named = [
        f"{data_name(panel.data)} at ε\u00a0=\u00a0{epsilon_text(cell.epsilon)} "
        f"({share_text(cell.papers.share)}, not {share_text(cell.recommended.share)})"
        for panel, cell in lost[:CELLS_NAMED]
    ]
    more = f" and {len(lost) - CELLS_NAMED} more" if len(lost) > CELLS_NAMED else ""
    return f"{said}, and less in {len(lost)}: {', '.join(named)}{more}, beyond sampling error."


def panel_note(panel: Panel) -> str:
    """Say what is kept where most is gained, by what, and what no noise could mend."""
    cell = max(panel.cells, key=lambda one: one.recommended.share - one.papers.share)
    said = []
    if cell.recommended.better_than(cell.papers):
        rows = "rows of length 1" if cell.rows == ONE_LENGTH else "rows at most R"
        said.append(
            f"At ε\u00a0=\u00a0{epsilon_text(cell.epsilon)}: {share_text(cell.papers.share)} kept "
            f"becomes {share_text(cell.recommended.share)} by {cell.mechanism.name} on {rows}."
        )
    if np.isfinite(panel.ceiling):
        said.append(f"Rows of length 1 keep {share_text(panel.ceiling)} without noise.")
    return " ".join(said)


def footer(found: tuple[Panel, ...]) -> str:
    """Say what was measured, how often, and how to measure it again."""
    trials = sorted({panel.trials for panel in found})
    times = f"{trials[0]} to {trials[-1]}" if len(trials) > 1 else str(trials[0])
    seeds = ", ".join(map(str, sorted({panel.seed for panel in found})))
    every = frozenset[Mechanism].intersection(*(panel.papers for panel in found))
    some = frozenset[Mechanism].union(*(panel.papers for panel in found)) - every
    papers = _names(every) + (f", and on smaller tables {_names(some)}" if some else "")
    return (
        f"Means of {times} releases a cell, seed {seeds}; one person added or removed. “Papers’ "
        f"best”: the best of {papers}, chosen in each cell by its result, which no budget pays "
        "for; “recommended” follows from the number of people, columns, k, ε and δ alone, and so "
        "do its rows: at most R long, as the papers’ are, or each made of length 1. A release "
        "recommended at a smaller ε meets the promise of a larger one, and stands there too where "
        "it keeps more. What the recommended release still loses is no less than privacy costs, "
        f"and may be more. More or less is said where means are {ERRORS:g} standard errors apart. "
        "Make it again: python -m benchmarks.frontier."
    )


def _names(mechanisms: frozenset[Mechanism]) -> str:
    return listed([m.name for m in MECHANISMS.values() if m in mechanisms])


def share_text(value: float) -> str:
    """Write a share kept: more digits the nearer it is to all."""
    digits = 1 if value < 0.99 else 2
    return f"{np.floor(value * 100 * 10**digits + 1e-9) / 10**digits:.{digits}f}\u00a0%"


def _percent(value: float) -> str:
    return f"{100 * value:.0f}\u00a0%"
