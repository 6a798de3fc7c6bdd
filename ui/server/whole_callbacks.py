"""Callbacks of controls run to their end: a click is followed wholly, whatever comes meanwhile.

Streamlit looks for newer requests at every access to a session's state. In the middle of a callback
such a request, a key on ε or a chart that asks for its refinement, would end it there: the click
would be lost, or half of it done.
"""

from functools import wraps
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest
from streamlit.runtime.state.safe_session_state import SafeSessionState

_LOOK = "on_scriptrunner_yield"


def let_callbacks_finish() -> None:
    """Make every session of this process take newer requests after its callbacks, not in them."""
    original = SafeSessionState.on_script_will_rerun
    if hasattr(original, "__wrapped__"):
        return

    @wraps(original)
    def whole(state: SafeSessionState, *arguments: Any, **named: Any) -> None:
        context = get_script_run_ctx(suppress_warning=True)
        requests = context.script_requests if context else None
        if requests is None:
            return original(state, *arguments, **named)
        vars(requests)[_LOOK] = _none_yet
        try:
            return original(state, *arguments, **named)
        finally:
            del vars(requests)[_LOOK]

    SafeSessionState.on_script_will_rerun = whole  # type: ignore[assignment, method-assign]


def _none_yet() -> ScriptRequest | None:
    return None
