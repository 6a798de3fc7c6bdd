"""Which tables of a session their owner looked at curves of: a look belongs to its table."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ui.owner.source_table import SourceTable


@dataclass(frozen=True)
class LookedAt:
    """A table whose curves were looked at, as it is known again; kept in the session alone.

    Attributes
    ----------
    names
        Of its columns.
    file
        Its path on the server, or the digest of an upload.
    """

    names: frozenset[str]
    file: str

    @classmethod
    def of(cls, source: SourceTable) -> "LookedAt":
        """Return what a table is known by."""
        place = source.place
        file = str(place) if isinstance(place, Path) else sha256(place.content).hexdigest()
        return cls(frozenset(map(str, source.table.columns)), file)

    def counts_for(self, other: "LookedAt") -> bool:
        """Tell whether the look counts for another table: the same file, or about the same columns.

        A corrected copy, or a later delivery, has other rows and at least half of the columns of
        the smaller table; who looked at one knows the other. Rather a look too many than one lost.
        """
        fewer = min(len(self.names), len(other.names))
        return self.file == other.file or 2 * len(self.names & other.names) >= fewer


def with_look(looks: tuple[LookedAt, ...], source: SourceTable) -> tuple[LookedAt, ...]:
    """Add a table to those that were looked at, once."""
    look = LookedAt.of(source)
    return looks if look in looks else (*looks, look)


def is_looked_at(looks: tuple[LookedAt, ...], source: SourceTable) -> bool:
    """Tell whether a look counts for a table."""
    if not looks:
        return False
    found = LookedAt.of(source)
    return any(look.counts_for(found) for look in looks)
