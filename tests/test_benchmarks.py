"""Each benchmark runs: one move of it ends well and measures something."""

import re
import subprocess
import sys

import pytest

from tests.paths import ROOT

MOVES = {
    "kernels": ["exact", "--repeats", "1"],
    "ingest": ["--rows", "60000", "--repeats", "1"],
    "latency": ["--runs", "1", "--moves", "1"],
    "load": ["--sessions", "2", "--seconds", "3"],
    "frontier": ["--data", "wine", "--trials", "2"],
}


@pytest.mark.long("servers, browsers and files of their own")
@pytest.mark.parametrize("name", MOVES)
def test_one_move_of_a_benchmark_ends_well_and_measures_something(name):
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *MOVES[name]],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    numbers = re.findall(r"(\d+\.\d+)(?: (?:ms|s|MB)|,)", done.stdout)
    assert numbers, done.stdout
    assert max(map(float, numbers)) > 0


def test_every_benchmark_is_run_by_a_test():
    there = {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
    assert there - {"__init__", "report"} == MOVES.keys()
