"""People as dots: one by one, a hundred guesses, and by how far each one turns the plane."""

from collections.abc import Sequence

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.text.privacy_numbers import GUESSES
from ui.learn.pictures.svg import coloured, dots, picture, text
from ui.page.markup import element

_ACCENT, _WIDTH = "accent", 1160.0


def people(count: int, marked: Sequence[int] | Array, label: str, *, columns: int) -> str:
    """Return SVG with one dot for each of ``count`` people, those ``marked`` in accent colour.

    Parameters
    ----------
    marked
        Their numbers, from 0.
    columns
        Dots of a row.
    """
    side = _WIDTH / columns
    radius = 0.36 * side
    places = [((i % columns + 0.5) * side, (i // columns + 0.5) * side) for i in range(count)]
    chosen = {int(i) for i in marked}
    rest = [place for i, place in enumerate(places) if i not in chosen]
    shown = [places[i] for i in sorted(chosen)]
    larger = max(radius, 4.0)
    parts = (dots(rest, radius, "var(--faint)", opacity="0.6"),
             coloured(_ACCENT, dots(shown, larger, "var(--role)")))  # fmt: skip
    return picture(_WIDTH, -(-count // columns) * side, label, *parts)


def hundred(grey: int, gained: int, label: str) -> str:
    """Return SVG with 100 dots: right by a coin in grey, gained ones in accent, the rest hollow."""
    across, side = 25, 34.0
    places = [((i % across + 0.5) * side, (i // across + 0.5) * side) for i in range(GUESSES)]
    radius = 12.0
    rest = [
        element("circle", cx=f"{x:g}", cy=f"{y:g}", r=radius, fill="none", stroke="var(--faint)")
        for x, y in places[grey + gained :]
    ]
    return picture(
        across * side,
        GUESSES / across * side,
        label,
        dots(places[:grey], radius, "var(--faint)"),
        coloured(_ACCENT, dots(places[grey : grey + gained], radius, "var(--role)")),
        *rest,
    )


def turned_people(angles: Array, label: str, *, wide: bool = False) -> str:
    """Return SVG with one dot a person, piled up along an axis of angles in degrees.

    Parameters
    ----------
    wide
        For a picture that has the whole width of a page.
    """
    width, height, size = (1160.0, 240.0, 16.0) if wide else (580.0, 200.0, 18.5)
    bins, abreast = (110, 2) if wide else (45, 5)
    low, high = float(angles.min()), float(angles.max())
    side = width / bins
    across = side / (abreast + 0.5)
    place = np.clip(((angles - low) / (high - low) * bins).astype(int), 0, bins - 1)
    rows = -(-int(np.bincount(place).max()) // abreast)
    step = min(across, (height - 6) / rows)
    found, filled = [], np.zeros(bins, dtype=int)
    for column in place:
        row, beside = divmod(int(filled[column]), abreast)
        found.append((column * side + (beside + 0.75) * across, height - (row + 0.6) * step))
        filled[column] += 1
    marks = [element("path", d=f"M0 {height:g}H{width:g}", stroke="currentColor")]
    for tick in _ticks(high):
        x = (tick - low) / (high - low) * width
        marks.append(element("path", d=f"M{x:.1f} {height:g}v6", stroke="currentColor"))
        marks.append(text(x, height + 26, f"{tick:g}°", size, text_anchor="middle"))
    drawn = coloured(_ACCENT, dots(found, 0.44 * min(across, step), "var(--role)"))
    return picture(width, height + 36, label, drawn, *marks)


def _ticks(high: float) -> list[float]:
    """Return about five round numbers up to ``high``, without 0."""
    unit = 10.0 ** np.floor(np.log10(high / 2))
    step = next(m * unit for m in (1, 2, 5, 10) if high / (m * unit) <= 8)
    return [round(float(i * step), 12) for i in range(1, int(high / step) + 1)]
