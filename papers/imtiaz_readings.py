"""What Imtiaz & Sarwate 2016 say of Figures 1 and 2, decided on our tables; facts of our texts."""

from dataclasses import replace

from papers.experiment import Results, Role, Series, Statement
from papers.predicates import above, below, crossing, never_below, rises
from papers.store import printed_of, results_of

KEPT = 0.9
"""The share that the sentences speak of."""
READ_AT = 0.1
"""The ε at which they compare."""
MATCHED = 0.01
"""Points of captured energy within which two curves match, as a reader of a figure sees it."""
VAST = 0.2
"""Points of captured energy by which one method vastly outperforms another; a steep rise."""
SECTION = "section 4"

SVD, AG, PPM, PPCA, SN = "SVD", "AG", "PPM", "PPCA", "SN"
PPM_PURE = "PPM, pure"
REPAIR, CALIBRATED, RANDOM_DIRECTIONS = "difference of Wisharts", "Gaussian", "random directions"
RANGED = " 0–1"
"""How the series of the second reading of Covertype end."""
AUTHOR, HELD, HELD_RANGED = "AG, n = 5,000", "held", f"held{RANGED}"

SERIES = (
    Series(SVD, "SVD", Role.REFERENCE, "non_private", trials=1),
    Series(AG, "AG", Role.PRINTED, "analyze_gauss", {"absolute": 1}),
    Series(SN, "SN", Role.PRINTED, "wishart_sn"),
    Series(PPCA, "PPCA", Role.PRINTED, "ppca"),
    Series(PPM, "PPM", Role.PRINTED, "power_printed"),
    Series(CALIBRATED, "Gaussian, calibrated", Role.REPAIRED, "gaussian"),
    Series(REPAIR, "Difference of Wisharts", Role.REPAIRED, "wishart_difference"),
    Series(RANDOM_DIRECTIONS, "Random directions", Role.REFERENCE, "random_projection"),
)
POWER_PURE = replace(SERIES[4], key=PPM_PURE, label="PPM, pure", mechanism="power_pure_printed")
_NAMES = {
    "ag": AG, "sn": SN, "repair": REPAIR, "ppca": PPCA, "ppm": PPM, "gauss": CALIBRATED,
}  # fmt: skip


def _readings(results: Results) -> list[str]:
    """Endings of the series: one reading of the data, or two."""
    return [end for end in ("", RANGED) if len(results.xs(AG + end))]


def _far_above(results: Results, first: str, second: str) -> bool:
    xs = results.xs(first)
    somewhere = any(above(results, first, second, x, VAST) for x in xs)
    return somewhere and never_below(results, first, second, xs)


def _outperforms(results: Results, first: str, *others: str) -> bool:
    return all(never_below(results, first, other, results.xs(first)) for other in others)


def _matches_at_the_end(results: Results, first: str, second: str) -> bool:
    last = results.xs(first)[-1]
    lower = below(results, first, second, last, MATCHED)
    return not (lower or above(results, first, second, last, MATCHED))


def _steep(results: Results, series: str) -> bool:
    means = results.means(series)
    return rises(results, series) and bool(means[-1] - means[0] > VAST)


AGAINST_EPSILON = (
    Statement(
        "as ε increases (higher privacy risk), the captured variance increases",
        SECTION,
        lambda results: all(
            rises(results, series + end)
            for end in _readings(results)
            for series in (AG, SN, PPCA, PPM)
        ),
    ),
    Statement(
        "The AG method vastly outperforms the PPM method",
        SECTION,
        lambda results: all(_far_above(results, AG + e, PPM + e) for e in _readings(results)),
    ),
    Statement(
        "Our new SN method also outperforms existing methods (PPM and PPCA)",
        SECTION,
        lambda results: all(
            _outperforms(results, SN + e, PPM + e, PPCA + e) for e in _readings(results)
        ),
    ),
    Statement(
        "for large enough ε it matches the performance of AG",
        SECTION,
        lambda results: all(
            _matches_at_the_end(results, SN + e, AG + e) for e in _readings(results)
        ),
    ),
)
AGAINST_PEOPLE = (
    Statement(
        "AG and SN have the best performance for δ > 0 and δ = 0, respectively",
        SECTION,
        lambda results: (
            _outperforms(results, AG, PPM) and _outperforms(results, SN, PPCA, PPM_PURE)
        ),
    ),
    Statement(
        "PPM appears to suffer from too much noise",
        SECTION,
        lambda results: _far_above(results, AG, PPM) and _far_above(results, SN, PPM_PURE),
    ),
    Statement(
        "AG, SN, and PPCA all show a steep improvement with sample size",
        SECTION,
        lambda results: all(_steep(results, series) for series in (AG, SN, PPCA)),
    ),
)


def epsilon_facts(results: Results) -> dict[str, object]:
    """What is kept at one ε, and the ε at which 90 % is."""
    kept = {f"{name}_kept": results.mean(series, READ_AT) for name, series in _NAMES.items()}
    reached = {f"{name}_at": crossing(results, s, KEPT) for name, s in _NAMES.items()}
    return {**kept, **reached, "epsilon": READ_AT, "share": KEPT}


def covtype_facts(key: str, results: Results) -> dict[str, object]:
    """The same, what directions hold, and how far the author's stored means are from ours."""
    stored = printed_of(key)
    author = stored[stored["series"] == AUTHOR]
    # Subsets need the rows: where they are not at hand, what is stored speaks.
    drawn = results if len(results.xs(AUTHOR)) else results_of(key)
    apart = [
        abs(value - drawn.mean(AUTHOR, x)) / drawn.sd(AUTHOR, x)
        for x, value in zip(author["x"], author["value"], strict=True)
    ]
    return {
        **epsilon_facts(results),
        "two_held": results.mean(HELD, 2),
        "ten_held": results.mean(HELD_RANGED, 10),
        "author_points": len(apart),
        "author_apart": max(apart),
    }


def people_facts(results: Results) -> dict[str, object]:
    """What is kept with few people and with many."""
    xs = results.xs(AG)
    few = next(float(x) for x in xs if x >= FEW)
    many = float(xs[-1])
    names = {**_NAMES, "pure": PPM_PURE}
    at_few = {f"{name}_few": results.mean(series, few) for name, series in names.items()}
    at_many = {f"{name}_many": results.mean(series, many) for name, series in names.items()}
    random = results.mean(RANDOM_DIRECTIONS, many)
    return {**at_few, **at_many, "few": few, "many": many, "random": random}


FEW = 1e4
"""People with whom the texts say PPM is at chance."""
