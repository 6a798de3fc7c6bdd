"""The subscript of a norm and the exponent of a factor, in markup."""


def with_subscripts(markup: str) -> str:
    """Return HTML, Plotly's text or Markdown with the F of ‖·‖_F as a subscript and ε as exponent.

    Parameters
    ----------
    markup
        Text in which whatever had to be escaped is.
    """
    return markup.replace("‖_F", "‖<sub>F</sub>").replace("e^ε", "e<sup>ε</sup>")
