"""An address as a QR code, which a telephone's camera reads."""

from functools import lru_cache

import segno

NAME = "QR code of this address"
"""What a screen reader says."""

QUIET_ZONE = 4
"""White modules around a code, as ISO/IEC 18004 (section 9.1) asks for."""

KEPT_CODES = 64
"""Codes kept: a page shows the same one many times."""


@lru_cache(maxsize=KEPT_CODES)
def qr_code(address: str) -> str:
    """Return a QR code as SVG markup, black on white in every theme, as wide as its place.

    Its level of error correction, M, restores a code of which 15 % cannot be read.

    Parameters
    ----------
    address
        A whole address; one of 35 letters takes 29 modules a side, one of 135 takes 49.
    """
    code = segno.make_qr(address, error="m")
    markup = code.svg_inline(
        dark="#000", light="#fff", border=QUIET_ZONE, omitsize=True, svgclass="dpca-qr"
    )
    return str(markup).replace("<svg ", f'<svg role="img" aria-label="{NAME}" ', 1)
