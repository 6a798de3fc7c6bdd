"""The sentences of a summary on what would be published and how far it can be relied on."""

from math import ceil

from dpca_core.analysis.reliability import Reliabilities, Reliability
from dpca_core.mechanisms.mechanism import Family
from dpca_core.mechanisms.registry import NON_PRIVATE
from dpca_core.privacy.budget import Notion, Standing
from dpca_core.text.privacy_numbers import epsilon_text
from ui.summary.measurements import SummaryMeasurements
from ui.summary.pattern_rows import LEVELS, joined
from ui.summary.query import Presentation
from ui.text.noise import MOST_REFUSED
from ui.text.numbers import NUMBER_WORDS, count

SUBJECT = "What privacy costs: one page before a decision"
CODE = "Code of this page’s address"
PUBLISHED, SIDE_BY_SIDE = "What would be published", "{Number} settings side by side"
LEGEND = {
    "full": "found again, almost equal",
    "half": "recognisable, or found only together",
    "empty": "not found again",
    "coin": "right by a coin",
    "gained": "right thanks to the release, at most",
}


def word(number: int) -> str:
    """Write a small number as a word."""
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else count(number)


def capital(text: str) -> str:
    """Return a text with a capital letter at its start."""
    return text[:1].upper() + text[1:]


def title(measured: SummaryMeasurements, shown: Presentation) -> str:
    """Say what the page is about; the table's number of people only where it may be said.

    Where n is another one, which somebody tries out, both are named.
    """
    data = measured.dataset
    many, people = data.unit.many, count(data.people)
    if measured.scaled:
        table = f"the {people}" if shown.people_are_public else "those"
        like = f"{count(measured.query.n)} {many} like {table} in the table"
        return f"What we could publish if there were {like}, and what it would cost them"
    who = f"{people} {many}" if shown.people_are_public else f"these {many}"
    return f"What we could publish about {who}, and what it costs them"


def lead(measured: SummaryMeasurements) -> str:
    """Say in two sentences what is published and how much of it can be relied on."""
    data, query = measured.dataset, measured.query
    patterns = "One pattern that sums" if query.k == 1 else f"{capital(word(query.k))} patterns"
    sums = patterns if query.k == 1 else f"{patterns} that sum"
    name = "a table of your own" if data.own else _the(data.name)
    what = f"{sums} up **{count(data.d)} columns** of {name}, {_how(measured)}."
    return " ".join(filter(None, [what, verdict(measured), _no_promise(measured)]))


def _the(name: str) -> str:
    """Write a data set's name in a sentence."""
    return f"the {name}" if name.endswith("Experiment") else f"“{name}”"


def _no_promise(measured: SummaryMeasurements) -> str:
    """Say at once that nothing is promised, where that is so, with ``[[…]]`` marks."""
    guarantee = measured.chosen.guarantee
    if not measured.dataset.private:
        return "[[No promise holds: preparing the table reads it before any noise.]]"
    if guarantee is None:
        return ""
    if guarantee.standing is Standing.REFUTED:
        return "[[Its promise of privacy is false.]]"
    if guarantee.standing is Standing.UNCERTIFIED:
        return "[[Nothing is proved about its privacy.]]"
    return "[[Nobody is protected.]]" if guarantee.notion is Notion.NONE else ""


def _how(measured: SummaryMeasurements) -> str:
    mechanism, guarantee = measured.query.mechanism, measured.chosen.guarantee
    if mechanism == NON_PRIVATE:
        return "exactly as they are"
    drawn = mechanism.family in (Family.EXPONENTIAL, Family.BASELINE)
    how = "drawn at random" if drawn else "with noise added"
    if guarantee is None or not guarantee.proved or not measured.dataset.private:
        return how
    return f"{how} to limit what anyone can learn about one {measured.dataset.unit.one}"


def verdict(measured: SummaryMeasurements) -> str:
    """Say how many patterns can be relied on at the chosen setting."""
    chosen = measured.chosen
    if chosen.found is None:
        said = "nothing can be released" if chosen.guarantee is None else "nothing was simulated"
        return f"At the chosen setting **{said}**: {chosen.why}"
    if chosen.refused > MOST_REFUSED:
        tries = ceil(chosen.refused * 100)
        return f"At the chosen setting **it gives no answer in {tries} of 100 tries**."
    return f"At the chosen setting {_of_levels(chosen.found)}."


def _of_levels(found: Reliabilities) -> str:
    k = len(found.directions)
    if found.span is Reliability.UNKNOWN:
        return "too few releases were simulated to say what is reliable"
    if not found.ordered and k > 1:
        return {
            Reliability.RELIABLE: f"**all {word(k)} are reliable together**, in no order",
            Reliability.RECOGNISABLE: f"**all {word(k)} together are recognisable**, in no order",
        }.get(found.span, "**no pattern is reliable**")
    numbers = {level: sum(1 for d in found.directions if d.level is level) for level in Reliability}
    reliable = numbers[Reliability.RELIABLE]
    if reliable == k:
        return f"**{every(k)} reliable**"
    if k == 1:
        return f"**the pattern is {LEVELS[found.directions[0].level]}**"
    are = "no pattern is" if reliable == 0 else "one pattern is"
    first = f"**{are if reliable < 2 else f'{word(reliable)} patterns are'} reliable**"
    rest = [
        (numbers[Reliability.RECOGNISABLE], "recognisable"),
        (numbers[Reliability.TOGETHER], _read_together(found)),
        (numbers[Reliability.LOST], "lost"),
    ]
    rest = [(number, what) for number, what in rest if number]
    said = [_some(number, what) for number, what in rest]
    if len(rest) == 1:
        said = [_others(rest[0][0], reliable, rest[0][1])]
    return "; ".join([first, *said])


def _read_together(found: Reliabilities) -> str:
    blocks = {d.block for d in found.directions if d.level is Reliability.TOGETHER}
    pairs = all(b is not None and b[1] - b[0] == 1 for b in blocks)
    kind = "pair" if pairs else "group"
    return f"can be read only as a {kind}" if len(blocks) == 1 else f"can be read only in {kind}s"


def every(k: int) -> str:
    """Name all patterns, with their verb: "both are"."""
    return {1: "the pattern is", 2: "both are"}.get(k, f"all {word(k)} are")


def _some(number: int, what: str) -> str:
    if what.startswith("can "):
        return f"{word(number)} {what}"
    return f"{word(number)} {'is' if number == 1 else 'are'} {what}"


def _others(number: int, reliable: int, what: str) -> str:
    """Say what all that are not reliable are."""
    can = what.startswith("can ")
    if reliable == 0:
        return f"{every(number).removesuffix(' are')} {what}" if can else f"{every(number)} {what}"
    who = "the other" if number == 1 else f"the other {word(number)}"
    return _some(number, what).replace(word(number), who, 1)


def people_sentence(measured: SummaryMeasurements) -> str:
    """Say how many times as many people make every pattern reliable; "" where that is unknown."""
    factor, found = measured.people_factor, measured.chosen.found
    if factor is None or found is None:
        return ""
    weak = [d.number for d in found.directions if d.level is not Reliability.RELIABLE]
    who = "the pattern" if measured.query.k == 1 else f"{joined(weak)} would"
    verb = "would be" if measured.query.k == 1 else ("each be" if len(weak) > 1 else "be")
    times = "twice" if abs(factor - 2) < 0.1 else f"{factor:.2g} times"
    many = measured.dataset.unit.many
    epsilon = epsilon_text(measured.query.epsilon)
    return f"With {times} as many {many}, {who} {verb} reliable at ε\u00a0=\u00a0{epsilon}."
