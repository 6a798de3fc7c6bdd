"""The skeleton of Explore's instrument: its elements, in their order, and the words that stay.

The browser finds the parts by ``data-part`` and fills them; what carries ``data-say`` tells the
server when it is used.
"""

from html import escape
from math import floor, log10

from dpca_core.text.privacy_numbers import epsilon_text
from ui.explore.chart_words import EXPLORE_WORDS, HELP
from ui.explore.curve_figures import PANEL_HEIGHTS
from ui.explore.spectrum_panel import SPECTRUM_HEIGHT
from ui.explore.text import PAGE_NOT_PRIVATE
from ui.figures.markup import help_button, progress_row, save_buttons, switch
from ui.page.markup import button, element, sentence
from ui.state.slider_stops import EPSILON_STOPS, TARGETS

LABELLED = (1, 3)
"""First digits of the ε at which the ruler has a label; the first one always."""

MOVING = {"dots": "kept_places", "sin_dots": "sin_places", "spectrum": "noise_place"}
"""Parts of what moves with the rule, by their panels."""

_PAGE = """\
<div class="dpca-phone"><span data-part="setting"></span>{change}</div>
<p class="dpca-paper" data-part="printed"></p>
<p class="dpca-notice" role="status" data-part="notice"></p>
<p class="dpca-busy" role="status" data-part="busy"></p>
<div class="dpca-warning"><span>{warning}</span>
<label><input type="checkbox" data-part="public" data-say="public">\
<span>{public}</span></label></div>
<h1 class="dpca-answer" aria-live="polite" data-part="answer"></h1>
<div class="dpca-under"><p><span data-part="odds"></span>{help_odds}</p>
<p class="dpca-standing" data-part="standing"></p></div>
{progress}
<div class="dpca-grid"><div class="dpca-left">
<div class="dpca-rule" data-part="rule"><i></i></div>
<div class="dpca-ruler"><span class="dpca-brief" data-part="brief"></span>\
<div class="dpca-track" data-part="track"><div class="dpca-scale" aria-hidden="true">{ticks}</div>\
<span class="dpca-room-side" aria-hidden="true">{more_private}</span>\
<div class="dpca-handle" role="slider" tabindex="0" aria-label="{epsilon}" \
aria-valuemin="{low}" aria-valuemax="{high}" data-part="handle">\
</div></div></div>
<div class="dpca-panels"><div class="dpca-figure" role="figure" aria-labelledby="{curves}" \
data-part="curves"></div>\
{kept}{sin}{noise}</div>
<section class="dpca-ladder"><div class="dpca-title"><div class="dpca-head">\
<h2 data-part="ladder"></h2><span>{targets}<span data-part="ladder_after"></span></span>\
{ladder_csv}</div><p data-part="ladder_sub"></p>\
<p class="dpca-room-title" data-part="room_needed"></p></div>
<div class="dpca-rows" role="group" aria-label="{needed}" data-part="rows"></div></section>
</div><div class="dpca-right">
<div class="dpca-corner"><h2 class="dpca-at">{at} <em data-part="at"></em></h2>{pin}{copy}</div>
<div class="dpca-panels"><div class="dpca-figure" role="figure" aria-labelledby="{beside}" \
data-part="beside"></div>\
{dots}{sin_dots}{spectrum}</div>
<p class="dpca-smooth" data-part="smooth_sensitivity"></p>
</div></div>
<div class="dpca-lower"><div>
<section data-part="release" hidden><div class="dpca-title"><div class="dpca-head">\
<h2 data-part="release_title"></h2><span class="dpca-count" data-part="count"></span>\
{next}{play}{release_csv}</div><p data-part="release_note"></p></div>\
<div class="dpca-figures" data-part="release_figures"></div></section>
<section data-part="projection" hidden><div class="dpca-title"><div class="dpca-head">\
<h2 data-part="projection_title"></h2>{projection_save}</div><p data-part="projection_note"></p>\
</div><div class="dpca-plane" data-part="projection_figures"></div></section>
</div><div><section class="dpca-leaks" data-part="disclosures"></section>
</div></div>
<footer data-part="footer"></footer>
"""


def skeleton() -> str:
    """Return the instrument's markup."""
    words, names = EXPLORE_WORDS, EXPLORE_WORDS["file_names"]
    panels = {
        "kept": _panel("kept", "curves", "y", PANEL_HEIGHTS["kept"], HELP["kept"]),
        "sin": _panel("sin", "curves", "y2", PANEL_HEIGHTS["sin"], HELP["sin"]),
        "noise": _panel("noise", "curves", "y3", PANEL_HEIGHTS["noise"], HELP["noise"]),
        "dots": _panel("dots", "beside", "y", PANEL_HEIGHTS["kept"], None, "kept"),
        "sin_dots": _panel("sin_dots", "beside", "y2", PANEL_HEIGHTS["sin"], None, "sin"),
        "spectrum": _panel("spectrum", "beside", "y3", SPECTRUM_HEIGHT, None, "gap"),
    }
    return _PAGE.format(
        **panels,
        curves=_ids("kept", "kept_sub", "sin", "sin_sub", "noise", "noise_sub"),
        beside=_ids("dots", "sin_dots", "spectrum"),
        change=switch(words["change"], words["done"], "change"),
        warning=_of_widths("text", "short"),
        public=_of_widths("public_label", "public_short"),
        help_odds=help_button(HELP["odds"]),
        progress=progress_row(),
        ticks="".join(map(_tick, EPSILON_STOPS)),
        epsilon=escape(words["epsilon"]),
        low=EPSILON_STOPS[0],
        high=EPSILON_STOPS[-1],
        more_private=escape(words["more_private"]),
        needed=escape(words["needed_epsilon"]),
        targets=_targets(),
        at=words["at"],
        pin=button("", data_part="pin", data_say="pin"),
        copy=switch(words["copy"], words["copied"], "copy"),
        next=button(words["next"], data_part="next"),
        play=switch(words["play"], words["pause"], "play"),
        ladder_csv=_table_button(names["needed"], "needed"),
        release_csv=_table_button(names["release"], "release"),
        projection_save=save_buttons(names["projection"], "projection_figure"),
    )


def _of_widths(wide: str, narrow: str) -> str:
    """Return a sentence twice: for wide screens and for phones."""
    return "".join(
        element("span", sentence(PAGE_NOT_PRIVATE[name]), class_=f"dpca-if-{width}")
        for name, width in ((wide, "wide"), (narrow, "narrow"))
    )


def _panel(
    name: str, figure: str, axis: str, height: float, explained: str | None, kind: str | None = None
) -> str:
    """Return a panel's title and its empty frame, behind which the figure is drawn."""
    head = element(
        "div",
        element("h2", data_part=name, id=_ids(name)),
        element("span", help_button(explained)) if explained else "",
        save_buttons(EXPLORE_WORDS["file_names"][name], figure, axis),
        class_="dpca-head",
    )
    sub = element("p", data_part=f"{name}_sub", id=_ids(f"{name}_sub"))
    title = element("div", head, sub, class_="dpca-title")
    dots = element("div", class_="dpca-room-dots", data_part="dots_frame")
    room = element("p", escape(EXPLORE_WORDS["one_dot"]), class_="dpca-room-dots") + dots
    frame = element(
        "div",
        class_="dpca-frame",
        data_part=MOVING.get(name),
        data_axis=f"yaxis{axis[1:]}",
        style=f"--height: {height:g}px",
    )
    alone = room if name == "dots" else ""
    kinds = f"dpca-{kind or name} dpca-panel-{name}"
    return element("section", title, frame, alone, class_=kinds)


def badge(found: dict[str, str | None]) -> str:
    """Return the markup of a guarantee's standing, of the guarantee, and of what it rests on."""
    label, line = (sentence(found[name] or "") for name in ("label", "line"))
    kind, reason = found["kind"], found["reason"]
    more = help_button(reason) if reason else ""
    return (
        element("span", label, class_=f"dpca-badge dpca-is-{kind}") + element("span", line) + more
    )


def _ids(*parts: str) -> str:
    """Return the ids of parts, of which a figure's name consists."""
    return " ".join(f"explore-{part}" for part in parts)


def _table_button(name: str, table: str) -> str:
    label = EXPLORE_WORDS["download_as"].format(name=name, format="CSV")
    save = element(
        "button", "CSV", type="button", aria_label=label, data_say="table", data_value=table
    )
    return element("span", save, class_="dpca-take")


def _targets() -> str:
    options = [element("option", f"{target * 100:.0f}\u00a0%", value=target) for target in TARGETS]
    return element(
        "select",
        *options,
        class_="dpca-target",
        aria_label=EXPLORE_WORDS["target"],
        data_part="target",
        data_say="target",
    )


def _tick(epsilon: float) -> str:
    """Return a tick of the ruler; the style sheet places it by the logarithm of ε."""
    first = round(epsilon / 10 ** floor(log10(epsilon) + 1e-9), 1)
    label = element("span", epsilon_text(epsilon)) if first in LABELLED else ""
    kind = "dpca-first" if first == 1 else None
    return element("i", label, class_=kind, style=f"--at: {log10(epsilon):.4f}")
