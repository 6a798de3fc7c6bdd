"""Names of columns: how many there may be, and how they are shown."""

MAX_COLUMNS = 2000
LONGEST_LABEL = 60
"""Letters of a column's name in a message."""
_JOINERS = "\u200c\u200d"


def shown(name: str) -> str:
    """Return a name on one line, without what cannot be seen; scripts and emoji need joiners."""
    return " ".join("".join(c if c.isprintable() or c in _JOINERS else " " for c in name).split())


def label(name: object) -> str:
    """Return a column's name for a message: on one line and short."""
    return shown(str(name))[:LONGEST_LABEL]
