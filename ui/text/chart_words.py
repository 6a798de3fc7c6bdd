"""Words on and around the charts of every page."""

CHART_WORDS = {
    "download_as": "Download {name} as {format}",
    "skip": "Skip to ε",
    "stop": "Stop",
    "measured": "Measured so far",
    "resume": "Resume",
    "stopped": "Stopped: what is shown is not complete.",
}

MEDIAN = "median"
"""What a curve of releases is, in the table behind it."""


def band_column(name: str, share: str | int) -> str:
    """Return the name that a band of a mechanism's releases has in the table behind it.

    Parameters
    ----------
    share
        Of the releases, in per cent.
    """
    return f"{name}, {share} % of releases"
