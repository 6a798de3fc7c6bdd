"""A release as a report for people who do not read formulas: one HTML file that opens offline.

The only script in it is Plotly's bundle with the figures; without scripts each chart gives way to
the table beside it. Whatever an owner or a file's header says is escaped. Everything is a function
of one row of the ledger and of the released tables.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from dpca_core.figures.bundle import bundle_text
from dpca_core.figures.colours import colour
from dpca_core.figures.html_page import figure_part
from dpca_core.figures.layout import Spec
from dpca_core.release import report_charts_and_tables as charts
from dpca_core.release import report_sentences as text
from dpca_core.release.assumptions import ASSUMPTIONS, CANNOT_BE_SEEN
from dpca_core.release.drawn import Drawn
from dpca_core.release.ledger_rows import Row
from dpca_core.release.means_reading import scale_of_means, units_of_means
from dpca_core.release.program import software
from dpca_core.release.read_for_report import reading_of
from dpca_core.release.report_preparation import (
    column_rows,
    declaration_rows,
    preparation_rows,
)
from dpca_core.release.report_reading import ReportReading
from dpca_core.release.report_spending import spending_bar
from dpca_core.text.glossary import TERMS
from dpca_core.text.guarantee_sentences import dots_label
from dpca_core.text.privacy_numbers import GUESSES, GUESSES_OF_A_COIN

WIDTH = 600
"""Of a chart, in pixels: it fits between the margins of A4."""
DIRECTIONS_DRAWN, MOST_ROWS = 4, 60
"""Directions that are drawn, and rows of tables that grow with the columns, at most."""
WORDS = ("epsilon", "delta", "person", "neighbours", "noise", "direction", "spectrum", "budget")
"""Terms that the report explains."""
_SCRIPT = """\
import csv, numpy as np
lines = [line for line in open("matrix.csv", encoding="utf-8") if not line.startswith("#")]
names, *rows = csv.reader(lines)
noisy = np.array([[int(cell) for cell in row[1:]] for row in rows], dtype=float)
values, vectors = np.linalg.eigh(noisy)
for i in range(1, {k} + 1):
    direction = vectors[:, -i]
    direction *= np.sign(direction[np.abs(direction).argmax()])
    print("direction", i, *zip(names[1:], direction.round(3)), sep="\\n  ")
"""


def report_html(row: Row, drawn: Drawn, files: Mapping[str, bytes]) -> bytes:
    """Return the report of a stored release.

    Parameters
    ----------
    files
        The release's tables, by name: they are listed with their digests.
    """
    return render(row, reading_of(row.plan, drawn), files)


def render(row: Row, reading: ReportReading, files: Mapping[str, bytes]) -> bytes:
    """Return the report of what was read off a release."""
    content = _content(row, reading, files)
    page: str = _template().render(**content)
    return page.encode("utf-8")


def _content(row: Row, reading: ReportReading, files: Mapping[str, bytes]) -> dict[str, Any]:
    plan = row.plan
    odds, right = text.odds(row)
    columns = column_rows(plan.recipe)
    means = charts.mean_rows(reading, units_of_means(plan))
    roles = ("ink", "grey", "faint", "hair", "rule", "page", "panel", "accent")
    dots = (
        ["coin"] * GUESSES_OF_A_COIN
        + ["gained"] * (right - GUESSES_OF_A_COIN)
        + [""] * (GUESSES - right)
    )
    digests = [(name, hashlib.sha256(content).hexdigest()) for name, content in files.items()]
    other = charts.other(plan, reading)
    return {
        "title": f"What was released about {row.account.name}",
        "practice": text.practice(plan.practice) if plan.practice else "",
        "colours": {role: colour(role, "light") for role in roles},
        "bundle": _bundle(),
        "row": row,
        "plan": plan,
        "program": "{name} {version} (commit {commit})".format(**software()),
        "asked": text.asked(row),
        "files": [(name, text.FILES.get(name, "")) for name in (*files, *text.CERTIFICATES)]
        + [text.REPORT_FILE],
        "odds": odds,
        "dots_label": dots_label(row.cost.guess_probability()),
        "dots": dots,
        "guarantee": text.guarantee(row),
        "held": text.held(reading, plan.k),
        "turned": reading.turned,
        "spectrum": _drawn(charts.spectrum(plan, reading)),
        "loadings": [
            _drawn(charts.loadings(plan, reading, i)) for i in range(min(plan.k, DIRECTIONS_DRAWN))
        ],
        "more_directions": text.and_more(plan.k - DIRECTIONS_DRAWN, "directions", "directions.csv"),
        "means": means[:MOST_ROWS],
        "means_scale": scale_of_means(plan),
        "more_means": text.and_more(len(means) - MOST_ROWS, "means", "means.csv"),
        "scores": None if plan.scores is None else _drawn(charts.scores(plan, reading)),
        "other": None if other is None else _drawn(other),
        "other_words": text.OTHER_EPSILONS if other else text.OTHER_EPSILONS_UNKNOWN,
        "more": text.more(spending_bar(row).more),
        "bar": spending_bar(row),
        "bar_label": spending_bar(row).label,
        "cannot_be_seen": CANNOT_BE_SEEN,
        "assumptions": ASSUMPTIONS,
        "declarations": declaration_rows(plan),
        "preparation": preparation_rows(plan),
        "columns": columns[:MOST_ROWS],
        "more_columns": text.and_more(len(columns) - MOST_ROWS, "columns", "certificate.json"),
        "not_published": text.not_published(plan),
        "digests": digests,
        "script": _SCRIPT.format(k=plan.k),
        "glossary": [(TERMS[key].name, TERMS[key].sentence) for key in WORDS],
    }


def _drawn(chart: charts.Chart) -> dict[str, Any]:
    """Return a chart as the template takes it."""
    return {
        "drawn": _figure(chart.figure, chart.name),
        "heads": chart.heads,
        "rows": chart.rows,
        "note": chart.note,
    }


def _figure(figure: Spec, name: str) -> Markup:
    """Return the markup of a figure: numbers and escaped names, never what somebody typed."""
    width = figure["layout"].get("width", WIDTH)
    return Markup(figure_part(_in_nine_digits(figure), name, width))


def _in_nine_digits(value: Any) -> Any:
    """Round every number, as tables do: libraries whose last digits differ write the same file.

    What is not finite becomes None.
    """
    if isinstance(value, dict):
        return {key: _in_nine_digits(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_in_nine_digits(item) for item in value]
    if isinstance(value, np.ndarray):
        return _in_nine_digits(value.tolist())
    if isinstance(value, float):
        return float(f"{value:.9g}") if isfinite(value) else None
    return value


@cache
def _bundle() -> Markup:
    """Return the text of Plotly's bundle, as the inside of a script."""
    return Markup(bundle_text().replace("</script", "<\\/script"))


@cache
def _template() -> Any:
    """Return the template; what is put into it is escaped unless it is markup of ours."""
    folder = FileSystemLoader(Path(__file__).parent)
    environment = Environment(
        loader=folder, autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template("report.html")
