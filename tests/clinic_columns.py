"""The columns of the made-up clinic's codebook, as text."""

import csv
import io
from typing import NamedTuple

from sample_data.made_up_clinic import codebook_csv


class Described(NamedTuple):
    """A column: the ends of a number, or the values of a category; "" and () for neither."""

    name: str
    low: str
    typical: str
    high: str
    values: tuple[str, ...]
    missing: str


COLUMNS = tuple(
    Described(
        line["column"],
        line["low"],
        line["typical"],
        line["high"],
        tuple(filter(None, line["values"].split("; "))),
        line["missing"],
    )
    for line in csv.DictReader(io.StringIO(codebook_csv().decode("utf-8")))
)
