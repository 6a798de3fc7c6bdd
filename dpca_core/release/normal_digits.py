"""Exact standard normal numbers, of which as many binary digits are drawn as somebody needs.

Karney 2016, "Sampling exactly from the normal distribution", ACM TOMS 42(1):3, with decisions in
floats where these are certain. A number is ±(k + u): k geometric with P(k ≥ j) = e^{−j/2}, and u
uniform in [0, 1), accepted with probability e^{−γ}, γ = k(k − 1)/2 + u(2k + u)/2. Proof:
docs/release.md.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpca_core.release.exact_decisions import PREFIX, geometric, uniform_digits
from dpca_core.release.exponential_bounds import exponential_bounds
from dpca_core.release.grid import Whole
from dpca_core.release.random_bits import WORD, Bits, Words

WholeOfAnySize = NDArray[Any]
"""Python's integers in an array of objects."""

_TRIES = 2.2
"""Numbers to try for one that is accepted, and a few more: of a hundred 48 are."""


class NormalDigits:
    """n independent standard normal numbers, each known to some binary digits.

    The decision to accept holds for every continuation of the digits drawn so far, so those to come
    are uniform still: ``refine`` draws them.

    Parameters
    ----------
    prefix
        Binary digits that are drawn at first; fewer than ``PREFIX`` for tests only.
    """

    def __init__(self, n: int, bits: Bits, prefix: int = PREFIX) -> None:
        self.digits = prefix
        self._bits = bits
        self._spare: dict[int, tuple[int, int]] = {}
        k, u = self._accepted(n, prefix)
        self._size = k.astype(object) * (1 << prefix) + u.astype(object)
        self._negative = (bits.words(n) >> np.uint64(WORD - 1)).astype(bool)

    def floors(self) -> WholeOfAnySize:
        """Return whole numbers g (n,): each number is in [g, g + 1]·2^−digits."""
        return np.asarray(np.where(self._negative, -self._size - 1, self._size))

    def refine(self) -> None:
        """Draw 64 digits more of every number; those that a decision needed come first."""
        more = self._bits.integers(len(self._size), WORD)
        for i, (known, count) in list(self._spare.items()):
            # What is not needed of the new digits is dropped: they are independent of all else.
            if count <= WORD:
                more[i] = (known << (WORD - count)) | (more[i] >> count)
                del self._spare[i]
            else:
                rest = count - WORD
                more[i] = known >> rest
                self._spare[i] = (known & ((1 << rest) - 1), rest)
        self._size = self._size * (1 << WORD) + np.array(more, dtype=object)
        self.digits += WORD

    def _accepted(self, n: int, prefix: int) -> tuple[Whole, Words]:
        """Return k and the first digits of u (n,) of n accepted numbers."""
        ks, us, have = [np.empty(0, np.int64)], [np.empty(0, np.uint64)], 0
        while have < n:
            tried = int((n - have) * _TRIES) + 16
            k = geometric(tried, 2, self._bits, prefix)
            u, v = np.split(uniform_digits(2 * tried, self._bits, prefix), 2)
            yes, spare = self._decided(k, u, v, prefix)
            kept = np.flatnonzero(yes)[: n - have]
            places = {int(i): have + place for place, i in enumerate(kept)} if spare else {}
            self._spare.update({places[i]: found for i, found in spare.items() if i in places})
            ks.append(k[kept])
            us.append(u[kept])
            have += len(kept)
        return np.concatenate(ks), np.concatenate(us)

    def _decided(
        self, k: Whole, u: Words, v: Words, prefix: int
    ) -> tuple[NDArray[np.bool_], dict[int, tuple[int, int]]]:
        """Tell which are accepted; and digits of u that were drawn for it, as (digits, count)."""
        unit = 2.0**-prefix
        x, uniform = u.astype(np.float64) * unit, v.astype(np.float64) * unit
        gamma = k * (k - 1.0) / 2 + x * (2 * k + x) / 2
        chance = np.exp(-gamma)
        margin = chance * ((gamma + 1) * 2.0**-48 + (k + 2.0) * 2 * unit)
        margin += 2 * unit + uniform * 2.0**-50
        yes, spare = uniform + margin < chance, {}
        for i in np.flatnonzero(~yes & (uniform - margin < chance)):
            yes[i], digits, count = self._exactly(int(k[i]), int(u[i]), int(v[i]), prefix)
            if yes[i] and count:
                spare[int(i)] = (digits, count)
        return yes, spare

    def _exactly(self, k: int, u: int, v: int, prefix: int) -> tuple[bool, int, int]:
        """Decide V < e^{−γ} in whole numbers, for every u that begins with these digits.

        Returns whether it is, and the digits of u that were added, with their number.
        """
        p = prefix
        while True:
            under = 1 << (2 * p + 1)
            fixed = (k * (k - 1)) << (2 * p)
            least = fixed + u * ((k << (p + 1)) + u)
            most = fixed + (u + 1) * ((k << (p + 1)) + u + 1)
            if v + 1 <= exponential_bounds(most, under, p)[0]:
                return True, u & ((1 << (p - prefix)) - 1), p - prefix
            if v >= exponential_bounds(least, under, p)[1]:
                return False, 0, 0
            u = (u << WORD) | self._bits.integer(WORD)
            v = (v << WORD) | self._bits.integer(WORD)
            p += WORD
