"""What is read on demand below the charts: single releases, and what else could reveal data.

Drawn by Streamlit alone: nothing here is refined.
"""

from html import escape
from typing import NamedTuple

import numpy as np
import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.data.disclosures import Mark
from dpca_core.figures import rows
from dpca_core.figures.bundle import CONFIG
from dpca_core.figures.chart import Axis, Spec, shared_layout, with_names
from dpca_core.figures.colours import Theme, family_role, resolve
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.simulation.trials import TrialDraws
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.explore.headline_and_titles import say
from ui.explore.query import Along
from ui.explore.study import Study
from ui.page.markup import element, signed_image
from ui.text.numbers import escape_markdown

SHOWN = 8
"""Releases to leaf through."""
PROJECTED_ROWS, MOST_ROWS = 150, 12
"""Rows in a scatter plot; loadings that are drawn of each direction: the largest."""
PLOT, SIDE = 480.0, 320
"""Widths of loadings and of a scatter plot, in pixels."""
MOST_LETTERS = 26
"""Of a column's name; a longer one is cut in the figure."""
TRUE, RELEASED = "PCA without privacy", "This release"
MARKS = {Mark.NOTHING: "○", Mark.DEPENDS: "◐", Mark.READS: "●"}


class Releases(NamedTuple):
    """True directions (k, d) beside those of the first releases (T, k, d), NaN where refused."""

    true: Array
    released: Array


def draw_releases(study: Study, index: int) -> None:
    """Draw a release at one ε, which can be changed for the next."""
    found, data, epsilon = releases_at(study, index), study.dataset, study.values[index]
    if found is None:
        st.caption("Nothing is released at this ε.")
        return
    label = f"Release at ε\u00a0=\u00a0{epsilon_text(epsilon)}"
    number = st.segmented_control(label, range(1, SHOWN + 1), default=1, key="release") or 1
    if np.isnan(found.released[number - 1]).any():
        st.caption("Refused: nothing to show.")
    else:
        _draw_release(found, number - 1, data, family_role(study.mechanism.family))


def _draw_release(found: Releases, release: int, data: Dataset, role: str) -> None:
    if data.image_shape:
        st.html(_images(found, release, data.image_shape))
        st.caption(say("images_note"))
    else:
        columns, many = st.columns(min(len(found.true), 3)), len(data.columns)
        more = f", the {MOST_ROWS} largest of {many} loadings" if many > MOST_ROWS else ""
        for j in range(len(found.true)):
            with columns[j % len(columns)]:
                st.markdown(f"**Direction {j + 1}**{more}")
                figure = loadings_figure(found, release, j, data.columns, role)
                _show(figure, f"loadings-{j}")
        st.caption(say("loadings_note"))
    if len(found.true) > 1 and len(data.rows):
        many_people = escape_markdown(data.unit.many)
        st.markdown(say("people_title", many=many_people))
        seen = st.segmented_control(
            "Along", (TRUE, RELEASED), default=TRUE, key="seen", label_visibility="collapsed"
        )
        along = found.released[release] if seen == RELEASED else found.true
        _show(people_figure(along[:2], data, role if seen == RELEASED else "ink"), "people")
        drawn = min(PROJECTED_ROWS, len(data.rows))
        many_rows = "rows" if data.rows_per_person > 1 else many_people
        st.caption(say("people_note", rows=drawn, many=many_rows))


def _show(figure: Spec, key: str) -> None:
    theme: Theme = "dark" if st.context.theme.type == "dark" else "light"
    st.plotly_chart(resolve(figure, theme), theme=None, config=CONFIG, key=key)


def releases_at(study: Study, index: int) -> Releases | None:
    """Draw the first releases at one ε, aligned to the true directions; None where infeasible."""
    problem, budget = study.points[index]
    try:
        drawn = TrialDraws(study.mechanism, study.asked.seed, range(SHOWN))
        release = drawn.release(problem, budget)
    except InfeasibleBudget:
        return None
    basis = problem.true_problem.basis
    largest = np.abs(basis).argmax(axis=0)
    true = basis * np.sign(basis[largest, np.arange(basis.shape[1])])
    bases = np.full_like(release.bases, np.nan)
    bases[~release.refused] = aligned(release.bases[~release.refused], true)
    return Releases(true.T, bases.swapaxes(1, 2))


def aligned(bases: Array, target: Array) -> Array:
    """Turn bases within their spans as close to ``target`` (d, k) as they go (Procrustes).

    For display only: it reads ``target``, so bases aligned to true directions are not private.
    """
    left, _, right = np.linalg.svd(bases.swapaxes(-1, -2) @ target)
    return np.asarray(bases @ (left @ right))


# --- Figures ---


def loadings_figure(
    found: Releases, release: int, direction: int, columns: tuple[str, ...], role: str
) -> Spec:
    """Return the largest loadings of one direction, a row each: true ones and the release's."""
    true, this = found.true[direction], found.released[release][direction]
    reach = 1.08 * max(0.05, float(np.abs([true, this]).max()))
    drawn = []
    for i in np.argsort(-np.abs(true), kind="stable")[:MOST_ROWS].tolist():
        said = f"{this[i]:+.2f}".replace("-", "−")
        name = columns[i] if len(columns[i]) <= MOST_LETTERS else f"{columns[i][:MOST_LETTERS]}…"
        marks = [
            rows.Mark(float(true[i]), shape="stroke", what=TRUE),
            rows.Mark(float(this[i]), said, "dot", RELEASED, True),
        ]
        drawn.append(rows.Row(escape(name, quote=False), role, marks))
    return with_names(rows.rows_chart(Axis(-reach, reach), drawn), PLOT)


def people_figure(directions: Array, data: Dataset, role: str) -> Spec:
    """Return some rows along two directions (2, d)."""
    some = np.random.default_rng(0).permutation(len(data.rows))[:PROJECTED_ROWS]
    seen = data.rows[some] @ directions.T
    reach = float(np.abs(seen).max(initial=0.05)) * 1.08
    plane = Axis(-reach, reach).layout() | {"fixedrange": True, "showticklabels": False}
    plane |= {"zeroline": True, "zerolinecolor": "rule", "nticks": 5}
    people = {
        "type": "scatter",
        "mode": "markers",
        "x": seen[:, 0],
        "y": seen[:, 1],
        "marker": {"size": 5, "color": role, "opacity": 0.55},
        "hoverinfo": "skip",
    }
    margin = {"l": 1, "r": 1, "t": 1, "b": 1}
    layout = shared_layout(SIDE, width=SIDE, margin=margin, xaxis=plane, yaxis=plane)
    return {"data": [people], "layout": layout}


def _images(found: Releases, release: int, shape: tuple[int, int]) -> str:
    """Return the directions as two strips of images: the true ones, and those of a release."""
    most, strips = max(float(np.abs(found.true).max()), 1e-9), ""
    for name, directions in ((TRUE, found.true), (RELEASED, found.released[release])):
        images = "".join(
            f'<img src="{signed_image(row.reshape(shape), most)}" width="96" '
            f'alt="{escape(name)}, direction {j + 1}"> '
            for j, row in enumerate(directions)
        )
        strips += element("p", escape(name), "<br>", images)
    return strips


# --- What else could reveal private data ---


def checklist(dataset: Dataset, asked: Along) -> str:
    """Return as Markdown what the data disclose, then k, and δ and n where they do."""
    unit = dataset.unit
    parts = [(x.mark, x.name, x.text, x.cost[:1].upper() + x.cost[1:]) for x in dataset.disclosures]
    parts.append((Mark.DEPENDS, f"k\u00a0=\u00a0{asked.k}", say("own_choice"), "You decide"))
    if asked.delta >= 1 / asked.n:
        said = say("large_delta", rows=1 / asked.delta)
        parts.append((Mark.READS, f"δ\u00a0=\u00a0{power(asked.delta)}", said, "Too large"))
    if abs(asked.n - dataset.people) > 0.5:
        said = say("scaled", n=asked.n, many=unit.many, people=dataset.people)
        parts.append((Mark.DEPENDS, "Scaled n", said, "Hypothetical"))
    lines = [
        f"- {MARKS[mark]} **{escape_markdown(name)}**: {escape_markdown(text)}. "
        f"*{escape_markdown(cost)}.*"
        for mark, name, text, cost in parts
    ]
    return "\n".join([say("checklist_head"), "", *lines, "", say("checklist_legend")])
