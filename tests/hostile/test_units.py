"""Plotly draws a kind of HTML: what somebody calls the unit of privacy is text in every figure."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Number, Recipe
from dpca_core.preparation import prepare
from tests.ui.explore.answers import begun
from ui.explore.figures import page_content
from ui.explore.measurements import Study
from ui.sample_size import figures as sample_size
from ui.sample_size.measurements import SampleSizeMeasurements
from ui.sample_size.query import SampleSizeQuery, SampleSizeSettings

EVIL = "<a href='http://127.0.0.1:9'>unit</a>"


@pytest.fixture(scope="module")
def data() -> Dataset:
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(600, 3)), columns=[*"abc"])
    numbers = tuple(Number(name, -3, 3) for name in table)
    return prepare(table, Recipe(numbers, unit=Unit(EVIL, EVIL), bounds_are_public=True), "x")


def texts(value: Any) -> Iterator[str]:
    """All texts of a figure but those of its table, which is no markup."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            if name != "table":
                yield from texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts(each)


def assert_only_text(*figures: Any) -> None:
    found = [text for text in texts(list(figures)) if "href" in text]
    assert found
    assert not [text for text in found if "<a" in text]


def test_in_explore(data: Dataset) -> None:
    study = Study(data, replace(begun().query, n=600.0), ())
    study.first_paint(0)
    content = page_content(study, identity="x", epsilon=0.1, target=0.9, samples=None, public=False)
    assert_only_text(content["curves"])
    assert_only_text(content["beside"])


def test_in_sample_size(data: Dataset) -> None:
    now = SampleSizeSettings()
    start = begun().query
    query = SampleSizeQuery(
        data,
        now.d,
        now.gap,
        1,
        now.kind,
        now.level,
        now.share,
        1.0,
        1e-6,
        start.adjacency,
        now.keys,
    )
    content = sample_size.page_content(query, SampleSizeMeasurements())
    for chart in content["charts"][:1]:
        assert_only_text(chart["figure"])
