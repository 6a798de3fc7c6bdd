"""Where bytes come from: a file that was uploaded."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Upload:
    """A file in memory, as it was uploaded: text (perhaps gzipped) or Parquet.

    Attributes
    ----------
    name
        Name of the file; its ending and the first bytes tell the format.
    content
        The file.
    """

    name: str
    content: bytes
