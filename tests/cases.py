"""Many alike cases of one test: a few stay in the gate, the long run has them all."""

import pytest


def sampled(cases, every, reason):
    """Keep the first of ``every`` cases in the gate and mark the others as long.

    A tuple holds one value for each argument, as in ``pytest.mark.parametrize``. Which cases can
    fail in a way of their own is better said by hand: put these first.
    """
    long = pytest.mark.long(reason)
    values = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*v, marks=[long] if i % every else []) for i, v in enumerate(values)]
