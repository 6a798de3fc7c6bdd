"""Tables that come with the package: what is printed, and single releases of ours."""

import gzip
import io
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from papers.experiment import Experiment, Results, Series
from papers.tables import path_of, required

if TYPE_CHECKING:
    from pandas import DataFrame

HERE = Path(__file__).parent
PRINTED_COLUMNS = ("series", "x", "value", "spread", "page", "read")
"""``page`` says where it stands: the copies at hand have no page numbers, so a table or a section.
``spread`` is the printed standard deviation, empty without one; ``read`` says how the value was
had: "typed", or "digitised ±0.01"."""
RESULT_COLUMNS = ("series", "x", "trial", "value")
DIGITS = 9
"""Significant digits of a stored value."""


def results_path(key: str) -> Path:
    """Where an experiment's single releases are stored."""
    return HERE / "results" / f"{key}.csv.gz"


def printed_path(key: str) -> Path:
    """Where what is printed of an experiment is stored."""
    return HERE / "printed" / f"{key}.csv"


@cache
def results_of(key: str) -> Results:
    """Return an experiment's stored table of single releases.

    Raises
    ------
    FileNotFoundError
        Where none is stored.
    """
    from pandas import read_csv

    return Results(read_csv(results_path(key)))


@cache
def printed_of(key: str) -> "DataFrame":
    """Return what is printed: without rows where no points of a figure have been read off."""
    from pandas import read_csv

    return read_csv(printed_path(key), dtype={"page": str, "read": str, "series": str})


def at_hand(part: Experiment | Series) -> bool:
    """Tell whether all data files that an experiment, or one of its series, needs are at hand."""
    names = part.needs if isinstance(part, Experiment) else (part.needs,)
    return all(path_of(name) is not None for name in names if name)


def run(
    experiment: Experiment,
    *,
    seed: int = 0,
    repetitions: int | None = None,
    series: Sequence[Series] | None = None,
    only_at_hand: bool = False,
    on_progress: Callable[[float], bool | None] | None = None,
) -> Results:
    """Run an experiment.

    Parameters
    ----------
    repetitions
        Releases at each point, where a series does not say; None for as many as are stored.
    series
        Which series; None for all.
    only_at_hand
        Leave out series whose own data file is not at hand.
    on_progress
        Called with the share done; returning False stops, and what is done is kept.

    Raises
    ------
    DataMissingError
        Where a data file is not at hand.
    """
    from pandas import DataFrame, concat

    for name in experiment.needs:
        required(name)
    chosen = experiment.series if series is None else series
    if only_at_hand:
        chosen = [one for one in chosen if at_hand(one)]
    frames = []
    for i, one in enumerate(chosen):
        places = experiment.places(one)
        most = experiment.trials_of(one)
        trials = range(most if repetitions is None or most == 1 else repetitions)
        values = experiment.measure(one, places, trials, seed)
        columns = {
            "series": one.key,
            "x": np.repeat(places, len(trials)),
            "trial": np.tile(np.array(trials), len(places)),
            "value": np.ravel(values),
        }
        # Where nothing was released there is no row.
        frames.append(DataFrame(columns).dropna())
        if on_progress is not None and on_progress((i + 1) / len(chosen)) is False:
            break
    return Results(concat(frames, ignore_index=True))


def with_stored(experiment: Experiment, results: Results) -> Results:
    """Return a run with the stored releases of series that need data which are not at hand."""
    from pandas import concat

    missing = [series.key for series in experiment.series if not at_hand(series)]
    if not missing:
        return results
    stored = results_of(experiment.key).table
    return Results(concat([results.table, stored[stored["series"].isin(missing)]]))


def _exact(x: float) -> str:
    return f"{x:g}" if float(f"{x:g}") == x else repr(float(x))


def _rounded(value: float) -> str:
    return f"{value:.{DIGITS}g}"


def store(key: str, results: Results) -> Path:
    """Write an experiment's single releases: the same table gives the same bytes."""
    table = results.table[list(RESULT_COLUMNS)]
    table = table.assign(x=table["x"].map(_exact), value=table["value"].map(_rounded))
    text = table.to_csv(index=False)
    path, packed = results_path(key), io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
        file.write(text.encode())
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(packed.getvalue())
    results_of.cache_clear()
    return path
