"""Downloads of a card: its single releases beside what is printed, and a script that runs it."""

import csv
import io

from papers.comparison import is_printed
from ui.figures.downloads import NOT_PRIVATE, Download, Format, not_private_download
from ui.papers import text
from ui.papers.card import CardView
from ui.papers.measurements import printed_points

_SCRIPT = '''"""Runs a card of the Papers page again: {name}.

Run it in the project's folder, in the environment that `make run` sets up:

    .venv/bin/python {file} > again.csv
"""

import sys

from papers.card import Run
from papers.registry import BY_KEY

run = Run(BY_KEY["{key}"]{vary}, seed={seed}).finished()
print("# {mark}")
run.table.rows.to_csv(sys.stdout, index=False)
print(run.card.judged(run.whole), file=sys.stderr)
'''


def card_numbers(view: CardView) -> Download:
    """Return single releases and numbers on record as CSV, with their source.

    A number that is not ours has no trial; one that is not in the paper is no printed number.
    """
    one, results = view.card, view.results
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["series", "x", "trial", "value", "printed", "source"])
    for series, points in printed_points(one.key).items():
        for point in points:
            number = f"{point.value:g}"
            both = ["", number] if is_printed(point.read) else [number, ""]
            source = f"{point.page} ({point.read})"
            writer.writerow([series, f"{point.x:g}", "", *both, source])
    if results is not None:
        table = results.rows[["series", "x", "trial", "value"]]
        for key, x, trial, value in table.itertuples(index=False):
            writer.writerow([key, f"{x:g}", trial, f"{value:.9g}", "", text.OURS])
    return not_private_download(f"dpca-{one.key}.csv", out.getvalue(), Format.CSV)


def card_script(view: CardView, name: str, chosen: dict[str, float]) -> Download:
    """Return a script that makes the same table.

    Parameters
    ----------
    name
        Of the card.
    chosen
        Settings that are not as they are stored.
    """
    one = view.card
    file = f"dpca_{one.key.replace('-', '_')}.py"
    vary = f".vary(**{chosen!r})" if chosen else ""
    script = _SCRIPT.format(
        name=name, file=file, key=one.key, vary=vary, seed=view.seed, mark=NOT_PRIVATE
    )
    return not_private_download(file, script, Format.PYTHON)
