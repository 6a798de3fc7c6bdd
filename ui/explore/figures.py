"""Everything the instrument draws, as plain numbers and sentences."""

from typing import Any

import numpy as np

from dpca_core.analysis.order_statistics import quantiles
from dpca_core.analysis.requirements import EpsilonNeeded, PeopleNeeded
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.release.csv_file import CAVEAT
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.explore.chart_words import EXPLORE_WORDS
from ui.explore.disclosures import leaks
from ui.explore.measurements import BAND_TRIALS, FIRST_TRIALS, Study
from ui.explore.sample_releases import SampleReleases
from ui.explore.summary import MechanismSummary, Summary, summarize
from ui.explore.text import ExploreText
from ui.figures.palette import colour
from ui.figures.wire_format import Float32Array, float32
from ui.state.slider_stops import EPSILON_STOPS, TARGETS
from ui.text.glossary import HOVERS, SUBTITLES
from ui.text.numbers import count

_SHARES = {"lo95": 0.025, "lo80": 0.1, "lo50": 0.25, "hi50": 0.75, "hi80": 0.9, "hi95": 0.975}


def payload(
    identity: str,
    dataset: Dataset,
    study: Study,
    *,
    epsilon: float,
    target: float,
    pictures: SampleReleases | None,
    public: bool,
    words: int | None = None,
    ghost: dict[str, Any] | None = None,
    notice: str | None = None,
) -> dict[str, Any]:
    """Compose what the instrument needs at the study's present stage.

    Parameters
    ----------
    identity
        Digest of all settings; the same for every refinement of one picture.
    epsilon, target
        Position of the rule, and the share asked for in the inverse questions.
    pictures
        Single releases; None where they come later.
    words
        For how many stops on both sides of the rule there are sentences; None for all.
    """
    query, summary = study.query, summarize(study, target)
    says = ExploreText(summary, dataset, query)
    start = EPSILON_STOPS.index(epsilon)
    reach = len(EPSILON_STOPS) if words is None else words
    crossing = summary.epsilon_where_noise_equals_gap()
    unit = dataset.unit
    return {
        "id": identity,
        "stage": study.stage,
        "complete": study.complete,
        "coarse": not summary.chosen.measured.done.any(axis=1).all(),
        "unit": {"one": unit.one, "many": unit.many},
        "epsilons": list(EPSILON_STOPS),
        "start": start,
        "mechanisms": [_mechanism(row, row is summary.chosen) for row in summary.mechanisms],
        "bands": _bands(summary),
        "dots": {
            "captured": _rows(summary.chosen.captured_dots),
            "sin": _rows(summary.chosen.dots(summary.chosen.measured.sin_theta)),
        },
        "random": {
            "captured": summary.random.captured,
            "sin": summary.random.sin_theta,
            "name": f"random {says.space}",
        },
        "target": target,
        "targets": list(TARGETS),
        "gap": summary.gap,
        "gap_text": f"gap {says.gap_text()}",
        "crossing": None
        if crossing is None
        else {
            "epsilon": crossing,
            "text": f"noise = gap at ε\u00a0=\u00a0{epsilon_text(float(f'{crossing:.2g}'))}",
        },
        "spectrum": {"values": float32(study.problem.spectrum[: query.k + 20]), "k": query.k},
        "texts": [
            says.at(i, _people(study, target, i, start)) if abs(i - start) <= reach else None
            for i in range(len(EPSILON_STOPS))
        ],
        "subs": {
            name: text.format(space=says.space, many=unit.many) for name, text in SUBTITLES.items()
        },
        "hovers": HOVERS,
        "words": EXPLORE_WORDS,
        "later": pictures is None,
        "release": pictures and pictures.release(start),
        "projection": pictures and pictures.projection(start),
        "leaks": leaks(dataset, query, study.problem),
        "warning": {
            "text": "**This page is not private.** It shows the true spectrum and directions of "
            "the data so that you can choose. Publish only a release.",
            "short": "**Not private:** shows the true data.",
            "public": public or dataset.public,
            "fixed": dataset.public,
            "public_label": "The data is public or synthetic",
            "public_short": "Public or synthetic",
        },
        "phone": f"{dataset.short}, **{query.mechanism.name}**, k\u00a0=\u00a0{query.k}, "
        f"δ\u00a0=\u00a0{power(query.delta)}",
        "ghost": ghost,
        "take_away": _take_away(says, start),
        "footer": f"{dataset.name}, {count(dataset.people)} {unit.many} × {study.problem.d} "
        f"columns, {dataset.licence}. {summary.chosen.measured.known()[1]} releases a point for "
        f"{query.mechanism.name}, seed {query.seed}.",
        "notice": notice,
    }


def _take_away(says: ExploreText, start: int) -> dict[str, str]:
    """What can be downloaded, and whether it is private."""
    found, delta = says.total(start), power(says.query.delta)
    private = says.dataset.private and found is not None and found.proved
    how = (
        "Each download runs the mechanism again on the real data, with fresh randomness, at the ε "
        f"of the rule and δ\u00a0=\u00a0{delta}"
    )
    stops = "A draw may take long; reloading the page stops it. "
    slow = stops if says.query.mechanism.unbounded_runtime else ""
    if not private:
        return {
            "title": "Download a release: not private",
            "text": f"{how}. {slow}No guarantee holds, and the file says why.",
            "button": "Create release (CSV)",
        }
    return {
        "title": "Download a private release",
        "text": f"{how}: it spends that much again. {slow}The file states its guarantee. {CAVEAT}",
        "button": "Create release (CSV)",
    }


def _people(study: Study, target: float, i: int, start: int) -> PeopleNeeded | None:
    """Answer "how many people" at every ε where that is cheap, else at the chosen one."""
    mechanism = study.query.mechanism
    if mechanism.family == "baseline" or study.chosen.trials() < FIRST_TRIALS:
        return None
    everywhere = study.people_needed_is_quick and study.chosen.trials() >= BAND_TRIALS
    return study.people_needed(target, i) if i == start or everywhere else None


def _mechanism(row: MechanismSummary, chosen: bool) -> dict[str, Any]:
    mechanism, needed = row.mechanism, row.needed
    known = row.measured.begun
    standing = next((str(g.standing) for g in row.guarantees if g is not None), "none")
    refuted, uncertified = standing == "refuted", standing == "not certified"
    return {
        "key": mechanism.key,
        "name": mechanism.name,
        "baseline": mechanism.family == "baseline",
        "color": colour(mechanism.family),
        "weight": "thin" if mechanism.printed else "normal",
        "dash": "dotted" if refuted else "dashed" if uncertified else "solid",
        "struck": refuted,
        "standing": standing,
        "captured": float32(row.captured) if known else None,
        "sin": float32(row.sin_theta) if known else None,
        "noise": None if row.noise is None else float32(row.noise),
        "needed": needed.epsilon if needed is not None else None,
        "needed_text": _needed_text(needed),
        "chosen": chosen,
        "ranked": bool(row.ranked.any()),
    }


def _needed_text(needed: EpsilonNeeded | None) -> str:
    if needed is None:
        return ""
    if needed.epsilon is None:
        return "not shown up to ε\u00a0=\u00a0100"
    return f"{'' if needed.certain else 'about '}{epsilon_text(needed.epsilon)}"


def _bands(summary: Summary) -> dict[str, dict[str, Float32Array] | None]:
    """Quantiles of the chosen mechanism's releases, from BAND_TRIALS releases on."""
    row = summary.chosen
    if row.measured.trials() < BAND_TRIALS or row.mechanism.key == "non_private":
        return {"captured": None, "sin": None, "noise": None}

    def band(values: Array) -> dict[str, Float32Array]:
        rows = quantiles(values, tuple(_SHARES.values()))
        rows = np.where(row.drawn, rows, np.nan)
        return {name: float32(line) for name, line in zip(_SHARES, rows, strict=True)}

    norms = summary.study.noise_norms_in_people(row.mechanism)
    return {
        "captured": band(row.measured.captured),
        "sin": band(row.measured.sin_theta),
        "noise": None if norms is None else band(norms),
    }


def _rows(dots: Array) -> list[Float32Array | None]:
    """One array a row; null where the row is empty."""
    return [row[np.isfinite(row)] if np.isfinite(row).any() else None for row in float32(dots)]
