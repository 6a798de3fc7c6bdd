"""One colour per family of mechanisms, chosen to stay apart for colour-blind readers too."""

COLOURS = {
    "gaussian": ("#1230AE", "#5C74FF"),
    "gaussian triangle": ("#0A93F5", "#6BA6B8"),
    "laplace": ("#E26808", "#BE5410"),
    "wishart": ("#4B9181", "#4FCBB5"),
    "exponential": ("#560D5F", "#C080F5"),
    "smooth": ("#636200", "#B9DC2A"),
    "gap release": ("#2F7560", "#7FF0A8"),
    "sulq": ("#7C4FDD", "#8671B4"),
    "power": ("#C868C7", "#FDB0FA"),
    "local": ("#7A1000", "#F0981F"),
    "baseline": ("#565D66", "#A9B0B9"),
}
"""Family: (on light, on dark)."""

UNKNOWN = ("#565D66", "#A9B0B9")


def colour(family: str) -> tuple[str, str]:
    """Return the family's colour on light and on dark; a quiet grey for a family without one."""
    return COLOURS.get(family, UNKNOWN)
