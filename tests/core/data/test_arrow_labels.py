"""Persons and categories of Parquet files: exact texts of any value, and never an error."""

import io
import itertools
from datetime import date, datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.types as t
import pytest

from dpca_core.data.arrow_labels import arrow_labels
from dpca_core.data.labels import as_text
from dpca_core.data.recipe import Category, Combine, Number, Reading, Recipe
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from dpca_core.readers.table import read_table
from dpca_core.streaming.second_moment import second_moment

NUMBERS = (Number("a", -1, 1), Number("b", -1, 1))
PLAIN = Recipe(NUMBERS, radius=1.0, bounds_are_public=True)
RECIPES = {
    "person": Recipe(NUMBERS, person=("p",), radius=1.0, bounds_are_public=True),
    "person, at most one": Recipe(
        NUMBERS, person=("p",), combine=Combine.AT_MOST, radius=1.0, bounds_are_public=True
    ),
    "category": Recipe(
        NUMBERS, (Category("p", ("1", "0", "inf", "x", "[1]")),), bounds_are_public=True
    ),
    "number": Recipe((*NUMBERS, Number("p", 0, 5)), bounds_are_public=True),
}


def upload(column, a=None, b=None):
    rows = len(column)
    a = np.linspace(-1, 1, rows) if a is None else a
    kept = io.BytesIO()
    pq.write_table(pa.table({"a": a, "b": a if b is None else b, "p": column}), kept)
    return Upload("t.parquet", kept.getvalue())


def total(given, recipe):
    return prepare(given, recipe, "t", Reading.TOTAL)


# --- Different values are different persons ---

ONE, OTHER = 2**63, 2**63 + 1
LONG = {
    "uint64": pa.array([ONE, OTHER], pa.uint64()),
    "uint64, one missing": pa.array([ONE, OTHER, None], pa.uint64()),
    "decimal": pa.array([Decimal(ONE), Decimal(OTHER)], pa.decimal128(20, 0)),
    "decimal of 76 digits": pa.array([Decimal(10**75), Decimal(10**75 + 1)], pa.decimal256(76, 0)),
    "decimal with places": pa.array(
        [Decimal("0.30000000000000001"), Decimal("0.30000000000000002")], pa.decimal128(20, 17)
    ),
    "dictionary": pa.array([ONE, OTHER], pa.uint64()).dictionary_encode(),
    "dictionary of decimals": pa.array(
        [Decimal(ONE), Decimal(OTHER)], pa.decimal128(20, 0)
    ).dictionary_encode(),
    "nanoseconds of a clock": pa.array([1, 2], pa.time64("ns")),
    "bytes that are no text": pa.Array.from_buffers(
        pa.string(), 2,
        [None, pa.py_buffer(np.array([0, 3, 6], "i4")), pa.py_buffer(b"M\xfcrM\xf6r")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("recipe", ["person", "person, at most one"])
def test_close_identifiers_are_different_persons(kind, recipe):
    column = LONG[kind]
    rest = [0.0] * (len(column) - 2)
    data = total(upload(column, [1.0, 0.0, *rest], [0.0, 1.0, *rest]), RECIPES[recipe])
    assert data.people == 2
    assert np.allclose(data.moment, np.eye(2))


@pytest.mark.parametrize("kind", ["uint64", "uint64, one missing", "decimal", "dictionary"])
def test_close_identifiers_are_different_in_a_table_in_memory(kind):
    column = LONG[kind]
    given = upload(column, np.linspace(0.1, 0.9, len(column)))
    data = total(read_table("t.parquet", given.content), RECIPES["person"])
    assert data.people == 2


@pytest.mark.parametrize("kind", [pa.uint64(), pa.decimal128(20, 0)])
def test_close_categories_are_different(kind, tmp_path):
    values = [ONE, OTHER] if kind == pa.uint64() else [Decimal(ONE), Decimal(OTHER)]
    given = upload(pa.array(values, kind), [0.0, 0.0])
    recipe = Recipe(
        NUMBERS, (Category("p", (str(ONE), str(OTHER))),), radius=1.0, bounds_are_public=True
    )
    (tmp_path / "t.parquet").write_bytes(given.content)
    for moment in (
        total(given, recipe).moment,
        second_moment(tmp_path / "t.parquet", recipe).moment,
    ):
        assert np.allclose(moment, np.diag([0, 0, 1, 1]))


def test_a_number_has_the_same_text_in_every_type():
    """Decimals as data frames have them, too: by their value, not by their places."""
    for text in ("1", "-3", "0.25", "1.5", "123456.789", "-0.1", "0"):
        exact = Decimal(text).quantize(Decimal("1.000"))
        columns = [pd.Series([float(text)]), pd.Series([exact]), pd.Series([Decimal(text)])]
        assert {as_text(column)[0] for column in columns} == {text}
    large = [Decimal(ONE), Decimal(OTHER), Decimal("0.1234567890123456789")]
    assert as_text(pd.Series(large)).tolist() == [str(value) for value in large]
    assert as_text(pd.Series([Decimal("1E+9999999"), Decimal("Infinity")])).nunique() == 2


# --- Any value of any type ---

ENDS = {bits: (0, 1, -1, 2 ** (bits - 1) - 1, -(2 ** (bits - 1))) for bits in (8, 16, 32, 64)}


def nested(kind, values):
    """A list, a structure and a map of each value, and the plain array."""
    leaves = pa.array(values, kind)
    at = pa.array(range(len(values) + 1), pa.int32())
    yield leaves
    yield pa.ListArray.from_arrays(at, leaves)
    yield pa.StructArray.from_arrays([leaves], ["x"])
    yield pa.MapArray.from_arrays(at, pa.array(["k"] * len(values)), leaves)


def columns():
    """Extremes of all types that a file may hold, with a null and, where there is one, a NaN."""
    for bits in ENDS:
        yield from nested(getattr(pa, f"int{bits}")(), [*ENDS[bits], None])
        yield from nested(getattr(pa, f"uint{bits}")(), [0, 1, 2**bits - 1, 2**bits - 2, None])
    floats = [0.0, -0.0, 1.0, np.nan, np.inf, -np.inf, 0.1, 6e4]
    yield from nested(pa.float16(), [*np.array(floats, "f2"), None])
    yield from nested(pa.float32(), [*floats, 3e38, 1e-45, None])
    yield from nested(pa.float64(), [*floats, 1e308, 5e-324, 2.0**63, -(2.0**63), 1e22, None])
    yield from nested(pa.bool_(), [True, False, None])
    yield from nested(pa.null(), [None, None])
    for digits, places in ((1, 0), (20, 0), (38, 38), (38, 4)):
        most, exact = Decimal(f"{'9' * digits}E-{places}"), Decimal(f"1E-{places}")
        yield from nested(
            pa.decimal128(digits, places), [most, most.copy_negate(), exact, Decimal(0), None]
        )
    huge = pa.array(["9" * 76, "-" + "9" * 76, "1", None]).cast(pa.decimal256(76, 0))
    yield huge
    yield huge.dictionary_encode()
    yield from nested(pa.date32(), [*ENDS[32], 4_000_000, -800_000, 18_000, None])
    yield pa.array([0, 86_400_000, 4_000_000 * 86_400_000, None], pa.date64())
    # Arrow writes seconds of a clock as milliseconds, in 32 bits.
    yield from nested(pa.time32("s"), [0, 1, 3600, 86_400, -1, None])
    yield from nested(pa.time32("ms"), [*ENDS[32], 3600, None])
    for unit, zone in itertools.product(
        ("s", "ms", "us", "ns"), (None, "UTC", "Europe/Berlin", "+14:00")
    ):
        most = 2**63 // 1000 - 1 if unit == "s" else 2**63 - 1
        far = [0, 1, -1, most, -most, 253402300800 * 1000, -62135596801, None]
        yield from nested(pa.timestamp(unit, zone), far)
    for unit in ("us", "ns"):
        yield from nested(pa.time64(unit), [*ENDS[64], 1001, None])
    for unit in ("s", "ms", "us", "ns"):
        yield from nested(pa.duration(unit), [*ENDS[64], 10**9, None])
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        yield from nested(
            kind, ["x", " x ", "", "nan", "1", "1.0", "\x00", "\U0010fffc", "ü", None]
        )
    raw = pa.array([b"x", b"\xff", b"", b"\xfe", None], pa.binary())
    yield from (raw, raw.cast(pa.large_binary()), raw.dictionary_encode())
    yield pa.array([b"abcd", b"\xff\xff\xff\xff", None], pa.binary(4))
    bad = pa.Array.from_buffers(
        pa.string(),
        4,
        [None, pa.py_buffer(np.array([0, 1, 2, 3, 5], "i4")), pa.py_buffer(b"\xff\xfex\xc3\x28")],
    )
    yield from (bad, pa.ListArray.from_arrays(pa.array(range(5), pa.int32()), bad))
    yield from (bad.dictionary_encode(), pa.array(["x", None, "1"]).dictionary_encode())
    yield pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1]), pa.array(["x", None, "x"]))
    for kind, storage in (
        (pa.json_(), pa.array(["{}", "1", None])),
        (pa.uuid(), pa.array([b"0" * 16, b"1" * 16, None], pa.binary(16))),
        (pa.bool8(), pa.array([0, 1, None], pa.int8())),
    ):
        yield pa.ExtensionArray.from_storage(kind, storage)


@pytest.mark.parametrize("column", list(columns()), ids=lambda column: str(column.type)[:60])
def test_no_value_is_refused_and_each_counts_by_itself(column):
    texts = arrow_labels(column).each()
    assert texts == [arrow_labels(column[i : i + 1]).each()[0] for i in range(len(column))]
    assert all(text is None or isinstance(text, str) for text in texts)
    exact = (t.is_integer, t.is_decimal, t.is_boolean, t.is_temporal, t.is_fixed_size_binary)
    if any(test(column.type) for test in exact):
        assert len({*texts} - {None}) == len(column.drop_null().unique())
    try:
        a = np.linspace(-1, 1, len(column))
        given = [upload(column[cut], a[cut]) for cut in (slice(None), slice(1), slice(1, None))]
    except pa.ArrowNotImplementedError:
        # Arrow cuts or writes no such column, so no file of its holds one: its texts are checked.
        coded = t.is_dictionary(column.type) and column.dictionary.null_count > 0
        assert coded or "string_view" in str(column.type)
        return
    for name, recipe in RECIPES.items():
        whole, first, rest = (total(part, recipe) for part in given)
        if recipe.person:
            assert whole.people == max(len({*texts} - {None, ""}), 1), name
        else:
            assert np.allclose(whole.moment, first.moment + rest.moment, atol=1e-12), name


def test_usual_times_are_written_as_data_frames_have_them():
    columns = [
        pa.array([date(2020, 1, 2), date(1900, 2, 1)]),
        pa.array([datetime(2020, 1, 2, 3, 4, 5), datetime(2020, 1, 2, 3, 4, 5, 600)]),
        pa.array([0, 5, 86_399_000_000], pa.time64("us")),
        pa.array([0, 10**9 + 1], pa.timestamp("ns", "Europe/Berlin")),
        pa.array([1, 90_000], pa.duration("s")),
    ]
    for column in columns:
        texts = tuple(as_text(column.to_pandas()))
        recipe = Recipe(NUMBERS, (Category("p", texts),), bounds_are_public=True)
        data = total(upload(column), recipe)
        assert (data.rows[:, 2:] > 0).tolist() == np.eye(len(texts), dtype=bool).tolist()


def test_data_frames_of_arrow_columns_too():
    kinds = [
        pa.array([1.0, float("nan"), None]), pa.array([4_000_000, 0, None], pa.date32()),
        pa.array([2**63, 2**63 + 1, None], pa.uint64()), pa.nulls(3),
    ]  # fmt: skip
    for column in kinds:
        frame = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.2, 0.3]})
        frame["p"] = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([column])))
        for recipe in RECIPES.values():
            assert total(frame, recipe).people <= 3
