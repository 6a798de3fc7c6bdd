"""The checklist of what else could reveal private data."""

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Mark
from dpca_core.text.privacy_numbers import power
from ui.explore.along import Along
from ui.text.numbers import count, escape_markdown

HEAD = (
    "Every choice outside the mechanism, and what it costs. The shares of rows and values here "
    "were computed from the true data: no release contains them."
)
DOTS = {Mark.NOTHING: "○", Mark.DEPENDS: "◐", Mark.READS: "●"}
LEGEND = "○ reads nothing private · ◐ depends on you · ● reads private data"


def checklist(dataset: Dataset, asked: Along) -> str:
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
    return "\n".join([HEAD, "", *lines, "", LEGEND])
