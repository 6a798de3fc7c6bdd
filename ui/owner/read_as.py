"""A draft when its file is read in another way: the numbers in its cells stay the same numbers."""

from dataclasses import replace
from types import MappingProxyType

from dpca_core.data.text_file_format import TextFileFormat
from ui.owner.draft import Draft


def read_as(draft: Draft, form: TextFileFormat) -> Draft:
    """Return the draft of a file that is written like this, its cells written alike.

    A number keeps its value, and its text where that means the same in both ways. What was no
    number stays as it was typed, and may become one.
    """
    columns = {n: c.written_as(draft.reading, form) for n, c in draft.columns.items()}
    return replace(draft, reading=form, columns=MappingProxyType(columns))
