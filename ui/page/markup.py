"""Markup that Python writes for the browser: whatever text stands in it is escaped here."""

import re
from base64 import b64encode
from html import escape
from io import BytesIO

import numpy as np
from PIL import Image

from dpca_core.figures.colours import palette
from dpca_core.linalg.arrays import Array
from dpca_core.text.privacy_numbers import with_subscripts

POSITIVE, NEGATIVE = (214, 128, 36), (120, 102, 214)
"""Colours of signed numbers in images, on light and dark pages alike."""
LEAST_SIDE = 128
"""Pixels: small images are enlarged, so that no program smooths their cells."""

_NO_NAME = re.compile(r"\W")
"""What no property's name may hold."""
_MARKS = re.compile(r"\*\*([^*]+)\*\*|\[\[([^\]]+)\]\]")


def element(tag: str, *children: str, **attributes: object) -> str:
    """Return an element around markup; True is an attribute without a value, None is none.

    ``data_part`` is written ``data-part``, ``class_`` ``class``.
    """
    names = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    written = "".join(
        f" {name}" if value is True else f' {name}="{escape(str(value))}"'
        for name, value in names.items()
        if value is not None
    )
    return f"<{tag}{written}>{''.join(children)}</{tag}>"


def sentence(text: str) -> str:
    """Return a sentence with its ``**bold**`` and ``[[accented]]`` words as elements."""
    marked = with_subscripts(escape(text))
    return _MARKS.sub(lambda m: f"<b>{m[1]}</b>" if m[1] else f"<em>{m[2]}</em>", marked)


def button(text: str, **attributes: object) -> str:
    """Return a button with a text."""
    attributes = {"type": "button", "class_": "dpca-button"} | attributes
    return element("button", escape(text), **attributes)


def palette_style() -> str:
    """Return a style sheet in which each role of a colour is a property, in both themes."""
    declarations = " ".join(
        f"--{_NO_NAME.sub('-', role)}: light-dark({light}, {dark});"
        for role, (light, dark) in palette().items()
    )
    return f".dpca {{ {declarations} }}"


def role_style(role: str) -> str:
    """Return the declarations of the colours of a role: ``--role``, and ``--text`` for words."""
    name = _NO_NAME.sub("-", role)
    return f"--role: var(--{name}); --text: var(--{name}-text)"


def signed_image(values: Array, most: float) -> str:
    """Return the address ``data:image/png`` of an image (rows, columns) of signed numbers.

    Orange positive, violet negative, transparent at 0, and not at all from magnitude ``most`` on.
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
