"""The Claims page's table of all mechanisms, and the scale of an audit, both with an ε axis."""

from html import escape

from dpca_core.analysis.claims import Claim
from dpca_core.audit.audit import Audit
from dpca_core.figures.colours import family_role, palette
from dpca_core.privacy.budget import Budget, Notion, Standing
from dpca_core.text.guarantee_sentences import LABELS, short_guarantee
from dpca_core.text.privacy_numbers import epsilon_text
from ui.claims.audit_text import SCALE_LEGEND
from ui.claims.epsilon_scale import DECADES, SCALE_START, share_of
from ui.claims.text import COLUMN_HEADS, group_titles, noise_cell, reason_cell
from ui.claims.verdicts import Verdict, grouped, is_certified


def claims_table(claims: list[Claim], budget: Budget) -> str:
    """Return the table as HTML."""
    parts = [_row("head", *COLUMN_HEADS, _axis(budget), "noise", "why")]
    for group in grouped(claims, budget):
        title, subtitle = group_titles(group)
        parts.append(f'<h3>{title}</h3><p class="sub">{subtitle}</p>')
        parts += [_claim_row(claim, budget, group.verdict) for claim in group.claims]
    return "".join(parts)


def _row(kind: str, name: str, claim: str, holds: str, plot: str, noise: str, why: str) -> str:
    """Six cells; the last two are one paragraph on a narrow screen."""
    return (
        f'<div class="row {kind}"><div class="name">{name}</div><div>{claim}</div>'
        f'<div class="holds">{holds}</div><div class="plot">{plot}</div><div class="more">'
        f'<div class="noise">{noise}</div><div class="why">{why}</div></div></div>'
    )


def _claim_row(claim: Claim, budget: Budget, verdict: Verdict) -> str:
    light, dark = palette()[family_role(claim.mechanism.family)]
    dot = f'<i style="background: light-dark({light}, {dark})"></i>'
    name = f"{dot}{escape(claim.mechanism.name)}"
    if claim.guarantee is None:
        return _row(verdict, name, "", "", "", "", escape(claim.infeasible or ""))
    label, kind = LABELS[claim.guarantee.standing]
    claimed = _labelled("claims", short_guarantee(claim.claim)) if claim.claim else ""
    badge = f'<span class="badge is-{kind}">{label}</span>'
    holds = _labelled("holds", short_guarantee(claim.guarantee)) + badge
    plot, why = _epsilon_marks(claim, budget), reason_cell(claim.guarantee)
    return _row(verdict, name, claimed, holds, plot, noise_cell(claim), why)


def _labelled(label: str, text: str) -> str:
    """Text after a label that only a narrow screen shows, in place of the column's head."""
    return f'<span><span class="label">{label} </span>{text}</span>'


def _mark(share: float, kind: str, text: str = "") -> str:
    return f'<i class="{kind}" style="left: {share:.2f}%">{text}</i>'


def _axis(budget: Budget) -> str:
    selected = share_of(budget.epsilon)
    ticks = "".join(
        _mark(share_of(epsilon), "tick", epsilon_text(epsilon))
        for epsilon in DECADES
        if abs(share_of(epsilon) - selected) > 12
    )
    text = f"ε\u00a0=\u00a0{epsilon_text(budget.epsilon)}"
    return ticks + _mark(selected, "tick asked", text)


def _epsilon_marks(claim: Claim, budget: Budget) -> str:
    """Ring: what is claimed. Dot: what holds. The rule: what was asked for."""
    guarantee = claim.guarantee
    if guarantee is None:
        return ""
    marks = "".join(_mark(share_of(epsilon), "decade") for epsilon in DECADES)
    marks += _mark(share_of(budget.epsilon), "asked")
    nothing = guarantee.notion is Notion.NONE or guarantee.standing is Standing.REFUTED
    holds = 100.0 if nothing else share_of(guarantee.epsilon)
    if claim.claim is not None:
        claimed = share_of(claim.claim.epsilon)
        left, width = min(claimed, holds), abs(claimed - holds)
        marks += f'<i class="way" style="left: {left:.2f}%; width: {width:.2f}%"></i>'
        marks += _mark(claimed, "ring")
    below = not nothing and guarantee.epsilon < SCALE_START
    return marks + _mark(holds, "cross" if nothing else "below" if below else "dot")


def audit_scale(found: Audit) -> str:
    """Return the result of an audit on an ε axis, as HTML.

    Bar: what the attack shows. Ring: the claim. Dot: what holds.
    """
    marks = []
    if found.epsilon_lower > SCALE_START:
        share = share_of(found.epsilon_lower)
        marks.append(f'<i class="bar" style="width: {share:.2f}%"></i>')
    if found.claim is not None:
        marks.append(_mark(share_of(found.claim.epsilon), "ring"))
    if is_certified(found.guarantee):
        marks.append(_mark(share_of(found.guarantee.epsilon), "dot"))
    ticks = (_mark(share_of(epsilon), "tick", epsilon_text(epsilon)) for epsilon in DECADES)
    return (
        f'<div class="strip"><div class="plot">{"".join(marks)}</div>'
        f'<div class="head"><div class="plot">{"".join(ticks)}</div></div>'
        f'<p class="sub">{SCALE_LEGEND}</p></div>'
    )
