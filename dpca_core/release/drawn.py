"""The released tables of whole numbers, and the bytes in which the ledger keeps them."""

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpca_core.data.column_names import MAX_COLUMNS

Whole = NDArray[np.int64]

MOST_BINS = 50
"""Of a histogram of scores, each way."""
_MAGIC = b"dpca-drawn/1\n"
_NUMBER = np.dtype("<i8")


class DrawnError(ValueError):
    """Bytes that are no released tables; the message is one sentence."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Released tables, each with its noise, in grid units.

    Attributes
    ----------
    matrix
        (d, d), symmetric.
    means
        (d + 1,): sums of the columns, and the number of rows; None where they are not published.
    counts
        (b₁, b₂) of the histogram of scores; None where it is not published.
    """

    matrix: Whole
    means: Whole | None = None
    counts: Whole | None = None


def to_bytes(drawn: Drawn) -> bytes:
    """Write tables: the same bytes for the same numbers.

    A line with the format, one of JSON with sizes, then 64-bit numbers, little endian: the upper
    triangle of the matrix row by row, the means, the counts row by row.

    Raises
    ------
    ValueError
        For a matrix that is not square and symmetric, and for shapes that do not belong together.
    """
    d = len(drawn.matrix)
    if drawn.matrix.shape != (d, d) or not np.array_equal(drawn.matrix, drawn.matrix.T):
        raise ValueError("The matrix must be square and symmetric.")
    sizes = {
        "columns": d,
        "means": drawn.means is not None,
        "bins": None if drawn.counts is None else list(drawn.counts.shape),
    }
    tables = [drawn.matrix[np.triu_indices(d)]]
    if drawn.means is not None:
        if drawn.means.shape != (d + 1,):
            raise ValueError("The means must be d + 1 numbers.")
        tables.append(drawn.means)
    if drawn.counts is not None:
        if drawn.counts.ndim != 2:
            raise ValueError("The counts must be a table of two directions.")
        tables.append(drawn.counts.reshape(-1))
    header = json.dumps(sizes, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    return _MAGIC + header + b"".join(_numbers(table) for table in tables)


def from_bytes(content: bytes) -> Drawn:
    """Read tables that ``to_bytes`` wrote.

    Raises
    ------
    DrawnError
        For anything else.
    """
    try:
        return _read(content)
    except (KeyError, TypeError, ValueError, RecursionError):
        raise DrawnError("The stored result is damaged: it holds no released tables.") from None


def _read(content: bytes) -> Drawn:
    if not content.startswith(_MAGIC):
        raise ValueError
    header, _, body = content[len(_MAGIC) :].partition(b"\n")
    sizes = json.loads(header)
    d, bins = sizes["columns"], sizes["bins"]
    if not (isinstance(d, int) and 1 <= d <= MAX_COLUMNS and isinstance(sizes["means"], bool)):
        raise ValueError
    across, up = (0, 0) if bins is None else bins
    if not all(isinstance(b, int) and 0 <= b <= MOST_BINS for b in (across, up)):
        raise ValueError
    triangle, means = d * (d + 1) // 2, (d + 1) * sizes["means"]
    if len(body) != 8 * (triangle + means + across * up):
        raise ValueError
    numbers = np.frombuffer(body, dtype=_NUMBER).astype(np.int64)
    matrix = np.zeros((d, d), dtype=np.int64)
    matrix[np.triu_indices(d)] = numbers[:triangle]
    matrix = np.where(np.tri(d, k=-1, dtype=bool), matrix.T, matrix)
    drawn = Drawn(
        matrix,
        numbers[triangle : triangle + means] if sizes["means"] else None,
        None if bins is None else numbers[triangle + means :].reshape(across, up),
    )
    if to_bytes(drawn) != content:
        raise ValueError
    return drawn


def _numbers(table: Whole) -> bytes:
    if table.dtype != np.int64:
        raise ValueError("Released tables hold 64-bit whole numbers.")
    return table.astype(_NUMBER).tobytes()
