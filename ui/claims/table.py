"""The Claims page's table: each paper's promise beside what holds, as one picture of rows."""

from dataclasses import dataclass
from html import escape
from math import isfinite

from dpca_core.analysis.claims import Claim
from dpca_core.privacy.budget import Budget, Guarantee, Notion, Standing
from dpca_core.text.guarantees import LABELS
from dpca_core.text.privacy_numbers import epsilon_text
from ui.claims.epsilon_scale import HIGH, LOW, share_of
from ui.figures.palette import colour
from ui.text.documents import link_documents
from ui.text.guarantees import short_guarantee
from ui.text.numbers import count, significant

LOOSE = 1.02
_HEADS = ("mechanism", "the paper claims", "what holds")
_WORST = (Standing.REFUTED, Standing.WEAKER, Standing.UNCERTIFIED)


@dataclass(frozen=True)
class Group:
    """Rows that share a verdict: broken, loose, exact, bound, none or not."""

    verdict: str
    title: str
    subtitle: str
    rows: tuple[Claim, ...]


def grouped(rows: list[Claim], budget: Budget) -> list[Group]:
    """Sort mechanisms by what became of their promise."""
    verdicts = ("broken", "loose", "exact", "bound", "none", "not")
    kinds: dict[str, list[Claim]] = {verdict: [] for verdict in verdicts}
    for row in rows:
        kinds[_kind(row, budget)].append(row)
    kinds["broken"].sort(key=_how_bad)
    kinds["loose"].sort(key=lambda row: -(row.excess or 1))
    named = (
        ("broken", "{} whose published guarantee fails", "refuted, weaker than printed, not for a "
         "person, or never proved"),
        ("loose", "{} with more noise than needed", "they hold; ×: how many times the "
         "calibrated form’s noise off the diagonal, which is what turns directions"),
        ("exact", "{} with exactly the noise needed", "for some neighbouring data sets no smaller "
         "ε holds"),
        ("bound", "{} that spend at most ε", "proved for all neighbouring data sets; whether any "
         "of them spend all of it is open, or known not to be so"),
        ("none", "{} for comparison", "no promise is sought"),
        ("not", "{} without a release at this budget", ""),
    )  # fmt: skip
    return [
        Group(key, title.format(_number(len(kinds[key]))), subtitle, tuple(kinds[key]))
        for key, title, subtitle in named
        if kinds[key]
    ]


def _how_bad(row: Claim) -> int:
    return _WORST.index(row.guarantee.standing) if row.guarantee else len(_WORST)


def _number(count: int) -> str:
    words = (
        "None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
        "Eleven", "Twelve")  # fmt: skip
    return words[count] if count < len(words) else str(count)


def _kind(row: Claim, budget: Budget) -> str:
    if row.guarantee is None:
        return "not"
    if row.mechanism.family == "baseline":
        return "none"
    if row.broken:
        return "broken"
    spare = row.guarantee.epsilon * LOOSE < budget.epsilon
    if spare or (row.excess or 0) > LOOSE:
        return "loose"
    return "exact" if row.guarantee.exact else "bound"


def headline(rows: list[Claim], budget: Budget) -> str:
    """Count the promises that don't hold, and the worst waste."""
    printed = [r for r in rows if r.mechanism.printed and r.guarantee is not None]
    broken = [r for r in printed if _kind(r, budget) == "broken"]
    loose = [r for r in printed if _kind(r, budget) == "loose"]
    head = (
        f"At <em>ε\u00a0=\u00a0{epsilon_text(budget.epsilon)}</em>, <b>{len(broken)} of "
        f"{len(printed)}</b> printed mechanisms do not keep what they promise"
    )
    worst = max(loose, key=lambda r: r.excess or 0, default=None)
    if worst is None or not worst.excess:
        return f"{head}."
    return (
        f"{head}; {worst.mechanism.name.removesuffix(', printed')} adds <b>"
        f"{significant(worst.excess, 2)} times</b> the noise of its calibrated form."
    )


def table(rows: list[Claim], budget: Budget) -> str:
    """Return the table as HTML."""
    parts = [_line("head", *_HEADS, _axis(budget), "noise", "why")]
    for group in grouped(rows, budget):
        parts.append(f'<h3>{group.title}</h3><p class="sub">{group.subtitle}</p>')
        parts += [_row(row, budget, group.verdict) for row in group.rows]
    return "".join(parts)


def _line(kind: str, name: str, claim: str, holds: str, plot: str, noise: str, why: str) -> str:
    """Six cells; the last two are one paragraph on a narrow screen."""
    return (
        f'<div class="row {kind}"><div class="name">{name}</div><div>{claim}</div>'
        f'<div class="holds">{holds}</div><div class="plot">{plot}</div><div class="more">'
        f'<div class="noise">{noise}</div><div class="why">{why}</div></div></div>'
    )


def _row(row: Claim, budget: Budget, verdict: str) -> str:
    light, dark = colour(row.mechanism.family)
    dot = f'<i style="background: light-dark({light}, {dark})"></i>'
    name = f"{dot}{escape(row.mechanism.name)}"
    if row.guarantee is None:
        return _line(verdict, name, "", "", "", "", escape(row.infeasible or ""))
    label, kind = LABELS[row.guarantee.standing]
    claim = _labelled("claims", short_guarantee(row.claim)) if row.claim else ""
    badge = f'<span class="badge is-{kind}">{label}</span>'
    holds = _labelled("holds", short_guarantee(row.guarantee)) + badge
    why = _why(row.guarantee)
    return _line(verdict, name, claim, holds, _picture(row, budget), _noise(row), why)


def _labelled(label: str, text: str) -> str:
    """Text after a label that only a narrow screen shows, in place of the column's head."""
    return f'<span><span class="label">{label} </span>{text}</span>'


def _noise(row: Claim) -> str:
    noise = row.noise
    if noise is None or not isfinite(noise.scale):
        return "refuses here" if row.mechanism.family == "gap release" else ""
    if noise.scale == 0:
        return "none"
    size = count(noise.scale) if noise.scale >= 1000 else significant(noise.scale, 3)
    of = "" if noise.unit == "people" else " of a direction"
    text = f"{escape(noise.symbol)}\u00a0=\u00a0{size} {noise.unit}{of}"
    if row.entry is not None:
        same = abs(row.entry / noise.scale - 1) < 1e-9
        text += " per entry" if same else f"; {significant(row.entry, 3)} per entry"
    if row.excess is None:
        return text
    return f"{text} <b>{significant(row.excess, 3)}\u00a0×</b>"


def _why(guarantee: Guarantee) -> str:
    reason = escape(guarantee.erratum or "")
    if reason.endswith(f"true ε = {guarantee.epsilon:.3g}."):
        reason = reason.rpartition(":")[0] + "."
    return f"{reason} {link_documents(escape(guarantee.source))}.".strip()


def _at(share: float, kind: str, text: str = "") -> str:
    return f'<i class="{kind}" style="left: {share:.2f}%">{text}</i>'


def _axis(budget: Budget) -> str:
    asked = share_of(budget.epsilon)
    ticks = "".join(
        _at(share_of(10.0**e), "tick", epsilon_text(10.0**e))
        for e in range(int(LOW), int(HIGH) + 1)
        if abs(share_of(10.0**e) - asked) > 12
    )
    return ticks + _at(asked, "tick asked", f"ε\u00a0=\u00a0{epsilon_text(budget.epsilon)}")


def _picture(row: Claim, budget: Budget) -> str:
    """Ring: what is claimed. Dot: what holds. The rule: what was asked for."""
    guarantee = row.guarantee
    if guarantee is None:
        return ""
    marks = "".join(_at(share_of(10.0**e), "decade") for e in range(int(LOW), int(HIGH) + 1))
    marks += _at(share_of(budget.epsilon), "asked")
    nothing = guarantee.notion is Notion.NONE or guarantee.standing is Standing.REFUTED
    true = 100.0 if nothing else share_of(guarantee.epsilon)
    if row.claim is not None:
        claimed = share_of(row.claim.epsilon)
        left, width = min(claimed, true), abs(claimed - true)
        marks += f'<i class="way" style="left: {left:.2f}%; width: {width:.2f}%"></i>'
        marks += _at(claimed, "ring")
    below = not nothing and guarantee.epsilon < 10**LOW
    return marks + _at(true, "cross" if nothing else "below" if below else "dot")
