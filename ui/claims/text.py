"""What becomes of each mechanism's claim, and what the Claims page says of it."""

from enum import StrEnum
from math import inf, isfinite

from dpca_core.analysis.claims import Claim
from dpca_core.audit.attack import Audit
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Budget, Guarantee, Notion, Standing
from dpca_core.text.privacy_numbers import upward
from ui.claims.measurements import ClaimsQuery
from ui.page.words import Words
from ui.text.badges_and_odds import short_guarantee
from ui.text.documents import link_documents
from ui.text.numbers import count, escape_markdown, significant
from ui.text.words import budget_text

say = Words(__file__)
LOOSE_FACTOR = 1.02
"""Times the ε or the noise needed from which a guarantee is called loose."""


class Verdict(StrEnum):
    """What became of a claim, in words, in the order of the table."""

    REFUTED = "refuted"
    UNPROVED = "unproved for a person"
    WEAKER = "weaker than claimed"
    LOOSE = "with more noise than needed"
    EXACT = "with exactly the noise needed"
    BOUND = "spending at most ε"
    NONE = "for comparison"
    NO_RELEASE = "without a release at this budget"


_BROKEN = {
    Standing.REFUTED: Verdict.REFUTED,
    Standing.UNCERTIFIED: Verdict.UNPROVED,
    Standing.WEAKER: Verdict.WEAKER,
}


def verdict_of(claim: Claim, budget: Budget) -> Verdict:
    """Judge one claim at a budget."""
    if claim.guarantee is None:
        return Verdict.NO_RELEASE
    if claim.mechanism.role == "baseline":
        return Verdict.NONE
    if claim.guarantee.standing in _BROKEN:
        return _BROKEN[claim.guarantee.standing]
    spare = claim.guarantee.epsilon * LOOSE_FACTOR < budget.epsilon
    if spare or (claim.excess or 0) > LOOSE_FACTOR:
        return Verdict.LOOSE
    return Verdict.EXACT if claim.guarantee.exact else Verdict.BOUND


def grouped(claims: list[Claim], budget: Budget) -> dict[Verdict, list[Claim]]:
    """Sort claims by verdict, the most wasteful first; verdicts of none are left out."""
    found: dict[Verdict, list[Claim]] = {verdict: [] for verdict in Verdict}
    for claim in claims:
        found[verdict_of(claim, budget)].append(claim)
    found[Verdict.LOOSE].sort(key=lambda claim: -(claim.excess or 1))
    return {verdict: some for verdict, some in found.items() if some}


def is_certified(guarantee: Guarantee) -> bool:
    """Whether something is proved of a mechanism at its ε."""
    return guarantee.notion is not Notion.NONE and guarantee.standing is not Standing.REFUTED


def settings(query: ClaimsQuery) -> str:
    """Name the mechanism, the example data and the settings."""
    return say("settings", q=query, budget=budget_text(query.budget, "person"))


def short_name(mechanism: Mechanism) -> str:
    """Name a mechanism among printed ones."""
    return mechanism.name.removesuffix(", printed")


def headline(claims: list[Claim], budget: Budget) -> str:
    """Count what became of the printed mechanisms' claims, and name the worst waste."""
    found = grouped([claim for claim in claims if claim.is_printed], budget)
    parts = ", ".join(f"**{len(some)}** {verdict}" for verdict, some in found.items())
    printed, waste = sum(map(len, found.values())), ""
    for worst in found.get(Verdict.LOOSE, [])[:1]:
        if worst.excess:
            waste = say("waste", name=short_name(worst.mechanism), worst=worst)
    return say("headline", printed=printed, epsilon=budget.epsilon, parts=parts, waste=waste)


def claims_table(claims: list[Claim], budget: Budget) -> list[dict[str, str]]:
    """Return a row for each mechanism, the worst first, as Markdown."""
    return [
        dict(zip(say.each("table_heads"), _cells(claim, verdict), strict=True))
        for verdict, some in grouped(claims, budget).items()
        for claim in some
    ]


def _cells(claim: Claim, verdict: Verdict) -> tuple[str, ...]:
    name, holds = escape_markdown(claim.mechanism.name), claim.guarantee
    if holds is None:
        return name, verdict, "", "", escape_markdown(claim.infeasible or "")
    reason = holds.erratum or ""
    if reason.endswith(f"true ε = {upward(holds.epsilon)}."):
        reason = reason.rpartition(":")[0] + "."
    source = link_documents(escape_markdown(holds.source))
    why = f"{escape_markdown(reason)} {source}.".strip()
    claimed = f"claims {short_guarantee(claim.claim)}; " if claim.claim else ""
    return name, verdict, f"{claimed}holds: {short_guarantee(holds)}", noise_cell(claim), why


def noise_cell(claim: Claim) -> str:
    """Write a mechanism's noise with its unit, that of a cell of S, and its excess."""
    noise = claim.noise
    if noise is None or not isfinite(noise.scale):
        return "refuses here" if claim.mechanism.refuses else ""
    if noise.scale == 0:
        return "none"
    size = count(noise.scale) if noise.scale >= 1000 else significant(noise.scale, 3)
    of = "" if noise.unit == "people" else " of a direction"
    said = f"{escape_markdown(noise.symbol)}\u00a0=\u00a0{size} {noise.unit}{of}"
    if claim.cell is not None:
        same = abs(claim.cell / noise.scale - 1) < 1e-9
        said += " a cell" if same else f"; {significant(claim.cell, 3)} a cell"
    return said if claim.excess is None else f"{said} **{significant(claim.excess, 3)}\u00a0×**"


def guess_explanation(guarantee: Guarantee) -> str:
    """Say what the attacker knows, what holds, and how the largest probability follows."""
    if guarantee.notion is Notion.NONE:
        return say("attacker")
    how = "(e^ε + δ)/(1 + e^ε)"
    if guarantee.noise_multiplier is not None:
        how = "exactly Φ(Δ/2σ), because the noise is Gaussian"
        if not guarantee.exact:
            how = "at most Φ(Δ/2σ), that of Gaussian noise which hides no more"
    if guarantee.standing is Standing.REFUTED:
        how += " at ε = 0, which is (1 + δ)/2"
    attacker = say("attacker_local" if guarantee.notion is Notion.LOCAL else "attacker")
    return say("largest", attacker=attacker, holds=short_guarantee(guarantee), how=how)


def audit_verdict(found: Audit, name: str) -> str:
    """Say in one sentence what a mechanism of this name is convicted of."""
    bound, certified = found.epsilon_lower, is_certified(found.guarantee)
    if certified and found.convicted:
        return say("broken", name=name, bound=bound)
    if found.claim is not None and found.claim_convicted:
        return say("disproved", name=name, bound=bound, claimed=found.claim.epsilon)
    if not certified:
        return say("claim_stands" if found.claim else "no_promise", bound=bound)
    proved = found.guarantee.epsilon
    return say("consistent" if bound > 0 else "nothing_shown", bound=bound, proved=proved)


def audit_power(found: Audit) -> str:
    """Say what an attack can show with so many releases, and whether a better one exists."""
    if found.smallest_detectable_epsilon == inf:
        return say("too_few", found=found)
    more = ""
    if is_certified(found.guarantee) and found.expected_lower_bound > 0:
        gaussian = found.guarantee.noise_multiplier is not None
        easiest = say("easiest_gaussian" if gaussian else "easiest")
        more = say("expected", easiest=easiest, shown=found.expected_lower_bound)
    better = say("optimal" if found.is_optimal else "not_optimal")
    return say("power", found=found, more=more, better=better)
