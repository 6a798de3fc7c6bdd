"""The second-moment sum of a Dask collection: a sum of each partition, merged in a tree."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from operator import attrgetter
from pathlib import Path
from time import perf_counter
from typing import Any

from dpca_core.data.recipe import Reading, Recipe
from dpca_core.readers.open_row_source import tables_in
from dpca_core.streaming.mergeable_sums import Moments, merge
from dpca_core.streaming.progress import Cancelled, Progress
from dpca_core.streaming.second_moment import second_moment

_BRANCHES, _LOOK = 8, 0.3
_LOOPBACK = "127.0.0.1:0"


class DaskMissing(ImportError):
    """Dask is not installed."""


def dask_moment(
    collection: Any,
    recipe: Recipe,
    client: Any = None,
    *,
    reading: Reading = Reading.TOTAL,
    on_progress: Callable[[Progress], bool | None] | None = None,
    sample: int = 0,
) -> Moments:
    """Sum up x·xᵀ over the partitions of a collection, where they are.

    Parameters
    ----------
    collection
        A Dask data frame; a Dask array (n, d) whose columns are the recipe's numbers in order; or
        delayed data frames, one a partition; or the path of a folder of CSV or Parquet files that
        the workers can read, a file a partition.
    recipe, reading
        As for ``dpca_core.streaming.second_moment.second_moment``.
    client
        A ``distributed.Client``, the address of a scheduler, or None for a cluster of processes on
        this machine that is stopped afterwards.
    on_progress, sample
        As for ``dpca_core.streaming.second_moment.second_moment``; told three times a second.

    Raises
    ------
    DaskMissing
        Without Dask.
    EncodingError, RecipeError, ValueError
        For a collection that the recipe does not fit, in one sentence.
    Cancelled
        Where ``on_progress`` returned False.
    """
    try:
        from dask import delayed
    except ImportError:
        raise DaskMissing("Dask is not installed: pip install dask distributed adds it.") from None
    sums = partial(partial_sum, sample=sample, reading=reading)
    parts = [delayed(sums)(part, recipe) for part in _partitions(collection, recipe)]
    if not parts:
        raise ValueError("The collection has no partition.")
    rows = [delayed(attrgetter("rows"))(part) for part in parts]
    while len(parts) > 1:
        parts = [
            delayed(_merged)(parts[start : start + _BRANCHES])
            for start in range(0, len(parts), _BRANCHES)
        ]
    with _connected(client) as connected:
        found, *counted = connected.compute([parts[0], *rows])
        if on_progress is not None and not _watched(counted, on_progress):
            connected.cancel([found, *counted])
            raise Cancelled("The sum was cancelled; there is no result.")
        sums_of_all = found.result()
    assert isinstance(sums_of_all, Moments)
    return sums_of_all


def _watched(counted: Sequence[Any], on_progress: Callable[[Progress], bool | None]) -> bool:
    """Report which partitions are done until all are; tell whether it may go on.

    Raises what a partition raised.
    """
    from distributed import wait

    waiting, rows, start = list(counted), 0, perf_counter()
    while waiting:
        try:
            done, left = wait(waiting, timeout=_LOOK, return_when="FIRST_COMPLETED")
        except TimeoutError:
            done, left = set(), waiting
        rows, waiting = rows + sum(future.result() for future in done), list(left)
        share = 1 - len(waiting) / len(counted)
        if on_progress(Progress(rows, perf_counter() - start, share)) is False:
            return False
    return True


def partial_sum(
    part: Any, recipe: Recipe, *, sample: int = 0, reading: Reading = Reading.TOTAL
) -> Moments:
    """Sum up one partition: a data frame, a file, or an array (n, d) of the recipe's numbers."""
    from pandas import DataFrame

    if not isinstance(part, DataFrame | Path):
        part = DataFrame(part, columns=[number.name for number in recipe.numbers])
    return second_moment(part, recipe, sample=sample, reading=reading)


def _merged(parts: Sequence[Moments]) -> Moments:
    return reduce(merge, parts)


def _partitions(collection: Any, recipe: Recipe) -> list[Any]:
    """Delayed data frames or arrays of whole rows, or files."""
    if isinstance(collection, str | Path):
        return list(tables_in(Path(collection).absolute()))
    if isinstance(collection, list | tuple):
        return list(collection)
    if hasattr(collection, "rechunk"):
        width = len(recipe.numbers)
        if recipe.categories or collection.ndim != 2 or collection.shape[1] != width:
            raise ValueError(
                f"An array needs a recipe of numbers only, one for each column: {width} numbers "
                f"and {len(recipe.categories)} categories do not fit shape {collection.shape}."
            )
        return list(collection.rechunk({1: -1}).to_delayed().ravel())
    if hasattr(collection, "to_delayed"):
        return list(collection[[column.name for column in recipe.columns]].to_delayed())
    raise ValueError("Pass a Dask data frame, a Dask array or a list of delayed data frames.")


@contextmanager
def _connected(client: Any) -> Iterator[Any]:
    """Use a client as it is; make one for an address, or with a cluster, and close those."""
    from distributed import Client, LocalCluster

    if isinstance(client, Client):
        yield client
    elif client is not None:
        with Client(client) as made:
            yield made
    else:
        with (
            LocalCluster(threads_per_worker=1, dashboard_address=_LOOPBACK) as cluster,
            Client(cluster) as made,
        ):
            # Closing hits workers in the middle of a heartbeat; what matters comes as an exception.
            made.run(logging.disable, logging.ERROR)
            yield made
