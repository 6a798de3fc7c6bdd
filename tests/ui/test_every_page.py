"""What every page does: it opens on any data, and its address brings back its settings."""

import numpy as np
import pytest

from dpca_core.data.dataset import Dataset
from tests.opened_page import hurry, open_page, page_at
from tests.paths import PAGES
from ui.state.settings import Settings

EVERY_PAGE = pytest.mark.parametrize("page", PAGES)


def table(rows, columns):
    values = np.random.default_rng(0).normal(size=(rows, columns)) / 9
    names = tuple(f"c{i}" for i in range(columns))
    return Dataset("upload:mine:1", "mine.csv", "mine.csv", values, names)


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


@pytest.mark.parametrize("page", ["claims", "eigengap", "explore", "local", "sample_size"])
def test_its_address_brings_back_its_settings(page):
    link = {"data": "wine", "k": "3", "epsilon": "2", "delta": "0.001", "seed": "5"}
    opened = open_page(page, **link, adjacency="replace_one")
    assert not opened.exception
    address = opened.query_params.items()
    again = open_page(page, **{k: v if isinstance(v, str) else v[0] for k, v in address})
    settings = [each.session_state["settings"] for each in (opened, again)]
    assert settings[0] == settings[1] != Settings()
