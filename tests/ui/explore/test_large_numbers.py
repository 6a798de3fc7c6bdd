"""With ten million people the charts of Explore write counts as people read them."""

import json
import re
from dataclasses import replace

import pytest

from tests.ui.explore.test_screen import RIVALS, drawn, rand, view
from ui.explore.measurements import Study


def axes_of(value):
    """Return all axes of a content."""
    if isinstance(value, list):
        return [axis for item in value for axis in axes_of(item)]
    if not isinstance(value, dict):
        return []
    own = [value] if "tickformat" in value else []
    return own + [axis for item in value.values() for axis in axes_of(item)]


@pytest.mark.parametrize(("people", "form"), [(5912.0, ",~r"), (1e7, "~s")])
def test_no_count_is_written_as_a_power(people, form):
    study = Study(rand(), replace(view(), n=people), RIVALS[:1])
    study.advance(1)
    content = drawn(study)
    forms = [axis["tickformat"] for axis in axes_of(content)]
    assert sum(each == form for each in forms) == 2, "noise and eigenvalues"
    assert ",~g" not in forms
    # Under the pointer too: D3's "g" writes 218,000 as 2.18e+5.
    said = re.findall(r"%\{y:,[^}]*\}", json.dumps(content))
    assert said
    assert all(each.endswith("~r}") for each in said)
