"""The second-moment sum of tables on many machines: a sum of each part where it lies, added up."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import Any

from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Recipe
from dpca_core.tables.files import each_once
from dpca_core.tables.moments import Moments, merge
from dpca_core.tables.rows import column_names
from dpca_core.tables.second_moment import Cancelled, Progress, second_moment

_LOOK = 0.3


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
    three times a second. ``ImportError`` where Dask is not installed.

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
        from distributed import wait
    except ImportError:
        raise ImportError("Dask is not installed: pip install dask distributed adds it.") from None
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
    if not len(collection):
        raise ValueError("The collection has no partition.")
    sums = [delayed(second_moment)(part, recipe, sample=sample) for part in collection]
    start, total = perf_counter(), None
    with _connected(client) as connected:
        waiting = connected.compute(sums)
        while waiting:
            done: Any = ()
            with suppress(TimeoutError):
                done, left = wait(waiting, timeout=_LOOK, return_when="FIRST_COMPLETED")
                waiting = list(left)
            for part in done:
                found: Moments = part.result()
                total = found if total is None else merge(total, found)
            rows, share = total.rows if total else 0, 1 - len(waiting) / len(sums)
            told = Progress(rows, perf_counter() - start, share)
            if on_progress is not None and on_progress(told) is False:
                connected.cancel(waiting)
                raise Cancelled("The sum was cancelled; there is no result.")
    assert total is not None
    return total


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
