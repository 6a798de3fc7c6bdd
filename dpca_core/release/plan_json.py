"""A plan as text: canonical JSON with every public setting and every scale, kept in the ledger.

Numbers that matter are decimal text or quotients. ``dumps`` and ``loads`` are inverse; scales are
those that were drawn with, never computed again.
"""

import json
from collections.abc import Mapping
from typing import Any

from dpca_core.data import recipe_json
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Recipe
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.exact_fractions import fraction_text, read_fraction
from dpca_core.release.grid import GRID
from dpca_core.release.plan import Declaration, Plan, PlanError, Scores
from dpca_core.release.plan_parts import PartName

FORMAT = "dpca-plan/1"


def canonical(tree: Any) -> str:
    """Write a tree of JSON values in one way: sorted keys, no spaces, no NaN."""
    return json.dumps(
        tree, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def dumps(plan: Plan) -> str:
    """Write a plan; ``loads`` gives it back."""
    return canonical(tree_of(plan))


def tree_of(plan: Plan) -> dict[str, Any]:
    """Return a plan as a tree of dictionaries, lists, texts and whole numbers."""
    scores = plan.scores
    return {
        "format": FORMAT,
        "grid": GRID,
        "columns": list(plan.columns),
        "recipe": _recipe_tree(plan.recipe),
        "adjacency": plan.adjacency.value,
        "epsilon": fraction_text(plan.epsilon),
        "delta": fraction_text(plan.delta),
        "mechanism": plan.mechanism,
        "means": fraction_text(plan.means),
        "scores": None
        if scores is None
        else {
            "share": fraction_text(scores.share),
            "bins": list(scores.bins),
            "reach": fraction_text(scores.reach),
        },
        "k": plan.k,
        "reason": plan.reason,
        "declarations": [
            {"sentence": asked.sentence, "answer": asked.answer} for asked in plan.declarations
        ],
        "practice": plan.practice,
        "scales": {name.value: dict(found) for name, found in plan.scales.items()},
    }


def loads(text: str) -> Plan:
    """Read a plan that ``dumps`` wrote.

    Raises
    ------
    PlanError
        For anything else.
    """
    try:
        return _plan(json.loads(text))
    except PlanError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError, RecipeError):
        raise PlanError("This is not a plan that this version of the program wrote.") from None


def _recipe_tree(recipe: Recipe) -> Any:
    """Return a recipe as a tree in which 0 and 0.0 are written alike."""
    return json.loads(recipe_json.dumps(recipe_json.loads(recipe_json.dumps(recipe))))


def _plan(tree: Mapping[str, Any]) -> Plan:
    if tree["format"] != FORMAT or tree["grid"] != GRID:
        raise PlanError("This plan was written by another version of the program.")
    scores = tree["scores"]
    plan = Plan(
        columns=tuple(tree["columns"]),
        recipe=recipe_json.recipe_of(tree["recipe"]),
        adjacency=Adjacency(tree["adjacency"]),
        epsilon=read_fraction(tree["epsilon"]),
        delta=read_fraction(tree["delta"]),
        mechanism=tree["mechanism"],
        reason=tree["reason"],
        means=read_fraction(tree["means"]),
        scores=None if scores is None else _scores(scores),
        k=tree["k"],
        declarations=tuple(
            Declaration(asked["sentence"], asked["answer"]) for asked in tree["declarations"]
        ),
        practice=tree["practice"],
        scales={PartName(name): _in_order(found) for name, found in tree["scales"].items()},
    )
    if tree_of(plan) != tree:
        raise PlanError("This is not a plan that this version of the program wrote.")
    return plan


def _scores(tree: Mapping[str, Any]) -> Scores:
    across, up = tree["bins"]
    return Scores(read_fraction(tree["share"]), (across, up), read_fraction(tree["reach"]))


def _in_order(scales: Mapping[str, int]) -> dict[str, int]:
    """Scales by their letter: a before b."""
    return {letter: scales[letter] for letter in sorted(scales)}
