"""Every sentence of the Eigengap page."""

from collections.abc import Mapping
from math import degrees

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Adjacency
from dpca_core.simulation.trials import norm_trials
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import epsilon_text, upward
from ui.eigengap.query import EigengapQuery
from ui.page.content import Labels
from ui.text.numbers import (
    count,
    escape_markdown,
    percent,
    significant,
    subspace_name,
)
from ui.text.words import budget_text

GAP_HELP = "Starts at the eigengap of the data. Drag to explore other gaps."
CHOICE_HELP = "In addition to the ε spent on the directions."
NOISE_BY_GAP = (
    "Noise against the gap",
    "noise per entry of a direction; below the dotted line: less than a typical entry",
)


def answer(query: EigengapQuery, angle: float) -> str:
    """Say how far one person can turn the result, in radians."""
    one, turned = query.data.unit.one, degrees(angle)
    who = f"one {one}" + (" replaced" if query.adjacency is Adjacency.REPLACE_ONE else "")
    space = subspace_name(query.k)
    start = f"At a gap of [[{query.with_unit(query.gap)}]], {who} can turn the top {space}"
    if turned == 90:
        return f"{start} **all the way**: a kept direction and a dropped one may change places."
    return f"{start} by at most **{upward(turned, 2)}°**."


def noise_summary(query: EigengapQuery, noise: Mapping[str, float]) -> str:
    """Say how much noise per entry mechanisms that adapt to the gap add; NaN: no release."""
    known = {name: scale for name, scale in noise.items() if np.isfinite(scale)}
    if not known:
        return "No mechanism that adapts to the gap can release anything at this budget."
    parts = (f"{name} **{significant(scale)}**" for name, scale in known.items())
    typical = significant(query.data.d**-0.5)
    return (
        f"Noise per entry of a direction: {', '.join(parts)}; a typical entry is about {typical}."
    )


def settings(query: EigengapQuery) -> str:
    """Name the data and the settings."""
    data = query.data
    size = f"{count(query.n)} {data.unit.many} × {data.d} columns, k\u00a0=\u00a0{query.k}"
    return f"{data.name}, {size}, {budget_text(query.budget, data.unit.one)}."


def footer(query: EigengapQuery) -> str:
    """Name the data and the settings, and where the budget goes."""
    share = f"{query.data.mean_share * 100:.0f}\u00a0%"
    mean = (
        f" The private mean uses {share} of the budget (seed 0)." if query.data.mean_share else ""
    )
    return f"{settings(query)} Not private: this page uses the true spectrum.{mean}"


def fan_labels(query: EigengapQuery, norm: float, turned: Mapping[Mechanism, Array]) -> Labels:
    """Title the fan by the gap and the noise on S; ``turned``: angles in degrees, () for none."""
    first, drawn = next(iter(turned)), max(map(len, turned.values()))
    of = listed([mechanism.name for mechanism, angles in turned.items() if len(angles)])
    said = [f"gap {query.with_unit(query.gap)}, noise {query.with_unit(norm)}"]
    said += [
        f"{m.name}: no release at this budget" for m, angles in turned.items() if not len(angles)
    ]
    # How far half of them are off is Explore's to say: it draws forty times as many.
    needles = f" Needles: the direction turned most in each of {drawn} releases of {of}."
    return {
        "title": f"The gap is {significant(query.gap / norm)} times the noise",
        "sub": "; ".join(said),
        "note": f"Noise: the largest effect of {first.name} noise on any direction, median of "
        f"{norm_trials(query.data.d)} releases.{needles if of else ''}",
    }


def sensitivity_labels(query: EigengapQuery, meeting: Array) -> Labels:
    """Title the chart of the local sensitivity; ``meeting``: gaps at which its bound is exact."""
    note = ""
    if len(meeting):
        note = (
            "The smooth bound takes every data set into account, discounted by a factor of e⁻ᵝ "
            f"for each {query.data.unit.one} in which it differs from these data. It comes down "
            f"to the exact value at a gap of about **{query.with_unit(float(meeting[0]))}**."
        )
    return {
        "title": "How far one person can turn the result",
        "sub": "largest distance (Frobenius norm) between the top bases of two neighbouring data "
        "sets: the exact value, and a safe bound",
        "note": note,
    }


def discounted_labels(query: EigengapQuery, people_away: float) -> Labels:
    """Title the chart of the terms whose maximum is the smooth bound."""
    many = query.data.unit.many
    return {
        "title": f"The worst case is {count(people_away)} {many} away",
        "sub": f"the discounted local sensitivity after j {many} have changed; the maximum is the "
        "smooth bound",
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


def choice_labels(query: EigengapQuery, shares: Array) -> Labels:
    """Title the chart of the private choice, which selects k with these probabilities."""
    return {
        "title": "Choosing k privately",
        "sub": "probability of each k when noise is added to every gap and the largest wins",
        "note": f"It costs ε\u00a0=\u00a0{epsilon_text(query.choice_epsilon)} (pure) **in addition "
        f"to** the directions, and selects k\u00a0=\u00a0{int(np.argmax(shares)) + 1} with a "
        f"probability of {percent(float(shares.max()))}. Draw once, under More; a second draw "
        "costs as much again. These probabilities are not private themselves; they are for "
        f"{count(query.n)} {query.data.unit.many}, a draw uses the actual table.",
    }


def drawn_k(people: int, many: str, k: int, spent: tuple[float, ...], *, private: bool) -> str:
    """Say what the last private choice of k gave, and what all choices of this session cost.

    ``spent``: ε of each draw; not ``private``: the preprocessing read the data without paying.
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
