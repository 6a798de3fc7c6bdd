"""A survey of people and its recipe: the tables that the tests find on the server."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.recipe import Category, Number, Recipe
from ui.owner import server_folders

RECIPE = Recipe(
    (Number("age", 0, 100), Number("height", 1.2, 2.2)),
    (Category("sex", ("f", "m")),),
    bounds_are_public=True,
)


def people(rows: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age, height = rng.integers(18, 99, rows), rng.normal(1.7, 0.2, rows).round(3)
    return pd.DataFrame({"age": age, "height": height, "sex": rng.choice(["f", "m"], rows)})


def survey_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An allowed folder with two files, a folder of six, and what must not be offered."""
    root, outside = tmp_path / "survey", tmp_path / "outside"
    (root / "parts").mkdir(parents=True)
    outside.mkdir()
    people(500).to_csv(root / "one.csv", index=False)
    people(500).to_parquet(root / "two.parquet")
    for i in range(6):
        people(3000, i).to_csv(root / "parts" / f"{i}.csv", index=False)
    people(9).to_csv(outside / "secret.csv", index=False)
    (root / "link.csv").symlink_to(outside / "secret.csv")
    (root / "way").symlink_to(outside, target_is_directory=True)
    people(9).to_csv(root / ".hidden.csv", index=False)
    (root / "notes.md").write_text("nothing")
    monkeypatch.setenv(
        server_folders.FOLDERS_VARIABLE, os.pathsep.join([str(root), str(tmp_path / "no")])
    )
    return root
