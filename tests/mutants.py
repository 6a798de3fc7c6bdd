"""Important lines, each broken in one way; tests of the gate must fail for every one of them.

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
    killers: str


MUTANTS = (
    Mutant(
        "nuclear-norm noise of half the scale",
        "dpca_core/mechanisms/noise_laws.py",
        "return sensitivity.nuclear(budget.adjacency) / budget.epsilon",
        "return sensitivity.nuclear(budget.adjacency) / budget.epsilon / 2",
        "core/mechanisms/test_privacy_loss.py::test_a_person_spends_what_is_promised",
    ),
    Mutant(
        "eigenvalues that are drawn beside others without their steps",
        "dpca_core/sampling/nuclear_norm.py",
        "np.copysign(0.5, starts[:n]",
        "np.copysign(0.4, starts[:n]",
        "core/sampling/test_nuclear_norm.py",
    ),
    Mutant(
        "eigenvectors sampled for half of what they spend",
        "dpca_core/mechanisms/ppca.py",
        "* epsilon / (4 if added else 2)",
        "* epsilon / (8 if added else 4)",
        "core/mechanisms/test_ppca.py",
    ),
    Mutant(
        "Frobenius sensitivity 1, not √2, where a person is replaced",
        "dpca_core/privacy/sensitivity.py",
        "return _choose(adjacency, 1.0, sqrt(2))",
        "return _choose(adjacency, 1.0, 1.0)",
        "core/privacy/test_sensitivity.py",
    ),
    Mutant(
        "nuclear sensitivity √2, not 2, where a person is replaced",
        "dpca_core/privacy/sensitivity.py",
        """\"""‖S − S'‖_* ≤ 1 (add or remove), 2 (replace).\"""
    return _choose(adjacency, 1.0, 2.0)""",
        """\"""‖S − S'‖_* ≤ 1 (add or remove), 2 (replace).\"""
    return _choose(adjacency, 1.0, sqrt(2))""",
        "core/privacy/test_sensitivity.py",
    ),
    Mutant(
        "ℓ₁ sensitivity of the triangle d/2, not (d + 1)/2",
        "dpca_core/privacy/sensitivity.py",
        "_choose(adjacency, (d + 1) / 2, min(",
        "_choose(adjacency, d / 2, min(",
        "core/privacy/test_sensitivity.py",
    ),
    Mutant(
        "local sensitivity with a fifth of the angle, not a quarter",
        "dpca_core/privacy/smooth_sensitivity.py",
        "sin(asin(1 / steps) / 4)",
        "sin(asin(1 / steps) / 5)",
        "core/privacy/test_sensitivity.py",
    ),
    Mutant(
        "smooth bound without the step past the last certain gap",
        "dpca_core/privacy/smooth_sensitivity.py",
        "candidates = {0, last, last + 1}",
        "candidates = {0, last}",
        "core/privacy/test_sensitivity.py",
    ),
    Mutant(
        "Gaussian noise for a shift 1 % too small",
        "dpca_core/privacy/gaussian.py",
        "half = sensitivity / (2 * sigma)",
        "half = 0.99 * sensitivity / (2 * sigma)",
        "core/privacy/test_gaussian.py",
    ),
    Mutant(
        "one Wishart matrix costs the same where a person is replaced",
        "dpca_core/privacy/wishart.py",
        "half = degrees_of_freedom / 2 - 1, nuclear(adjacency) / (2 * scale)",
        "half = degrees_of_freedom / 2 - 1, 1 / (2 * scale)",
        "core/privacy/test_wishart.py",
    ),
    Mutant(
        "Wishart difference of d degrees of freedom, not d + 1",
        "dpca_core/mechanisms/noise_laws.py",
        "rng.standard_normal((trials, 2, d, d + 1))",
        "rng.standard_normal((trials, 2, d, d))",
        "core/mechanisms/test_samplers.py",
    ),
    Mutant(
        "PPCA spends ε, not ε/2, where a person is replaced",
        "dpca_core/mechanisms/ppca.py",
        "return budget.epsilon if added else budget.epsilon / 2",
        "return budget.epsilon",
        "golden",
    ),
    Mutant(
        "the power method pays for one round, not L",
        "dpca_core/mechanisms/power.py",
        "total = sqrt(int(self.rounds)) * self.sensitivity(problem, budget)",
        "total = self.sensitivity(problem, budget)",
        "golden",
    ),
    Mutant(
        "gap release takes all of δ, not half",
        "dpca_core/mechanisms/gap_release.py",
        "- width * log(1 / budget.delta)",
        "- width * log(1 / (2 * budget.delta))",
        "references",
    ),
    Mutant(
        "rows clipped at 1.01",
        "dpca_core/data/clipping.py",
        """long = (largest / radius) * length > 1
""",
        """long = (largest / radius) * length > 1.01
""",
        "core/data/test_dataset.py",
    ),
    Mutant(
        "a private mean of sensitivity 1, not √2",
        "dpca_core/data/private_mean.py",
        "factor = sqrt(2) if adjacency",
        "factor = 1.0 if adjacency",
        "core/data/test_dataset.py",
    ),
    Mutant(
        "composition forgets the δ of the mean",
        "dpca_core/privacy/budget.py",
        "guarantee.delta + mean_share * budget.delta",
        "guarantee.delta",
        "core/privacy/test_budget.py core/tables/test_prepare.py",
    ),
    Mutant(
        "a line break inside a quotation ends a record",
        "dpca_core/tables/records.py",
        "ends = ends[np.searchsorted(marks, ends) % 2 == 0]",
        "ends = ends[:]",
        "core/tables/test_one_person.py core/tables/test_text_files.py",
    ),
    Mutant(
        "m + 1 rows of a person are kept",
        "dpca_core/tables/rows.py",
        "kept[row] = before < recipe.most",
        "kept[row] = before <= recipe.most",
        "core/tables/test_one_person.py",
    ),
    Mutant(
        "a code is compared as a number only where it is the column's",
        "dpca_core/tables/rows.py",
        "for code in (*form.missing, *number.missing):",
        "for code in number.missing:",
        "core/tables/test_one_person.py",
    ),
    Mutant(
        "an average of a person's rows is their sum",
        "dpca_core/tables/rows.py",
        "total / np.maximum(times, 1)",
        "total",
        "core/tables/test_one_person.py",
    ),
    Mutant(
        "exact Gaussian rounds down, not to the nearest",
        "dpca_core/release/exact_noise.py",
        "floors, half = numbers.floors(), 1 << (numbers.digits - 1)",
        "floors, half = numbers.floors(), 0",
        "core/release/test_digits.py",
    ),
    Mutant(
        "discrete Laplace draws zero twice as often",
        "dpca_core/release/exact_noise.py",
        "np.where(negative, -size, size)[~(negative & (size == 0))]",
        "np.where(negative, -size, size)",
        "core/release/test_digits.py",
    ),
    Mutant(
        "noise off the diagonal as on it, not √2 of it",
        "dpca_core/release/plan.py",
        '"b": isqrt(2 * a * a) + 1}',
        '"b": a}',
        "core/release/test_plan.py",
    ),
    Mutant(
        "the count is free beside the means",
        "dpca_core/release/plan.py",
        "return (2 if table == MEANS else 1) * twice * one**2",
        "return twice * one**2",
        "core/release/test_plan.py",
    ),
    Mutant(
        "a random bit is read before the ledger says so",
        "dpca_core/release/draw.py",
        "    begin()\n    if plan.means:",
        "    bits.word()\n    begin()\n    if plan.means:",
        "core/release/test_draw.py",
    ),
    Mutant(
        "scales may be smaller than the budget asks for",
        "dpca_core/release/draw.py",
        "if not plan.keeps_its_budget:",
        "if not plan.cost:",
        "core/release/test_draw.py",
    ),
    Mutant(
        "what was spent outside the ledger is not taken off a limit",
        "dpca_core/release/ledger.py",
        "epsilon = Fraction(self.epsilon) - Fraction(self.before_epsilon)",
        "epsilon = Fraction(self.epsilon)",
        "core/release/test_ledger.py",
    ),
    Mutant(
        "half of what noise adds to an eigenvalue is taken off what its direction holds",
        "dpca_core/release/shares.py",
        "taken = size**2 * ",
        "taken = size**2 / 2 * ",
        "core/release/test_reading.py",
    ),
    Mutant(
        "what the simulation of a difference of Wisharts shows is not taken off",
        "dpca_core/release/shares.py",
        "people = people - bias",
        "people = people - 0 * bias",
        "core/release/test_reading.py",
    ),
    Mutant(
        "a release is spent again as often as it is asked for",
        "dpca_core/release/ledger.py",
        "if again and row.again_for == again:",
        "if False:",
        "core/release/test_ledger.py",
    ),
    Mutant(
        "a drawn release is spent again with another plan",
        "dpca_core/release/ledger.py",
        "if again and drawn.get(again) != text:",
        "if False:",
        "core/release/test_ledger.py",
    ),
    Mutant(
        "scores are counted along directions of the exact matrix",
        "dpca_core/release/draw.py",
        "along = score_directions(released[MATRIX])",
        "along = score_directions(sums.T)",
        "core/release/test_draw.py",
    ),
    Mutant(
        "a row outside the ball of the grid is not brought back",
        "dpca_core/release/grid.py",
        """    outside = np.flatnonzero(~(_squares(fine) <= GRID**2))
    for place in outside:
        fine[place] = moved_inside(fine[place])
    return fine""",
        """    fine *= 1 + 1e-4
    fine[~np.isfinite(fine).all(axis=1)] = 0
    return fine""",
        "core/release/test_exact_sums.py",
    ),
    Mutant(
        "a new release is compared with nothing spent",
        "dpca_core/release/ledger.py",
        "self._require(account, plan, _total(rows))",
        "self._require(account, plan, Fraction(0))",
        "core/release/test_ledger.py",
    ),
    Mutant(
        "a guarantee meets a budget of other neighbours",
        "dpca_core/privacy/budget.py",
        """            and self.adjacency is budget.adjacency
            and self.epsilon <=""",
        "            and self.epsilon <=",
        "core/mechanisms/test_every_mechanism.py",
    ),
    Mutant(
        "isotropic noise becomes a mirrored triangle",
        "dpca_core/mechanisms/noise_laws.py",
        "return symmetrized(rng.standard_normal((trials, d, d)))",
        "return mirrored(rng.standard_normal((trials, d, d)))",
        "core/mechanisms/test_samplers.py",
    ),
    Mutant(
        "pairs are those of places in the file",
        "dpca_core/data/pair_differences.py",
        "order = np.argsort(keys)",
        "order = np.arange(n)",
        "core/data/test_pairs.py",
    ),
    Mutant(
        "pairs hide a person who is added",
        "dpca_core/problem.py",
        "if self.pairs and adjacency is Adjacency.ADD_OR_REMOVE_ONE",
        "if self.pairs and self.n < 0",
        "core/data/test_pairs.py",
    ),
    Mutant(
        "S is not divided by the rows of a person",
        "dpca_core/data/dataset.py",
        "return np.asarray(rows.T @ rows) / self.rows_per_person",
        "return np.asarray(rows.T @ rows)",
        "core/tables/test_prepare.py",
    ),
    Mutant(
        "sequential PPCA spends ε on each direction",
        "dpca_core/mechanisms/ppca.py",
        "weights = inverse_temperature(budget) / problem.k * problem.spectrum",
        "weights = inverse_temperature(budget) * problem.spectrum",
        "references",
    ),
    Mutant(
        "the gap moves by 1, not 2, where a person is replaced",
        "dpca_core/privacy/sensitivity.py",
        """2 (replace).\"""
    return _choose(adjacency, 1.0, 2.0)


def gap_difference""",
        """2 (replace).\"""
    return _choose(adjacency, 1.0, 1.0)


def gap_difference""",
        "core/privacy/test_sensitivity.py",
    ),
    Mutant(
        "a centred row is not brought back to the grid",
        "dpca_core/release/exact_sums.py",
        "yield to_grid_of_length_one(moved) if length_one else to_grid(moved, GRID)",
        "yield to_grid_of_length_one(moved) if length_one else moved.astype(np.int64)",
        "core/release/test_exact_sums.py",
    ),
)


def killed(mutant: Mutant, tree: Path) -> bool:
    """Tell whether a test of the gate fails while the mutant is in the tree."""
    path = tree / mutant.path
    text = path.read_text("utf-8")
    assert text.count(mutant.right) == 1, f"{mutant.name}: the line is not there once"
    path.write_text(text.replace(mutant.right, mutant.wrong), "utf-8")
    command = [sys.executable, "-m", "pytest", "-qx", "-m", "not long", "-p", "no:cacheprovider"]
    try:
        run = subprocess.run(
            [*command, *(f"tests/{name}" for name in mutant.killers.split())],
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


def main(words: list[str]) -> int:
    """Try each mutant, say which survive, and return how many."""
    alive = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
        for mutant in MUTANTS:
            if words and not any(word in mutant.name.lower() for word in words):
                continue
            dead = killed(mutant, tree)
            alive += not dead
            print(f"{'killed' if dead else 'ALIVE '}  {mutant.name}", flush=True)
    print(f"{alive} alive")
    return alive


if __name__ == "__main__":
    sys.exit(min(main([word.lower() for word in sys.argv[1:]]), 1))
