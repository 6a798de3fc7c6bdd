"""Words on and around the charts of every page, which the browser code shows as they are.

Names in braces are filled in by the browser: ``filled`` in ``static/charts/dom.js``.
"""

CHART_WORDS = {
    "download_as": "Download {name} as {format}",
    "skip": "Skip to ε",
    "stop": "Stop",
    "measured": "Measured so far",
    "resume": "Resume",
    "stopped": "Stopped: what is shown is not complete.",
    "share_of_largest": "share of the largest entry",
    "degrees": "angle in degrees",
}
