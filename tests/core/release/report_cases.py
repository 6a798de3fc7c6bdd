"""Stored releases about made-up people with hostile names, and readings to draw of them."""

from fractions import Fraction

import numpy as np

from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Number, Recipe
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger import Ledger
from dpca_core.release.ledger_rows import Row
from dpca_core.release.matrix_reading import Interval
from dpca_core.release.plan import Declaration, Plan, Scores
from dpca_core.release.report_reading import MeanRow, ReportReading

NAMES = ("<b>age</b>", '"weight"', "=cmd|' /C calc'!A0", "<img src=x onerror=alert(1)>", "pulse")
HOSTILE = "</blockquote><script>alert(1)</script> & because"
PEOPLE = "<i>Patients</i> of & “clinic”"


def hostile_plan(columns: int = len(NAMES), **changes: object) -> Plan:
    """Return a plan whose texts all hold markup; further columns have harmless names."""
    names = [*NAMES, *(f"column {j}" for j in range(len(NAMES), columns))][:columns]
    recipe = Recipe(
        numbers=tuple(Number(name, 0.0, 200.0, unit="<u>kg</u>") for name in names),
        unit=Unit("patient", "patients"),
        bounds_are_public=True,
    )
    settings: dict[str, object] = {
        "columns": tuple(names),
        "recipe": recipe,
        "adjacency": Adjacency.ADD_OR_REMOVE_ONE,
        "epsilon": Fraction(1, 2),
        "delta": Fraction(1, 10**6),
        "mechanism": "gaussian",
        "reason": HOSTILE,
        "means": Fraction(1, 20),
        "scores": Scores(Fraction(1, 10)),
        "declarations": (Declaration(f"{HOSTILE}?", answer=False),),
        "practice": "<b>made-up</b> people",
    }
    return Plan(**(settings | changes))  # type: ignore[arg-type]


def stored_row(plan: Plan, times: int = 1) -> Row:
    """Book a plan in a practice ledger, so many times; return the last row, without a result."""
    ledger = Ledger.in_memory()
    account = ledger.open_account(
        "<b>Clinic</b>", PEOPLE, plan.adjacency, Fraction(2), Fraction(1, 10**5)
    )
    for _ in range(times):
        row = account.spend(plan)
    return row


def made_up_reading(plan: Plan, *, close: bool = False) -> ReportReading:
    """Return numbers to draw; ``close`` eigenvalues cannot be told apart."""
    d, k, rng = plan.d, plan.k, np.random.default_rng(3)
    values = 1000 - np.arange(d) * 1e-6 if close else 900.0 * 0.6 ** np.arange(d)
    vectors = np.linalg.qr(rng.normal(size=(d, d)))[0][:, :k]
    counts = None if plan.scores is None else 40 * rng.normal(size=plan.scores.bins)
    return ReportReading(
        values=values,
        low=values - 30,
        high=values + 30,
        certain=60.0,
        edge=55.0,
        noise=9.0,
        loadings=vectors,
        halves=np.full((d, k), np.nan if close else 0.05),
        held=Interval(1440.0, 1300.0, 1490.0),
        explained=Interval(0.64, 0.58, 0.71),
        turned="The plane of both is right within 9°.",
        means=tuple(MeanRow(name, 12.5, 0.4) for name in plan.columns) if plan.means else None,
        counts=counts,
        bin_noise=12.0,
    )
