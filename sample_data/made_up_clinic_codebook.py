"""What the made-up clinic's codebook says of its columns: public ranges, lists and codes.

Round numbers that anybody could have written without the table.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Described:
    """One column of the codebook, as text.

    Attributes
    ----------
    low, typical, high
        Of a number; empty for a category.
    values
        Of a category; empty for a number.
    missing
        A code that stands for "not measured".
    source
        Where the range comes from, in the words of the page *Your data*.
    decimal_comma
        Whether the table writes 3,3 for 3.3 here.
    """

    name: str
    low: str = ""
    typical: str = ""
    high: str = ""
    unit: str = ""
    missing: str = ""
    values: tuple[str, ...] = ()
    source: str = "codebook"
    decimal_comma: bool = False


_LAW = "law or physics"
COLUMNS = (
    Described("age", "0", "55", "110", "years", missing="-1"),
    Described("sex", values=("F", "M")),
    Described("sbp", "60", "125", "260", "mmHg", missing="999"),
    Described("dbp", "30", "75", "160", "mmHg"),
    Described("temp", "30", "37", "43", "°C"),
    Described("bmi", "10", "26", "70", "kg/m²", source=_LAW),
    Described("hba1c", "3", "5.8", "18", "%"),
    Described("creatinine", "20", "90", "400", "µmol/L"),
    Described("ldl", "0", "3", "10", "mmol/L", decimal_comma=True),
    Described("hr", "30", "75", "220", "per min"),
    Described("smoker", values=("never", "former", "current")),
    Described("los_days", "0", "4", "60", "days", source=_LAW),
    Described("ward", values=("A1", "A2", "B1", "ICU")),
    Described("site", values=("north", "south")),
    Described("died", "0", "0", "1", "yes/no", source=_LAW),
)
"""In the codebook's own order; temp and site are not in the table."""
