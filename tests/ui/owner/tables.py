"""Tables as the page reads them, without its questions."""

from pathlib import Path

from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.files import Kind, Upload, first_bytes, kind, name_of
from dpca_core.tables.proposed_format import proposed_format
from ui.owner.table_source import SourceTable


def read(place: Upload | Path) -> SourceTable:
    """Return a table in the format that is proposed for it."""
    name, form = name_of(place), TextFileFormat()
    if kind(place) is Kind.TEXT:
        form = proposed_format(name, first_bytes(place))
    return SourceTable.read(name, place, form)
