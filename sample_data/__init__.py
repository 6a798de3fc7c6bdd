"""The built-in data sets: real ones with origin and licence, and the papers' synthetic ones."""

import tomllib
from functools import partial
from pathlib import Path
from typing import Any

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Unit
from dpca_core.mechanisms.mechanism import Parameter
from sample_data import paper_sums, real_sets, synthetic
from sample_data.source import Source, values_in


def _source(key: str, told: dict[str, Any]) -> Source:
    """Return the source that a table of ``catalogue.toml`` describes.

    Without sums it is loaded by the function of its name, of ``synthetic`` where it has parameters.
    """
    sums, parameters = told.pop("sums", None), told.pop("parameters", ())
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
    """Load a built-in data set by its self-describing key.

    ValueError for an unknown set, or a parameter that is unknown, no number or out of range.
    """
    source = source_of(key)
    if source is None:
        raise ValueError(f"No built-in data set is called {key}.")
    return source.make(values_in(key))
