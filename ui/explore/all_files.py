"""What is taken along of all mechanisms: numbers, a script that makes them again, a page."""

import csv
import io
import re

import numpy as np

from dpca_core.figures.html_page import figure_part, html_page, sentence_part, table_part
from dpca_core.linalg.arrays import Array
from ui.explore.medians import Medians
from ui.explore.script import script_text
from ui.explore.study import Study
from ui.page.content import Content, Text
from ui.page.files import marked_page, marked_text

LEVELS = (0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975)
"""Quantiles over releases that are written: the median and the limits of bands."""
HEADS = [f"{metric}_{q:g}" for metric in ("captured", "sin_theta") for q in LEVELS]


def quantiles_csv(study: Study, content: Content) -> str:
    """Return the quantiles over releases at each point, as a marked CSV file."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["mechanism", study.asked.axis, "refused", *HEADS])
    for line in study.curves.lines:
        trials = study.curves.trials[line.mechanism]
        for i, value in enumerate(study.values):
            metrics = line.captured[i, :trials], line.sin_theta[i, :trials]
            found = [q for each in metrics for q in _quantiles(each)]
            refused = f"{line.refused[i, :trials].mean():.6g}"
            row = [line.mechanism.key, f"{value:g}", refused, *(f"{q:.8g}" for q in found)]
            writer.writerow(row)
    return marked_text(out.getvalue())


def _quantiles(values: Array) -> Array:
    known = values[np.isfinite(values)]
    return np.quantile(known, LEVELS) if len(known) else np.full(len(LEVELS), np.nan)


def script(study: Study, content: Content) -> str:
    """Return a marked Python script that makes the same CSV with the public API."""
    return marked_text(script_text(study, LEVELS, HEADS))


def medians_page(study: Study, content: Content) -> str:
    """Return what is shown, with all medians, as one marked page that needs no network."""
    assert content.rule is not None
    at = content.rule.index
    parts = [sentence_part(_plain(content.says["answer"], at), "h1")]
    for each in content.charts:
        title, sub = _plain(each.title, at), _plain(each.sub, at)
        parts += [sentence_part(title, "h2"), sentence_part(sub)]
        parts.append(figure_part(each.figure or {}, title))
    rows = [content.rows[number] for number in content.order[at]]
    ranking = [[row.name, *(_plain(cell, at) for cell in row.cells)] for row in rows]
    parts.append(sentence_part(_plain(content.says["heading"], at), "h2"))
    parts.append(table_part(content.heads, ranking))
    lines = [Medians(line, None) for line in study.curves.lines]
    for name, metric in zip(content.heads[1:3], ("captured", "sin_theta"), strict=True):
        medians = [
            [label, *(_number(getattr(m, metric)[i]) for m in lines)]
            for i, label in enumerate(content.rule.texts)
        ]
        heads = ["", *(m.mechanism.name for m in lines)]
        parts += [sentence_part(f"Medians: {name}", "h2"), table_part(heads, medians)]
    parts.append(sentence_part(_plain(content.says["footer"], at)))
    return marked_page(html_page(f"dpca: {study.dataset.public_name}", parts))


def _number(value: float) -> str:
    return f"{value:.4g}" if np.isfinite(value) else ""


def _plain(text: Text, at: int) -> str:
    """Return a sentence at a stop of the rule, without the marks of what is bold."""
    return re.sub(r"\*\*|\[\[|\]\]", "", (text if isinstance(text, str) else text[at]) or "")
