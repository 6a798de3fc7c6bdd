"""What can be taken away from a comparison: its numbers, a script that makes them again, a page."""

import csv
import io
import json
from dataclasses import fields, is_dataclass
from enum import Enum
from html import escape
from typing import Any

import numpy as np

from dpca_core.dataset import Dataset
from sample_data import source_of
from ui.compare_words import SHARES
from ui.comparison import Comparison
from ui.instrument import COMPARE_PARTS, COMPARE_SHEETS, script_text, sheet_text

QUANTILES = tuple(SHARES.values())


def csv_of(comparison: Comparison, content: dict[str, Any]) -> tuple[str, str]:
    """Quantiles over releases at each point: (file name, text)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["mechanism", comparison.asked.axis, "refused", *_heads()])
    for line in comparison.lines:
        for i, value in enumerate(comparison.values):
            writer.writerow(
                [line.mechanism.key, f"{value:g}", f"{line.refused[i].mean():.6g}"]
                + [f"{q:.8g}" for values in (line.captured[i], line.sin_theta[i])
                   for q in _quantiles(values)]
            )  # fmt: skip
    return "dpca-compare.csv", out.getvalue()


def _heads() -> list[str]:
    return [f"{metric}_{q:g}" for metric in ("captured", "sin_theta") for q in QUANTILES]


def _quantiles(values: np.ndarray) -> np.ndarray:
    known = values[np.isfinite(values)]
    return np.quantile(known, QUANTILES) if len(known) else np.full(len(QUANTILES), np.nan)


def script_of(comparison: Comparison, content: dict[str, Any]) -> tuple[str, str]:
    """A Python script that makes the same CSV with the public API: (file name, text)."""
    asked, data = comparison.asked, comparison.dataset
    values = ", ".join(f"{v:g}" for v in comparison.values)
    axes = {"epsilon": f"{asked.epsilon:g}", "delta": f"{asked.delta:g}", "n": f"{asked.n:g}",
            "k": str(asked.k)}  # fmt: skip
    axes[asked.axis] = f"[{values}]"
    body = _SCRIPT.format(
        load=_load(data), digest=data.digest,
        mechanisms=[m.key for m in asked.mechanisms], adjacency=str(asked.adjacency),
        trials=asked.trials, seed=asked.seed, equalise=asked.equalise, axis=asked.axis,
        quantiles=list(QUANTILES), heads=_heads(), **axes,
    )  # fmt: skip
    return "dpca_compare.py", body


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
    """Lines that prepare the data as the page did."""
    if source_of(data.key) is not None:
        return f"from sample_data import load_key\n\ndata = load_key({data.key!r})"
    return (
        "from pathlib import Path\n\n"
        "from dpca_core.choices import Category, Combine, Missing, Number, Recipe, Scaling\n"
        "from dpca_core.dataset import Unit\n"
        "from dpca_core.recipe import prepare\n"
        "from dpca_core.streaming import second_moment\n"
        "from dpca_core.summed import data_set\n"
        "from dpca_core.tables import read_table\n\n"
        "# Ranges that were not asked for are nan.\n"
        "nan = float('nan')\n"
        f"recipe = {_code(data.recipe)}\n"
        f"{_taken(data)}"
    )


def _taken(data: Dataset) -> str:
    """Lines that read the file; one that was summed up is read where it lies."""
    if data.summed is None:
        return (
            f"table = read_table({data.name!r}, Path({data.name!r}).read_bytes())\n"
            f"data = prepare(table, recipe, {data.name!r})"
        )
    return (
        f"# Where the table lies, seen from this folder.\n"
        f"found = second_moment(Path({data.name!r}), recipe, sample=2)\n"
        f"data = data_set(found, {data.name!r})"
    )


_SCRIPT = '''"""The numbers behind a dpca comparison, made again.

Run it in the project's folder, in the environment that `make run` sets up:

    .venv/bin/python dpca_compare.py > again.csv
"""

import csv
import sys

import numpy as np

from dpca_core import Adjacency, sweep
{load}

assert data.digest == "{digest}", "These are not the data that were compared."
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


def page_of(comparison: Comparison, content: dict[str, Any]) -> tuple[str, str]:
    """One self-contained page with the charts and the table: (file name, text)."""
    still = {**content, "complete": True, "file": None}
    data = json.dumps(still, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    title = f"dpca: {escape(comparison.dataset.name)}"
    return "dpca-compare.html", (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>body {{ margin: 24px; --st-background-color: #ffffff }}\n"
        f'{sheet_text(COMPARE_SHEETS)}</style><body><div id="chart"></div>'
        f'<script type="module">\n{script_text(COMPARE_PARTS)}\nconst data = {data};\n'
        "const quiet = () => undefined;\n"
        "draw({ parentElement: document.getElementById('chart'), data, setStateValue: quiet, "
        "setTriggerValue: quiet });\n</script></body></html>\n"
    )
