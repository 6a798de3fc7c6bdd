"""Exact noise: digit by digit by a second hand, and the laws that come of it.

The plain versions draw in the same order, one candidate after another, and compare whole numbers
with mpmath's exponential: a float that decided otherwise, or a margin that let it decide too early,
would change what follows. Each p-value of a law fails by chance in one stream of bits of ten
million; what would be found nevertheless, in 99 of 100 streams, stands beside it.
"""

from itertools import product
from math import erf, exp, sqrt

import mpmath
import numpy as np
import pytest
from scipy.stats import chisquare, gamma, kstest

from dpca_core.release import exact_noise
from dpca_core.release.exact_noise import WORD, Normals, laplace_vector, rounded_gaussian
from tests.cases import sampled
from tests.core.release.cases import repeating_bits

PREFIX = 63
"""First digits of a uniform number of a release."""


def decided(v, digits, least, most, under):
    """Tell whether V < e^{−γ} if V has these first digits, and γ·under is from least to most.

    None where that is open.
    """
    with mpmath.workprec(digits + 120):
        ends = (mpmath.exp(-mpmath.mpf(end) / under) for end in (most, least))
        low, high = (mpmath.ldexp(end, digits) for end in ends)
        return None if mpmath.floor(low) <= v < mpmath.ceil(high) else bool(v < low)


def prefixes(n, bits, prefix):
    return [int(word) >> (WORD - prefix) for word in bits.words(n)]


def plain_geometric(n, steps, bits, prefix):
    found = []
    for u in prefixes(n, bits, prefix):
        digits, j = prefix, 0
        while (more := decided(u, digits, j + 1, j + 1, steps)) is not False:
            if more is None:
                u, digits = u << WORD | bits.word(), digits + WORD
            else:
                j += 1
        found.append(j)
    return found


def plain_decision(k, u, v, prefix, bits):
    """Tell whether a candidate k + u is kept; return the words that its digits go on with."""
    words = []
    while True:
        digits = prefix + WORD * len(words)
        # Twice γ in units of 2^{−2·digits}, at both ends of what u may be.
        ends = [(k * (k - 1) << 2 * digits) + x * ((2 * k << digits) + x) for x in (u, u + 1)]
        if (kept := decided(v, digits, *ends, 2 << 2 * digits)) is not None:
            return kept, words
        words.append(bits.word())
        u, v = u << WORD | words[-1], v << WORD | bits.word()


@pytest.mark.parametrize("w", [1, 7])
def test_discrete_laplace_noise_is_its_algorithm_and_a_zero_counts_once(w):
    n, prefix, bits = 300, 4, repeating_bits(41)
    tried, kept = int(n * 1.7) + 16, []
    low = exact_noise.uniform_below(w, tried, bits).tolist()
    for u, v in zip(low, prefixes(tried, bits, prefix), strict=True):
        digits = prefix
        while (found := decided(v, digits, u, u, w)) is None:
            v, digits = v << WORD | bits.word(), digits + WORD
        kept += [u] * found
    whole = plain_geometric(len(kept), 1, bits, prefix)
    sizes = [u + w * j for u, j in zip(kept, whole, strict=True)]
    signed = list(zip(sizes, prefixes(len(sizes), bits, 1), strict=True))
    assert (0, 1) in signed
    plain = [-size if minus else size for size, minus in signed if (size, minus) != (0, 1)]
    assert min(n, len(plain)) > 100
    drawn = exact_noise.discrete_laplace(w, n, repeating_bits(41, prefix)).tolist()
    assert drawn[: len(plain)] == plain[:n]


@pytest.mark.parametrize("prefix", sampled([3, 2, 4, PREFIX, 6, 20], 3, "other prefixes"))
def test_normal_deviates_and_the_digits_that_follow(prefix):
    """Digits that a decision needed come first: they are the number's own."""
    n = 200
    numbers = Normals(n, repeating_bits(34, prefix))
    early, few = numbers.floors(), numbers.digits
    numbers.refine()
    assert (numbers.floors() >> (numbers.digits - few) == early).all()
    # So many candidates are drawn for each number that is kept.
    bits, tried = repeating_bits(34), int(n * 2.2) + 16
    k = plain_geometric(tried, 2, bits, prefix)
    u, v = prefixes(tried, bits, prefix), prefixes(tried, bits, prefix)
    kept = []
    for candidate in zip(k, u, v, strict=True):
        accepted, words = plain_decision(*candidate, prefix, bits)
        kept += [(*candidate, words)] * accepted
    assert len(kept) >= n
    minus, fresh, plain = prefixes(n, bits, 1), bits.words(n).tolist(), []
    for negative, word, (k, u, _, words) in zip(minus, fresh, kept[:n], strict=True):
        size = ((k << prefix) + u << WORD) + (words or [word])[0]
        plain.append(-size - 1 if negative else size)
    assert numbers.floors().tolist() == plain


@pytest.mark.parametrize("prefix", [3, 5])
def test_no_float_accepts_or_rejects_what_the_digits_leave_open(monkeypatch, prefix):
    # Every candidate of so few digits: whichever is open must be left to whole numbers.
    asked = set()

    def left_to_whole_numbers(_, *candidate):
        asked.add(candidate)
        return False, []

    monkeypatch.setattr(Normals, "_decided", left_to_whole_numbers)
    numbers = Normals(0, repeating_bits(40, prefix))
    candidates = np.array(list(product(range(5), *[range(2**prefix)] * 2)))
    k, u, v = candidates.T
    accepted, _ = numbers._accepted(k, u.astype(np.uint64), v.astype(np.uint64))
    certain = 0
    for candidate, found in zip(map(tuple, candidates.tolist()), accepted.tolist(), strict=True):
        if candidate not in asked:
            # No bits: the digits that are there must be enough.
            assert plain_decision(*candidate, prefix, None) == (found, []), candidate
            certain += 1
    assert 0.05 < certain / len(candidates) < 0.95


def deviates(n, seed):
    """Return the deviates that two first digits begin, with 258 digits, and how many these are."""
    numbers = Normals(n, repeating_bits(seed, 2))
    for _ in range(4):
        numbers.refine()
    return numbers.floors().tolist(), numbers.digits


def assert_equal(found, exact):
    assert found.dtype == np.int64
    assert all((int(f) - int(e)) % 2**64 == 0 for f, e in zip(found, exact, strict=True))


def test_roundings_get_the_digits_that_they_need_and_are_taken_modulo():
    # At 2⁶² and 66 digits one of 16 numbers lies across a half (none if the scale is a power of 2).
    scale, n = 2**62 - 2**40 + 1, 500
    values, digits = deviates(n, 38)
    rounded = [value * scale + (1 << digits - 1) >> digits for value in values]
    assert_equal(rounded_gaussian(scale, n, repeating_bits(38, 2)), rounded)
    # An entry of products is known to some whole numbers only.
    s, d = 2**62, 3
    values, digits = deviates(2 * d * (d + 1), 39)
    one, two = np.array(values, dtype=object).reshape(2, d, d + 1)
    entries = (one @ one.T - two @ two.T) * s + (1 << 2 * digits - 1) >> 2 * digits
    drawn = exact_noise.wishart_difference(s, d, repeating_bits(39, 2))
    assert_equal(drawn.ravel(), entries.ravel())
    exact = exact_noise.discrete_laplace(s, n, repeating_bits(36))
    assert sum(abs(int(value)) >= 2**63 for value in exact) > 30
    assert_equal(laplace_vector(s, n, repeating_bits(36)), exact)


def test_bounds_of_exponentials_hold_and_are_close():
    rng = np.random.default_rng(3)
    with mpmath.workprec(600):
        for _ in range(600):
            b = int(rng.integers(1, 2 ** int(rng.integers(1, 62))))
            a = int(b * float(rng.choice([0, 1e-9, 0.3, 1, 7.7, 60, 400]))) + int(rng.integers(3))
            p = int(rng.choice([1, 5, 63, 127, 255]))
            low, high = exact_noise.exponential_bounds(a, b, p)
            assert low <= mpmath.ldexp(mpmath.exp(-mpmath.mpf(a) / b), p) <= high, (a, b, p)
            assert high - low <= 3, (a, b, p)


def test_numpy_is_right_to_four_units_in_the_last_place():
    """What the margins of decisions in floats assume, on a grid of what they are asked for."""
    rng = np.random.default_rng(4)
    small, near = 2.0 ** -rng.uniform(0, 64, 1500), 1 - 2.0 ** -rng.uniform(1, 50, 500)
    for name, at in (
        ("exp", -np.concatenate([np.linspace(0, 50, 1500), small[:500]])),
        ("log", np.concatenate([small, near])),
    ):
        with mpmath.workprec(200):
            for x, y in zip(at, getattr(np, name)(at), strict=True):
                exact = getattr(mpmath, name)(mpmath.mpf(float(x)))
                assert abs(mpmath.mpf(float(y)) - exact) <= 4 * float(np.spacing(abs(y))), x


LEAST = 1e-7
MANY, FEW = 400_000, 20_000
"""Draws where floats decide nearly all, and with short prefixes, where whole numbers often do."""
LONG = "other scales, and prefixes at which up to a third of all decisions need more digits"


def p_value(values, chances):
    """Return the p-value of counts of whole numbers; what is expected rarely is put together."""
    expected = {z: p * len(values) for z, p in chances.items() if p * len(values) >= 100}
    seen = [np.count_nonzero(values == z) for z in expected]
    rest = (len(values) - sum(counts) for counts in (seen, expected.values()))
    return chisquare([*seen, next(rest)], [*expected.values(), next(rest)]).pvalue


def gaussian_chances(scale):
    ends = [erf((z - 0.5) / scale / sqrt(2)) / 2 for z in range(-6 * scale, 6 * scale + 2)]
    return dict(enumerate(np.diff(ends), start=-6 * scale))


def laplace_chances(w):
    q = exp(-1 / w)
    return {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-30 * w, 30 * w + 1)}


LAPLACE, GAUSSIAN = (laplace_vector, laplace_chances), (rounded_gaussian, gaussian_chances)
SCALES = (
    *((*LAPLACE, *case) for case in ((1, PREFIX), (5, PREFIX), (30, PREFIX), (2, 2), (5, 4))),
    *((*GAUSSIAN, *case) for case in ((1, PREFIX), (7, PREFIX), (3, 2), (3, 4))),
)


@pytest.mark.chance(LEAST)
@pytest.mark.parametrize(("draw", "chances", "scale", "prefix"), sampled(SCALES, 5, LONG))
def test_noise_has_its_chances(draw, chances, scale, prefix):
    """A scale 3 % off is found, with short prefixes 10 %, and a zero that comes twice as often."""
    values = draw(scale, MANY if prefix == PREFIX else FEW, repeating_bits(21, prefix))
    assert p_value(values, chances(scale)) > LEAST


@pytest.mark.chance(2 * LEAST)
def test_gaussian_noise_of_a_release_is_normal_to_its_last_bits():
    """At a = 2³⁶ a scale 3 % off is found, and a last bit that sticks once in 30 draws."""
    values = rounded_gaussian(2**36, MANY, repeating_bits(22))
    assert kstest(values / 2**36, "norm").pvalue > LEAST
    assert chisquare(np.bincount(values & 63)).pvalue > LEAST


@pytest.mark.chance(LEAST)
def test_a_difference_of_wisharts_in_one_column_is_laplace_noise():
    """x₁² + x₂² − x₃² − x₄² is Laplace of scale 2: a scale 10 % off is found."""
    bits, n = repeating_bits(24), 6000
    drawn = (exact_noise.wishart_difference(2**30, 1, bits)[0, 0] for _ in range(n))
    # Sizes over their scale are exponential, so that their sum is of gamma's law.
    below = gamma.cdf(sum(abs(int(one)) for one in drawn) / 2**31, n)
    assert 2 * min(below, 1 - below) > LEAST
