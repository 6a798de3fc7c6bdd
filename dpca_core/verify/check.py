"""One thing that is computed again."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One thing that was computed again: what the certificate says, and what was found.

    Attributes
    ----------
    noted
        Whether it is only said, and makes nothing wrong, where it is not right.
    """

    name: str
    right: bool
    said: object
    found: object
    noted: bool = False


def same(name: str, said: object, found: object) -> Check:
    """Return the check that both are equal."""
    return Check(name, said == found, said, found)
