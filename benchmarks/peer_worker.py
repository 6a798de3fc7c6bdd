"""One fit of another library's private PCA; runs in .venv-peers and knows nothing of dpca.

Started by benchmarks.peers: reads rows (n, d) of norm at most 1, k, epsilon, peer and seed from an
.npz file, prints "ready", fits, and writes components (k, d) and seconds as JSON. With the name of
a peer only, it prints its version.

    .venv-peers/bin/python benchmarks/peer_worker.py job.npz answer.json
    .venv-peers/bin/python benchmarks/peer_worker.py opendp
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from math import isclose
from pathlib import Path
from time import perf_counter

import numpy as np

Fit = Callable[[np.ndarray, int, float, int], np.ndarray]
SOURCES = {"diffprivlib": "diffprivlib.models", "opendp": "opendp.extras.sklearn.decomposition"}


def diffprivlib(rows: np.ndarray, k: int, epsilon: float, seed: int) -> np.ndarray:
    """Components (k, d): public norm, nothing spent on a mean."""
    from diffprivlib.models import PCA

    pca = PCA(k, epsilon=epsilon, data_norm=1.0, centered=True, random_state=seed)
    return pca.fit(rows).components_


def opendp(rows: np.ndarray, k: int, epsilon: float, seed: int) -> np.ndarray:
    """Components (k, d): public norm and origin, ε for two changes; its generator has no seed."""
    import opendp.prelude as dp
    from opendp.extras.sklearn.decomposition import make_private_pca

    n, d = rows.shape
    domain = dp.numpy.array2_domain(norm=1.0, p=2, size=n, num_columns=d, T=float)
    measurement = make_private_pca(
        domain, dp.symmetric_distance(), unit_epsilon=epsilon, num_components=k
    )
    if not isclose(measurement.map(2), epsilon, rel_tol=1e-9):
        raise ValueError(f"map(2) is {measurement.map(2)}, not {epsilon}.")
    return measurement(rows).Vt[:k]


PEERS: dict[str, Fit] = {"diffprivlib": diffprivlib, "opendp": opendp}


def load(peer: str) -> None:
    """Import what a fit needs, so that imports aren't timed."""
    import_module(SOURCES[peer])
    if peer == "opendp":
        import opendp.prelude as dp

        dp.enable_features("contrib", "idealized-numerics", "honest-but-curious")


def main() -> None:
    """Print a version, or answer one job."""
    if len(sys.argv) == 2:
        load(sys.argv[1])
        print(version(sys.argv[1]))
        return
    with np.load(sys.argv[1]) as job:
        rows, k, epsilon = job["rows"], int(job["k"]), float(job["epsilon"])
        peer, seed = str(job["peer"]), int(job["seed"])
    load(peer)
    print("ready", flush=True)
    start = perf_counter()
    components = PEERS[peer](rows, k, epsilon, seed)
    seconds = perf_counter() - start
    answer = {"components": np.asarray(components).tolist(), "seconds": seconds}
    Path(sys.argv[2]).write_text(json.dumps(answer))


if __name__ == "__main__":
    main()
