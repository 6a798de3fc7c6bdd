"""The built-in data sets: real ones with origin and licence, and the papers' synthetic ones."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from dpca_core.analysis.direction_words import ColumnWords
from dpca_core.data.column_names import label
from dpca_core.data.dataset import Dataset
from dpca_core.data.disclosures import NO_SIZE, Disclosure, Mark
from dpca_core.data.recipe import Unit
from dpca_core.mechanisms.mechanism import Parameter
from sample_data import paper_sums, real_sets, synthetic

_MOST_PARAMETERS, _MOST_VALUES = 20, 20_000_000
"""Parameters in a key, and values that are made for one."""


@dataclass(frozen=True)
class Source:
    """A built-in set; ``load`` gives fields of a ``Dataset`` by the values of ``parameters``."""

    key: str
    name: str
    description: str
    origin: str
    licence: str
    default_k: int
    load: Callable[..., dict[str, Any]]
    unit: Unit
    parameters: tuple[Parameter, ...]
    column_words: Mapping[str, ColumnWords]
    has_rows: bool
    disclosures: Sequence[Sequence[str]]

    def make(self, values: Mapping[str, float] | None = None) -> Dataset:
        """Load the set, with its default parameters unless others are given, as ``checked``."""
        chosen = self.checked(values or {})
        contents = self.load(**chosen)
        # Braces stand for parameters and for shares of rows.
        known = chosen | contents
        found = [
            Disclosure(name, Mark(mark), "; ".join(said).format(**known).replace("%", "\u00a0%"))
            for name, mark, *said in self.disclosures
        ]
        return Dataset(
            name=self.name,
            unit=self.unit,
            licence=self.licence,
            key=self.key_with(chosen),
            disclosures=(*found, NO_SIZE),
            private=all(one.mark is not Mark.READS for one in found),
            synthetic=bool(self.parameters),
            public=True,
            **contents,
        )

    def checked(self, values: Mapping[str, float]) -> dict[str, float]:
        """Those given, else defaults, as ``load`` can have them; else ValueError."""
        if unknown := sorted(values.keys() - {p.name for p in self.parameters}):
            raise ValueError(f"{self.name} has no setting called “{label(unknown[0])}”.")
        chosen: dict[str, float] = {}
        for p in self.parameters:
            value = values.get(p.name, p.default)
            if not p.low <= value <= p.high:
                raise ValueError(f"{p.label} must be {p.low:g} to {p.high:g}, not {value:g}.")
            chosen[p.name] = type(p.default)(value)
            if chosen[p.name] != value:
                raise ValueError(f"{p.label} must be a whole number, not {value:g}.")
        n, d, k = chosen.get("n", 0), chosen.get("d", chosen.get("p", 0)), chosen.get("k", 0)
        if n * d > _MOST_VALUES:
            raise ValueError(f"{n:,} × {d} values are too many: at most {_MOST_VALUES:,}.")
        if d and k >= d:
            raise ValueError(f"There must be fewer strong directions than columns, not {k} of {d}.")
        return chosen

    def key_with(self, values: Mapping[str, float]) -> str:
        """Return a key that says everything: "wangxu?p=80" where p is not its default."""
        default = {p.name: p.default for p in self.parameters}
        other = {n: f"{v:g}" for n, v in values.items() if v != default[n]}
        return f"{self.key}?{urlencode(other)}" if other else self.key


def values_in(key: str) -> dict[str, float]:
    """Parameters in a key; ValueError for one that is named twice, or is no number."""
    text = key.partition("?")[2]
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS)
        found = {name: float(value) for name, value in pairs}
    except ValueError:
        raise ValueError(f"“{label(text)}” are no settings: write p=80&k=10 or the like.") from None
    if len(found) < len(pairs):
        raise ValueError(f"“{label(text)}” gives a setting twice: once is enough.")
    return found


def _source(key: str, told: dict[str, Any]) -> Source:
    """Return a source of ``catalogue.toml``: of sums, else made by the function of its name."""
    sums, parameters = told.pop("sums", None), told.pop("parameters", ())
    told.pop("ranges", None)  # which sample_data/real_sets.py reads
    with_rows = synthetic if parameters else real_sets
    return Source(
        key=key,
        load=partial(paper_sums.contents, *sums) if sums else getattr(with_rows, key),
        unit=Unit(*told.pop("unit", ())),
        parameters=tuple(Parameter(*one) for one in parameters),
        column_words=real_sets.rand_words() if key == "rand" else {},
        has_rows=sums is None,
        **told,
    )


_TOLD = tomllib.loads((Path(__file__).parent / "catalogue.toml").read_text("utf-8"))
CATALOGUE: dict[str, Source] = {key: _source(key, told) for key, told in _TOLD.items()}


def source_of(key: str) -> Source | None:
    """Return the source a key such as "rand" or "wangxu?p=80" belongs to; None for others."""
    return CATALOGUE.get(key.partition("?")[0])


def load_key(key: str) -> Dataset:
    """Load a built-in data set by its self-describing key; ValueError for what it cannot be."""
    if source := source_of(key):
        return source.make(values_in(key))
    raise ValueError(f"No built-in data set is called {key}.")
