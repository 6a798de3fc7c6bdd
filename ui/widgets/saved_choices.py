"""The one button that saves an owner's own choices: a recipe, or a draft of one."""

import streamlit as st

JSON = "application/json"


def draw_saved_choices(label: str, name: str, text: str, help_text: str) -> None:
    """Draw a button that saves choices to the browser's disk; nothing is computed for it.

    Parameters
    ----------
    name
        What the file is called; it says so where a choice was read from a file of people.
    text
        JSON, as ``ui.owner.saved_draft.saved_choices`` writes it.
    """
    # Stored when it is asked for: the choices change with every key that is pressed.
    st.download_button(
        label, lambda: text, name, JSON, key="save-choices", help=help_text, on_click="ignore"
    )
