"""The tables of a release as CSV files: whole numbers as drawn, and what is read off them.

Each is a function of the plan and of the released tables alone. Names of columns are quoted, and
nothing in them opens a formula in a spreadsheet. Numbers that are read off are written with nine
digits, so that libraries whose last digits differ write the same file.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from math import isnan

from dpca_core.release.drawn import Drawn
from dpca_core.release.matrix_reading import MatrixReading
from dpca_core.release.means_reading import MeansReading, scale_of_means
from dpca_core.release.plan import Part, PartName, Plan
from dpca_core.release.scores_reading import ScoresReading
from dpca_core.text.spreadsheets import neutralise_formulas

MATRIX, MEANS, SCORES = "matrix.csv", "means.csv", "scores.csv"
FILE_OF = {PartName.MATRIX: MATRIX, PartName.MEANS: MEANS, PartName.SCORES: SCORES}
"""The file with the whole numbers of each part."""
PRACTICE = "PRACTICE on built-in data: nothing is protected"
_ROWS = "number of rows"


def release_files(plan: Plan, drawn: Drawn) -> dict[str, bytes]:
    """Return the CSV files of a release by their names."""
    parts = {part.name: part for part in plan.parts}
    reading = MatrixReading.of(plan, drawn)
    found = {
        MATRIX: _matrix(plan, drawn, parts[PartName.MATRIX]),
        "directions.csv": _directions(plan, reading),
        "spectrum.csv": _spectrum(plan, reading),
    }
    if drawn.means is not None:
        found[MEANS] = _means(plan, drawn, parts[PartName.MEANS])
    if drawn.counts is not None:
        found[SCORES] = _scores(plan, drawn, parts[PartName.SCORES])
    return found


def _matrix(plan: Plan, drawn: Drawn, part: Part) -> bytes:
    said = [f"Whole numbers; 1 is {part.grid_unit} of a person of norm 1."]
    head = ["column", *plan.columns]
    rows = ([name, *map(int, row)] for name, row in zip(plan.columns, drawn.matrix, strict=True))
    return _table(plan, said, head, rows)


def _directions(plan: Plan, reading: MatrixReading) -> bytes:
    said = ["Directions of the released matrix, largest first; each has length 1."]
    basis = reading.directions(plan.k)
    rows = ([name, *map(_text, row)] for name, row in zip(plan.columns, basis, strict=True))
    return _table(plan, said, ["column", *_numbered("direction", plan.k)], rows)


def _spectrum(plan: Plan, reading: MatrixReading) -> bytes:
    found = reading.spectrum
    said = ["In people. Empty where no interval is shown."]
    if not isnan(found.band):
        said.append(
            f"All eigenvalues at once are within {_text(found.band)} of the released ones, with "
            "95 % confidence."
        )
    rows = (
        [i + 1, *map(_text, (value, found.values[i], found.low[i], found.high[i]))]
        for i, value in enumerate(reading.eigenvalues)
    )
    return _table(plan, said, ["number", "released", "corrected", "low", "high"], rows)


def _means(plan: Plan, drawn: Drawn, part: Part) -> bytes:
    assert drawn.means is not None
    read = MeansReading.of(plan, drawn)
    said = [
        f"Sums are whole numbers; 1 is {part.grid_unit} of a row. Means stand with the half-width "
        "of a 95 % interval; they are empty where the number of rows is too noisy.",
        scale_of_means(plan),
    ]
    rows: list[list[object]] = [
        [name, int(total), _text(value), _text(half)]
        for name, total, value, half in zip(
            plan.columns, drawn.means[:-1], read.values, read.halves, strict=True
        )
    ]
    rows.append([_ROWS, int(drawn.means[-1]), "", ""])
    return _table(plan, said, ["column", "sum", "mean", "plus_or_minus"], rows)


def _scores(plan: Plan, drawn: Drawn, part: Part) -> bytes:
    assert drawn.counts is not None
    read = ScoresReading.of(plan, drawn)
    across, up = (list(map(_text, edges)) for edges in read.edges)
    said = [
        f"Counts are whole numbers; 1 is {part.grid_unit} of a row. Bins are along the first two "
        "directions; the outermost hold all that lies beyond."
    ]
    head = ["first_from", "first_to", "second_from", "second_to", "count"]
    rows = (
        [across[i], across[i + 1], up[j], up[j + 1], int(drawn.counts[i, j])]
        for i in range(drawn.counts.shape[0])
        for j in range(drawn.counts.shape[1])
    )
    return _table(plan, said, head, rows)


def _table(
    plan: Plan, said: Sequence[str], head: Sequence[str], rows: Iterable[Sequence[object]]
) -> bytes:
    """Write comments, a header and rows; texts are quoted, numbers are not."""
    out = io.StringIO()
    if plan.practice:
        out.write(f"# {PRACTICE}\n")
    for line in (*said, "What it promises and how it was made: certificate.json"):
        out.write(f"# {line}\n")
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    writer.writerow([neutralise_formulas(name) for name in head])
    for first, *numbers in rows:
        writer.writerow([_named(first), *numbers])
    return out.getvalue().encode("utf-8")


def _named(cell: object) -> object:
    """Return the first cell of a row; no formula, and no comment, where it is a column's name."""
    if not isinstance(cell, str) or _is_number(cell):
        return cell
    name = neutralise_formulas(cell)
    return f"'{name}" if name.startswith("#") else name


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _text(value: float) -> str:
    """Write a number with nine digits; nothing for one that is not shown."""
    return "" if isnan(value) else f"{value:.9g}"


def _numbered(word: str, count: int) -> list[str]:
    return [f"{word}_{i + 1}" for i in range(count)]
