"""The checklist of what else reads the data, and what clipping does."""

from math import degrees
from typing import Any

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Mark
from dpca_core.problem import Problem
from dpca_core.text.privacy_numbers import power
from ui.explore.query import ExploreQuery
from ui.text.numbers import count, degree_text, percent


def leaks(dataset: Dataset, query: ExploreQuery, problem: Problem) -> dict[str, Any]:
    """Rows of the checklist: the data set's own, then k, δ against 1/n, and the n on the slider."""
    rows = [
        _row(x.name, x.mark, x.text, x.cost[:1].upper() + x.cost[1:]) for x in dataset.disclosures
    ]
    rows.append(
        _row(
            f"k\u00a0=\u00a0{query.k}",
            Mark.DEPENDS,
            "your choice: private only if you made it before you saw this page",
            "You decide",
        )
    )
    if query.delta >= 1 / query.n:
        rows.append(
            _row(
                f"δ\u00a0=\u00a0{power(query.delta)}",
                Mark.READS,
                f"at least 1/n: publishing the whole record of one {dataset.unit.one} in "
                f"{count(1 / query.delta)} would also meet it; choose δ well below 1/n",
                "Too large",
            )
        )
    if abs(query.n - dataset.people) > 0.5:
        rows.append(
            _row(
                "Scaled n",
                Mark.DEPENDS,
                f"the charts suppose {count(query.n)} {dataset.unit.many} like these "
                f"{count(dataset.people)}; a release uses the real ones",
                "What if",
            )
        )
    return {
        "title": "What else could reveal private data?",
        "sub": "Every choice outside the mechanism, and what it costs. The shares of rows and "
        "values here were computed from the true data: no release contains them.",
        "rows": rows,
        "clipping": clipping(dataset, problem) if dataset.mean_share == 0 else None,
        "legend": "Hollow dot: reads nothing private. Half dot: depends on you. "
        "Filled dot: reads private data.",
    }


def _row(name: str, mark: Mark, text: str, cost: str) -> dict[str, str]:
    return {"name": name, "mark": str(mark), "text": text, "cost": cost}


def clipping(dataset: Dataset, problem: Problem) -> str | None:
    """Say what shortening rows to norm 1 did to the answer; None where nothing was clipped."""
    if dataset.unclipped_moment is None or max(dataset.clipped_rows, dataset.clipped_cells) == 0:
        return None
    from dpca_core.linalg.symmetric import top_basis
    from dpca_core.metrics import principal_angles

    unclipped = top_basis(dataset.unclipped_moment, problem.k)
    turn = degrees(float(principal_angles(unclipped, problem.basis)[-1]))
    kept = float(
        ((problem.basis.T @ dataset.unclipped_moment) * problem.basis.T).sum()
        / ((unclipped.T @ dataset.unclipped_moment) * unclipped.T).sum()
    )
    return (
        f"Clipping: {percent(dataset.clipped_rows)} of rows were shortened to norm 1, "
        f"{percent(dataset.clipped_cells)} of values cut to their range. Without it the top "
        f"{problem.k} would be off by {degree_text(turn)}; the directions shown here keep "
        f"{percent(kept)} of the variation that those would."
    )
