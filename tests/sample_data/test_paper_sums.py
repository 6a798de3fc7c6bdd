"""Real sets of the papers: how rows are prepared, and what their sums hold."""

import numpy as np
import pandas as pd
import pytest

from papers import data as papers_data
from sample_data import load_key
from sample_data.paper_sums import read_sums, write_sums
from tests.real_data import needs

KNOWN = {
    # people, d, k, share of the trace, what PCA captures of a row
    "kddcup": (494_021, 116, 4, 0.9603, 0.6655),
    "covtype": (581_012, 54, 2, 0.9698, 0.1239),
    "covtype_ranged": (581_012, 54, 10, 0.8977, 0.5780),
    "covtype_unit": (581_012, 54, 2, 0.9528, 0.9528),
    "census": (299_285, 503, 8, 0.8146, 0.8146),
}


@pytest.mark.parametrize("key", KNOWN)
def test_sums_are_those_of_the_rows(key):
    data, (people, d, k, share, captured) = load_key(key), KNOWN[key]
    assert (data.people, data.d) == (people, d)
    spectrum = data.problem(k).spectrum
    assert spectrum[:k].sum() / spectrum.sum() == pytest.approx(share, abs=5e-5)
    assert spectrum[:k].sum() / people == pytest.approx(captured, abs=5e-5)


def test_sums_come_back_from_their_file_and_readings_agree_with_the_rows(monkeypatch, tmp_path):
    """A file holds the triangle alone, of whole numbers and of others."""
    monkeypatch.setattr("sample_data.paper_sums.FOLDER", tmp_path)
    whole = np.random.default_rng(1).integers(0, 9, (40, 3)).astype(float)
    for rows in (whole, whole / 3):
        centred = rows - rows.mean(axis=0)
        ranged = (rows - rows.min(axis=0)) / (rows.max(axis=0) - rows.min(axis=0))
        longest = {
            "centred": papers_data.longest_norm(centred),
            "min–max": papers_data.longest_norm(ranged),
        }
        write_sums(tmp_path / "covtype.npz", papers_data.sums_of(rows, ("a", "b", "c"), longest))
        with np.load(tmp_path / "covtype.npz") as file:
            assert len(file["gram"]) == 6
        assert read_sums("covtype").people == 40
        assert read_sums("covtype").gram == pytest.approx(rows.T @ rows)
        for key, expected in (("covtype", centred), ("covtype_ranged", ranged)):
            expected = expected / papers_data.longest_norm(expected)
            assert load_key(key).moment == pytest.approx(expected.T @ expected)


def test_without_the_rows_one_sentence_names_the_file(monkeypatch, capsys):
    monkeypatch.setenv("DPCA_DATA", "")
    monkeypatch.setattr("sys.argv", ["papers.data", "kddcup"])
    with pytest.raises(SystemExit, match="2"):
        papers_data.main()
    told = capsys.readouterr().err.strip()
    assert told.startswith("kddcup99_10pct.parquet is not at hand")
    assert "\n" not in told


@needs(papers_data.COVTYPE)
def test_the_recipe_gives_the_sums_that_ship():
    made, shipped = papers_data.sums("covtype"), read_sums("covtype")
    assert np.array_equal(made.gram, shipped.gram)
    assert made.longest == pytest.approx(shipped.longest)


def test_rows_are_prepared_as_the_paper_says():
    """By hand: texts one-hot, numbers over their maxima, empty columns left out, then one norm."""
    texts = {"protocol_type": ["tcp", "udp", "tcp"], "service": ["http"] * 3}
    numbers = {"src_bytes": [2, 8, 4], "urgent": [0, 0, 0]}
    table = pd.DataFrame({**texts, "flag": ["SF", "SF", "S0"], **numbers})
    # tcp, udp, http, S0, SF, src_bytes; the second row is the longest: 1 + 1 + 1 + 1.
    expected = np.array([[1, 0, 1, 0, 1, 0.25], [0, 1, 1, 0, 1, 1], [1, 0, 1, 1, 0, 0.5]]) / 2
    rows, names = papers_data.kddcup_columns(table)
    assert (names[0], names[-1]) == ("protocol_type: tcp", "src_bytes")
    np.testing.assert_allclose(papers_data.by_maximum(rows), expected)
