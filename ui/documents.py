"""The documents of the folder docs, as the page Proofs shows them."""

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dpca_core.budget import Budget
from dpca_core.problem import Problem
from dpca_core.registry import MECHANISMS
from ui.promises import LABELS, promise

if TYPE_CHECKING:
    from pandas import DataFrame

FOLDER = Path(__file__).resolve().parents[1] / "docs"
DOCUMENTS = (
    "conventions", "gaussian", "difference-of-wisharts", "wishart-refutation", "local-sensitivity",
    "gap-release", "first-order", "order-statistics", "errata", "decisions",
)  # fmt: skip
_LINK = re.compile(r"\[([^\]]+)\.md\]\(\1\.md\)")


@cache
def _read(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text("utf-8")


def title_of(name: str) -> str:
    """Return the heading of a document."""
    return _read(name).partition("\n")[0].removeprefix("# ")


def text_of(name: str) -> str:
    """Return a document for a page: smaller headings, links to other documents by their titles."""

    def link(found: re.Match[str]) -> str:
        return f"[{title_of(found[1])}](proofs?document={found[1]})"

    text = _LINK.sub(link, _read(name))
    return re.sub(r"^(#+) ", r"##\1 ", text, flags=re.MULTILINE)


def claims_table() -> "DataFrame":
    """What each paper claims and what holds, at ε = 1, δ = 10⁻⁶ and ten columns."""
    from pandas import DataFrame

    problem = Problem.from_moment(np.diag([300.0, 150, *[20] * 8]), 1000, 2)
    budget = Budget(1.0, 1e-6)
    rows = []
    for mechanism in MECHANISMS.values():
        claim, holds = mechanism.claim(problem, budget), mechanism.guarantee(problem, budget)
        rows.append(
            {
                "mechanism": mechanism.name,
                "the paper claims": promise(claim) if claim else "",
                "what holds": promise(holds),
                "standing": LABELS[holds.standing][0].lower(),
                "why": holds.erratum or "",
                "source": holds.source,
            }
        )
    return DataFrame(rows)
