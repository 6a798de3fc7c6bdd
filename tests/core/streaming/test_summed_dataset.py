"""The first rows of a table on the server, and its sum as a data set."""

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from dpca_core import Budget
from dpca_core.data.errors import RecipeError, TableError
from dpca_core.data.recipe import Scaling
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.preparation import prepare
from dpca_core.readers.preview import BYTES, ROWS, proposed_format_of, read_first_rows
from dpca_core.streaming.row_sample import RowSample
from dpca_core.streaming.second_moment import second_moment
from dpca_core.streaming.summed_dataset import SAMPLED_ROWS, data_set
from tests.core.streaming.survey import RECIPE, people, survey_folder
from ui.compare.reproduction_script import loading_code


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return survey_folder(tmp_path, monkeypatch)


@pytest.mark.parametrize("packed", [False, True])
def test_the_first_rows_end_with_a_whole_line(tmp_path: Path, packed: bool) -> None:
    rows = 40_000
    text = "a;b;c\n" + "".join(f'{i},5;"x;y{"z" * 200}";{i % 7}\n' for i in range(rows))
    assert len(text) > BYTES
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    found = read_first_rows(path)
    assert 0 < len(found) < rows
    assert list(found["a"]) == [i + 0.5 for i in range(len(found))]
    assert proposed_format_of(path) == TextFileFormat(";", ",")
    assert read_first_rows(path, TextFileFormat(";", "."))["a"][1] == "1,5"
    people(3 * ROWS).to_parquet(tmp_path / "long.parquet")
    assert len(read_first_rows(tmp_path / "long.parquet")) == ROWS
    cut = tmp_path / ("cut.csv.gz" if packed else "cut.parquet")
    source = path if packed else tmp_path / "long.parquet"
    cut.write_bytes(source.read_bytes()[:5000])
    with pytest.raises(TableError, match="damaged"):
        read_first_rows(cut)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("step", [7, 40])
@pytest.mark.parametrize("merged", [True, False])
def test_every_row_is_as_likely_to_be_kept(step: int, merged: bool) -> None:
    """χ² of how often each of 40 rows is among 8, in 4,000 samples: its 10⁻⁷ limits."""
    rng, rows, counts = np.random.default_rng(5), np.arange(40.0)[:, None], np.zeros(40)
    for _ in range(4000):
        found = none = RowSample.none(8, 1)
        for start in range(0, 40, step):
            part = rows[start : start + step]
            found = found.merged(none.seen(part, rng)) if merged else found.seen(part, rng)
        assert len(found.rows) == 8
        counts[found.rows[:, 0].astype(int)] += 1
    # Without replacement the counts vary by 1 − 8/40 less than a multinomial's would.
    statistic = np.sum((counts - 800) ** 2 / 800) / (1 - 8 / 40) * 39 / 40
    assert chi2.ppf(5e-8, 39) < statistic < chi2.isf(5e-8, 39)


def test_a_sum_is_the_data_set_of_the_whole_table(folder: Path) -> None:
    table = pd.concat([people(3000, i) for i in range(6)], ignore_index=True)
    whole = prepare(table, RECIPE, "x")
    summed = data_set(second_moment(folder / "parts", RECIPE, sample=SAMPLED_ROWS), "x")
    np.testing.assert_allclose(summed.moment, whole.moment, rtol=1e-12)
    assert (summed.people, summed.columns, summed.d) == (18_000, whole.columns, whole.d)
    assert summed.clipped_cells == pytest.approx(whole.clipped_cells)
    assert summed.clipped_rows == pytest.approx(whole.clipped_rows)
    assert summed.disclosures == whole.disclosures
    assert summed.private
    budget = Budget(1.0, 1e-6)
    ours, theirs = (data.point(2, None, budget)[0] for data in (summed, whole))
    np.testing.assert_allclose(ours.spectrum, theirs.spectrum, rtol=1e-10)
    every = {row.tobytes() for row in whole.rows}
    assert summed.rows.shape == (SAMPLED_ROWS, 4)
    assert all(row.tobytes() in every for row in summed.rows)
    again = data_set(second_moment(people(99), RECIPE, sample=10), "survey")
    assert summed.identity == summed.key != again.identity
    assert "survey" not in again.identity


def test_what_a_sum_cannot_be() -> None:
    found = second_moment(people(100), RECIPE, sample=5)
    with pytest.raises(RecipeError, match="private mean"):
        data_set(replace(found, recipe=replace(RECIPE, scaling=Scaling.PRIVATE_MEAN)), "x")
    with pytest.raises(RecipeError, match="Usable rows: 1; at least two"):
        data_set(second_moment(people(1), RECIPE, sample=5), "x")
    with pytest.raises(ValueError, match="sample"):
        data_set(second_moment(people(100), RECIPE), "x")


def test_the_script_of_a_comparison_sums_up_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    data = data_set(
        second_moment(Path("survey/parts"), RECIPE, sample=SAMPLED_ROWS), "survey/parts"
    )
    lines, known = loading_code(data), {}
    assert "survey" not in lines
    exec(compile(lines.replace("PATH_TO_YOUR_FILE", "survey/parts"), "script", "exec"), known)
    np.testing.assert_allclose(known["data"].moment, data.moment, atol=1e-9)
