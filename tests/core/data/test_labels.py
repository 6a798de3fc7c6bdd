"""The text of a person or a category: of any value, exact, and the same among any others."""

import datetime as dt
import io
import itertools
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.types as t
import pytest

from dpca_core.data.arrow_labels import arrow_labels
from dpca_core.data.labels import as_text
from dpca_core.data.recipe import Category, Combine, Number, Reading, Recipe, RowLength
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from dpca_core.readers.table import read_table
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.table_source import TableSource
from dpca_core.streaming.second_moment import second_moment
from tests.cases import sampled

NOON = dt.datetime(2020, 1, 1, 12, tzinfo=dt.UTC)
VALUES: dict[str, list[object]] = {
    "1": [True, np.True_, np.int8(1), 1.0, np.float16(1), Decimal("1.0"), 1 + 0j],
    "0": [False, np.uint64(0), -0.0, Decimal("-0")],
    "0.1": [0.1, np.longdouble(0.1), Decimal("0.10")],
    "0.1234567890123456789": [Decimal("0.1234567890123456789")],
    "1E+9999999": [Decimal("1E+9999999")],
    str(2**63 + 1): [Decimal(2**63 + 1)],
    "0.10000000149011612": [np.float32(0.1)],
    "(1+2j)": [1 + 2j, np.clongdouble(1 + 2j)],
    "inf": [float("inf"), np.float32("inf")],
    "1 days 00:00:00": [dt.timedelta(1), np.timedelta64(24, "h")],
    "2020-01-01 00:00:00": [dt.datetime(2020, 1, 1), np.datetime64("2020"), pd.Timestamp("2020")],
    "2020-01-01 12:00:00+00:00": [NOON, pd.Timestamp(NOON)],
    "2020-01-01": [dt.date(2020, 1, 1)],
    "(0, 1]": [pd.Interval(0, 1), pd.Interval(0.0, 1.0)],
    "1/2": [Fraction(1, 2)],
    "a": ["a", " a ", np.str_("a")],
    str(UUID(int=5)): [UUID(int=5)],
}  # fmt: skip
OTHERS = (
    None, pd.NA, pd.NaT, float("nan"), "x", 0.25, 1j, True, np.True_, 10**400, np.float32(0.7),
    np.uint64(2**63), Decimal("NaN"), Decimal("0.25"), object(), [1], (1, 2),
    np.timedelta64(1, "ns"), dt.date(2021, 1, 1), dt.datetime(2021, 1, 1), NOON,
)  # fmt: skip


@pytest.mark.parametrize("text", VALUES)
def test_no_other_row_changes_the_text_of_a_value(text):
    for value in VALUES[text]:
        found = {as_text(pd.Series([value] * 2))[0]}
        found |= {as_text(pd.Series([value, other]))[0] for other in OTHERS}
        found |= {as_text(pd.Series([value, other], dtype=object))[0] for other in OTHERS}
        assert found == {text}, repr(value)


def summed(values, kind, recipe):
    column = pd.Series(values) if kind is None else pd.Series(values, dtype=kind)
    source = TableSource([pd.DataFrame({"age": [0.0] * len(values), "c": column})], recipe)
    source.check()
    return np.asarray(exact_sums(source).T, dtype=float) / GRID**2


@pytest.mark.parametrize("text", sampled(VALUES, 4, "each value beside each other one"))
def test_a_row_more_moves_the_sum_by_its_own_length(text):
    """As a category, and as a number: 1 person in 51 moved all others' rows once.

    A duration among objects counted as a number once, and in a column of its like as none.
    """
    age, number = Number("age", -100, 100), Number("c", -2, 2)
    coded = Recipe((age,), (Category("c", (text, "?")),), bounds_are_public=True)
    plain = Recipe((age, number), bounds_are_public=True, row_length=RowLength.ONE)
    for recipe, value in itertools.product((coded, plain), VALUES[text]):
        typed, objects = (summed([value] * 50, kind, recipe) for kind in (None, object))
        assert np.trace(typed) > 0 or recipe is plain
        np.testing.assert_array_equal(objects, typed)
        for other, kind in itertools.product(OTHERS, (None, object)):
            more = summed([*[value] * 50, other], kind, recipe)
            assert np.linalg.norm(more - typed) <= 1 + 1e-9, repr((value, other))


# --- Parquet files: different values are different persons ---

NUMBERS = (Number("a", -1, 1), Number("b", -1, 1))
PERSON = Recipe(NUMBERS, person=("p",), radius=1.0, bounds_are_public=True)
RECIPES = {
    "person": PERSON,
    "person, at most one": Recipe(
        NUMBERS, person=("p",), combine=Combine.AT_MOST, radius=1.0, bounds_are_public=True
    ),
    "category": Recipe(
        NUMBERS, (Category("p", ("1", "0", "inf", "x", "[1]")),), bounds_are_public=True
    ),
    "number": Recipe((*NUMBERS, Number("p", 0, 5)), bounds_are_public=True),
}


def upload(column, a=None, b=None):
    a = np.linspace(-1, 1, len(column)) if a is None else a
    kept = io.BytesIO()
    pq.write_table(pa.table({"a": a, "b": a if b is None else b, "p": column}), kept)
    return Upload("t.parquet", kept.getvalue())


def total(given, recipe):
    return prepare(given, recipe, "t", Reading.TOTAL)


def no_texts(ends, content):
    """Return a column of text whose bytes are none."""
    places = pa.py_buffer(np.array(ends, "i4"))
    return pa.Array.from_buffers(pa.string(), len(ends) - 1, [None, places, pa.py_buffer(content)])


ONE, OTHER = 2**63, 2**63 + 1
WHOLE = pa.array([Decimal(ONE), Decimal(OTHER)], pa.decimal128(20, 0))
PLACES = [Decimal("0.30000000000000001"), Decimal("0.30000000000000002")]
LONG = {
    "uint64": pa.array([ONE, OTHER], pa.uint64()),
    "uint64, one missing": pa.array([ONE, OTHER, None], pa.uint64()),
    "decimal": WHOLE,
    "dictionary": WHOLE.dictionary_encode(),
    "decimal with places": pa.array(PLACES, pa.decimal128(20, 17)),
    "bytes that are no text": no_texts([0, 3, 6], b"M\xfcrM\xf6r"),
}
IN_MEMORY = ("uint64", "uint64, one missing", "decimal")


@pytest.mark.parametrize("kind", LONG)
def test_close_identifiers_are_different_persons(kind):
    column = LONG[kind]
    rest = [0.0] * (len(column) - 2)
    given = upload(column, [1.0, 0.0, *rest], [0.0, 1.0, *rest])
    tables = [read_table("t.parquet", given.content)] if kind in IN_MEMORY else []
    for table in (given, *tables):
        data = total(table, PERSON)
        assert data.people == 2
        assert np.allclose(data.moment, np.eye(2))


@pytest.mark.parametrize("kind", ["uint64", "decimal"])
def test_close_categories_are_different(kind, tmp_path):
    given, values = upload(LONG[kind], [0.0, 0.0]), (str(ONE), str(OTHER))
    recipe = Recipe(NUMBERS, (Category("p", values),), radius=1.0, bounds_are_public=True)
    (tmp_path / "t.parquet").write_bytes(given.content)
    assert np.allclose(total(given, recipe).moment, np.diag([0, 0, 1, 1]))
    found = second_moment(tmp_path / "t.parquet", recipe).moment
    assert np.allclose(found, np.diag([0, 0, 1, 1]))


# --- Parquet files: any value of any type ---

ENDS = {bits: (0, 1, -1, 2 ** (bits - 1) - 1, -(2 ** (bits - 1))) for bits in (8, 16, 32, 64)}


def columns():
    """Extremes of all types that a file may hold, with a null and, where there is one, a NaN."""
    for bits in ENDS:
        yield pa.array([*ENDS[bits], None], getattr(pa, f"int{bits}")())
        unsigned = pa.array([0, 1, 2**bits - 1, 2**bits - 2, None], getattr(pa, f"uint{bits}")())
        yield from (unsigned, pa.ListArray.from_arrays(pa.array(range(6), pa.int32()), unsigned))
    floats = [0.0, -0.0, 1.0, np.nan, np.inf, -np.inf, 0.1, 6e4]
    yield pa.array([*np.array(floats, "f2"), None], pa.float16())
    yield pa.array([*floats, 3e38, 1e-45, None], pa.float32())
    most = pa.array([*floats, 1e308, 5e-324, 2.0**63, -(2.0**63), 1e22, None])
    yield from (most, pa.StructArray.from_arrays([most], ["x"]))
    yield from (pa.array([True, False, None]), pa.nulls(2))
    for digits, places in ((1, 0), (38, 38), (38, 4)):
        most, exact = Decimal(f"{'9' * digits}E-{places}"), Decimal(f"1E-{places}")
        decimals = [most, most.copy_negate(), exact, Decimal(0), None]
        yield pa.array(decimals, pa.decimal128(digits, places))
    huge = pa.array(["9" * 76, "-" + "9" * 76, "1", None]).cast(pa.decimal256(76, 0))
    yield from (huge, huge.dictionary_encode())
    yield pa.array([*ENDS[32], 4_000_000, -800_000, 18_000, None], pa.date32())
    yield pa.array([0, 86_400_000, 4_000_000 * 86_400_000, None], pa.date64())
    # Arrow writes seconds of a clock as milliseconds, in 32 bits.
    yield pa.array([0, 1, 3600, 86_400, -1, None], pa.time32("s"))
    for unit, zone in (("s", "+14:00"), ("ms", None), ("us", "UTC"), ("ns", "Europe/Berlin")):
        most = 2**63 // 1000 - 1 if unit == "s" else 2**63 - 1
        far = [0, 1, -1, most, -most, 253402300800 * 1000, -62135596801, None]
        yield pa.array(far, pa.timestamp(unit, zone))
    for kind in (pa.time64("us"), pa.time64("ns"), pa.duration("s"), pa.duration("ns")):
        yield pa.array([*ENDS[64], 1001, None], kind)
    texts = ["x", " x ", "", "nan", "1", "1.0", "\x00", "\U0010fffc", "ü", None]
    yield from (pa.array(texts, kind()) for kind in (pa.string, pa.large_string, pa.string_view))
    raw = pa.array([b"x", b"\xff", b"", b"\xfe", None], pa.binary())
    yield from (raw, raw.cast(pa.large_binary()), raw.dictionary_encode())
    yield pa.array([b"abcd", b"\xff\xff\xff\xff", None], pa.binary(4))
    bad = no_texts([0, 1, 2, 3, 5], b"\xff\xfex\xc3\x28")
    yield from (bad, pa.ListArray.from_arrays(pa.array(range(5), pa.int32()), bad))
    yield from (bad.dictionary_encode(), pa.array(["x", None, "1"]).dictionary_encode())
    yield pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1]), pa.array(["x", None, "x"]))
    uuids = pa.array([b"0" * 16, b"1" * 16, None], pa.binary(16))
    yield pa.ExtensionArray.from_storage(pa.uuid(), uuids)
    yield pa.ExtensionArray.from_storage(pa.json_(), pa.array(["{}", "1", None]))
    yield pa.ExtensionArray.from_storage(pa.bool8(), pa.array([0, 1, None], pa.int8()))


@pytest.mark.parametrize(
    "column", sampled(columns(), 7, "every type"), ids=lambda column: str(column.type)[:60]
)
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


def test_data_frames_of_arrow_columns_too():
    nan, late = pa.array([1.0, float("nan"), None]), pa.array([4_000_000, 0, None], pa.date32())
    for column in (nan, late, LONG["uint64, one missing"], pa.nulls(3)):
        frame = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.2, 0.3]})
        frame["p"] = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([column])))
        for recipe in RECIPES.values():
            assert total(frame, recipe).people <= 3
