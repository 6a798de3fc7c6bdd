"""Words on Explore's controls and in its charts."""

from typing import Any

from dpca_core.data.provenance import Mark
from ui.text.certainty import CONFIDENCE_LEVEL
from ui.text.chart_words import CHART_WORDS
from ui.text.glossary import HOVERS

EXPLORE_WORDS: dict[str, Any] = CHART_WORDS | {
    "change": "Change",
    "done": "Done",
    "pin": "Pin this setting",
    "unpin": "Unpin",
    "copy": "Copy link",
    "copied": "Copied",
    "play": "Play",
    "pause": "Pause",
    "next": "Next",
    "epsilon": "Privacy parameter ε",
    "more_private": "more private",
    "one_dot": "one dot: one release",
    "room_needed": "ε that surely (or “about”: by estimate) keeps {target} in 9 of 10 releases",
    "at": "At",
    "needed_epsilon": "Which ε each mechanism needs",
    "target": "Share of the variation PCA finds",
    "not_ranked": "{name} (not ranked)",
    "choose": "{label}. Choose this mechanism",
    "release": "release {number} of {count} at ε = {epsilon}",
    "release_refused": "release {number} of {count}: refused",
    "stale": "still shows ε = {epsilon}",
    "stale_picture": "still shows the previous chart",
    "direction": "Direction {number}",
    "largest_loadings": "Direction {number}, the {shown} largest of {count} loadings",
    "loadings": "Loadings of direction {number}: true, and released",
    "image": "{name}, direction {number}",
    "image_true": "Without privacy",
    "image_released": "Release {number}",
    "image_refused": "Refused: nothing to show.",
    "column_needed": "epsilon that keeps {target} in 9 of 10 releases",
    "column_how_sure": "how sure",
    "sure": f"surely ({CONFIDENCE_LEVEL})".replace("\u00a0", " "),
    "estimated": "by estimate",
    "file_names": {
        "kept": "variation-kept",
        "sin": "sin-theta",
        "noise": "noise",
        "needed": "needed-epsilon",
        "dots": "releases",
        "sin_dots": "releases-sin-theta",
        "spectrum": "spectrum",
        "release": "release",
        "projection": "projection",
    },
    "marks": {
        str(Mark.NOTHING): "reads nothing private",
        str(Mark.DEPENDS): "depends on you",
        str(Mark.READS): "reads private data",
    },
}

FIGURE_WORDS = {
    "noise": "noise {value}\u00a0{unit}",
    "random_captured": "{name}: {value}",
    "random_sin": "a {name}: {value}",
    "ceiling": "PCA of rows of length 1, no noise: {value}",
    "pinned_as": "Pinned: {label}",
    "plane_true": "PCA without privacy",
    "plane_released": "This release",
}
"""Words inside figures, which Python puts there."""

RELEASES_HEAD = ["epsilon", "release", "captured", "sin_theta_frobenius"]
EIGENVALUE_COLUMN = "eigenvalue of S ({unit})"
"""Columns of the tables behind the charts."""

HELP = {
    "odds": HOVERS["odds"],
    "kept": " ".join(HOVERS[name] for name in ("variation kept", "epsilon", "delta", "neighbours")),
    "sin": f"{HOVERS['angle']} {HOVERS['reliable']}",
    "noise": f"{HOVERS['noise norm']} {HOVERS['eigengap']}",
}
"""What the question marks explain."""

PANEL_AXES = {"epsilon": "privacy parameter ε"}

HOVER_TEXTS = {
    "kept": "%{fullData.name}, ε = %{x:~g}: %{y:.1%} of the variation PCA finds",
    "sin": "%{fullData.name}, ε = %{x:~g}: ‖sin Θ‖<sub>F</sub> = %{y:.3f}",
    "noise": "%{fullData.name}, ε = %{x:~g}: largest effect on any direction %{y:,.2~r} {unit}",
}
"""What a curve says under the pointer, in Plotly's notation."""

DOT_TEXTS = {"kept": "{:.1%}", "sin": "‖sin Θ‖_F = {:.3f}"}
"""What the dot of a release says under the pointer."""

SUBTITLES = {
    "kept": "variation kept, relative to PCA, in %; bands: 50, 80 and 95\u00a0% of releases",
    "sin": "‖sin\u00a0Θ‖_F between released and true {space}; 0 = the same",
    "sin_dots": "the same releases, by ‖sin\u00a0Θ‖_F",
    "spectrum": "eigenvalues of S, in {many}; filled: kept; band: the noise’s largest effect on "
    "any direction",
    "noise": "the noise’s largest effect on any direction (its spectral norm) against the "
    "eigengap, in {many}",
}
"""What each chart shows, with its axes and units."""
