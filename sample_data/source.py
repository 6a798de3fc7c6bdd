"""A built-in data set: what the catalogue tells of it, its parameters and its key."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from dpca_core.analysis.direction_words import ColumnWords
from dpca_core.data.column_names import label
from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import FREE, SIZE, Disclosure, Mark, Unit
from dpca_core.mechanisms.mechanism import Parameter

Contents = dict[str, Any]
"""Fields of a ``Dataset`` that the catalogue does not tell: rows, columns, what was disclosed."""
_MOST_PARAMETERS, _MOST_VALUES = 20, 20_000_000
"""Parameters in a key, and values that are made for one."""


@dataclass(frozen=True)
class Source:
    """A built-in data set: where it comes from and how to load it.

    Attributes
    ----------
    load
        Called with the parameters' values.
    parameters
        Settings of a synthetic set: "n" people, "d" or "p" columns, "k" strong directions, others.
    column_words
        Public words for the ends of columns, by a column's name; not of every column.
    has_rows
        False where only the sum over all rows comes with the product.
    """

    key: str
    name: str
    short: str
    description: str
    origin: str
    licence: str
    default_k: int
    load: Callable[..., Contents]
    unit: Unit
    parameters: tuple[Parameter, ...]
    column_words: Mapping[str, ColumnWords]
    has_rows: bool = True

    def make(self, values: Mapping[str, float] | None = None) -> Dataset:
        """Load the set, with its default parameters unless others are given.

        Raises
        ------
        ValueError
            For a parameter that is unknown or outside its range.
        """
        chosen = self.checked(values or {})
        contents = self.load(**chosen)
        found: tuple[Disclosure, ...] = (*contents.pop("disclosures"), _PUBLIC_SIZE)
        return Dataset(
            key=self.key_with(chosen),
            name=self.name,
            short=self.short,
            unit=self.unit,
            disclosures=found,
            private=all(one.mark is not Mark.READS for one in found),
            synthetic=bool(self.parameters),
            public=True,
            origin=self.origin,
            licence=self.licence,
            **contents,
        )

    def checked(self, values: Mapping[str, float]) -> dict[str, float]:
        """All parameters: those given, whole numbers where the default is one.

        Raises
        ------
        ValueError
            With one sentence, for every choice with which ``load`` would fail.
        """
        known = {p.name: p for p in self.parameters}
        if unknown := sorted(set(values) - set(known)):
            raise ValueError(f"{self.name} has no setting called “{label(unknown[0])}”.")
        chosen = {p.name: _value(p, values.get(p.name, p.default)) for p in self.parameters}
        n, d, k = chosen.get("n", 0), chosen.get("d", chosen.get("p", 0)), chosen.get("k", 0)
        if n * d > _MOST_VALUES:
            raise ValueError(
                f"{n:,} rows × {d} columns are too many: at most {_MOST_VALUES:,} values."
            )
        if d and k >= d:
            raise ValueError(f"There must be fewer strong directions than columns, not {k} of {d}.")
        return chosen

    def key_with(self, values: Mapping[str, float]) -> str:
        """Return a key that says everything: "wangxu?p=80" where p is not its default."""
        default = {p.name: p.default for p in self.parameters}
        other = {n: f"{v:g}" for n, v in values.items() if v != default[n]}
        return f"{self.key}?{urlencode(other)}" if other else self.key


def _value(parameter: Parameter, value: float) -> float:
    low, high, name = parameter.low, parameter.high, parameter.label
    if not low <= value <= high:
        raise ValueError(f"{name} must be {low:g} to {high:g}, not {value:g}.")
    if not isinstance(parameter.default, int):
        return value
    if value != int(value):
        raise ValueError(f"{name} must be a whole number, not {value:g}.")
    return int(value)


def values_in(key: str) -> dict[str, float]:
    """Parameters in a key.

    Raises
    ------
    ValueError
        Where one is named twice, has no value, or is not a number.
    """
    found: dict[str, float] = {}
    text = key.partition("?")[2]
    if text.count("&") > _MOST_PARAMETERS:
        raise ValueError("The name of this data set has too many settings.")
    for name, value in parse_qsl(text, keep_blank_values=True):
        if name in found:
            raise ValueError(f"The setting “{label(name)}” is given twice: once is enough.")
        if not value:
            raise ValueError(f"The setting “{label(name)}” has no value.")
        try:
            found[name] = float(value)
        except ValueError:
            raise ValueError(f"“{label(value)}” is not a number.") from None
    return found


def fixed(name: str, text: str, measured: str = "") -> Disclosure:
    """Return a choice that reads nothing private, with what it did to these rows."""
    return Disclosure(name, Mark.NOTHING, text, FREE, measured)


def reads(name: str, text: str) -> Disclosure:
    """Return a choice that reads the data without paying for it, as the papers do."""
    return Disclosure(name, Mark.READS, f"{text}: reads private data", "not private")


BOUND, CENTRE, CATEGORIES = "Norm bound", "Centring", "Categories"
"""Names of the choices that every set discloses."""
NO_CATEGORIES = fixed(CATEGORIES, "none: every column is a number")
_PUBLIC_SIZE = fixed(SIZE, "not used: noise is added to the sum, not to the mean")
