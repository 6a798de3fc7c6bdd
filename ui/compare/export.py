"""Downloads of a comparison: its numbers, a script that reproduces them, and an offline page."""

import csv
import io
import re
from html import escape
from typing import Any

import numpy as np

from dpca_core.figures.bundle import bundle_text
from dpca_core.figures.html_page import figure_part, html_page, sentence_part, table_part
from dpca_core.figures.layout import Spec
from dpca_core.text.privacy_numbers import with_subscripts
from ui.compare.chart_words import COMPARE_WORDS
from ui.compare.measurements import QUANTILES, Comparison
from ui.compare.ranking import ranking_table
from ui.compare.reproduction_script import script_text
from ui.compare.text import COLUMNS, MEDIANS
from ui.figures.downloads import Download, Format, not_private_download
from ui.figures.saved_figure import FigureRequest

LEVELS = tuple(QUANTILES.values())
TITLE_HEIGHT = 44.0
"""Pixels above the first panel, for its title and subtitle."""


def comparison_csv(comparison: Comparison, content: dict[str, Any]) -> Download:
    """Return the quantiles over releases at each point as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["mechanism", comparison.query.axis, "refused", *_heads()])
    for line in comparison.lines:
        for i, value in enumerate(comparison.values):
            found = [*_quantiles(line.captured[i]), *_quantiles(line.sin_theta[i])]
            refused = f"{line.refused[i].mean():.6g}"
            row = [line.mechanism.key, f"{value:g}", refused, *(f"{q:.8g}" for q in found)]
            writer.writerow(row)
    return not_private_download("dpca-compare.csv", out.getvalue(), Format.CSV)


def _heads() -> list[str]:
    return [f"{metric}_{q:g}" for metric in ("captured", "sin_theta") for q in LEVELS]


def _quantiles(values: np.ndarray) -> np.ndarray:
    known = values[np.isfinite(values)]
    return np.quantile(known, LEVELS) if len(known) else np.full(len(LEVELS), np.nan)


def comparison_script(comparison: Comparison, content: dict[str, Any]) -> Download:
    """Return a Python script that makes the same CSV with the public API."""
    text = script_text(comparison, LEVELS, _heads())
    return not_private_download("dpca_compare.py", text, Format.PYTHON)


def comparison_html(comparison: Comparison, content: dict[str, Any]) -> Download:
    """Return one page with the figure, the ranking and all medians; it needs no network."""
    axis = content["axis"]
    place, places = axis["index"], axis["texts"]
    answer = _plain(content["answers"][place])
    parts = [
        sentence_part(answer, "h1"),
        figure_part(titled_figure(content), answer),
        sentence_part(COMPARE_WORDS["ranking"].format(at=places[place]), "h2"),
        table_part(*ranking_table(content["ranking"], place)),
    ]
    for metric, name in (("captured", COLUMNS[1]), ("sin_theta", COLUMNS[2])):
        heading = MEDIANS.format(name=name)
        parts += [sentence_part(heading, "h2"), table_part(*_medians(comparison, metric, places))]
    parts.append(sentence_part(content["footer"]))
    text = html_page(f"dpca: {comparison.dataset.public_name}", parts, bundle_text())
    return not_private_download("dpca-compare.html", text, Format.HTML)


def comparison_picture(content: dict[str, Any], request: FigureRequest) -> Spec:
    """Return the figure of both panels, of which one is saved."""
    figure: Spec = content["figure"]
    return figure


def _plain(sentence: str) -> str:
    """Return a sentence without the marks of what is bold."""
    return re.sub(r"\*\*|\[\[|\]\]", "", sentence)


def titled_figure(content: dict[str, Any]) -> Spec:
    """Return the figure with the titles of its panels above them, as the page shows them."""
    figure: Spec = content["figure"]
    words = [
        {
            "text": f"<b>{escape(content['titles'][name])}</b><br>"
            f"{with_subscripts(escape(content['subs'][name], quote=False))}",
            "xref": "paper",
            "x": 0,
            "xanchor": "left",
            "align": "left",
            "yref": f"{axis} domain",
            "y": 1,
            "yanchor": "bottom",
            "yshift": 8,
            "font": {"color": "ink"},
        }
        for name, axis in (("captured", "y"), ("sin", "y2"))
    ]
    layout = figure["layout"]
    margin = layout["margin"] | {"t": layout["margin"]["t"] + TITLE_HEIGHT}
    height = layout["height"] + TITLE_HEIGHT
    return figure | {"layout": layout | {"annotations": words, "margin": margin, "height": height}}


def _medians(
    comparison: Comparison, metric: str, places: list[str]
) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows of a table of the medians that the lines show."""
    columns = [line.quantiles(getattr(line, metric))["median"] for line in comparison.lines]
    rows = [
        [place, *(f"{column[i]:.4g}" if np.isfinite(column[i]) else "" for column in columns)]
        for i, place in enumerate(places)
    ]
    return ["", *(line.mechanism.name for line in comparison.lines)], rows
