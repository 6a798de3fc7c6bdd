"""Important lines, each broken in one way; tests of the gate must fail for every one of them.

They stand in ``mutants.diff``.

    python -m tests.mutants                 all, each in a copy of the tree
    python -m tests.mutants gaussian clip   those with one of these words in their names

Outside the gate: it takes some minutes. A new mechanism, scale or step of a release adds its own.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.paths import ROOT

LEFT_OUT = (".git", ".venv", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache")


class Mutant(NamedTuple):
    """What is wrong, in which file, which text becomes which, and the tests that notice it."""

    name: str
    path: str
    right: str
    wrong: str
    killers: list[str]


def mutants():
    """Read ``mutants.diff``: a name, the file and its tests, then lines of − and +."""
    text = Path(__file__).with_suffix(".diff").read_text("utf-8")
    for block in text.split("\n\n"):
        name, place, *lines = block.splitlines()
        path, _, killers = place.strip().partition(": ")
        right, wrong = ("\n".join(x[1:] for x in lines if x[0] == sign) for sign in "-+")
        yield Mutant(name, path, right, wrong, killers.split())


def killed(mutant, tree):
    """Tell whether a test of the gate fails while the mutant is in the tree."""
    path = tree / mutant.path
    text = path.read_text("utf-8")
    assert text.count(mutant.right) == 1, f"{mutant.name}: the line is not there once"
    path.write_text(text.replace(mutant.right, mutant.wrong), "utf-8")
    command = [sys.executable, "-m", "pytest", "-qx", "-m", "not long", "-p", "no:cacheprovider"]
    try:
        run = subprocess.run(
            [*command, *(f"tests/{name}" for name in mutant.killers)],
            cwd=tree,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tree)},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        path.write_text(text, "utf-8")
    assert run.returncode in (0, 1), run.stdout[-2000:] + run.stderr[-2000:]
    return run.returncode == 1


def main(words):
    """Try each mutant, say which survive, and return how many."""
    alive = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
        for mutant in mutants():
            if words and not any(word in mutant.name.lower() for word in words):
                continue
            dead = killed(mutant, tree)
            alive += not dead
            print(f"{'killed' if dead else 'ALIVE '}  {mutant.name}", flush=True)
    print(f"{alive} alive")
    return alive


if __name__ == "__main__":
    sys.exit(min(main([word.lower() for word in sys.argv[1:]]), 1))
