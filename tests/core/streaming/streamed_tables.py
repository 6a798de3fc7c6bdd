"""A table with its recipe, stored in every way that a stream reads."""

import gzip

import numpy as np
import pandas as pd

from dpca_core.data.recipe import (
    Category,
    Number,
    Recipe,
)

ROWS = 3000
RECIPE = Recipe(
    (Number("age", 20, 80), Number("height", 1, 2), Number("score", -1, 1)),
    (Category("sex", ("f", "m")), Category("grade", ("1", "2", "2.5"))),
    radius=1.1,
    bounds_are_public=True,
)


def table(seed=0, rows=ROWS):
    """Numbers beyond their ranges, missing values, labels with spaces, numbers as categories."""
    rng = np.random.default_rng(seed)

    def holes(values):
        return np.where(rng.random(rows) < 0.1, None, values)

    return pd.DataFrame(
        {
            "unused": rng.choice(["x,y", 'say "z"', ' "'], rows),
            "age": holes(rng.integers(0, 100, rows)).astype(float),
            "sex": holes(rng.choice(["f", " m", "x"], rows)),
            "height": holes(rng.normal(1.6, 0.4, rows)).astype(float),
            "grade": holes(rng.choice([1.0, 2.0, 2.5, 3.0], rows)).astype(float),
            "score": rng.standard_cauchy(rows),
        }
    )


def stored(way, frame, path, rng):
    """Return a source of these rows."""
    cuts = np.sort(rng.integers(0, len(frame), 3))
    pieces = [frame.iloc[a:b] for a, b in zip([0, *cuts], [*cuts, len(frame)], strict=True)]
    if way == "frame":
        return frame
    if way == "frames":
        return iter(pieces)
    if way == "folder":
        for i, piece in enumerate(pieces):
            place = path / "people" / f"year={i}"
            place.mkdir(parents=True)
            piece[rng.permutation(piece.columns)].to_parquet(place / "part.parquet", index=False)
        (path / "people" / "_SUCCESS").touch()
        return path / "people"
    if way == "parquet":
        frame.to_parquet(path / "t.parquet", index=False, row_group_size=int(rng.integers(1, 999)))
        return path / "t.parquet"
    if way == "semicolon":
        frame = frame.assign(grade=frame["grade"].map("{:g}".format, na_action="ignore"))
        frame.to_csv(path / "t.csv", index=False, sep=";", decimal=",", float_format="%.17g")
        return path / "t.csv"
    if way == "plain csv":
        frame = frame.drop(columns="unused")
    text = frame.to_csv(index=False, float_format="%.17g")
    (path / "t.csv").write_bytes(gzip.compress(text.encode()) if way == "gzip" else text.encode())
    return path / "t.csv"


def same(found, moment):
    return np.abs(found - moment).max() <= 1e-10 * np.abs(moment).max()
