"""How sure it is that 9 of 10 releases keep a target: the same words on every page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dpca_core.analysis.needed import EpsilonNeeded
from dpca_core.text.privacy_numbers import epsilon_text

CONFIDENCE_LEVEL = "95\u00a0% confidence"
"""Of whatever is called sure."""


@dataclass(frozen=True)
class TargetCount:
    """How many of ``of`` mechanisms keep a target in 9 of 10 releases.

    ``sure`` counts those of which it is shown, and is None where releases are too few to show it of
    any; ``estimated`` counts those that keep it in 9 of 10 of the releases measured, the sure ones
    among them; ``releases`` are the fewest and the most at a point of any.
    """

    sure: int | None
    estimated: int
    of: int
    releases: tuple[int, int]

    @classmethod
    def at(
        cls, value: float, here: Sequence[EpsilonNeeded], known: Sequence[EpsilonNeeded], of: int
    ) -> "TargetCount":
        """Count those ranked ``here``, at a value of the axis; ``known`` are all that are known."""
        releases = [needed.releases for needed in known]
        shown = any(needed.certain for needed in known)
        return cls(
            sum(needed.is_sure_at(value) for needed in here) if shown else None,
            sum(needed.is_estimated_at(value) for needed in here),
            of,
            (min(releases), max(releases)),
        )

    def sentence(self, target: str, noun: str = "") -> str:
        """Return a clause that may follow "At ε = 0.1, "; ``noun``: what follows "1 of 11"."""
        basis = releases_each(*self.releases)
        able = self.estimated if self.sure is None else self.sure
        who, keep = f"{able or 'none'} of {self.of}{noun}", "keeps" if able < 2 else "keep"
        what = f"{keep} {target} in 9 of 10 releases"
        if self.sure is None:
            return f"by estimate {who} {what} ({basis})"
        if self.estimated == 0:
            return f"{who} {what}, not even by estimate ({basis})"
        more, also = self.estimated - self.sure, ""
        if more:
            who_more = f"{more} more" if self.sure else f"{more}"
            also = f", {who_more} {'does' if more == 1 else 'do'} by estimate"
        return f"{who} surely {what}{also} ({basis}; surely: {CONFIDENCE_LEVEL} each)"


def needed_label(needed: EpsilonNeeded | None, write: Callable[[float], str]) -> str:
    """Write from which ε, or number of people, a target is kept; "" while that is not known."""
    if needed is None:
        return ""
    stated = needed.stated
    if stated.epsilon is None:
        return "none shown"
    return f"{'' if stated.certain else 'about '}{write(stated.epsilon)}"


def needed_epsilon_sentence(name: str, needed: EpsilonNeeded, what: str) -> str:
    """Say from which ε on a mechanism keeps ``what``, such as "90 % in 9 of 10 releases".

    For sure, and by estimate, which is often sooner.
    """
    basis = releases_per_point(needed.releases)
    estimate = "" if needed.estimate is None else f"ε\u00a0=\u00a0{epsilon_text(needed.estimate)}"
    if needed.epsilon is None:
        none = f"{name} is not shown to keep {what} by ε\u00a0=\u00a0100"
        if not needed.releases:
            return none
        also = f"by estimate from {estimate} on" if estimate else "nor by estimate"
        return f"{none} ({basis}; {also})"
    at = f"**ε\u00a0=\u00a0{epsilon_text(needed.epsilon)}**"
    if not needed.certain:
        return f"About {at} keeps {what} by estimate ({basis})"
    sooner = f"; by estimate {estimate}" if needed.estimate != needed.epsilon else ""
    return f"{at} surely keeps {what} ({CONFIDENCE_LEVEL}, {basis}{sooner})"


def releases_each(fewest: int, most: int) -> str:
    """Say on how many releases of each mechanism a count rests: "40 releases each"."""
    number = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    return f"{number} {'release' if most == 1 else 'releases'} each"


def releases_per_point(releases: int) -> str:
    """Say on how many releases a number rests: "40 releases per point"."""
    return f"{releases} {'release' if releases == 1 else 'releases'} per point"
