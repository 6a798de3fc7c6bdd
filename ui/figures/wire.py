"""How a page's content goes to its component: JSON, in which arrays of numbers are packed.

Writing ten thousand numbers as decimals takes longer than computing them. An array goes as the
base64 of its single-precision numbers; ``received`` in mount.js and ``unpacked`` here undo it.
"""

import json
from base64 import b64decode, b64encode
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array

Numbers = list[float | None]
Singles = NDArray[np.float32]
_FIELD = "$float32"


def numbers(values: Array | None, digits: int = 4) -> Numbers | None:
    """Round for a text: significant digits, NaN as null."""
    if values is None:
        return None
    return [float(f"{v:.{digits}g}") if np.isfinite(v) else None for v in values.tolist()]


def singles(values: Array) -> Singles:
    """Seven digits of each number, of any shape; what is not finite becomes NaN."""
    out = np.asarray(values, dtype=np.float32)
    return np.where(np.isfinite(out), out, np.float32(np.nan))


def packed(content: dict[str, Any]) -> bytes:
    """Write content as JSON; its arrays must hold single-precision numbers."""
    return json.dumps(content, default=_pack, separators=(",", ":")).encode()


def unpacked(sent: bytes) -> dict[str, Any]:
    """Read what ``packed`` wrote: arrays become lists, NaN null, as the browser has them."""
    content: dict[str, Any] = json.loads(sent, object_hook=_unpack)
    return content


def _pack(value: Any) -> dict[str, Any]:
    if not (isinstance(value, np.ndarray) and value.dtype == np.float32):
        raise TypeError(f"{type(value).__name__} has no place in a page's content.")
    little = np.ascontiguousarray(value, dtype="<f4")
    return {_FIELD: b64encode(little.tobytes()).decode("ascii"), "shape": value.shape}


def _unpack(found: dict[str, Any]) -> Any:
    if _FIELD not in found:
        return found
    values = np.frombuffer(b64decode(found[_FIELD]), dtype="<f4").astype(object)
    values[values != values] = None
    return values.reshape(found["shape"]).tolist()
