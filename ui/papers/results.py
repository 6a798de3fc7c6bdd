"""Results, the last section of Papers: how much of what a release loses was not privacy's.

A stored table is read and compared, a difference stated only beyond sampling error; nothing is
measured here: ``python -m benchmarks.frontier`` makes the table.
"""

from functools import cache
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import streamlit as st

from dpca_core.analysis.recommendation import recommended_mechanism
from dpca_core.figures.bundle import CONFIG
from dpca_core.figures.chart import Axis, Curve, Spec, chart
from dpca_core.figures.colours import CHOSEN_WIDTH, family_role, resolve
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS, PURE_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.page.files import marked_text
from ui.papers.figure import finished, theme
from ui.papers.query import DIRECTIONS, PapersSettings
from ui.papers.text import WORDS
from ui.state import session
from ui.text.numbers import count
from ui.widgets.controls import choose_kind

if TYPE_CHECKING:
    from pandas import DataFrame

FILE = Path(__file__).with_name("measured.csv")
DATA_SETS = WORDS.table("data_sets")
"""Their names; centring by the sample is no private preparation."""
BOUNDED, ONE_LENGTH = "at most R", "length 1"
"""Rows, as the table calls them."""
MEASURED_DELTA = 1e-6
OUR_OWN = (
    "gaussian", "wishart_difference", "nuclear_norm", "matrix_t", "second_look", "second_look_pure",
)  # fmt: skip
ERRORS = 3.0
"""Standard errors of a difference from which on it is stated."""
GUARANTEES = {False: f"ε and δ\u00a0=\u00a0{power(MEASURED_DELTA)}", True: "ε alone"}
LINES = (
    ("papers’ best", "papers", "grey", "solid", 1.6),
    ("our noise, one look", "one_look", "grey", "2px,3px", 1.3),
    ("recommended", "recommended", family_role(DEFAULT.family), "solid", CHOSEN_WIDTH),
)
"""Names of the lines, what they are in a cell, colours, dashes and widths."""
HEIGHT, LEAST_LOSS, LOSSES = 166, 1e-5, (1e-4, 1e-3, 1e-2, 0.1, 1.0)


class Kept(NamedTuple):
    """Mean share that releases keep, and its standard error."""

    share: float
    error: float

    def better_than(self, other: "Kept") -> bool:
        """Whether it keeps more beyond sampling error."""
        return self.share - other.share > ERRORS * hypot(self.error, other.error)


class Cell(NamedTuple):
    """What is kept at one ε, of one data set; a release at a smaller ε is one here too.

    By the best of the papers' mechanisms, chosen by result, and by ours, on rows at most R; by the
    ``mechanism`` on the ``rows`` that public facts recommend, and by such a mechanism on the
    papers' own rows, None where that was not measured.
    """

    epsilon: float
    papers: Kept
    one_look: Kept
    recommended: Kept
    same_rows: Kept | None
    mechanism: Mechanism
    rows: str

    def saved_by(self, other: Kept) -> float:
        """Share of the papers' loss that another release does not have."""
        lost = 1 - self.papers.share
        return 1 - (1 - other.share) / lost if lost > 0 else 0.0


class Panel(NamedTuple):
    """A data set at one k, and its cells by ε."""

    data: str
    n: int
    d: int
    trials: int
    cells: list[Cell]


@cache
def panels(k: int, pure: bool) -> list[Panel]:
    """Return the data sets that were measured at k, with δ = 10⁻⁶ or without."""
    from pandas import read_csv

    table = read_csv(FILE)
    sets = table[table["k"] == k].groupby("data", sort=False)
    found = [_panel(rows, k, pure) for _, rows in sets]
    return [panel for panel in found if panel.cells]


def _panel(table: "DataFrame", k: int, pure: bool) -> Panel:
    """Compose a panel of the rows of one data set at one k."""
    data, n, d, most = table[["data", "n", "d", "trials"]].max()
    measured = table[table["mechanism"].notna() & table["settings"].isna()]
    places = measured[["rows", "mechanism", "epsilon"]].itertuples(index=False, name=None)
    kept = dict(zip(places, map(Kept, measured["captured"], measured["error"]), strict=True))
    usual, delta = (PURE_DEFAULT, 0.0) if pure else (DEFAULT, MEASURED_DELTA)
    papers = {key for rows, key, _ in kept if rows == BOUNDED and key not in OUR_OWN}
    papers = {key for key in papers if not (pure and MECHANISMS[key].needs_delta)}
    cells = list[Cell]()
    for epsilon in sorted({epsilon for *_, epsilon in kept}):
        theirs = [kept[at] for key in papers if (at := (BOUNDED, key, epsilon)) in kept]
        if not theirs:
            continue
        found = recommended_mechanism(n, d, Budget(epsilon, delta), k=k)
        rows = ONE_LENGTH if found.rows_of_length_one else BOUNDED
        chosen = found.keeps_most if (rows, found.keeps_most.key, epsilon) in kept else usual
        # A release that is recommended at a smaller ε is one here, too: the better one counts.
        before = [(cell.recommended, cell.mechanism, cell.rows) for cell in cells[-1:]]
        best = max([(kept[rows, chosen.key, epsilon], chosen, rows), *before], key=lambda b: b[0])
        same = kept.get((BOUNDED, chosen.key, epsilon))
        same = max([same, *(c.same_rows for c in cells if c.same_rows)]) if same else None
        one_look = kept[BOUNDED, usual.key, epsilon]
        cells.append(Cell(epsilon, max(theirs), one_look, best[0], same, *best[1:]))
    return Panel(data, n, d, most, cells)


@st.fragment
def draw_results() -> None:
    """Draw the section's controls and charts."""
    now = session.page_settings(PapersSettings)
    st.header("Results", anchor="results")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = {k: str(k) for k in DIRECTIONS}
        k = choose_kind("Directions", names, now.directions, "directions")
        pure = choose_kind("Guarantee", GUARANTEES, now.pure, "pure")
    now = session.change_page_settings(now, directions=k, pure=pure)
    session.write_address(now.to_query())
    found = panels(now.directions, now.pure)
    st.markdown(f"{answer(found, now.directions)} {summary(found)}")
    st.caption(WORDS("results_lines"))
    columns = st.columns(3)
    for number, panel in enumerate(found):
        name, place = DATA_SETS[panel.data], columns[number % len(columns)]
        with place, st.container(key=f"papers-chart-results-{number}"):
            st.markdown(f"**{name}**  \nlost, of what PCA keeps; {count(panel.n)} rows × {panel.d}")
            spec, key = resolve(figure(panel), theme()), f"results-{panel.data}"
            st.plotly_chart(spec, theme=None, config=CONFIG, key=key, alt=name)
    st.caption(footer(found))
    table = marked_text(FILE.read_text("utf-8"))
    st.download_button("Table as CSV", table, "dpca-results.csv", on_click="ignore")


def figure(panel: Panel) -> Spec:
    """Return what is lost at each ε, as three lines; what rounds to none is a gap."""
    epsilons, curves = [cell.epsilon for cell in panel.cells], list[Curve]()
    for name, kept, color, dash, width in LINES:
        lost = np.array([1 - getattr(cell, kept).share for cell in panel.cells])
        shown = np.where(lost >= LEAST_LOSS, lost, np.nan)
        curves.append(Curve(name, "", shown, color, dash, width, bridged=False))
    written = tuple(map(epsilon_text, epsilons))
    x = Axis(epsilons[0] / 1.2, epsilons[-1] * 1.2, True, "ε", (*epsilons,), written)
    losses = tuple(f"{100 * loss:g}\u00a0%" for loss in LOSSES)
    y = Axis(LEAST_LOSS, 1.2, True, "", LOSSES, losses, hover_format=".2%")
    drawn = chart(x, y, np.array(epsilons), curves, height=HEIGHT, revision=panel.data)
    return finished(drawn, {curve.key: curve.key for curve in curves})


def answer(found: list[Panel], k: int) -> str:
    """Say how much of the loss was the mechanism's, and what another preparation saves besides."""
    named = "one direction" if k == 1 else f"{k} directions"
    cells = [cell for panel in found for cell in panel.cells if cell.same_rows]
    if not cells:
        return WORDS("results_unanswered", named=named)
    pairs = [[c.saved_by(kept) for kept in (c.same_rows, c.recommended) if kept] for c in cells]
    mechanism, both = np.array(pairs).T
    preparation = float(np.median(both - mechanism))
    told = {"mechanism": np.median(mechanism), "both": np.median(both), "cells": len(pairs)}
    told |= {"change": "saves another" if preparation >= 0 else "costs"}
    said = WORDS("results_answer", named=named, preparation=abs(preparation), **told)
    return said.replace("%", "\u00a0%")


def summary(found: list[Panel]) -> str:
    """Say in how many cells what is recommended keeps more, and in how many less."""
    cells = [cell for panel in found for cell in panel.cells]
    best = sum(cell.recommended.better_than(cell.papers) for cell in cells)
    less = sum(cell.papers.better_than(cell.recommended) for cell in cells)
    fewer = f"less in {less}" if less else "nowhere less"
    return WORDS("results_summary", best=best, cells=len(cells), less=fewer)


def footer(found: list[Panel]) -> str:
    """Say what was measured, how often, and how to measure it again."""
    trials = {panel.trials for panel in found}
    times = " to ".join(map(str, sorted({min(trials), max(trials)})))
    return WORDS("results_footer", trials=times, errors=ERRORS)
