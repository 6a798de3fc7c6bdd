"""The built-in data sets: real ones with origin and licence, and the papers' synthetic ones."""

from dpca_core.data.dataset import Dataset
from sample_data import paper_sums, rand, scikit, synthetic
from sample_data.source import Source, values_in

CATALOGUE: dict[str, Source] = {
    source.key: source
    for source in (
        rand.SOURCE,
        scikit.DIGITS,
        scikit.BREAST_CANCER,
        scikit.WINE,
        paper_sums.KDDCUP,
        paper_sums.COVTYPE,
        paper_sums.COVTYPE_RANGED,
        paper_sums.COVTYPE_UNIT,
        paper_sums.CENSUS,
        synthetic.CHAUDHURI,
        synthetic.IMTIAZ,
        synthetic.WANG_XU,
    )
}


def source_of(key: str) -> Source | None:
    """Return the source a key such as "rand" or "wangxu?p=80" belongs to; None for others."""
    return CATALOGUE.get(key.partition("?")[0])


def load_key(key: str) -> Dataset:
    """Load a built-in data set by its self-describing key.

    Raises
    ------
    ValueError
        For an unknown set, or a parameter that is unknown, no number or out of range.
    """
    source = source_of(key)
    if source is None:
        raise ValueError(f"No built-in data set is called {key}.")
    return source.make(values_in(key))
