"""Every sentence of the Eigengap page."""

from math import degrees

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from dpca_core.simulation.trials import norm_trials
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power, upward
from ui.eigengap.query import EigengapQuery
from ui.page.content import Labels
from ui.text.numbers import (
    count,
    degree_floor,
    escape_markdown,
    percent,
    significant,
    subspace_name,
)

GAP_HELP = "Starts at the eigengap of the data. Drag to explore other gaps."
CONSTANT_HELP = (
    "Gonen & Gilad-Bachrach leave it unspecified. For k = 1, C = 0.766 suffices for gaps of 1 or "
    "more, and √2 for every gap."
)
CHOICE_HELP = "In addition to the ε spent on the directions."
NOISE_BY_GAP: Labels = {
    "title": "Noise against the gap",
    "sub": "noise per entry of a direction; below the dotted line: less than a typical entry",
}


def answer(query: EigengapQuery, angle: float) -> str:
    """Say how far one person can turn the result.

    Parameters
    ----------
    angle
        The largest rotation, in radians.
    """
    one, turned = query.data.unit.one, degrees(angle)
    who = f"one {one}" + (" replaced" if query.adjacency is Adjacency.REPLACE_ONE else "")
    space = subspace_name(query.k)
    start = f"At a gap of [[{query.with_unit(query.gap)}]], {who} can turn the top {space}"
    if turned == 90:
        return f"{start} **all the way**: a kept direction and a dropped one may change places."
    return f"{start} by at most **{upward(turned, 2)}°**."


def noise_summary(query: EigengapQuery, noise: dict[str, float]) -> str:
    """Say how much noise per entry the mechanisms that adapt to the gap add.

    Parameters
    ----------
    noise
        By mechanism key; NaN where there is no release.
    """
    parts = [
        f"{MECHANISMS[key].name} **{significant(scale)}**"
        for key, scale in noise.items()
        if np.isfinite(scale)
    ]
    if not parts:
        return "No mechanism that adapts to the gap can release anything at this budget."
    text = (
        f"Noise per entry of a direction: {', '.join(parts)}; a typical entry is about "
        f"{significant(query.data.d**-0.5)}."
    )
    for key, printed in noise.items():
        exact = noise.get(MECHANISMS[key].counterpart, np.nan)
        if np.isfinite(printed) and exact > 0:
            ratio = significant(printed / exact)
            text += f" Exact calibration reduces the noise by a factor of {ratio}."
    return text


def footer(query: EigengapQuery) -> str:
    """Name the data and the settings, and where the budget goes."""
    data = query.data
    mean = ""
    if data.mean_share > 0:
        mean = f" The private mean uses {data.mean_share * 100:.0f}\u00a0% of the budget (seed 0)."
    return f"{settings(query)} Not private: this page uses the true spectrum.{mean}"


def settings(query: EigengapQuery) -> str:
    """Name the data and the settings."""
    data = query.data
    return (
        f"{data.name}, {count(query.n)} {data.unit.many} × {data.d} columns, "
        f"k\u00a0=\u00a0{query.k}, ε\u00a0=\u00a0{epsilon_text(query.epsilon)}, "
        f"δ\u00a0=\u00a0{power(query.delta)}, {neighbours(query.adjacency, data.unit.one)}."
    )


def sensitivity_labels(query: EigengapQuery, meeting_gap: float | None) -> Labels:
    """Title the chart of the local sensitivity and its bounds, which meet from a gap on."""
    return {
        "title": "How far one person can turn the result: exact value and safe bound",
        "sub": "largest distance (Frobenius norm) between the top bases of two neighbouring data "
        "sets; solid: the exact value and the smooth bound; dashed: the paper’s C/g, "
        f"C\u00a0=\u00a0{query.constant:g}",
        "note": smooth_bound_note(query, meeting_gap),
    }


def smooth_bound_note(query: EigengapQuery, meeting_gap: float | None) -> str:
    """Say from which gap on the smooth bound is the exact value; None for no gap drawn."""
    if meeting_gap is None:
        return "In this range the smooth bound never comes down to the exact value."
    return (
        "The smooth bound takes every data set into account, discounted by a factor of e⁻ᵝ for "
        f"each {query.data.unit.one} in which it differs from these data. It comes down to the "
        f"exact value at a gap of about **{query.with_unit(meeting_gap)}**."
    )


def discounted_labels(query: EigengapQuery, people_away: float) -> Labels:
    """Title the chart of the terms whose maximum is the smooth bound."""
    return {
        "title": f"The worst case is {count(people_away)} {query.data.unit.many} away",
        "sub": f"e⁻ᵝʲ·LS(g − j): the discounted local sensitivity after j {query.data.unit.many} "
        "have changed; the maximum is the smooth bound",
    }


def gap_labels(ratio: float, mechanism: Mechanism, d: int) -> Labels:
    """Title the gap beside the noise of so many columns; ``ratio``: gap over noise."""
    return {
        "title": f"The gap is {significant(ratio)} times the noise",
        "sub": f"the largest effect of {mechanism.name} noise on any direction (its spectral "
        f"norm); median of {norm_trials(d)} releases",
    }


def fan_labels(mechanism: Mechanism, angles: Array) -> Labels:
    """Title the releases of a mechanism by how far they are off, in degrees; () for none."""
    if not len(angles):
        return {"title": mechanism.name, "sub": "no release at this budget"}
    return {
        "title": f"{mechanism.name}: half the releases are off by "
        f"{degree_floor(float(np.median(angles)))} or more",
        "sub": f"the direction turned most in each of {len(angles)} releases, from the true one",
    }


def gaps_labels(query: EigengapQuery) -> Labels:
    """Title the chart of the gaps behind each k."""
    return {
        "title": "The eigengap at each number of directions",
        "sub": f"λₖ − λₖ₊₁ of these data, in {query.data.unit.many}; filled: the selected k",
        "note": "**Choosing k from this chart reads private data**, and no ε here pays for it. Fix "
        "k in advance, or use the private choice next to it. The eigenvalues of a published noisy "
        "matrix also show the gaps, at no extra cost.",
    }


def choice_labels(query: EigengapQuery, best: int, probability: float) -> Labels:
    """Title the chart of the private choice, which selects ``best`` with ``probability``."""
    return {
        "title": "Choosing k privately",
        "sub": "probability of each k when noise is added to every gap and the largest wins; "
        f"filled: k\u00a0=\u00a0{query.k}",
        "note": f"It costs ε\u00a0=\u00a0{epsilon_text(query.choice_epsilon)} (pure) **in addition "
        f"to** the directions, and selects k\u00a0=\u00a0{best} with a probability of "
        f"{percent(probability)}. Draw once, under More; a second draw costs as much again. These "
        f"probabilities are not private themselves.{_other_size(query)}",
    }


def _other_size(query: EigengapQuery) -> str:
    """Say that the chart is of another size than the draw, where it is."""
    many, actual = query.data.unit.many, query.data.people
    if abs(query.n - actual) < 0.5:
        return ""
    return (
        f" They are for {count(query.n)} {many} with the same spectrum; the draw uses the actual "
        f"{count(actual)}."
    )


def drawn_k(people: int, many: str, k: int, spent: tuple[float, ...], *, private: bool) -> str:
    """Say what the last private choice of k gave and what all choices of this session cost.

    Parameters
    ----------
    many
        The data's unit of privacy, plural.
    spent
        ε of each draw.
    private
        False where the preprocessing read the data without paying for it.
    """
    last, total = epsilon_text(spent[-1]), epsilon_text(float(f"{sum(spent):.6g}"))
    text = (
        f"**k = {k}** was drawn from the actual table of {count(people)} {escape_markdown(many)} "
        f"with fresh randomness. It cost ε = {last} (pure), in addition to the directions."
    )
    if len(spent) > 1:
        text += f" The {len(spent)} draws of this session cost ε = {total} in total."
    if not private:
        text += " This is not private: the preprocessing read the data without spending any budget."
    return f"{text} Each further draw spends ε again."
