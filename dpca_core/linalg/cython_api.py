"""BLAS and LAPACK without holding the interpreter's lock.

SciPy's own wrappers hold it; the function pointers that SciPy publishes for Cython do not when they
are called through ctypes (``benchmarks/speed.py``, ``benchmarks/ingest.py``).
"""

import ctypes
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Literal


@cache
def routine(library: Literal["blas", "lapack"], name: str) -> Callable[..., None]:
    """Return a routine of ``scipy.linalg.cython_blas`` or ``cython_lapack``.

    All its arguments are pointers, to what must outlive the call; its integers are C ints.
    """
    module = import_module(f"scipy.linalg.cython_{library}")
    capsule, api = dict(vars(module)["__pyx_capi__"])[name], ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    signature = api.PyCapsule_GetName(capsule)
    assert b"int *" in signature, signature
    arguments = [ctypes.c_void_p] * signature.count(b"*")
    return ctypes.CFUNCTYPE(None, *arguments)(api.PyCapsule_GetPointer(capsule, signature))
