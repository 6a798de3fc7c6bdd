"""How long a lesson takes to open on the server: measured and packed, for a seed not asked yet.

Run it alone: ``python -m benchmarks.learn``. The first opening of all pays for what does not depend
on the seed, such as reading the data; the others are what a class waits for.
"""

from statistics import median
from time import perf_counter

from ui.figures.packed_content import encode
from ui.learn.content import lesson_content
from ui.learn.query import LearnSettings
from ui.learn.registry import LESSONS
from ui.state.shared_address import SharedAddress

MOST_MS = 150.0
SEEDS = range(1, 8)
NOWHERE = SharedAddress(None, "", "")


def milliseconds(settings: LearnSettings) -> float:
    """Return how long a lesson's content takes, until it can be sent."""
    start = perf_counter()
    encode(lesson_content(settings, (), NOWHERE))
    return 1000 * (perf_counter() - start)


def main() -> None:
    """Print the first opening, the median of others with a new seed, and one that is kept."""
    print(f"{'lesson':10} {'first':>7} {'new seed':>9} {'again':>6}  ms")
    for key in LESSONS:
        first = milliseconds(LearnSettings(key))
        fresh = median(milliseconds(LearnSettings(key, seed=seed)) for seed in SEEDS)
        kept = milliseconds(LearnSettings(key, seed=SEEDS[-1]))
        late = "" if fresh <= MOST_MS else f"  above {MOST_MS:.0f}"
        print(f"{key:10} {first:7.0f} {fresh:9.0f} {kept:6.1f}{late}")


if __name__ == "__main__":
    main()
