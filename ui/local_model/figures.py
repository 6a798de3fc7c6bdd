"""What the Local model page shows: the price of trusting nobody."""

from collections.abc import Sequence
from dataclasses import fields
from html import escape
from math import isnan, sqrt
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
from ui.page.words import Words
from ui.text.numbers import count
from ui.text.words import beyond_chart, progress_text

say = Words(__file__)
RANDOM, CEILING = "random", "ceiling"
"""Keys of what releases are compared with."""
BY_NO_MECHANISM = {
    SAMPLE: ("ink", "solid"),
    RANDOM: (CHANCE, "2px,3px"),
    CEILING: ("ink", "1px,4px"),
}
"""Colour and dashes of lines that no mechanism draws."""
MATRICES = ("one_record", "report", "average", "truth")
MOST_COLUMNS_SHOWN = 64
NO_BETTER = 0.97
"""Share of the error of random directions from which on an error is no better."""


def page_content(query: LocalModelQuery, measured: ErrorMeasurements) -> Content:
    """Compose the page's charts and sentences from what is measured so far."""
    share, axes = measured.share(points_to_measure(query)), query.axis_queries()
    charts = [
        _along_people(query, _lines(query, measured, axes["n"]), [q.n for q in axes["n"]]),
        _along_epsilon(query, _lines(query, measured, axes["epsilon"])),
    ]
    if query.is_sparse:
        charts.append(_along_penalty(query, measured, axes["factor"]))
    if record := record_pictures(query):
        charts.insert(0, record)
    asked = [getattr(query, f.name) for f in fields(query) if f.name != "data"]
    settings = settings_text(query)
    return Content(
        id=f"{query.data.identity if query.data else ''} {asked}",
        charts=charts,
        says={
            "answer": answer(query, measured),
            "under": _noise_summary(query),
            "heading": say("list_title"),
            "footer": say("footer", settings=settings),
        },
        rows=_rows(query, measured),
        heads=say.each("list_heads"),
        share=share,
        complete=share >= 1,
        progress=progress_text(share),
        stage=measured.stage,
        settings=settings,
    )


def settings_text(query: LocalModelQuery) -> str:
    """Name the records and the settings."""
    records, fewer = say(query.source, q=query), say("fewer") if query.is_sparse else ""
    return say("settings", records=records, q=query, fewer=fewer)


def answer(query: LocalModelQuery, measured: ErrorMeasurements) -> str:
    """Compare the error without a curator with that of random directions and of a curator."""
    here, random = Point(query, LOCAL), random_distance(query.d, query.k)
    local, central = measured.mean(here), measured.mean(Point(query, CURATOR))
    found = "answer" if local <= NO_BETTER * random else "not_enough"
    if isnan(local) or isnan(central):
        found = "measuring"
    errors = {"local": local, "random": random, "central": central}
    so_far = " so far" if len(measured.results(here)) < here.repetitions else ""
    said = {name: _error_text(error) for name, error in errors.items()}
    return say(found if query.budget.delta > 0 else "no_release", q=query, so_far=so_far, **said)


def _error_text(error: float) -> str:
    """Write an error, as all on this page are written; a dash where there is none."""
    return "–" if isnan(error) else f"{error:.2f}"


def _noise_summary(query: LocalModelQuery) -> str:
    """Compare the noise that turns directions with a curator's; say what the printed one keeps."""
    problem, budget = query.ground_truth.problem, query.mechanism_budget
    try:
        local, central = (cell_noise(MECHANISMS[key], problem, budget) for key in (LOCAL, CURATOR))
        printed = MECHANISMS[PRINTED].guarantee(problem, budget)
    except InfeasibleBudget as error:
        return str(error)
    assert local is not None
    assert central is not None
    said = {"calibrated": budget.epsilon, "printed": printed.epsilon, "gap": problem.gap}
    mean = "" if budget == query.budget else say("mean")
    return say("noise", q=query, times=local / central, noise=local, mean=mean, **said)


def _lines(
    query: LocalModelQuery, measured: ErrorMeasurements, along: Sequence[LocalModelQuery]
) -> list[Curve]:
    """Return the mean errors of each line at some settings, and those of no use and the worst."""
    found = {
        key: [measured.mean(Point(other, key)) for other in along] for key in keys_drawn(query)
    }
    found[RANDOM] = [random_distance(query.d, query.k)] * len(along)
    found[CEILING] = [largest_distance(query.k)] * len(along)
    return [_line(key, np.array(errors)) for key, errors in found.items()]


def _line(key: str, errors: Array) -> Curve:
    name = say.table("lines")[key]
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
        cells = [_error_text(float(line.y[0])), count(releases) if releases else ""]
        rows.append(Row(line.key, line.name, line.color, line.dash, cells, chosen=line.chosen))
    return rows


def _along_people(query: LocalModelQuery, curves: list[Curve], sizes: list[float]) -> Chart:
    lines = [Line(query.n, upright=True)]
    if figure := PAPER_FIGURES.get(query.source):
        low, high = figure.people
        said = say("paper_sizes", low=low, high=high)
        for at, words in ((low, ""), (high, said)):
            lines.append(Line(at, words, "faint", "2px,3px", upright=True))
    unit, (first, *_, last) = escape(query.unit, quote=False), sizes
    drawn = chart(
        Axis(first, last, True, unit, tick_format=count_format(last), hover_format=",.3~r"),
        Axis(0.01, 2 * largest_distance(query.k), log=True),
        np.array(sizes),
        curves,
        lines=lines,
        hover=f"%{{x}} {unit} → %{{y}}",
    )
    labels = say.chart("local-n", unit=query.unit)
    return Chart("local-n", drawn, **labels, place="wide" if query.is_sparse else "")


def _along_epsilon(query: LocalModelQuery, curves: list[Curve]) -> Chart:
    figure = chart(
        Axis(EPSILON_CHOICES[0], EPSILON_CHOICES[-1], True, say("epsilon_axis")),
        Axis(0.0, 1.08 * largest_distance(query.k)),
        np.array(EPSILON_CHOICES),
        curves,
        lines=[Line(query.budget.epsilon, upright=True)],
        hover="ε = %{x} → %{y}",
    )
    beyond = beyond_chart(query.budget.epsilon, EPSILON_CHOICES)
    return Chart("local-epsilon", figure, **say.chart("local-epsilon", beyond=beyond))


def _along_penalty(
    query: LocalModelQuery, measured: ErrorMeasurements, along: list[LocalModelQuery]
) -> Chart:
    """Return which columns the sparse mechanism finds."""
    precision, recall, error = (
        np.array([measured.mean(Point(other, SPARSE), column) for other in along])
        for column in (PRECISION, RECALL, ERROR)
    )
    local, gaussian, sulq = map(family_role, (Family.LOCAL, Family.GAUSSIAN, Family.SULQ))
    one, two, three = say.each("penalty_lines")
    bold: dict[str, Any] = {"width": colours.CHOSEN_WIDTH, "chosen": True}
    relative = error / largest_distance(query.k)
    figure = chart(
        Axis(0, PENALTIES[-1], title=say("penalty_axis")),
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
    return Chart("local-support", figure, **say.chart("local-support"))


def record_of(query: LocalModelQuery) -> Array:
    """Return one person's record (d,): the data's middle one, or one drawn from the design."""
    if query.data is not None:
        return np.asarray(query.data.rows[len(query.data.rows) // 2])
    used = query.columns if query.is_sparse else query.p
    return np.asarray(sample_rows(1, query.p, query.k, used, seed=query.seed).rows[0])


def pictures_of(query: LocalModelQuery) -> dict[str, Array]:
    """Return one record before and after, and the average, by their captions.

    {} where nothing is released, and of a data set that is only a sum.
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
    found = {}
    for name, whole in zip(MATRICES, (record, report, average, truth), strict=True):
        shown = whole[:MOST_COLUMNS_SHOWN, :MOST_COLUMNS_SHOWN]
        found[say(name, largest=float(np.abs(shown).max()), n=problem.n)] = shown
    if data is not None and data.image_shape:
        first = problem.basis[:, 0]
        vectors = (x, _top_direction(report, x), _top_direction(average, first), first)
        images = (vector.reshape(data.image_shape) for vector in vectors)
        found |= dict(zip(say.each("vectors"), images, strict=True))
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
    first = say("first_columns", columns=MOST_COLUMNS_SHOWN)
    part = first if query.d > MOST_COLUMNS_SHOWN else ""
    labels = say.chart("record", part=part, unit=query.unit)
    row = element("div", *pictures, class_="dpca-pictures")
    return Chart("record", None, **labels, place="wide", beside=row) if pictures else None


def _top_direction(matrix: Array, like: Array) -> Array:
    """Return the first direction of a matrix, with the sign of another vector."""
    vector = top_basis(matrix, 1)[:, 0]
    return np.asarray(vector * (1 if vector @ like >= 0 else -1))
