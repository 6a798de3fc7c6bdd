"""Words on Compare's controls, which the browser code shows as they are."""

from ui.text.chart_words import CHART_WORDS

COMPARE_WORDS = CHART_WORDS | {"reading_line": "Where the charts are read"}
