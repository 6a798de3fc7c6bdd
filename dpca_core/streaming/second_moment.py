"""The second-moment sum of tables of any length, in one pass and bounded memory.

S = Σxxᵀ is a sum, so a table goes through in chunks: each is coded, cut to its public ranges and
shortened to norm 1 by the functions that ``prepare`` uses, added, and forgotten.
Nothing that is private is looked for on the way: ranges, categories and R are the recipe's.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.errors import RecipeError
from dpca_core.data.private_mean import private_mean_of_sum
from dpca_core.data.recipe import Reading, Recipe, RowLength, Scaling
from dpca_core.data.recipe_checks import require_valid
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Budget
from dpca_core.readers.open_row_source import open_source
from dpca_core.streaming.mergeable_sums import ClippedSum, Moments
from dpca_core.streaming.progress import Cancelled, Progress
from dpca_core.streaming.row_sample import RowSample
from dpca_core.streaming.summed_chunk import ThreadMemory, summed_chunk

_CELLS = 2**21


def second_moment(
    source: Any,
    recipe: Recipe,
    *,
    reading: Reading = Reading.TOTAL,
    chunk_rows: int | None = None,
    on_progress: Callable[[Progress], bool | None] | None = None,
    mean: Array | None = None,
    sample: int = 0,
) -> Moments:
    """Sum up x·xᵀ over a table, a chunk at a time.

    Parameters
    ----------
    source
        A path to a CSV file (perhaps gzipped), to a Parquet file or to a folder of either; an
        ``Upload``; a data frame; or data frames one after another.
    recipe
        As for ``prepare``, with each row another person and public bounds; its
        ``number_format`` says how text files are written.
    reading
        A sum that is released under a guarantee is ``TOTAL``: no row is refused, and a cell that is
        no finite number is missing. ``STRICT`` refuses such rows, in a sentence that says where
        they are.
    chunk_rows
        About how many rows are held at a time; by default about half a million coded values.
    on_progress
        Called after every chunk; what it returns stops the sum if it is False.
    mean
        Released mean (d,) of rows in the unit ball: it is subtracted and rows are shortened to
        norm 1 again. ``centred_moment`` draws one.
    sample
        How many rows to keep, drawn at random: to show, not to sum up. With a sample, rows at most
        R are summed up beside rows of length 1, to show what that costs.

    Returns
    -------
    Moments
        S in rows, with Σx, the number of rows, how many were shortened, and the sample.

    Raises
    ------
    TableError, EncodingError, RecipeError
        For a table that cannot be read, or choices that it does not allow, in one sentence.
    Cancelled
        Where ``on_progress`` returned False.
    """
    columns = _streamable(recipe)
    if chunk_rows is None:
        chunk_rows = max(_CELLS // len(columns), 256)
    if chunk_rows < 1:
        raise ValueError(f"A chunk has at least one row, not {chunk_rows}.")
    opened = open_source(source, recipe, chunk_rows, reading)
    cut, read, start = 0, 0, perf_counter()
    out, reference = _sums(recipe, len(columns), mean, sample > 0)
    work = partial(
        summed_chunk,
        recipe=recipe,
        total=out,
        reference=reference,
        keep=sample > 0,
        memory=ThreadMemory(),
        strict=reading is Reading.STRICT,
    )
    kept, rng = RowSample.none(sample, len(columns)), np.random.default_rng()
    with closing(opened.chunks(work)) as chunks:
        for chunk in chunks:
            if chunk.summed is not None:
                out.merge_partial(chunk.summed)
            elif chunk.rows is not None:
                out.add(chunk.rows, chunk.clipped)
            if reference is not None and chunk.reference is not None:
                reference.merge_partial(chunk.reference)
            if chunk.rows is not None and sample:
                kept = kept.seen(chunk.rows, rng)
            cut, read = cut + chunk.cut, read + chunk.read
            if on_progress is None:
                continue
            if on_progress(Progress(read, perf_counter() - start, opened.done)) is False:
                raise Cancelled(f"The sum was cancelled after {read:,} rows; there is no result.")
    kept = replace(kept, rows=kept.rows / out.unit)
    at_most_r = None if reference is None else reference.moments(columns).moment
    found = out.moments(columns, cut, recipe)
    return replace(found, sample=kept if sample else None, at_most_r=at_most_r)


def _sums(
    recipe: Recipe, d: int, mean: Array | None, shown: bool
) -> tuple[ClippedSum, ClippedSum | None]:
    """Start the sum of a recipe; and that of rows at most R, where length 1 is to be compared.

    Before a private mean is known rows are at most R: its sensitivity needs that.
    """
    before_mean = recipe.scaling is Scaling.PRIVATE_MEAN and mean is None
    if not recipe.ends_at_length_one or before_mean:
        return ClippedSum(d, recipe.bound, mean), None
    compared = shown and mean is None and recipe.has_radius and d <= MAX_COLUMNS
    reference = ClippedSum(d, recipe.bound) if compared else None
    return ClippedSum(d, recipe.bound, mean, RowLength.ONE), reference


def _streamable(recipe: Recipe) -> tuple[str, ...]:
    """Names of the coded columns, for a recipe that reads each row by itself."""
    require_valid(recipe)
    if recipe.scaling is Scaling.AS_IN_PAPERS:
        raise RecipeError(
            "The sample mean and the largest length are known only at the end of a stream: choose "
            "public bounds, or load the whole table."
        )
    if recipe.names_persons:
        raise RecipeError(
            "Streaming treats every row as a different person: combine the rows of each person "
            "beforehand, as docs/large-data.md shows."
        )
    return recipe.coded_names


def centred_moment(
    source: Any,
    recipe: Recipe,
    budget: Budget,
    rng: np.random.Generator,
    *,
    reading: Reading = Reading.TOTAL,
    chunk_rows: int | None = None,
    on_progress: Callable[[Progress], bool | None] | None = None,
) -> tuple[Moments, Budget]:
    """Sum up about a private mean: two passes, as rows are shortened again once it is known.

    Parameters
    ----------
    source, recipe, reading, chunk_rows, on_progress
        As for ``second_moment``; a source that can be read only once will not do.
    budget
        Of everything: the recipe's ``mean_share`` of it pays for the mean.
    rng
        Randomness of the mean, kept secret.

    Returns
    -------
    tuple
        The sums, and the budget that remains for the mechanism.

    Raises
    ------
    RecipeError
        Where the recipe asks for no private mean, the source can be read only once or, in strict
        reading, it gave other rows the second time.
    """
    if recipe.scaling is not Scaling.PRIVATE_MEAN:
        raise RecipeError("The recipe asks for no private mean: use second_moment.")
    if isinstance(source, Iterator):
        raise RecipeError(
            "The source can be read only once, but two passes are needed: pass a list."
        )
    run = partial(
        second_moment,
        recipe=recipe,
        reading=reading,
        chunk_rows=chunk_rows,
        on_progress=on_progress,
    )
    mean_budget, mechanism_budget = budget.split(recipe.mean_share)
    first = run(source)
    mean = private_mean_of_sum(first.total, first.rows, mean_budget, rng)
    second = run(source, mean=mean)
    if reading is Reading.STRICT and second.rows != first.rows:
        raise RecipeError(
            "The source gave other rows in the second pass: use one that does not change."
        )
    return second, mechanism_budget
