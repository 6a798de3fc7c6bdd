"""Explore's view of all mechanisms: what each keeps along one axis, and their ranking there."""

from dataclasses import replace
from functools import partial
from html import escape

import numpy as np
import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.figures.chart import Axis, Curve, Line
from dpca_core.figures.colours import CHANCE, dash, family_role
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, shown_by_default
from dpca_core.metrics import LEAVES_ALL
from dpca_core.privacy.budget import Standing
from ui.explore.controls import choose_mechanism
from ui.explore.export import medians_page, quantiles_csv, script
from ui.explore.headline_and_titles import AllText, ceiling_of, say, settings_text
from ui.explore.medians import Medians, Summary
from ui.explore.one import medians_chart, share_axis
from ui.explore.query import Along, recommended
from ui.explore.study import Study, kept_study
from ui.page.component import draw
from ui.page.content import Chart, Content, Row, Rule
from ui.server.scheduler import PAGE_SCHEDULER, should_yield
from ui.state import session
from ui.state.settings import ExploreSettings
from ui.text.numbers import percent_floor
from ui.text.words import NO_MECHANISM
from ui.widgets.controls import show_not_private

MOST_TICKS = 8
HOVERS = {
    "epsilon": "ε = %{x:.3~g}",
    "delta": "δ = %{x:.0e}",
    "n": "n = %{x:,}",
    "k": "k = %{x:d}",
}
"""Where a point is, under the pointer, in Plotly's notation."""
RESULTS = "Results on nine data sets →"
"""To the page that says how much of the cost was the mechanisms'."""
FILES = (
    ("Numbers (CSV)", quantiles_csv, "dpca-compare.csv", "text/csv"),
    ("Python script", script, "dpca_compare.py", "text/x-python"),
    ("Page (HTML)", medians_page, "dpca-compare.html", "text/html"),
)


def mechanisms_of(now: ExploreSettings, data: Dataset, asked: Along) -> tuple[Mechanism, ...]:
    """Return what is compared, the one with bands first; what may be recommended is among them."""
    named = [MECHANISMS[key] for key in now.keys]
    if not now.mechanisms:
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
        heard={"rule": _axis_value, "row": choose_mechanism},
    )
    with st.container(horizontal=True, key="take"):
        for label, make, name, form in FILES:
            st.download_button(
                label,
                partial(lambda make: make(study, all_content(study, identity, at, target)), make),
                name,
                form,
                key=f"take.{name}",
                disabled=not study.complete,
                on_click="ignore",
            )
        if st.button(RESULTS, type="tertiary", key="results"):
            st.switch_page("pages/_papers.py")


def _axis_value(value: object) -> None:
    axis = session.page_settings(ExploreSettings).axis
    session.change_settings(**{axis: int(float(str(value))) if axis == "k" else value})


def all_content(study: Study, identity: str, at: int, target: float) -> Content:
    """Return what the view shows of a study.

    ``identity`` is the same for every refinement of one answer; ``at`` the number of the axis's
    value at which it is read; ``target`` the share of the variation asked for.
    """
    summary = Summary(study, target)
    text, points = AllText(summary), range(len(study.values))
    shown = [m for m in summary.mechanisms if m.line.begun]
    return Content(
        identity,
        charts_of(summary, text, identity),
        {
            "answer": [text.answer(i) for i in points],
            "heading": [say("ranking", at=label) for label in text.labels],
            "apart": say("not_ranked"),
            "footer": f"{text.recommendation(at)} {text.footer}",
        },
        Rule(
            study.asked.axis,
            f"Where the charts are read: {text.axis_title}",
            study.values,
            text.labels,
            at,
        ),
        [_row(m, text) for m in shown],
        heads=text.heads,
        order=[order_at(shown, i) for i in points],
        ranked=[sum(bool(m.ranked[i]) for m in shown) for i in points],
        **summary.progress,
        settings=settings_text(study),
    )


def order_at(shown: list[Medians], index: int) -> list[int]:
    """Return numbers of rows: ranked ones first, who keeps most first, where unknown last."""
    kept = [np.nan_to_num(m.captured[index], nan=-1.0) for m in shown]
    return sorted(range(len(shown)), key=lambda i: (not shown[i].ranked[index], -kept[i]))


def _row(m: Medians, text: AllText) -> Row:
    cells = zip(*(text.cells(m, i) for i in range(len(text.study.values))), strict=True)
    needed = text.needed(m)
    return Row(
        m.mechanism.key,
        m.mechanism.name,
        family_role(m.mechanism.family),
        dash(m.mechanism),
        [*cells, *([needed] if needed else [])],
        chosen=m is text.summary.chosen,
        struck=m.standing is Standing.REFUTED,
    )


# --- The charts ---


def charts_of(summary: Summary, text: AllText, revision: str) -> list[Chart]:
    """Return variation kept above ‖sin Θ‖_F, along the axis."""
    shown = [m for m in summary.mechanisms if m.line.begun]
    kept = np.array([chance.captured for chance in text.chances])
    turned = np.array([chance.sin_theta for chance in text.chances])
    seen = np.concatenate([kept, *(m.captured for m in shown)])
    least = min(0.85, float(np.nanmin(seen))) - 0.03
    kept_axis = share_axis(max(0.0, least), 1.02, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
    aim = Line(summary.target, percent_floor(summary.target), "ink", "2px,3px", 1.0)
    random = partial(Curve, "", say("random"), color=CHANCE, dash="6px,5px", width=1.2)
    beside = [random(kept)]
    if not (text.ceilings >= LEAVES_ALL).all():
        beside.append(Curve("", ceiling_of(text.data), text.ceilings, "ink", "6px,3px", 1.2))
    figure = partial(medians_chart, summary, shown, _x_axis(text), revision=revision, legend=False)
    at, levels, most = HOVERS[text.axis], [Line(1.0), aim], float(turned.max())
    tall = {"height": 300.0, "ticks_below": False}
    above = figure("captured", kept_axis, f"%{{y:.1%}} at {at}", beside, lines=levels, **tall)
    sine_axis, hover, floor = Axis(-0.03 * most, 1.15 * most), f"%{{y:.3f}} at {at}", [Line(0.0)]
    below = figure("sin_theta", sine_axis, hover, [random(turned)], lines=floor, height=170.0)
    return [
        Chart("what-is-kept", above, **say.chart("what-is-kept"), place="wide", ruled=True),
        Chart("directions", below, **say.chart("directions"), place="wide", ruled=True),
    ]


def _x_axis(text: AllText) -> Axis:
    values = text.study.values
    ticks = values[:: max(1, len(values) // 10)]
    if text.axis != "k":
        tens = tuple(v for v in values if abs(np.log10(v) - round(np.log10(v))) < 1e-9)
        ticks = tens[:: 1 if len(tens) <= MOST_TICKS else 2]
    return Axis(
        values[0],
        values[-1],
        log=text.axis != "k",
        title=escape(text.axis_title, quote=False),
        ticks=ticks,
        tick_texts=tuple(map(text.value, ticks)),
        hover_format={"n": ",", "k": "d"}.get(text.axis, ".3~g"),
    )
