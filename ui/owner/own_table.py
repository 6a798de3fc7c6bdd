"""The owner's table as a data set: made only after *Look, and note it*."""

from dpca_core.data.dataset import Dataset
from dpca_core.data.errors import EncodingError, RecipeError
from dpca_core.data.recipe import Reading, Recipe
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload

TOO_LARGE = "This table needs more memory than this machine has. Use fewer columns or rows."


def prepared_table(upload: Upload, recipe: Recipe, name: str) -> Dataset | str:
    """Read the whole table as the recipe says; one sentence where that fails."""
    try:
        data = prepare(upload, recipe, name, Reading.TOTAL)
        data.problem(1)
    except (RecipeError, EncodingError, ValueError) as error:
        return str(error)
    except MemoryError:
        return TOO_LARGE
    return data
