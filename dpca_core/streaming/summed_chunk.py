"""A chunk of coded columns as rows in the unit ball, or as their sum: the work of one thread."""

from threading import local
from typing import NamedTuple

import numpy as np

from dpca_core.data.encoding import EncodedColumns, require_finite, side_by_side
from dpca_core.data.recipe import Missing, Recipe
from dpca_core.data.scaling import to_scale, without_infinite
from dpca_core.linalg.arrays import Array
from dpca_core.streaming.mergeable_sums import ClippedSum, blocks

_BLOCK = 2**18


class SummedChunk(NamedTuple):
    """A chunk ready to be added: its rows or, where a thread has made it, their sum.

    How many rows were read and shortened, how many values cut; and the sum of rows at most R, where
    it was asked for.
    """

    rows: Array | None
    summed: ClippedSum | None
    read: int
    clipped: int
    cut: int
    reference: ClippedSum | None


class ThreadMemory(local):
    """Memory of a thread, the same for each block: fresh memory costs more than most steps."""

    def __init__(self) -> None:
        self._cells = np.empty(0)

    def cells(self, size: int) -> Array:
        """Return memory for so many numbers, until the next call."""
        if len(self._cells) < size:
            self._cells = np.empty(size)
        return self._cells[:size]


def summed_chunk(
    chunk: EncodedColumns,
    recipe: Recipe,
    total: ClippedSum,
    reference: ClippedSum | None,
    keep: bool,
    memory: ThreadMemory,
    strict: bool,
) -> SummedChunk:
    """Follow the recipe for some rows, in blocks; columns stay contiguous up to the product.

    Every step may have to wait for the interpreter's lock, so blocks are as large as caches allow.
    """
    read, own, clipped, cut = chunk.rows, total.start_partial(), 0, 0
    own_reference = None if reference is None else reference.start_part()
    if recipe.missing is Missing.DROP:
        if strict:
            require_finite(chunk.numbers, recipe.numbers)
        chunk = chunk.without(chunk.missing)
    hot = chunk.one_hot(recipe.categories, recipe.category_coding)
    p, d = len(chunk.numbers), total.d
    rows = np.empty((d, chunk.rows)).T if keep or own is None else None
    cuts = blocks(chunk.rows, d, _BLOCK)
    most = max((stop - start for start, stop in cuts), default=0)
    raw, free = np.split(memory.cells(most * (p + d)), [most * p])
    for start, stop in cuts:
        size = stop - start
        numbers = side_by_side([c[start:stop] for c in chunk.numbers], size, raw)
        block = free[: size * d].reshape(d, size).T if rows is None else rows[start:stop]
        if not (finite := bool(np.isfinite(numbers).all())):
            if strict:
                require_finite(list(numbers.T), recipe.numbers)
            without_infinite(numbers)
        inside = to_scale(recipe, numbers, block[:, :p], finite=finite)
        block[:, p:] = hot[start:stop]
        if own_reference is not None:
            own_reference.add(*own_reference.clip_rows(block, np.empty_like(block)))
        block, long = total.clip_rows(block, block)
        if own is not None:
            own.add(block, long)
        clipped, cut = clipped + long, cut + round(inside.share * inside.values.size)
    return SummedChunk(rows, own, read, clipped, cut, own_reference)
