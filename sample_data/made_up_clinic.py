"""A made-up clinic: 2,671 visits of 900 patients who do not exist, and its codebook.

The file, drawn from a seed, has what real exports have: units and a decimal comma in cells, codes
for missing values. The codebook has 13 of its 15 columns, and two that it lacks.
"""

import gzip
from functools import cache
from pathlib import Path

FILE_NAME = "made-up-clinic.csv"
CODEBOOK_FILE_NAME = "made-up-clinic-codebook.csv"
MADE_UP = "made up: no person in it"
_FOLDER = Path(__file__).parent


@cache
def clinic_csv() -> bytes:
    """Return the clinic's table as a CSV file in UTF-8: a header and 2,671 lines."""
    return gzip.decompress((_FOLDER / f"{FILE_NAME}.gz").read_bytes())


def codebook_csv() -> bytes:
    """Return the clinic's codebook as a CSV file, one line a column."""
    return (_FOLDER / CODEBOOK_FILE_NAME).read_bytes()


CLINIC_HEADER = tuple(clinic_csv().decode().splitlines()[0].split(","))
