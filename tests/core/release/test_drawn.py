"""Released tables as bytes: the same for the same numbers, and nothing else is read."""

import numpy as np
import pytest

from dpca_core.release.drawn import Drawn, DrawnError, from_bytes, to_bytes


def drawn(d: int, means: bool, bins: tuple[int, int] | None) -> Drawn:
    rng = np.random.default_rng(d)
    whole = rng.integers(-(2**63), 2**63 - 1, (d, d), dtype=np.int64)
    return Drawn(
        np.triu(whole) + np.triu(whole, 1).T,
        rng.integers(-9, 9, d + 1) if means else None,
        rng.integers(-9, 9, bins) if bins else None,
    )


@pytest.mark.parametrize("d", [1, 2, 19])
@pytest.mark.parametrize("means", [False, True])
@pytest.mark.parametrize("bins", [None, (5, 50)])
def test_bytes_give_the_tables_back(d, means, bins):
    tables = drawn(d, means, bins)
    content = to_bytes(tables)
    back = from_bytes(content)
    assert to_bytes(back) == content
    assert np.array_equal(back.matrix, tables.matrix)
    for one, other in ((back.means, tables.means), (back.counts, tables.counts)):
        assert (one is None) == (other is None)
        assert one is None or np.array_equal(one, other)


def test_order_in_memory_does_not_matter():
    tables = drawn(7, True, (5, 6))
    other = Drawn(np.asfortranarray(tables.matrix), tables.means, tables.counts)
    assert to_bytes(other) == to_bytes(tables)


GOOD = to_bytes(drawn(3, True, (5, 5)))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        GOOD[:-1],
        GOOD + b"\0",
        GOOD.replace(b"drawn/1", b"drawn/2"),
        GOOD.replace(b'"columns":3', b'"columns":-3'),
        GOOD.replace(b'"columns":3', b'"columns":9e9'),
        GOOD.replace(b'"means":true', b'"means": true'),
        GOOD.replace(b'{"bins"', b'{"more":1,"bins"'),
    ],
)
def test_damaged_bytes_are_refused(content):
    with pytest.raises(DrawnError, match="damaged"):
        from_bytes(content)


def test_a_table_of_another_shape_or_kind_is_refused():
    good = drawn(3, False, None)
    for bad in (
        Drawn(good.matrix[:2]),
        Drawn(good.matrix + np.triu(np.ones((3, 3), dtype=np.int64), 1)),
        Drawn(good.matrix.astype(float)),
        Drawn(good.matrix, means=np.zeros(3, dtype=np.int64)),
        Drawn(good.matrix, counts=np.zeros(3, dtype=np.int64)),
    ):
        with pytest.raises(ValueError, match=r"must be|hold"):
            to_bytes(bad)
