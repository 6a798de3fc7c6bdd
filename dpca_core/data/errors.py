"""What is wrong with a recipe, a column or a file: one sentence each."""


class RecipeError(ValueError):
    """The choices don't fit the table; the message is one sentence."""


class EncodingError(ValueError):
    """A column cannot be used as asked; the message is one sentence."""


class TableError(ValueError):
    """A file cannot be used; the message is one sentence that says what is wrong.

    Attributes
    ----------
    readable_anyway
        Whether a total reading of the file goes on: what is wrong is in its rows.
    """

    def __init__(self, message: str, *, readable_anyway: bool = False) -> None:
        super().__init__(message)
        self.readable_anyway = readable_anyway
