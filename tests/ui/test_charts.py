"""Every chart of every page: Plotly takes it, each curve has a name, no words are in the way."""

from dataclasses import replace

import pytest

from tests.built_in_sets import EVERY_SET_AND_K, loaded
from tests.page_charts import assert_charts
from tests.ui.sample_size.test_sample_size import START
from ui.sample_size.figures import page_content as sample_size
from ui.sample_size.measurements import SampleSizeMeasurements
from ui.sample_size.query import default_keys


@pytest.mark.parametrize("changes", [{}, {"level": 0.999}, {"keys": default_keys(), "delta": 0.0}])
def test_charts_of_made_up_spectra(changes):
    assert_charts(sample_size(replace(START, **changes), SampleSizeMeasurements()))


@EVERY_SET_AND_K
def test_charts_of_people_needed(key, k):
    data = loaded(key)
    asked = replace(START, data=data, k=min(k, data.d - 1), kind="captured")
    assert_charts(sample_size(asked, SampleSizeMeasurements()))
