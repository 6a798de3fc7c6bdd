"""The summary as markup: one article that a page shows, a file holds and a printer prints."""

from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import quote

from dpca_core.analysis.reliability import Reliability
from dpca_core.figures.colours import family_role, palette
from ui.page.markup import element, sentence
from ui.summary import promise_text as promise
from ui.summary import text
from ui.summary.figures import COIN, GAINED, LEVEL_MARKS, guess_dots, legend_dot, mark
from ui.summary.measurements import Setting, SummaryMeasurements
from ui.summary.pattern_rows import (
    FROM_THE_MIDDLE,
    LEVELS,
    MOST_ROWS,
    Row,
    cell,
    level_mark,
    more_rows,
    row_label,
    rows,
)
from ui.summary.query import Frozen, Name, Presentation
from ui.text.documents import title_of
from ui.text.product import PRODUCT_NAME

ROLES = ("ink", "grey", "faint", "hair", "rule", "page", "panel", "accent")
FILE_NAME = "dpca-summary.html"
PRINT_SIZES = {0: "9.7pt", 3: "9.3pt", 4: "9pt", 5: "8.6pt"}
"""Size of type on paper from so many rows of patterns on: all is to fit on one sheet."""
_SVG = "http://www.w3.org/2000/svg"
_FILE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ color-scheme: light dark; background: {under}; }}
body {{ margin: 0; padding: 1.4rem .8rem; }}
body > p {{ max-width: 59em; margin: 0 auto .6rem; font: .84rem/1.4 system-ui, sans-serif; }}
body > p {{ color: {mark}; }}
@media print {{
  :root {{ color-scheme: light; background: none; }}
  body {{ padding: 0; }}
  body > p {{ max-width: none; font-size: 8pt; margin-bottom: 2mm; }}
}}
{style}
/* Other fonts than Source Sans are wider, and the mark takes a line. */
@media print {{ .one-page {{ font-size: calc(var(--print) * .92); }} }}
</style>
<body>
{article}
</body>
</html>
"""


@cache
def _sheet() -> str:
    return Path(__file__).with_name("one_page.css").read_text("utf-8")


def style(measured: SummaryMeasurements) -> str:
    """Return the rules of the article, with the colours of both themes."""
    colours = palette()
    roles = {role: colours[role] for role in ROLES}
    roles["level"] = colours[family_role(measured.query.mechanism.family)]
    names = "; ".join(
        f"--op-{n}: light-dark({light}, {dark})" for n, (light, dark) in roles.items()
    )
    return f".one-page {{ {names}; }}\n{_sheet()}"


def article(
    frozen: Frozen,
    measured: SummaryMeasurements,
    shown: Presentation,
    qr: str = "",
    url: str = "",
    *,
    links: bool = False,
) -> str:
    """Return the whole summary.

    Parameters
    ----------
    measured
        All that is measured.
    qr, url
        The address that makes it again, as SVG and without its scheme; "" where there is none.
    links
        Whether the page Proofs is one click away: a file has only its name.
    """
    every = rows(measured, shown)
    fitted, left_out = every[:MOST_ROWS], every[MOST_ROWS:]
    size = next(s for least, s in reversed(PRINT_SIZES.items()) if len(fitted) >= least)
    head = element(
        "header",
        element("span", element("b", PRODUCT_NAME), escape(text.SUBJECT)),
        element("time", promise.day(frozen), datetime=frozen.made.isoformat()),
        class_="op-head",
    )
    return element(
        "article",
        head,
        element("h1", escape(text.title(measured, shown))),
        element("p", sentence(text.lead(measured)), class_="op-lead"),
        _published(fitted, left_out),
        _settings(measured, fitted),
        _not_promised(measured, shown),
        _foot(frozen, measured, shown, qr, url, links=links),
        class_="one-page",
        style=f"--print: {size}",
    )


def file_text(frozen: Frozen, measured: SummaryMeasurements, shown: Presentation) -> str:
    """Return the summary as a page of its own: no script, no font, nothing loaded."""
    colours = palette()
    accent, grey = (colours[role] for role in ("accent", "grey"))
    pair = grey if shown.data_are_public else accent
    return _FILE.format(
        title=escape(text.title(measured, shown)),
        under="light-dark({}, {})".format(*colours["panel"]),
        mark="light-dark({}, {})".format(*pair),
        style=style(measured),
        article=article(frozen, measured, shown),
    )


def _part(title: str, *children: str) -> str:
    return element("section", element("h2", escape(title)), *children, class_="op-part")


def _level(kind: str, words: str, below: str = "") -> str:
    small = element("span", escape(below), class_="op-small") if below else ""
    return element("div", mark(kind), element("span", words), small, class_="op-level")


def _published(fitted: list[Row], left_out: list[Row]) -> str:
    lines = [_pattern(row) for row in fitted]
    more = element("p", escape(more_rows(left_out)), class_="op-more") if left_out else ""
    listed = element("ol", *lines, class_="op-patterns")
    return _part(text.PUBLISHED, listed, more)


def _pattern(row: Row) -> str:
    numbers = row.numbers
    shown = f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 2 else ", ".join(map(str, numbers))
    note = element("p", escape(row.note), class_="op-small") if row.note else ""
    words = element("div", element("p", sentence(row.words)), note, class_="op-words")
    level = _level(level_mark(row.level), element("b", LEVELS[row.level]), row.found)
    return element("li", element("b", shown), words, level)


def _settings(measured: SummaryMeasurements, fitted: list[Row]) -> str:
    settings = list(measured.settings.values())
    bounds = [promise.odds(measured, setting) for setting in settings]
    dots = any(bound.chance is not None for bound in bounds)
    refusals = any(setting.refused > 0 for setting in settings)
    labels = [row_label(row.numbers) for row in fitted]
    labels += ["No answer"] * refusals + [promise.guess_label(measured)]
    left = [element("span", escape(label)) for label in ("", *labels, *[""] * dots)]
    columns = [
        _setting(setting, bound, measured, fitted, refusals=refusals, dots=dots)
        for setting, bound in zip(settings, bounds, strict=True)
    ]
    table = element(
        "div",
        element("div", *left, class_="op-labels", aria_hidden="true"),
        *columns,
        class_="op-table",
        style=f"--columns: {len(columns)}; --rows: {len(left)}",
    )
    number = text.word(len(columns))
    return _part(
        text.SIDE_BY_SIDE.format(Number=text.capital(number)),
        table,
        _legend(measured, fitted, dots=dots),
    )


def _setting(
    setting: Setting,
    bound: promise.Odds,
    measured: SummaryMeasurements,
    fitted: list[Row],
    *,
    refusals: bool,
    dots: bool,
) -> str:
    head = element(
        "h3", element("b", setting.name), element("span", escape(promise.budget_text(setting)))
    )
    cells = [_cell(row_label(row.numbers), *_verdict(setting, row)) for row in fitted]
    if refusals:
        share = f"in {setting.refused * 100:.0f} of 100 tries"
        cells.append(_cell("No answer", "", share))
    label = promise.guess_label(measured)
    cells.append(_cell(label, "", sentence(bound.text)))
    if dots:
        cells.append(guess_dots(bound.chance) if bound.chance is not None else element("div"))
    kind = "op-setting is-chosen" if setting.name is Name.CHOSEN else "op-setting"
    return element("section", head, *cells, class_=kind)


def _verdict(setting: Setting, row: Row) -> tuple[str, str]:
    if setting.found is None:
        return "", "no release" if setting.guarantee is None else "not simulated"
    return cell(setting.found, row.numbers)


def _cell(label: str, kind: str, words: str) -> str:
    said = _level(kind, words) if kind else element("span", words)
    return element("div", element("span", escape(label), class_="op-label"), said, class_="op-cell")


def _legend(measured: SummaryMeasurements, fitted: list[Row], *, dots: bool) -> str:
    kinds = [*LEVEL_MARKS] if measured.chosen.found is not None else []
    marks = {kind: mark(kind) for kind in kinds}
    marks |= {"coin": legend_dot(COIN), "gained": legend_dot(GAINED)} if dots else {}
    keys = [
        element("span", drawn, f"\u00a0{escape(text.LEGEND[kind])}")
        for kind, drawn in marks.items()
    ]
    named = any(row.level not in (Reliability.LOST, Reliability.UNKNOWN) for row in fitted)
    notes = [text.people_sentence(measured), FROM_THE_MIDDLE if named else ""]
    return element(
        "p",
        " ".join(keys),
        element("span", escape(" ".join(filter(None, notes))), class_="op-notes"),
        class_="op-legend",
    )


def _not_promised(measured: SummaryMeasurements, shown: Presentation) -> str:
    lines = [element("p", sentence(line)) for line in promise.not_promised(measured, shown)]
    return _part(promise.NOT_PROMISED, element("div", *lines, class_="op-not"))


def _proof(measured: SummaryMeasurements, *, links: bool) -> str:
    """Return who proved the promise, with the document that says it."""
    proof = promise.proof(measured)
    if proof is None:
        return ""
    title = escape(title_of(proof.document))
    if links:
        address = f"proofs?document={proof.document}"
        title = element("a", title, href=address, target="_blank", rel="noopener")
    return f"{sentence(proof.text)} {promise.SEE.format(title=title)}"


def _foot(
    frozen: Frozen,
    measured: SummaryMeasurements,
    shown: Presentation,
    qr: str,
    url: str,
    *,
    links: bool,
) -> str:
    first = (
        element("span", promise.PUBLIC)
        if shown.data_are_public
        else element("b", promise.INSIDE, class_="op-inside")
    )
    proof = _proof(measured, links=links)
    rest = sentence(promise.foot(frozen, measured, shown))
    image = quote(qr.replace("<svg ", f'<svg xmlns="{_SVG}" ', 1))
    drawn = element("img", src=f"data:image/svg+xml,{image}", alt=text.CODE)
    code = element("div", drawn, element("span", escape(url)), class_="op-qr") if qr else ""
    return element(
        "footer", element("p", " ".join(filter(None, (first, proof, rest)))), code, class_="op-foot"
    )
