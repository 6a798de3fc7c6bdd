"""What a certificate says in two places, and what must be so for anything to be promised.

Under other settings rows would depend on each other, or on what was read from the table, and the
arithmetic of the noise would be right of a promise that nobody can make (docs/release.md).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from dpca_core.verify.certificate_values import quotient, whole
from dpca_core.verify.check import Check, same
from dpca_core.verify.noise_arithmetic import BESIDE, GAUSSIAN, GRID

_RANGED, _NORM_ONLY, _PRIVATE_MEAN = "bounded", "norm only", "private mean"
_SCALINGS = (_RANGED, _NORM_ONLY, _PRIVATE_MEAN)
"""Every other scaling reads the whole table first."""
_READ = "file"
"""Source of what was read from the table itself."""
_LEFT_OUT = "left out"
"""What is done with rows that name nobody: each as its own person would be more than one."""
_SEVERAL = "at most m kept, S divided by m"
_LENGTH_ONE = "all of length 1"
_MOST_EPSILON, _LEAST_DELTA = Fraction(10**10), Fraction(1, 10**30)
_LIMIT_OF_SCALES = 2**57
"""Noise and sums fit 64 bits below it."""


def settings_checks(certificate: Mapping[str, Any]) -> list[Check]:
    """Check the settings; fields that are missing or of another kind raise."""
    plan, unit, recipe = certificate["plan"], certificate["unit"], certificate["plan"]["recipe"]
    # Rows that are averaged, or that no column of persons ties together, are one row a person.
    several = bool(recipe["person"]) and recipe["combine"] == _SEVERAL
    said = [unit["one"], unit["many"]]
    return [
        same("grid", whole(plan["grid"]), GRID),
        same("unit", said, [recipe["unit"]["one"], recipe["unit"]["many"]]),
        same("rows a person", whole(unit["rows"], 1), recipe["most"] if several else 1),
        same("neighbours", unit["neighbours"], plan["adjacency"]),
        same("limits declared public", recipe["bounds_are_public"], True),
        same("practice", bool(certificate["practice"]), bool(plan["practice"])),
        *_rows(plan, recipe),
        *_noise(certificate),
        *_limits(certificate),
        _assumptions(certificate),
    ]


def _rows(plan: Mapping[str, Any], recipe: Mapping[str, Any]) -> list[Check]:
    """Whether a row depends on nothing but itself and public settings."""
    scaling, columns = recipe["scaling"], [*recipe["numbers"], *recipe["categories"]]
    read = [column["name"] for column in columns if column["source"] == _READ]
    width = len(recipe["numbers"]) + sum(len(_listed(c["values"])) for c in recipe["categories"])
    unnamed = recipe["missing_person"] if recipe["person"] else _LEFT_OUT
    means = quotient(plan["means"])
    found = [
        Check("rows are scaled one by one", scaling in _SCALINGS, scaling, "no such scaling"),
        same("nothing is known from the table", ", ".join(read), ""),
        same("rows that name nobody", unnamed, _LEFT_OUT),
        same("columns after coding", len(_listed(plan["columns"])), width),
        Check("directions", 0 < whole(plan["k"]) < width, plan["k"], "out of range"),
        Check("ranges and R", _bounded(recipe), "ranges or an R that bound nothing", "no bound"),
    ]
    if scaling == _PRIVATE_MEAN:
        found.append(Check("a private mean is paid for", means > 0, means, "no table of means"))
    return found


def _bounded(recipe: Mapping[str, Any]) -> bool:
    """Whether public ranges rise, hold their typical values, and bound every row with R."""
    radius = recipe["radius"]
    if recipe["scaling"] != _NORM_ONLY:
        for column in recipe["numbers"]:
            low, high = column["low"], column["high"]
            typical = low if column["typical"] is None else column["typical"]
            if not (_finite(low, high, typical) and low < high and low <= typical <= high):
                return False
    if radius is None:
        return bool(recipe["scaling"] != _NORM_ONLY or recipe["row_length"] == _LENGTH_ONE)
    return bool(_finite(radius) and radius > 0)


def _noise(certificate: Mapping[str, Any]) -> list[Check]:
    """Whether tables have noise that goes together, each below the largest scale."""
    parts = certificate["parts"]
    beside = BESIDE.get(_law(parts), "none: no such law on the matrix")
    return [
        check
        for part in parts
        for check in (
            same(f"{part['name']}: law of its noise", part["noise"],
                 _law(parts) if part["name"] == "matrix" else beside),
            Check(f"{part['name']}: scales leave room",
                  all(whole(s, 1) < _LIMIT_OF_SCALES for s in part["scales"].values()),
                  part["scales"], "too large for 64 bits"),
        )
    ]  # fmt: skip


def _law(parts: Sequence[Mapping[str, Any]]) -> str:
    """Return the law of the noise on the matrix; "" where there is none."""
    return next((str(part["noise"]) for part in parts if part["name"] == "matrix"), "")


def _limits(certificate: Mapping[str, Any]) -> list[Check]:
    """Whether every ε and δ is one that promises something."""
    plan, account = certificate["plan"], certificate["account"]
    promised, limit = account["promised"], certificate["chain"]["limit"]
    found = []
    for name, said in (("release", plan), ("account", promised), ("limit", limit)):
        epsilon, delta = quotient(said["epsilon"]), quotient(said["delta"])
        right = 0 < epsilon <= _MOST_EPSILON and (delta == 0 or _LEAST_DELTA <= delta < 1)
        shown = f"ε = {said['epsilon']}, δ = {said['delta']}"
        found.append(Check(f"ε and δ of the {name}", right, shown, "no ε and δ of a guarantee"))
    if _law(certificate["parts"]) != GAUSSIAN:
        found.append(same("δ of pure noise", quotient(plan["delta"]), 0))
    for name, said in (("account", promised), ("limit", limit)):
        aside = quotient(said["pure"]) <= quotient(said["epsilon"])
        found.append(Check(f"set aside of the {name}", aside, said["pure"], said["epsilon"]))
    return found


def _assumptions(certificate: Mapping[str, Any]) -> Check:
    """Whether it says what the promise rests on, and what nobody can see from it."""
    said = [*_listed(certificate["assumptions"]), *_listed(certificate["theorems"])]
    texts = [*said, certificate["cannot_be_seen"], certificate["not_published"]]
    right = bool(certificate["assumptions"]) and bool(certificate["theorems"])
    right = right and all(isinstance(text, str) and text.strip() for text in texts)
    return Check("what it rests on is said", right, certificate["assumptions"], "nothing")


def _finite(*values: Any) -> bool:
    """Whether these are numbers, as JSON has them."""
    return all(
        isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
        for value in values
    )


def _listed(value: Any) -> list[Any]:
    """Return a list; anything else has no length that counts."""
    if not isinstance(value, list):
        raise TypeError("a list is missing")
    return value
