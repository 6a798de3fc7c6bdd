"""The certificate of a release: everything public about it, so that anybody can compute it again.

It is a function of one row of the ledger, of the release's files and of the program that writes
it. ``python -m dpca_core.verify`` checks it. It lists the digest of every other file of the
release; its page for people is one of them, and so shows all but these two: the certificate's own
digest and the page's.
"""

import hashlib
from collections.abc import Mapping
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.release.assumptions import ASSUMPTIONS, CANNOT_BE_SEEN
from dpca_core.release.exact_fractions import fraction_text, short_text
from dpca_core.release.ledger_rows import Row, quotient
from dpca_core.release.plan_json import canonical, tree_of
from dpca_core.release.plan_parts import Part
from dpca_core.release.program import software
from dpca_core.release.release_files import FILE_OF, PRACTICE
from dpca_core.release.report_preparation import (
    column_rows,
    declaration_rows,
    preparation_rows,
    protected,
)
from dpca_core.release.spending import Limit
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.verify.certificate_checks import CERTIFICATE_FORMAT
from dpca_core.verify.certificate_values import written

NOT_PUBLISHED = (
    "The exact number of rows, the shares of rows or cells that were cut, the counts of missing "
    "values, the file’s name and the run time were read from the data, or depend on them; they are "
    "no part of this release."
)
_DIGITS = 6
"""Of fractions, as the page for people shows them."""
_COLUMN_HEAD = ("Column", "Range or values", "Typical", "Where from")
THEOREMS = (
    "Rows on a grid: Lemmas 1 to 4",
    "Exact noise: Theorem 1",
    "Composition: Theorem 2 and its corollary",
)
"""Proofs in docs/release.md that the guarantee rests on."""
_LAWS = {
    ExactNoise.GAUSSIAN: "⌊scale·x + ½⌋ for each entry, x standard normal: scale a, and b on a "
    "matrix’s diagonal; a matrix is mirrored from its upper triangle",
    ExactNoise.WISHART_DIFFERENCE: "⌊s·(GGᵀ − HHᵀ) + ½⌋, G and H of d rows and d + 1 columns, "
    "their entries standard normal",
    ExactNoise.LAPLACE: "P(z) ∝ e^(−|z|/w) for each entry; a matrix is mirrored from its upper "
    "triangle",
}
"""Each law in one line; all entries are independent otherwise."""


def certificate(row: Row, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return a certificate as a tree of texts and whole numbers.

    Parameters
    ----------
    row
        Of a published release.
    files
        All other files of the release by name.
    """
    tree = _undigested(row, files)
    return tree | {"digest": hashlib.sha256(canonical(tree).encode()).hexdigest()}


def _undigested(row: Row, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return a certificate without its own digest."""
    plan, account = row.plan, row.account
    unit = plan.recipe.unit
    return {
        "format": CERTIFICATE_FORMAT,
        "software": software(),
        "practice": PRACTICE if plan.practice else "",
        "release": {"id": row.id, "number": row.number, "spent_on": row.spent_on},
        "account": {
            "id": account.id,
            "name": account.name,
            "people": account.people,
            "opened_on": account.opened_on,
            "total": {
                "mu2": short_text(row.total.mu2),
                "pure": short_text(row.total.pure),
                "most_pure": short_text(row.spending.most_pure(row.promised)),
            },
            "promised": _limit(row.promised),
        },
        "unit": {
            "one": unit.one,
            "many": unit.many,
            "rows": plan.rows_per_person,
            "neighbours": plan.adjacency.value,
            "sentence": neighbours(plan.adjacency, unit.one),
        },
        "guarantee": {
            "notion": "approximate" if row.cost.mu2 > 0 else "pure",
            "epsilon": fraction_text(plan.epsilon),
            "delta": fraction_text(plan.delta),
            "mu2": quotient(row.cost.mu2),
            "pure": quotient(row.cost.pure),
            "guess_probability": _upward(row.cost.guess_probability()),
        },
        "parts": [_part(part) for part in plan.parts],
        "plan": tree_of(plan),
        "files": {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)},
        "not_published": NOT_PUBLISHED,
        "assumptions": list(ASSUMPTIONS),
        "cannot_be_seen": CANNOT_BE_SEEN,
        "theorems": list(THEOREMS),
        "chain": {"previous": row.previous, "link": row.chain, "limit": _limit(row.limit)},
    }


def certificate_json(row: Row, files: Mapping[str, bytes]) -> bytes:
    """Return a certificate as JSON with sorted keys."""
    return written(certificate(row, files))


def certificate_html(row: Row, files: Mapping[str, bytes]) -> bytes:
    """Return a certificate as a page for people.

    Parameters
    ----------
    files
        All files of the release by name but the certificate and this page.
    """
    found = _undigested(row, files)
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    page = environment.get_template("certificate_page.html")
    columns = {"head": _COLUMN_HEAD, "rows": column_rows(row.plan.recipe)}
    return page.render(
        found=found,
        about=_about(found),
        guarantee=_guarantee(found, protected(row.plan)),
        preparation=preparation_rows(row.plan),
        columns=columns,
        declarations=declaration_rows(row.plan),
        seals=_seals(found),
        rounded=_rounded,
    ).encode()


def _about(found: Mapping[str, Any]) -> list[tuple[str, object]]:
    account, release, plan = found["account"], found["release"], found["plan"]
    return [
        ("People", account["people"]),
        ("Account", f"{account['name']} ({account['id']}), opened on {account['opened_on']}"),
        ("Release", f"{release['number']} ({release['id']})"),
        ("Spent on", release["spent_on"]),
        ("Why this ε", plan["reason"]),
        ("Written by", "{name} {version}, commit {commit}".format(**found["software"])),
    ]


def _guarantee(found: Mapping[str, Any], protects: str) -> list[tuple[str, object]]:
    """Return the guarantee of this release and of all releases together."""
    guarantee, account = found["guarantee"], found["account"]
    total, promised = account["total"], account["promised"]
    chance = Fraction(guarantee["guess_probability"])
    return [
        ("Protected", protects),
        ("This release", f"ε = {guarantee['epsilon']}, δ = {guarantee['delta']}"),
        ("μ² of its Gaussian noise", _rounded(guarantee["mu2"])),
        ("ε of its pure noise", _rounded(guarantee["pure"])),
        ("Right guesses from even odds", f"at most {_rounded(100 * chance)} in 100"),
        ("All releases so far, μ²", _rounded(total["mu2"])),
        ("All releases so far, pure ε", _rounded(total["pure"])),
        (
            "All of them together stay within",
            f"ε = {promised['epsilon']}, δ = {promised['delta']}, also where a budget was chosen "
            "after seeing earlier releases",
        ),
    ]


def _seals(found: Mapping[str, Any]) -> list[tuple[str, object]]:
    chain = found["chain"]
    return [
        ("Release before", "none" if found["release"]["number"] == 1 else chain["previous"]),
        ("This release", chain["link"]),
    ]


def _rounded(exact: str | Fraction) -> str:
    """Write a fraction in six digits, rounded up, where it is not one of few."""
    value = Fraction(exact)
    digits = Context(prec=_DIGITS, rounding=ROUND_CEILING)
    shown = digits.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{shown:f}" if Fraction(shown) == value else f"{shown:.{_DIGITS}g}"


def _part(part: Part) -> dict[str, Any]:
    return {
        "name": part.name.value,
        "noise": part.noise.value,
        "law": _LAWS[part.noise],
        "scales": dict(part.scales),
        "norm": part.sensitivity.norm.value,
        "sensitivity_squared": part.sensitivity.squared,
        "share": fraction_text(part.share),
        "mu2": quotient(part.cost.mu2),
        "pure": quotient(part.cost.pure),
        "grid_unit": quotient(part.grid_unit),
        "file": FILE_OF[part.name],
    }


def _upward(chance: float) -> str:
    """Write a chance with ten decimals, rounded up."""
    return f"{ceil(min(chance, 1.0) * 10**10) / 10**10:.10f}"


def _limit(limit: Limit) -> dict[str, str]:
    return {
        "epsilon": fraction_text(limit.epsilon),
        "delta": fraction_text(limit.delta),
        "pure": fraction_text(limit.pure),
    }
