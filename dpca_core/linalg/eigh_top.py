"""The k largest eigenvectors of many symmetric matrices, without the interpreter's lock.

LAPACK's steps one by one: tridiagonal forms, their eigenvalues, inverse iteration, and back.
SciPy's wrappers hold the lock and find eigenvalues to the last digit; here whoever needs less says
so, and those of many matrices are found at once (``benchmarks/kernels.py``).
"""

import ctypes
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import AnyFloats, Array

WORK_COLUMNS = 8
"""Columns that LAPACK reduces at a time."""
MANY = 300
"""Eigenvalues wanted from which on bisection of all together is faster than QR of each form."""
_UPPER, _LEFT, _PLAIN = (ctypes.c_char_p(letter) for letter in (b"U", b"L", b"N"))


class Top(NamedTuple):
    """Eigenvalues (N, k) and eigenvectors (N, k, d) as rows, the largest first."""

    values: AnyFloats
    rows: AnyFloats


def eigh_top(matrices: AnyFloats, k: int, tolerances: Array | None = None) -> Top:
    """Find the k largest eigenvalues of symmetric matrices, and their eigenvectors.

    Matrices (N, d, d) are contiguous, of single or double precision, and are used up. Eigenvalues
    may err by ``tolerances`` (N,), None for rounding alone: inverse iteration makes eigenvectors
    much more exact, unless two eigenvalues are as near to each other.
    """
    (count, d, _), real = matrices.shape, matrices.dtype
    letter = "s" if real == np.float32 else "d"
    diagonals = np.diagonal(matrices, axis1=1, axis2=2).copy()
    diagonal, beside, reflections = np.empty((3, count, d), real)
    rows, work = np.empty((count, k, d), real), np.empty(max(WORK_COLUMNS, 5) * d, real)
    # One block that ends at the last row.
    block, last_row, integers, failed = np.ones((4, d), np.intc)
    last_row[0] = d
    size, wanted, work_size = (np.array([v], np.intc) for v in (d, k, len(work)))
    info = np.zeros(count, np.intc)
    n, m, at_size, at_work = map(_same, (size, wanted, work_size, work))

    _each_in_turn(
        f"{letter}sytrd", repeat(_UPPER), n, _each(matrices), n, _each(diagonal), _each(beside),
        _each(reflections), at_work, at_size, _each(info),
    )  # fmt: skip
    if tolerances is None or count * k < MANY:
        values, off = diagonal.copy(), beside.copy()
        _each_in_turn(f"{letter}sterf", n, _each(values), _each(off), _each(info))
        values = np.ascontiguousarray(values[:, d - k :])
    else:
        values = bisected(diagonal, beside[:, :-1], k, tolerances)
    _each_in_turn(
        f"{letter}stein", n, _each(diagonal), _each(beside), m, _each(values), _same(block),
        _same(last_row), _each(rows), n, at_work, _same(integers), _same(failed), _each(info),
    )  # fmt: skip
    bad = (info != 0) | _falls_into_blocks(diagonal, beside[:, :-1])
    _each_in_turn(
        f"{letter}ormtr", repeat(_LEFT), repeat(_UPPER), repeat(_PLAIN), n, m, _each(matrices), n,
        _each(reflections), _each(rows), n, at_work, at_size, _each(info),
    )  # fmt: skip
    for i in np.flatnonzero(bad):
        # LAPACK leaves the other triangle as it was.
        upper = np.triu(matrices[i], 1)
        all_values, vectors = np.linalg.eigh(upper + upper.T + np.diag(diagonals[i]))
        values[i], rows[i] = all_values[d - k :], vectors[:, d - k :].T
    return Top(values[:, ::-1], rows[:, ::-1])


def bisected(diagonal: AnyFloats, beside: AnyFloats, k: int, tolerances: Array) -> AnyFloats:
    """The k largest eigenvalues (N, k), ascending, of tridiagonal forms (N, d) and (N, d − 1).

    By the signs of the pivots of T − x, for all of them at once.
    """
    (count, d), real = diagonal.shape, diagonal.dtype
    size = np.abs(diagonal).max(axis=1) + 2 * np.abs(beside).max(axis=1)
    squares = np.maximum(np.square(beside), np.finfo(real).tiny)
    # An entry of all forms lies side by side, k times: all steps go from one entry to the next.
    entries, squares = np.tile(diagonal.T, (1, k)), np.tile(squares.T, (1, k))
    most = np.repeat(np.arange(d - k, d), count)
    high = np.tile(size, k)
    low, part, pivots = -high, np.empty_like(high), np.empty_like(entries)
    least = np.maximum(tolerances, np.finfo(real).eps * size)
    with np.errstate(divide="ignore", over="ignore"):
        for _ in range(int(np.ceil(np.log2(2 * size / least).max(initial=0)))):
            middle = (low + high) / 2
            np.subtract(entries, middle, out=pivots)
            for before, square, pivot in zip(pivots[:-1], squares, pivots[1:], strict=True):
                np.divide(square, before, out=part)
                np.subtract(pivot, part, out=pivot)
            above = np.signbit(pivots).sum(axis=0, dtype=np.int32) > most
            high, low = np.where(above, middle, high), np.where(above, low, middle)
    return np.ascontiguousarray(((low + high) / 2).reshape(k, count).T)


def _falls_into_blocks(diagonal: AnyFloats, beside: AnyFloats) -> NDArray[np.bool_]:
    """Tell of which forms inverse iteration may find one vector twice."""
    rounding = np.finfo(diagonal.dtype).eps * np.abs(diagonal).max(axis=1)
    return np.asarray(~(np.abs(beside).min(axis=1) > rounding))


@cache
def _lapack(name: str) -> Callable[..., None]:
    """Return a routine of LAPACK: the pointer that SciPy has for Cython, which holds no lock.

    All its arguments are pointers, to what must outlive the call; its integers are C ints.
    """
    routines = vars(import_module("scipy.linalg.cython_lapack"))["__pyx_capi__"]
    capsule, api = dict(routines)[name], ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    signature = api.PyCapsule_GetName(capsule)
    assert b"int *" in signature, signature
    arguments = [ctypes.c_void_p] * signature.count(b"*")
    return ctypes.CFUNCTYPE(None, *arguments)(api.PyCapsule_GetPointer(capsule, signature))


def _each_in_turn(name: str, *arguments: Iterable[Any]) -> None:
    """Call a routine of LAPACK once for each matrix."""
    solve = _lapack(name)
    for given in zip(*arguments, strict=False):
        solve(*given)


def _each(stack: np.ndarray) -> range:
    """Addresses of what belongs to each matrix."""
    start = stack.ctypes.data
    return range(start, start + stack.nbytes, stack.strides[0])


def _same(array: np.ndarray) -> Iterable[Any]:
    """One address for all, of an array that outlives the calls."""
    return repeat(array.ctypes.data)
