"""What the Explore page says of the guarantee: its badge, and how well an attacker can guess."""

from dataclasses import dataclass

from dpca_core.privacy.budget import Guarantee, Notion, Standing
from dpca_core.text.guarantee_sentences import LABELS, between, promise
from dpca_core.text.privacy_numbers import NEARLY_SURE, epsilon_text, right_guesses
from ui.explore.summary import Summary
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.guarantee_labels import attacker_question

UNPAID = "the preprocessing reads the data without spending budget"
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
        one = data.unit.one
        if not data.private:
            return f"No bound on guesses holds: {UNPAID}."
        guarantee = self.total(index)
        if guarantee is None:
            return "Nothing is released, so nothing is revealed."
        if guarantee.standing is Standing.UNCERTIFIED:
            return f"No bound on a guess about one {one} is proved."
        if guarantee.notion is Notion.NONE:
            return f"Nothing protects one {one}: a guess about their record may always be right."
        question = attacker_question(guarantee, one)
        chance = guarantee.guess_probability()
        times = right_guesses(chance)
        if chance >= NEARLY_SURE:
            return (
                f"Almost no protection: a guess {question} may be right {times}\u00a0times in 100."
            )
        return (
            f"Someone guessing {question} is right at most **{times} times in 100** "
            "(tossing a coin: 50)."
        )

    def short_odds(self, index: int) -> str | None:
        """Return the odds in a few characters: "54.8 in 100"; None where nothing protects."""
        guarantee = self.total(index)
        if guarantee is None or guarantee.notion is Notion.NONE:
            return None
        return f"{right_guesses(guarantee.guess_probability())} in 100"

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
