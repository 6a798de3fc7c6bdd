"""The second-moment sum of a Dask collection: a sum of each partition, merged in a tree."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any

from dpca_core.choices import Recipe
from dpca_core.moments import Moments, merge
from dpca_core.streaming import second_moment

_BRANCHES = 8
_LOOPBACK = "127.0.0.1:0"


class DaskMissing(ImportError):
    """Dask is not installed."""


def dask_moment(collection: Any, recipe: Recipe, client: Any = None) -> Moments:
    """Sum up x·xᵀ over the partitions of a collection, where they are.

    Parameters
    ----------
    collection
        A Dask data frame; a Dask array (n, d) whose columns are the recipe's numbers in order; or
        delayed data frames, one a partition.
    recipe
        As for ``dpca_core.streaming.second_moment``.
    client
        A ``distributed.Client``, the address of a scheduler, or None for a cluster of processes on
        this machine that is stopped afterwards.

    Raises
    ------
    DaskMissing
        Without Dask.
    CodingError, RecipeError, ValueError
        For a collection that the recipe does not fit, in one sentence.
    """
    try:
        from dask import delayed
    except ImportError:
        raise DaskMissing(
            "Dask is not installed: pip install -r requirements-dask.txt adds it."
        ) from None
    parts = [delayed(partial_sum)(part, recipe) for part in _partitions(collection, recipe)]
    if not parts:
        raise ValueError("The collection has no partition.")
    while len(parts) > 1:
        parts = [
            delayed(_merged)(parts[start : start + _BRANCHES])
            for start in range(0, len(parts), _BRANCHES)
        ]
    with _connected(client) as connected:
        found = connected.compute(parts[0]).result()
    assert isinstance(found, Moments)
    return found


def partial_sum(part: Any, recipe: Recipe) -> Moments:
    """Sum up one partition: a data frame, or an array (n, d) of the recipe's numbers."""
    from pandas import DataFrame

    if not isinstance(part, DataFrame):
        part = DataFrame(part, columns=[number.name for number in recipe.numbers])
    return second_moment(part, recipe)


def _merged(parts: Sequence[Moments]) -> Moments:
    return reduce(merge, parts)


def _partitions(collection: Any, recipe: Recipe) -> list[Any]:
    """Delayed data frames or arrays of whole rows."""
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
    raise ValueError("Give a Dask data frame, a Dask array or a list of delayed data frames.")


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
            yield made
