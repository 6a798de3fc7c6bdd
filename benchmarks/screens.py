"""Whether screens' numbers equal those of double precision, on many points that are hard.

Small gaps, ties, spectra over many orders, noise of every kind, against plain float64 ``eigh``:
the bound on each error must hold, and the error of each mean be below a tenth of its standard
error.

    python -m benchmarks.screens --points 10000
"""

import argparse

import numpy as np

from tests.core.simulation.nasty_points import SCALES, TRIALS, found


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1_000)
    asked = parser.parse_args()
    wrong = rough = single = clear = means = 0
    tightest, worst = 0.0, 0.0
    for seed in range(asked.seed, asked.seed + -(-asked.points // (TRIALS * SCALES))):
        at = found(seed)
        known = at.clear & (at.errors[0] > 0)
        single, clear = single + int((at.errors[0] > 0).sum()), clear + int(at.clear.sum())
        wrong += int((at.differences > at.errors + 1e-11)[:, known].sum())
        used = at.differences[:, known] / (at.errors[:, known] + 1e-11)
        tightest = max(tightest, float(used.max(initial=0)))
        error = (at.differences * at.clear).mean(axis=1)
        share = error / (at.spreads / np.sqrt(TRIALS) + 1e-8)
        rough, means = rough + int((share > 0.1).sum()), means + share.size
        worst = max(worst, float(share.max()))
    print(f"{asked.points:,} points; {single:,} in single precision, {clear:,} with a clear gap")
    print(f"errors beyond their bound: {wrong}; the largest was {tightest:.2g} of its bound")
    print(f"means off by more than a tenth of their standard error: {rough} of {means:,};")
    print(f"the worst was off by {worst:.1g} standard errors")


if __name__ == "__main__":
    main()
