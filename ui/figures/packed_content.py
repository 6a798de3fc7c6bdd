"""The wire format of a page's content: JSON in which arrays are packed as Plotly reads them.

Writing ten thousand numbers as decimals takes longer than computing them. An array is therefore
sent as the base64 text of its single-precision numbers, the form of typed arrays in Plotly's
figures, which Plotly reads.
"""

import json
import zlib
from base64 import b64decode, b64encode
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array

Float32Array = NDArray[np.float32]


def float32(values: Array) -> Float32Array:
    """Convert an array of any shape to single precision; infinite numbers become NaN."""
    out = np.asarray(values, dtype=np.float32)
    return np.where(np.isfinite(out), out, np.float32(np.nan))


def encode(content: dict[str, Any]) -> bytes:
    """Write content as JSON, compressed: a third of the bytes for two milliseconds.

    Raises
    ------
    TypeError
        For an array whose numbers are not in single precision.
    """
    text = json.dumps(content, default=_pack, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "replace"), level=1)


def decode(sent: bytes) -> dict[str, Any]:
    """Read what ``encode`` wrote: packed arrays become lists, and NaN null."""
    content: dict[str, Any] = json.loads(zlib.decompress(sent), object_hook=_unpack)
    return content


def _pack(value: Any) -> dict[str, Any]:
    if not (isinstance(value, np.ndarray) and value.dtype == np.float32):
        raise TypeError(f"A page's content may not hold a {type(value).__name__}.")
    little = np.ascontiguousarray(value, dtype="<f4")
    packed = {"dtype": "f4", "bdata": b64encode(little.tobytes()).decode("ascii")}
    if value.ndim > 1:
        packed["shape"] = ", ".join(map(str, value.shape))
    return packed


def _unpack(found: dict[str, Any]) -> Any:
    if "bdata" not in found:
        return found
    values = np.frombuffer(b64decode(found["bdata"]), dtype="<f4").astype(object)
    values[values != values] = None
    shape = [int(size) for size in found.get("shape", str(len(values))).split(",")]
    return values.reshape(shape).tolist()
