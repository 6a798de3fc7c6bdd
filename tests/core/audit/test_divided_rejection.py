"""The law that libraries draw: against draws by their rule, and what it spends."""

from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq

from dpca_core.audit.divided_rejection import Sphere, bounded_laplace_loss, spent

THREE, TEN = Sphere.of(3), Sphere.of(10)


def drawn_by_dividing(eigenvalues, epsilon, draws, rng):
    """Squares (draws, d) of directions, accepted as docs/library-samplers.md says."""
    costs = epsilon / 4 * (max(eigenvalues) - np.array(eigenvalues))
    d = len(costs)
    b = brentq(lambda b: (1 / (b + 2 * costs)).sum() - 1, 1e-9, d)
    omega, most = 1 + 2 * costs / b, exp(-(d - b) / 2) * (d / b) ** (d / 2)
    found = []
    while sum(map(len, found)) < draws:
        u = rng.standard_normal((100_000, d)) / np.sqrt(omega)
        squares = (u / np.linalg.norm(u, axis=1, keepdims=True)) ** 2
        chance = np.exp(-squares @ costs) / (most * (squares @ omega) ** (d / 2))
        assert chance.max() <= 1
        found.append(squares[rng.random(len(u)) <= chance])
    return np.concatenate(found)[:draws]


@pytest.mark.chance(4e-7)
@pytest.mark.parametrize(
    ("sphere", "eigenvalues"), [(THREE, [8.0, 4, 0]), (Sphere.of(5), [14.0, 12, 0, 0, 0])]
)
def test_the_density_is_that_of_draws_accepted_by_dividing(sphere, eigenvalues):
    """Means of u₁² and u₂², each within 5.3 standard errors of 20,000 draws."""
    squares = drawn_by_dividing(eigenvalues, 1.0, 20_000, np.random.default_rng(3))
    density = sphere.density(np.array(eigenvalues[:3]), 1.0, divided=True) * sphere.weights
    for axis in range(2):
        mean, error = squares[:, axis].mean(), squares[:, axis].std() / sqrt(len(squares))
        assert abs(mean - (density * sphere.squares[axis]).sum()) < 5.3 * error


def test_the_right_law_and_the_drawn_one_differ_as_stated():
    for divided, mean in ((True, 0.7214), (False, 0.4737)):
        density = THREE.density(np.array([8.0, 4, 0]), 1.0, divided=divided)
        assert (density * THREE.weights * THREE.squares[0]).sum() == pytest.approx(mean, abs=5e-5)
        assert THREE.of_angle(density) @ (np.gradient(THREE.angles)) == pytest.approx(1, rel=1e-3)
    shares = np.array([0.6, 0.3, 0.1])
    apart = [THREE.total_variation(n * shares, 1.0) for n in (10, 100, 1000)]
    assert apart == pytest.approx([0.273, 0.490, 0.495], abs=5e-4)


@pytest.mark.parametrize(
    ("sphere", "before", "after", "largest", "event", "delta", "draws"),
    [
        (THREE, (144.25, 143.02, 65.69), (145.25, 142.02, 65.69), 1.19, (0.1027, 0.0343), 0.0095,
         28_000),
        (TEN, (1000, 1000, 0), (1001, 999, 0), 3.33, (0.462, 0.073), 0.264, 117),
        (TEN, (1000, 999, 0), (1001, 999, 0), 1.78, (0.119, 0.035), 0.025, 4_700),
    ],
)  # fmt: skip
def test_one_direction_spends_more_than_its_epsilon(
    sphere, before, after, largest, event, delta, draws
):
    """The numbers of the document; an event and its probabilities bound ε by themselves."""
    data = np.array(before, float), np.array(after, float)
    found = spent(sphere, *data, 1.0, divided=True)
    assert found.largest == pytest.approx(largest, abs=0.005)
    assert (found.likely, found.unlikely) == pytest.approx(event, abs=5e-4)
    assert 1 < found.shown <= found.largest
    assert found.shown == pytest.approx(log(event[0] / event[1]), abs=0.01)
    assert found.delta == pytest.approx(delta, abs=5e-4)
    assert found.delta >= found.likely - exp(1) * found.unlikely - 1e-12
    assert found.draws() == pytest.approx(draws, rel=0.01)
    assert spent(sphere, *data, 1.0, divided=False).largest <= 0.5


def test_noise_that_ends_at_0_is_private_there_and_spends_less_above():
    loss = bounded_laplace_loss(1.0)
    assert loss == pytest.approx(0.620, abs=5e-4)
    # At 0 and at 2 the densities of an output above both differ by e^t and their constants.
    assert loss + log((1 - exp(-loss) / 2) / (1 - 1 / 2)) == pytest.approx(1, rel=1e-9)
