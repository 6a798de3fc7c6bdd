"""Ranges of entry forms are said to be very wide; ranges of measurements are not."""

import pytest

from sample_data.made_up_clinic_codebook import COLUMNS
from ui.owner.column import Cell, Column, Use
from ui.owner.wide_ranges import is_very_wide


def number(low: str, typical: str, high: str, use: Use = Use.NUMBER) -> Column:
    return Column("x", use, Cell(low), Cell(typical), Cell(high))


@pytest.mark.parametrize(
    ("low", "typical", "high", "wide"),
    [
        ("0", "55", "9999", True),
        ("0", "200", "9999", False),
        ("0", "200", "10001", True),
        ("-9999", "-75", "0", True),
        ("0", "", "9999", True),
        ("0", "", "999.99", True),
        ("0", "", "99", False),
        ("0", "", "9990", False),
        ("0", "0", "1", False),
        ("-1", "0", "1", False),
        ("", "1", "9999", False),
        ("0", "x", "9999", True),
        ("-1.7e308", "1", "1.7e308", True),
    ],
)
def test_very_wide(low: str, typical: str, high: str, wide: bool):
    assert is_very_wide(number(low, typical, high)) is wide


def test_only_numbers_have_a_width():
    assert not is_very_wide(number("0", "55", "9999", Use.OUT))
    assert not is_very_wide(number("0", "55", "9999", Use.CATEGORY))


def test_no_range_of_the_clinics_codebook_is_very_wide():
    numbers = [c for c in COLUMNS if c.low]
    assert len(numbers) == 11
    assert not any(is_very_wide(number(c.low, c.typical, c.high)) for c in numbers)
