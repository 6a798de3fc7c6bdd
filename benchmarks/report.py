"""What all benchmarks share: their options, a line of their report, and what a process holds."""

import argparse
from pathlib import Path

import numpy as np


def options(doc: str, **numbers: float) -> argparse.Namespace:
    """Read options that are numbers, by their names and defaults; ``doc`` begins with the help."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


def line(label: str, values: list[float], unit: str = "ms") -> str:
    """Return a row of a report: the median and what 19 of 20 keep to."""
    if not values:
        return f"{label:<46} none"
    median, p95 = np.quantile(values, [0.5, 0.95])
    return f"{label:<46} median {median:7.1f} {unit}   p95 {p95:7.1f} {unit}   n = {len(values)}"


def megabytes(what: str, pid: int | str = "self") -> float:
    """Return the memory that a process has in RAM (VmRSS), or has had at most (VmHWM)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition(f"{what}:")[2].split()[0]) / 1024
