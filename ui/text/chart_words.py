"""Words on and around the charts of every page."""

CHART_WORDS = {
    "download_as": "Download {name} as {format}",
    "skip": "Skip to ε",
    "stop": "Stop",
    "measured": "Measured so far",
    "resume": "Resume",
    "stopped": "Stopped: what is shown is not complete.",
    "degrees": "angle in degrees",
}
