"""Everything the Compare page draws and says, as plain numbers and sentences."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpca_core.analysis.order_statistics import quantiles
from dpca_core.analysis.requirements import round_up
from dpca_core.data.dataset_guarantee import total_guarantee
from dpca_core.linalg.arrays import Array
from dpca_core.metrics import RandomBaseline, random_baseline
from dpca_core.privacy.budget import Budget
from dpca_core.runtime.cached_property import cached_property
from dpca_core.text.guarantees import LABELS, neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.compare.answer import answer, interval_text, needed_along, sine_interval_text
from ui.compare.measurements import Comparison, Line
from ui.compare.query import AXES
from ui.figures.palette import colour
from ui.figures.wire_format import rounded
from ui.text.glossary import TERMS
from ui.text.guarantees import short_guarantee
from ui.text.noise import MOST_REFUSED, noise_per_entry
from ui.text.numbers import count, percent, percent_floor, significant

SHARES = {
    "lo95": 0.025,
    "lo80": 0.1,
    "lo50": 0.25,
    "median": 0.5,
    "hi50": 0.75,
    "hi80": 0.9,
    "hi95": 0.975,
}
BANDS_FROM = 20
COLUMNS = (
    "mechanism", "standing", "what holds here", "noise per entry",
    "variation kept; in 95 % of releases", "‖sin Θ‖_F", "needed", "ms a release",
)  # fmt: skip
PHONE_COLUMNS = (
    "", "", "holds", "noise per entry", "keeps", "‖sin Θ‖_F", "needed", "ms a release",
)  # fmt: skip
"""The same on a phone, where each number carries its own."""


@dataclass(frozen=True)
class Compared:
    """A comparison at its present stage, with the target of the inverse question."""

    comparison: Comparison
    target: float

    @cached_property
    def texts(self) -> list[str]:
        """The axis's values with their name: "ε = 0.1"."""
        name = AXES[self.comparison.asked.axis]
        return [f"{name}\u00a0=\u00a0{self.value_text(v)}" for v in self.comparison.values]

    def value_text(self, value: float) -> str:
        """Write a value of the axis."""
        match self.comparison.asked.axis:
            case "epsilon":
                return epsilon_text(value)
            case "delta":
                return power(value)
        return count(value)

    def payload(self, identity: str, value: float, file: dict[str, Any] | None) -> dict[str, Any]:
        """Compose what the page's component needs, read at an axis value."""
        c, asked = self.comparison, self.comparison.asked
        unit = c.dataset.unit
        known = [line for line in c.lines if line.done.any()]
        return {
            "id": identity, "stage": c.stage, "complete": c.complete, "share": c.share,
            "axis": {
                "name": asked.axis, "title": self._axis_title(), "log": asked.axis != "k",
                "values": list(c.values), "texts": self.texts, "ticks": self._ticks(),
            },
            "index": int(np.argmin(np.abs(np.log(np.array(c.values) / value)))),
            "lines": [self._line(line) for line in known],
            "random": {
                "captured": [chance.captured for chance in self.chances],
                "sin": [chance.sin_theta for chance in self.chances], "name": "random directions",
            },
            "target": self.target,
            "answers": [self.answer(i) for i in range(len(c.values))],
            "titles": {"captured": "What is kept", "sin": "How far it turns"},
            "subs": {
                "captured": "variation kept, relative to PCA, in %: medians; bands of the line "
                "chosen below: 50, 80 and 95\u00a0% of releases",
                "sin": "‖sin\u00a0Θ‖_F between released and true directions; 0 = the same",
            },
            "columns": self._named(COLUMNS), "labels": self._named(PHONE_COLUMNS),
            "apart": "Not ranked here: what is proved does not meet the budget.",
            "progress": f"{percent(c.share)} measured" if not c.complete else "",
            "footer": f"{c.dataset.public_name}, {count(asked.n)} {unit.many} × {c.dataset.d} "
            f"columns, {self._fixed()}; {neighbours(asked.adjacency, unit.one)}; {asked.trials} "
            f"releases a point, seed {asked.seed}. In brackets: 95\u00a0% intervals of medians. "
            f"{TERMS['noise per entry'].name}: {TERMS['noise per entry'].sentence} PPCA is drawn "
            "afresh at each point, so its line is a little rough.",
            "file": file,
        }  # fmt: skip

    @cached_property
    def chances(self) -> list[RandomBaseline]:
        """What random directions give at each point: another number for each k."""
        return [random_baseline(problem) for problem, _ in self.comparison.points]

    def answer(self, i: int) -> str:
        """Say who keeps most at a point, and how many reach the target."""
        return answer(self.comparison, i, self.texts[i], self.chances[i], self.target)

    def _fixed(self) -> str:
        asked = self.comparison.asked
        parts = {
            "epsilon": f"ε\u00a0=\u00a0{epsilon_text(asked.epsilon)}",
            "delta": f"δ\u00a0=\u00a0{power(asked.delta)}", "k": f"k\u00a0=\u00a0{asked.k}",
        }  # fmt: skip
        return ", ".join(text for name, text in parts.items() if name != asked.axis)

    def _axis_title(self) -> str:
        unit = self.comparison.dataset.unit
        return {
            "epsilon": "privacy parameter ε: larger is less private",
            "delta": "δ: the chance the promise of ε is allowed to slip",
            "n": f"{unit.many}, as if so many looked like these",
            "k": "directions k",
        }[self.comparison.asked.axis]

    def _ticks(self) -> list[dict[str, Any]]:
        values = self.comparison.values
        if self.comparison.asked.axis == "k":
            step = max(1, len(values) // 10)
            return [{"value": v, "text": f"{v:.0f}"} for v in values[::step]]
        tens = [v for v in values if abs(np.log10(v) - round(np.log10(v))) < 1e-9]
        step = 1 if len(tens) < 9 else 2
        return [{"value": v, "text": self.value_text(v)} for v in tens[::step]]

    def _line(self, line: Line) -> dict[str, Any]:
        standing = next((g.standing for g in line.guarantees if g is not None), None)
        kinds = {"refuted": "dotted", "not certified": "dashed", "none": "dashed"}
        return {
            "key": line.mechanism.key, "name": line.mechanism.name,
            "color": colour(line.mechanism.family), "dash": kinds.get(str(standing), "solid"),
            "apart": not line.ranked.any(),
            "captured": self._bands(line, line.captured), "sin": self._bands(line, line.sin_theta),
            "at": [self._at(line, i) for i in range(len(line.points))],
            "needed": self._needed(line),
            "milliseconds": significant(line.milliseconds) if line.milliseconds > 0 else "",
        }  # fmt: skip

    def _bands(self, line: Line, values: Array) -> dict[str, Any]:
        found = quantiles(values, tuple(SHARES.values()))
        tried = np.maximum(line.done.sum(axis=1), 1)
        drawn = (line.refused & line.done).sum(axis=1) / tried <= MOST_REFUSED
        found = np.where(drawn & line.done.any(axis=1), found, np.nan)
        names = SHARES if line.trials >= BANDS_FROM else ("median",)
        return {
            name: rounded(row) for name, row in zip(SHARES, found, strict=True) if name in names
        }

    def _at(self, line: Line, i: int) -> dict[str, Any]:
        guarantee, (problem, budget) = line.guarantees[i], line.points[i]
        if guarantee is None:
            nothing = dict.fromkeys(("holds", "noise", "why", "interval", "sin_interval"), "")
            absent = {"label": "NO RELEASE", "kind": "none", "note": line.notes[i]}
            return nothing | absent | {"ranked": False}
        c = self.comparison
        here = c.asked.at(c.values[i])
        whole = Budget(here.epsilon, here.delta, here.adjacency)
        guarantee = total_guarantee(c.dataset, guarantee, whole)
        label, kind = LABELS[guarantee.standing]
        held = short_guarantee(guarantee)
        if not c.dataset.private:
            label, kind, held = "NOT PRIVATE", "not", "the preprocessing reads the data"
        shown = noise_per_entry(line.mechanism, problem, budget, c.dataset.unit.many)
        refused = float((line.refused[i] & line.done[i]).sum() / max(1, line.done[i].sum()))
        note = f"refuses {percent(refused)} of the time" if refused > MOST_REFUSED else ""
        if refused == 0 and line.done[i].any() and np.isnan(line.captured[i][line.done[i]]).all():
            note = "not drawn in time"
        return {
            "label": label, "kind": kind, "holds": held, "noise": shown,
            "why": " ".join(filter(None, (guarantee.erratum, f"Source: {guarantee.source}."))),
            "note": note, "ranked": bool(line.ranked[i]),
            "interval": interval_text(line.captured[i][line.done[i]]),
            "sin_interval": sine_interval_text(line.sin_theta[i][line.done[i]]),
        }  # fmt: skip

    def _named(self, names: tuple[str, ...]) -> list[str]:
        return [self._needed_title() if name == "needed" else name for name in names]

    def _needed_title(self) -> str:
        axis = self.comparison.asked.axis
        if axis not in ("epsilon", "n"):
            return ""
        return f"{AXES[axis]} for {percent_floor(self.target)} in 9 of 10"

    def _needed(self, line: Line) -> str:
        """Smallest ε, or n, from which on the target is kept in 9 of 10 releases."""
        axis = self.comparison.asked.axis
        if axis not in ("epsilon", "n"):
            return ""
        found = needed_along(self.comparison, line, self.target)
        if found is None:
            return ""
        if found.epsilon is None:
            return "not shown"
        value = found.epsilon if axis == "epsilon" else round_up(found.epsilon)
        return f"{'' if found.certain else 'about '}{self.value_text(value)}"
