"""What a component receives is what was sent, to seven digits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from ui.figures.packed_content import decode, encode, float32

VALUES = st.floats(-1e30, 1e30) | st.just(float("nan")) | st.just(float("inf"))


@given(arrays(np.float64, array_shapes(max_dims=3, min_side=1, max_side=5), elements=VALUES))
def test_arrays_arrive_to_seven_digits_and_what_is_not_finite_as_null(values):
    found = np.array(decode(encode({"a": [{"b": float32(values)}]}))["a"][0]["b"], dtype=float)
    expected = np.where(np.isfinite(values), values, np.nan)
    assert found.shape == values.shape
    assert found == pytest.approx(expected, rel=1e-7, abs=1e-37, nan_ok=True)


def test_everything_else_stays_as_it_is():
    content = {"text": "ε ≤ 1", "none": None, "list": [1, 2.5, {"x": [True, "y"]}]}
    assert decode(encode(content)) == content


@pytest.mark.parametrize("value", [np.arange(3), np.ones(3), {1, 2}, b"raw"])
def test_what_has_no_form_for_the_wire_is_refused(value):
    with pytest.raises(TypeError, match="content may not hold"):
        encode({"a": value})
