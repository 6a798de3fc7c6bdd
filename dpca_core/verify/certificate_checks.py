"""The arithmetic of a certificate, recomputed from its settings: noise, cost, budget and chain."""

import hashlib
from collections.abc import Mapping
from fractions import Fraction
from math import exp, sqrt
from typing import Any

from dpca_core.privacy.gaussian import gaussian_delta
from dpca_core.verify.certificate_values import Unreadable, canonical, quotient, whole
from dpca_core.verify.check import Check, same
from dpca_core.verify.noise_arithmetic import GRID, LETTERS, cost, moved
from dpca_core.verify.settings_checks import settings_checks

CERTIFICATE_FORMAT = "dpca-release/2"
"""The first listed the tables alone, and no commit; it was in no released version."""
_PAGES = {"certificate.html", "report.html"}
_CLOSE = 1e-9
_CHANCE = 2e-10
"""A chance is written with ten decimals, rounded up."""
_SHARES = 1e-6
"""How far a part's cost may be from its share, relatively, besides the rounding of scales."""
_LEAST_MATRIX = Fraction(1, 5)
_BEFORE_FIRST = 64 * "0"


def certificate_checks(certificate: Any) -> list[Check]:
    """Compute everything of a certificate again.

    Raises
    ------
    Unreadable
        Where fields are missing or of another kind.
    """
    try:
        if certificate["format"] != CERTIFICATE_FORMAT:
            raise Unreadable(f"its format is not {CERTIFICATE_FORMAT}")
        return [
            *settings_checks(certificate),
            *_parts(certificate),
            *_shares(certificate),
            *_budget(certificate),
            *_account(certificate),
            *_files(certificate),
            *_seals(certificate),
        ]
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError):
        raise Unreadable("a field is missing or of another kind") from None


def _parts(certificate: Mapping[str, Any]) -> list[Check]:
    """Sensitivity and cost of every table, from the unit and the whole-number scales."""
    plan, parts = certificate["plan"], certificate["parts"]
    found = [same("tables", sorted(part["name"] for part in parts), sorted(plan["scales"]))]
    d, rows = len(plan["columns"]), whole(certificate["unit"]["rows"], 1)
    planned = {
        name: {letter: whole(scale, 1) for letter, scale in scales.items()}
        for name, scales in plan["scales"].items()
    }
    replaced = {"add_or_remove_one": False, "replace_one": True}[plan["adjacency"]]
    for part in parts:
        name, noise = part["name"], part["noise"]
        scales = {letter: whole(scale, 1) for letter, scale in part["scales"].items()}
        letters = LETTERS[noise][name]
        norm, square = moved(name, noise, d, rows, replaced)
        mu2, pure = cost(letters, square, scales)
        unit = Fraction(1, rows * GRID**2 if name == "matrix" else GRID)
        found += [
            same(f"{name}: scales", scales, planned.get(name)),
            same(f"{name}: kind of scales", "".join(sorted(scales)), letters),
            same(f"{name}: norm", part["norm"], norm),
            same(f"{name}: sensitivity squared", whole(part["sensitivity_squared"]), square),
            same(f"{name}: μ²", quotient(part["mu2"]), mu2),
            same(f"{name}: ε of pure noise", quotient(part["pure"]), pure),
            same(f"{name}: grid unit", quotient(part["grid_unit"]), unit),
            same(f"{name}: file", part["file"] in certificate["files"], True),
        ]
        if letters == "ab":
            enough = scales["b"] ** 2 >= 2 * scales["a"] ** 2
            found.append(Check(f"{name}: b² ≥ 2a²", enough, scales["b"], "too small"))
    return found


def _shares(certificate: Mapping[str, Any]) -> list[Check]:
    """What each table was given of the budget, and what it took."""
    plan, parts = certificate["plan"], certificate["parts"]
    shares = {part["name"]: quotient(part["share"]) for part in parts}
    scores = plan["scores"]
    wanted = {
        "means": quotient(plan["means"]),
        "scores": Fraction(0) if scores is None else quotient(scores["share"]),
    }
    wanted["matrix"] = 1 - wanted["means"] - wanted["scores"]
    found = [
        Check("shares of tables", shares == {k: v for k, v in wanted.items() if v > 0},
              _shown(shares), _shown(wanted)),
        Check("the matrix’s share", shares["matrix"] >= _LEAST_MATRIX, shares["matrix"], "< 1/5"),
    ]  # fmt: skip
    costs = {part["name"]: quotient(part["mu2"]) + quotient(part["pure"]) for part in parts}
    total = sum(costs.values(), Fraction(0))
    # A scale is rounded up to a whole number, its cost down by 2/scale relatively.
    rounding = sum(
        Fraction(4, whole(scale, 1)) for part in parts for scale in part["scales"].values()
    )
    for name, share in shares.items():
        close = abs(costs[name] / total / share - 1) <= _SHARES + rounding
        took = f"{float(costs[name] / total)} of the cost"
        found.append(Check(f"{name}: cost by share", close, float(share), took))
    return found


def _shown(shares: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{name} {share}" for name, share in sorted(shares.items()))


def _budget(certificate: Mapping[str, Any]) -> list[Check]:
    """The sum of costs, (ε, δ) and what a guess gains."""
    plan, guarantee, parts = certificate["plan"], certificate["guarantee"], certificate["parts"]
    mu2 = sum((quotient(part["mu2"]) for part in parts), Fraction(0))
    pure = sum((quotient(part["pure"]) for part in parts), Fraction(0))
    epsilon, delta = quotient(guarantee["epsilon"]), quotient(guarantee["delta"])
    # From even odds, at the ε that pure noise alone costs: (e^ε + δ)/(1 + e^ε).
    small, gain = exp(-float(pure)), _delta(mu2, Fraction(0)) if mu2 else 0.0
    chance = min(1.0, (1 + gain * small) / (1 + small))
    said = float(quotient(guarantee["guess_probability"]))
    return [
        same("μ² of all tables", quotient(guarantee["mu2"]), mu2),
        same("ε of all pure noise", quotient(guarantee["pure"]), pure),
        same("ε asked", epsilon, quotient(plan["epsilon"])),
        same("δ asked", delta, quotient(plan["delta"])),
        same("notion", guarantee["notion"], "approximate" if mu2 else "pure"),
        _within("(ε, δ) of this release", mu2, pure, epsilon, delta),
        Check("chance of a right guess", abs(said - chance) <= _CHANCE, said, chance),
    ]


def _delta(mu2: Fraction, epsilon: Fraction) -> float:
    """δ of Gaussian noise (Balle & Wang 2018, Theorem 8)."""
    return gaussian_delta(1 / sqrt(mu2), float(epsilon), 1.0)


def _within(name: str, mu2: Fraction, pure: Fraction, epsilon: Fraction, delta: Fraction) -> Check:
    """Whether Gaussian and pure noise together are (ε, δ)-DP."""
    if pure > epsilon:
        return Check(name, False, f"ε = {float(epsilon)}", f"ε = {float(pure)} of pure noise alone")
    found = _delta(mu2, epsilon - pure) if mu2 else 0.0
    right = found <= float(delta) * (1 + _CLOSE)
    return Check(name, right, f"δ = {float(delta)}", f"δ = {found}")


def _account(certificate: Mapping[str, Any]) -> list[Check]:
    """The account's total up to this release, within what was promised for all of them."""
    guarantee, account = certificate["guarantee"], certificate["account"]
    total, promised, limit = account["total"], account["promised"], certificate["chain"]["limit"]
    mu2, pure = quotient(total["mu2"]), quotient(total["pure"])
    this = quotient(guarantee["mu2"]), quotient(guarantee["pure"])
    most, epsilon = quotient(total["most_pure"]), quotient(promised["epsilon"])
    first = whole(certificate["release"]["number"], 1) == 1
    # A first release is the account's total; later ones add to it.
    covers = mu2 >= this[0] and pure >= this[1]
    exact = not first or (_near(mu2, this[0]) and _near(pure, this[1]))
    said = f"μ² = {float(mu2)}, ε = {float(pure)}"
    lower = all(quotient(limit[key]) <= quotient(promised[key]) for key in ("epsilon", "delta"))
    as_opened = not first or limit == promised
    return [
        Check("the account’s total", covers and exact, said, "not what this release adds up to"),
        Check("pure noise within its part", pure <= most, total["pure"], total["most_pure"]),
        _within("(ε, δ) of the account", mu2, most if mu2 else pure, epsilon,
                quotient(promised["delta"])),
        Check("limits only fall", lower and as_opened, limit, promised),
    ]  # fmt: skip


def _files(certificate: Mapping[str, Any]) -> list[Check]:
    """Whether every file of the release has its digest, and no other is named."""
    wanted = {"matrix.csv", "directions.csv", "spectrum.csv"} | _PAGES
    wanted |= {part["file"] for part in certificate["parts"]}
    return [same("files that are listed", sorted(certificate["files"]), sorted(wanted))]


def _near(one: Fraction, other: Fraction) -> bool:
    return abs(one - other) <= Fraction(1, 10**30) * max(Fraction(1), other)


def _seals(certificate: Mapping[str, Any]) -> list[Check]:
    """The link of the ledger's chain, and the digest of the whole certificate."""
    chain, release, guarantee = (certificate[key] for key in ("chain", "release", "guarantee"))
    limit = chain["limit"]
    facts = {
        "account": certificate["account"]["id"],
        "id": release["id"],
        "number": release["number"],
        "mu2": guarantee["mu2"],
        "pure": guarantee["pure"],
        "plan": canonical(certificate["plan"]),
        "limit_epsilon": limit["epsilon"],
        "limit_delta": limit["delta"],
        "limit_pure": limit["pure"],
        "spent_on": release["spent_on"],
    }
    link = hashlib.sha256(f"{chain['previous']}\n{canonical(facts)}".encode()).hexdigest()
    begins = (chain["previous"] == _BEFORE_FIRST) == (release["number"] == 1)
    rest = {key: value for key, value in certificate.items() if key != "digest"}
    digest = hashlib.sha256(canonical(rest).encode()).hexdigest()
    return [
        Check("the chain begins with release 1", begins, chain["previous"], release["number"]),
        same("link of the chain", chain["link"], link),
        same("digest of the certificate", certificate["digest"], digest),
    ]
