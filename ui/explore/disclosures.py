"""The checklist of what else could reveal private data, and what clipping does."""

from math import degrees
from weakref import WeakKeyDictionary

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Mark
from dpca_core.linalg.symmetric import top_basis
from dpca_core.metrics import principal_angles
from dpca_core.problem import Problem
from dpca_core.runtime.offload import expected_seconds, run
from dpca_core.text.privacy_numbers import power
from ui.explore.along import Along
from ui.text.numbers import count, degree_text, escape_markdown, percent

HEAD = (
    "Every choice outside the mechanism, and what it costs. The shares of rows and values here "
    "were computed from the true data: no release contains them."
)
DOTS = {Mark.NOTHING: "○", Mark.DEPENDS: "◐", Mark.READS: "●"}
LEGEND = "○ reads nothing private · ◐ depends on you · ● reads private data"

_ABOUT_CLIPPING: WeakKeyDictionary[Dataset, dict[int, str | None]] = WeakKeyDictionary()
"""What is said of clipping, by k, for as long as the data are there."""


def checklist(dataset: Dataset, asked: Along, problem: Problem) -> str:
    """Return as Markdown what the data disclose, then k, and δ and n where they do."""
    unit = dataset.unit
    rows = [(x.mark, x.name, x.text, x.cost[:1].upper() + x.cost[1:]) for x in dataset.disclosures]
    own = "your choice: private only if you made it before you saw this page"
    rows.append((Mark.DEPENDS, f"k\u00a0=\u00a0{asked.k}", own, "You decide"))
    if asked.delta >= 1 / asked.n:
        text = (
            f"at least 1/n: publishing the whole record of one {unit.one} in "
            f"{count(1 / asked.delta)} would also meet it; choose δ well below 1/n"
        )
        rows.append((Mark.READS, f"δ\u00a0=\u00a0{power(asked.delta)}", text, "Too large"))
    if abs(asked.n - dataset.people) > 0.5:
        text = (
            f"the charts assume {count(asked.n)} {unit.many} like these {count(dataset.people)}; "
            "a release uses the real data"
        )
        rows.append((Mark.DEPENDS, "Scaled n", text, "Hypothetical"))
    lines = [
        f"- {DOTS[mark]} **{escape_markdown(name)}**: {escape_markdown(text)}. "
        f"*{escape_markdown(cost)}.*"
        for mark, name, text, cost in rows
    ]
    clipped = _about_clipping(dataset, problem)
    return "\n".join([HEAD, "", *lines, "", LEGEND, *(["", clipped] if clipped else [])])


def _about_clipping(dataset: Dataset, problem: Problem) -> str | None:
    """Say what clipping does, found once for data and k."""
    said = _ABOUT_CLIPPING.setdefault(dataset, {})
    if problem.k not in said and dataset.mean_share == 0:
        said[problem.k] = clipping(dataset, problem)
    return said.get(problem.k)


def clipping(dataset: Dataset, problem: Problem) -> str | None:
    """Say how scaling rows to norm 1 changes the answer; None where nothing was clipped."""
    if dataset.unclipped_moment is None or max(dataset.clipped_rows, dataset.clipped_cells) == 0:
        return None
    seconds = expected_seconds(problem.d)
    unclipped = run(seconds, top_basis, dataset.unclipped_moment, problem.k)
    angle = degrees(float(principal_angles(unclipped, problem.basis)[-1]))
    kept = float(
        ((problem.basis.T @ dataset.unclipped_moment) * problem.basis.T).sum()
        / ((unclipped.T @ dataset.unclipped_moment) * unclipped.T).sum()
    )
    return (
        f"Clipping: {percent(dataset.clipped_rows)} of rows were scaled down to norm 1, "
        f"{percent(dataset.clipped_cells)} of values clipped to their range. Without clipping the "
        f"top {problem.k} would differ by {degree_text(angle)}; the directions shown here keep "
        f"{percent(kept)} of the variation that those would."
    )
