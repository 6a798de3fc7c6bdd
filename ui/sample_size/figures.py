"""What the Sample size page draws and says: people needed, measured and proved."""

from dataclasses import replace
from typing import Any

import numpy as np

from dpca_core.analysis.requirements import round_up
from dpca_core.mechanisms.base import Family, Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Notion, Standing
from dpca_core.text.guarantees import LABELS, neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from dpca_core.theorems import sample_size_theorems as theorems
from dpca_core.theorems.theorem import Case
from ui.figures.axes import axis, line
from ui.figures.palette import colour
from ui.sample_size.measurements import MOST_COLUMNS, Needs, Row
from ui.sample_size.paper_figures import figure_one, noise_chart
from ui.sample_size.query import Asked
from ui.state.slider_stops import SAMPLE_SIZE_EPSILONS
from ui.text.numbers import count, significant

CORRELATIONS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
CAPTURED = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
SINES = (0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.07, 0.05, 0.03)
LEVELS = {"correlation": CORRELATIONS, "captured": CAPTURED, "sin": SINES}
FEWEST, MOST = 10.0, 1e9
WORDS = {
    "correlation": "|⟨v̂, v⟩| ≥ {}",
    "captured": "{} of the variation PCA finds",
    "sin": "‖sin Θ‖_F ≤ {}",
}


def aim_text(asked: Asked) -> str:
    """Write the aim: |⟨v̂, v⟩| ≥ 0.9."""
    level = f"{asked.level * 100:g}\u00a0%" if asked.kind == "captured" else f"{asked.level:g}"
    return WORDS[asked.kind].format(level)


def sheet(asked: Asked, needs: Needs) -> dict[str, Any]:
    """Compose the page's charts and sentences from what is measured so far."""
    rows = needs.rows(asked)
    share, best = needs.share(asked), _best(asked, rows)
    unit = asked.data.unit.many if asked.data else "people"
    where = (
        f"{asked.data.name}, {asked.d} columns, k\u00a0=\u00a0{asked.k}" if asked.data
        else f"one direction above a flat rest, {asked.d} columns, gap {asked.gap:g}"
    )  # fmt: skip
    one = asked.data.unit.one if asked.data else "person"
    return {
        "id": repr((asked.data.identity if asked.data else "", replace(asked, data=None))),
        "stage": needs.stage, "complete": share >= 1, "share": share, "fresh": needs.fresh(asked),
        "progress": "" if share >= 1 else f"{share * 100:.0f}\u00a0% measured",
        "lit": best.mechanism.name if best else "",
        "answer": _answer(asked, rows, unit), "under": _under(asked, rows),
        "charts": [
            _people(asked, rows, unit), _by_epsilon(asked, needs, rows, unit),
            _by_aim(asked, needs, rows, unit), noise_chart(asked.epsilon, asked.delta),
            *figure_one(asked.epsilon),
        ],
        "footer": f"{where}; ε\u00a0=\u00a0{epsilon_text(asked.epsilon)}, δ\u00a0=\u00a0"
        f"{power(asked.delta)}, {neighbours(asked.adjacency, one)}; up to 100 releases a point, "
        f"seed {asked.seed}. Measured: the spectrum is scaled, as if so many {unit} looked like "
        "these. Formulas, conditions and corrections: Proofs, “How many people”.",
    }  # fmt: skip


def _ranked(asked: Asked, row: Row) -> bool:
    return row.guarantee is not None and row.guarantee.meets(asked.at(1.0)[1])


def _about(n: float) -> str:
    return count(round_up(max(n, 1.0)))


def _answer(asked: Asked, rows: list[Row], unit: str) -> str:
    best = _best(asked, rows)
    aim = f"For [[{aim_text(asked)}]] in {asked.share * 100:g}\u00a0% of releases"
    if best is None:
        said = "nothing is measured yet…" if asked.d <= MOST_COLUMNS else "see the theorems below."
        return f"{aim}: {said}"
    own = f"; the data have {count(asked.data.people)}" if asked.data else ""
    return f"{aim}, {best.mechanism.name} needs about **{_about(best.needed.n or 1)} {unit}**{own}."


def _best(asked: Asked, rows: list[Row]) -> Row | None:
    """Fewest people, of the mechanisms that trust a curator and keep the budget."""
    known = [r for r in rows if r.needed.n is not None and _ranked(asked, r)]
    known = [r for r in known if r.guarantee and r.guarantee.notion is not Notion.LOCAL]
    return min(known, key=lambda r: r.needed.n or np.inf) if known else None


def _under(asked: Asked, rows: list[Row]) -> str:
    case = asked.case
    if asked.d > MOST_COLUMNS:
        return f"Measured up to {MOST_COLUMNS} columns; the theorems hold for any number."
    if case is None:
        return (
            "The theorems speak of one direction (k\u00a0=\u00a01) and of |⟨v̂, v⟩| or ‖sin Θ‖_F: "
            "what is drawn here is measured."
        )
    ratios = [
        f"{theorem.name} asks for **{significant(asks / n)}** times as many"
        for row in rows for theorem in row.mechanism.theorems
        if theorem.name and (n := row.needed.n) and (asks := theorem.people(case))
    ]  # fmt: skip
    return f"The theorems are safe, not sharp: {'; '.join(ratios)}." if ratios else ""


def marks(case: Case, mechanism: Mechanism) -> list[dict[str, Any]]:
    """Return what theorems say of a mechanism: how many are enough, or too few."""
    return [
        {"kind": str(theorem.kind), "x": people, "text": theorem.label}
        for theorem in mechanism.theorems
        if (people := theorem.people(case)) is not None
    ]


def _people(asked: Asked, rows: list[Row], unit: str) -> dict[str, Any]:
    case = asked.case
    ranked = sorted((r for r in rows if _ranked(asked, r)), key=lambda r: r.needed.n or np.inf)
    apart = sorted((r for r in rows if not _ranked(asked, r)), key=lambda r: r.needed.n or np.inf)
    drawn = [_row(case, r, not _ranked(asked, r)) for r in [*ranked, *apart]]
    if case is not None:
        drawn.insert(len(ranked), _pure(case))
    rules = []
    if asked.data:
        rules.append({"x": float(asked.data.people), "color": "accent",
                      "text": f"these data: {count(asked.data.people)}"})  # fmt: skip
    return {
        "key": "people", "wide": True, "height": 34 * len(drawn), "rows": drawn, "rules": rules,
        "title": f"How many {unit} each mechanism needs",
        "sub": f"for {aim_text(asked)} in {asked.share * 100:g}\u00a0% of releases",
        "legend": [
            {"kind": "measured", "text": "measured, with its 95\u00a0% interval"},
            {"kind": "enough", "text": "a theorem: so many are enough"},
            {"kind": "few", "text": "a theorem: fewer cannot do"},
            {"kind": "order", "text": "an order, its constant unknown"},
        ],
        "x": axis("n", unit, FEWEST, MOST), "y": axis("", "", 0.1, 1), "lines": [],
        "note": "" if case else "No theorem speaks of this aim: only measurements are drawn.",
    }  # fmt: skip


def _row(case: Case | None, row: Row, apart: bool) -> dict[str, Any]:
    own = marks(case, row.mechanism) if case else []
    measured = []
    if row.needed.n is not None:
        measured.append({
            "kind": "measured", "x": row.needed.n, "low": row.needed.low, "high": row.needed.high,
            "text": _about(row.needed.n),
        })  # fmt: skip
    note = row.note
    if row.needed.n is not None and row.needed.n > MOST:
        note = f"about {_about(row.needed.n)}"
    label = ""
    if row.guarantee is not None and row.guarantee.standing is not Standing.PROVED:
        label = LABELS[row.guarantee.standing][0].lower()
    if row.guarantee is not None and row.guarantee.notion is Notion.LOCAL:
        label = f"local model{', ' + label if label else ''}"
    return {
        "name": row.mechanism.name, "label": label, "apart": apart, "note": note,
        "color": colour(row.mechanism.family), "marks": [*own, *measured],
    }  # fmt: skip


def _pure(case: Case) -> dict[str, Any]:
    found = [
        {"kind": "few", "x": n, "text": text}
        for n, text in (
            (theorems.pure_too_few(case), "Thm\u00a08, expected, worst data"),
            (theorems.pure_too_few(case, printed=True), "as printed"),
        )
        if n is not None
    ]  # fmt: skip
    note = ""
    if not found and case.d < 3:
        note = "Theorem 8 needs 3 columns or more"
    elif not found and case.gap > 0.5:
        note = "Theorem 8 needs a gap of at most ½"
    elif not found:
        least = theorems.pure_least_rho(case.d)
        note = f"Theorem 8 speaks of expected correlations from {least:.4f} on only"
    return {
        "name": "Any pure mechanism", "label": "", "apart": False,
        "note": note, "color": colour(Family.BASELINE), "marks": found,
    }  # fmt: skip


def _by_epsilon(asked: Asked, needs: Needs, rows: list[Row], unit: str) -> dict[str, Any]:
    measured = [
        line(r.mechanism.name, needs.along(asked, r.mechanism, SAMPLE_SIZE_EPSILONS), r.mechanism.family)
        for r in rows if r.needed.n is not None
    ]  # fmt: skip
    case = asked.case
    paid = case.epsilon / asked.epsilon if case else 1.0
    return {
        "key": "people-epsilon", "height": 300, "title": f"{unit.capitalize()} needed against ε",
        "sub": "solid: measured; dashed: a theorem says so many are enough; hatched: too few",
        "x": axis("ε", "privacy parameter ε", 0.01, 10, values=SAMPLE_SIZE_EPSILONS, text=epsilon_text),
        "y": axis("", "", FEWEST, MOST),
        "lines": [line for line in measured if any(v is not None for v in line["y"])]
        + (_theorems([replace(case, epsilon=e * paid) for e in SAMPLE_SIZE_EPSILONS]) if case else []),
        "rules": [{"x": asked.epsilon, "color": "accent", "text": ""}],
        "note": "Where the number of people does not follow from one number, only the ε chosen is "
        "measured, and there is no line.",
    }  # fmt: skip


def _by_aim(asked: Asked, needs: Needs, rows: list[Row], unit: str) -> dict[str, Any]:
    levels = tuple(sorted(LEVELS[asked.kind]))
    losses = levels if asked.kind == "sin" else tuple(1 - v for v in levels)
    measured = [
        line(r.mechanism.name, needs.by_aim(asked, r.mechanism, levels), r.mechanism.family)
        for r in rows if r.needed.n is not None
    ]  # fmt: skip
    case = asked.case
    rhos = [replace(asked, level=v).rho for v in levels]
    theorems = _theorems([replace(case, rho=r or 0.0) for r in rhos]) if case and all(rhos) else []
    titles = {"correlation": "1 − ρ", "captured": "lost share 1 − q", "sin": "‖sin Θ‖_F"}
    here = asked.level if asked.kind == "sin" else 1 - asked.level
    low, high = min(losses) / 1.01, max(losses) * 1.01
    return {
        "key": "people-aim", "height": 300, "title": f"{unit.capitalize()} needed against the aim",
        "sub": "at the ε chosen: to the left the directions are nearer the truth",
        "x": axis("loss", titles[asked.kind], low, high, values=losses, text=significant),
        "y": axis("", "", FEWEST, MOST), "lines": measured + theorems,
        "rules": [{"x": here, "color": "accent", "text": ""}],
    }  # fmt: skip


def _theorems(cases: list[Case]) -> list[dict[str, Any]]:
    drawn = []
    for mechanism in MECHANISMS.values():
        for theorem in (each for each in mechanism.theorems if each.name):
            found = [theorem.people(case) or np.nan for case in cases]
            drawn.append(line(theorem.name, found, mechanism.family, dash="7 4"))
    few = [theorems.pure_too_few(c) or np.nan for c in cases]
    drawn.append(line("too few for a pure one, Thm\u00a08", few, Family.BASELINE, area="below"))
    return [d for d in drawn if any(v is not None for v in d["y"])]
