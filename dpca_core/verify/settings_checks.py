"""What a certificate says in two places, and what must be so for anything to be promised.

Under other settings rows would depend on each other, or on what was read from the table, and the
arithmetic of the noise would be right of a promise that nobody can make (docs/release.md).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpca_core.verify import known_sentences as sentences
from dpca_core.verify import known_settings as known
from dpca_core.verify.certificate_values import is_text, listed, quotient, whole
from dpca_core.verify.check import Check, same
from dpca_core.verify.noise_arithmetic import BESIDE, GAUSSIAN, GRID, LAWS, law_of_key
from dpca_core.verify.recipe_checks import coded, recipe_checks, scales_of

_MOST_EPSILON, _LEAST_DELTA = Fraction(10**10), Fraction(1, 10**30)
_LIMIT_OF_SCALES = 2**57
"""Noise and sums fit 64 bits below it."""


def settings_checks(certificate: Mapping[str, Any]) -> list[Check]:
    """Check the settings; fields that are missing or of another kind raise."""
    plan, unit, recipe = certificate["plan"], certificate["unit"], certificate["plan"]["recipe"]
    # Rows that are averaged, or that no column of persons ties together, are one row a person.
    most = whole(recipe["most"], 1)
    several = bool(recipe["person"]) and recipe["combine"] == known.SEVERAL
    said = [unit["one"], unit["many"]]
    practice = sentences.PRACTICE_SENTENCE if plan["practice"] else ""
    return [
        *_keys(certificate),
        same("format of the plan", plan["format"], known.FORMATS["plan"]),
        same("format of the recipe", recipe["format"], known.FORMATS["recipe"]),
        same("grid", whole(plan["grid"]), GRID),
        same("unit", said, [recipe["unit"]["one"], recipe["unit"]["many"]]),
        same("rows a person", whole(unit["rows"], 1), most if several else 1),
        same("neighbours", unit["neighbours"], plan["adjacency"]),
        same("unit in words", unit["sentence"], _unit_in_words(unit)),
        same("practice", certificate["practice"], practice),
        *recipe_checks(recipe),
        *_plan(plan, recipe),
        *_noise(certificate),
        *_limits(certificate),
        *_sentences(certificate),
        _texts(certificate),
    ]


def _keys(certificate: Mapping[str, Any]) -> list[Check]:
    """Whether every object has the keys of its kind: one more could say anything."""
    account, chain, plan = (certificate[key] for key in ("account", "chain", "plan"))
    recipe = plan["recipe"]
    objects = {
        "the certificate": [certificate],
        **{key: [certificate[key]] for key in ("software", "release", "account", "unit",
                                               "guarantee", "chain", "plan")},
        "total": [account["total"]],
        "limits": [account["promised"], chain["limit"]],
        "parts": certificate["parts"],
        "scores": [] if plan["scores"] is None else [plan["scores"]],
        "declarations": plan["declarations"],
        "recipe": [recipe],
        "numbers": recipe["numbers"],
        "scales": scales_of(recipe),
        "categories": recipe["categories"],
        "unit of the recipe": [recipe["unit"]],
        "number format": [recipe["number_format"]],
    }  # fmt: skip
    found = []
    for kind, wanted in known.KEYS.items():
        added = known.ADDED.get(kind, set())
        each = (sorted(added.union(one.keys())) for one in listed(objects[kind]))
        other = next((keys for keys in each if keys != wanted), wanted)
        found.append(same(f"keys of {kind}", other, wanted))
    return found


def _unit_in_words(unit: Mapping[str, Any]) -> str:
    """Return what neighbours differ in, as every certificate of this format has it."""
    differ = {"add_or_remove_one": "added or removed", "replace_one": "replaced"}
    return f"one {unit['one']} {differ[unit['neighbours']]}"


def _plan(plan: Mapping[str, Any], recipe: Mapping[str, Any]) -> list[Check]:
    """Whether the plan is about the columns of its recipe, and can be followed."""
    names, columns = listed(plan["columns"]), coded(recipe)
    means, reason, scores = quotient(plan["means"]), plan["reason"], plan["scores"]
    said = bool(is_text(reason) and reason.strip() and len(reason) <= known.LETTERS_OF_SENTENCE)
    asked = all(_declared(found) for found in plan["declarations"])
    practice = is_text(plan["practice"]) and len(plan["practice"]) <= known.LETTERS_OF_PRACTICE
    found = [
        same("columns after coding", names, columns),
        Check("number of columns", len(columns) <= known.PROVED_COLUMNS, len(columns), "too many"),
        Check("directions", 0 < whole(plan["k"]) < len(columns), plan["k"], "out of range"),
        Check("why this ε", said, reason, "no reason"),
        Check("what was asked", asked, "something else", "sentences, each answered"),
        Check("name of the practice", practice, plan["practice"], "no name"),
    ]
    if scores is not None:
        bins, reach = [whole(number) for number in listed(scores["bins"])], scores["reach"]
        few = len(bins) == 2 and all(b in known.BINS_EACH_WAY for b in bins)
        found.append(Check("bins of scores", few, bins, "too few or too many"))
        found.append(Check("reach of scores", 0 < quotient(reach) <= 1, reach, "out of range"))
    if recipe["scaling"] == known.PRIVATE_MEAN:
        found.append(Check("a private mean is paid for", means > 0, means, "no table of means"))
    return found


def _declared(asked: Mapping[str, Any]) -> bool:
    sentence, answer = asked["sentence"], asked["answer"]
    right = is_text(sentence) and len(sentence) <= known.LETTERS_OF_SENTENCE
    return right and isinstance(answer, bool)


def _noise(certificate: Mapping[str, Any]) -> list[Check]:
    """Whether tables have noise that goes together, each below the largest scale."""
    parts = certificate["parts"]
    beside = BESIDE.get(_law(parts), "none: no such law on the matrix")
    return [_mechanism(certificate["plan"]["mechanism"], _law(parts))] + [
        check
        for part in parts
        for check in (
            same(f"{part['name']}: law of its noise", part["noise"],
                 _law(parts) if part["name"] == "matrix" else beside),
            same(f"{part['name']}: law in words", part["law"], LAWS[part["noise"]]),
            Check(f"{part['name']}: scales leave room",
                  all(whole(s, 1) < _LIMIT_OF_SCALES for s in part["scales"].values()),
                  part["scales"], "too large for 64 bits"),
        )
    ]  # fmt: skip


def _mechanism(key: str, law: str) -> Check:
    """Whether the mechanism's key is that of the law on the matrix; one that spells none is noted.

    What is promised rests on the law alone.
    """
    named = law_of_key(key)
    found = law if named else f"no name of a law that is known here; the noise is {law}"
    return Check("mechanism", named == law, key, found, noted=not named)


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


def _sentences(certificate: Mapping[str, Any]) -> list[Check]:
    """Whether it says what the promise rests on, and what nobody can see from it."""
    rests = [tuple(listed(certificate[key])) for key in ("assumptions", "theorems")]
    allowed = sentences.KNOWN_ASSUMPTIONS, sentences.KNOWN_THEOREMS
    seen, omitted = certificate["cannot_be_seen"], certificate["not_published"]
    unknown = "nothing that a version known here says"
    return [
        Check("what it rests on is said",
              all(said in versions for said, versions in zip(rests, allowed, strict=True)),
              rests, unknown),
        Check("what cannot be seen is said", seen in sentences.KNOWN_LIMITS_OF_CHECKING,
              seen, unknown),
        Check("what is not published is said", omitted in sentences.KNOWN_OMISSIONS,
              omitted, unknown),
    ]  # fmt: skip


def _texts(certificate: Mapping[str, Any]) -> Check:
    """Whether everything that only people read is text."""
    account, release = certificate["account"], certificate["release"]
    said = [*certificate["software"].values(), *certificate["files"].values()]
    said += [account[key] for key in ("id", "name", "people", "opened_on")]
    said += [release["id"], release["spent_on"]]
    return Check("names and days", is_text(*said), said, "not all of them text")
