"""What a card's run is compared with: printed values on record, and the paper's statements."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from papers.card import Card
from papers.store import printed_of
from papers.table import Table

READ_FROM_PAPER = ("typed", "digitised")
"""How a value that is in the paper was had, by the beginning of what says so."""
AGREE_WITHIN = 2.0
"""Standard deviations of single releases, ours or printed, within which a value is met."""
MET = "Met: within two standard deviations of single releases, or equal as rounded."
_NO_VALUES = "no printed values are on record"
_STATEMENTS = ("{} statement of the paper", "{} statements of the paper")
_VALUES = ("{count} printed value ({read})", "{count} printed values ({read})")
_ELSEWHERE = (
    "{count} value that is not the paper’s but from {page} ({read})",
    "{count} values that are not the paper’s but from {page} ({read})",
)
_RUN = "{words}, of which {run} run here and {met} met"
_NONE_RUN = "{words}, none of which is run here"


@dataclass(frozen=True)
class Values:
    """Values on record of one source: how many, how they were read, how many were run and met."""

    page: str
    read: str
    count: int
    run: int
    met: int

    @property
    def printed(self) -> bool:
        """Whether they are in the paper itself."""
        return is_printed(self.read)


@dataclass(frozen=True)
class Comparison:
    """What the run of a card was compared with.

    Attributes
    ----------
    statements
        Statements quoted from the paper; the verdict says whether they hold.
    values
        What is on record beside them, by source.
    """

    statements: int
    values: tuple[Values, ...]

    @property
    def printed(self) -> int:
        """Number of values of the paper itself on record."""
        return sum(values.count for values in self.values if values.printed)

    def told(self) -> str:
        """Say what was compared: "3 statements of the paper; no printed values are on record"."""
        said = []
        if self.statements:
            said.append(_STATEMENTS[self.statements != 1].format(self.statements))
        said += [_values_text(values) for values in self.values]
        if not self.printed:
            said.append(_NO_VALUES)
        met = f" {MET}" if any(values.run for values in self.values) else ""
        return f"{'; '.join(said)}.{met}"


def comparison_of(card: Card, ours: Table) -> Comparison:
    """Compare a run with what is on record of its figure or table."""
    known = printed_of(card.key)
    digits = known.groupby("series")["value"].agg(_decimals).to_dict()
    found: dict[tuple[str, str], list[tuple[bool, bool]]] = {}
    columns = [known[name] for name in ("page", "read", "series", "x", "value", "spread")]
    for page, read, series, x, value, spread in zip(*columns, strict=True):
        mean = ours.mean(series, x)
        apart = AGREE_WITHIN * np.fmax(ours.sd(series, x), spread)
        rounded = round(mean, digits[series]) == value if np.isfinite(mean) else False
        met = bool(abs(mean - value) <= apart or rounded)
        found.setdefault((page, read), []).append((bool(np.isfinite(mean)), met))
    values = tuple(
        Values(page, read, len(own), sum(run for run, _ in own), sum(met for _, met in own))
        for (page, read), own in found.items()
    )
    return Comparison(len(card.statements), values)


def is_printed(read: str) -> bool:
    """Tell from how a value was read whether it is in the paper itself."""
    return read.startswith(READ_FROM_PAPER)


def _decimals(values: Iterable[float]) -> int:
    """Return how many decimals values have, at most."""
    return max(len(f"{value:.10g}".partition(".")[2]) for value in values)


def _values_text(values: Values) -> str:
    """Say how many values of one source there are, and what our run has beside them."""
    several = (_VALUES if values.printed else _ELSEWHERE)[values.count != 1]
    words = several.format(count=values.count, page=values.page, read=values.read)
    return (_RUN if values.run else _NONE_RUN).format(words=words, run=values.run, met=values.met)
