"""Numbers that may stand for a missing value: found where they lie apart, and only asked after."""

import numpy as np
import pandas as pd
import pytest

from dpca_core.detection import column_questions as ask
from dpca_core.detection.kinds import propose_columns
from dpca_core.detection.missing_codes import missing_codes

AGES = [*range(19, 98)]


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([*range(80, 240), 999], (999,)),
        ([*AGES, -1], (-1,)),
        ([-9, -8, *range(1, 50), 99], (-9, -8, 99)),
        ([*range(1, 11), 77, 88, 99], (77, 88, 99)),
        ([*range(0, 5), 9], (9,)),
        ([0, 1, 99], (99,)),
        ([0, 1, -1], (-1,)),
        ([*range(0, 40_000, 100), 99_999], (99_999,)),
        ([-99, *AGES, 999], (-99, 999)),
        ([1.5, 2.5, 3.25, 99.9], (99.9,)),
        ([*range(60, 90), 9998, 9999], (9998, 9999)),
    ],
)
def test_codes_are_found(values, codes):
    values = np.array(values, dtype=float)
    assert missing_codes(values, np.full(len(values), 3)) == codes


@pytest.mark.parametrize(
    "values",
    [
        [*AGES, 98, 99],
        [*range(-30, 40)],
        [-1, 1],
        [-2, 0, 2],
        [*range(900, 1000)],
        [99],
        [],
        [*range(0, 10)],
        [-1.5, -1, 3, 4],
    ],
)
def test_what_lies_among_the_others_is_no_code(values):
    values = np.array(values, dtype=float)
    assert missing_codes(values, np.full(len(values), 3)) == ()


def test_a_code_is_asked_and_noted():
    table = pd.DataFrame({"sbp": [*range(90, 190), 999], "age": [*AGES, *AGES[:21], -1]})
    sbp, age = propose_columns(table)
    assert (sbp.missing_code, age.missing_code) == ("999", "-1")
    assert [q.sentence for q in sbp.questions if q.key == ask.MISSING] == [
        "999: missing, or a real value?"
    ]
    both = pd.DataFrame({"x": [-1, *AGES, *AGES, 999]})
    (x,) = propose_columns(both)
    assert x.missing_code == "-1; 999"
    assert x.questions[-1].sentence == "-1 and 999: missing, or real values?"


@pytest.mark.parametrize("scale", [1, 1e-3, 1e3])
def test_finding_none_and_finding_one_do_not_depend_on_how_often_it_occurs(scale):
    values = np.array([*np.linspace(3, 9, 50) * scale, 999_999])
    for times in (1, 40):
        counts = np.array([5] * 50 + [times])
        assert missing_codes(values, counts) == (999_999,)
