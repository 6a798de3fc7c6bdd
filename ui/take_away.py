"""One real release to take away: fresh randomness, the true budget, the guarantee in the file."""

import csv
import io
import secrets
from math import inf

import numpy as np

from dpca_core.budget import Budget, Guarantee
from dpca_core.dataset import Dataset
from dpca_core.mechanism import Mechanism
from ui.promises import LABELS, between, promise, total_guarantee

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
CAVEAT = (
    "Each file drawn spends the budget once more. Floating point, the pseudo-random generator and "
    "timing are outside the proof."
)


def release_csv(dataset: Dataset, mechanism: Mechanism, k: int, budget: Budget) -> str:
    """Draw one release of the data as they are and write it as CSV with its guarantee.

    The randomness comes from the operating system, never from the page's seed, which anyone who
    has the link knows; n is the real one, not the slider's.
    """
    entropy = secrets.randbits(128)
    mean_seed = secrets.randbits(63)
    problem = dataset.problem(k, None, budget, mean_seed)
    own = dataset.split(budget)[1]
    guarantee = total_guarantee(dataset, mechanism.guarantee(problem, own), budget)
    release = mechanism.release(problem, own, np.random.default_rng(entropy))
    label = LABELS[guarantee.standing][0].lower()
    private = dataset.private and guarantee.epsilon < inf
    lines = [
        f"dpca release of {dataset.name}: the top {k} directions by {mechanism.name}",
        f"Guarantee: {promise(guarantee)}, {between(guarantee, dataset.unit.one)} "
        f"({label}; {guarantee.source})"
        if private
        else f"NOT PRIVATE: {_why_not(dataset, guarantee)}",
        *(f"{leak.name}: {leak.text} ({leak.cost})" for leak in dataset.leaks),
        CAVEAT,
    ]  # fmt: skip
    out = io.StringIO()
    out.writelines(f"# {_one_line(line)}\n" for line in lines)
    writer = csv.writer(out, lineterminator="\n")
    if release.refused[0]:
        out.write(f"# The mechanism refused: {mechanism.refusal}. The refusal is the release.\n")
        return out.getvalue()
    writer.writerow(["column", *(f"direction_{i + 1}" for i in range(k))])
    for name, row in zip(dataset.columns, release.bases[0], strict=True):
        writer.writerow([_inert(name), *(repr(float(v)) for v in row)])
    return out.getvalue()


def _why_not(dataset: Dataset, guarantee: Guarantee) -> str:
    if not dataset.private:
        return "the preprocessing reads the data without paying for it"
    return guarantee.erratum or "no noise was added"


def _inert(name: str) -> str:
    """Keep a spreadsheet from reading a column's name as a formula."""
    line = _one_line(name)
    return f"'{line}" if line.startswith(FORMULA) else line


def _one_line(text: str) -> str:
    return " ".join(text.splitlines()).strip()
