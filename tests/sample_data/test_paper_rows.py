"""Data of the papers, prepared as they say, give the numbers that they print."""

import numpy as np
import pandas as pd

from papers.tables import by_maximum, kddcup_columns


def test_rows_are_prepared_as_the_paper_says():
    """By hand: texts one-hot, numbers over their maxima, empty columns left out, then one norm."""
    table = pd.DataFrame(
        {
            "protocol_type": pd.Categorical(["tcp", "udp", "tcp"], ["icmp", "tcp", "udp"]),
            "service": pd.Categorical(["http"] * 3),
            "flag": pd.Categorical(["SF", "SF", "S0"]),
            "src_bytes": [2, 8, 4],
            "urgent": [0, 0, 0],
            "label": ["normal."] * 3,
        }
    )
    # tcp, udp, http, S0, SF, src_bytes; the second row is the longest: 1 + 1 + 1 + 1.
    expected = np.array([[1, 0, 1, 0, 1, 0.25], [0, 1, 1, 0, 1, 1], [1, 0, 1, 1, 0, 0.5]]) / 2
    rows, names = kddcup_columns(table.drop(columns="label"))
    assert names[0] == "protocol_type: tcp"
    assert names[-1] == "src_bytes"
    np.testing.assert_allclose(by_maximum(rows), expected)
