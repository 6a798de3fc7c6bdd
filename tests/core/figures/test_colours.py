"""Colours are roles: each has its colour in both themes, and text can be read on the page."""

import pytest

from dpca_core.figures.colours import (
    BAND_OPACITY,
    FAMILY_COLOURS,
    ROLES,
    colour,
    family_role,
    palette,
    resolve,
)
from dpca_core.figures.layout import shared_layout
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.registry import MECHANISMS

THEMES = ("light", "dark")


def contrast(first: str, second: str) -> float:
    """WCAG 2's contrast, written anew: (L1 + 0.05) / (L2 + 0.05)."""
    levels = []
    for shade in (first, second):
        light = 0.0
        for weight, at in ((0.2126, 1), (0.7152, 3), (0.0722, 5)):
            share = int(shade[at : at + 2], 16) / 255
            light += weight * (
                share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
            )
        levels.append(light + 0.05)
    return max(levels) / min(levels)


def test_the_contrast_of_black_on_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", THEMES)
def test_every_role_has_a_colour_and_every_family_a_role(theme):
    for role in palette():
        assert colour(role, theme).startswith("#")
        if not role.endswith("/text"):
            assert colour(f"{role}/.5", theme).startswith("rgba(")
    for mechanism in MECHANISMS.values():
        assert family_role(mechanism.family) in palette()
    assert family_role("a new one") == str(Family.BASELINE)


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read_on_the_page(theme):
    page = ROLES["page"][theme == "dark"]
    texts = {role for role in palette() if role.endswith("/text")}
    assert texts >= {f"{family}/text" for family in FAMILY_COLOURS}
    for role in (*texts, "ink", "grey", "accent"):
        assert contrast(colour(role, theme), page) >= 4.5, role


def test_text_keeps_its_familys_colour_where_that_can_be_read():
    for family, (light, _) in FAMILY_COLOURS.items():
        readable = contrast(light, ROLES["page"][0]) >= 4.5
        assert colour(f"{family}/text", "light") == (light if readable else ROLES["ink"][0])


def test_a_shade_is_the_colour_at_an_opacity():
    assert colour("ink/.13", "light") == "rgba(22,25,29,0.13)"
    assert colour("gaussian/1", "light") == "rgba(18,48,174,1)"
    for name, (light, dark) in BAND_OPACITY.items():
        assert colour(f"accent/{name}", "light") == f"rgba(208,16,58,{light:g})"
        assert colour(f"accent/{name}", "dark") == f"rgba(255,84,112,{dark:g})"


@pytest.mark.parametrize("role", ["red", "#123456", "gaussian/thick", "nobody/.5", ""])
def test_what_is_no_role_is_refused(role):
    with pytest.raises(KeyError):
        colour(role, "light")
    with pytest.raises(KeyError):
        resolve({"line": {"color": role}}, "dark")


def test_only_colours_are_resolved_and_the_figure_stays():
    figure = {"data": [{"name": "ink", "marker": {"color": ["ink", "grey"]}, "y": [1, 2]}]}
    found = resolve(figure, "light")
    assert found["data"][0] == {
        "name": "ink",
        "marker": {"color": [ROLES["ink"][0], ROLES["grey"][0]]},
        "y": [1, 2],
    }
    assert figure["data"][0]["marker"]["color"] == ["ink", "grey"]
    assert shared_layout(14)["font"]["size"] == 14
