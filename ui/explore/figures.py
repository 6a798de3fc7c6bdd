"""What the Explore page draws: curves, bands and dots, and the content of its component."""

from typing import Any

import numpy as np

from dpca_core.analysis.needed_epsilon_and_people import PeopleNeeded
from dpca_core.analysis.order_statistics import quantiles
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Standing
from ui.explore.chart_words import EXPLORE_WORDS, SUBTITLES
from ui.explore.disclosures import disclosure_checklist
from ui.explore.measurements import BAND_TRIALS, FIRST_TRIALS, Study
from ui.explore.sample_releases import SampleReleases
from ui.explore.summary import MechanismSummary, Summary, summarize
from ui.explore.text import (
    IMAGES_NOTE,
    LOADINGS_NOTE,
    PAGE_NOT_PRIVATE,
    RELEASE_TITLE,
    ExploreText,
    needed_epsilon_label,
)
from ui.figures.palette import colour
from ui.figures.wire_format import Float32Array, float32
from ui.state.slider_stops import EPSILON_STOPS, TARGETS
from ui.text.glossary import HOVERS

BAND_QUANTILES = {
    "lo95": 0.025,
    "lo80": 0.1,
    "lo50": 0.25,
    "hi50": 0.75,
    "hi80": 0.9,
    "hi95": 0.975,
}
"""Limits of the bands, by name."""
EIGENVALUES_BEYOND = 20
"""Eigenvalues that are drawn after the k largest."""


def page_content(
    study: Study,
    *,
    identity: str,
    epsilon: float,
    target: float,
    samples: SampleReleases | None,
    public: bool,
    sentences_within: int | None = None,
    ghost: dict[str, Any] | None = None,
    notice: str | None = None,
) -> dict[str, Any]:
    """Return what the page's component shows at the study's present stage.

    Parameters
    ----------
    identity
        Digest of all settings; the same for every refinement of one picture.
    epsilon, target
        The chosen ε, and the share of variation asked for in 9 of 10 releases.
    samples
        Single releases; None where they come later.
    public
        Whether the visitor says that the data are public.
    sentences_within
        Number of stops on both sides of the chosen ε for which there are sentences; None for all.
    ghost
        Curves pinned to compare with.
    """
    query, dataset, summary = study.query, study.dataset, summarize(study, target)
    text = ExploreText(summary)
    epsilon_index = EPSILON_STOPS.index(epsilon)
    reach = len(EPSILON_STOPS) if sentences_within is None else sentences_within
    chosen, unit = summary.chosen, dataset.unit
    return {
        "id": identity,
        "stage": study.stage,
        "complete": study.complete,
        "coarse": not chosen.measured.done.any(axis=1).all(),
        "unit": {"one": unit.one, "many": unit.many},
        "epsilons": list(EPSILON_STOPS),
        "epsilon_index": epsilon_index,
        "mechanisms": [_mechanism(m, m is chosen) for m in summary.mechanisms],
        "bands": _bands(summary),
        "dots": {
            "captured": _dots(chosen.captured_dots),
            "sin": _dots(chosen.dots(chosen.measured.sin_theta)),
        },
        "random": {
            "captured": summary.random.captured,
            "sin": summary.random.sin_theta,
            "name": f"random {text.space}",
        },
        "target": target,
        "targets": list(TARGETS),
        "gap": summary.gap,
        "gap_text": f"gap {text.gap()}",
        "crossing": _crossing(summary, text),
        "spectrum": {
            "values": float32(study.problem.spectrum[: query.k + EIGENVALUES_BEYOND]),
            "k": query.k,
        },
        "texts": [
            text.sentences(i, _people_needed(study, target, i, epsilon_index))
            if abs(i - epsilon_index) <= reach
            else None
            for i in range(len(EPSILON_STOPS))
        ],
        "subs": {
            name: subtitle.format(space=text.space, many=unit.many)
            for name, subtitle in SUBTITLES.items()
        },
        "hovers": HOVERS,
        "words": EXPLORE_WORDS,
        "later": samples is None,
        "release": samples and _release(samples),
        "projection": samples and _projection(samples, text),
        "disclosures": disclosure_checklist(study),
        "warning": PAGE_NOT_PRIVATE | {"public": public or dataset.public, "fixed": dataset.public},
        "phone": text.setting(),
        "ghost": ghost,
        "release_download": text.download(epsilon_index),
        "footer": text.footer(),
        "notice": notice,
    }


def _people_needed(
    study: Study, target: float, index: int, epsilon_index: int
) -> PeopleNeeded | None:
    """Answer "how many people" at every ε where that is cheap, else at the chosen one."""
    trials = study.chosen.trials()
    if study.query.mechanism.is_baseline or trials < FIRST_TRIALS:
        return None
    everywhere = study.people_needed_is_quick and trials >= BAND_TRIALS
    return study.people_needed(target, index) if index == epsilon_index or everywhere else None


def _crossing(summary: Summary, text: ExploreText) -> dict[str, Any] | None:
    """Mark where the noise equals the gap."""
    epsilon = summary.epsilon_where_noise_equals_gap()
    return None if epsilon is None else {"epsilon": epsilon, "text": text.crossing(epsilon)}


def _mechanism(summary: MechanismSummary, chosen: bool) -> dict[str, Any]:
    mechanism, needed = summary.mechanism, summary.needed
    begun = summary.measured.begun
    standing = next((g.standing for g in summary.guarantees if g is not None), Standing.NONE)
    dashes = {Standing.REFUTED: "dotted", Standing.UNCERTIFIED: "dashed"}
    return {
        "key": mechanism.key,
        "name": mechanism.name,
        "is_baseline": mechanism.is_baseline,
        "color": colour(mechanism.family),
        "weight": "thin" if mechanism.printed else "normal",
        "dash": dashes.get(standing, "solid"),
        "struck": standing is Standing.REFUTED,
        "standing": str(standing),
        "captured": float32(summary.captured) if begun else None,
        "sin": float32(summary.sin_theta) if begun else None,
        "noise": None if summary.noise is None else float32(summary.noise),
        "needed": needed.epsilon if needed is not None else None,
        "needed_text": needed_epsilon_label(needed),
        "chosen": chosen,
        "ranked": bool(summary.ranked.any()),
    }


def _bands(summary: Summary) -> dict[str, dict[str, Float32Array] | None]:
    """Return quantiles of the chosen mechanism's releases, once there are enough."""
    chosen = summary.chosen
    if chosen.measured.trials() < BAND_TRIALS or chosen.mechanism.is_deterministic:
        return {"captured": None, "sin": None, "noise": None}

    def band(values: Array) -> dict[str, Float32Array]:
        found = quantiles(values, tuple(BAND_QUANTILES.values()))
        found = np.where(chosen.drawn, found, np.nan)
        return {name: float32(line) for name, line in zip(BAND_QUANTILES, found, strict=True)}

    norms = summary.study.noise_norms_in_people(chosen.mechanism)
    return {
        "captured": band(chosen.measured.captured),
        "sin": band(chosen.measured.sin_theta),
        "noise": None if norms is None else band(norms),
    }


def _dots(values: Array) -> list[Float32Array | None]:
    """Return the dots at each ε; None where there are none."""
    return [row[np.isfinite(row)] if np.isfinite(row).any() else None for row in float32(values)]


def _release(samples: SampleReleases) -> dict[str, Any] | None:
    found = samples.loadings()
    if found is None:
        return None
    images = samples.dataset.image_shape
    return {
        "epsilon_index": samples.epsilon_index,
        "kind": "images" if images else "loadings",
        "labels": list(samples.dataset.columns),
        "shape": list(images) if images else None,
        "title": RELEASE_TITLE,
        "note": IMAGES_NOTE if images else LOADINGS_NOTE,
        "true": _shown(found.true),
        "frames": _shown(found.released),
        "lo": _shown(found.low),
        "hi": _shown(found.high),
        "refused": found.refused.tolist(),
    }


def _projection(samples: SampleReleases, text: ExploreText) -> dict[str, Any] | None:
    found = samples.projections()
    if found is None:
        return None
    return {
        "title": text.projection_title(),
        "note": text.projection_note(len(found.true)),
        "true": _shown(found.true),
        "frames": _shown(found.released),
    }


def _shown(values: Array) -> Float32Array:
    """Return numbers for the browser; 0 for NaN, since refused releases are marked apart."""
    return float32(np.nan_to_num(values))
