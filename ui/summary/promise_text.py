"""What a summary says of the promise: odds, what is not promised, and the foot of the page."""

import re
from math import log10, sqrt
from typing import NamedTuple

from dpca_core.analysis.direction_words import candidates, direction_phrase
from dpca_core.analysis.reliability import EQUAL, SIMILAR, Reliability
from dpca_core.data.provenance import ONE_ROW
from dpca_core.mechanisms.mechanism import parameters
from dpca_core.privacy.budget import Adjacency, Guarantee, Notion, Standing
from dpca_core.privacy.inference_risk import gaussian_guess_probability, guess_probability
from dpca_core.text.guarantee_sentences import LABELS, between, promise, short_odds
from dpca_core.text.privacy_numbers import (
    GUESSES,
    delta_text,
    epsilon_text,
    right_guesses,
)
from ui.summary.measurements import Setting, SummaryMeasurements
from ui.summary.pattern_rows import words_of
from ui.summary.query import Frozen, Presentation
from ui.text.documents import without_documents
from ui.text.numbers import count

NOT_PROMISED = "What is not promised"
INSIDE = "For use inside: made from the true data, so this page is not a private release."
PUBLIC = "The data are public or made up, so this page may be passed on."
VERDICTS_OF_DATA = "The patterns and verdicts above are those of the data, not of noise."
UNPAID_TEXT = (
    "**No promise holds.** Steps of the preparation read the data before any noise; choose them "
    "in public instead."
)
LARGE_DELTA = "**δ is too large.** With δ this large, somebody’s record may simply be published."
SAFE = (
    "**Keeping the table safe is not part of it.** Nor are the ranges and categories, fixed in "
    "advance by people."
)
PROOF_LABELS = {
    Standing.REFUTED: "**Refutation:**",
    Standing.UNCERTIFIED: "**What is not proved:**",
}
"""What stands before the document of a promise that is not proved."""
SEE = "see “{title}” on the page Proofs."
_OWN = re.compile(r"\bown\b")
CLAIM_TOLERANCE = 1.005
"""Times a paper's ε from which on what holds counts as weaker."""


class Odds(NamedTuple):
    """The odds at one setting.

    Attributes
    ----------
    text
        With ``**`` marks: a bound, or why there is none.
    chance
        Of a right guess, at most; None where no bound holds.
    """

    text: str
    chance: float | None


class Proof(NamedTuple):
    """Who proved a promise.

    Attributes
    ----------
    text
        With ``**`` marks; ``SEE`` follows.
    document
        Its name on the page Proofs.
    """

    text: str
    document: str


def guess_label(measured: SummaryMeasurements) -> str:
    """Name the row of the odds."""
    one, guarantee = measured.dataset.unit.one, measured.chosen.guarantee
    replaced = measured.query.adjacency is Adjacency.REPLACE_ONE
    if replaced or (guarantee is not None and guarantee.notion is Notion.LOCAL):
        owner = "yours" if one == "person" else f"that of one {one}"
        return f"A guess which of two records is {owner}"
    if one == "person":
        return "A guess whether you took part"
    return f"A guess whether one {one} is in the table"


def odds(measured: SummaryMeasurements, setting: Setting) -> Odds:
    """Bound a guess about one person at a setting, or say why no bound holds."""
    guarantee, private = setting.guarantee, measured.dataset.private
    bounded = private and guarantee is not None and guarantee.notion is not Notion.NONE
    chance = guarantee.guess_probability() if guarantee is not None and bounded else None
    return Odds(short_odds(guarantee, private=private), chance)


def not_promised(measured: SummaryMeasurements, shown: Presentation) -> list[str]:
    """Return what the reader must not take for promised, by the state, with ``**`` marks."""
    return [
        text
        for text in (
            *_standing(measured),
            _groups(measured, shown),
            *_of_a_bound(measured),
            _rows(measured),
            SAFE,
        )
        if text
    ]


def _standing(measured: SummaryMeasurements) -> list[str]:
    guarantee, chosen = measured.chosen.guarantee, measured.chosen
    if not measured.dataset.private:
        return [UNPAID_TEXT]
    if guarantee is None:
        return []
    why = f" {guarantee.erratum}" if guarantee.erratum else ""
    if guarantee.standing is Standing.REFUTED:
        return [
            f"**Its promise is false.** An output of this mechanism can give a person away.{why} "
            "The odds above hold all the same: they are proved, and count such outputs too."
        ]
    if guarantee.standing is Standing.UNCERTIFIED:
        return [f"**Nothing is proved about its privacy.**{why}"]
    if guarantee.notion is Notion.NONE:
        return [f"**Nothing protects anybody.**{why}"]
    if chosen.claim is not None and guarantee.epsilon > chosen.claim * CLAIM_TOLERANCE:
        claimed, true = epsilon_text(chosen.claim), epsilon_text(guarantee.epsilon)
        return [
            f"**Less than its paper promises.** The paper says ε\u00a0=\u00a0{claimed}; what holds "
            f"is ε\u00a0=\u00a0{true}, and the odds above are for that."
        ]
    return []


def _groups(measured: SummaryMeasurements, shown: Presentation) -> str:
    one = measured.dataset.unit.one
    if measured.chosen.found is None:
        return ""
    you = "you take part" if one == "person" else f"one {one} is in the table"
    fact = "What the patterns say of everybody"
    found = measured.chosen.found
    if found is not None and found.ordered and found.directions[0].level is Reliability.RELIABLE:
        direction = measured.directions[:, 0]
        columns = [i for i in candidates(direction) if i in measured.words.get(1, ())]
        said = direction_phrase(direction, columns, words_of(measured, shown))
        if said.startswith("Tells ") and not measured.averages[0] >= 0.5:
            ends = said.replace("**", "").removeprefix("Tells ").split(" from ")
            if len(ends) == 2:
                fact = f"That {ends[0]} and {ends[1]} differ"
    return f"**Facts about groups are not hidden.** {fact} can be learnt whether or not {you}."


def _of_a_bound(measured: SummaryMeasurements) -> list[str]:
    """Return what follows from the odds: nothing where no bound holds."""
    guarantee = measured.chosen.guarantee
    if guarantee is None or odds(measured, measured.chosen).chance is None:
        return []
    said = []
    if guarantee.delta > 0 and guarantee.standing is not Standing.REFUTED:
        said.append(_delta(measured, guarantee))
    twice = right_guesses(two_releases(guarantee))
    said.append(
        "**A second release costs again.** The odds hold for one; two of them together allow "
        f"{twice} in {GUESSES}."
    )
    return said


def two_releases(guarantee: Guarantee) -> float:
    """Bound a guess by someone who sees two independent releases: exact for Gaussian noise."""
    bound = guess_probability(2 * guarantee.epsilon, min(1.0, 2 * guarantee.delta))
    if guarantee.noise_multiplier is None:
        return bound
    return min(bound, gaussian_guess_probability(guarantee.noise_multiplier / sqrt(2)))


def _delta(measured: SummaryMeasurements, guarantee: Guarantee) -> str:
    if guarantee.delta * measured.query.n >= 1:
        return LARGE_DELTA
    delta = f"δ\u00a0=\u00a0{delta_text(guarantee.delta)}"
    return f"**{_chance(guarantee.delta)} is left open.** The odds above already allow for {delta}."


def _chance(delta: float) -> str:
    """Write a small probability as odds: "One in a million"."""
    exponent = -log10(delta)
    if abs(exponent - round(exponent)) > 1e-9:
        return f"A chance of {delta_text(delta)}"
    named = {3: "a thousand", 6: "a million", 9: "a billion"}.get(round(exponent))
    return f"One in {named or count(1 / delta)}"


def _rows(measured: SummaryMeasurements) -> str:
    data = measured.dataset
    if data.unit == ONE_ROW:
        return (
            "**One row is protected, not one person.** Whoever has several rows is protected less."
        )
    if data.rows_per_person > 1:
        return (
            f"**The promise is for {data.rows_per_person} rows at most.** Of a {data.unit.one} "
            "with more, the others were left out."
        )
    return ""


def proof(measured: SummaryMeasurements) -> Proof | None:
    """Say who proved the promise, or refuted it, and where to read it; None without a promise."""
    mechanism, guarantee = measured.query.mechanism, measured.chosen.guarantee
    if guarantee is None or not measured.dataset.private:
        return None
    if not guarantee.proved:
        said = PROOF_LABELS.get(guarantee.standing)
        return None if said is None else Proof(said, mechanism.document)
    named = without_documents(guarantee.source) or "own proof"
    who = _OWN.sub("our own", named).replace("our own proof", "our own", 1)
    return Proof(f"**Proof of the promise:** {who};", mechanism.document)


def foot(frozen: Frozen, measured: SummaryMeasurements, shown: Presentation) -> str:
    """Return the foot after its first sentence: what was simulated, with what, and when."""
    query, data, chosen = measured.query, measured.dataset, measured.chosen
    said = [_mechanism(measured), _scaled(measured, shown)]
    if chosen.found is not None:
        said.insert(0, VERDICTS_OF_DATA)
        said.append(
            f"“Found again”: congruence of at least {EQUAL:g} (recognisable: {SIMILAR:g}) in 9 of "
            f"10 releases, at 95\u00a0% confidence, from {count(measured.trials)} simulated "
            f"releases, seed {query.seed}."
        )
    said.append(f"Frozen on {day(frozen)}, dpca {frozen.version}.")
    if not data.own:
        said.append(f"{data.name}, {'generated' if data.synthetic else data.licence}.")
    return " ".join(filter(None, said))


def day(frozen: Frozen) -> str:
    """Write the day on which it was made: "22 November 2026"."""
    return f"{frozen.made.day} {frozen.made:%B %Y}"


def _mechanism(measured: SummaryMeasurements) -> str:
    mechanism, guarantee = measured.query.mechanism, measured.chosen.guarantee
    settings = "".join(
        f", {p.label} {getattr(mechanism, p.name):g}"
        for p in parameters(mechanism)
        if getattr(mechanism, p.name) != p.default
    )
    if guarantee is None:
        return f"**{mechanism.name}{settings}**."
    if not measured.dataset.private:
        return f"**{mechanism.name}{settings}, not private**."
    label = LABELS[guarantee.standing][0].lower()
    said = f"{promise(guarantee)}, {between(guarantee, measured.dataset.unit.one)}"
    return f"**{mechanism.name}{settings}, {label}**: {said}."


def _scaled(measured: SummaryMeasurements, shown: Presentation) -> str:
    query, data = measured.query, measured.dataset
    if not measured.scaled:
        return ""
    table = f"the {count(data.people)}" if shown.people_are_public else f"the {data.unit.many}"
    return f"Verdicts are for {count(query.n)} {data.unit.many} who look like {table} of the table."


def budget_text(setting: Setting) -> str:
    """Write ε of a setting."""
    return f"ε\u00a0=\u00a0{epsilon_text(setting.epsilon)}"
