"""What is taken along of all mechanisms: numbers, a script that makes them again, a page."""

import re
from pathlib import Path

import numpy as np
from jinja2 import Environment, FileSystemLoader

from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe
from dpca_core.data.recipe_json import dumps
from dpca_core.figures.html_page import figure_part, html_page, sentence_part, table_part
from dpca_core.linalg.arrays import Array
from sample_data import source_of
from ui.explore.medians import Medians
from ui.explore.study import Study
from ui.page.content import Content, Text
from ui.page.files import NOT_PRIVATE, marked_page, marked_text

LEVELS = (0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975)
"""Quantiles over releases that are written: the median and the limits of bands."""
TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent), trim_blocks=True)
"""Of Python code, in which texts are literals of Python."""
TEMPLATES.filters["literal"] = repr
HEADS = [f"{metric}_{q:g}" for metric in ("captured", "sin_theta") for q in LEVELS]


def quantiles_csv(study: Study, content: Content) -> str:
    """Return the quantiles over releases at each point, as a marked CSV file."""
    lines = [",".join(["mechanism", study.asked.axis, "refused", *HEADS])]
    for line in study.curves.lines:
        trials = study.curves.trials[line.mechanism]
        for i, value in enumerate(study.values):
            metrics = line.captured[i, :trials], line.sin_theta[i, :trials]
            found = [f"{q:.8g}" for each in metrics for q in _quantiles(each)]
            refused = f"{line.refused[i, :trials].mean():.6g}"
            lines.append(",".join([line.mechanism.key, f"{value:g}", refused, *found]))
    return marked_text("\n".join([*lines, ""]))


def _quantiles(values: Array) -> Array:
    known = values[np.isfinite(values)]
    return np.quantile(known, LEVELS) if len(known) else np.full(len(LEVELS), np.nan)


def medians_page(study: Study, content: Content) -> str:
    """Return what is shown, with all medians, as one marked page that needs no network."""
    assert content.rule is not None
    at = content.rule.index

    def plain(text: Text) -> str:
        """Return a sentence at the rule, without the marks of what is bold."""
        return re.sub(r"\*\*|\[\[|\]\]", "", (text if isinstance(text, str) else text[at]) or "")

    parts = [sentence_part(plain(content.says["answer"]), "h1")]
    for each in content.charts:
        parts += [sentence_part(plain(each.title), "h2"), sentence_part(plain(each.sub))]
        parts.append(figure_part(each.figure or {}, plain(each.title)))
    rows = [content.rows[number] for number in content.order[at]]
    parts.append(sentence_part(plain(content.says["heading"]), "h2"))
    ranking = [[row.name, *map(plain, row.cells)] for row in rows]
    parts.append(table_part(content.heads, ranking))
    lines = [Medians(line, None) for line in study.curves.lines]
    heads = ["", *(m.mechanism.name for m in lines)]
    for name, metric in zip(content.heads[1:3], ("captured", "sin_theta"), strict=True):
        columns = np.stack([getattr(m, metric) for m in lines], axis=1)
        written = [["" if np.isnan(v) else f"{v:.4g}" for v in row] for row in columns]
        medians = [[label, *row] for label, row in zip(content.rule.texts, written, strict=True)]
        parts += [sentence_part(f"Medians: {name}", "h2"), table_part(heads, medians)]
    parts.append(sentence_part(plain(content.says["footer"])))
    return marked_page(html_page(f"dpca: {study.dataset.public_name}", parts))


def script(study: Study, content: Content) -> str:
    """Return a marked Python script that makes the same CSV with the public API."""
    asked = study.asked
    numbers = {name: f"{getattr(asked, name):g}" for name in ("epsilon", "delta", "n", "k")}
    numbers[asked.axis] = f"[{', '.join(f'{v:g}' for v in study.values)}]"
    written = TEMPLATES.get_template("script.txt").render(
        load=loading_code(study.dataset),
        mark=NOT_PRIVATE,
        asked=asked,
        numbers=numbers,
        trials={mechanism.key: trials for mechanism, trials in study.curves.trials.items()},
        levels=list(LEVELS),
        heads=HEADS,
    )
    return marked_text(f"{written}\n")


def loading_code(data: Dataset) -> str:
    """Return code that prepares the data as the page did; of an upload it holds only the recipe."""
    recipe = ascii(dumps(data.recipe)) if isinstance(data.recipe, Recipe) else ""
    built_in = source_of(data.key) is not None
    template = TEMPLATES.get_template("loading.txt")
    return template.render(data=data, recipe=recipe, built_in=built_in).rstrip()
