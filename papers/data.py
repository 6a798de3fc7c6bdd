"""Rows of the real data sets as the papers prepared them: ``data.md`` says where they come from.

Files are looked for in the folder that the environment's ``DPCA_DATA`` names. The sums of a set
that ships are made by ``python -m papers.data KEY``.
"""

import argparse
import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dpca_core.linalg.arrays import Array
from sample_data.paper_sums import Sums, read_sums, write_sums

if TYPE_CHECKING:
    from pandas import DataFrame

KDDCUP, COVTYPE = "kddcup99_10pct.parquet", "covtype.parquet"
CENSUS, INSURANCE = "census_income_kdd_nominal_full.parquet", "coil2000_insurance.parquet"
MNIST, COLON, LEUKEMIA = "mnist_train.npz", "colon.npz", "leukemia.npz"
KDDCUP_CATEGORIES = ["protocol_type", "service", "flag"]
INSURANCE_CATEGORIES = ["MOSTYPE", "MOSHOOFD", "MGEMLEEF"]
"""Nominal columns of CoIL 2000 in the words of its dictionary: main type, main group, age."""


class DataMissingError(Exception):
    """A data file is not at hand; its message is one sentence that names it."""


def path_of(name: str) -> Path | None:
    """Return where a data file is; None where it is not at hand."""
    folder = os.environ.get("DPCA_DATA", "")
    path = Path(folder) / name
    return path if folder and path.is_file() else None


def required(name: str) -> Path:
    """Return where a data file is; ``DataMissingError`` where it is not at hand."""
    path = path_of(name)
    if path is None:
        raise DataMissingError(
            f"{name} is not at hand: put it into a folder and name that folder in DPCA_DATA "
            "(papers/data.md says where the file comes from)."
        )
    return path


def table_of(name: str) -> "DataFrame":
    """Read a Parquet file; ``DataMissingError`` where it is not at hand."""
    from pandas import read_parquet

    return read_parquet(required(name))


def one_hot(table: "DataFrame") -> tuple[Array, tuple[str, ...]]:
    """Return a column for each value that occurs, (n, c), and names such as "sex: Female"."""
    from pandas import get_dummies

    dummies = get_dummies(table.astype("category"), prefix_sep=": ")
    kept = dummies.loc[:, dummies.any()]
    return kept.to_numpy(dtype=float), tuple(map(str, kept.columns))


def longest_norm(rows: Array) -> float:
    """Largest Euclidean norm of a row."""
    return float(np.sqrt(np.einsum("ij,ij->i", rows, rows).max()))


def by_maximum(rows: Array) -> Array:
    """Columns by their maxima, then all rows by the one largest norm: both read private data."""
    scaled = np.asarray(rows / rows.max(axis=0))
    scaled /= longest_norm(scaled)
    return scaled


def own_length(rows: Array) -> Array:
    """Divide each row by its own norm."""
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


@cache
def kddcup_raw() -> tuple[Array, tuple[str, ...], Any]:
    """Rows (494021, 116) as they stand, names of columns, and each row's label.

    80 columns of categories and 36 numbers; two numbers that are 0 throughout are left out.
    """
    table = table_of(KDDCUP)
    labels = table.pop("label").astype(str).to_numpy()
    categories, names = one_hot(table[KDDCUP_CATEGORIES])
    numbers = table.drop(columns=KDDCUP_CATEGORIES)
    numbers = numbers.loc[:, numbers.max() > 0]
    rows = np.hstack([categories, numbers.to_numpy(dtype=float)])
    return rows, (*names, *map(str, numbers.columns)), labels


def kddcup_rows() -> tuple[Array, Any]:
    """Rows (494021, 116) as Chaudhuri et al. 2013 prepared them, and labels."""
    rows, _, labels = kddcup_raw()
    return by_maximum(rows), labels


@cache
def covtype_raw() -> tuple[Array, tuple[str, ...], Array]:
    """Rows (581012, 54) as they stand, names of columns, and the type of forest."""
    table = table_of(COVTYPE)
    types = table.pop("Cover_Type").to_numpy()
    return table.to_numpy(dtype=float), tuple(map(str, table.columns)), types


def insurance_rows(*, five: bool = False) -> Array:
    """Rows (9822, d) of CoIL 2000: three nominal columns one-hot, the rest as numbers, d = 139.

    The paper has 150 columns and does not say which are coded how. With ``five`` the five columns
    of codes are one-hot, without what is predicted.
    """
    table, codes = table_of(INSURANCE).drop(columns="split"), INSURANCE_CATEGORIES
    if five:
        table = table.drop(columns="CARAVAN")
        codes = list(table.columns[:5])
    categories, _ = one_hot(table[codes])
    return by_maximum(np.hstack([categories, table.drop(columns=codes).to_numpy(dtype=float)]))


def mnist() -> tuple[Array, Array]:
    """Images (60000, 784), 0 to 255, and their digits."""
    with np.load(required(MNIST)) as file:
        arrays = [file[name] for name in file]
    images, digits = sorted(arrays, key=np.ndim, reverse=True)
    return images.reshape(len(images), -1), digits


def expression_rows(name: str) -> Array:
    """Rows of a gene-expression file, each divided by its own norm."""
    with np.load(required(name)) as file:
        return own_length(file["X"].astype(float))


def error_of(projected: Array, labels: Any, trained: int) -> float:
    """Percentage of rows (n, k), but the first ``trained``, that a linear SVM on those gets wrong.

    C is 1; there are two classes.
    """
    from sklearn.svm import LinearSVC

    fitted = LinearSVC(C=1.0, dual=False, tol=1e-6).fit(projected[:trained], labels[:trained])
    return 100 * float((fitted.predict(projected[trained:]) != labels[trained:]).mean())


def sums_of(rows: Array, columns: tuple[str, ...], longest: dict[str, float]) -> Sums:
    """Sum up rows as they stand."""
    low, high = rows.min(axis=0), rows.max(axis=0)
    return Sums(len(rows), columns, rows.T @ rows, rows.sum(axis=0), low, high, longest)


def sums(key: str) -> Sums:
    """Sum up a set as it ships: of census only columns of categories are at hand."""
    if key == "census":
        table = table_of(CENSUS).drop(columns="income")
        return sums_of(*one_hot(table), {"one-hot": float(np.sqrt(table.shape[1]))})
    rows, columns, _ = kddcup_raw() if key == "kddcup" else covtype_raw()
    if key == "covtype_unit":
        return sums_of(own_length(rows), columns, {"own length": 1.0})
    low, high = rows.min(axis=0), rows.max(axis=0)
    if key == "kddcup":
        return sums_of(rows, columns, {"by maximum": longest_norm(rows / high)})
    centred = longest_norm(rows - rows.sum(axis=0) / len(rows))
    ranged = longest_norm((rows - low) / (high - low))
    return sums_of(rows, columns, {"centred": centred, "min–max": ranged})


def main() -> None:
    """Write the sums of a set into ``sample_data``."""
    parser = argparse.ArgumentParser(prog="python -m papers.data", description=__doc__)
    parser.add_argument("key", choices=("kddcup", "covtype", "covtype_unit", "census"))
    key = parser.parse_args().key
    try:
        write_sums(key, sums(key))
    except DataMissingError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    made = read_sums(key)
    print(f"{key}.npz: {made.people:,} rows, {len(made.columns)} columns")


if __name__ == "__main__":
    main()
