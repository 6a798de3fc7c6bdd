"""The sentences of the Claims page's audit."""

from math import inf

from dpca_core.audit.audit import Audit
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import delta_text, epsilon_text, upward
from ui.claims.audit_job import AuditJob
from ui.claims.query import ClaimsQuery
from ui.claims.verdicts import is_certified
from ui.text.numbers import count, downward, percent, significant

EXPLANATION = (
    "Thousands of releases of two data sets that differ in one person, and an attacker who tries "
    "to tell them apart. An attack that does better than ε and δ allow disproves the guarantee."
)
SCALE_LEGEND = "bar: ε shown by the attack; ring: claimed; dot: proved"
STOPPED_EARLY = "The audit was stopped before its first releases."


def progress_text(job: AuditJob) -> str:
    """Say how far an audit is."""
    drawn = count(int(job.share * job.releases))
    return f"{job.mechanism.name}: {drawn} of {count(job.releases)} releases of each data set."


def attacked_before(job: AuditJob, now: ClaimsQuery) -> str:
    """Say that the last attack was on something else than is chosen now, and in what it differs."""
    was = job.query
    others = {
        "delta": f"δ\u00a0=\u00a0{delta_text(was.delta)}",
        "d": f"{count(was.d)} columns",
        "n": f"{count(was.n)} people",
        "k": f"k\u00a0=\u00a0{was.k}",
        "adjacency": neighbours(was.budget.adjacency, "person"),
    }
    differing = [said for key, said in others.items() if getattr(was, key) != getattr(now, key)]
    settings = ", ".join([f"ε\u00a0=\u00a0{epsilon_text(was.epsilon)}", *differing])
    return (
        f"The last attack was on {job.mechanism.name} at {settings}, not on what is chosen now: "
        "attack again."
    )


def audit_verdict(found: Audit, name: str) -> str:
    """Say in one sentence what a mechanism of this name is convicted of."""
    bound = downward(found.epsilon_lower)
    if found.convicted and is_certified(found.guarantee):
        return f"<em>Broken</em>: {name} spends at least ε = {bound}. This is a bug in dpca."
    if found.claim_convicted and found.claim is not None:
        return (
            f"<em>Claim disproved</em>: {name} spends at least <b>ε\u00a0=\u00a0{bound}</b>; its "
            f"paper claims {epsilon_text(found.claim.epsilon)}."
        )
    if not is_certified(found.guarantee):
        start = "Not disproved" if found.claim is not None else "Nothing is promised"
        return f"{start}: the attack shows only ε ≥ {bound}, which is no guarantee."
    proved = upward(found.guarantee.epsilon)
    if found.epsilon_lower == 0:
        return f"Not disproved: the attack shows nothing, and ε\u00a0=\u00a0{proved} is proved."
    return f"Consistent: the attack shows ε ≥ <b>{bound}</b>, and {proved} is proved."


def audit_power(found: Audit) -> str:
    """Say what an attack can show with so many releases, and whether a better one exists."""
    releases = "release" if found.tested == 1 else "releases"
    tested = f"{count(found.tested)} tested {releases} of each data set"
    if found.smallest_detectable_epsilon == inf:
        return f"With {tested} no attack can show anything: choose more releases."
    text = (
        f"With {tested} an ε below {upward(found.smallest_detectable_epsilon)} cannot be expected "
        "to show"
    )
    if is_certified(found.guarantee) and found.expected_lower_bound > 0:
        gaussian = found.guarantee.noise_multiplier is not None
        easiest = "the mechanism easiest to attack among all with this guarantee"
        text += (
            f"; {'Gaussian noise observed directly' if gaussian else easiest} shows about "
            f"{significant(found.expected_lower_bound)} on average"
        )
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
        f"{audit_power(found)} The "
        f"bound holds with {found.level * 100:g}\u00a0% confidence, at the requested δ. No audit "
        "proves privacy."
    )
