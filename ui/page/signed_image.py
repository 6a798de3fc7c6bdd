"""Arrays of signed numbers as images: orange positive, violet negative, transparent at 0."""

from base64 import b64encode
from io import BytesIO

import numpy as np
from PIL import Image

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
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode('ascii')}"
