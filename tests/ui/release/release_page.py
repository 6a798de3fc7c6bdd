"""The Release page in a test: opened, spent on, and with a table of one's own."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger import Ledger
from dpca_core.tables.files import Upload
from tests.core.release.cases import handed_over
from ui.release.controls.data_and_new_account import OPENED
from ui.release.controls.spend import JOB, SHOWN
from ui.release.release_job import Files, ReleaseJob
from ui.state.decision import DECISION, Decision

PAGE = Path(__file__).parents[3] / "pages" / "release.py"
NAMES = ("age", "weight", "pulse")
SECRET = "secret-name.csv"
PEOPLE = 731


def opened() -> AppTest:
    return AppTest.from_file(str(PAGE), default_timeout=60)


def run(page: AppTest) -> AppTest:
    page.run()
    assert not page.exception, page.exception[0].stack_trace
    return page


def html(page: AppTest) -> str:
    return "".join(str(element.proto.body) for element in page.get("html"))


def finished(page: AppTest) -> None:
    """Wait until no release is being made, and draw what came of it."""
    job = page.session_state[JOB] if JOB in page.session_state else None  # noqa: SIM401
    if isinstance(job, ReleaseJob) and job.thread is not None:
        job.thread.join(30)
    run(page)


def confirm(page: AppTest, *unasked: str, **answers: str) -> None:
    """Answer what the owner is asked before spending: Yes, unless said otherwise."""
    for key in {"unread", "unit", "accounts"} - {*unasked}:
        page.button_group(key=f"release-confirm-{key}").set_value(answers.get(key, "Yes")).run()


def type_name(page: AppTest, name: str) -> None:
    fields = [field for field in page.text_input if field.label.startswith("Type the account")]
    fields[0].input(name).run()


def spend(page: AppTest, account: str) -> Files:
    """Give a reason, type the account's name and press the button; wait for the files."""
    page.text_area[0].input("Because it is a test").run()
    assert page.button(key="release-spend").disabled
    type_name(page, account)
    assert not page.button(key="release-spend").disabled
    page.button(key="release-spend").click().run()
    assert not page.exception, page.exception[0].stack_trace
    finished(page)
    found = page.session_state[SHOWN]
    assert isinstance(found, Files)
    run(page)
    return found


def can_spend(page: AppTest) -> bool:
    return any(button.key == "release-spend" for button in page.button)


def decision(**changes: object) -> Decision:
    """A decision about three columns of people, as *Decide* hands it over."""
    rng = np.random.default_rng(4)
    rows = enumerate(rng.normal(100, 20, size=(PEOPLE, len(NAMES))))
    lines = ["id,age,weight,pulse", *(f"{i},{a:.1f},{b:.1f},{c:.1f}" for i, (a, b, c) in rows)]
    return Decision(handed_over(NAMES, **changes), Upload(SECRET, "\n".join(lines).encode()))


def own_page(monkeypatch: pytest.MonkeyPatch, folder: Path, **changes: object) -> AppTest:
    """Open the page with a decision, a ledger and an account of a clinic's patients."""
    path = folder / "ledger.sqlite"
    monkeypatch.setenv("DPCA_LEDGER", str(path))
    Ledger(path).open_account(
        "Clinic", "Patients", Adjacency.ADD_OR_REMOVE_ONE, Fraction(1), Fraction(1, 10**5)
    )
    page = opened()
    page.session_state[DECISION] = decision(**changes)
    page.session_state[OPENED] = "Clinic"
    return run(page)
