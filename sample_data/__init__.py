"""The built-in data sets: real ones with origin and licence, and the papers' synthetic ones."""

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Unit
from dpca_core.mechanisms.mechanism import Parameter
from sample_data import paper_sums, real_sets, synthetic
from sample_data.source import Source, values_in

_PATCH = Unit("patch of forest", "patches of forest")
_COVTYPE_ORIGIN = "UCI Covertype; Blackard 1998"
_NO_LICENCE = "none needed, as the data are generated"
_STRONG = "Strong directions"
_RADIUS = Parameter("radius", "Norm bound R", 0.5, 6.0, 2.5)
_SEED = Parameter("seed", "Seed of the data", 0, 9999, 0)
_SOURCES = (
    Source(
        key="rand",
        name="RAND Health Insurance Experiment",
        short="RAND Health",
        description="Medical care, health, income and insurance plan of 5,912 people who were "
        "assigned a plan at random between 1974 and 1982; averages over each person’s years.",
        origin="datasets/randhie of statsmodels; Newhouse et al. 1981, Deb & Trivedi 2002",
        licence="public domain",
        default_k=2,
        load=real_sets.rand,
        column_words=real_sets.rand_words(),
    ),
    Source(
        key="digits",
        name="Handwritten digits",
        short="Digits",
        description="1,797 handwritten digits of 43 people, 8 × 8 pixels; directions are images.",
        origin="scikit-learn load_digits; UCI Optical Recognition of Handwritten Digits (test set)",
        licence="CC BY 4.0",
        default_k=4,
        load=real_sets.digits,
        unit=Unit("image", "images"),
    ),
    Source(
        key="breast_cancer",
        name="Breast cancer, Wisconsin",
        short="Breast cancer",
        description="569 tumours, 30 measurements of cell nuclei each.",
        origin="scikit-learn load_breast_cancer; UCI Breast Cancer Wisconsin (Diagnostic)",
        licence="CC BY 4.0",
        default_k=2,
        load=real_sets.breast_cancer,
        unit=Unit("tumour", "tumours"),
    ),
    Source(
        key="wine",
        name="Wine",
        short="Wine",
        description="178 wines, 13 chemical measurements each: too few for most mechanisms.",
        origin="scikit-learn load_wine; UCI Wine",
        licence="CC BY 4.0",
        default_k=2,
        load=real_sets.wine,
        unit=Unit("wine", "wines"),
    ),
    Source(
        key="kddcup",
        name="KDD Cup 1999",
        short="KDD Cup",
        description="494,021 network connections (the 10 % file), 116 columns as in Chaudhuri, "
        "Sarwate & Sinha 2013; the sum over all rows alone.",
        origin="UCI KDD Cup 1999 Data; Stolfo et al. 1999",
        licence="CC BY 4.0",
        default_k=4,
        load=paper_sums.kddcup,
        unit=Unit("connection", "connections"),
        has_rows=False,
    ),
    Source(
        key="covtype",
        name="Covertype, raw columns",
        short="Covertype",
        description="581,012 patches of forest, 54 columns, centred as in Imtiaz & Sarwate 2016; "
        "the sum over all rows alone.",
        origin=_COVTYPE_ORIGIN,
        licence="CC BY 4.0",
        default_k=2,
        load=paper_sums.covtype,
        unit=_PATCH,
        has_rows=False,
    ),
    Source(
        key="covtype_ranged",
        name="Covertype, columns from 0 to 1",
        short="Covertype 0–1",
        description="The same patches, each column mapped from its smallest and largest value to "
        "0 to 1; the sum over all rows alone.",
        origin=_COVTYPE_ORIGIN,
        licence="CC BY 4.0",
        default_k=10,
        load=paper_sums.covtype_ranged,
        unit=_PATCH,
        has_rows=False,
    ),
    Source(
        key="covtype_unit",
        name="Covertype, rows of length 1",
        short="Covertype, length 1",
        description="The same patches, each row divided by its own length as in Wang & Xu 2020; "
        "the sum over all rows alone.",
        origin=_COVTYPE_ORIGIN,
        licence="CC BY 4.0",
        default_k=2,
        load=paper_sums.covtype_unit,
        unit=_PATCH,
        has_rows=False,
    ),
    Source(
        key="census",
        name="Census income (KDD)",
        short="Census",
        description="299,285 people of the US Current Population Surveys of 1994 and 1995, the 33 "
        "questions with categories as 503 columns; the sum over all rows alone.",
        origin="UCI Census-Income (KDD), training and test part; US Census Bureau",
        licence="CC BY 4.0",
        default_k=8,
        load=paper_sums.census,
        has_rows=False,
    ),
    Source(
        key="chaudhuri",
        name="Chaudhuri’s ten-dimensional spectrum",
        short="Chaudhuri",
        description="Two strong directions among ten: eigenvalues 0.5 and 0.3, then 0.04 and less.",
        origin="Chaudhuri, Sarwate & Sinha 2013, Figure 5",
        licence=_NO_LICENCE,
        default_k=2,
        load=synthetic.chaudhuri,
        parameters=(Parameter("n", "People", 100, 200_000, 5000), _RADIUS, _SEED),
    ),
    Source(
        key="imtiaz",
        name="Imtiaz & Sarwate’s d = 100",
        short="Imtiaz d = 100",
        description="Ten strong directions of falling size among a hundred; the rest are equal.",
        origin="Imtiaz & Sarwate 2016, section 4 (sizes); eigenvalues ours",
        licence=_NO_LICENCE,
        default_k=10,
        load=synthetic.imtiaz,
        parameters=(
            Parameter("n", "People", 1000, 200_000, 60_000),
            Parameter("d", "Columns", 20, 400, 100),
            Parameter("k", _STRONG, 1, 50, 10),
            Parameter("share", "Share of the variation they carry", 0.1, 0.99, 0.9),
            _RADIUS,
            _SEED,
        ),
    ),
    Source(
        key="wangxu",
        name="Wang & Xu’s spiked covariance",
        short="Wang & Xu",
        description="k equally strong directions; all others are equal, and almost no row is "
        "clipped.",
        origin="Wang & Xu 2020, section 6.1",
        licence=_NO_LICENCE,
        default_k=5,
        load=synthetic.wangxu,
        parameters=(
            Parameter("n", "People", 1000, 200_000, 100_000),
            Parameter("p", "Columns", 10, 400, 40),
            Parameter("k", _STRONG, 1, 50, 5),
            Parameter("strength", "λ", 0.1, 20.0, 1.0),
            _SEED,
        ),
    ),
)
CATALOGUE: dict[str, Source] = {source.key: source for source in _SOURCES}


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
