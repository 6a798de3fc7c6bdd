"""What the Claims page draws: proofs of absence, what a guarantee allows, and all claims."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from dpca_core.analysis.claims import Claim
from dpca_core.audit.absence import RECORD
from dpca_core.figures.chart import Axis, Band, Curve, Line, Spec, chart
from dpca_core.figures.colours import CHOSEN_WIDTH, family_role
from dpca_core.figures.rows import Mark, Row, Shape, rows_chart
from dpca_core.linalg.arrays import Array
from dpca_core.privacy import inference_risk
from dpca_core.privacy.budget import Adjacency, Budget, Guarantee, Notion
from ui.claims import text
from ui.claims.measurements import AuditJob, ClaimsQuery
from ui.claims.text import Verdict, grouped, is_certified, say
from ui.page.content import Chart
from ui.page.markup import element
from ui.text.badges_and_odds import odds, short_guarantee

FALSE_POSITIVE_RATES = np.concatenate(
    [[0.0], np.geomspace(1e-6, 0.01, 60), np.linspace(0.012, 1, 200)]
)
PRIORS = np.linspace(0, 1, 201)
_LARGEST_EPSILON = 700.0
"""Beyond it e^ε is no double-precision number."""
EPSILON_AXIS = Axis(1e-3, 100.0, log=True, title="ε")
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def absence_chart(
    matrices: Array, proved: np.ndarray, scale: float, answer: str, note: str
) -> Chart:
    """Return a cell for each release: {v : vᵀM⁻¹v ≤ 1} and the record's needle, in one scale.

    M (T, 2, 2) are published matrices minus all other records, of which some are ``proved`` (T,) to
    be without the record; by the ``scale`` of the noise the largest ellipses about fit their cells.
    """
    reach = max(1.25, 3.0 * sqrt(scale))
    box = f"{-reach:.2f} {-reach:.2f} {2 * reach:.2f} {2 * reach:.2f}"
    needle = element("line", x2=f"{RECORD[0]:.3f}", y2=f"{-RECORD[1]:.3f}")
    lengths, frames = np.linalg.eigh(matrices)
    axes = np.sqrt(np.maximum(lengths, 0.0))
    # y grows downwards on screens.
    turns = -np.degrees(np.arctan2(frames[:, 1, 1], frames[:, 0, 1]))
    cells = []
    for (short, long), turn, proof in zip(axes, turns, proved, strict=True):
        size = {"rx": f"{long:.3f}", "ry": f"{short:.3f}"}
        ellipse = element("ellipse", **size, transform=f"rotate({turn:.1f})")
        kind = "dpca-proof" if proof else None
        cells.append(element("svg", ellipse, needle, viewBox=box, class_=kind))
    field = element("div", *cells, class_="dpca-absence", role="img", aria_label=answer)
    return Chart("absent", None, **say.chart("absent", note=note), place="wide", beside=field)


def meaning_charts(own: Claim, color: str) -> list[Chart]:
    """Say what a guarantee means for one person, and draw what it allows in a colour's role."""
    guarantee, why = own.guarantee, own.infeasible or ""
    said = text.guess_explanation(guarantee) if guarantee else why
    person = Chart("person", None, odds(guarantee, "person"), said, place="wide")
    if guarantee is None or guarantee.notion is Notion.NONE:
        return [person]
    membership = _membership_chart(guarantee, color)
    if guarantee.delta > 0:
        why = say("no_belief", delta=guarantee.delta)
        return [person, replace(membership, note=why, place="wide")]
    return [person, membership, _belief_chart(guarantee.epsilon, color)]


def _membership_chart(guarantee: Guarantee, color: str) -> Chart:
    """Draw what a guarantee allows a membership test, and the best test of Gaussian noise."""
    rates = FALSE_POSITIVE_RATES
    bound = inference_risk.membership_roc(rates, guarantee.epsilon, guarantee.delta)
    allowed, best_test, coin = say.each("membership_lines")
    curves = [Curve("bound", allowed, bound, color, width=1.0), _diagonal(coin, rates)]
    if guarantee.noise_multiplier is not None and guarantee.exact:
        best = inference_risk.gaussian_roc(rates, guarantee.noise_multiplier)
        curves.insert(0, Curve("best", best_test, best, color, width=CHOSEN_WIDTH, chosen=True))
    absent = guarantee.adjacency is Adjacency.ADD_OR_REMOVE_ONE
    added = absent and guarantee.notion is not Notion.LOCAL
    axes = say.each("membership_axes" if added else "membership_axes_replaced")
    figure = _figure(rates, curves, Band(rates, bound, f"{color}/.14"), axes)
    return Chart("roc", figure, **say.chart("roc"))


def _belief_chart(epsilon: float, color: str) -> Chart:
    """Draw the largest and smallest belief after a release against the belief before it."""
    low, high = inference_risk.posterior_bounds(PRIORS, min(epsilon, _LARGEST_EPSILON))
    highest, lowest, unchanged = say.each("belief_lines")
    curves = [
        Curve("highest", highest, high, color, width=2.0),
        Curve("lowest", lowest, low, color, width=2.0),
        _diagonal(unchanged, PRIORS),
    ]
    figure = _figure(PRIORS, curves, Band(low, high, f"{color}/.14"), say.each("belief_axes"))
    return Chart("belief", figure, **say.chart("belief"))


def _diagonal(name: str, x: Array) -> Curve:
    return Curve("diagonal", name, x, "grey", dash="5px,4px", width=1.2)


def _figure(x: Array, curves: Sequence[Curve], band: Band, titles: Sequence[str]) -> Spec:
    """Return curves between probabilities."""
    texts = tuple(f"{100 * tick:.0f}\u00a0%" for tick in _TICKS)
    across, up = (
        Axis(0.0, 1.02, title=title, ticks=_TICKS, tick_texts=texts, hover_format=".1%")
        for title in titles
    )
    return chart(across, up, x, curves, bands=[band], height=300, hover="%{y:.1%}")


def claims_chart(claims: list[Claim], budget: Budget) -> Chart:
    """Return the claim of each printed mechanism beside what holds, the worst first."""
    rows = [
        Row(
            text.short_name(claim.mechanism),
            family_role(claim.mechanism.family),
            _marks(claim.claim, claim.guarantee),
            verdict,
            alarming=verdict in (Verdict.REFUTED, Verdict.WEAKER),
        )
        for verdict, some in grouped([c for c in claims if c.is_printed], budget).items()
        for claim in some
    ]
    words = say("asked", epsilon=budget.epsilon)
    figure = rows_chart(EPSILON_AXIS, rows, [Line(budget.epsilon, words, "accent", width=1.5)])
    labels = say.chart("claims", headline=text.headline(claims, budget))
    return Chart("claims", figure, **labels, place="wide")


def _marks(claimed: Guarantee | None, holds: Guarantee | None) -> list[Mark]:
    """Return a ring at what is claimed, and a dot at what holds, or a cross where nothing does."""
    found = list[Mark]()
    if holds is not None:
        certified = is_certified(holds)
        here = _on_axis(holds.epsilon) if certified else EPSILON_AXIS.high
        shape: Shape = "dot" if certified else "cross"
        found.append(Mark(here, short_guarantee(holds), shape, "holds", bold=True))
    if claimed is not None:
        there = _on_axis(claimed.epsilon)
        ends = sorted([there, *(mark.x for mark in found)])
        found.append(Mark(there, "", "ring", "claims", trail="way", low=ends[0], high=ends[-1]))
    return found


def audit_chart(query: ClaimsQuery, job: AuditJob) -> Chart:
    """Return what an audit shows on an ε axis; or why there is nothing to show."""
    mechanism, found, name = job.query.mechanism, job.found, job.query.mechanism.name
    # A verdict is about the mechanism that was attacked, at the budget it was attacked at.
    if job.query != query or found is None:
        why = job.problem or say("nothing_drawn")
        if job.query != query:
            why = say("another", was=text.settings(job.query))
        return Chart("audit", None, f"Attack {query.mechanism.name}", why, place="wide")
    marks = _marks(found.claim, found.guarantee if is_certified(found.guarantee) else None)
    if found.epsilon_lower > EPSILON_AXIS.low:
        shown = _on_axis(found.epsilon_lower)
        marks.append(Mark(shown, "", "stroke", "shown", trail="interval", high=shown))
    figure = rows_chart(EPSILON_AXIS, [Row(name, family_role(mechanism.family), marks)])
    stopped = say("stopped", found=found) if found.share_done < 1 else ""
    more = {"power": text.audit_power(found), "level": found.level * 100, "stopped": stopped}
    details, verdict = say("details", job=job, found=found, **more), text.audit_verdict(found, name)
    labels = say.chart("audit", verdict=verdict, details=details)
    return Chart("audit", figure, **labels, place="wide")


def _on_axis(epsilon: float) -> float:
    """Return an ε on the axis; what lies outside is at its ends."""
    return min(max(epsilon, EPSILON_AXIS.low), EPSILON_AXIS.high)
