"""Words on Compare's chart and controls."""

from ui.text.chart_words import CHART_WORDS

COMPARE_WORDS = CHART_WORDS | {
    "reading_line": "Where the charts are read",
    "ranking": "Ranking at",
    "all_values": "All values at the pointer",
}
HOVER_TEXTS = {
    "epsilon": "%{fullData.name}, ε = %{x:.3~g}",
    "delta": "%{fullData.name}, δ = %{x:.0e}",
    "n": "%{fullData.name}, n = %{x:,}",
    "k": "%{fullData.name}, k = %{x:d}",
}
"""What a curve says under the pointer, in Plotly's notation, by the name of the axis."""
