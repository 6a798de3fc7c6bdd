"""What can be looked at in place of the owner's table: nothing here reads a row of it."""

from dpca_core.data.recipe import Source
from sample_data.made_up_table import made_up_csv
from ui.owner.draft import Draft

_FEW_ROWS = 1000
"""Rows of a file where nobody guessed."""


def synthetic_file(draft: Draft, people: float | None) -> bytes | None:
    """Return a CSV file with the table's header and made-up rows, from public choices alone.

    None where a range, a list or the use of a column was read from the file, since that would leave
    with this one; and while the draft is no recipe.

    Parameters
    ----------
    people
        The owner's guess; None where there is none.
    """
    recipe = draft.recipe()
    if isinstance(recipe, tuple) or any(c.origin is Source.FILE for c in draft.used):
        return None
    return made_up_csv(draft.header, recipe, int(people or _FEW_ROWS))
