"""The checklist of what else could reveal private data, and what clipping does."""

from html import escape
from math import degrees
from weakref import WeakKeyDictionary

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Mark
from dpca_core.linalg.symmetric import top_basis
from dpca_core.metrics import principal_angles
from dpca_core.problem import Problem
from dpca_core.runtime.offload import expected_seconds, run
from dpca_core.text.privacy_numbers import power
from ui.explore.chart_words import EXPLORE_WORDS
from ui.explore.measurements import Study
from ui.page.markup import element
from ui.server.scheduler import is_heavy
from ui.text.numbers import count, degree_text, percent

HEAD = {
    "title": "What else could reveal private data?",
    "sub": "Every choice outside the mechanism, and what it costs. The shares of rows and values "
    "here were computed from the true data: no release contains them.",
    "legend": "Hollow dot: reads nothing private. Half dot: depends on you. Filled dot: reads "
    "private data.",
}

_ABOUT_CLIPPING: WeakKeyDictionary[Dataset, dict[int, str | None]] = WeakKeyDictionary()
"""What is said of clipping, by k, for as long as the data are there."""


def disclosure_checklist(study: Study) -> str:
    """Return markup of the data set's own disclosures, then those of k, of δ and of a scaled n."""
    dataset, query = study.dataset, study.query
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
                f"the charts assume {count(query.n)} {dataset.unit.many} like these "
                f"{count(dataset.people)}; a release uses the real data",
                "Hypothetical",
            )
        )
    legends = [HEAD["legend"], _about_clipping(study)]
    return "".join(
        [
            element("h2", HEAD["title"]),
            element("p", HEAD["sub"]),
            *rows,
            *(element("p", escape(text), class_="dpca-legend") for text in legends if text),
        ]
    )


def _about_clipping(study: Study) -> str | None:
    """Say what clipping does, found once for data and k; not in a wide table's first answer."""
    dataset, k = study.dataset, study.query.k
    said = _ABOUT_CLIPPING.setdefault(dataset, {})
    soon = study.stage > 1 or not is_heavy(dataset.d)
    if k not in said and dataset.mean_share == 0 and soon:
        said[k] = clipping(dataset, study.problem)
    return said.get(k)


def _row(name: str, mark: Mark, text: str, cost: str) -> str:
    words = EXPLORE_WORDS["marks"][str(mark)]
    return element(
        "div",
        element("b", escape(name)),
        element("span", class_=f"dpca-mark dpca-{mark}", aria_label=words, role="img"),
        element("span", escape(text)),
        element("i", escape(cost)),
        class_="dpca-leak",
    )


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
