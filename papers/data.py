"""Which data of the papers are at hand, where the others come from, and the sums that ship.

    python -m papers.data
    python -m papers.data --make kddcup

Nothing is downloaded: a missing file is fetched by the line that is printed beside it.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass

from papers import tables
from sample_data.paper_sums import Sums, path_of_sums, read_sums, write_sums


@dataclass(frozen=True)
class DataFile:
    """A file of real data.

    Attributes
    ----------
    file
        Its name in the folder of ``DPCA_DATA``; "" where none is known.
    used
        The figures and tables that it is for.
    terms
        Under which terms it is published.
    fetch
        The line that fetches it, or where it is.
    recipe
        How its sums are made, where they come with the product.
    """

    key: str
    file: str
    used: str
    terms: str
    fetch: str
    recipe: str = ""
    sums: Callable[[], Sums] | None = None


_SKLEARN = 'python -c "from sklearn.datasets import {0}; {0}({1})"'
_OPENML = 'python -c "from sklearn.datasets import fetch_openml; fetch_openml({0})"'
_UCI = "archive.ics.uci.edu: {0}"
FILES = (
    DataFile(
        "kddcup",
        tables.KDDCUP,
        "Chaudhuri et al.: Tables 1 and 2, Figures 2(a) and 3(b)",
        "CC BY 4.0 (UCI)",
        _SKLEARN.format("fetch_kddcup99", "percent10=True"),
        "protocol, service and flag one-hot (80 columns), 36 numbers that are not 0 throughout; "
        "divided by the maxima and by the one largest norm when it is read",
        tables.kddcup_sums,
    ),
    DataFile(
        "covtype",
        tables.COVTYPE,
        "Imtiaz & Sarwate: Figures 1(b) and 2(b), Table 1",
        "CC BY 4.0 (UCI)",
        _SKLEARN.format("fetch_covtype", ""),
        "54 columns without the type of forest, whole numbers; centred or mapped to 0 to 1, and "
        "divided by the one largest norm, when it is read",
        tables.covtype_sums,
    ),
    DataFile(
        "covtype_unit",
        tables.COVTYPE,
        "Wang & Xu: Figures 1 and 2",
        "CC BY 4.0 (UCI)",
        _SKLEARN.format("fetch_covtype", ""),
        "54 columns without the type of forest; every row divided by its own norm",
        tables.covtype_unit_sums,
    ),
    DataFile(
        "census",
        tables.CENSUS,
        "Chaudhuri et al.: Table 1, Figure 3(a)",
        "CC BY 4.0 (UCI)",
        _UCI.format("Census-Income (KDD), training and test part, the 33 columns of categories"),
        "33 columns of categories without income, one-hot; divided by √33 when it is read",
        tables.census_sums,
    ),
    DataFile(
        "insurance",
        tables.INSURANCE,
        "Chaudhuri et al.: Table 1, Figures 2(b) and 4(b)",
        "for research that is not commercial, further use by permission: not shipped",
        _UCI.format("Insurance Company Benchmark (COIL 2000), the three files side by side"),
    ),
    DataFile(
        "localization",
        "",
        "Chaudhuri et al.: Tables 1 and 2, Figure 4(a)",
        "CC BY 4.0 (UCI)",
        _UCI.format("Localization Data for Person Activity (set 196)"),
    ),
    DataFile(
        "mnist",
        tables.MNIST,
        "Imtiaz & Sarwate: Table 1",
        "terms differ from copy to copy: not shipped",
        _OPENML.format('"mnist_784"'),
    ),
    DataFile(
        "colon",
        tables.COLON,
        "Wang & Xu: Tables 1 and 2",
        "no terms stated: not shipped",
        "scikit-feature, skfeature/data/colon.mat",
    ),
    DataFile(
        "leukemia",
        tables.LEUKEMIA,
        "Wang & Xu: Tables 1 and 2",
        "no terms stated: not shipped",
        "scikit-feature, skfeature/data/leukemia.mat",
    ),
    DataFile(
        "buzz",
        "",
        "Wang & Xu: Figures 1 and 2",
        "CC BY 4.0 (UCI)",
        _UCI.format("Buzz in social media"),
    ),
    DataFile(
        "year",
        "",
        "Wang & Xu: Figures 1 and 2",
        "CC BY 4.0 (UCI)",
        _UCI.format("YearPredictionMSD"),
    ),
)
MADE = {file.key: file for file in FILES if file.sums is not None}


def listing() -> str:
    """Return what is here and what is missing, with where it comes from."""
    lines = []
    for file in FILES:
        here = bool(file.file) and tables.path_of(file.file) is not None
        state = "rows here" if here else "rows missing"
        if file.key in MADE and path_of_sums(file.key).is_file():
            state += ", sums in the product"
        lines.append(f"{file.key:13}{state}\n    for    {file.used}\n    terms  {file.terms}")
        if not here:
            name = f", as {file.file} in the folder of DPCA_DATA" if file.file else ""
            lines.append(f"    from   {file.fetch}{name}")
    return "\n".join(lines)


def make(key: str) -> str:
    """Write the sums of a set, and return its recipe and size.

    Raises
    ------
    DataMissingError
        Where its rows are not at hand.
    """
    file = MADE[key]
    assert file.sums is not None
    path = path_of_sums(key)
    write_sums(path, file.sums())
    sums = read_sums(key)
    return (
        f"{path.name}: {sums.people:,} rows, {len(sums.columns)} columns, "
        f"{path.stat().st_size:,} bytes\n{file.recipe}"
    )


def main() -> None:
    """List, or make."""
    parser = argparse.ArgumentParser(prog="python -m papers.data", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--make", choices=list(MADE), help="write a set's sums into sample_data")
    asked = parser.parse_args()
    try:
        print(make(asked.make) if asked.make else listing())
    except tables.DataMissingError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
