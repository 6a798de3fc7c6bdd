"""Three sets that scikit-learn carries, between public ranges."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dpca_core.data.clipping import centred, to_ball, to_unit_range
from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Unit
from sample_data.source import NO_CATEGORIES, PUBLIC_SIZE, Source, ball, centre

_PIXEL_MAX = 16.0
_TUMOUR_RANGES = {
    "radius": 30, "texture": 40, "perimeter": 200, "area": 2500, "smoothness": 0.2,
    "compactness": 0.5, "concavity": 0.5, "concave points": 0.25, "symmetry": 0.4,
    "fractal dimension": 0.1,
}  # fmt: skip
"""Upper ends for the means over a tumour's nuclei; the worst values get twice as much, the errors
a quarter."""
_WINE_RANGES = {
    "alcohol": (10, 16), "malic_acid": (0, 6), "ash": (1, 4), "alcalinity_of_ash": (10, 30),
    "magnesium": (60, 180), "total_phenols": (0, 5), "flavanoids": (0, 5),
    "nonflavanoid_phenols": (0, 1), "proanthocyanins": (0, 4), "color_intensity": (0, 15),
    "hue": (0, 2), "od280/od315_of_diluted_wines": (1, 5), "proline": (0, 2000),
}  # fmt: skip


def _scikit_datasets() -> Any:
    try:
        from sklearn import datasets
    except ModuleNotFoundError as error:
        raise ImportError(
            "This data set is scikit-learn's: "
            "pip install '.[sklearn]' in this project’s folder adds it."
        ) from error
    return datasets


def load_digits(key: str) -> Dataset:
    """1,797 images of 8 × 8 pixels, 0 to 16, about mid-grey; a row divided by its largest norm, 8.

    Grey levels have a public range by construction: nothing is ever clipped.
    """
    datasets = _scikit_datasets()

    pixels = datasets.load_digits().data
    rows = to_ball((pixels - _PIXEL_MAX / 2) / (_PIXEL_MAX / 2), 8.0)
    return _dataset(
        DIGITS,
        key,
        rows.values,
        tuple(f"row {i + 1}, column {j + 1}" for i in range(8) for j in range(8)),
        bound="pixels run from 0 to 16: no row can be longer than 1",
        image_shape=(8, 8),
        middle="mid-grey is subtracted, which is public",
    )


def _ranged(source: Source, key: str, bunch: Any, ranges: list[tuple[float, float]]) -> Dataset:
    """Map public ranges to [−1, 1] and divide by √d: every row fits the ball."""
    low, high = np.array(ranges, dtype=float).T
    cells = to_unit_range(bunch.data, low, high)
    d = len(ranges)
    free = centred(bunch.data, low, high) / np.sqrt(d)
    names = tuple(str(name).replace("_", " ") for name in bunch.feature_names)
    return _dataset(
        source,
        key,
        to_ball(cells.values, np.sqrt(d)).values,
        names,
        bound=f"public column ranges, R = √{d}",
        measured=f"{cells.share * 100:.1f}\u00a0% of values clipped",
        middle="none: the origin is the middle of the public ranges",
        clipped_cells=cells.share,
        unclipped_moment=free.T @ free,
    )


def load_breast_cancer(key: str) -> Dataset:
    """569 tumours, 30 measurements each, between round public ranges from 0."""
    datasets = _scikit_datasets()

    bunch = datasets.load_breast_cancer()
    factors = {"mean": 1.0, "error": 0.25, "worst": 2.0}

    def upper(name: str) -> float:
        kind = next(word for word in factors if word in name.split())
        measure = name.replace(kind, "").strip()
        return factors[kind] * _TUMOUR_RANGES[measure]

    return _ranged(BREAST_CANCER, key, bunch, [(0, upper(str(n))) for n in bunch.feature_names])


def load_wine(key: str) -> Dataset:
    """178 wines, 13 chemical measurements each, between round public ranges."""
    datasets = _scikit_datasets()

    bunch = datasets.load_wine()
    return _ranged(WINE, key, bunch, [_WINE_RANGES[str(n)] for n in bunch.feature_names])


def _dataset(
    source: Source,
    key: str,
    rows: Any,
    columns: tuple[str, ...],
    *,
    bound: str,
    middle: str,
    measured: str = "",
    **more: Any,
) -> Dataset:
    return Dataset(
        key=key,
        name=source.name,
        short=source.short,
        rows=rows,
        columns=columns,
        unit=source.unit,
        public=True,
        origin=source.origin,
        licence=source.licence,
        disclosures=(ball(bound, measured), centre(middle), NO_CATEGORIES, PUBLIC_SIZE),
        **more,
    )


def _source(key: str, name: str, unit: Unit, load: Callable[[str], Dataset], **more: Any) -> Source:
    return Source(
        key=key,
        name=name,
        load=load,
        unit=unit,
        licence="CC BY 4.0",
        **more,
    )


DIGITS = _source(
    "digits",
    "Handwritten digits",
    Unit("image", "images"),
    load_digits,
    short="Digits",
    default_k=4,
    description="1,797 handwritten digits of 43 people, 8 × 8 pixels; directions are images.",
    origin="scikit-learn load_digits; UCI Optical Recognition of Handwritten Digits (test set)",
)
BREAST_CANCER = _source(
    "breast_cancer",
    "Breast cancer, Wisconsin",
    Unit("tumour", "tumours"),
    load_breast_cancer,
    short="Breast cancer",
    default_k=2,
    description="569 tumours, 30 measurements of cell nuclei each.",
    origin="scikit-learn load_breast_cancer; UCI Breast Cancer Wisconsin (Diagnostic)",
)
WINE = _source(
    "wine",
    "Wine",
    Unit("wine", "wines"),
    load_wine,
    short="Wine",
    default_k=2,
    description="178 wines, 13 chemical measurements each: too few for most mechanisms.",
    origin="scikit-learn load_wine; UCI Wine",
)
