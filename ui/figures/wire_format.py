"""The wire format of a page's content: JSON in which arrays of numbers are packed as base64.

Writing ten thousand numbers as decimals takes longer than computing them. An array is therefore
sent as the base64 text of its single-precision numbers, which static/charts/content.js unpacks.
"""

import json
from base64 import b64decode, b64encode
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array

Float32Array = NDArray[np.float32]
_FIELD = "$float32"


def rounded(values: Array | None, digits: int = 4) -> list[float | None] | None:
    """Round numbers that are sent as decimals to significant digits; NaN becomes null."""
    if values is None:
        return None
    return [float(f"{v:.{digits}g}") if np.isfinite(v) else None for v in values.tolist()]


def float32(values: Array) -> Float32Array:
    """Convert an array of any shape to single precision; infinite numbers become NaN."""
    out = np.asarray(values, dtype=np.float32)
    return np.where(np.isfinite(out), out, np.float32(np.nan))


def encode(content: dict[str, Any]) -> bytes:
    """Write content as JSON.

    Raises
    ------
    TypeError
        For an array whose numbers are not in single precision.
    """
    return json.dumps(content, default=_pack, separators=(",", ":")).encode()


def decode(sent: bytes) -> dict[str, Any]:
    """Read what ``encode`` wrote: arrays become lists and NaN null, as in the browser."""
    content: dict[str, Any] = json.loads(sent, object_hook=_unpack)
    return content


def _pack(value: Any) -> dict[str, Any]:
    if not (isinstance(value, np.ndarray) and value.dtype == np.float32):
        raise TypeError(f"A page's content may not hold a {type(value).__name__}.")
    little = np.ascontiguousarray(value, dtype="<f4")
    return {_FIELD: b64encode(little.tobytes()).decode("ascii"), "shape": value.shape}


def _unpack(found: dict[str, Any]) -> Any:
    if _FIELD not in found:
        return found
    values = np.frombuffer(b64decode(found[_FIELD]), dtype="<f4").astype(object)
    values[values != values] = None
    return values.reshape(found["shape"]).tolist()
