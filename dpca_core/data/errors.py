"""What is wrong with a recipe or a file: one sentence each."""


class RecipeError(ValueError):
    """The choices don't fit the table; the message is one sentence."""


class TableError(ValueError):
    """A file cannot be used; the message is one sentence that says what is wrong."""
