"""Three repairs of Streamlit, each with a test that says when it can go."""

from dataclasses import replace
from functools import cache, wraps
from time import monotonic
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.media_file_manager import MediaFileMetadata
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
)
from streamlit.runtime.state.safe_session_state import SafeSessionState

KEPT_SECONDS = 10.0
"""How long a file stays at least from the run on that finds it unused."""
_LOOK = "on_scriptrunner_yield"


@cache
def repair_streamlit() -> None:
    """Make all three in this process, once."""
    stay_on_the_next_page()
    let_callbacks_finish()
    keep_downloads_for_a_while()


def stay_on_the_next_page() -> None:
    """Make every session draw the page that was asked for last, and that only.

    While the next page is drawn, the previous one's charts are still there and ask for more. Such a
    request names the page and the address that the browser showed at that moment. Streamlit would
    switch to that page: instead of the next one if both requests wait, or to an empty page if the
    fragment is gone by then. The browser's Back would be undone in the same way, and by
    ``st.rerun`` of a page that has measured more: it names the address with which its run began.
    What was told before, and waits too, is heard all the same: a newer request knows nothing of it.
    """
    request_rerun, run_script = ScriptRequests._request_rerun_locked, ScriptRunner._run_script

    @wraps(request_rerun)
    def keep_page(requests: ScriptRequests, new: RerunData) -> bool:
        waiting = requests._rerun_data
        is_pending = requests._state is ScriptRequestType.RERUN
        waits = is_pending and not waiting.fragment_id_queue
        accepted = request_rerun(requests, new)
        if waits and (new.fragment_id or _draws_its_own_page_anew(new)):
            requests._rerun_data = replace(
                requests._rerun_data,
                page_script_hash=waiting.page_script_hash,
                page_name=waiting.page_name,
                query_string=waiting.query_string,
                is_history_navigation=waiting.is_history_navigation,
            )
        elif is_pending and not new.fragment_id:
            asked = (waiting.widget_states, requests._rerun_data.widget_states)
            states = {state.id: state for one in asked if one for state in one.widgets}
            told = WidgetStates(widgets=states.values())
            requests._rerun_data = replace(requests._rerun_data, widget_states=told)
        return accepted

    @wraps(run_script)
    def run_what_is_there(runner: ScriptRunner, request: RerunData) -> None:
        # Streamlit looks when the request comes, when the fragment may still be there.
        fragments = request.fragment_id_queue
        if not fragments or any(map(runner._fragment_storage.contains, fragments)):
            run_script(runner, request)

    ScriptRequests._request_rerun_locked = keep_page  # type: ignore[assignment, method-assign]
    ScriptRunner._run_script = run_what_is_there  # type: ignore[assignment, method-assign]


def _draws_its_own_page_anew(request: RerunData) -> bool:
    """Tell whether a request is the page's own, by ``st.rerun``: the browser sends its widgets."""
    context = get_script_run_ctx(suppress_warning=True)
    return (
        request.widget_states is None
        and context is not None
        and request.page_script_hash == context.page_script_hash
    )


def let_callbacks_finish() -> None:
    """Make every session take newer requests after its callbacks, not in them.

    Streamlit looks for newer requests at every access to a session's state. In the middle of a
    callback such a request, a key on ε or a chart that asks for its refinement, would end it there:
    the click would be lost, or half of it done.
    """
    original = SafeSessionState.on_script_will_rerun

    @wraps(original)
    def whole(state: SafeSessionState, *arguments: Any, **named: Any) -> None:
        context = get_script_run_ctx(suppress_warning=True)
        requests = context.script_requests if context else None
        if requests is None:
            return original(state, *arguments, **named)
        vars(requests)[_LOOK] = lambda: None
        try:
            return original(state, *arguments, **named)
        finally:
            del vars(requests)[_LOOK]

    SafeSessionState.on_script_will_rerun = whole  # type: ignore[assignment, method-assign]


def keep_downloads_for_a_while() -> None:
    """Keep each file that can be saved a little longer than it is shown.

    Streamlit drops a file that no page shows any more at the second run after that, whoever's run
    it is: between the click and the browser's request there may be two. The browser would get
    "404".
    """
    original = MediaFileMetadata.mark_for_delete

    @wraps(original)
    def mark(file: MediaFileMetadata) -> None:
        now = monotonic()
        if now - vars(file).setdefault("unused_since", now) >= KEPT_SECONDS:
            original(file)

    MediaFileMetadata.mark_for_delete = mark  # type: ignore[assignment, method-assign]
