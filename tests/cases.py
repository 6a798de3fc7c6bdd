"""Many alike cases of one test: a few stay in the gate, the long run has them all."""

import pytest
from _pytest.mark.structures import ParameterSet


def sampled(cases, every, reason):
    """Keep the first of ``every`` cases in the gate and mark the others as long.

    A tuple holds one value for each argument, as in ``pytest.mark.parametrize``. Which cases can
    fail in a way of their own is better said by hand: put these first.
    """
    long = pytest.mark.long(reason)
    return [_with(case, [] if i % every == 0 else [long]) for i, case in enumerate(cases)]


def _with(case, marks):
    if isinstance(case, ParameterSet):
        return pytest.param(*case.values, id=case.id, marks=[*case.marks, *marks])
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks)
