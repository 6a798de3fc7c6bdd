"""Downloads of a comparison: its numbers, a script that reproduces them, and an offline page."""

import csv
import io
import json
from html import escape
from typing import Any

import numpy as np

from ui.compare.figures import QUANTILES
from ui.compare.measurements import Comparison
from ui.compare.reproduction_script import script_text
from ui.figures.offline_page import import_map, style_text
from ui.widgets.downloads import Download, Format, not_private_download

LEVELS = tuple(QUANTILES.values())
DRAWING, STYLES = "compare/page.js", ("charts/charts.css", "compare/compare.css")
"""What an exported page takes along from ``static/``."""


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
    """Return one self-contained page with the charts and the table."""
    still = {**content, "complete": True, "file": None}
    data = json.dumps(still, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    title = f"dpca: {escape(comparison.dataset.public_name)}"
    text = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>body {{ margin: 24px; --st-background-color: #ffffff }}\n"
        f'{style_text(*STYLES)}</style><body><div id="chart"></div>'
        f'<script type="importmap">{json.dumps(import_map(DRAWING))}</script>'
        f'<script type="module">\nimport {{ draw }} from "dpca/{DRAWING}";\nconst data = {data};\n'
        "const quiet = () => undefined;\n"
        "draw({ parentElement: document.getElementById('chart'), data, setStateValue: quiet, "
        "setTriggerValue: quiet });\n</script></body></html>\n"
    )
    return not_private_download("dpca-compare.html", text, Format.HTML)
