"""The subscript of a norm, in markup."""


def with_subscripts(markup: str) -> str:
    """Return HTML, Plotly's text or Markdown in which the F of ‖·‖_F is a subscript.

    Parameters
    ----------
    markup
        Text in which whatever had to be escaped is.
    """
    return markup.replace("‖_F", "‖<sub>F</sub>")
