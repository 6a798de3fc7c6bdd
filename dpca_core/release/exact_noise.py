"""Noise on tables of whole numbers whose law is exactly that of rounded ideal noise.

T + ⌊E + ½⌋ = ⌊(T + E) + ½⌋ for whole T, so what is released is a function of the ideal release, and
every proof about that holds (Theorem 1, docs/release.md). What must be exact is the law of ⌊E + ½⌋:
floats decide where they are certain, by margins proved there, and whole numbers decide the rest.
There is no seed.
"""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpca_core.release.grid import Whole

Words = NDArray[np.uint64]
BigWhole = NDArray[Any]
"""Python's integers in an array of objects."""

WORD = 64
_AT_A_TIME = 2**17
"""Normal numbers that are drawn at a time: their digits are Python's integers, 100 bytes each."""


class RandomBits:
    """Random bits of the operating system, the only randomness of a release.

    A uniform number in [0, 1) is an endless row of fair bits; ``prefix`` of them are drawn first.
    Another ``source`` of so many bytes, and a shorter prefix, are for tests only.
    """

    def __init__(self, source: Callable[[int], bytes] = os.urandom, prefix: int = 63) -> None:
        self._source, self.prefix, self.unit = source, prefix, 2.0**-prefix

    def words(self, n: int) -> Words:
        """Return n words of 64 bits, (n,)."""
        return np.frombuffer(self._source(8 * n), dtype="<u8").astype(np.uint64)

    def word(self) -> int:
        """Return 64 bits as a whole number."""
        return int.from_bytes(self._source(8), "little")

    def uniforms(self, n: int) -> Words:
        """Return the first digits of n uniform numbers, as whole numbers (n,)."""
        return np.asarray(self.words(n) >> np.uint64(WORD - self.prefix), dtype=np.uint64)

    def signs(self, n: int) -> NDArray[np.bool_]:
        """Return n fair decisions, (n,)."""
        return (self.words(n) >> np.uint64(WORD - 1)).astype(bool)


class Uniform:
    """One uniform number in [0, 1), known to some digits; more are drawn as decisions need them."""

    def __init__(self, known: int, bits: RandomBits) -> None:
        self.known, self.digits, self._bits = known, bits.prefix, bits

    def below_exponential(self, a: int, b: int) -> bool:
        """Tell whether U < e^(−a/b), for whole a ≥ 0 and b > 0."""
        while True:
            low, high = exponential_bounds(a, b, self.digits)
            if self.known + 1 <= low:
                return True
            if self.known >= high:
                return False
            self.known, self.digits = self.known << WORD | self._bits.word(), self.digits + WORD


def exponential_bounds(a: int, b: int, digits: int) -> tuple[int, int]:
    """Return whole numbers low ≤ 2^digits·e^(−a/b) ≤ high that are at most 3 apart (Lemma 5).

    e^(−x) = (e^(−x/2^s))^(2^s) with x/2^s ≤ ½, whose series alternates and falls. Every operation
    rounds away from the value on its own side, at 2s + 32 digits more than are wanted.
    """
    halvings = (a // b).bit_length() + 1
    p = digits + 2 * halvings + 32
    x_low, x_high = (a << p) // (b << halvings), _ceil(a << p, b << halvings)
    term_low = term_high = low = high = 1 << p
    k = 0
    while term_high > 1:
        k += 1
        term_low = (term_low * x_low >> p) // k
        term_high = _ceil(_ceil(term_high * x_high, 1 << p), k)
        low, high = (
            (low - term_high, high - term_low) if k % 2 else (low + term_low, high + term_high)
        )
    low, high = max(0, low - term_high), high + term_high
    for _ in range(halvings):
        low, high = low * low >> p, _ceil(high * high, 1 << p)
    return low >> (p - digits), _ceil(high, 1 << (p - digits))


def geometric(n: int, steps: int, bits: RandomBits) -> Whole:
    """Return n whole numbers k ≥ 0 with P(k ≥ j) = e^(−j/steps): ⌊−steps·ln U⌋ (Lemma 7)."""
    known = bits.uniforms(n)
    u = (known.astype(np.float64) + 0.5) * bits.unit
    x = -steps * np.log(u)
    found: Whole = np.floor(x).astype(np.int64)
    margin = 2.0**-42 + 2 * steps * bits.unit / u
    for i in np.flatnonzero((x - found < margin) | (found + 1 - x < margin)):
        uniform, j = Uniform(int(known[i]), bits), 0
        while uniform.below_exponential(j + 1, steps):
            j += 1
        found[i] = j
    return found


def discrete_laplace(scale: int, n: int, bits: RandomBits) -> BigWhole:
    """Return n whole numbers with P(z) ∝ e^(−|z|/scale), scale from 1 to 2⁶².

    Canonne, Kamath & Steinke 2020, Algorithm 2, many numbers at a time.
    """
    found: BigWhole = np.empty(0, dtype=object)
    while len(found) < n:
        low = uniform_below(scale, int((n - len(found)) * 1.7) + 16, bits)
        gamma, known = low / float(scale), bits.uniforms(len(low))
        u, chance = known.astype(np.float64) * bits.unit, np.exp(-gamma)
        # Lemma 6; the quotient's three roundings are in 2⁻⁵⁰·γ.
        margin = chance * (gamma * 2.0**-50 + 2.0**-48) + 2 * bits.unit + u * 2.0**-50
        kept = u + margin < chance
        for i in np.flatnonzero(~kept & (u - margin < chance)):
            kept[i] = Uniform(int(known[i]), bits).below_exponential(int(low[i]), scale)
        size = low[kept].astype(object) + scale * geometric(int(kept.sum()), 1, bits).astype(object)
        negative = bits.signs(len(size))
        # Zero has two signs, and would come twice as often as it should.
        found = np.concatenate([found, np.where(negative, -size, size)[~(negative & (size == 0))]])
    return found[:n]


def uniform_below(end: int, n: int, bits: RandomBits) -> Whole:
    """Return n independent whole numbers (n,) uniform on 0, …, end − 1, for end ≤ 2⁶²."""
    digits = max((end - 1).bit_length(), 1)
    found: Whole = np.empty(0, dtype=np.int64)
    while len(found) < n:
        tried = (bits.words(2 * (n - len(found)) + 8) >> np.uint64(WORD - digits)).astype(np.int64)
        found = np.concatenate([found, tried[tried < end]])
    return found[:n]


class Normals:
    """n independent standard normal numbers, of which as many binary digits are drawn as needed.

    Karney 2016, "Sampling exactly from the normal distribution", ACM TOMS 42(1):3. A number is
    ±(k + u): k geometric with P(k ≥ j) = e^(−j/2), u uniform in [0, 1), accepted with probability
    e^(−γ), γ = k(k − 1)/2 + u(2k + u)/2. The decision holds for every continuation of the digits
    that were drawn, so those to come are uniform still.
    """

    def __init__(self, n: int, bits: RandomBits) -> None:
        self.digits, self._bits = bits.prefix, bits
        self._spare: dict[int, list[int]] = {}
        """Words of digits that a decision needed, by the number's place: they are used first."""
        sizes: list[int] = []
        while len(sizes) < n:
            # Of a hundred 48 are accepted.
            tried = int((n - len(sizes)) * 2.2) + 16
            k, (u, v) = geometric(tried, 2, bits), np.split(bits.uniforms(2 * tried), 2)
            accepted, spare = self._accepted(k, u, v)
            for i in np.flatnonzero(accepted)[: n - len(sizes)].tolist():
                if i in spare:
                    self._spare[len(sizes)] = spare[i]
                sizes.append((int(k[i]) << bits.prefix) + int(u[i]))
        self._size = np.array(sizes, dtype=object)
        self._negative = bits.signs(n)

    def floors(self) -> BigWhole:
        """Return whole numbers g (n,): each number is in [g, g + 1]·2^−digits."""
        return np.asarray(np.where(self._negative, -self._size - 1, self._size))

    def refine(self) -> None:
        """Draw 64 digits more of every number."""
        more = self._bits.words(len(self._size)).astype(object)
        for i, words in self._spare.items():
            if words:
                # The word that was just drawn in its place is dropped: it is independent of all.
                more[i] = words.pop(0)
        self._size = (self._size << WORD) + more
        self.digits += WORD

    def _accepted(
        self, k: Whole, u: Words, v: Words
    ) -> tuple[NDArray[np.bool_], dict[int, list[int]]]:
        """Tell which are accepted; and words of digits of u that were drawn for it."""
        unit = self._bits.unit
        x, uniform = u.astype(np.float64) * unit, v.astype(np.float64) * unit
        gamma = k * (k - 1.0) / 2 + x * (2 * k + x) / 2
        chance = np.exp(-gamma)
        margin = chance * ((gamma + 1) * 2.0**-48 + (k + 2.0) * 2 * unit)
        margin += 2 * unit + uniform * 2.0**-50
        yes, spare = uniform + margin < chance, {}
        for i in np.flatnonzero(~yes & (uniform - margin < chance)):
            yes[i], spare[int(i)] = self._decided(int(k[i]), int(u[i]), int(v[i]))
        return yes, spare

    def _decided(self, k: int, u: int, v: int) -> tuple[bool, list[int]]:
        """Decide V < e^(−γ) for every u that begins with these digits; return those added to it."""
        p, words = self._bits.prefix, list[int]()
        while True:
            under, fixed = 1 << (2 * p + 1), (k * (k - 1)) << (2 * p)
            least, most = (fixed + end * ((k << (p + 1)) + end) for end in (u, u + 1))
            if v + 1 <= exponential_bounds(most, under, p)[0]:
                return True, words
            if v >= exponential_bounds(least, under, p)[1]:
                return False, []
            words.append(self._bits.word())
            u, v, p = u << WORD | words[-1], v << WORD | self._bits.word(), p + WORD


def rounded_gaussian(scale: int, n: int, bits: RandomBits) -> Whole:
    """Return ⌊scale·x + ½⌋ (n,) for exact standard normal x, scale whole and above 0."""
    parts = [np.empty(0, np.int64)]
    for start in range(0, n, _AT_A_TIME):
        numbers = Normals(min(_AT_A_TIME, n - start), bits)
        while True:
            numbers.refine()
            floors, half = numbers.floors(), 1 << (numbers.digits - 1)
            low = floors * scale + half >> numbers.digits
            # A number reaches the end of its interval with probability 0.
            if (low == (floors + 1) * scale + half - 1 >> numbers.digits).all():
                break
        parts.append(wrapped(low))
    return np.concatenate(parts)


def wishart_difference(scale: int, d: int, bits: RandomBits) -> Whole:
    """Return ⌊scale·(G₁G₁ᵀ − G₂G₂ᵀ) + ½⌋ (d, d); G₁ and G₂ (d, d + 1) standard normal.

    With digits cut off, each product of two numbers g, h in units of 2^−p is right to |g| + |h| + 1
    units of 2^−2p, and an entry has 2(d + 1) of them.
    """
    numbers = Normals(2 * d * (d + 1), bits)
    while True:
        numbers.refine()
        one, two = floors = numbers.floors().reshape(2, d, d + 1)
        products, digits = one @ one.T - two @ two.T, 2 * numbers.digits
        error, half = 2 * (d + 1) * (2 * int(np.abs(floors).max()) + 1), 1 << (digits - 1)
        low, high = ((products + side) * scale + half >> digits for side in (-error, error))
        if (low == high).all():
            return wrapped(low)


def laplace_vector(scale: int, n: int, bits: RandomBits) -> Whole:
    """Return discrete Laplace noise (n,), modulo 2⁶⁴."""
    return wrapped(discrete_laplace(scale, n, bits))


def symmetric(diagonal: Whole, above: Whole) -> Whole:
    """Put noise into the diagonal (d,) and both triangles of a matrix, row by row."""
    noise, upper = np.diag(diagonal), np.triu_indices(len(diagonal), 1)
    noise[upper] = noise.T[upper] = above
    return noise


def wrapped(values: BigWhole) -> Whole:
    """Return whole numbers modulo 2⁶⁴, as int64: a function of the release, never an error."""
    half = 1 << (WORD - 1)
    return np.asarray((values + half) % (1 << WORD) - half).astype(np.int64)


def _ceil(over: int, under: int) -> int:
    return -(-over // under)
