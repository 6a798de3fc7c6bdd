"""The documents of the folder docs, as the page Proofs shows them."""

import re
from functools import cache
from pathlib import Path

import numpy as np

from dpca_core.budget import Budget
from dpca_core.problem import Problem
from dpca_core.registry import MECHANISMS
from ui.promises import LABELS, promise

FOLDER = Path(__file__).resolve().parents[1] / "docs"
DOCUMENTS = (
    "conventions", "gaussian", "difference-of-wisharts", "wishart-refutation", "local-sensitivity",
    "gap-release", "first-order", "order-statistics", "errata", "decisions",
)  # fmt: skip
_LINK = re.compile(r"\[([^\]]+)\.md\]\(\1\.md\)")

_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)


@cache
def _read(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text("utf-8")


def title_of(name: str) -> str:
    """Return the heading of a document."""
    return _read(name).partition("\n")[0].removeprefix("# ")


def text_of(name: str) -> str:
    """Return a document for a page: headings smaller, links by title, formulas on lines."""

    def link(found: re.Match[str]) -> str:
        return f"[{title_of(found[1])}](proofs?document={found[1]})"

    text = _LINK.sub(link, _read(name))
    text = _DISPLAY.sub(r"\n\n$$\n\1\n$$\n\n", text)
    return re.sub(r"^(#+) ", r"##\1 ", text, flags=re.MULTILINE)


def claims_table() -> str:
    """What each paper claims and what holds, at ε = 1, δ = 10⁻⁶ and ten columns: Markdown."""
    problem = Problem.from_moment(np.diag([300.0, 150, *[20] * 8]), 1000, 2)
    budget = Budget(1.0, 1e-6)
    rows = [
        "| mechanism | the paper claims | what holds | standing | why |",
        "|---|---|---|---|---|",
    ]
    for mechanism in MECHANISMS.values():
        claim, holds = mechanism.claim(problem, budget), mechanism.guarantee(problem, budget)
        cells = (
            f"**{mechanism.name}**",
            promise(claim) if claim else "",
            promise(holds),
            LABELS[holds.standing][0].lower(),
            " ".join(filter(None, (holds.erratum, f"{_linked(holds.source)}."))),
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _linked(source: str) -> str:
    """Replace the path of a document by a link to it."""
    return re.sub(
        r"docs/([\w-]+)\.md", lambda m: f"[{title_of(m[1])}](proofs?document={m[1]})", source
    )
