"""What the Local page draws and says: the price of trusting nobody."""

from typing import Any

import numpy as np

from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.text.privacy_numbers import epsilon_text, power, upward
from ui.figures.axes import axis, line
from ui.local_model.measurements import (
    ERROR,
    PRECISION,
    RECALL,
    Asked,
    Cell,
    Runs,
    at_random,
    ceiling,
)
from ui.local_model.record_figure import record_chart
from ui.state.slider_stops import LOCAL_MODEL_EPSILONS
from ui.text.numbers import count, significant

SIZES = tuple(float(10 ** (e / 2)) for e in range(6, 25))
FACTORS = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5)
DIRECTIONS = {"dense": (5, 10, 15, 20), "sparse": (2, 5, 10), "data": (1, 2, 3, 5, 8, 12, 16, 20)}
COLUMNS = {"dense": (20, 40, 80, 160), "sparse": (100, 200, 400)}
USED = (15, 20, 40, 80)
PAPERS_N = {"dense": (1e4, 1e5), "sparse": (1e3, 1e4)}
NAMES = {
    "none": "without privacy", "gaussian": "with a curator, Gaussian",
    "local_gaussian": "local Gaussian", "local_printed": "local, printed noise",
    "local_sparse": "local, sparse",
}  # fmt: skip
FAMILIES = {"none": None, "gaussian": "gaussian", "local_gaussian": "local",
            "local_printed": "local", "local_sparse": "sulq"}  # fmt: skip


def keys_of(asked: Asked) -> tuple[str, ...]:
    """Lines that are drawn: the sample's own error where it is not 0, sparse where it is meant."""
    first = () if asked.data else ("none",)
    last = ("local_sparse",) if asked.source == "sparse" and "local_sparse" in MECHANISMS else ()
    return (*first, "gaussian", "local_gaussian", "local_printed", *last)


def settings_of(asked: Asked) -> dict[str, list[Asked]]:
    """Return the settings along each axis that is drawn."""
    top = asked.d - 1
    least = asked.d if asked.data is None else 1
    sizes = SIZES[::2] if asked.source == "sparse" else SIZES
    found = {
        "n": [asked.moved(n=n) for n in sizes if n >= least],
        "epsilon": [asked.moved(epsilon=e) for e in LOCAL_MODEL_EPSILONS],
        "k": [asked.moved(k=k) for k in DIRECTIONS[asked.source] if k <= min(top, asked.d // 2)],
    }
    if asked.data is None:
        found["p"] = [asked.moved(p=p) for p in COLUMNS[asked.source] if p <= asked.n]
    if asked.source == "sparse":
        found["columns"] = [asked.moved(columns=s) for s in USED if asked.k <= s <= asked.p]
        found["factor"] = [asked.moved(factor=c) for c in FACTORS]
    return found


def cells_of(asked: Asked) -> list[Cell]:
    """Return all that is measured: what is asked first, then the axes; quick lines before slow."""
    keys = keys_of(asked)
    along = settings_of(asked)
    quick = [key for key in keys if key != "local_sparse"]
    cells = [Cell(asked, key) for key in keys]
    cells += [Cell(a, key) for name in along if name != "factor" for a in along[name]
              for key in quick]  # fmt: skip
    if "local_sparse" in keys:
        cells += [Cell(a, "local_sparse") for name in along for a in along[name]]
    return list({cell.name: cell for cell in cells}.values())


def sheet(asked: Asked, runs: Runs) -> dict[str, Any]:
    """Compose the page's charts and sentences from what is measured so far."""
    cells = cells_of(asked)
    share = runs.share(cells)
    unit = asked.data.unit.many if asked.data else "people"
    along = settings_of(asked)
    record = record_chart(asked, unit)
    charts = [_chart(asked, runs, name, along[name], unit) for name in along if name != "factor"]
    if "factor" in along and "local_sparse" in MECHANISMS:
        charts.append(_support(asked, runs, along["factor"]))
    return {
        "id": f"{asked.data.identity if asked.data else ''} {_plain(asked)}",
        "stage": runs.stage, "complete": share >= 1, "share": share, "fresh": runs.fresh(asked),
        "progress": "" if share >= 1 else f"{share * 100:.0f}\u00a0% measured", "lit": "",
        "answer": _answer(asked, runs, unit), "under": _under(asked, unit),
        "charts": [*([record] if record else []), *charts],
        "footer": f"{_where(asked)}; n\u00a0=\u00a0{count(asked.n)}, k\u00a0=\u00a0{asked.k}, "
        f"ε\u00a0=\u00a0{epsilon_text(asked.epsilon)}, δ\u00a0=\u00a0{power(asked.delta)}, between "
        f"any two records; mean of {asked.repetitions} releases, as in the paper"
        f"{' (1 to 3 of the sparse one)' if asked.source == 'sparse' else ''}; seed {asked.seed}. "
        "Error: ‖V̂V̂ᵀ − VVᵀ‖ in Frobenius norm. The curator is asked for the same ε and δ when one "
        "record is replaced.",
    }  # fmt: skip


def _plain(asked: Asked) -> list[object]:
    return [v for name, v in vars(asked).items() if name not in ("data", "ground")]


def _where(asked: Asked) -> str:
    if asked.data:
        return f"{asked.data.name}, {asked.d} columns, errors from the directions of these data"
    kind = f"sparse design, {asked.columns} of" if asked.source == "sparse" else "dense design,"
    return f"Wang & Xu’s {kind} {asked.p} columns, errors from the true directions"


def _answer(asked: Asked, runs: Runs, unit: str) -> str:
    local, central = (runs.mean(Cell(asked, key)) for key in ("local_gaussian", "gaussian"))
    start = (
        f"If nobody is trusted, {count(asked.n)} {unit} at [[ε = {epsilon_text(asked.epsilon)}]]"
    )
    if asked.delta == 0:
        return f"{start} have no release: the paper’s algorithms need δ > 0."
    if np.isnan(local) or np.isnan(central):
        return f"{start}: measuring…"
    random = at_random(asked.d, asked.k)
    said = f"{start} give an error of **{significant(local, 3)}**"
    if local > 0.97 * random:
        said += ", no better than **random directions**"
    else:
        said += f", where random directions have {significant(random, 3)}"
    return f"{said}; a curator’s is {significant(central, 2)}."


def _under(asked: Asked, unit: str) -> str:
    problem = asked.ground[0]
    try:
        noise = MECHANISMS["local_gaussian"].calibrate(problem, asked.budget).scale
        central = MECHANISMS["gaussian"].calibrate(problem, asked.budget).scale
        printed = MECHANISMS["local_printed"].guarantee(problem, asked.budget)
    except InfeasibleBudget as error:
        return str(error)
    return (
        f"The noise in the sum of all reports is **{significant(noise / central)} times** a "
        f"curator’s: {significant(noise, 3)} {unit} in an entry, against a gap of "
        f"{significant(problem.gap, 3)}. The printed noise, asked for ε\u00a0=\u00a0"
        f"{epsilon_text(asked.epsilon)}, has ε\u00a0=\u00a0**{upward(printed.epsilon)}**."
    )


TITLES = {
    "n": ("Error against the number of {}", "log₁₀ scale on both axes; a straight fall is 1/√n"),
    "epsilon": ("Error against ε", "at this n"),
    "k": ("Error against the number of directions", "at this n and ε"),
    "p": ("Error against the number of columns", "at this n and ε"),
    "columns": ("Error against the columns used", "s of the sparse design"),
}
AXES = {"n": "{}", "epsilon": "privacy parameter ε", "k": "directions k", "p": "columns p",
        "columns": "columns used, s"}  # fmt: skip


def _chart(asked: Asked, runs: Runs, name: str, along: list[Asked], unit: str) -> dict[str, Any]:
    values = [float(getattr(a, name)) for a in along]
    highest = max(ceiling(a.k) for a in along)
    lines = [
        line(NAMES[key], [runs.mean(Cell(a, key)) for a in along], FAMILIES[key],
             strong=key == "local_gaussian", dash="5 4" if key == "local_printed" else None)
        for key in keys_of(asked)
    ]  # fmt: skip
    lines.append(line("random directions", [at_random(a.d, a.k) for a in along], "baseline",
                      dash="2 3"))  # fmt: skip
    lines.append(line("ceiling √(2k)", [ceiling(a.k) for a in along], dash="1 4"))
    log = name in ("n", "epsilon")
    title, sub = TITLES[name]
    low = 0.01 if name == "n" else 0.0
    return {
        "key": f"local-{name}", "height": 300 if name == "n" else 230, "wide": name == "n",
        "title": title.format(unit), "sub": sub, "lines": lines,
        "x": axis(name, AXES[name].format(unit), min(values), max(values), log=log, values=values,
                  text=count if name != "epsilon" else epsilon_text),
        "y": axis("", "", low, highest * (2 if name == "n" else 1.08), log=name == "n"),
        "rules": [
            {"x": float(getattr(asked, name)), "color": "accent", "text": ""},
            *_range(asked, name),
        ],
        "note": _slope(asked, runs, along) if name == "n" else "",
    }  # fmt: skip


def _range(asked: Asked, name: str) -> list[dict[str, Any]]:
    """Mark the sizes of the paper's figure."""
    if name != "n" or asked.source not in PAPERS_N:
        return []
    low, high = PAPERS_N[asked.source]
    mark = {"color": "faint", "dash": "2 3", "low": True}
    return [{**mark, "x": low, "text": ""}, {**mark, "x": high, "text": "◂ the paper’s n"}]


def _slope(asked: Asked, runs: Runs, along: list[Asked]) -> str:
    """Say how steeply the local error falls where it does."""
    sizes = np.log([a.n for a in along])
    errors = np.array([runs.mean(Cell(a, "local_gaussian")) for a in along])
    below = np.flatnonzero(errors < 0.4 * at_random(asked.d, asked.k))
    if len(below) < 2:
        return "The local error has not begun to fall in this range, or is not measured yet."
    slope = np.polyfit(sizes[below], np.log(errors[below]), 1)[0]
    start = f"Where it falls the local error goes as n to the power **{slope:.2f}**".replace(
        "-", "−"
    )
    if asked.source not in PAPERS_N or along[below[0]].n <= PAPERS_N[asked.source][1]:
        return f"{start}; theory: −0.50."
    return (
        f"{start}; theory: −0.50. From about {count(along[below[0]].n)} people on: at the paper’s "
        "own n, with the noise that its Algorithm 1 states, directions are as good as random."
    )


def _support(asked: Asked, runs: Runs, along: list[Asked]) -> dict[str, Any]:
    cells = [Cell(a, "local_sparse") for a in along]
    return {
        "key": "local-support", "height": 230, "title": "Columns found against the penalty",
        "sub": "of the columns named, the share that is used; of those used, the share named",
        "x": axis("c", "penalty c, times s·√ln d", 0, FACTORS[-1], log=False, values=FACTORS,
                  text=significant),
        "y": axis("", "", 0, 1.05, log=False),
        "lines": [
            line("precision", [runs.mean(c, PRECISION) for c in cells], "local", strong=True),
            line("recall", [runs.mean(c, RECALL) for c in cells], "gaussian"),
            line("error ÷ ceiling", [runs.mean(c, ERROR) / ceiling(asked.k) for c in cells],
                 "sulq", dash="5 4"),
        ],
        "rules": [{"x": asked.factor, "color": "accent", "text": ""}],
        "note": _limited(asked),
    }  # fmt: skip


def _limited(asked: Asked) -> str:
    """Write the limited-correlation condition, in the population and in this sample."""
    problem, _, used = asked.ground
    cross = problem.moment[np.ix_(~used, used)]
    if cross.size == 0 or problem.gap <= 0:
        return ""
    size = float(np.linalg.norm(cross, axis=1).max())
    value = 8 * asked.columns / problem.gap * size
    return (
        "Support recovery is proved under limited correlation: 8s/(λₖ − λₖ₊₁) times the "
        "longest row of Σ between unused and used columns must stay under 1. In this design it is "
        f"0; in the sample of {count(asked.n)} it is **{significant(value)}**."
    )
