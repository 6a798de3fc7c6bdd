"""What an account had spent when a release was made: the bar of a report, from its row alone."""

from dataclasses import dataclass
from fractions import Fraction

from dpca_core.release.cost import most_mu2
from dpca_core.release.ledger_rows import Row

_WAYS = {
    True: "Shares are of μ², which adds up over Gaussian releases: ε does not.",
    False: "Shares are of ε, which adds up over releases without δ.",
}


@dataclass(frozen=True)
class SpendingBar:
    """Shares of an account's limit, in per cent.

    Attributes
    ----------
    more
        How many more releases like this one fit.
    note
        What the shares are of.
    """

    earlier: float
    this: float
    more: int
    note: str

    @property
    def left(self) -> float:
        """What is left."""
        return max(0.0, 100 - self.earlier - self.this)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The bar as a table."""
        return (
            ("earlier releases", _percent(self.earlier)),
            ("this release", _percent(self.this)),
            ("left", _percent(self.left)),
        )

    @property
    def label(self) -> str:
        """The bar in words."""
        return ", ".join(f"{what}: {share}" for what, share in self.rows)


def spending_bar(row: Row) -> SpendingBar:
    """Return what was spent up to a release, and what is left."""
    spent = row.spending
    gaussian = row.cost.mu2 > 0
    most = spent.most_pure(row.limit)
    if gaussian:
        whole = most_mu2(row.limit.epsilon - most, row.limit.delta)
        this, total = row.cost.mu2, row.total.mu2
    else:
        whole, this, total = most, row.cost.pure, row.total.pure
    whole = max(whole, total)
    return SpendingBar(
        earlier=_share(total - this, whole),
        this=_share(this, whole),
        more=spent.more_like(row.cost, row.limit),
        note=_WAYS[gaussian],
    )


def _share(part: Fraction, whole: Fraction) -> float:
    return 100 * float(part / whole) if whole > 0 else 0.0


def _percent(share: float) -> str:
    return f"{share:.0f} %" if share >= 1 or share == 0 else "less than 1 %"
