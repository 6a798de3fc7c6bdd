"""Processor time that importing the library costs over ``import numpy``.

    python -m benchmarks.import_cost dpca_core.simulation.sweep scipy.special

The best of six runs, each in an interpreter of its own. The aim is 0.5 s.
"""

import argparse
import subprocess
import sys

RUNS = 6
CODE = """
import importlib, sys, time
import numpy
start = time.process_time()
importlib.import_module(sys.argv[1])
print(time.process_time() - start)
"""


def seconds(module: str) -> float:
    """Return the seconds of processor time that one import takes once NumPy is there."""
    command = [sys.executable, "-c", CODE, module]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(found.stdout)


def main() -> None:
    """Print the best run for each module."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "modules",
        nargs="*",
        default=["dpca_core.simulation.sweep", "scipy.special", "scipy.optimize"],
    )
    for module in parser.parse_args().modules:
        runs = [seconds(module) for _ in range(RUNS)]
        print(f"{module:<24} {min(runs):.3f} s over NumPy (worst of {RUNS}: {max(runs):.3f} s)")


if __name__ == "__main__":
    main()
