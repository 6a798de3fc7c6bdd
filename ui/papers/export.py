"""Downloads of a card: its single releases beside what is printed, and a script that runs it."""

import csv
import io

from papers.comparison import is_printed
from ui.page.files import NOT_PRIVATE, marked_text
from ui.papers import text
from ui.papers.stored import printed_points
from ui.papers.words import CardView

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


def numbers_csv(view: CardView) -> str:
    """Return single releases and numbers on record as CSV, with their source.

    A number that is not ours has no trial; one that is not in the paper is no printed number.
    """
    one, out = view.card, io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["series", "x", "trial", "value", "printed", "source"])
    for series, points in printed_points(one.key).items():
        for point in points:
            number = f"{point.value:g}"
            both = ["", number] if is_printed(point.read) else [number, ""]
            source = f"{point.page} ({point.read})"
            writer.writerow([series, f"{point.x:g}", "", *both, source])
    if view.results is not None:
        table = view.results.rows[["series", "x", "trial", "value"]]
        for key, x, trial, value in table.itertuples(index=False):
            writer.writerow([key, f"{x:g}", trial, f"{value:.9g}", "", text.OURS])
    return marked_text(out.getvalue())


def script(view: CardView, chosen: dict[str, float]) -> tuple[str, str]:
    """Return the name and text of a script that makes the same table.

    Parameters
    ----------
    chosen
        Settings that are not as they are stored.
    """
    one = view.card
    file = f"dpca_{one.key.replace('-', '_')}.py"
    vary = f".vary(**{chosen!r})" if chosen else ""
    name = text.full_name(one)
    says = {"name": name, "file": file, "vary": vary, "mark": NOT_PRIVATE}
    return file, marked_text(_SCRIPT.format(key=one.key, seed=view.seed, **says))
