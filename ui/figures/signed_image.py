"""Arrays of signed numbers as images: orange positive, violet negative, transparent at 0."""

import struct
import zlib
from base64 import b64encode

import numpy as np

from dpca_core.linalg.arrays import Array

POSITIVE, NEGATIVE = (214, 128, 36), (120, 102, 214)
"""On light and dark pages alike."""
LEAST_SIDE = 128
"""Pixels: small images are enlarged, so that no program smooths their cells."""


def signed_image(values: Array, most: float) -> str:
    """Return the address ``data:image/png`` of an image (rows, columns).

    Parameters
    ----------
    most
        The magnitude that is shown without transparency.
    """
    image = np.asarray(values, dtype=float)
    times = max(1, -(-LEAST_SIDE // max(image.shape)))
    image = image.repeat(times, axis=0).repeat(times, axis=1)
    pixels = np.empty((*image.shape, 4), dtype=np.uint8)
    pixels[..., :3] = np.where((image >= 0)[..., None], POSITIVE, NEGATIVE)
    pixels[..., 3] = np.rint(255 * np.minimum(np.abs(image) / most, 1))
    return f"data:image/png;base64,{b64encode(_png(pixels)).decode('ascii')}"


def _png(pixels: np.ndarray) -> bytes:
    """Write pixels (rows, columns, 4) as a file of the PNG standard, each row unfiltered."""
    rows, columns, channels = pixels.shape
    lines = np.zeros((rows, 1 + columns * channels), dtype=np.uint8)
    lines[:, 1:] = pixels.reshape(rows, -1)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)
