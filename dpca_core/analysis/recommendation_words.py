"""Why a release is best made in a certain way: sentences from public numbers alone."""

from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DRAWN_EXACTLY

ONE_LENGTH = "Every row equally long: only its direction counts, and no bound R has to be guessed."
TIGHT = "Most rows reach R, so making them equally long would change little."
KEEP_R = (
    "Noise is so small here that rows of one length would cost more than they save: keep them at "
    "most R."
)
ONLY_SUMS = "A second look would read the rows again, and only their sum is kept."
FEW_COLUMNS = (
    "On so few columns a second look, whose noise is Gaussian, keeps less with few people and "
    "about as much with many."
)
SEEN = (
    "the first directions usually stand out of a first look, and a second one then sees the others "
    "with less noise"
)


def two_looks(fewest: float, most: float) -> str:
    """Say why to look twice."""
    return f"With about {_about(fewest)} to {_about(most)} people {SEEN}."


def too_few(fewest: float) -> str:
    """Say why one look is enough for few people."""
    return (
        f"A second look pays from about {_about(fewest)} people: with fewer, the first sees little."
    )


def too_many(most: float) -> str:
    """Say why one look is enough for many people."""
    return f"From about {_about(most)} people on one look sees enough: a second gains nothing."


def few_directions(least: int) -> str:
    """Say why one look is enough for few directions."""
    if least == 2:
        return "For a single direction a second look gains nothing."
    return f"For fewer than {least} directions a second look without δ gains nothing."


def smaller_noise(mechanism: Mechanism, other: Mechanism, ratio: float, d: int) -> str:
    """Say by how much the noise of one look is smaller than another's.

    Parameters
    ----------
    ratio
        Of the one to the other, below 1.
    """
    return (
        f"{mechanism.name} noise is {100 * (1 - ratio):.0f}\u00a0% smaller than {other.name} noise "
        f"on {d} columns at this ε and δ, for one row a person."
    )


def smallest_noise(mechanism: Mechanism, *, pure: bool, needs_no_delta: bool) -> str:
    """Say that no other noise of one look is smaller."""
    if pure:
        return f"{mechanism.name} noise is the smallest of one look without δ."
    also = ", and needs no δ" if needs_no_delta else ""
    return f"{mechanism.name} noise is the smallest of one look at this ε and δ{also}."


def not_released(kept: Mechanism, released: Mechanism, most_columns: int) -> str:
    """Say why a release is recommended other noise than a simulation.

    Parameters
    ----------
    most_columns
        Up to which noise is drawn exactly that can be.
    """
    smallest = f"of what can, {released.name} noise is the smallest"
    if kept.key not in DRAWN_EXACTLY:
        return f"{kept.name} cannot be drawn exactly yet: {smallest}."
    return f"{kept.name} noise is drawn exactly for at most {most_columns} columns: {smallest}."


def between(kept: Mechanism, people: tuple[float, float], otherwise: Mechanism) -> str:
    """Say for how many people a second look keeps most, and what does for all others."""
    fewest, most = people
    return (
        f"As a rule of thumb, {kept.name} keeps most for about {_about(fewest)} to "
        f"{_about(most)} people: {SEEN}. With fewer or more, {otherwise.name} does."
    )


def _about(people: float) -> str:
    """Write a number of people with two digits."""
    return f"{float(f'{max(people, 1.0):.2g}'):,.0f}"
