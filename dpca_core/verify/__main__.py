"""Checks the certificate of a release and the files beside it, and prints what they promise.

What is allowed in a certificate is in certificate_schema.json. What follows from its settings is
computed from formulas that are typed a second time (docs/release.md): of the program that draws
releases nothing is imported but the accounting of Gaussian noise, and words for codes. Exit codes:
0 all that could be checked is right, 1 something is wrong, 2 a file cannot be read.
"""

import argparse
import csv
import hashlib
import io
import json
import os
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache
from glob import glob
from itertools import takewhile
from math import ceil, exp, isqrt, prod, sqrt
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

from dpca_core.privacy.gaussian import gaussian_delta, gaussian_sigma
from dpca_core.text import release_statements as words
from dpca_core.text.release_statements import Answer, Declaration, Fact

RIGHT, WRONG, UNREADABLE = 0, 1, 2
CERTIFICATE = "certificate.json"
GRID = 65_536
"""M, the length of a row of norm 1 in grid units."""
LETTERS = {
    "gaussian": {"matrix": "ab", "means": "a", "scores": "a"},
    "wishart_difference": {"matrix": "s", "means": "w", "scores": "w"},
    "laplace": {"matrix": "w", "means": "w", "scores": "w"},
}
"""Scales of each table's noise: a and b standard deviations, s of Wisharts, w of Laplace noise."""
NOT_CHECKED = (
    "Not checked: the version and commit of the program, the owner’s own words (names, labels, "
    "people, units, the reason), README.txt, names, comments and edges of bins in tables, and what "
    "was read off the released whole numbers: report.html, directions.csv, spectrum.csv, the means "
    "in means.csv."
)

_SCHEMA = json.loads(Path(__file__).with_name("certificate_schema.json").read_text("utf-8"))
_LARGEST, _LARGEST_CERTIFICATE = 2**30, 2**22
"""Bytes of all files in a zip together, and of a certificate."""
_ABOVE_1 = 1 + Fraction(1, 10**9)
"""Relative error of the accounting, which is in floats."""


class Unreadable(Exception):
    """What is given is no certificate, or no file; the message says why."""


def read(content: bytes) -> Any:
    """Read a certificate: JSON of the schema, without repeated keys, NaN or infinities."""
    if len(content) > _LARGEST_CERTIFICATE:
        raise Unreadable("it is too long for a certificate")
    try:
        tree = json.loads(content, object_pairs_hook=_once)
        json.dumps(tree, ensure_ascii=False, allow_nan=False).encode()
        # The first error, not the best one: to look for all of them can take very long.
        error = next(_allowed().iter_errors(tree), None)
    except (ValueError, RecursionError):
        raise Unreadable("it is no JSON in UTF-8") from None
    if error is None:
        return tree
    if isinstance(tree, dict) and str(tree.get("format")).startswith("dpca-release/"):
        raise Unreadable("an older version of the program wrote it: use the version that it names")
    raise Unreadable(f"{error.json_path}: {error.message[:200]}")


def problems(certificate: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with settings that are well-formed: with any nothing is promised."""
    plan = certificate["plan"]
    found = [*_unsound_rows(plan["recipe"]), *_unsound_tables(plan), *_unsound_facts(certificate)]
    return found or list(_unsound_budget(certificate))


def width(plan: Mapping[str, Any]) -> int:
    """Return d, the number of columns after coding."""
    ones = len(plan["recipe"]["numbers"]) + len(plan["recipe"]["scales"])
    return ones + sum(len(column["values"]) for column in plan["recipe"]["categories"])


def moved_squared(plan: Mapping[str, Any], table: str) -> int:
    """Return the square of what one person moves a table by, in the norm that its noise needs."""
    letter, d = LETTERS[plan["mechanism"]][table][0], width(plan)
    replaced = plan["neighbours"] == "replace_one"
    both, one = 2 if replaced else 1, _rows(plan) * (GRID**2 if table == "matrix" else GRID)
    if letter == "a":  # Frobenius or ℓ₂; √2 times a row for sums together with the number of rows
        return (2 if table == "means" else 1) * both * one**2
    if table == "means":  # ℓ₁: √d and 1 for rows that come or go, 2√d for others in their place
        return (_root(4 * one**2 * d) if replaced else _root(one**2 * d) + one) ** 2
    if letter == "s" or table == "scores":  # nuclear; ℓ₁ of counts
        return (both * one) ** 2
    if replaced:  # ℓ₁ of the upper triangle with its diagonal
        return min(_root(one**2 * d**2 // 2) + one, _root(one**2 * d * (d + 3) // 2)) ** 2
    return (one * (d + 1) // 2) ** 2


def cost(plan: Mapping[str, Any], table: str = "") -> Fraction:
    """Return μ² of Gaussian noise, or ε of pure noise: of a table, or of all together."""
    if not table:
        return sum((cost(plan, table) for table in plan["scales"]), Fraction(0))
    square, scales = moved_squared(plan, table), plan["scales"][table]
    if "a" in scales:  # Of a symmetric matrix every entry off the diagonal is there once.
        return Fraction(square, (2 if "b" in scales else 1) * scales["a"] ** 2)
    return Fraction(_root(square), 2 * scales["s"] if "s" in scales else scales["w"])


def odds(plan: Mapping[str, Any]) -> float:
    """Return the largest chance of a right guess about one person, from even odds."""
    if plan["mechanism"] == "gaussian":
        return (1 + gaussian_delta(1 / sqrt(cost(plan)), 0.0, 1.0)) / 2
    return 1 / (1 + exp(-float(cost(plan))))


def link(certificate: Mapping[str, Any]) -> str:
    """Return SHA-256 over all that the ledger booked: the next release names it as the previous."""
    plan, release = certificate["plan"], certificate["release"]
    spent = cost(plan)
    facts = [
        *(release["previous"], certificate["account"], certificate["sister"]),
        *(release["id"], release["number"], f"{spent.numerator}/{spent.denominator}"),
        json.dumps(plan, ensure_ascii=False, sort_keys=True, separators=(",", ":")),
        *(release["spent_on"], release["again_for"]),
    ]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def promises(certificate: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is promised, and on what it rests: a sentence each."""
    plan, account, sister = (certificate[key] for key in ("plan", "account", "sister"))
    recipe, release = plan["recipe"], certificate["release"]
    spent = "μ²" if plan["mechanism"] == "gaussian" else "ε"
    one, many, person = recipe["unit"]["one"], recipe["unit"]["many"], recipe["person"]
    stated = words.printed(_declarations(plan), one, many, person, plan["practice"])
    one, many = words.protected(_declarations(plan), one, many, person)
    if plan["practice"]:
        yield f"PRACTICE on {plan['practice']}: public data, nothing is protected."
    alike, guess = f"one {one} added or removed", f"whether one {one} is in it"
    if plan["neighbours"] == "replace_one":
        alike, guess = f"one {one} replaced", f"which of two {many} is in it"
    yield f"Protected: {alike}; of each at most {_rows(plan):,} in the rows that are summed up."
    yield f"This release: ε = {plan['epsilon']}, δ = {plan['delta']}."
    times = ceil(1e6 * odds(plan)) / 1e4
    yield f"From even odds, a guess {guess} is right at most {times:.4f} times in 100."
    for table, scales in sorted(plan["scales"].items()):
        noise = ", ".join(f"{letter} = {scale}" for letter, scale in scales.items())
        yield (
            f"Noise of the {table}: {plan['mechanism']}, {noise}; one {one} moves it by at most "
            f"{_root(moved_squared(plan, table)):,}, so {spent} = {float(cost(plan, table)):.7g}."
        )
    yield f"All releases of one account: {_account(account)}."
    if sister:
        yield f"The same people’s account for the other kind of noise: {_account(sister)}."
        both = Fraction(account["epsilon"]) + Fraction(sister["epsilon"])
        delta = max(account["delta"], sister["delta"], key=Fraction)
        yield f"All releases of both accounts: ε = {float(both):.12g}, δ = {delta}."
    again = f", spent again for {release['again_for']}" if release["again_for"] else ""
    yield (
        f"Release {release['number']} ({release['id']}) of {release['spent_on']}{again}, after "
        f"{spent} = {float(Fraction(release['spent_before'])):.7g}. Its link in the ledger is "
        f"{link(certificate)}, that of the one before {release['previous']}."
    )
    for sentence, answer in stated:
        yield f"Stated: {sentence} ({answer})"
    form = recipe["number_format"]
    typed = form.get("typed", False)
    for sentence in words.assumptions(form["escape"], persons=bool(person), typed=typed):
        yield f"Taken for granted: {sentence}"


def file_problems(certificate: Mapping[str, Any], name: str, content: bytes) -> Iterator[str]:
    """Yield what is wrong with a file: its digest, the release that it names, its cells."""
    if certificate["files"].get(name) != hashlib.sha256(content).hexdigest():
        yield f"{name} is not a file that was released"
    if not name.endswith(".csv"):
        return
    table, plan = name.removesuffix(".csv"), certificate["plan"]
    lines = content.decode(errors="replace").split("\n")
    comments = list(takewhile(lambda line: line.startswith("# "), lines))
    named = f"# Release {link(certificate)}, {certificate['release']['spent_before']} spent before:"
    if not any(line.startswith(named) for line in comments):
        yield f"{name} is of another release, or of other settings, than the certificate"
    if table not in plan["scales"]:
        return
    d, bins = width(plan), plan["scores"]["bins"] if plan["scores"] else ()
    shape = {"matrix": (d, d), "means": (d + 1, 1)}.get(table, (prod(bins), 1))
    cells = {"matrix": slice(1, None), "means": slice(1, 2)}.get(table, slice(-1, None))
    try:
        rows = csv.reader(io.StringIO("\n".join(lines[len(comments) :]), newline=""), strict=True)
        next(rows, None)
        numbers = [[int(cell) for cell in row[cells]] for row in rows]
    except (ValueError, csv.Error):
        numbers = []
    if (len(numbers), *{len(row) for row in numbers}) != shape:
        yield f"{name} is no table of {shape[0]:,} × {shape[1]:,} whole numbers"
    elif table == "matrix" and numbers != [list(column) for column in zip(*numbers, strict=True)]:
        yield f"{name} is not symmetric"


def main(arguments: Sequence[str] | None = None) -> int:
    """Check what the command line names, print what is promised, return the exit code."""
    parser = argparse.ArgumentParser("python -m dpca_core.verify", description=__doc__)
    which = "the folder or zip of a release, or its certificate.json with other files of it"
    parser.add_argument("files", nargs="+", metavar="FILE", help=which)
    names = parser.parse_args(arguments).files
    try:
        certificate, given = _opened(names)
    except Unreadable as error:
        _say([f"This cannot be checked: {error}."], sys.stderr)
        return UNREADABLE
    said, wrong = list[str](), problems(certificate)
    if not wrong:
        said = list(promises(certificate))
        wrong = [found for file in given.items() for found in file_problems(certificate, *file)]
    said += [f"WRONG: {problem}." for problem in wrong]
    absent = sorted(certificate["files"].keys() - given.keys())
    said += [f"Not checked: {name}, which was not given." for name in absent]
    right = f"All that was checked is right. {words.CANNOT_BE_SEEN}"
    promises_nothing = "This certificate, or a file beside it, is wrong: it promises nothing."
    said += [promises_nothing] if wrong else [NOT_CHECKED, right]
    _say(said, sys.stdout)
    return WRONG if wrong else RIGHT


def _unsound_rows(recipe: Mapping[str, Any]) -> Iterator[str]:
    """Yield why a row would depend on other rows, be bounded by nothing, or hold a column twice."""
    for kind in ("numbers", "scales", "categories"):
        names = [column["name"] for column in recipe[kind]]
        if len(set(names)) < len(names):
            yield f"a column stands twice among the {kind}"
    if recipe["person"] and recipe["missing_person"] != "left out":
        yield "rows that name nobody count as people"
    ranged, shortened = recipe["scaling"] != "norm only", recipe["row_length"] == "at most R"
    if not ranged and shortened and recipe["radius"] is None:
        yield "no R bounds the rows"
    for column in recipe["numbers"] if ranged else ():
        low, typical, high = (column[key] for key in ("low", "typical", "high"))
        if low is None or high is None or not low < high:
            yield f"{column['name']} has no range"
        elif typical is not None and not low <= typical <= high:
            yield f"the typical value of {column['name']} is outside its range"
    for column in (*recipe["scales"], *recipe["categories"]):
        labels = column.get("labels", column["values"])
        if not len({*labels}) == len(labels) == len(column["values"]):
            yield f"{column['name']} has no label of its own for each value"


def _unsound_tables(plan: Mapping[str, Any]) -> Iterator[str]:
    """Yield why tables, shares and noise do not belong to each other."""
    d, shares, letters = width(plan), _shares(plan), LETTERS[plan["mechanism"]]
    if not 2 <= d <= (200 if plan["mechanism"] == "wishart_difference" else 2000):
        yield "for so many columns, or so few, nothing is proved"
    if plan["k"] >= d:
        yield "there are no fewer directions than columns"
    if shares.keys() != plan["scales"].keys() or min(shares.values()) <= 0:
        yield "the scales of the noise are not those of the tables that have a share"
    if plan["recipe"]["scaling"] == "private mean" and "means" not in shares:
        yield "the mean that is subtracted is not paid for"
    for table, scales in plan["scales"].items():
        if "".join(sorted(scales)) != letters[table]:
            yield f"the noise of the {table} is not the mechanism’s"
        elif "b" in scales and scales["b"] != isqrt(2 * scales["a"] ** 2) + 1:
            yield "the noise on the diagonal is not √2 times that beside it"
    if plan["scores"] and not 0 < Fraction(plan["scores"]["reach"]) <= 1:
        yield "the reach of the scores is not above 0 and at most 1"


def _unsound_facts(certificate: Mapping[str, Any]) -> Iterator[str]:
    """Yield which statements, accounts, days and places in the ledger contradict each other."""
    account, sister, release = (certificate[key] for key in ("account", "sister", "release"))
    if words.contradicts_itself(_declarations(certificate["plan"])):
        yield "what is stated contradicts itself"
    if account["sister"] != "" and sister is None:
        yield "the other account of these people is missing"
    named = sister and (account["sister"], sister["sister"])
    if named and named not in ((sister["id"], ""), ("", account["id"])):
        yield "the two accounts do not name each other"
    for one in filter(None, (account, sister)):
        if one["neighbours"] != certificate["plan"]["neighbours"]:
            yield f"{one['name']} is about other neighbours"
        if one["opened_on"] > release["spent_on"]:
            yield f"{one['name']} was opened after its release"
    tables = {name[:-4] for name in certificate["files"] if name.endswith(".csv")}
    if tables - {"directions", "spectrum"} != certificate["plan"]["scales"].keys():
        yield "the tables among its files are not those that noise was drawn for"
    nothing = (release["previous"] == 64 * "0", Fraction(release["spent_before"]) == 0)
    if nothing != 2 * (release["number"] == 1,):
        yield "what was before this release does not go with its number"


def _unsound_budget(certificate: Mapping[str, Any]) -> Iterator[str]:
    """Yield which noise is not what ε, δ and shares ask for, and whether the account allows it."""
    plan, account, sister = (certificate[key] for key in ("plan", "account", "sister"))
    gaussian = plan["mechanism"] == "gaussian"
    asked, allowed = _most(plan, gaussian), _most(account, gaussian)
    if not (asked and allowed and (sister is None or _most(sister, not gaussian))):
        yield "some ε and δ promise nothing, or not with this kind of noise"
        return
    for table, share in _shares(plan).items():
        # A scale is the smallest whole number that is large enough.
        rounded = Fraction(4, min(plan["scales"][table].values()))
        if not 1 / _ABOVE_1 - rounded <= cost(plan, table) / (share * asked) <= _ABOVE_1:
            yield f"the noise of the {table} is not what its share of ε and δ asks for"
    if Fraction(certificate["release"]["spent_before"]) + cost(plan) > allowed * _ABOVE_1:
        yield "the account does not allow this release"


def _most(limit: Mapping[str, Any], gaussian: bool) -> Fraction:
    """Return the largest cost within ε and δ, less what was spent outside a ledger; 0 for none."""
    epsilon, delta = (
        Fraction(limit[key]) - Fraction(limit.get(f"before_{key}", 0))
        for key in ("epsilon", "delta")
    )
    if not (0 < epsilon <= 10**10 and Fraction(limit["delta"]) < 1):
        return Fraction(0)
    if gaussian and delta >= Fraction(1, 10**30):
        return 1 / Fraction(gaussian_sigma(float(epsilon), float(delta), 1.0)) ** 2
    pure = not gaussian and delta == Fraction(limit["delta"]) == 0
    return epsilon if pure else Fraction(0)


def _shares(plan: Mapping[str, Any]) -> dict[str, Fraction]:
    """Return what part of the budget each table has."""
    shares = {"means": Fraction(plan["means"])} if Fraction(plan["means"]) else {}
    if plan["scores"]:
        shares["scores"] = Fraction(plan["scores"]["share"])
    return {**shares, "matrix": 1 - sum(shares.values(), Fraction(0))}


def _declarations(plan: Mapping[str, Any]) -> list[Declaration]:
    return [Declaration(Fact(of["fact"]), Answer(of["answer"])) for of in plan["declarations"]]


def _rows(plan: Mapping[str, Any]) -> int:
    """Return m, the most rows in the sums that are one person's."""
    recipe = plan["recipe"]
    several = recipe["person"] and recipe["combine"] == "at most m kept, S divided by m"
    return int(recipe["most"]) if several else 1


def _root(value: int) -> int:
    """Return the smallest whole number whose square is at least a value."""
    return isqrt(value - 1) + 1


def _account(account: Mapping[str, Any]) -> str:
    return (
        "ε = {epsilon}, δ = {delta}, with ε = {before_epsilon}, δ = {before_delta} spent outside "
        "this ledger; “{name}” ({id}), opened on {opened_on}, about {people}"
    ).format(**account)


def _opened(names: Sequence[str]) -> tuple[Any, dict[str, bytes]]:
    """Return the certificate among files, patterns, a folder or a zip, and the others by name.

    Of a folder only what the certificate lists is read.
    """
    paths = [Path(found) for name in names for found in _named(name)]
    if len(paths) == 1 and paths[0].is_dir():
        certificate = read(_content(paths[0] / CERTIFICATE))
        listed = [paths[0] / name for name in certificate["files"]]
        return certificate, {path.name: _content(path) for path in listed if path.exists()}
    given = [(path.name, _content(path)) for path in paths]
    if len(paths) == 1 and zipfile.is_zipfile(paths[0]):
        given = list(_unzipped(paths[0]))
    files = dict(given)
    if any(files[name] != content for name, content in given):
        raise Unreadable("two different files have the same name")
    certificates = [name for name in files if name.endswith(".json")]
    if len(certificates) != 1:
        raise Unreadable(f"name one {CERTIFICATE}, and other files of its release")
    return read(files.pop(certificates[0])), files


def _named(name: str) -> list[str]:
    """Return what a pattern finds; where a shell has none, one is given as it stands."""
    return [name] if Path(name).exists() else sorted(glob(name)) or [name]


def _unzipped(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive, without what a computer's own archiver adds."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _LARGEST:
                raise ValueError
            for entry in archive.infolist():
                name = PurePosixPath(entry.filename).name
                if not (entry.is_dir() or name.startswith(".")):
                    yield name, archive.read(entry)
    except Exception:
        # A damaged archive, or one that needs a password, fails in many ways.
        raise Unreadable("it is a damaged or too large archive") from None


def _content(path: Path) -> bytes:
    # A pipe would be waited for.
    with suppress(OSError, ValueError):
        if path.is_file():
            return path.read_bytes()
    raise Unreadable(f"{path} cannot be opened")


@cache
def _allowed() -> Any:
    """Return a validator of the schema, for which 1.0 is no whole number."""
    try:
        import jsonschema
    except ImportError:
        raise Unreadable(f"jsonschema is missing, {words.INSTALL} adds it") from None
    validator = jsonschema.Draft202012Validator
    whole = validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    return jsonschema.validators.extend(validator, type_checker=whole)(_SCHEMA)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unreadable("a key stands in it twice")
    return found


def _say(lines: Sequence[str], stream: TextIO) -> None:
    """Print lines; nothing in one can begin another, or steer a terminal."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    plain = ["".join(c if c.isprintable() else " " for c in line) for line in lines]
    try:
        print(*plain, sep="\n", file=stream, flush=True)
    except BrokenPipeError:
        # Nobody reads on; what is still buffered must not fail at the end, either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(main())
