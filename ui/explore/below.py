"""What is read on demand below the charts: single releases, and what else could reveal data.

Drawn by Streamlit alone: nothing here is refined.
"""

from html import escape
from typing import NamedTuple

import numpy as np
import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Mark
from dpca_core.figures import rows
from dpca_core.figures.bundle import CONFIG
from dpca_core.figures.chart import Axis, Spec, shared_layout, with_names
from dpca_core.figures.colours import Theme, family_role, resolve
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.simulation.trials import TrialDraws
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.explore.query import Along
from ui.explore.study import Study
from ui.page.markup import element, signed_image
from ui.text.numbers import count, escape_markdown

SHOWN = 8
"""Releases to leaf through."""
BEHIND_BARS, BARS_COLUMNS = 40, 128
"""Releases behind the 80 % bars, up to so many columns; above, only those shown."""
PROJECTED_ROWS, MOST_ROWS = 150, 12
"""Rows in a scatter plot; loadings that are drawn of each direction: the largest."""
PLOT, SIDE = 480.0, 320
"""Widths of loadings and of a scatter plot, in pixels."""
MOST_LETTERS = 26
"""Of a column's name; a longer one is cut in the figure."""
TRUE, RELEASED = "PCA without privacy", "This release"
LOADINGS_NOTE = (
    "bar: 80\u00a0% of releases; dot: this release; stroke: PCA without privacy. Aligned to the "
    "true directions for display only. Not private."
)
IMAGES_NOTE = (
    "Above: PCA without privacy. Below: this release, aligned to it for display only. Orange: "
    "positive; violet: negative. Not private."
)
CHECKLIST_HEAD = (
    "Every choice outside the mechanism, and what it costs. The shares of rows and values here "
    "were computed from the true data: no release contains them."
)
MARKS = {Mark.NOTHING: "○", Mark.DEPENDS: "◐", Mark.READS: "●"}
CHECKLIST_LEGEND = "○ reads nothing private · ◐ depends on you · ● reads private data"


class Releases(NamedTuple):
    """Directions of the first releases (T, k, d) beside the true ones (k, d); NaN where refused.

    ``low`` and ``high`` (k, d) hold 80 % of the releases that answered.
    """

    true: Array
    released: Array
    low: Array
    high: Array


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
        st.caption(IMAGES_NOTE)
    else:
        columns, many = st.columns(min(len(found.true), 3)), len(data.columns)
        more = f", the {MOST_ROWS} largest of {many} loadings" if many > MOST_ROWS else ""
        for j in range(len(found.true)):
            with columns[j % len(columns)]:
                st.markdown(f"**Direction {j + 1}**{more}")
                figure = loadings_figure(found, release, j, data.columns, role)
                _show(figure, f"loadings-{j}")
        st.caption(LOADINGS_NOTE)
    if len(found.true) > 1 and len(data.rows):
        many_people = escape_markdown(data.unit.many)
        st.markdown(f"**The {many_people}, along two directions**")
        seen = st.segmented_control(
            "Along", (TRUE, RELEASED), default=TRUE, key="seen", label_visibility="collapsed"
        )
        along = found.released[release] if seen == RELEASED else found.true
        _show(people_figure(along[:2], data, role if seen == RELEASED else "ink"), "people")
        st.caption(
            f"{min(PROJECTED_ROWS, len(data.rows))} {many_people} drawn at random, along the first "
            "two directions. Not private: it shows records."
        )


def _show(figure: Spec, key: str) -> None:
    theme: Theme = "dark" if st.context.theme.type == "dark" else "light"
    st.plotly_chart(resolve(figure, theme), theme=None, config=CONFIG, key=key)


def releases_at(study: Study, index: int) -> Releases | None:
    """Draw the first releases at one ε, aligned to the true directions; None where infeasible."""
    problem, budget = study.points[index]
    trials = BEHIND_BARS if problem.d <= BARS_COLUMNS else SHOWN
    try:
        drawn = TrialDraws(study.mechanism, study.asked.seed, range(trials))
        release = drawn.release(problem, budget)
    except InfeasibleBudget:
        return None
    basis = problem.true_problem.basis
    largest = np.abs(basis).argmax(axis=0)
    true = basis * np.sign(basis[largest, np.arange(basis.shape[1])])
    answered = ~release.refused
    bases = np.full_like(release.bases, np.nan)
    bases[answered] = aligned(release.bases[answered], true)
    low = high = np.zeros_like(true)
    if answered.any():
        low, high = np.quantile(bases[answered], (0.1, 0.9), axis=0)
    return Releases(true.T, bases[:SHOWN].swapaxes(1, 2), low.T, high.T)


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
    """Return the largest loadings of one direction, a row each: bars, strokes and the release."""
    largest = np.argsort(-np.abs(found.true[direction]), kind="stable")[:MOST_ROWS].tolist()
    reach = 1.08 * max(0.05, *(float(np.abs(a).max()) for a in (found.true, found.low, found.high)))
    drawn = []
    for i in largest:
        true, low, high = (float(a[direction][i]) for a in (found.true, found.low, found.high))
        this = float(found.released[release][direction][i])
        said = f"{this:+.2f}".replace("-", "−")
        name = columns[i] if len(columns[i]) <= MOST_LETTERS else f"{columns[i][:MOST_LETTERS]}…"
        marks = [
            rows.Mark(true, shape="stroke", what=TRUE),
            rows.Mark(this, said, "dot", RELEASED, True, "interval", low, high),
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
    own = "your choice: private only if you made it before you saw this page"
    parts.append((Mark.DEPENDS, f"k\u00a0=\u00a0{asked.k}", own, "You decide"))
    if asked.delta >= 1 / asked.n:
        said = (
            f"at least 1/n: publishing one whole record in {count(1 / asked.delta)} would meet it"
        )
        parts.append((Mark.READS, f"δ\u00a0=\u00a0{power(asked.delta)}", said, "Too large"))
    if abs(asked.n - dataset.people) > 0.5:
        said = f"the charts assume {count(asked.n)} {unit.many} like these {count(dataset.people)}"
        parts.append((Mark.DEPENDS, "Scaled n", said, "Hypothetical"))
    lines = [
        f"- {MARKS[mark]} **{escape_markdown(name)}**: {escape_markdown(text)}. "
        f"*{escape_markdown(cost)}.*"
        for mark, name, text, cost in parts
    ]
    return "\n".join([CHECKLIST_HEAD, "", *lines, "", CHECKLIST_LEGEND])
