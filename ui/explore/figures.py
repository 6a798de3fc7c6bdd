"""What the Explore page draws, and all else that its component shows."""

from html import escape
from typing import Any

from dpca_core.analysis.needed import PeopleNeeded
from dpca_core.figures.colours import family_role
from dpca_core.figures.line_styles import dash
from dpca_core.text.privacy_numbers import epsilon_text
from ui.explore.chart_words import EXPLORE_WORDS, SUBTITLES
from ui.explore.curve_figures import curves_figure, standing
from ui.explore.disclosures import disclosure_checklist
from ui.explore.example_loadings_and_projections import SampleReleases
from ui.explore.ladder import ladder_markup, room_keys
from ui.explore.measurements import BAND_TRIALS, FIRST_TRIALS, Study
from ui.explore.moving_markup import moving_markup
from ui.explore.noise_band import noise_bands
from ui.explore.release_dots_figures import beside_figure, release_dots
from ui.explore.release_figures import projection_content, release_content
from ui.explore.skeleton import badge
from ui.explore.summary import MechanismSummary, Summary, summarize
from ui.explore.text import ExploreText
from ui.figures.markup import sentences
from ui.figures.packed_content import Float32Array
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.certainty import needed_label
from ui.text.numbers import percent

NO_BADGE = {"label": "…", "kind": "none", "line": "", "reason": ""}
"""Where the browser has no sentences yet."""


def page_content(
    study: Study,
    *,
    identity: str,
    epsilon: float,
    target: float,
    samples: SampleReleases | None,
    public: bool,
    sentences_within: int | None = None,
    pinned: dict[str, Any] | None = None,
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
        Number of stops on both sides of the chosen ε for which there are sentences, and dots in the
        browser; None for all.
    pinned
        Curves to compare with, as ``curves_figure`` takes them.
    """
    dataset, summary = study.dataset, summarize(study, target)
    text = ExploreText(summary)
    epsilon_index = EPSILON_STOPS.index(epsilon)
    reach = len(EPSILON_STOPS) if sentences_within is None else sentences_within
    chosen, unit = summary.chosen, dataset.unit
    mechanisms = [_mechanism(m, m is chosen) for m in summary.mechanisms]
    beside = beside_figure(summary, target, _gap(text))
    texts = [
        text.sentences(i, _people_needed(study, target, i, epsilon_index))
        if abs(i - epsilon_index) <= reach
        else None
        for i in range(len(EPSILON_STOPS))
    ]
    said = next(filter(None, texts))
    return {
        "id": identity,
        "stage": study.stage,
        "complete": study.complete,
        "unit": {"one": unit.one, "many": unit.many},
        "axis": {
            "name": "epsilon",
            "values": list(EPSILON_STOPS),
            "texts": [f"ε = {epsilon_text(epsilon)}" for epsilon in EPSILON_STOPS],
            "index": epsilon_index,
        },
        "mechanisms": mechanisms,
        "ladder": ladder_markup(mechanisms),
        "room": room_keys(mechanisms),
        "curves": curves_figure(summary, target, text.space, _words(summary, text), pinned),
        "beside": beside,
        "dots": release_dots(summary, target),
        "noise_bands": noise_bands(summary, beside["layout"]),
        "target": target,
        "texts": texts,
        "no_text": dict.fromkeys(said, "") | {"badge": NO_BADGE},
        "says": {
            f"{name}_sub": subtitle.format(space=text.space, many=unit.many)
            for name, subtitle in SUBTITLES.items()
        }
        | {
            "room_needed": EXPLORE_WORDS["room_needed"].format(target=percent(target)),
            "pin": EXPLORE_WORDS["pin" if pinned is None else "unpin"],
            "setting": text.setting(),
            "printed": text.printed(),
            "footer": text.footer(),
            "notice": notice or "",
        },
        "settings": text.printed(),
        "skip": EXPLORE_WORDS["skip"],
        "stale_picture": EXPLORE_WORDS["stale_picture"],
        "later": samples is None,
        "release": samples and release_content(samples),
        "projection": samples and projection_content(samples, text),
        "disclosures": disclosure_checklist(study),
        "public": public or dataset.public,
        "public_is_fixed": dataset.public,
        "pinned": pinned is not None,
    }


def sent_content(content: dict[str, Any]) -> dict[str, Any]:
    """Return the page's content as it goes to the browser: sentences are markup."""
    pictures = {
        name: content[name] and content[name] | sentences(_said(content[name]))
        for name in ("release", "projection")
    }
    raw = {"dots", "noise_bands"}
    moving = moving_markup(
        content["beside"],
        content["dots"],
        content["noise_bands"],
        [i for i, said in enumerate(content["texts"]) if said],
    )
    return {name: value for name, value in content.items() if name not in raw} | {
        **pictures,
        "says": sentences(content["says"]),
        "texts": [said and _written(said) for said in content["texts"]],
        "no_text": _written(content["no_text"]),
        "moving": moving,
        "released": [_known(values) for values in content["dots"]["kept"]],
    }


def _known(values: Float32Array) -> list[float]:
    """Return the shares that releases keep, to the digits that a room can see."""
    return [round(value, 4) for value in values.tolist() if value == value]


def _said(picture: dict[str, Any]) -> dict[str, str]:
    return {name: picture[name] for name in ("title", "note")}


def _written(said: dict[str, Any]) -> dict[str, str]:
    """Return the sentences at one ε as markup, the guarantee with its standing among them."""
    own = {name: text for name, text in said.items() if name != "badge"}
    return sentences(own) | {"standing": badge(said["badge"])}


def _people_needed(
    study: Study, target: float, index: int, epsilon_index: int
) -> PeopleNeeded | None:
    """Answer "how many people" at every ε where that is cheap, else at the chosen one."""
    trials = study.chosen.trials()
    if study.query.mechanism.role == "baseline" or trials < FIRST_TRIALS:
        return None
    everywhere = study.people_needed_is_quick and trials >= BAND_TRIALS
    return study.people_needed(target, index) if index == epsilon_index or everywhere else None


def _words(summary: Summary, text: ExploreText) -> dict[str, Any]:
    """Return the words in the noise panel, in which Plotly reads markup."""
    epsilon = summary.epsilon_where_noise_equals_gap()
    return {
        "gap": _gap(text),
        "crossing": "" if epsilon is None else text.crossing(epsilon),
        "many": escape(summary.study.dataset.unit.many, quote=False),
    }


def _gap(text: ExploreText) -> str:
    return f"gap {escape(text.gap(), quote=False)}"


def _mechanism(summary: MechanismSummary, chosen: bool) -> dict[str, Any]:
    """Return a mechanism's row in the list of needed ε."""
    mechanism, needed = summary.mechanism, summary.needed
    return {
        "key": mechanism.key,
        "name": mechanism.name,
        "is_baseline": mechanism.role == "baseline",
        "color": family_role(mechanism.family),
        "dash": dash(mechanism),
        "standing": str(standing(summary)),
        "measured": bool(summary.measured.begun),
        "needed": None if needed is None else needed.stated.epsilon,
        "needed_is_sure": needed is not None and needed.stated.certain,
        "needed_text": needed_label(needed, epsilon_text),
        "chosen": chosen,
        "ranked": bool(summary.ranked.any()),
    }
