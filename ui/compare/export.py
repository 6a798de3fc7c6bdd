"""Downloads of a comparison: its numbers, a script that reproduces them, and an offline page."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from html import escape
from typing import Any

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.release.csv_file import NOT_PRIVATE
from sample_data import source_of
from ui.compare.figures import QUANTILES
from ui.compare.measurements import Comparison
from ui.figures.offline_page import import_map, style_text
from ui.widgets.downloads import Download, Format, not_private_download

LEVELS = tuple(QUANTILES.values())
DRAWING, STYLES = "compare/page.js", ("charts/charts.css", "compare/compare.css")
"""What an exported page takes along from ``static/``."""
READ_FROM_FILE = "# Not private: the ranges and categories below were read from the file.\n"


def comparison_csv(comparison: Comparison, content: dict[str, Any]) -> Download:
    """Quantiles over releases at each point."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["mechanism", comparison.query.axis, "refused", *_heads()])
    for line in comparison.lines:
        for i, value in enumerate(comparison.values):
            writer.writerow(
                [line.mechanism.key, f"{value:g}", f"{line.refused[i].mean():.6g}"]
                + [f"{q:.8g}" for values in (line.captured[i], line.sin_theta[i])
                   for q in _quantiles(values)]
            )  # fmt: skip
    return not_private_download("dpca-compare.csv", out.getvalue(), Format.CSV)


def _heads() -> list[str]:
    return [f"{metric}_{q:g}" for metric in ("captured", "sin_theta") for q in LEVELS]


def _quantiles(values: np.ndarray) -> np.ndarray:
    known = values[np.isfinite(values)]
    return np.quantile(known, LEVELS) if len(known) else np.full(len(LEVELS), np.nan)


def comparison_script(comparison: Comparison, content: dict[str, Any]) -> Download:
    """A Python script that makes the same CSV with the public API."""
    query, data = comparison.query, comparison.dataset
    values = ", ".join(f"{v:g}" for v in comparison.values)
    axes = {"epsilon": f"{query.epsilon:g}", "delta": f"{query.delta:g}", "n": f"{query.n:g}",
            "k": str(query.k)}  # fmt: skip
    axes[query.axis] = f"[{values}]"
    body = _SCRIPT.format(
        load=_load(data), mark=NOT_PRIVATE,
        mechanisms=[m.key for m in query.mechanisms], adjacency=str(query.adjacency),
        trials=query.trials, seed=query.seed, equalise=query.equalise, axis=query.axis,
        quantiles=list(LEVELS), heads=_heads(), **axes,
    )  # fmt: skip
    return not_private_download("dpca_compare.py", body, Format.PYTHON)


def _code(value: object) -> str:
    """Python that makes a recipe, or a part of one, again."""
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if is_dataclass(value):
        parts = (f"{f.name}={_code(getattr(value, f.name))}" for f in fields(value))
        return f"{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, tuple):
        return f"({''.join(f'{_code(v)}, ' for v in value)})"
    return ascii(value)


def _load(data: Dataset) -> str:
    """Lines that prepare the data as the page did; of a table of one's own only its recipe."""
    if source_of(data.key) is not None:
        return (
            f"from sample_data import load_key\n\ndata = load_key({data.key!r})\n"
            f'assert data.identity == "{data.identity}", '
            '"These are not the data that were compared."'
        )
    if data.summed is None:
        taken = (
            "upload = Upload(PATH, Path(PATH).read_bytes())\n"
            f"data = prepare(upload, recipe, {data.public_name!r}, Reading.TOTAL)"
        )
        imports = (
            "from dpca_core.data.recipe import Reading\n"
            "from dpca_core.readers.files import Upload\n"
            "from dpca_core.preparation import prepare\n"
        )
    else:
        taken = (
            "found = second_moment(Path(PATH), recipe, sample=2)\n"
            f"data = data_set(found, {data.public_name!r}, Reading.TOTAL)"
        )
        imports = (
            "from dpca_core.data.recipe import Reading\n"
            "from dpca_core.streaming.second_moment import second_moment\n"
            "from dpca_core.streaming.summed_dataset import data_set\n"
        )
    read = "" if data.private else READ_FROM_FILE
    return (
        "from pathlib import Path\n\n"
        f"{_imports(data.recipe)}{imports}\n"
        "# Where the table lies; the page does not say.\n"
        'PATH = "PATH_TO_YOUR_FILE"\n'
        "# Ranges that were not asked for are nan.\n"
        f"nan = float('nan')\n{read}"
        f"recipe = {_code(data.recipe)}\n"
        f"{taken}"
    )


def _imports(recipe: object) -> str:
    """Lines that import what the recipe's own code names."""
    by_module: dict[str, set[str]] = {}
    for kind in _kinds(recipe):
        by_module.setdefault(kind.__module__, set()).add(kind.__name__)
    return "".join(
        f"from {m} import {', '.join(sorted(by_module[m]))}\n" for m in sorted(by_module)
    )


def _kinds(value: object) -> Iterator[type]:
    """Classes that a recipe is made of."""
    if isinstance(value, Enum) or is_dataclass(value):
        yield type(value)
    parts = value if isinstance(value, tuple) else ()
    if is_dataclass(value):
        parts = tuple(getattr(value, f.name) for f in fields(value))
    for part in parts:
        yield from _kinds(part)


_SCRIPT = '''"""The numbers behind a dpca comparison, made again.

Run it in the project's folder, in the environment that `make run` sets up:

    .venv/bin/python dpca_compare.py > again.csv
"""

import csv
import sys

import numpy as np

from dpca_core import Adjacency, sweep
{load}

table = sweep(
    {mechanisms},
    data,
    epsilon={epsilon},
    delta={delta},
    n={n},
    k={k},
    adjacency=Adjacency("{adjacency}"),
    trials={trials},
    seed={seed},
    equalise={equalise},
)
print("# {mark}")
writer = csv.writer(sys.stdout, lineterminator="\\n")
writer.writerow(["mechanism", "{axis}", "refused", *{heads}])
for (mechanism, value), rows in table.groupby(["mechanism", "{axis}"], sort=False):
    line = [mechanism, f"{{value:g}}", f"{{rows.refused.mean():.6g}}"]
    for metric in ("captured", "sin_theta"):
        known = rows[metric].dropna()
        found = np.quantile(known, {quantiles}) if len(known) else np.full(len({quantiles}), np.nan)
        line += [f"{{q:.8g}}" for q in found]
    writer.writerow(line)
'''


def comparison_html(comparison: Comparison, content: dict[str, Any]) -> Download:
    """One self-contained page with the charts and the table."""
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
