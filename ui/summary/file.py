"""The summary as a file that is saved: marked, as it was computed from the true data."""

from ui.figures.downloads import Download, Format, not_private_download
from ui.summary.measurements import SummaryMeasurements
from ui.summary.one_page import FILE_NAME, file_text
from ui.summary.query import Frozen, Presentation


def summary_file(frozen: Frozen, measured: SummaryMeasurements, shown: Presentation) -> Download:
    """Return the page as one file; its name says nothing of the data."""
    return not_private_download(FILE_NAME, file_text(frozen, measured, shown), Format.HTML)
