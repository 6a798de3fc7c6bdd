"""What the Local model page draws: the price of trusting nobody."""

from collections.abc import Sequence
from dataclasses import fields
from html import escape
from math import sqrt
from typing import Any

import numpy as np

from dpca_core.analysis.claims import cell_noise
from dpca_core.figures import colours
from dpca_core.figures.chart import Axis, Curve, Line, chart, count_format
from dpca_core.figures.colours import CHANCE, family_role
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.mechanism import Family
from dpca_core.mechanisms.registry import LOCAL_DEFAULT, MECHANISMS
from dpca_core.privacy.budget import InfeasibleBudget
from papers.wang_xu_errors import largest_distance, random_distance
from sample_data.synthetic import sample_rows
from ui.local_model import text
from ui.local_model.measurements import (
    CURATOR,
    ERROR,
    LOCAL,
    PRECISION,
    PRINTED,
    RECALL,
    SAMPLE,
    SPARSE,
    ErrorMeasurements,
    Point,
    keys_drawn,
    points_to_measure,
)
from ui.local_model.query import EPSILON_CHOICES, PAPER_FIGURES, PENALTIES, LocalModelQuery
from ui.page.content import Chart, Content, Row
from ui.page.markup import element, signed_image
from ui.text.numbers import count, significant
from ui.text.words import beyond_chart, progress_text

BY_NO_MECHANISM = {
    SAMPLE: ("ink", "solid"),
    text.RANDOM: (CHANCE, "2px,3px"),
    text.CEILING: ("ink", "1px,4px"),
}
"""Colour and dashes of lines that no mechanism draws."""
MOST_COLUMNS_SHOWN = 64


def page_content(query: LocalModelQuery, measured: ErrorMeasurements) -> Content:
    """Compose the page's charts and sentences from what is measured so far."""
    share = measured.share(points_to_measure(query))
    axes = query.axis_queries()
    charts = [
        _along_people(query, _lines(query, measured, axes["n"]), [q.n for q in axes["n"]]),
        _along_epsilon(query, _lines(query, measured, axes["epsilon"])),
    ]
    if query.is_sparse:
        charts.append(_along_penalty(query, measured, axes["factor"]))
    if record := record_pictures(query):
        charts.insert(0, record)
    here, central = Point(query, LOCAL), Point(query, CURATOR)
    so_far = len(measured.results(here)) < here.repetitions
    settings = [getattr(query, f.name) for f in fields(query) if f.name != "data"]
    return Content(
        id=f"{query.data.identity if query.data else ''} {settings}",
        charts=charts,
        says={
            "answer": text.answer(query, measured.mean(here), measured.mean(central), so_far),
            "under": _noise_summary(query),
            "heading": text.LIST_TITLE,
            "footer": text.settings(query) + text.ERROR,
        },
        rows=_rows(query, measured),
        heads=text.LIST_HEADS,
        share=share,
        complete=share >= 1,
        progress=progress_text(share),
        stage=measured.stage,
        settings=text.settings(query),
    )


def _noise_summary(query: LocalModelQuery) -> str:
    """Compare the noise that turns directions with a curator's."""
    problem, budget = query.ground_truth.problem, query.mechanism_budget
    try:
        local, central = (cell_noise(MECHANISMS[key], problem, budget) for key in (LOCAL, CURATOR))
        printed = MECHANISMS[PRINTED].guarantee(problem, budget)
    except InfeasibleBudget as error:
        return str(error)
    return text.noise_summary(query, problem.gap, local or 0.0, central or 0.0, printed)


def _lines(
    query: LocalModelQuery, measured: ErrorMeasurements, along: Sequence[LocalModelQuery]
) -> list[Curve]:
    """Return the mean errors of each line at some settings, and those of no use and the worst."""
    found = {
        key: [measured.mean(Point(other, key)) for other in along] for key in keys_drawn(query)
    }
    found[text.RANDOM] = [random_distance(query.d, query.k)] * len(along)
    found[text.CEILING] = [largest_distance(query.k)] * len(along)
    return [_line(key, np.array(errors)) for key, errors in found.items()]


def _line(key: str, errors: Array) -> Curve:
    name = text.LINE_NAMES[key]
    if key in BY_NO_MECHANISM:
        return Curve(key, name, errors, *BY_NO_MECHANISM[key], bridged=False)
    mechanism, chosen = MECHANISMS[key], key == LOCAL
    role = family_role(Family.SULQ if key == SPARSE else mechanism.family)
    dash, width = colours.dash(mechanism), colours.width(mechanism, chosen)
    return Curve(key, name, errors, role, dash, width, chosen, bridged=False)


def _rows(query: LocalModelQuery, measured: ErrorMeasurements) -> list[Row]:
    """Return the error of each line at the chosen setting, and on how many releases it rests."""
    rows = []
    for line in _lines(query, measured, [query]):
        releases = len(measured.results(Point(query, line.key))) if line.key in MECHANISMS else 0
        cells = [text.error_text(float(line.y[0])), count(releases) if releases else ""]
        rows.append(Row(line.key, line.name, line.color, line.dash, cells, chosen=line.chosen))
    return rows


def _along_people(query: LocalModelQuery, curves: list[Curve], sizes: list[float]) -> Chart:
    lines = [Line(query.n, upright=True)]
    if figure := PAPER_FIGURES.get(query.source):
        low, high = figure.people
        said = text.PAPER_SIZES.format(low=count(low), high=count(high))
        for at, words in ((low, ""), (high, said)):
            lines.append(Line(at, words, "faint", "2px,3px", upright=True, below=True))
    unit, (first, *_, last) = escape(query.unit, quote=False), sizes
    drawn = chart(
        Axis(first, last, True, unit, tick_format=count_format(last), hover_format=",.3~r"),
        Axis(0.01, 2 * largest_distance(query.k), log=True),
        np.array(sizes),
        curves,
        lines=lines,
        hover=f"%{{x}} {unit} → %{{y}}",
    )
    title, subtitle = text.PEOPLE_CHART
    place = "wide" if query.is_sparse else ""
    return Chart("local-n", drawn, title.format(query.unit), subtitle, place=place)


def _along_epsilon(query: LocalModelQuery, curves: list[Curve]) -> Chart:
    figure = chart(
        Axis(EPSILON_CHOICES[0], EPSILON_CHOICES[-1], True, text.EPSILON_AXIS),
        Axis(0.0, 1.08 * largest_distance(query.k)),
        np.array(EPSILON_CHOICES),
        curves,
        lines=[Line(query.epsilon, upright=True)],
        hover="ε = %{x} → %{y}",
    )
    note = beyond_chart(query.epsilon, EPSILON_CHOICES)
    return Chart("local-epsilon", figure, *text.EPSILON_CHART, note)


def _along_penalty(
    query: LocalModelQuery, measured: ErrorMeasurements, along: list[LocalModelQuery]
) -> Chart:
    """Return which columns the sparse mechanism finds."""
    precision, recall, error = (
        np.array([measured.mean(Point(other, SPARSE), column) for other in along])
        for column in (PRECISION, RECALL, ERROR)
    )
    local, gaussian, sulq = map(family_role, (Family.LOCAL, Family.GAUSSIAN, Family.SULQ))
    one, two, three = text.PENALTY_LINES
    bold: dict[str, Any] = {"width": colours.CHOSEN_WIDTH, "chosen": True}
    relative = error / largest_distance(query.k)
    figure = chart(
        Axis(0, PENALTIES[-1], title=text.PENALTY_AXIS),
        Axis(0, 1.05),
        np.array(PENALTIES),
        [
            Curve(one, one, precision, local, bridged=False, **bold),
            Curve(two, two, recall, gaussian, bridged=False),
            Curve(three, three, relative, sulq, "9px,3px", bridged=False),
        ],
        lines=[Line(query.factor, upright=True)],
        hover="c = %{x} → %{y}",
    )
    return Chart("local-support", figure, *text.PENALTY_CHART)


def record_of(query: LocalModelQuery) -> Array:
    """Return one person's record (d,): the data's middle one, or one drawn from the design."""
    if query.data is not None:
        return np.asarray(query.data.rows[len(query.data.rows) // 2])
    used = query.columns if query.is_sparse else query.p
    return np.asarray(sample_rows(1, query.p, query.k, used, seed=query.seed).rows[0])


def pictures_of(query: LocalModelQuery) -> dict[str, Array]:
    """Return one record before and after, and the average, by their captions.

    None where nothing is released, and of a data set that is only a sum.
    """
    data, problem = query.data, query.ground_truth.problem
    if data is not None and len(data.rows) == 0:
        return {}
    try:
        tau = LOCAL_DEFAULT.calibrate(problem.scaled(1.0), query.mechanism_budget).scale
    except InfeasibleBudget:
        return {}
    of_one, of_all = LOCAL_DEFAULT.unit(query.d, 1, np.random.default_rng(query.seed), 2)[0]
    x, truth = record_of(query), problem.moment / problem.n
    record = np.outer(x, x)
    report, average = record + tau * of_one, truth + tau / sqrt(problem.n) * of_all
    shown = [m[:MOST_COLUMNS_SHOWN, :MOST_COLUMNS_SHOWN] for m in (record, report, average, truth)]
    found = {
        caption.format(significant(float(np.abs(matrix).max())), n=count(problem.n)): matrix
        for caption, matrix in zip(text.MATRIX_CAPTIONS, shown, strict=True)
    }
    if data is not None and data.image_shape:
        first = problem.basis[:, 0]
        vectors = (x, _top_direction(report, x), _top_direction(average, first), first)
        images = (vector.reshape(data.image_shape) for vector in vectors)
        found |= dict(zip(text.VECTOR_CAPTIONS, images, strict=True))
    return found


def record_pictures(query: LocalModelQuery) -> Chart | None:
    """Return the pictures, each on its own scale; None where there are none."""
    pictures = [
        element(
            "figure",
            element("img", src=signed_image(values, float(np.abs(values).max()) or 1.0), alt=""),
            element("figcaption", escape(caption)),
        )
        for caption, values in pictures_of(query).items()
    ]
    first = text.FIRST_COLUMNS.format(columns=MOST_COLUMNS_SHOWN)
    part = first if query.d > MOST_COLUMNS_SHOWN else ""
    subtitle = text.RECORD_SUBTITLE.format(part=part, unit=query.unit)
    row = element("div", *pictures, class_="dpca-pictures")
    found = Chart("record", None, text.RECORD_TITLE, subtitle, place="wide", beside=row)
    return found if pictures else None


def _top_direction(matrix: Array, like: Array) -> Array:
    """Return the first direction of a matrix, with the sign of another vector."""
    vector = top_basis(matrix, 1)[:, 0]
    return np.asarray(vector * (1 if vector @ like >= 0 else -1))
