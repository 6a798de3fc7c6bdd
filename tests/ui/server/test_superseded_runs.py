"""A refinement whose visitor has moved on ends at once, and loses no request."""

from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests

from ui.server import scheduler


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> ScriptRequests:
    """What a visitor has asked for while the fragment "charts" runs."""
    waiting = ScriptRequests()
    run = SimpleNamespace(script_requests=waiting, fragment_ids_this_run=["charts"])
    monkeypatch.setattr(scheduler, "get_script_run_ctx", lambda: run)
    return waiting


def asked(*fragments: str) -> RerunData:
    return RerunData(query_string="k=3", fragment_id_queue=list(fragments))


def test_the_request_is_taken_and_answered_at_once(requests: ScriptRequests) -> None:
    scheduler.end_if_superseded()
    requests.request_rerun(asked("charts"))
    assert scheduler.superseded()
    with pytest.raises(RerunException) as ended:
        scheduler.end_if_superseded()
    assert ended.value.rerun_data == asked("charts")
    assert not scheduler.superseded()
    scheduler.end_if_superseded()
    requests.request_rerun(asked("other"))
    assert isinstance(later := requests.on_scriptrunner_ready(), ScriptRequest)
    assert later.rerun_data.fragment_id_queue == ["other"]


def test_the_fragment_may_be_one_of_several_that_are_asked_for(requests: ScriptRequests) -> None:
    requests.request_rerun(asked("other", "charts"))
    with pytest.raises(RerunException) as ended:
        scheduler.end_if_superseded()
    assert ended.value.rerun_data.fragment_id_queue == ["other", "charts"]


@pytest.mark.parametrize("fragments", [(), ("other",)])
def test_a_run_that_is_not_asked_for_again_goes_on(
    requests: ScriptRequests, fragments: tuple[str, ...]
) -> None:
    requests.request_rerun(asked(*fragments))
    scheduler.end_if_superseded()
    assert scheduler.superseded()


def test_a_run_that_must_stop_is_not_begun_again(requests: ScriptRequests) -> None:
    requests.request_rerun(asked("charts"))
    requests.request_stop()
    scheduler.end_if_superseded()


def test_a_whole_page_is_left_to_streamlit(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = ScriptRequests()
    run = SimpleNamespace(script_requests=waiting, fragment_ids_this_run=None)
    monkeypatch.setattr(scheduler, "get_script_run_ctx", lambda: run)
    waiting.request_rerun(asked("charts"))
    scheduler.end_if_superseded()
    assert scheduler.superseded()


def test_outside_a_server_nothing_ends() -> None:
    scheduler.end_if_superseded()
