"""What a card's run is compared with: printed values on record, and the paper's statements."""

from collections.abc import Iterator
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


def compared(card: Card, ours: Table) -> Iterator[Values]:
    """Compare a run with what is on record of its figure or table, source by source."""
    known = printed_of(card.key)
    written = known["value"].map(lambda value: len(f"{value:.10g}".partition(".")[2]))
    digits = written.groupby(known["series"]).max()
    for (page, read), rows in known.groupby(["page", "read"], sort=False):
        places = list(zip(rows["series"], rows["x"], strict=True))
        means, deviations = (
            np.array([of(*place) for place in places]) for of in (ours.mean, ours.sd)
        )
        rounded = [round(m, digits[s]) for m, (s, _) in zip(means, places, strict=True)]
        apart = AGREE_WITHIN * np.fmax(deviations, rows["spread"])
        met = (abs(means - rows["value"]) <= apart) | (rounded == rows["value"])
        run = np.isfinite(means)
        yield Values(str(page), str(read), len(rows), int(run.sum()), int((met & run).sum()))


def comparison(card: Card, ours: Table) -> str:
    """Say what was compared: "3 statements of the paper; no printed values are on record"."""
    found, count = list(compared(card, ours)), len(card.statements)
    said = [f"{count} statement{'s' * (count != 1)} of the paper"] if count else []
    for values in found:
        several, own = "s" * (values.count != 1), is_printed(values.read)
        source = f"printed value{several}" if own else f"value{several} not the paper’s but from "
        words = f"{values.count} {source}{'' if own else values.page} ({values.read})"
        run = f"of which {values.run} run here and {values.met} met"
        said.append(f"{words}, {run if values.run else 'none of which is run here'}")
    if not recorded(card.key):
        said.append("no printed values are on record")
    met = f" {MET}" if any(values.run for values in found) else ""
    return f"{'; '.join(said)}.{met}"
