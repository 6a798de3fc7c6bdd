"""One colour per family of mechanisms, chosen to stay apart for colour-blind readers too."""

from dpca_core.mechanisms.base import Family

COLOURS = {
    Family.GAUSSIAN: ("#1230AE", "#5C74FF"),
    Family.GAUSSIAN_TRIANGLE: ("#0A93F5", "#6BA6B8"),
    Family.LAPLACE: ("#E26808", "#BE5410"),
    Family.WISHART: ("#4B9181", "#4FCBB5"),
    Family.EXPONENTIAL: ("#560D5F", "#C080F5"),
    Family.SMOOTH: ("#636200", "#B9DC2A"),
    Family.GAP_RELEASE: ("#2F7560", "#7FF0A8"),
    Family.SULQ: ("#7C4FDD", "#8671B4"),
    Family.POWER: ("#C868C7", "#FDB0FA"),
    Family.LOCAL: ("#7A1000", "#F0981F"),
    Family.BASELINE: ("#565D66", "#A9B0B9"),
}
"""Family: (on light, on dark)."""


def colour(family: Family) -> tuple[str, str]:
    """Return the family's colour on light and on dark; that of baselines for a new family."""
    return COLOURS.get(family, COLOURS[Family.BASELINE])
