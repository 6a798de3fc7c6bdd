"""The Release page in a test: opened, spent on, and with a table of one's own."""

from concurrent.futures import wait
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from dpca_core.data.provenance import Unit
from dpca_core.release.ledger import Account, Ledger, Status
from dpca_core.tables.files import Upload
from tests.core.release.cases import ADD, COLUMNS, RECIPE
from tests.opened_page import page_at
from ui.release.account import OPENED
from ui.release.spend import JOB, MADE, Files
from ui.state.decision import DECISION, FOUND, Decision, Handover

SECRET, PEOPLE, SPEND = "secret-name.csv", 731, "Spend and publish"
UNREAD, UNIT, ACCOUNTS = "Nobody’s file", "One patient is", "These patients"
"""How the questions begin that are answered with Yes or No."""


class ReleasePage:
    """The page in a session of its own; a control is named by the start of its label."""

    def __init__(self, decision: Decision | None = None, account: str | None = None) -> None:
        self.test = page_at("release")
        self.state = self.test.session_state
        # As if it had been opened in this session, about the first table.
        self.state[OPENED.format("1")] = account
        self.decide(decision)

    @property
    def html(self) -> str:
        return "".join(str(element.proto.body) for element in self.test.get("html"))

    @property
    def made(self) -> Files | str:
        """The release that is shown, or why there is none."""
        return self.state[MADE][1]

    def run(self) -> Self:
        self.test.run()
        assert not self.test.exception, self.test.exception[0].stack_trace
        return self

    def decide(self, decision: Decision | None) -> Self:
        self.state[DECISION] = decision
        return self.run()

    def find(self, kind: str, label: str) -> Any:
        """Return a control; None where there is none."""
        elements = getattr(self.test, kind)
        return next((found for found in elements if found.label.startswith(label)), None)

    def set(self, kind: str, label: str, value: Any) -> Self:
        self.find(kind, label).set_value(value)
        return self.run()

    def press(self, label: str) -> Self:
        self.find("button", label).click()
        return self.run()

    def confirm(self, *labels: str, answer: str = "Yes") -> Self:
        """Answer what the owner is asked before spending."""
        for label in labels or (UNREAD, UNIT, ACCOUNTS):
            self.set("button_group", label, answer)
        return self

    def finish(self, label: str, name: str = "Clinic", reason: str = "") -> Self:
        """Type the account's name, and a reason where it is asked for, and press a button."""
        if reason:
            self.test.text_area[0].input(reason)
        self.find("text_input", "Type the account").input(name)
        return self.press(label)

    def finished(self) -> Self:
        """Wait until nothing is being made or checked, and draw what came of it."""
        if JOB in self.state:
            wait([job.made for job in self.state[JOB]])
        if FOUND in self.state:
            wait([self.state[FOUND][1]])
        return self.run().run()

    def spend(self, account: str = "Clinic") -> Files:
        made = self.finish(SPEND, account, "Because").finished().made
        assert isinstance(made, Files), made
        return made


def decided(more: str = "", **changes: Any) -> Decision:
    """A decision about four columns of people, as *Decide* hands it over."""
    people = [f"{i},{80 + i % 41},{60 + i % 37},90,{50 + i % 53}" for i in range(PEOPLE)]
    table = "\n".join([",".join(["id", *COLUMNS]), *people, *more.split()])
    recipe = replace(RECIPE, person=("id",), unit=Unit("patient", "patients"))
    found = Handover(recipe, ADD, 0.7, 1e-6, "gaussian", 900.0)
    return Decision(replace(found, **changes), Upload(SECRET, table.encode()))


class Clinic:
    """A ledger with an account of patients, limit (1, 10⁻⁵), on the server of the page."""

    def __init__(self, path: Path) -> None:
        self.ledger = Ledger(path)
        self.account: Account = self.ledger.open_account("Clinic", "Patients", ADD, "1", "1e-5")

    def page(self, more: str = "", **changes: Any) -> ReleasePage:
        """Open the page with a decision; the account was opened in its session."""
        return ReleasePage(decided(more, **changes), "Clinic")

    def statuses(self) -> list[Status]:
        return [row.status for row in self.ledger.releases(self.account)]
