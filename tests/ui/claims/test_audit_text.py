"""Sentences about an attack."""

from dataclasses import replace

import pytest

from dpca_core.privacy.budget import Adjacency
from ui.claims.audit_job import AuditJob
from ui.claims.audit_text import attacked_before, audit_details
from ui.claims.query import ClaimsQuery
from ui.text.numbers import percent

QUERY = ClaimsQuery(mechanism="gaussian")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"mechanism": "laplace"}, "ε\u00a0=\u00a01, not on"),
        ({"epsilon": 2.0}, "ε\u00a0=\u00a01, not on"),
        ({"delta": 1e-5}, "ε\u00a0=\u00a01, δ\u00a0=\u00a010⁻⁶, not on"),
        ({"d": 20}, "ε\u00a0=\u00a01, 10 columns, not on"),
        ({"k": 3}, "ε\u00a0=\u00a01, k\u00a0=\u00a02, not on"),
        ({"n": 5, "d": 20}, f"10 columns, {QUERY.n:,} people, not on"),
        ({"adjacency": str(Adjacency.REPLACE_ONE)}, "one person added or removed, not on"),
    ],
)
def test_what_was_attacked_before_is_told_by_what_differs(
    changed: dict[str, object], said: str
) -> None:
    job = AuditJob(QUERY, 100, 1)
    found = attacked_before(job, replace(QUERY, **changed))  # type: ignore[arg-type]
    assert found.startswith("The last attack was on Gaussian at ")
    assert said in found


def test_the_rates_are_the_attacks() -> None:
    job = AuditJob(QUERY, 200, 1)
    job._work()
    assert job.found is not None
    said = audit_details(job, job.found)
    shares = (job.found.true_positive_rate, job.found.false_positive_rate)
    with_person, without = (percent(share) for share in shares)
    assert (
        f"the attack said “in” for {with_person} of the releases with the person and for {without} "
        "of those without."
    ) in said
