"""What Compare recommends follows from public settings alone."""

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.privacy.budget import Adjacency
from ui.compare.query import CompareQuery
from ui.compare.text import FROM_PUBLIC, recommendation


def test_two_data_sets_with_equal_settings_get_the_same_words() -> None:
    """Other rows, and another number of them, change no word."""
    query = CompareQuery(
        (), "epsilon", 0.5, 1e-6, 500.0, 3, Adjacency.ADD_OR_REMOVE_ONE, seed=0, trials=20,
        equalise=False,
    )  # fmt: skip
    rng = np.random.default_rng(0)
    columns = tuple("abcdefghijkl")
    said = {
        recommendation(
            Dataset(f"k{n}", "Rows", "rows", scale * rng.random((n, 12)) / 12, columns), query
        )
        for n, scale in ((30, 1.0), (900, 0.1), (2000, 3.0))
    }
    assert len(said) == 1
    (words,) = said
    assert words.startswith(FROM_PUBLIC.format(epsilon="0.5"))
    assert "Second look keeps most for about" in words
