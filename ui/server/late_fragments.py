"""A chart's request for more does not bring back the page that is being left.

While the next page is drawn, the previous one's charts are still there and ask for more. Such a
request names the page and the address that the browser showed at that moment. Streamlit would
switch to that page: instead of the next one if both requests wait, or to an empty page if the
fragment is gone by then. The browser's Back would be undone in the same way, and by ``st.rerun`` of
a page that has measured more: it names the address with which its own run began.
"""

from dataclasses import replace
from functools import wraps

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
)


def stay_on_the_next_page() -> None:
    """Make every session of this process draw the page that was asked for last, and that only."""
    if hasattr(ScriptRunner._run_script, "__wrapped__"):
        return
    _keep_the_page_that_waits()
    _drop_requests_of_removed_fragments()


def _keep_the_page_that_waits() -> None:
    original = ScriptRequests._request_rerun_locked

    @wraps(original)
    def fold(requests: ScriptRequests, new: RerunData) -> bool:
        waiting = requests._rerun_data
        waits = requests._state is ScriptRequestType.RERUN and not waiting.fragment_id_queue
        accepted = original(requests, new)
        if waits and (new.fragment_id or _draws_its_own_page_anew(new)):
            requests._rerun_data = replace(
                requests._rerun_data,
                page_script_hash=waiting.page_script_hash,
                page_name=waiting.page_name,
                query_string=waiting.query_string,
                is_history_navigation=waiting.is_history_navigation,
            )
        return accepted

    ScriptRequests._request_rerun_locked = fold  # type: ignore[assignment, method-assign]


def _draws_its_own_page_anew(request: RerunData) -> bool:
    """Tell whether a request is the page's own, by ``st.rerun``: the browser sends its widgets."""
    context = get_script_run_ctx(suppress_warning=True)
    return (
        request.widget_states is None
        and context is not None
        and request.page_script_hash == context.page_script_hash
    )


def _drop_requests_of_removed_fragments() -> None:
    # Streamlit looks when the request comes, when the fragment may still be there.
    original = ScriptRunner._run_script

    @wraps(original)
    def run(runner: ScriptRunner, request: RerunData) -> None:
        fragments = request.fragment_id_queue
        if not fragments or any(map(runner._fragment_storage.contains, fragments)):
            original(runner, request)

    ScriptRunner._run_script = run  # type: ignore[assignment, method-assign]
