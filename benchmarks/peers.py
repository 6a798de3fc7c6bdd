"""Our best pure mechanism next to diffprivlib's and OpenDP's PCA: same rows, same ε, one replaced.

The other libraries live in .venv-peers, made on the first run; every fit is a process of its own,
killed at the limit. Times are of one fit without imports, on the threads the environment allows.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python -m benchmarks.peers --limit 60
"""

import argparse
import json
import subprocess
import sys
import venv
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from benchmarks.kernels import falling
from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.linalg.arrays import Array
from dpca_core.metrics import quality

HERE = Path(__file__).resolve().parent
HOME = HERE.parent / ".venv-peers"
PYTHON = HOME / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
PEERS = {"diffprivlib": "0.6.6", "opendp": "0.16.0"}
CANDIDATES = ("ppca", "wishart_difference", "laplace", "ppca_sequential", "power_pure")
OUR_TRIALS = 5
FACTS = """\
Neighbours and ε, as read in the sources of diffprivlib 0.6.6 and OpenDP 0.16.0:
  ours         one replaced record, all of ε for the directions.
  diffprivlib  names no neighbours; its constants (L1 sensitivity 2 of the eigenvalues, density
               exp(ε_i uᵀSu/4)) are enough for one replaced record. ε is split evenly over the
               eigenvalues and k directions; nothing goes to a mean (centered=True, data_norm=1).
  opendp       symmetric distance: map(2) is ε for one replaced record, checked in every fit. Half
               of ε goes to the eigenvalues, half evenly to k directions; nothing to a mean
               (make_private_pca, public norm and origin; the class PCA(epsilon=ε) has map(2) = 2ε).
Samplers (both: Amin et al. 2019, rejection from an angular central Gaussian with matrix Ω):
  diffprivlib  not exact: the acceptance probability divides by (uᵀΩu)^(d/2) where rejection has to
               multiply, so that the law is ∝ exp(−uᵀAu)·(uᵀΩu)^(−d), narrower than the Bingham law.
  opendp       not exact: the same division, the same law. So neither's stated ε is proved, and
               what both capture is not what the mechanism they cite would capture at this ε.
Ours is the best of five pure mechanisms by the outcome, picked with the true S in hand.
"""


@dataclass
class Fits:
    """What the fits of one peer in one cell gave; ``error`` where it raised."""

    captured: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    cut: bool = False
    error: str | None = None


@dataclass(frozen=True)
class Ours:
    """The best of our mechanisms in one cell."""

    name: str
    captured: float
    seconds: float


def made_up(d: int, n: int) -> Array:
    """Gaussian rows (n, d) about a public origin, 0, in a random frame, clipped to norm 1."""
    rng = np.random.default_rng(d)
    q = np.linalg.qr(rng.standard_normal((d, d)))[0]
    rows = rng.standard_normal((n, d)) * np.sqrt(falling(d, 1.0)) @ q.T
    return rows / np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True) * (1 + 1e-12))


def install() -> None:
    """Make .venv-peers where it is missing; it ignores itself in git."""
    if PYTHON.exists():
        return
    print(f"Making {HOME.name} (about a minute, once)", flush=True)
    venv.create(HOME, with_pip=True)
    (HOME / ".gitignore").write_text("*\n")
    command = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]
    if subprocess.run([*command, HERE / "requirements-peers.txt"]).returncode:
        print(f"pip failed; remove {HOME.name} to try again.")


def usable() -> list[str]:
    """Peers that can be imported; says why where one can't."""
    found = []
    for peer, expected in PEERS.items():
        command = [PYTHON, HERE / "peer_worker.py", peer]
        asked = subprocess.run(command, capture_output=True, text=True)
        version = asked.stdout.strip()
        if asked.returncode:
            print(f"{peer} can't be used: {last_line(asked.stderr)}")
        else:
            found.append(peer)
            if version != expected:
                print(f"{peer} is {version}: what is said of {expected} below may not hold.")
    return found


def last_line(text: str) -> str:
    """Last line that isn't empty: of a traceback, the error."""
    return next((line for line in reversed(text.splitlines()) if line.strip(' ")')), "no reason")


def fit(peer: str, problem: Problem, rows: Array, epsilon: float, limit: float, seed: int) -> Fits:
    """One fit in a process of its own, killed at ``limit`` seconds after its imports."""
    with TemporaryDirectory() as folder:
        job, answer, log = (Path(folder) / name for name in ("job.npz", "answer.json", "log"))
        np.savez(job, rows=rows, k=problem.k, epsilon=epsilon, peer=peer, seed=seed)
        command = [PYTHON, HERE / "peer_worker.py", job, answer]
        with (
            log.open("w") as errors,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as process,
        ):
            try:
                process.stdout.readline()
                process.wait(limit)
            except subprocess.TimeoutExpired:
                return Fits(cut=True)
            finally:
                process.kill()
        if process.returncode:
            return Fits(error=last_line(log.read_text()))
        read = json.loads(answer.read_text())
    basis = np.linalg.qr(np.array(read["components"]).T)[0]
    return Fits([float(quality(problem, basis).captured)], [read["seconds"]])


def repeated(
    peer: str, problem: Problem, rows: Array, epsilon: float, limit: float, trials: int
) -> Fits:
    """Up to ``trials`` fits; none after one that didn't finish."""
    all_fits = Fits()
    for seed in range(trials):
        one = fit(peer, problem, rows, epsilon, limit, seed)
        all_fits.captured += one.captured
        all_fits.seconds += one.seconds
        all_fits.cut, all_fits.error = one.cut, one.error
        if not one.captured:
            break
    return all_fits


def ours(rows: Array, k: int, epsilon: float) -> Ours:
    """Best median of our pure mechanisms; seconds of its first release, from the rows on."""
    budget, found = Budget(epsilon, 0.0, Adjacency.REPLACE_ONE), []
    for key in CANDIDATES:
        mechanism, rng = MECHANISMS[key], np.random.default_rng(0)
        start = perf_counter()
        problem = Problem.from_rows(rows, k)
        try:
            first = mechanism.release(problem, budget, rng)
        except InfeasibleBudget:
            continue
        seconds = perf_counter() - start
        if not mechanism.guarantee(problem, budget).meets(budget):
            raise ValueError(f"{mechanism.name} isn't proved to meet the budget.")
        others = mechanism.release(problem, budget, rng, OUR_TRIALS - 1)
        captured = quality(problem, np.concatenate([first.bases, others.bases])).captured
        found.append(Ours(mechanism.name, float(np.median(captured)), seconds))
    return max(found, key=lambda one: one.captured)


def column(best: Ours, fits: Fits, limit: float) -> str:
    """Captured, ours over it, seconds, and how many times ours they are."""
    if not fits.captured:
        return f"{'failed' if fits.error else f'not within {limit:g} s':>38}"
    captured, seconds = np.median(fits.captured), np.median(fits.seconds)
    note = f"{len(fits.captured)} in time" if fits.cut else ""
    return (
        f"{captured:9.4f}{best.captured / captured:7.2f} ×{seconds:8.3g} s"
        f"{note or f'{seconds / best.seconds:,.0f} ×':>10}"
    )


def arguments() -> argparse.Namespace:
    """Options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one fit")
    parser.add_argument("--trials", type=int, default=3, help="fits where the first finishes")
    parser.add_argument(
        "--skip-hopeless",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="one fit in a cell whose k and ε took too long at the smallest d",
    )
    parser.add_argument("--n", type=int, default=20_000)
    parser.add_argument("--d", type=int, nargs="+", default=[10, 30, 64, 100])
    parser.add_argument("--k", type=int, nargs="+", default=[2, 5, 10])
    parser.add_argument("--epsilon", type=float, nargs="+", default=[0.1, 1.0, 10.0])
    return parser.parse_args()


def main() -> None:
    """Print facts, table and shares."""
    asked = arguments()
    install()
    peers = usable()
    print(f"\n{FACTS}\nn = {asked.n:,}; captured is a median; first ×: ours over theirs, ", end="")
    print("last ×: their seconds over ours\n")
    head = "".join(f"{f'{peer}: captured, ×, time, ×':>38}" for peer in peers)
    print(f"{'d':>4}{'k':>4}{'ε':>6}  {'ours':20}{'captured':>9}{'time':>10}{head}")
    cells, slowest, failed = 0, 0.0, []
    unfinished, hopeless = dict.fromkeys(peers, 0), set()
    first_d: dict[int, int] = {}
    for d in sorted(asked.d):
        rows = made_up(d, asked.n)
        for k in (k for k in asked.k if k < d):
            problem, smallest = Problem.from_rows(rows, k), first_d.setdefault(k, d) == d
            for epsilon in asked.epsilon:
                best = ours(rows, k, epsilon)
                slowest = max(slowest, best.seconds)
                line = f"{d:4}{k:4}{epsilon:6g}  {best.name:20}{best.captured:9.4f}"
                print(f"{line}{best.seconds:8.2g} s", end="", flush=True)
                for peer in peers:
                    trials = 1 if (peer, k, epsilon) in hopeless else asked.trials
                    fits = repeated(peer, problem, rows, epsilon, asked.limit, trials)
                    print(column(best, fits, asked.limit), end="", flush=True)
                    unfinished[peer] += not fits.captured
                    if asked.skip_hopeless and smallest and not fits.captured:
                        hopeless.add((peer, k, epsilon))
                    if fits.error:
                        failed.append(f"{peer}, d = {d}, k = {k}, ε = {epsilon:g}: {fits.error}")
                print()
                cells += 1
    print()
    for peer in peers:
        share = unfinished[peer] / max(cells, 1)
        print(
            f"{peer}: nothing in {asked.limit:g} s in {unfinished[peer]} of {cells} cells, ", end=""
        )
        print(f"{share:.0%}")
    print(f"ours: everywhere; the slowest release took {slowest:.2g} s", *failed, sep="\n")


if __name__ == "__main__":
    main()
