"""What a card's run is compared with: printed values on record, and the paper's statements."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from papers.card import Card
from papers.store import printed_of
from papers.table import Table

AGREE_WITHIN = 2.0
"""Standard deviations of single releases, ours or printed, within which a value is met."""
MET = "Met: within two standard deviations of single releases, or equal as rounded."


@dataclass(frozen=True)
class Values:
    """Values on record of one source: how they were read, how many were run here and met."""

    page: str
    read: str
    count: int
    run: int
    met: int


def is_printed(read: str) -> bool:
    """Tell from how a value was read whether it is in the paper itself."""
    return read.startswith(("typed", "digitised"))


def recorded(key: str) -> int:
    """Return how many values of the paper itself are on record of a card."""
    return sum(map(is_printed, printed_of(key)["read"]))


def compared(card: Card, ours: Table) -> list[Values]:
    """Compare a run with what is on record of its figure or table, source by source."""
    known, found = printed_of(card.key), list[Values]()
    digits = {series: _decimals(own) for series, own in known.groupby("series")["value"]}
    for (page, read), rows in known.groupby(["page", "read"], sort=False):
        run = met = 0
        for series, x, value, spread in zip(*(rows[c] for c in _COLUMNS), strict=True):
            mean = ours.mean(series, x)
            if np.isfinite(mean):
                apart = AGREE_WITHIN * np.fmax(ours.sd(series, x), spread)
                run += 1
                met += bool(abs(mean - value) <= apart or round(mean, digits[series]) == value)
        found.append(Values(str(page), str(read), len(rows), run, met))
    return found


def comparison(card: Card, ours: Table) -> str:
    """Say what was compared: "3 statements of the paper; no printed values are on record"."""
    found, count = compared(card, ours), len(card.statements)
    said = [f"{count} statement{'s' * (count != 1)} of the paper"] if count else []
    for values in found:
        several, own = values.count != 1, is_printed(values.read)
        source = "printed value{}" if own else "value{} not the paper’s but from " + values.page
        words = f"{values.count} {source.format('s' * several)} ({values.read})"
        run = f"of which {values.run} run here and {values.met} met"
        said.append(f"{words}, {run if values.run else 'none of which is run here'}")
    if not recorded(card.key):
        said.append("no printed values are on record")
    met = f" {MET}" if any(values.run for values in found) else ""
    return f"{'; '.join(said)}.{met}"


_COLUMNS = ("series", "x", "value", "spread")


def _decimals(values: Iterable[float]) -> int:
    """Return how many decimals values have, at most."""
    return max(len(f"{value:.10g}".partition(".")[2]) for value in values)
