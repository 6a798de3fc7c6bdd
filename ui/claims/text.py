"""Every sentence of the Claims page, and what becomes of each mechanism's claim."""

from enum import StrEnum
from math import inf, isfinite

from dpca_core.analysis.claims import Claim
from dpca_core.audit.audit import Audit
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Budget, Guarantee, Notion, Standing
from dpca_core.text.privacy_numbers import delta_text, epsilon_text, power, upward
from ui.claims.measurements import AuditJob
from ui.claims.query import ClaimsQuery
from ui.text.documents import link_documents
from ui.text.numbers import count, downward, escape_markdown, percent, significant
from ui.text.odds import short_guarantee
from ui.text.words import budget_text

LOOSE_FACTOR = 1.02
"""Times the ε or the noise needed from which a guarantee is called loose."""
CHART_LEGEND = "Ring: the paper’s claim. Dot: what is proved. Cross: no guarantee."
TABLE_LEGEND = (
    "Noise “a cell”: its standard deviation off the diagonal of S, which is what turns directions; "
    "×: relative to the calibrated mechanism. “Exactly”: for some neighbouring data sets no "
    "smaller ε holds; “at most”: whether any of them spend all of it is open, or known to be "
    "false. Proofs assume exact arithmetic and perfect randomness; floating-point errors, the "
    "pseudo-random generator and timing are not covered."
)
TABLE_HEADS = ("mechanism", "verdict", "claimed, and what holds", "noise", "why")
REFUTATION_TITLE = "A proof that somebody is absent"
REFUTATION_RULE = (
    "An observer who knows every other record subtracts them from the published matrix. The "
    "ellipse is the remainder; the needle is the record in question. This noise only ever adds: "
    "with the record in the data, no needle can stick out."
)
PRESENT_LABEL = "The record is in the data"
MEMBERSHIP = ("Membership test", "shaded: what ε and δ allow; no test lies above it")
MEMBERSHIP_LINES = ("allowed by ε and δ", "best test", "guessing without the release")
MEMBERSHIP_AXES = "false positives: absent people accused", "true positives: present people found"
BELIEF = ("Belief before and after", "for any output; shaded: possible beliefs after the release")
BELIEF_LINES = ("highest", "lowest", "unchanged")
BELIEF_AXES = "belief before the release", "belief after the release"
ATTACK_EXPLANATION = (
    "Thousands of releases of two data sets that differ in one person, and an attacker who tries "
    "to tell them apart. An attack that does better than ε and δ allow disproves the guarantee."
)
ATTACK_LEGEND = "bar: ε shown by the attack; ring: claimed; dot: proved"


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
    return (
        f"{query.mechanism.name}; example data, not your data set: {count(query.n)} people "
        f"× {query.d} columns, k\u00a0=\u00a0{query.k}, {budget_text(query.budget, 'person')}."
    )


def headline(claims: list[Claim], budget: Budget) -> str:
    """Count what became of the printed mechanisms' claims, and name the worst waste."""
    found = grouped([claim for claim in claims if claim.is_printed], budget)
    parts = [f"**{len(some)}** {verdict}" for verdict, some in found.items()]
    text = (
        f"Of {sum(map(len, found.values()))} printed mechanisms at "
        f"[[ε\u00a0=\u00a0{epsilon_text(budget.epsilon)}]]: {', '.join(parts)}"
    )
    worst = next(iter(found.get(Verdict.LOOSE, [])), None)
    if worst is None or not worst.excess:
        return f"{text}."
    times = f"**{significant(worst.excess, 3)} times**"
    return f"{text}; {short_name(worst.mechanism)} adds {times} the noise of its calibrated form."


def short_name(mechanism: Mechanism) -> str:
    """Name a mechanism among printed ones."""
    return mechanism.name.removesuffix(", printed")


def claims_table(claims: list[Claim], budget: Budget) -> list[dict[str, str]]:
    """Return a row for each mechanism, by ``TABLE_HEADS``, the worst first, as Markdown."""
    return [
        dict(zip(TABLE_HEADS, _cells(claim, verdict), strict=True))
        for verdict, some in grouped(claims, budget).items()
        for claim in some
    ]


def _cells(claim: Claim, verdict: Verdict) -> tuple[str, ...]:
    name, holds = escape_markdown(claim.mechanism.name), claim.guarantee
    if holds is None:
        return name, verdict, "", "", escape_markdown(claim.infeasible or "")
    reason = holds.erratum or ""
    if reason.endswith(f"true ε = {holds.epsilon:.3g}."):
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
    text = f"{escape_markdown(noise.symbol)}\u00a0=\u00a0{size} {noise.unit}{of}"
    if claim.cell is not None:
        same = abs(claim.cell / noise.scale - 1) < 1e-9
        text += " a cell" if same else f"; {significant(claim.cell, 3)} a cell"
    return text if claim.excess is None else f"{text} **{significant(claim.excess, 3)}\u00a0×**"


def refutation_answer(mechanism: Mechanism, proofs: int, published: int, *, present: bool) -> str:
    """Say how many of the published matrices prove the record absent."""
    share = f"**{proofs} of {published}** matrices that {short_name(mechanism)} published"
    if present:
        return f"{share} prove the record absent: it is in the data."
    return f"{share} [[prove]] that this record is not in the data."


def refutation_theory(predicted: float, proofs: int, releases: int, d: int) -> str:
    """Compare the predicted share of proofs of absence with the share in many releases."""
    return (
        f"Theory predicts 1 − exp(−1/(2s))\u00a0=\u00a0**{predicted:.3f}** for every d; in "
        f"{count(releases)} further releases with d\u00a0=\u00a0{d} columns it was "
        f"**{proofs / releases:.3f}**."
    )


def guess_explanation(guarantee: Guarantee) -> str:
    """Say what the attacker knows, what holds, and how the largest probability follows."""
    seen = "The attacker knows everyone else’s record and sees what is published."
    if guarantee.notion is Notion.LOCAL:
        seen = "The attacker sees the report that the person sends."
    if guarantee.notion is Notion.NONE:
        return seen
    how = "(e^ε + δ)/(1 + e^ε)"
    if guarantee.noise_multiplier is not None:
        how = "exactly Φ(Δ/2σ), because the noise is Gaussian"
    if guarantee.standing is Standing.REFUTED:
        how += " at ε = 0, which is (1 + δ)/2"
    holds = short_guarantee(guarantee)
    return f"{seen} The guarantee is {holds}; the largest probability is {how}."


def no_belief(guarantee: Guarantee, beyond: float | None) -> str:
    """Say why beliefs are not bounded for δ > 0.

    ``beyond``: for Gaussian noise, the probability of an output that changes the odds by more than
    e^ε.
    """
    text = (
        "With δ > 0 a rare output may reveal a person, so no bound on beliefs holds for every "
        "output. The bound can fail, with a probability that may exceed "
        f"δ\u00a0=\u00a0{delta_text(guarantee.delta)}."
    )
    if beyond is None:
        return text
    return (
        f"{text} Here an output that changes the odds by more than e^ε has probability "
        f"**{power(float(f'{beyond:.2g}'))}**, exactly Φ(Δ/2σ − εσ/Δ)."
    )


def audit_progress(job: AuditJob) -> str:
    """Say how far an audit is."""
    drawn = count(int(job.share * job.releases))
    return f"{job.mechanism.name}: {drawn} of {count(job.releases)} releases of each data set."


def no_verdict(now: ClaimsQuery, job: AuditJob) -> str:
    """Say that the last attack was on something else, or why it has no result."""
    if job.query != now:
        was = settings(job.query)
        return f"The last attack was not on what is chosen now, but on {was} Attack again."
    return job.problem or "The audit was stopped before its first releases."


def audit_verdict(found: Audit, name: str) -> str:
    """Say in one sentence what a mechanism of this name is convicted of."""
    bound = downward(found.epsilon_lower)
    if found.convicted and is_certified(found.guarantee):
        return f"[[Broken]]: {name} spends at least ε = {bound}. This is a bug in dpca."
    if found.claim_convicted and found.claim is not None:
        return (
            f"[[Claim disproved]]: {name} spends at least **ε\u00a0=\u00a0{bound}**; its paper "
            f"claims {epsilon_text(found.claim.epsilon)}."
        )
    if not is_certified(found.guarantee):
        start = "Not disproved" if found.claim is not None else "Nothing is promised"
        return f"{start}: the attack shows only ε ≥ {bound}, which is no guarantee."
    proved = upward(found.guarantee.epsilon)
    if found.epsilon_lower == 0:
        return f"Not disproved: the attack shows nothing, and ε\u00a0=\u00a0{proved} is proved."
    return f"Consistent: the attack shows ε ≥ **{bound}**, and {proved} is proved."


def audit_power(found: Audit) -> str:
    """Say what an attack can show with so many releases, and whether a better one exists."""
    releases = "release" if found.tested == 1 else "releases"
    tested = f"{count(found.tested)} tested {releases} of each data set"
    if found.smallest_detectable_epsilon == inf:
        return f"With {tested} no attack can show anything: choose more releases."
    least = upward(found.smallest_detectable_epsilon)
    text = f"With {tested} an ε below {least} cannot be expected to show"
    if is_certified(found.guarantee) and found.expected_lower_bound > 0:
        easiest = "the mechanism easiest to attack among all with this guarantee"
        if found.guarantee.noise_multiplier is not None:
            easiest = "Gaussian noise observed directly"
        text += f"; {easiest} shows about {significant(found.expected_lower_bound)} on average"
    if found.is_optimal:
        return f"{text}. This attack uses the likelihood ratio: only more releases can show more."
    return f"{text}. A better attack than this one may show more."


def audit_details(job: AuditJob, found: Audit) -> str:
    """Say how the audit was done, and how far its bound can be trusted."""
    stopped = f" Stopped after {percent(found.share_done)}." if found.share_done < 1 else ""
    return (
        f"Two data sets that differ in {job.pair}, {count(found.releases)} releases of each, seed "
        f"{job.seed}.{stopped} On one half the attacker chose what to look at; on the other half "
        f"the attack said “in” for {percent(found.true_positive_rate)} of the releases with the "
        f"person and for {percent(found.false_positive_rate)} of those without. {found.statistic} "
        f"{audit_power(found)} The bound holds with {found.level * 100:g}\u00a0% confidence, at "
        "the requested δ. No audit proves privacy."
    )
