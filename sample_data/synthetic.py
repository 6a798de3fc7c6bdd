"""The papers' synthetic spectra, with their parameters open."""

from collections.abc import Mapping

import numpy as np

from dpca_core.data.clipping import to_ball
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.mechanism import Parameter
from dpca_core.streaming.summed_dataset import SAMPLED_ROWS
from sample_data.source import NO_CATEGORIES, PUBLIC_SIZE, Source, ball, centre
from sample_data.wang_xu import spiked_eigenvalues

_CHAUDHURI = (0.5, 0.30, 0.04, 0.03, 0.02, 0.01, 0.004, 0.003, 0.001, 0.001)
_MOST_VALUES, _MOST_KEPT, _BLOCK = 20_000_000, 1_000_000, 4096
"""Values of a set, and of one whose rows are all kept; rows of the others that are; rows drawn at
a time."""
_NO_ORIGIN = "none needed, as the data are generated"


def load_chaudhuri(key: str, n: int, radius: float, seed: int) -> Dataset:
    """Gaussian rows with the eigenvalues of Chaudhuri et al. 2013, Figure 5, along the axes.

    A row is divided by ``radius`` and shortened to norm 1: the paper divides by the largest norm
    of the sample, which is not private.
    """
    return _gaussian(CHAUDHURI, key, np.array(_CHAUDHURI), None, n, radius, seed)


def load_imtiaz(
    key: str, n: int, d: int, k: int, share: float, radius: float, seed: int
) -> Dataset:
    """A falling head of k eigenvalues that holds ``share`` of the trace, and a flat tail.

    Imtiaz & Sarwate 2016 give d = 100, n = 60,000, k = 10 and that the top k hold at least 90 %;
    their covariance is not printed. Eigenvalues fall by a factor 0.7 here.
    """
    head = 0.7 ** np.arange(k)
    tail = np.full(d - k, (1 - share) / (d - k))
    values = np.concatenate([share * head / head.sum(), tail])
    return _gaussian(IMTIAZ, key, values, seed + 1, n, radius, seed)


def load_wangxu(key: str, n: int, p: int, k: int, strength: float, seed: int) -> Dataset:
    """Rows from N(0, Σ), Σ = λVVᵀ/(5p(λ + 1)) + I/(5p(λ + 1)): Wang & Xu 2020, Figure 3."""
    return _gaussian(WANG_XU, key, spiked_eigenvalues(p, k, strength), seed + 1, n, 1.0, seed)


def _conflict(values: Mapping[str, float]) -> str:
    """Say why a set cannot be made, whose parameters are each within their range."""
    n, d, k = values["n"], values.get("d", values.get("p", 0)), values.get("k", 0)
    if n * d > _MOST_VALUES:
        return f"{n:,} rows × {d} columns are too many: at most {_MOST_VALUES:,} values."
    if d and k >= d:
        return f"There must be fewer strong directions than columns, not {k} of {d}."
    return ""


def _gaussian(
    source: Source, key: str, values: Array, turn: int | None, n: int, radius: float, seed: int
) -> Dataset:
    """N rows of a centred Gaussian with these eigenvalues, in directions turned by a seed.

    A large set keeps S and its first rows only: everybody may ask for one by a link.
    """
    d, rng = len(values), np.random.default_rng(seed)
    turned = None
    if turn is not None:
        turned = orthonormal(np.random.default_rng(turn).standard_normal((d, d))).T
    every = n * d <= _MOST_KEPT
    kept, left = list[Array](), n if every else SAMPLED_ROWS
    summed, free, clipped = np.zeros((d, d)), np.zeros((d, d)), 0.0
    for start in range(0, n, _BLOCK):
        drawn = rng.standard_normal((min(_BLOCK, n - start), d)) * np.sqrt(values)
        if turned is not None:
            drawn = drawn @ turned
        rows = to_ball(drawn, radius)
        summed += rows.values.T @ rows.values
        free += drawn.T @ drawn
        clipped += rows.share * len(drawn)
        kept.append(rows.values[:left].copy())
        left -= len(kept[-1])
    share = clipped / n
    return Dataset(
        key=key,
        name=source.name,
        short=source.short,
        rows=np.concatenate(kept),
        columns=tuple(f"x{i + 1}" for i in range(d)),
        clipped_rows=share,
        unclipped_moment=free / radius**2,
        disclosures=(
            ball(f"R = {radius:g}", f"{share * 100:.1f}\u00a0% of rows shortened to norm 1"),
            centre("none: generated with mean 0"),
            NO_CATEGORIES,
            PUBLIC_SIZE,
        ),
        synthetic=True,
        public=True,
        origin=source.origin,
        licence=source.licence,
        people=n,
        summed=None if every else summed,
    )


_SEED = Parameter("seed", "Seed of the data", 0, 9999, 0)
_STRONG = "Strong directions"

CHAUDHURI = Source(
    key="chaudhuri",
    name="Chaudhuri’s ten-dimensional spectrum",
    short="Chaudhuri",
    description="Two strong directions among ten: eigenvalues 0.5 and 0.3, then 0.04 and less.",
    origin="Chaudhuri, Sarwate & Sinha 2013, Figure 5",
    licence=_NO_ORIGIN,
    default_k=2,
    load=load_chaudhuri,
    conflict=_conflict,
    parameters=(
        Parameter("n", "People", 100, 200_000, 5000),
        Parameter("radius", "Norm bound R", 0.5, 6.0, 2.5),
        _SEED,
    ),
)
IMTIAZ = Source(
    key="imtiaz",
    name="Imtiaz & Sarwate’s d = 100",
    short="Imtiaz d = 100",
    description="Ten strong directions of falling size among a hundred; the rest are equal.",
    origin="Imtiaz & Sarwate 2016, section 4 (sizes); eigenvalues ours",
    licence=_NO_ORIGIN,
    default_k=10,
    load=load_imtiaz,
    conflict=_conflict,
    parameters=(
        Parameter("n", "People", 1000, 200_000, 60_000),
        Parameter("d", "Columns", 20, 400, 100),
        Parameter("k", _STRONG, 1, 50, 10),
        Parameter("share", "Share of the variation they carry", 0.1, 0.99, 0.9),
        Parameter("radius", "Norm bound R", 0.5, 6.0, 2.5),
        _SEED,
    ),
)
WANG_XU = Source(
    key="wangxu",
    name="Wang & Xu’s spiked covariance",
    short="Wang & Xu",
    description="k equally strong directions; all others are equal, and almost no row is clipped.",
    origin="Wang & Xu 2020, section 6.1",
    licence=_NO_ORIGIN,
    default_k=5,
    load=load_wangxu,
    conflict=_conflict,
    parameters=(
        Parameter("n", "People", 1000, 200_000, 100_000),
        Parameter("p", "Columns", 10, 400, 40),
        Parameter("k", _STRONG, 1, 50, 5),
        Parameter("strength", "λ", 0.1, 20.0, 1.0),
        _SEED,
    ),
)
