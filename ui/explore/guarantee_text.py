"""What the Explore page says of the guarantee: its badge, and how well an attacker can guess."""

from dataclasses import dataclass

from dpca_core.privacy.budget import Guarantee
from dpca_core.text.guarantee_sentences import LABELS, UNPAID, between, odds, promise
from dpca_core.text.privacy_numbers import epsilon_text
from ui.explore.summary import Summary
from ui.state.slider_stops import EPSILON_STOPS

CLAIM_TOLERANCE = 0.005
"""Relative difference from which on a paper's ε is shown beside the true one."""


@dataclass(frozen=True)
class GuaranteeText:
    """Sentences on the chosen mechanism's guarantee, by index of ε."""

    summary: Summary

    def total(self, index: int) -> Guarantee | None:
        """Return the guarantee of mechanism and preprocessing together; None where infeasible."""
        guarantee, study = self.summary.chosen.guarantees[index], self.summary.study
        if guarantee is None:
            return None
        return study.dataset.total_guarantee(guarantee, study.budget(EPSILON_STOPS[index]))

    def odds(self, index: int) -> str:
        """Bound the chance of a right guess about one person, rounded up."""
        data = self.summary.study.dataset
        return odds(self.total(index), data.unit.one, private=data.private)

    def badge(self, index: int) -> dict[str, str | None]:
        """Return standing and true guarantee, with the paper's claim beside it if they differ."""
        study = self.summary.study
        guarantee = self.total(index)
        if not study.dataset.private:
            return {"label": "NOT PRIVATE", "kind": "not", "line": UNPAID, "reason": None}
        if guarantee is None:
            return {"label": "NO RELEASE", "kind": "none", "line": "", "reason": None}
        label, kind = LABELS[guarantee.standing]
        line = f"{promise(guarantee)}, {between(guarantee, study.dataset.unit.one)}"
        claim = study.query.mechanism.claim(*study.points[index])
        if claim is not None:
            ratio = claim.epsilon / max(guarantee.epsilon, 1e-300)
            if abs(ratio - 1) > CLAIM_TOLERANCE:
                line += f"; the paper claims ε\u00a0=\u00a0{epsilon_text(claim.epsilon)}"
        reason = " ".join(x for x in (guarantee.erratum, f"Source: {guarantee.source}.") if x)
        return {"label": label, "kind": kind, "line": line, "reason": reason}
