"""The second-moment sum of tables on many machines: a sum of each part where it lies, added up."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import reduce
from itertools import chain
from operator import attrgetter
from pathlib import Path
from time import perf_counter
from typing import Any

from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Recipe
from dpca_core.tables.files import each_once
from dpca_core.tables.moments import Moments, merge
from dpca_core.tables.rows import column_names
from dpca_core.tables.second_moment import Cancelled, Progress, second_moment

_BRANCHES, _LOOK = 8, 0.3


class DaskMissing(ImportError):
    """Dask is not installed."""


def dask_sum(
    collection: Any,
    recipe: Recipe,
    client: Any = None,
    *,
    on_progress: Callable[[Progress], bool | None] | None = None,
    sample: int = 0,
) -> Moments:
    """Sum up x·xᵀ over the parts of a table, where they are, with each row another person.

    The other arguments, and what is raised, are those of ``second_moment``; ``on_progress`` is told
    three times a second.

    Parameters
    ----------
    collection
        A Dask data frame; delayed data frames, one a part; or the path of a folder or pattern of
        files that the workers can read, each a part. ``ValueError`` for anything else.
    client
        A ``distributed.Client``, the address of a scheduler, or None for a cluster of processes on
        this machine that is stopped afterwards.
    """
    try:
        from dask import delayed
    except ImportError:
        raise DaskMissing("Dask is not installed: pip install dask distributed adds it.") from None
    if recipe.names_persons:
        raise RecipeError(
            "Rows of one person may lie in several parts: average the rows of each person first, "
            "or sum up all parts as one table with second_moment."
        )
    if isinstance(collection, str | Path):
        collection = each_once(Path(collection).absolute())
    elif hasattr(collection, "to_delayed") and hasattr(collection, "columns"):
        columns = dict.fromkeys(chain(*column_names(recipe)))
        collection = collection[[*columns]].to_delayed()
    elif not isinstance(collection, list | tuple):
        raise ValueError("Pass a Dask data frame, delayed data frames, or the path of a folder.")
    parts = [delayed(second_moment)(piece, recipe, sample=sample) for piece in collection]
    if not parts:
        raise ValueError("The collection has no partition.")
    rows = [delayed(attrgetter("rows"))(part) for part in parts]
    while len(parts) > 1:
        groups = (parts[start : start + _BRANCHES] for start in range(0, len(parts), _BRANCHES))
        parts = [delayed(reduce)(merge, group) for group in groups]
    with _connected(client) as connected:
        found, *counted = connected.compute([parts[0], *rows])
        if on_progress is not None and not _watched(counted, on_progress):
            connected.cancel([found, *counted])
            raise Cancelled("The sum was cancelled; there is no result.")
        total: Moments = found.result()
    return total


def _watched(counted: Sequence[Any], on_progress: Callable[[Progress], bool | None]) -> bool:
    """Report how many parts are done until all are; tell whether it may go on."""
    from distributed import wait

    waiting, rows, start = list(counted), 0, perf_counter()
    while waiting:
        with suppress(TimeoutError):
            done, left = wait(waiting, timeout=_LOOK, return_when="FIRST_COMPLETED")
            rows, waiting = rows + sum(future.result() for future in done), list(left)
        share = 1 - len(waiting) / len(counted)
        if on_progress(Progress(rows, perf_counter() - start, share)) is False:
            return False
    return True


@contextmanager
def _connected(client: Any) -> Iterator[Any]:
    """Yield a client as it is; or make one for an address, or with a cluster, and close those."""
    from distributed import Client, LocalCluster

    if isinstance(client, Client):
        yield client
    elif client is not None:
        with Client(client) as made:
            yield made
    else:
        local = LocalCluster(threads_per_worker=1, dashboard_address="127.0.0.1:0")
        with local as cluster, Client(cluster) as made:
            # Closing hits workers in the middle of a heartbeat; what matters comes as an exception.
            made.run(logging.disable, logging.ERROR)
            yield made
