"""What Chaudhuri, Sarwate & Sinha 2013 say of Figures 3 to 5, decided on our tables."""

from collections.abc import Sequence
from typing import NamedTuple

from papers.experiment import Results, Role, Series, Statement, Verdict
from papers.predicates import above, below, difference, never_below, rises
from papers.store import printed_of

PCA, PPCA_DRAWN, MOD_SULQ, RANDOM_SUBSPACE = "PCA", "PPCA", "MOD-SULQ", "random"
GAUSSIAN_KEPT, DIFFERENCE, SEQUENTIAL = "Gaussian", "difference", "sequential"
SCALED, LENGTHS = ", scaled", "lengths"
"""How the series of the second panel of Figure 5 end, and that of its third."""

_PRIVATE = (
    Series(PCA, "PCA", Role.REFERENCE, "non_private", trials=1),
    Series(PPCA_DRAWN, "PPCA, exact", Role.PRINTED, "ppca"),
    Series(MOD_SULQ, "MOD-SULQ", Role.PRINTED, "mod_sulq"),
    Series(RANDOM_SUBSPACE, "Random directions", Role.REFERENCE, "random_projection"),
    Series(GAUSSIAN_KEPT, "Gaussian, calibrated", Role.REPAIRED, "gaussian"),
    Series(DIFFERENCE, "Difference of Wisharts", Role.REPAIRED, "wishart_difference"),
)
SERIES = (
    *_PRIVATE,
    Series(SEQUENTIAL, "PPCA, sequential", Role.REFERENCE, "ppca_sequential"),
)
DRAWN = _PRIVATE
ON_PAR = 0.02
"""Within so much of q two lines of Figures 3 and 4 are nearly indistinguishable."""
READ_AT = 0.1
MOST_OF = 0.5
"""More than half is most."""


class Place(NamedTuple):
    """A row of Table 1: its place there, and its k."""

    place: int
    k: int


LOCALIZATION_K = Place(2, 10)


def _apart(results: Results, x: float) -> bool:
    """Whether MOD-SULQ is surely visible beside random directions."""
    higher = above(results, MOD_SULQ, RANDOM_SUBSPACE, x, ON_PAR)
    return higher or below(results, MOD_SULQ, RANDOM_SUBSPACE, x, ON_PAR)


def _indistinguishable(results: Results) -> bool:
    return not any(_apart(results, x) for x in results.xs(MOD_SULQ))


def _ppca_better(results: Results) -> bool:
    return never_below(results, PPCA_DRAWN, MOD_SULQ, results.xs(MOD_SULQ), 0.0)


def _approaches(results: Results) -> bool:
    return rises(results, PPCA_DRAWN) and not above(
        results, PPCA_DRAWN, PCA, results.xs(PPCA_DRAWN)[-1]
    )


_SHARED = (
    Statement(
        "the performance of PPCA is significantly better than that of MOD-SULQ",
        "section 6.3",
        _ppca_better,
    ),
    Statement(
        "As n increases, the dashed blue line indicating the utility of PPCA begins to approach "
        "q_F(V_k)",
        "section 6.3",
        _approaches,
    ),
)
ON_PEOPLE = (
    Statement(
        "The green and purple dashed lines are nearly indistinguishable and represent the utility "
        "from random projections and MOD-SULQ",
        "caption of Figure 3",
        _indistinguishable,
    ),
    *_SHARED,
)
ON_PEOPLE_INSURANCE = (
    Statement(
        "The green and purple dashed lines are nearly indistinguishable for insurance",
        "caption of Figure 4",
        _indistinguishable,
    ),
    *_SHARED,
)
ON_EPSILON = (
    Statement(
        "both MOD-SULQ and PPCA approach the utility of PCA without privacy constraints",
        "section 6.5",
        lambda results: rises(results, MOD_SULQ) and rises(results, PPCA_DRAWN),
    ),
    Statement(
        "for moderate ε PPCA still captures most of the utility",
        "section 6.5",
        lambda results: results.mean(PPCA_DRAWN, READ_AT) > MOST_OF * results.mean(PCA, READ_AT),
    ),
    Statement(
        "the gap between MOD-SULQ and PPCA becomes quite large",
        "section 6.5",
        lambda results: any(
            above(results, PPCA_DRAWN, MOD_SULQ, x, 0.1) for x in results.xs(MOD_SULQ)
        ),
    ),
)


def not_run(results: Results, statements: Sequence[Statement]) -> Verdict:
    """Return *not run*, whatever the table holds."""
    return Verdict.NOT_RUN


def people_facts(results: Results) -> dict[str, object]:
    """What is kept with few people and with many, and where MOD-SULQ leaves random directions."""
    xs = results.xs(MOD_SULQ)
    apart = [float(x) for x in xs if _apart(results, x)]
    par = max((float(x) for x in xs if x < min(apart, default=float("inf"))), default=xs[0])
    half = next((float(x) for x in xs if difference(results, PPCA_DRAWN, SEQUENTIAL, x)[0] > 0.2),
                float(xs[-1]))  # fmt: skip
    few, many = float(xs[0]), float(xs[-1])
    names = {
        "ppca": PPCA_DRAWN, "sulq": MOD_SULQ, "random": RANDOM_SUBSPACE, "gauss": GAUSSIAN_KEPT,
        "repair": DIFFERENCE, "sequential": SEQUENTIAL,
    }  # fmt: skip
    places = {"few": few, "many": many, "par": par, "half": half}
    if apart:
        places["apart"] = apart[0]
    kept = {
        f"{name}_{place}": results.mean(series, x)
        for name, series in names.items()
        for place, x in places.items()
    }
    return {**kept, **places, "pca": results.mean(PCA, many)}


def rows_facts(results: Results) -> dict[str, object]:
    """What Figure 5 keeps as drawn and with rows divided by the largest norm."""
    names = {"ppca": PPCA_DRAWN, "sulq": MOD_SULQ, "gauss": GAUSSIAN_KEPT}
    drawn = {f"{name}_drawn": results.mean(series, READ_AT) for name, series in names.items()}
    scaled = {
        f"{name}_scaled": results.mean(series + SCALED, READ_AT) for name, series in names.items()
    }
    lengths = results.xs(LENGTHS)
    longer = next(results.mean(LENGTHS, x) for x in lengths if abs(x - 1) < 1e-9)
    none = min(float(x) for x in lengths if results.mean(LENGTHS, x) == 0)
    pca = results.mean(PCA, READ_AT)
    return {**drawn, **scaled, "longer": longer, "norm": none, "epsilon": READ_AT, "pca": pca}


def localization_facts(results: Results) -> dict[str, object]:
    """The two lines that Table 1 fixes."""
    table = printed_of("chaudhuri-table-1")
    rows = table[(table["x"] == LOCALIZATION_K.place) & (table["series"] == "d")]
    last = results.xs(PCA)[-1]
    return {
        "pca": results.mean(PCA, last),
        "random": results.mean(RANDOM_SUBSPACE, last),
        "d": float(rows["value"].iloc[0]),
    }
