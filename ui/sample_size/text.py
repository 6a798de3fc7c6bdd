"""Every sentence of the Sample size page."""

from dpca_core.analysis.needed import TRIALS, round_up
from dpca_core.privacy.budget import Guarantee, Notion, Standing
from dpca_core.theorems import Case, pure_least_rho
from ui.sample_size.measurements import MOST_MEASURED_COLUMNS, MechanismResult
from ui.sample_size.query import EPSILON_CHOICES, AimKind, SampleSizeQuery, SpectrumSource
from ui.text.certainty import releases_per_point
from ui.text.numbers import count, significant
from ui.text.odds import LABELS
from ui.text.words import beyond_chart, budget_text

SPECTRA = {SpectrumSource.SPIKE: "One direction", SpectrumSource.DATA: "Data"}
AIM_KINDS = {
    AimKind.CORRELATION: "|⟨v̂, v⟩|",
    AimKind.CAPTURED: "variation kept",
    AimKind.SINE: "‖sin Θ‖$_F$",
}
"""Of the control, in Markdown."""
LEVEL_LABELS = {kind: "at most" if kind is AimKind.SINE else "at least" for kind in AimKind}
UNUSED = {
    SpectrumSource.DATA: "The number of people is the answer here, so the one set on other pages "
    "is not used.",
    SpectrumSource.SPIKE: "This spectrum has one direction, so k\u00a0=\u00a01. The data set, k "
    "and the number of people set on other pages are not used.",
}
"""Which shared settings this page does not use."""
LOSSES = {
    AimKind.CORRELATION: "1 − ρ",
    AimKind.CAPTURED: "lost share 1 − q",
    AimKind.SINE: "‖sin Θ‖<sub>F</sub>",
}
"""Of an axis, in Plotly's markup."""
EPSILON_AXIS = "privacy parameter ε"
ANY_PURE_MECHANISM = "Any pure mechanism"
PURE_BOUND, PURE_BOUND_PRINTED = "Thm\u00a08, expected, worst data", "as printed"
PURE_LINE = "too few for a pure mechanism, Thm\u00a08"
DATA_SIZE = "these data: {}"
PEOPLE_LABELS = (
    "How many {} each mechanism needs",
    "Dot: measured, with its 95\u00a0% interval. By a theorem, dashes: this many are enough; "
    "shaded: fewer are not enough; diamond: an order, its constant unknown.",
)
AIM_LABELS = (
    "{} needed against the aim",
    "at the selected ε; further left the directions are closer to the truth",
)
_AIMS = {
    AimKind.CORRELATION: "|⟨v̂, v⟩| ≥ {}",
    AimKind.CAPTURED: "{} of the variation PCA finds",
    AimKind.SINE: "‖sin Θ‖_F ≤ {}",
}


def share_text(share: float) -> str:
    """Write a share of the releases."""
    return f"{share * 100:g}\u00a0%"


def aim_text(query: SampleSizeQuery) -> str:
    """Write the aim: |⟨v̂, v⟩| ≥ 0.9."""
    kind = AimKind(query.kind)
    level = share_text(query.level) if kind is AimKind.CAPTURED else f"{query.level:g}"
    return _AIMS[kind].format(level)


def people_text(n: float) -> str:
    """Write a number of people, rounded up to two digits."""
    return count(round_up(max(n, 1.0)))


def answer(query: SampleSizeQuery, best: MechanismResult | None) -> str:
    """Say which mechanism needs the fewest people for the aim."""
    aim = f"For [[{aim_text(query)}]] in {share_text(query.share)} of releases"
    if best is None:
        measurable = query.d <= MOST_MEASURED_COLUMNS
        return f"{aim}: {'nothing is measured yet…' if measurable else 'see the theorems below.'}"
    people = f"**{people_text(best.needed.n or 1)} {query.unit}**"
    so_far = " so far" if best.trials < TRIALS else ""
    basis = f"{so_far} by estimate ({releases_per_point(best.trials)})"
    return f"{aim}, {best.mechanism.name} needs about {people}{basis}."


def theorems_summary(query: SampleSizeQuery, ratios: list[tuple[str, float]]) -> str:
    """Compare theorems with measurements.

    ``ratios``: names of theorems, each with the people it asks for over those measured.
    """
    if query.d > MOST_MEASURED_COLUMNS:
        return f"Measured up to {MOST_MEASURED_COLUMNS} columns; the theorems hold for any number."
    if query.case is None:
        return (
            "The theorems cover one direction (k\u00a0=\u00a01) and aims for |⟨v̂, v⟩| or "
            "‖sin Θ‖_F only: everything drawn here is measured."
        )
    asked = (
        f"{name} asks for **{significant(ratio)}** times as many people" for name, ratio in ratios
    )
    return f"The theorems err on the safe side: {'; '.join(asked)}." if ratios else ""


def settings(query: SampleSizeQuery) -> str:
    """Name the spectrum and the settings."""
    where = f"one strong direction, all others equal, {query.d} columns, gap {query.gap:g}"
    if query.data:
        where = f"{query.data.name}, {query.d} columns, k\u00a0=\u00a0{query.k}"
    one = query.data.unit.one if query.data else "person"
    asked = budget_text(query.budget, one)
    return f"{where}; {asked}; up to {TRIALS} releases per point, seed {query.seed}."


def footer(query: SampleSizeQuery) -> str:
    """Name the spectrum, the settings and what measured means."""
    return (
        f"{settings(query)} Measured: estimates, with the spectrum scaled to that many "
        f"{query.unit}; what is surely enough, Explore says. Formulas, conditions and "
        "corrections: Proofs, “How many people”."
    )


def by_epsilon_labels(query: SampleSizeQuery) -> tuple[str, str, str]:
    """Title the chart of the people needed against ε."""
    note = (
        "A click on a name sets a mechanism apart and draws its line, where one number determines "
        f"how many {query.unit} it needs. {beyond_chart(query.epsilon, EPSILON_CHOICES)}"
    )
    return (
        f"{query.unit.capitalize()} needed against ε",
        f"of mechanisms that need the fewest {query.unit}; thin dots: by a theorem, enough or "
        "(shaded) too few",
        note.rstrip(),
    )


def guarantee_label(guarantee: Guarantee | None) -> str:
    """Say in a few words what is special about a guarantee; nothing where nothing is."""
    if guarantee is None:
        return ""
    proved = guarantee.standing is Standing.PROVED
    label = "" if proved else LABELS[guarantee.standing][0].lower()
    local = "local model" if guarantee.notion is Notion.LOCAL else ""
    return ", ".join(filter(None, (local, label)))


def no_pure_bound(case: Case) -> str:
    """Say which condition of Theorem 8 is not met."""
    if case.d < 3:
        return "Theorem 8 needs 3 columns or more"
    if case.gap > 0.5:
        return "Theorem 8 needs a gap of at most ½"
    least = pure_least_rho(case.d)
    return f"Theorem 8 holds for expected correlations of {least:.4f} or more only"
