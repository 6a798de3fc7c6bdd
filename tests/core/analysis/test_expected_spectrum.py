"""The spectra that a data owner expects, by two public answers."""

import numpy as np
import pytest

from dpca_core.analysis.expected_spectrum import Expectation, expected_shares, expected_spectrum


@pytest.mark.parametrize("expectation", Expectation)
def test_every_expectation_is_a_spectrum_at_every_number_of_columns(expectation):
    for d in range(2, 301):
        shares = expected_shares(expectation, d)
        spectrum = expected_spectrum(shares, d)
        assert (len(spectrum), spectrum.sum()) == (d, pytest.approx(1, rel=1e-12))
        assert (np.diff(spectrum) <= 1e-12).all()
        assert spectrum[-1] > 0
        assert spectrum[len(shares) - 1] > spectrum[len(shares)], "no tie with what is left"


def test_what_is_left_falls_in_equal_steps_and_never_passes_the_last_share():
    spectrum = expected_spectrum((0.36, 0.12, 0.115, 0.07), 19)
    np.testing.assert_allclose(spectrum[:4], [0.36, 0.12, 0.115, 0.07])
    np.testing.assert_allclose(np.diff([*spectrum[4:], 0.0]), -0.335 / 120)
    np.testing.assert_allclose(expected_spectrum((0.6, 0.4), 4), [0.6, 0.4, 0, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("shares", "d", "words"),
    [
        ((0.01,) * 21, 100, "1 to 20 directions"),
        ((0.2, 0.6), 4, "largest share first"),
        ((0.6, 0.5), 4, "sum to 110"),
        ((0.3, 0.2), 3, "leave 50\u00a0% for 1 more direction,"),
    ],
)
def test_what_is_no_spectrum_is_refused_in_one_sentence(shares, d, words):
    with pytest.raises(ValueError, match=rf"\A[^\n]*{words}[^\n]*\.\Z"):
        expected_spectrum(shares, d)
