"""Files as programs write them, each by its own library: columns proposed rightly, or asked."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.columns import propose_columns
from dpca_core.tables.files import Upload, open_table
from dpca_core.tables.proposed_format import proposed_format
from tests.core.tables.test_kinds import WRITERS
from tests.made_up_tables import outcome

ROWS = 300
RIGHT = {
    "record_id": "out",
    "age": "number",
    "bmi": "number",
    "smokes": "?",
    "pain": "scale",
    "ward": "category",
    "seen": "out",
}


def patients() -> pd.DataFrame:
    """Made-up patients: whole numbers of which some are missing, codes, texts, days."""
    rng = np.random.default_rng(11)
    age = rng.integers(18, 95, ROWS).astype(float)
    age[::40] = np.nan
    return pd.DataFrame(
        {
            "record_id": np.arange(1, ROWS + 1),
            "age": age,
            "bmi": rng.normal(26, 4, ROWS).round(1),
            "smokes": rng.integers(1, 4, ROWS),
            "pain": rng.choice(["mild", "moderate", "severe"], ROWS),
            "ward": rng.choice(["A1", "B2", "ICU"], ROWS),
            "seen": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 400, ROWS), "D"),
        }
    )


def as_csv(above: str = "", end: str = "", **how: Any) -> Callable[[Path], bytes]:
    """Return what writes a CSV file, with lines above its header and a mark at each line's end."""

    def make(_: Path) -> bytes:
        text = above + patients().to_csv(**how).replace("\n", f"{end}\r\n")
        return text.encode("utf-8-sig" if "sep" in how else "utf-8")

    return make


def by_library(ending: str, **how: Any) -> Callable[[Path], bytes]:
    def make(folder: Path) -> bytes:
        path, table = folder / f"t.{ending}", patients()
        # Dates in Parquet are no texts, and are refused by its schema.
        WRITERS[ending](table.drop(columns="seen") if ending == "parquet" else table, path, **how)
        return path.read_bytes()

    return make


LABELS = {"smokes": {1: "never", 2: "former", 3: "current"}}
GERMAN = {"index": False, "sep": ";", "decimal": ",", "date_format": "%d.%m.%Y"}
FILES = {
    "pandas.csv": as_csv(),
    "redcap.csv": as_csv(index=False),
    "r.csv": as_csv(na_rep="NA", quoting=csv.QUOTE_NONNUMERIC),
    "excel.csv": as_csv(**GERMAN),
    "excel-sep.csv": as_csv("sep=;\r\n", **GERMAN),
    "titles.csv": as_csv("Clinic 3\r\n\r\nmade up, 2024\r\n", index=False),
    "template.csv": as_csv(end=",", index=False),
    "excel.xlsx": by_library("XLSX"),
    "spss.sav": by_library("sav", variable_value_labels=LABELS),
    "stata.dta": by_library("dta", variable_value_labels=LABELS),
    "sas.xpt": by_library("xpt"),
    "frame.parquet": by_library("parquet"),
}


@pytest.mark.parametrize("name", FILES)
def test_columns_of_a_file_are_proposed_rightly_or_asked(name: str, tmp_path: Path):
    content = FILES[name](tmp_path)
    form = proposed_format(name, content) if name.endswith("csv") else TextFileFormat()
    found = {
        p.name: p
        for p in propose_columns(open_table(Upload(name, content), form).first_rows(5000), form)
    }
    outcomes = {n: outcome(one, RIGHT.get(n, "out")) for n, one in found.items()}
    assert outcomes == dict.fromkeys(found, "right"), found
    unnamed = {"pandas.csv": {"column 1"}, "r.csv": {"column 1"}, "template.csv": {"column 8"}}
    assert {*found} - {*RIGHT} == unnamed.get(name, set())
    assert {*found} >= {*RIGHT} - {"seen"}
