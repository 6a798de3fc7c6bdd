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
from dpca_core.privacy.budget import Budget, Guarantee, Notion
from dpca_core.text.privacy_numbers import epsilon_text
from ui.claims import text
from ui.claims.measurements import AuditJob
from ui.claims.query import ClaimsQuery
from ui.claims.text import Verdict, grouped, is_certified
from ui.page.content import Chart
from ui.page.markup import element
from ui.text.odds import odds, short_guarantee

FALSE_POSITIVE_RATES = np.concatenate(
    [[0.0], np.geomspace(1e-6, 0.01, 60), np.linspace(0.012, 1, 200)]
)
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
    angles = np.degrees(np.arctan2(frames[:, 1, 1], frames[:, 0, 1]))
    cells = []
    for (short, long), angle, proof in zip(axes, angles, proved, strict=True):
        # y grows downwards on screens.
        turn = f"rotate({-angle:.1f})"
        ellipse = element("ellipse", rx=f"{long:.3f}", ry=f"{short:.3f}", transform=turn)
        kind = "dpca-proof" if proof else None
        cells.append(element("svg", ellipse, needle, viewBox=box, class_=kind))
    field = element("div", *cells, class_="dpca-absence", role="img", aria_label=answer)
    said = (text.REFUTATION_TITLE, text.REFUTATION_RULE, note)
    return Chart("absent", None, *said, place="wide", beside=field)


def meaning_charts(own: Claim, color: str) -> list[Chart]:
    """Say what a guarantee means for one person, and draw what it allows in a colour's role."""
    guarantee = own.guarantee
    said = (odds(guarantee, "person"), own.infeasible or "")
    if guarantee is None:
        return [Chart("person", None, *said, place="wide")]
    said = (said[0], text.guess_explanation(guarantee))
    if guarantee.notion is Notion.NONE:
        return [Chart("person", None, *said, place="wide")]
    person = Chart("person", None, *said, place="wide")
    if guarantee.delta == 0:
        return [person, _membership_chart(guarantee, color), _belief_chart(guarantee, color)]
    ratio = guarantee.noise_multiplier
    beyond = None if ratio is None else inference_risk.gaussian_beyond(ratio, guarantee.epsilon)
    why = text.no_belief(guarantee, beyond)
    return [person, replace(_membership_chart(guarantee, color), note=why, place="wide")]


def _membership_chart(guarantee: Guarantee, color: str) -> Chart:
    """Draw what a guarantee allows a membership test, and the best test of Gaussian noise."""
    rates = FALSE_POSITIVE_RATES
    bound = inference_risk.membership_roc(rates, guarantee.epsilon, guarantee.delta)
    allowed, best_test, coin = text.MEMBERSHIP_LINES
    curves = [Curve("bound", allowed, bound, color, width=1.0), _diagonal(coin, rates)]
    if guarantee.noise_multiplier is not None:
        best = inference_risk.gaussian_roc(rates, guarantee.noise_multiplier)
        curves.insert(0, Curve("best", best_test, best, color, width=CHOSEN_WIDTH, chosen=True))
    figure = _figure(rates, curves, Band(rates, bound, f"{color}/.14"), text.MEMBERSHIP_AXES)
    return Chart("roc", figure, *text.MEMBERSHIP)


def _belief_chart(guarantee: Guarantee, color: str) -> Chart:
    """Draw the largest and smallest belief after a release against the belief before it."""
    prior = np.linspace(0, 1, 201)
    low, high = inference_risk.posterior_bounds(prior, min(guarantee.epsilon, _LARGEST_EPSILON))
    highest, lowest, unchanged = text.BELIEF_LINES
    curves = [
        Curve("highest", highest, high, color, width=2.0),
        Curve("lowest", lowest, low, color, width=2.0),
        _diagonal(unchanged, prior),
    ]
    figure = _figure(prior, curves, Band(low, high, f"{color}/.14"), text.BELIEF_AXES)
    return Chart("belief", figure, *text.BELIEF)


def _diagonal(name: str, x: Array) -> Curve:
    return Curve("diagonal", name, x, "grey", dash="5px,4px", width=1.2)


def _figure(x: Array, curves: Sequence[Curve], band: Band, titles: tuple[str, str]) -> Spec:
    """Return curves between probabilities."""
    texts = tuple(f"{100 * tick:.0f}\u00a0%" for tick in _TICKS)
    across, up = (
        Axis(0.0, 1.02, title=title, ticks=_TICKS, tick_texts=texts, hover_format=".1%")
        for title in titles
    )
    return chart(across, up, x, curves, bands=[band], height=300, hover="%{y:.1%}")


def claims_chart(claims: list[Claim], budget: Budget) -> Chart:
    """Return the claim of each printed mechanism beside what holds, the worst first."""
    printed = [claim for claim in claims if claim.is_printed]
    rows = [
        Row(
            text.short_name(claim.mechanism),
            family_role(claim.mechanism.family),
            _marks(claim.claim, claim.guarantee),
            verdict,
            alarming=verdict in (Verdict.REFUTED, Verdict.WEAKER),
        )
        for verdict, some in grouped(printed, budget).items()
        for claim in some
    ]
    words = f"asked: ε\u00a0=\u00a0{epsilon_text(budget.epsilon)}"
    asked = Line(budget.epsilon, words, "accent", width=1.5)
    said = (text.headline(claims, budget), text.CHART_LEGEND)
    return Chart("claims", rows_chart(EPSILON_AXIS, rows, [asked]), *said, place="wide")


def _marks(claimed: Guarantee | None, holds: Guarantee | None) -> list[Mark]:
    """Return a ring at what is claimed, and a dot at what holds, or a cross where nothing does."""
    found, ends = list[Mark](), list[float]()
    if holds is not None:
        certified = is_certified(holds)
        here = _on_axis(holds.epsilon) if certified else EPSILON_AXIS.high
        shape: Shape = "dot" if certified else "cross"
        found.append(Mark(here, short_guarantee(holds), shape, "holds", bold=True))
        ends = [here]
    if claimed is not None:
        there = _on_axis(claimed.epsilon)
        low, high = min([there, *ends]), max([there, *ends])
        found.append(Mark(there, "", "ring", "claims", trail="way", low=low, high=high))
    return found


def audit_charts(query: ClaimsQuery, job: AuditJob | None) -> list[Chart]:
    """Return what the last audit shows on an ε axis; or why there is nothing to show."""
    if job is None or job.running:
        return []
    # A verdict is about the mechanism that was attacked, at the budget it was attacked at.
    found = job.found if job.query == query else None
    if found is None:
        said = (f"Attack {query.mechanism.name}", text.no_verdict(query, job))
        return [Chart("audit", None, *said, place="wide")]
    marks = _marks(found.claim, found.guarantee if is_certified(found.guarantee) else None)
    if found.epsilon_lower > EPSILON_AXIS.low:
        shown = _on_axis(found.epsilon_lower)
        marks.append(Mark(shown, "", "stroke", "shown", trail="interval", high=shown))
    row = Row(job.mechanism.name, family_role(job.mechanism.family), marks)
    said = (text.audit_verdict(found, job.mechanism.name), text.ATTACK_LEGEND)
    figure, details = rows_chart(EPSILON_AXIS, [row]), text.audit_details(job, found)
    return [Chart("audit", figure, *said, details, place="wide")]


def _on_axis(epsilon: float) -> float:
    """Return an ε on the axis; what lies outside is at its ends."""
    return min(max(epsilon, EPSILON_AXIS.low), EPSILON_AXIS.high)
