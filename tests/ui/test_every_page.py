"""What every page does: it opens on any data."""

import numpy as np
import pytest

from dpca_core.data.dataset import Dataset
from tests.opened_page import hurry, open_page, page_at
from tests.paths import PAGES

EVERY_PAGE = pytest.mark.parametrize("page", PAGES)


def table(rows, columns):
    values = np.random.default_rng(0).normal(size=(rows, columns)) / 9
    names = tuple(f"c{i}" for i in range(columns))
    return Dataset("upload:mine:1", "mine.csv", values, names)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    hurry(monkeypatch)


@EVERY_PAGE
@pytest.mark.parametrize("shape", [(60, 2), (25, 3), (5, 8)])
def test_it_opens_on_a_small_table_of_ones_own(page, shape):
    """Fewer columns than settings by default; fewer rows than columns."""
    data = table(*shape)
    opened = page_at(page, data=data.key, source="data", spectrum="data")
    opened.session_state["datasets"] = {data.key: data}
    opened.run()
    assert not opened.exception
    assert not opened.info
    written = [block.value for kind in ("markdown", "caption") for block in opened.get(kind)]
    assert not any(" nan" in text for text in written)


@EVERY_PAGE
def test_it_opens_on_sums_without_rows(page):
    opened = open_page(page, data="covtype", k="3", source="data", spectrum="data")
    assert not opened.exception
