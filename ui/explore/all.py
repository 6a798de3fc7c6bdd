"""Explore's view of all mechanisms: what each keeps along one axis, and their ranking there."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from html import escape

import numpy as np
import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.figures.chart import Axis, Band, Curve, Line, Spec, chart
from dpca_core.figures.colours import CHANCE, dash, family_role, width
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, shown_by_default
from dpca_core.metrics import LEAVES_ALL
from dpca_core.privacy.budget import Standing
from ui.explore import all_words as words
from ui.explore.all_files import medians_page, quantiles_csv, script
from ui.explore.all_words import AllWords
from ui.explore.along import Along
from ui.explore.medians import Medians, Summary, summarize
from ui.explore.query import recommended
from ui.explore.study import Study, kept_study
from ui.page.component import draw
from ui.page.content import Chart, Content, Row, Rule
from ui.server.scheduler import PAGE_SCHEDULER, should_yield
from ui.state import session
from ui.state.settings import ExploreSettings
from ui.text.numbers import percent_floor
from ui.text.words import MEDIAN, NO_MECHANISM, band_column, progress_text
from ui.widgets.controls import show_not_private

MOST_TICKS = 8
KEPT_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
HEIGHTS = {"captured": 300.0, "sin_theta": 170.0}
"""Of the charts, in pixels."""
HOVERS = {
    "epsilon": "ε = %{x:.3~g}",
    "delta": "δ = %{x:.0e}",
    "n": "n = %{x:,}",
    "k": "k = %{x:d}",
}
"""Where a point is, under the pointer, in Plotly's notation."""
RESULTS = "Results on nine data sets →"
"""To the page that says how much of the cost was the mechanisms'."""


def mechanisms_of(now: ExploreSettings, data: Dataset, asked: Along) -> tuple[Mechanism, ...]:
    """Return what is compared, the one with bands first; what may be recommended is among them."""
    if now.mechanisms:
        named = [MECHANISMS[key] for key in now.keys]
    else:
        usual = (*shown_by_default(), *recommended(data, replace(asked, epsilon=1.0)).may_keep_most)
        named = [m for m in MECHANISMS.values() if m in usual]
    return tuple(sorted(named, key=lambda m: m.key != session.settings().mechanism))


def draw_all(data: Dataset, asked: Along) -> None:
    """Draw charts and ranking with what is measured so far, and ways to take them along."""
    now, target = session.page_settings(ExploreSettings), session.settings().target
    mechanisms = mechanisms_of(now, data, asked)
    if not mechanisms:
        st.info(NO_MECHANISM)
        return
    show_not_private(data)
    trials = dict.fromkeys(mechanisms, now.trials) if now.trials else None
    study = kept_study(data, asked, mechanisms, trials)
    at = int(np.argmin(np.abs(np.log(np.array(study.values) / asked.value))))
    identity = f"{asked.digest(data)} {mechanisms} {now.trials} {target:g}"

    def compose() -> Content:
        study.first_answer(at, busy=PAGE_SCHEDULER.busy)
        return all_content(study, identity, at, target)

    draw(
        compose,
        "all",
        more=lambda: study.advance(should_yield),
        asked=(identity, at),
        columns=data.d,
        heard={"rule": _axis_value, "row": _mechanism},
    )
    with st.container(horizontal=True, key="take"):
        for label, make, name, form in (
            ("Numbers (CSV)", quantiles_csv, "dpca-compare.csv", "text/csv"),
            ("Python script", script, "dpca_compare.py", "text/x-python"),
            ("Page (HTML)", medians_page, "dpca-compare.html", "text/html"),
        ):
            st.download_button(
                label,
                partial(_file, make, study, identity, at, target),
                name,
                form,
                key=f"take.{name}",
                disabled=not study.complete,
                on_click="ignore",
            )
        if st.button(RESULTS, type="tertiary", key="results"):
            st.switch_page("pages/_papers.py")


def _file(
    make: Callable[[Study, Content], str], study: Study, identity: str, at: int, target: float
) -> str:
    return make(study, all_content(study, identity, at, target))


def _axis_value(value: object) -> None:
    axis = session.page_settings(ExploreSettings).axis
    session.change_settings(**{axis: int(float(str(value))) if axis == "k" else value})


def _mechanism(key: object) -> None:
    """Take a mechanism whose row or curve was chosen."""
    if key in MECHANISMS:
        session.change_settings(mechanism=key)


def all_content(study: Study, identity: str, at: int, target: float) -> Content:
    """Return what the view shows of a study.

    Parameters
    ----------
    identity
        The same for every refinement of one answer.
    at
        Number of the axis's value at which it is read.
    target
        Share of the variation asked for.
    """
    summary = summarize(study, target)
    text, points = AllWords(summary), range(len(study.values))
    shown = [m for m in summary.mechanisms if m.line.begun]
    rule = Rule(
        study.asked.axis,
        f"Where the charts are read: {text.axis_title}",
        study.values,
        text.labels,
        at,
    )
    return Content(
        identity,
        charts_of(summary, text, identity),
        {
            "answer": [text.answer(i) for i in points],
            "heading": [words.RANKING.format(at=label) for label in text.labels],
            "apart": words.NOT_RANKED,
            "footer": f"{text.recommendation(at)} {text.footer}",
        },
        rule,
        [_row(m, text) for m in shown],
        heads=text.heads,
        order=[order_at(shown, i) for i in points],
        ranked=[sum(bool(m.ranked[i]) for m in shown) for i in points],
        share=study.curves.share,
        complete=study.complete,
        progress=""
        if study.complete
        else progress_text(min(study.curves.share, 0.99), study.seconds_left),
        stage=study.stage,
        settings=text.settings,
    )


def order_at(shown: Sequence[Medians], index: int) -> list[int]:
    """Return numbers of rows: ranked ones first, who keeps most first, where unknown last."""

    def place(number: int) -> tuple[bool, float]:
        m = shown[number]
        return not m.ranked[index], -float(np.nan_to_num(m.captured[index], nan=-1.0))

    return sorted(range(len(shown)), key=place)


def _row(m: Medians, text: AllWords) -> Row:
    cells = [text.cells(m, i) for i in range(len(text.study.values))]
    needed = text.needed(m)
    return Row(
        m.mechanism.key,
        m.mechanism.name,
        family_role(m.mechanism.family),
        dash(m.mechanism),
        [*([each[j] for each in cells] for j in range(len(cells[0]))), *([needed] * bool(needed))],
        chosen=m is text.summary.chosen,
        struck=m.standing is Standing.REFUTED,
    )


# --- The charts ---


def charts_of(summary: Summary, text: AllWords, revision: str) -> list[Chart]:
    """Return variation kept above ‖sin Θ‖_F, along the axis."""
    kept = [Line(1.0), Line(summary.target, percent_floor(summary.target), "ink", "2px,3px", 1.0)]
    captured = _along(summary, text, "captured", kept, "%{y:.1%}", revision)
    turned = _along(summary, text, "sin_theta", [Line(0.0)], "%{y:.3f}", revision)
    return [
        Chart("what-is-kept", captured, words.KEPT, words.KEPT_SUB, place="wide", ruled=True),
        Chart("directions", turned, words.TURNED, words.TURNED_SUB, place="wide", ruled=True),
    ]


def _along(
    summary: Summary,
    text: AllWords,
    quantity: str,
    lines: Sequence[Line],
    hover: str,
    revision: str,
) -> Spec:
    values = np.array(summary.study.values)
    shown = [m for m in summary.mechanisms if m.line.begun]
    chance = np.array([getattr(each, quantity) for each in text.chances])
    curves = [_curve(m, getattr(m, quantity), m is summary.chosen) for m in shown]
    curves.append(Curve("", words.RANDOM, chance, CHANCE, "6px,5px", 1.2))
    if quantity == "captured" and not (text.ceilings >= LEAVES_ALL).all():
        curves.append(Curve("", words.CEILING, text.ceilings, "ink", "6px,3px", 1.2))
    y_axis = Axis(-0.03 * chance.max(), 1.15 * chance.max())
    if quantity == "captured":
        y_axis = _kept_axis([*chance, *(v for m in shown for v in m.captured)])
    chosen = summary.chosen
    role, name = family_role(chosen.mechanism.family), chosen.mechanism.name
    bands = [
        Band(low, high, f"{role}/band{share}", band_column(name, share))
        for share, (low, high) in chosen.bands(getattr(chosen.line, quantity)).items()
    ]
    return chart(
        _x_axis(text),
        y_axis,
        values,
        curves,
        bands=bands,
        lines=lines,
        height=HEIGHTS[quantity],
        hover=f"{hover} at {HOVERS[text.axis]}",
        statistic=MEDIAN,
        revision=revision,
        ticks_below=quantity == "sin_theta",
        legend=False,
    )


def _curve(m: Medians, values: Array, chosen: bool) -> Curve:
    return Curve(
        m.mechanism.key,
        m.mechanism.name,
        values,
        family_role(m.mechanism.family),
        dash(m.mechanism),
        width(m.mechanism, chosen),
        chosen,
        bridged=not m.line.done.any(axis=1).all(),
        struck=m.standing is Standing.REFUTED,
    )


def _kept_axis(values: Sequence[float]) -> Axis:
    floor = max(0.0, min([0.85, *(v for v in values if np.isfinite(v))]) - 0.03)
    ticks = tuple(t for t in KEPT_TICKS if t >= floor)
    texts = tuple(f"{t * 100:.0f}" + ("\u00a0%" if t == 1 else "") for t in ticks)
    return Axis(floor, 1.02, ticks=ticks, tick_texts=texts)


def _x_axis(text: AllWords) -> Axis:
    values = text.study.values
    if text.axis == "k":
        ticks = values[:: max(1, len(values) // 10)]
    else:
        tens = [v for v in values if abs(np.log10(v) - round(np.log10(v))) < 1e-9]
        ticks = tuple(tens[:: 1 if len(tens) <= MOST_TICKS else 2])
    return Axis(
        values[0],
        values[-1],
        log=text.axis != "k",
        title=escape(text.axis_title, quote=False),
        ticks=tuple(ticks),
        tick_texts=tuple(map(text.value, ticks)),
        hover_format={"n": ",", "k": "d"}.get(text.axis, ".3~g"),
    )
