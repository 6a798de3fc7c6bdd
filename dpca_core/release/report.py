"""A release as one HTML file that opens offline, for people who do not read formulas.

It is a function of plan, account and released tables: whoever has them makes it again, byte for
byte. Sentences stand in report.html, which escapes whatever an owner or a file's header says.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import asin, ceil, degrees, floor, isfinite, log10
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from dpca_core.analysis.direction_words import (
    NONE_STANDS_OUT,
    ColumnWords,
    block_columns,
    block_phrase,
    candidates,
    direction_phrase,
    plain,
)
from dpca_core.data.column_names import label
from dpca_core.data.recipe import Category, Number, Recipe, Scale
from dpca_core.figures.colours import colour
from dpca_core.release.plan import chance_of_guess
from dpca_core.release.reading import Apart, Reading
from dpca_core.text import release_statements as statements
from dpca_core.text.glossary import TERMS
from dpca_core.text.guarantee_sentences import dots_label
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import delta_text, right_guesses, upward, whole_right_guesses

DIRECTIONS, LOADINGS, EIGENVALUES, LONG, LISTED = 6, 10, 12, 60, 15
"""Drawn directions, loadings of one, eigenvalues, rows of long tables, texts of a column, at most;
the other files have all."""
MOST_NAMED = 6
"""Columns that directions which are only read together are about, at most."""
LEAST_ALONE, LEAST_OF_MEAN = 0.8, 0.5
"""Sum of squared loadings from which a direction is one column alone, a direction's share of those
of several; and from which directions are made of columns in which the mean stays."""
WORDS = ("epsilon", "delta", "person", "neighbours", "noise", "direction", "loading", "budget")
"""Terms that the report explains."""
ROLES = ("ink", "grey", "faint", "hair", "rule", "page", "panel", "accent", "gaussian")


def report_html(reading: Reading, facts: Mapping[str, Any]) -> bytes:
    """Return the report of a release, with ``facts_of`` its row."""
    plan, recipe = reading.plan, reading.plan.recipe
    held, edge, groups = reading.shares, reading.noise_edge, reading.apart()
    each = reading.each[: min(LONG, max(plan.k + 1, EIGENVALUES))]
    lengths = [max(of.people.value, 0.0) for of in each]
    # An edge that is not known is NaN, and larger than nothing.
    longest = max(1e-9, *(of.people.high for of in each), edge)
    chance, words = chance_of_guess(plan.cost, plan.gaussian), _words(recipe)
    person, declared = recipe.person, plan.declarations
    one, many = plan.protects
    form = recipe.number_format
    counts, noise = reading.counts() if plan.scores else (np.empty(0), 0.0)
    page: str = _template().render(
        **facts,
        plan=plan,
        recipe=recipe,
        one=one,
        many=many,
        form=form,
        guesses=right_guesses(chance),
        dots=whole_right_guesses(chance),
        dots_label=dots_label(chance),
        colours={role: colour(role, "light") for role in ROLES},
        held=held,
        edge=edge,
        each=list(enumerate(each, 1)),
        in_order=lengths == sorted(lengths, reverse=True),
        may_be_noise=reading.may_be_noise,
        drawn=min(plan.k, DIRECTIONS),
        place=place,
        ends=(0.0, longest),
        read=_how_read(groups),
        groups=list(_groups(reading, groups[:LONG], words)),
        certain=_angle(reading.angle_certain(plan.k)),
        means=_means(reading) if plan.means else [],
        counts=counts.tolist(),
        noise=noise,
        columns=[_column(column, recipe.ranged) for column in recipe.columns],
        long=LONG,
        declared=statements.printed(
            declared, recipe.unit.one, recipe.unit.many, person, plan.practice
        ),
        assumptions=statements.assumptions(form.escape, persons=bool(person), typed=form.typed),
        statements=statements,
        glossary=[TERMS[word] for word in WORDS],
    )
    return page.encode()


def _span(first: int, last: int) -> str:
    """Write neighbouring numbers: "2", "2 and 3", "2 to 4"."""
    return str(first) if first == last else f"{first} {'and' if last == first + 1 else 'to'} {last}"


def _how_read(groups: Sequence[Apart]) -> list[tuple[str, str]]:
    """Say which directions can be read alone, which only together, and which not at all."""
    found = list[tuple[int, int, str]]()
    for first, last, sine in groups:
        how = "not at all" if sine is None else "alone" if first == last else "only together"
        begin = found.pop()[0] if found and how == found[-1][2] == "alone" else first
        found.append((begin, last, how))
    return [(_span(first, last), how) for first, last, how in found]


def _groups(
    reading: Reading, groups: Sequence[Apart], words: Sequence[ColumnWords]
) -> Iterator[dict[str, Any]]:
    """Return which directions a reader can tell apart, how far they turned, and what they say.

    No finding is made of one column alone, nor of the first directions that lie mostly in columns
    in which the mean stays; of later ones there it is made with a reserve.
    """
    recipe, stays = reading.plan.recipe, np.array(reading.plan.recipe.mean_stays)
    widths = [len(c.values) if isinstance(c, Category) else 1 for c in recipe.columns]
    source, before = np.repeat(np.arange(len(widths)), widths), False
    for first, last, sine in groups:
        inside = reading.directions(last)[:, first - 1 :]
        squares = np.square(inside).sum(axis=1)
        if first == last:
            phrase = direction_phrase(inside[:, 0], candidates(inside[:, 0]), words)
        else:
            phrase = block_phrase(block_columns(inside)[:MOST_NAMED], words)
        mean, sizes = squares[stays].sum() >= LEAST_OF_MEAN, np.bincount(source, squares)
        alone = sizes.max() >= LEAST_ALONE * inside.shape[1]
        yield {
            "first": first,
            "span": _span(first, last),
            "several": first < last,
            "angle": _angle(sine),
            "alone": recipe.columns[sizes.argmax()] if alone else None,
            "mean": mean and not before,
            "reserve": mean and before,
            "phrase": "" if phrase == NONE_STANDS_OUT else _bold(phrase),
            "directions": [_direction(reading, i) for i in range(first - 1, min(last, DIRECTIONS))],
        }
        before = before or (mean and not alone)


def _titles(recipe: Recipe) -> list[str]:
    """Return what the columns after coding are, as far as that is told."""
    widths = [len(c.values) if isinstance(c, Category) else 1 for c in recipe.columns]
    return [label(of.title) for of, m in zip(recipe.columns, widths, strict=True) for _ in range(m)]


def _words(recipe: Recipe) -> list[ColumnWords]:
    """Return how the ends of the columns after coding are called, from their labels alone."""
    found = [
        ColumnWords(f"low {plain(c.name)}", f"high {plain(c.name)}", plain(c.name))
        for c in recipe.numbers
    ]
    for scale in recipe.scales:
        name, low, high = map(plain, (scale.name, scale.shown[0], scale.shown[-1]))
        found.append(ColumnWords(f"{name}: {low}", f"{name}: {high}", name))
    shown = map(plain, recipe.coded_names[len(found) :])
    return found + [ColumnWords(f"not {name}", name, name) for name in shown]


def _direction(reading: Reading, i: int) -> dict[str, Any]:
    """Return the largest loadings of direction i, counted from 0, with half their intervals."""
    values, halves = reading.directions(i + 1)[:, i], reading.loading_errors(i + 1)[:, i]
    order = np.argsort(-np.abs(values), kind="stable")[:LOADINGS].tolist()
    names, titles = reading.plan.columns, _titles(reading.plan.recipe)
    rows = [(names[j], titles[j], float(values[j]), float(halves[j])) for j in order]
    return {"number": i + 1, "rows": rows, "known": isfinite(rows[0][-1])}


def _means(reading: Reading) -> list[tuple[str, str, str]]:
    """Return means with the decimals at which half an interval has two digits."""
    recipe, rows = reading.plan.recipe, []
    with_units = not (recipe.made_of_length_one or reading.plan.practice)
    units = {c.name: f" ({c.unit})" for c in recipe.numbers if c.unit and with_units}
    for column, value, half in zip(reading.plan.columns, *reading.means(), strict=True):
        name, shown = column + units.get(column, ""), ("not shown", "–")
        if isfinite(half):
            places = min(9, max(0, 1 - floor(log10(half)))) if half > 0 else 9
            shown = f"{value:.{places}f}".replace("-", "−"), f"± {half:.{places}f}"
        rows.append((name, *shown))
    return rows


def _column(column: Number | Scale | Category, ranged: bool) -> tuple[str, str, str]:
    """Return a column with its range or values, and where those come from."""
    source = statements.SOURCES[column.source] + ", after a look at its values" * column.seen
    codes = f"; missing: {_listed(column.missing)}" if column.missing else ""
    if isinstance(column, Scale | Category):
        pairs = zip(column.values, column.shown, strict=True)
        texts = [value if value == said else f"{value} = {said}" for value, said in pairs]
        in_order = "in this order, from −1 to 1: " * isinstance(column, Scale)
        values = in_order + _listed(texts)
    elif ranged:
        typical = "" if column.typical is None else f", typically {column.typical:,.15g}"
        values = f"{column.low:,.15g} to {column.high:,.15g} {column.unit}".rstrip() + typical
    else:
        values = f"as it is {column.unit}".rstrip()
    return (
        column.name + (f": {label(column.title)}" if column.title else ""),
        values + codes,
        source,
    )


def _listed(texts: Sequence[str]) -> str:
    more = len(texts) - LISTED
    return ", ".join(texts[:LISTED]) + (f", and {more} more" if more > 0 else "")


def whole(value: float) -> str:
    """Write a number of units, such as people."""
    return (f"{value:,.0f}" if abs(value) >= 10 else f"{value:.2g}").replace("-", "−")


def percent(share: float) -> str:
    """Write a share, as a number of per cent."""
    return f"{100 * share:.0f}" if share >= 0.1 else f"{100 * share:.2g}"


def place(value: float, ends: tuple[float, float]) -> float:
    """Return where a value is in a drawing that is 200 wide between these ends."""
    return 200 * (min(max(value, ends[0]), ends[1]) - ends[0]) / (ends[1] - ends[0])


def _angle(sine: float | None) -> str:
    """Write an angle by its sine, rounded up; "" where it is not known."""
    if sine is None or not sine < 1:
        return ""
    angle = degrees(asin(sine))
    unit = 1.0 if angle >= 10 else 0.1
    return f"{ceil(angle / unit) * unit:.2g}°"


def _bold(phrase: str) -> Markup:
    """Return a phrase with ``**`` around what is bold; everything else in it is text."""
    return Markup(re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", str(escape(phrase)), flags=re.S))


@cache
def _template() -> Any:
    """Return the template; what is put into it is escaped unless it is markup of ours."""
    found = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    found.filters |= {
        "whole": whole,
        "percent": percent,
        "signed": lambda value: f"{value:+.2f}".replace("-", "−"),
        "short": "{:.4g}".format,
        "upward": lambda value, *digits: upward(float(value), *digits),
        "delta": lambda value: delta_text(float(value)),
        "listed": lambda texts: listed(list(texts)),
    }
    return found.get_template("report.html")
