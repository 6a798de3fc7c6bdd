"""The stored table of results beside an earlier, independent run of the same experiment.

    python -m benchmarks.frontier_compare

The earlier program shared no code with this one; its means are in ``frontier_earlier.csv``, with
the releases behind each. Its second look rescaled the axes even where the weakest direction seen
would gain less than a fifth, so those of few directions differ beyond error (``--worst`` lists
them).
"""

import argparse
import csv
from collections import defaultdict
from math import hypot, sqrt
from pathlib import Path

from benchmarks.frontier import stored

EARLIER = Path(__file__).with_name("frontier_earlier.csv")
KEY = ("data", "k", "rows", "mechanism", "settings", "epsilon")
BEYOND = 3.0
"""Standard errors from which on a difference counts."""
_ROUNDING = 5e-5 / sqrt(3)


def differences() -> dict[tuple[str, ...], tuple[float, float]]:
    """Return the difference of both means by cell, and the same in standard errors."""
    here = {tuple(str(row[name]) for name in KEY): row for row in stored()}
    found = {}
    with EARLIER.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = tuple(row[name] for name in KEY)
            if key not in here:
                continue
            error, trials = float(str(here[key]["error"])), int(str(here[key]["trials"]))
            other = error * sqrt(trials / int(row["trials"]))
            difference = float(str(here[key]["captured"])) - float(row["captured"])
            found[key] = difference, difference / hypot(error, other, _ROUNDING)
    return found


def main() -> None:
    """Print how many cells of each mechanism differ, and the largest differences."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worst", type=int, default=20)
    asked = parser.parse_args()
    found = differences()
    counts: dict[str, list[bool]] = defaultdict(list)
    for (_, _, rows, mechanism, settings, _), (_, errors) in found.items():
        counts[f"{mechanism} {settings} on rows {rows}"].append(abs(errors) > BEYOND)
    for name, beyond in counts.items():
        print(f"{name:60} {sum(beyond):3} of {len(beyond):3} beyond {BEYOND:g} standard errors")
    print()
    for key, (difference, errors) in sorted(found.items(), key=lambda kv: -abs(kv[1][1])):
        if abs(errors) > BEYOND and asked.worst > 0:
            asked.worst -= 1
            print(f"{' '.join(key):70} {difference:+.4f} {errors:+7.1f}")


if __name__ == "__main__":
    main()
