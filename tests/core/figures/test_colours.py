"""Colours are roles, and text can be read on the page; dashes tell lines of one colour apart."""

from collections import defaultdict

import pytest

from dpca_core.figures.colours import (
    FAMILY_COLOURS,
    ROLES,
    colour,
    dash,
    family_role,
    palette,
    width,
)
from dpca_core.mechanisms.registry import MECHANISMS


def contrast(first: str, second: str) -> float:
    """WCAG 2's contrast, written anew: (L1 + 0.05) / (L2 + 0.05)."""
    levels = []
    for shade in (first, second):
        light = 0.0
        for weight, at in ((0.2126, 1), (0.7152, 3), (0.0722, 5)):
            share = int(shade[at : at + 2], 16) / 255
            linear = share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
            light += weight * linear
        levels.append(light + 0.05)
    return max(levels) / min(levels)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_on_the_page(theme):
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    page = ROLES["page"][theme == "dark"]
    texts = {role for role in palette() if role.endswith("/text")}
    assert texts >= {f"{family}/text" for family in FAMILY_COLOURS}
    assert {family_role(mechanism.family) for mechanism in MECHANISMS.values()} <= {*palette()}
    for role in (*texts, "ink", "grey", "accent"):
        assert contrast(colour(role, theme), page) >= 4.5, role


def test_within_a_family_no_two_lines_look_alike():
    styles = defaultdict(list)
    for mechanism in MECHANISMS.values():
        styles[mechanism.family].append((dash(mechanism), width(mechanism)))
        assert width(mechanism, chosen=True) > width(mechanism)
    for family, found in styles.items():
        assert len(set(found)) == len(found), family
