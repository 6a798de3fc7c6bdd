"""Imtiaz & Sarwate 2016, Figure 2: captured energy against n."""

from collections.abc import Mapping

from papers.captured import Along, captured_measure
from papers.experiment import Axis, Experiment, Panel, Scale, Setting, Verdict
from papers.imtiaz_readings import AGAINST_PEOPLE, POWER_PURE, SERIES, people_facts
from papers.imtiaz_settings import (
    ASKS,
    ENERGY,
    OUR_COVARIANCE,
    PAPER,
    RAW,
    SYNTHETIC,
    choice_settings,
    choices,
    links,
    ours,
    problem,
    ranked,
)

PEOPLE_EPSILONS = (0.01, 0.1, 1.0)
SYNTHETIC_PEOPLE = (1e3, 2e3, 5e3, 1e4, 2e4, 4e4, 6e4)
COVTYPE_PEOPLE = (1e3, 2e3, 5e3, 1e4, 2e4)


def figure_2a(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Figure 2(a): the synthetic data against n."""
    return _against_people("a", "Synthetic data", SYNTHETIC, SYNTHETIC_PEOPLE, chosen)


def figure_2b(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Figure 2(b): Covertype, raw columns, against n."""
    return _against_people("b", "Covertype", RAW, COVTYPE_PEOPLE, chosen)


def _against_people(
    letter: str,
    title: str,
    data: str,
    people: tuple[float, ...],
    chosen: Mapping[str, float] | None,
) -> Experiment:
    delta, absolute = choices(chosen)
    epsilon = (chosen or {}).get("epsilon", PEOPLE_EPSILONS[1])
    again = figure_2a if letter == "a" else figure_2b
    return Experiment(
        key=f"imtiaz-fig-2{letter}",
        paper=PAPER,
        number=f"Figure 2({letter})",
        title=title,
        asks=f"{ASKS} with n people?",
        panels=(Panel("", Axis("n", Scale.LOG, people)),),
        y=ENERGY,
        series=tuple(ranked(s, absolute) for s in (*SERIES[:-1], POWER_PURE, SERIES[-1])),
        settings=(
            Setting("k", "10", True),
            *(OUR_COVARIANCE if letter == "a" else ()),
            Setting("n", f"{people[0]:,.0f} to {people[-1]:,.0f}", False, "not printed; S scaled"),
            Setting("ε", f"{epsilon:g}", False, "not printed", "epsilon", PEOPLE_EPSILONS, epsilon),
            *choice_settings(delta, absolute),
            *ours(),
        ),
        statements=AGAINST_PEOPLE,
        verdict=Verdict.ALL_HOLD,
        sentence=(
            "With {few:,.0f} people PPM keeps {ppm_few:.0%} and the pure PPM {pure_few:.0%}, where "
            "random directions keep {random:.0%}; with {many:,.0f} it is {ppm_many:.0%} and "
            "{pure_many:.0%}."
        ),
        because=(
            "The ε of the figure is not printed. At the one chosen here the calibrated Gaussian "
            "keeps {gauss_few:.0%} with {few:,.0f} people, where SN keeps {sn_few:.0%} and its "
            "repair {repair_few:.0%}; SN needs {many:,.0f} for {sn_many:.0%}."
        ),
        facts=people_facts,
        measure=captured_measure(
            lambda series: problem(data, people[-1]),
            along=Along.PEOPLE,
            delta=delta,
            epsilon=epsilon,
        ),
        links=links(data, delta, "n"),
        seconds=5.0,
        vary=again,
    )
