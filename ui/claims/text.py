"""The sentences of the Claims page's table, its refutation and what a guarantee means."""

from html import escape
from math import isfinite

from dpca_core.analysis.claims import Claim
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Budget, Guarantee, Notion, Standing
from dpca_core.text.guarantee_sentences import neighbours, short_guarantee
from dpca_core.text.privacy_numbers import (
    delta_text,
    epsilon_text,
    power,
)
from ui.claims.query import ClaimsQuery
from ui.claims.verdicts import Group, Verdict, verdict_of
from ui.text.documents import link_documents
from ui.text.numbers import count, significant

LEGEND = (
    "Ring: the paper’s claim. Dot: what is proved. Cross: no guarantee. Proofs assume exact "
    "arithmetic and perfect randomness; floating-point errors, the pseudo-random generator and "
    "timing are not covered."
)
COLUMN_HEADS = ("mechanism", "the paper claims", "what holds")
REFUTATION_TITLE = "A proof that somebody is absent"
MEANING_TITLE = "What it means for one person"
MEMBERSHIP_TITLE = "Membership test"
BELIEF_TITLE = "Belief before and after"
BELIEF_SUBTITLE = "for any output; shaded: possible beliefs after the release"
NO_BELIEF_SUBTITLE = "not available for δ > 0"
ALLOWED, BEST_TEST, COIN = "allowed by ε and δ", "best test", "guessing without the release"
"""Names of the lines of the membership test."""
HIGHEST_BELIEF, LOWEST_BELIEF, UNCHANGED_BELIEF = "highest", "lowest", "unchanged"
"""Names of the lines of beliefs."""
MEMBERSHIP_AXES = "false positives: absent people accused", "true positives: present people found"
BELIEF_AXES = "belief before the release", "belief after the release"

_GROUPS = {
    Verdict.BROKEN: (
        "{} published guarantee{s} that {fail}",
        "refuted, weaker than claimed, not per person, or never proved",
    ),
    Verdict.LOOSE: (
        "{} with more noise than needed",
        "their guarantees hold; ×: noise off the diagonal, which is what turns directions, "
        "relative to the calibrated mechanism",
    ),
    Verdict.EXACT: (
        "{} with exactly the noise needed",
        "for some neighbouring data sets no smaller ε holds",
    ),
    Verdict.BOUND: (
        "{} that {spend} at most ε",
        "proved for all neighbouring data sets; whether any of them spend all of it is open, or "
        "known to be false",
    ),
    Verdict.NONE: ("{} for comparison", "no guarantee is intended"),
    Verdict.NO_RELEASE: ("{} without a release at this budget", ""),
}
_NUMBERS = (
    "None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
    "Eleven", "Twelve",
)  # fmt: skip


def example_data(query: ClaimsQuery) -> str:
    """Say on which data and for which settings the claims are checked."""
    return (
        f"The claims are checked on example data, not on your data set: {_example_settings(query)}."
    )


def settings(query: ClaimsQuery) -> str:
    """Name the mechanism, the example data and the settings."""
    return f"{query.chosen_mechanism.name}; example data: {_example_settings(query)}."


def _example_settings(query: ClaimsQuery) -> str:
    return (
        f"{count(query.n)} people × {query.d} columns, k\u00a0=\u00a0{query.k}, "
        f"ε\u00a0=\u00a0{epsilon_text(query.epsilon)}, δ\u00a0=\u00a0{power(query.delta)}, "
        f"{neighbours(query.budget.adjacency, 'person')}"
    )


def headline(claims: list[Claim], budget: Budget) -> str:
    """Count the claims that don't hold, and name the worst waste."""
    printed = [c for c in claims if c.mechanism.role == "printed" and c.guarantee is not None]
    broken = [c for c in printed if verdict_of(c, budget) is Verdict.BROKEN]
    loose = [c for c in printed if verdict_of(c, budget) is Verdict.LOOSE]
    text = (
        f"At <em>ε\u00a0=\u00a0{epsilon_text(budget.epsilon)}</em>, "
        f"<b>{len(broken)} of {len(printed)}</b> printed mechanisms do not provide the guarantee "
        "that their papers claim"
    )
    worst = max(loose, key=lambda c: c.excess or 0, default=None)
    if worst is None or not worst.excess:
        return f"{text}."
    return (
        f"{text}; {_short_name(worst.mechanism)} adds <b>{excess_text(worst.excess)} times</b> "
        "the noise of its calibrated form."
    )


def excess_text(excess: float) -> str:
    """Write noise relative to the calibrated mechanism's: rounded alike wherever it stands."""
    return significant(excess, 3)


def _short_name(mechanism: Mechanism) -> str:
    return mechanism.name.removesuffix(", printed")


def group_titles(group: Group) -> tuple[str, str]:
    """Title and subtitle of a group of the table."""
    title, subtitle = _GROUPS[group.verdict]
    size = len(group.claims)
    many = size != 1
    number = _NUMBERS[size] if size < len(_NUMBERS) else str(size)
    verbs = {verb: verb if many else f"{verb}s" for verb in ("fail", "spend")}
    return title.format(number, s="s" if many else "", **verbs), subtitle


def noise_cell(claim: Claim) -> str:
    """Write a mechanism's noise with its unit and its excess, as HTML."""
    noise = claim.noise
    if noise is None or not isfinite(noise.scale):
        return "refuses here" if claim.mechanism.refuses else ""
    if noise.scale == 0:
        return "none"
    size = count(noise.scale) if noise.scale >= 1000 else significant(noise.scale, 3)
    of = "" if noise.unit == "people" else " of a direction"
    text = f"{escape(noise.symbol)}\u00a0=\u00a0{size} {noise.unit}{of}"
    if noise.entry is not None:
        same = abs(noise.entry / noise.scale - 1) < 1e-9
        text += " per entry" if same else f"; {significant(noise.entry, 3)} per entry"
    if claim.excess is None:
        return text
    return f"{text} <b>{excess_text(claim.excess)}\u00a0×</b>"


def reason_cell(guarantee: Guarantee) -> str:
    """Write what is wrong with a claim, and the source of what holds, as HTML."""
    reason = escape(guarantee.erratum or "")
    if reason.endswith(f"true ε = {guarantee.epsilon:.3g}."):
        reason = reason.rpartition(":")[0] + "."
    return f"{reason} {link_documents(escape(guarantee.source))}.".strip()


def refutation_answer(proofs: int, published: int, *, present: bool) -> str:
    """Say how many of the published matrices prove the record absent."""
    share = f"<b>{proofs} of {published}</b> published matrices"
    if present:
        return (
            f"{share} prove the record absent: it is in the data, and every ellipse holds its "
            "needle."
        )
    return f"{share} <em>prove</em> that this record is not in the data."


REFUTATION_RULE = (
    "An observer who knows every other record subtracts them from the published matrix. The "
    "ellipse is the remainder; the needle is the record in question. This noise only ever adds: "
    "with the record in the data, no needle can stick out."
)


def refutation_theory(predicted: float, proofs: int, releases: int, d: int) -> str:
    """Compare the predicted share of proofs of absence with the share in many releases."""
    return (
        f"Theory predicts 1 − e<sup>−1/(2s)</sup>\u00a0=\u00a0<b>{predicted:.3f}</b> for every d; "
        f"in {count(releases)} further releases with d\u00a0=\u00a0{d} columns it was "
        f"<b>{proofs / releases:.3f}</b>."
    )


def guess_explanation(guarantee: Guarantee) -> str:
    """Say what the attacker knows, what holds, and how the largest probability follows."""
    local = guarantee.notion is Notion.LOCAL
    seen = "The attacker knows everyone else’s record and sees what is published."
    if local:
        seen = "The attacker sees the report that the person sends."
    if guarantee.notion is Notion.NONE:
        return seen
    bound = "(e<sup>ε</sup> + δ)/(1 + e<sup>ε</sup>)"
    exact = guarantee.noise_multiplier is not None
    how = "exactly Φ(Δ/2σ), because the noise is Gaussian" if exact else bound
    if guarantee.standing is Standing.REFUTED:
        how = f"{bound} at ε = 0, which is (1 + δ)/2"
    holds = short_guarantee(guarantee)
    return f"{seen} The guarantee is {holds}; the largest probability is {how}."


def membership_subtitle(guarantee: Guarantee) -> str:
    """Explain the chart of the membership test."""
    if guarantee.noise_multiplier is not None:
        return "line: the best possible test; shaded: what ε and δ alone would allow"
    return "shaded: what ε and δ allow; no test lies above it"


def no_belief(guarantee: Guarantee, beyond: float | None) -> str:
    """Say why beliefs are not bounded for δ > 0.

    Parameters
    ----------
    beyond
        For Gaussian noise, the probability of an output that changes the odds by more than e^ε.
    """
    text = (
        "With δ > 0 a rare output may reveal a person, so no bound on beliefs holds for every "
        "output. The bound can fail, with a probability that may exceed "
        f"δ\u00a0=\u00a0{delta_text(guarantee.delta)}."
    )
    if beyond is not None:
        text += (
            " Here an output that changes the odds by more than e<sup>ε</sup> has probability "
            f"<b>{power(float(f'{beyond:.2g}'))}</b>, exactly Φ(Δ/2σ − εσ/Δ)."
        )
    return f"{text} Use the membership test or the odds of a guess."


def attack_title(query: ClaimsQuery) -> str:
    """Title the audit."""
    return f"Attack {query.chosen_mechanism.name}"
