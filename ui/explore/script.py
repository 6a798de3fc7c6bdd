"""A Python script that reproduces a comparison's numbers with the public API."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum

from dpca_core.data.dataset import Dataset
from sample_data import source_of
from ui.explore.study import Study
from ui.page.files import NOT_PRIVATE

READ_FROM_FILE = "# Not private: the ranges and categories below were read from the file.\n"

_SCRIPT = '''"""Reproduces the numbers of a dpca comparison.

Run it in the project's folder, in the environment that `make run` sets up:

    .venv/bin/python dpca_compare.py > again.csv
"""

import csv
import sys

import numpy as np

from dpca_core import Adjacency, sweep
{load}

RELEASES = {trials}
print("# {mark}")
writer = csv.writer(sys.stdout, lineterminator="\\n")
writer.writerow(["mechanism", "{axis}", "refused", *{heads}])
for key, trials in RELEASES.items():
    table = sweep(
        [key],
        data,
        epsilon={epsilon},
        delta={delta},
        n={n},
        k={k},
        adjacency=Adjacency("{adjacency}"),
        trials=trials,
        seed={seed},
        equalise={equalise},
    )
    for value, rows in table.groupby("{axis}", sort=False):
        line = [key, f"{{value:g}}", f"{{rows.refused.mean():.6g}}"]
        for metric in ("captured", "sin_theta"):
            known = rows[metric].dropna()
            found = np.full(len({quantiles}), np.nan)
            if len(known):
                found = np.quantile(known, {quantiles})
            line += [f"{{q:.8g}}" for q in found]
        writer.writerow(line)
'''


def script_text(study: Study, levels: tuple[float, ...], heads: list[str]) -> str:
    """Return the script.

    Parameters
    ----------
    levels, heads
        Quantiles that it writes at each point, and their heads in the CSV.
    """
    asked, data = study.asked, study.dataset
    settings = {
        "epsilon": f"{asked.epsilon:g}",
        "delta": f"{asked.delta:g}",
        "n": f"{asked.n:g}",
        "k": str(asked.k),
    }
    settings[asked.axis] = f"[{', '.join(f'{v:g}' for v in study.values)}]"
    return _SCRIPT.format(
        load=loading_code(data),
        mark=NOT_PRIVATE,
        adjacency=str(asked.adjacency),
        trials={mechanism.key: trials for mechanism, trials in study.curves.trials.items()},
        seed=asked.seed,
        equalise=asked.equalise,
        axis=asked.axis,
        quantiles=list(levels),
        heads=heads,
        **settings,
    )


def _code(value: object) -> str:
    """Return code that creates a recipe, or a part of one."""
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if is_dataclass(value):
        parts = (f"{f.name}={_code(getattr(value, f.name))}" for f in fields(value))
        return f"{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, tuple):
        return f"({''.join(f'{_code(v)}, ' for v in value)})"
    return ascii(value)


def loading_code(data: Dataset) -> str:
    """Return code that prepares the data as the page did; of an upload it holds only the recipe."""
    if source_of(data.key) is not None:
        return (
            f"from sample_data import load_key\n\ndata = load_key({data.key!r})\n"
            f'assert data.identity == "{data.identity}", '
            '"These are not the data that were compared."'
        )
    if data.summed is None:
        taken = (
            "upload = Upload(PATH, Path(PATH).read_bytes())\n"
            f"data = prepare(upload, recipe, {data.public_name!r})"
        )
        imports = (
            "from dpca_core.tables.files import Upload\n"
            "from dpca_core.tables.prepare import prepare\n"
        )
    else:
        taken = (
            "found = second_moment(Path(PATH), recipe, sample=2)\n"
            f"data = data_set(found, {data.public_name!r})"
        )
        imports = (
            "from dpca_core.tables.prepare import data_set\n"
            "from dpca_core.tables.second_moment import second_moment\n"
        )
    read = "" if data.private else READ_FROM_FILE
    return (
        "from pathlib import Path\n\n"
        f"{_imports(data.recipe)}{imports}\n"
        "# Set this to your table; the page does not store its path.\n"
        'PATH = "PATH_TO_YOUR_FILE"\n'
        "# Ranges that do not apply are nan.\n"
        f"nan = float('nan')\n{read}"
        f"recipe = {_code(data.recipe)}\n"
        f"{taken}"
    )


def _imports(recipe: object) -> str:
    """Return code that imports what the recipe's own code names."""
    by_module: dict[str, set[str]] = {}
    for kind in _kinds(recipe):
        by_module.setdefault(kind.__module__, set()).add(kind.__name__)
    return "".join(
        f"from {m} import {', '.join(sorted(by_module[m]))}\n" for m in sorted(by_module)
    )


def _kinds(value: object) -> Iterator[type]:
    """Yield the classes that a recipe is made of."""
    if isinstance(value, Enum) or is_dataclass(value):
        yield type(value)
    parts = value if isinstance(value, tuple) else ()
    if is_dataclass(value):
        parts = tuple(getattr(value, f.name) for f in fields(value))
    for part in parts:
        yield from _kinds(part)
