"""The owner's table as a data set: made only after *Look, and note it*."""

from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe
from dpca_core.tables.files import Upload
from dpca_core.tables.prepare import prepare

TOO_LARGE = "This table needs more memory than this machine has. Use fewer columns or rows."


def prepared_table(upload: Upload, recipe: Recipe, name: str) -> Dataset | str:
    """Read the whole table as the recipe says; one sentence where that fails."""
    try:
        data = prepare(upload, recipe, name)
        data.problem(1)
    except ValueError as error:
        return str(error)
    except MemoryError:
        return TOO_LARGE
    return data
