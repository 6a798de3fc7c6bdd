"""The top of a symmetric matrix by LAPACK's dsyevr, without holding the interpreter's lock.

Between d = 50 and a thousand, a few eigenvectors cost about half of all of them. SciPy's own
wrapper of the same routine lets no other thread run meanwhile; the function pointer that it
publishes for Cython, called through ctypes, does (``benchmarks/speed.py`` measures both).
"""

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.linalg import cython_lapack

from dpca_core.linalg import Array

_WORK, _WHOLE = 40, 10


@cache
def _dsyevr() -> Callable[..., None]:
    """Return the routine, whose integers must be C ints."""
    capsule, api = cython_lapack.__pyx_capi__["dsyevr"], ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    name = api.PyCapsule_GetName(capsule)
    assert name.count(b"int *") == 11, name
    pointer = api.PyCapsule_GetPointer(capsule, name)
    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 21)(pointer)


def top_eigenvectors(symmetric: Array, k: int) -> Array:
    """Eigenvectors (d, k) of the k largest eigenvalues of a matrix (d, d), largest first.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where LAPACK does not converge.
    """
    d = len(symmetric)
    a = np.array(symmetric, dtype=np.float64, order="F")
    values, vectors = np.empty(d), np.empty((k, d))
    support, whole = np.empty(2 * d, dtype=np.intc), np.empty(_WHOLE * d, dtype=np.intc)
    work = np.empty(_WORK * d)
    size, first, last = (ctypes.c_int(v) for v in (d, d - k + 1, d))
    found, failed = ctypes.c_int(0), ctypes.c_int(0)
    length, length_whole = ctypes.c_int(len(work)), ctypes.c_int(len(whole))
    nothing, at = ctypes.c_double(0.0), ctypes.byref
    _dsyevr()(
        ctypes.c_char_p(b"V"), ctypes.c_char_p(b"I"), ctypes.c_char_p(b"L"), at(size),
        a.ctypes.data, at(size), at(nothing), at(nothing), at(first), at(last), at(nothing),
        at(found), values.ctypes.data, vectors.ctypes.data, at(size), support.ctypes.data,
        work.ctypes.data, at(length), whole.ctypes.data, at(length_whole), at(failed),
    )  # fmt: skip
    if failed.value or found.value != k:
        raise np.linalg.LinAlgError(f"dsyevr found {found.value} of {k} (code {failed.value}).")
    return vectors[::-1].T
