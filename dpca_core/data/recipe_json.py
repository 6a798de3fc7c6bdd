"""A recipe as a file: JSON that gives it back to the last bit, without a file's name or a count."""

import json
from typing import Any
from unicodedata import category

from dpca_core.data import strict_json
from dpca_core.data.errors import refused
from dpca_core.data.recipe import Recipe
from dpca_core.data.recipe_checks import require_valid

FORMAT = "dpca-recipe/1"
LARGEST_FILE = 2**20
"""Most bytes of a file that is read: recipes of 2,000 columns take a third of that."""
_LONGEST_WORD = 60


def dumps(recipe: Recipe) -> str:
    """Write a recipe; RecipeError for one that cannot be followed, and for an infinite number."""
    require_valid(recipe)
    tree = {"format": FORMAT, **strict_json.tree_of(recipe)}
    return json.dumps(tree, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def loads(content: str | bytes) -> Recipe:
    """Read a recipe that ``dumps`` wrote; RecipeError, in one sentence, for anything else."""
    return recipe_of(strict_json.parsed(content, "recipe", LARGEST_FILE))


def recipe_of(tree: Any) -> Recipe:
    """Return the recipe of a tree that has exactly its keys, with sound values; else as above."""
    if not isinstance(tree, dict) or tree.get("format") != FORMAT:
        raise refused("no_recipe", format=FORMAT)
    tree = {key: value for key, value in tree.items() if key != "format"}
    recipe = strict_json.read(Recipe, tree, "recipe")
    for word in (recipe.unit.one, recipe.unit.many):
        letters = all(sign in " -'’" or category(sign)[0] in "LM" for sign in word)
        if not (0 < len(word) <= _LONGEST_WORD and letters):
            raise refused("unit_word")
    require_valid(recipe)
    return recipe
