"""The top of a symmetric matrix by LAPACK, without holding the interpreter's lock.

Reduction to tridiagonal form, all eigenvalues of that, inverse iteration for the k eigenvectors
wanted, and their way back: for a small share of a hundred columns or more that takes about 0.7 of
the time of all eigenvectors. SciPy's own wrappers let no other thread run meanwhile; the function
pointers that it publishes for Cython, called through ctypes, do (``benchmarks/speed.py``).
"""

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.linalg import cython_lapack

from dpca_core.linalg import Array

_BLOCK = 64
_NEGLIGIBLE = 1e-14


@cache
def _routine(name: str) -> Callable[..., None]:
    """Return a LAPACK routine; all its arguments are pointers, its integers C ints."""
    capsule, api = dict(cython_lapack.__pyx_capi__)[name], ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    signature = api.PyCapsule_GetName(capsule)
    assert b"int *" in signature, signature
    pointers = [ctypes.c_void_p] * signature.count(b"*")
    return ctypes.CFUNCTYPE(None, *pointers)(api.PyCapsule_GetPointer(capsule, signature))


def top_eigenvectors(symmetric: Array, k: int) -> Array:
    """Eigenvectors (d, k) of the k largest eigenvalues of a matrix (d, d), largest first.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where LAPACK does not converge.
    """
    d = len(symmetric)
    a = np.array(symmetric, dtype=np.float64, order="F")
    diagonal, beside, turns, work = np.empty(d), np.empty(d), np.empty(d), np.empty(_BLOCK * d)
    size, length, failed = _int(d), _int(len(work)), _int(0)
    _routine("dsytrd")(
        b"L", _at(size), _of(a), _at(size), _of(diagonal), _of(beside), _of(turns), _of(work),
        _at(length), _at(failed),
    )  # fmt: skip
    scale = max(np.abs(diagonal).max(), np.abs(beside[:-1]).max(initial=0.0))
    if np.abs(beside[:-1]).min(initial=np.inf) <= _NEGLIGIBLE * scale:
        return np.asarray(np.linalg.eigh(symmetric)[1][:, : -k - 1 : -1])  # falls into blocks
    values, spare = diagonal.copy(), beside.copy()
    _routine("dsterf")(_at(size), _of(values), _of(spare), _at(failed))
    _require(failed)
    wanted, vectors, some = values[d - k :].copy(), np.empty((k, d)), _int(k)
    block, end = np.ones(d, dtype=np.intc), np.array([d], dtype=np.intc)
    whole, bad = np.empty(d, dtype=np.intc), np.empty(k, dtype=np.intc)
    _routine("dstein")(
        _at(size), _of(diagonal), _of(beside), _at(some), _of(wanted), _of(block), _of(end),
        _of(vectors), _at(size), _of(work), _of(whole), _of(bad), _at(failed),
    )  # fmt: skip
    _require(failed)
    _routine("dormtr")(
        b"L", b"L", b"N", _at(size), _at(some), _of(a), _at(size), _of(turns), _of(vectors),
        _at(size), _of(work), _at(length), _at(failed),
    )  # fmt: skip
    return vectors[::-1].T


_int, _at = ctypes.c_int, ctypes.byref


def _of(array: np.ndarray) -> int:
    return array.ctypes.data


def _require(failed: ctypes.c_int) -> None:
    if failed.value:
        raise np.linalg.LinAlgError(f"LAPACK did not converge (code {failed.value}).")
