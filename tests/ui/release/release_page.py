"""The Release page in a test: opened, spent on, and with a table of one's own."""

from concurrent.futures import wait
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import CategoryCoding, Number, Recipe, RowLength
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger import Account, Ledger
from dpca_core.tables.files import Upload
from ui.release.account import OPENED
from ui.release.spend import JOB, SHOWN, Files
from ui.release.whose import CHECKED
from ui.state.decision import DECISION, Decision, Handover

PAGE = Path(__file__).parents[3] / "pages" / "release.py"
NAMES = ("age", "weight", "pulse")
SECRET = "secret-name.csv"
PEOPLE = 731
ADD = Adjacency.ADD_OR_REMOVE_ONE
OWN = OPENED.format("")


def opened() -> AppTest:
    return AppTest.from_file(str(PAGE), default_timeout=60)


def run(page: AppTest) -> AppTest:
    page.run()
    assert not page.exception, page.exception[0].stack_trace
    return page


def html(page: AppTest) -> str:
    return "".join(str(element.proto.body) for element in page.get("html"))


def field(elements: Any, label: str) -> Any:
    """Return a control by the start of its label."""
    return next(found for found in elements if found.label.startswith(label))


def has(elements: Any, label: str) -> bool:
    return any(found.label.startswith(label) for found in elements)


def finished(page: AppTest) -> AppTest:
    """Wait until nothing is being made or checked, and draw what came of it."""
    state = page.session_state
    if JOB in state:
        wait([state[JOB].made], 30)
    if CHECKED in state:
        wait([state[CHECKED][1]], 30)
    return run(run(page))


def confirm(page: AppTest, *unasked: str, **answers: str) -> None:
    """Answer what the owner is asked before spending: Yes, unless said otherwise."""
    for key in {"unread", "unit", "accounts"} - {*unasked}:
        page.button_group(key=f"release-confirm-{key}").set_value(answers.get(key, "Yes")).run()


def press(page: AppTest, label: str = "Spend and publish") -> AppTest:
    field(page.button, label).click()
    return run(page)


def spend(page: AppTest, account: str, reason: str = "Because it is a test") -> Files:
    """Give a reason, type the account's name and press the button; wait for the files."""
    page.text_area[0].input(reason)
    field(page.text_input, "Type the account").input(account)
    finished(press(page))
    found = page.session_state[SHOWN]
    assert isinstance(found, Files)
    return found


def can_spend(page: AppTest) -> bool:
    return has(page.button, "Spend and publish")


def decision(lines: str = "", **changes: Any) -> Decision:
    """A decision about three columns of people, as *Decide* hands it over."""
    rng = np.random.default_rng(4)
    rows = enumerate(rng.normal(100, 20, size=(PEOPLE, len(NAMES))))
    people = [f"{i},{a:.1f},{b:.1f},{c:.1f}" for i, (a, b, c) in rows]
    table = "\n".join(["id,age,weight,pulse", *people, *lines.split()])
    recipe = Recipe(
        tuple(Number(name, 0.0, 200.0) for name in NAMES),
        person=("id",),
        unit=Unit("patient", "patients"),
        bounds_are_public=True,
        row_length=RowLength.AT_MOST_R,
        category_coding=CategoryCoding.INDICATORS,
    )
    given: dict[str, Any] = {
        "recipe": recipe,
        "neighbours": ADD,
        "epsilon": 0.7,
        "delta": 1e-6,
        "mechanism": "gaussian",
        "people_guess": 900.0,
    }
    return Decision(Handover(**given | changes), Upload(SECRET, table.encode()))


def own_page(monkeypatch: pytest.MonkeyPatch, folder: Path, **changes: Any) -> AppTest:
    """Open the page with a decision, a ledger and an account of a clinic's patients."""
    clinic(monkeypatch, folder)
    page = opened()
    page.session_state[DECISION] = decision(**changes)
    page.session_state[OWN] = "Clinic"
    return run(page)


def clinic(monkeypatch: pytest.MonkeyPatch, folder: Path) -> tuple[Ledger, Account]:
    path = folder / "ledger.sqlite"
    monkeypatch.setenv("DPCA_LEDGER", str(path))
    ledger = Ledger(path)
    known = {account.name: account for account in ledger.accounts()}
    return ledger, known.get("Clinic") or ledger.open_account(
        "Clinic", "Patients", ADD, "1", "1e-5"
    )
