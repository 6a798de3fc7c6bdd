"""Whether attacks on both looks of a second look convict a copy with 0.8 of its noise.

Few outputs of pure noise show all of ε, so the pure form takes many releases: minutes.

    python -m benchmarks.audit_both_looks --releases 120000
"""

import argparse
from dataclasses import dataclass

from dpca_core import Budget
from dpca_core.audit.audit import audit
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.mechanisms.second_look import Both, Looks, SecondLook, SecondLookPure

FACTOR = 0.8
_OTHERS = 60


def less(scales: Both) -> Both:
    """Return a part of the scales of both looks."""
    return FACTOR * scales[0], FACTOR * scales[1]


@dataclass(frozen=True)
class LessNoise(SecondLook):
    """A second look that claims the budget at less noise."""

    def scales(self, d: int, budget: Budget) -> Both:
        """Return too little."""
        return less(super().scales(d, budget))


@dataclass(frozen=True)
class LessPureNoise(SecondLookPure):
    """The same without δ."""

    def scales(self, d: int, budget: Budget) -> Both:
        """Return too little."""
        return less(super().scales(d, budget))


def main() -> None:
    """Print for each mechanism and its copy the ε that the attack shows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--releases", type=int, default=120_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    gaussian, pure = Budget(1.0, 0.2), Budget(1.5)
    audited: list[tuple[Looks, Budget, int]] = [
        (SecondLook(), gaussian, min(asked.releases, 20_000)),
        (LessNoise(), gaussian, min(asked.releases, 20_000)),
        (SecondLookPure(share=0.9), pure, asked.releases),
        (LessPureNoise(share=0.9), pure, asked.releases),
    ]
    for mechanism, budget, releases in audited:
        pair = worst_pair(mechanism, 2, 1, _OTHERS, budget)
        found = audit(mechanism, pair, budget, releases=releases, seed=asked.seed)
        verdict = "convicted" if found.convicted else "nothing found"
        print(
            f"{type(mechanism).__name__:16} ε = {budget.epsilon}, δ = {budget.delta}: at least "
            f"{found.epsilon_lower:.2f} in {releases:,} releases of each kind: {verdict}",
            flush=True,
        )


if __name__ == "__main__":
    main()
