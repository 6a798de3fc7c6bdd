"""Lines of one family share a colour: their dashes and widths tell them apart."""

from collections import defaultdict

from dpca_core.figures.line_styles import CHOSEN_WIDTH, DASHES, PRINTED_DASHES, dash, width
from dpca_core.mechanisms.registry import MECHANISMS


def test_within_a_family_no_two_lines_look_alike():
    styles = defaultdict(list)
    for mechanism in MECHANISMS.values():
        styles[mechanism.family].append((dash(mechanism), width(mechanism)))
    assert max(map(len, styles.values())) > 1
    for family, found in styles.items():
        assert len(set(found)) == len(found), family


def test_forms_as_printed_are_dotted_and_thinner():
    for mechanism in MECHANISMS.values():
        printed = mechanism.printed
        assert dash(mechanism) in (PRINTED_DASHES if printed else DASHES)
        assert width(mechanism) < 1.5 if printed else width(mechanism) > 1.5
        assert width(mechanism, chosen=True) == CHOSEN_WIDTH > width(mechanism)
    assert not {*DASHES} & {*PRINTED_DASHES}


def test_the_first_of_a_family_is_solid():
    firsts = {}
    for mechanism in MECHANISMS.values():
        if not mechanism.printed:
            firsts.setdefault(mechanism.family, mechanism)
    assert {dash(mechanism) for mechanism in firsts.values()} == {"solid"}
