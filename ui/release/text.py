"""Every sentence of the Release page that is not a label of a control; numbers rounded safely."""

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from dpca_core.release import plan as plans
from dpca_core.release.ledger import (
    Account,
    Row,
    account_words,
    budget_words,
    left_words,
    part_words,
)
from dpca_core.release.plan import Plan, in_rows, loads
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import epsilon_text, upward
from ui.text.published import PUBLISHED

HEADLINE = "Spend a budget once, and publish something real."
LEAD = "Whole numbers and exact noise: the guarantee holds for the program as it runs."
WHOSE, CHECK, ACCOUNT = "Whose data", "Check your table", "From which account"
WHAT, HOW_MUCH, SPEND = "What to publish", "How much to spend", "Spend"

OWN_TABLE, PRACTICE = "Your table", "Practise on a built-in set"
NO_DECISION = "Your own table is decided on in Prepare. Here you can practise on a built-in one."
TO_YOUR_DATA = "Prepare your table"
PUBLIC_DATA = "Public: for practice. Nothing is protected, and the files say PRACTICE."
ABOUT_OWN = "Your table, as decided. No row of it is read for a release before you spend."
CONFIRM = "Answer each; a No is printed in the certificate, not refused."
RECORDED = "The certificate will say, without asking:"

CHECK_NOTE = (
    "See, for yourself alone, what could not be read. It is a look: the certificate will say that "
    "you took it, and whether the recipe was changed afterwards. None of its numbers is kept."
)
CHECK_BUTTON, CHECK_AGAIN = "Check my table", "Check again"
CHECKING = "Reading the table …"
NOTHING_LOST = "Every value that is there could be read, and none was cut."
CHECK_FAILED = "The table could not be read; it may be damaged."
LOST = "What shall become of {name}?"
AS_IT_IS, LEAVE_OUT, MEND = "Release it as it is", "Leave it out", "Mend the recipe"

NO_LEDGER_ON_SERVER = (
    "This server has no ledger, so nothing of your own can be released on it. Its operator sets "
    "one: DPCA_LEDGER=/path/to/ledger.sqlite, on a local disk that is kept."
)
LEDGER_IS = "Booked in {path}: keep this file. DPCA_LEDGER names another, always the same."
NEW_ACCOUNT = "A new account"
WHICH_ACCOUNT = "Choose the account of these people, or a new one"
NEW_PEOPLE_ONLY = (
    "A new account is for people who are in none: in a second one they would pay twice, and the "
    "limits would add up."
)
KINDS = {True: "Gaussian, with δ", False: "Pure, without δ"}
KIND_HELP = "An account has one kind of noise; Gaussian noise is the smaller for most tables."
SPENT_BEFORE = "ε spent on them before, outside this ledger"
DELTA_BEFORE = "and δ"
PRINTED = "It is counted against the limit, and printed."
SISTER = "Their account for the other kind of noise"
NO_SISTER = "They have none"
NOT_A_NUMBER = "Type ε and δ as numbers, such as 0.5 or 10⁻⁶."
LIMIT_STAYS = "The limit is for all releases about these people together. It never changes."
PUBLISHED_TEXT = "Published with the release."
OPEN_FIRST = "Open or choose an account first."
ANSWER_FIRST = "Answer the questions above first."
ONLY_SESSION = "A practice ledger: it is forgotten with this session."

MEANS, PICTURE = "Means of the columns", "A picture of the first two scores"
REACH = "Scores from −reach to reach have bins of their own."
MATRIX_ALWAYS = "Always: the matrix, from which directions and spectrum are read."
NO_UNIT = "Every row is made of length 1 first: these means have no unit."
K_IS_FREE = "For the report only: costs nothing, and can be changed afterwards."
NOT_READ = "From your settings alone: no table was read."

REASON_LABEL = "Why this ε? Published with the release."
REASON_EXAMPLE = "in your own words"
TYPE_LABEL = "Type the account’s name, {name}, to spend"
SAY_WHY = "Say in your own words why this ε was chosen: it is published."
OTHER_NAME = "That is not the account’s name: {name}. Nothing was spent."
SPEND_BUTTON = "Spend and publish"
NOT_STOPPED = "This can’t be stopped: what is spent is spent. You may leave the page."
STEPS = ("Booking …", "Spent. Adding up rows …", "Drawing …", "Stored.")
DONE = "Release {number} of {name} is published, and stored."
FAILED = "The release could not be made; the list below says how far it came."

RELEASES = "Releases of {name}"
NO_RELEASES = "No release yet."
YOUR_ACCOUNTS = "Published before"
READ_ONLY = "To be read again for nothing. To spend, decide on a table first."
OTHER_TABLE = "Finishing needs the table of the same people: choose it first."
SAME_PLAN = "Its draw was interrupted; release {number} has the same plan."
FINISH, FINISH_AGAIN = "Finish", "Finish, and spend again"
SHOW_AGAIN, ZIP = "Show again", "Download all (zip)"
REPORT_TITLE = "The report"


def limit_proposed(epsilon: float, releases: int) -> str:
    """Say what a proposed limit has room for, and what others use in a year."""
    found = sorted((one.in_a_year, one.name) for one in PUBLISHED if one.in_a_year)
    others = ", ".join(f"{epsilon_text(yearly)} ({name})" for yearly, name in found)
    return (
        f"Proposed: room for {releases} releases at ε = {epsilon_text(epsilon)}. Others spend on "
        f"one of theirs in a year: ε = {others}."
    )


def account_line(account: Account, sister: Account | None, left: float, times: int | None) -> str:
    """Say what an account's limit is, which ε is left at its δ, and how often a plan fits."""
    fits = "" if times is None else f" This plan fits {times:,} time{'' if times == 1 else 's'}."
    return f"Limit: {plain(account_words(account, sister))}; {left_words(left)}.{fits}"


def of_limit(account: Account) -> str:
    """Say of what parts are: of what was left of a limit when the account was opened."""
    return "the rest of its limit" if Fraction(account.before_epsilon) else "its limit"


def spent_label(account: Account, before: Fraction, planned: Fraction) -> str:
    """Say which parts of a limit are spent and planned."""
    said = f"{part_words(before)} of {of_limit(account)} spent"
    return f"{said}, {part_words(planned)} this plan" if planned else said


def spend_sentence(account: Account, plan: Plan, after: Fraction) -> str:
    """Say what is spent and published, and which part of the limit would be spent ``after``."""
    asked, tables = budget_words(plan.epsilon, plan.delta), [f"the {of}" for of in plan.shares]
    of = f"{plain(account.name)} ({part_words(after)} of {of_limit(account)} would then be spent)"
    return f"Spend **{asked}** of {of} and publish **{listed(tables)}**."


def plain(name: str) -> str:
    """Return a name without the marks that would make a part of it bold."""
    return name.replace("**", "∗∗").replace("[[", "［［")


def warnings(plan: Plan, people: int) -> Iterator[str]:
    """Warn of a δ above one divided by the guessed people, and of more noise than people a bin."""
    many, bins = plan.recipe.unit.many, prod(plan.scores.bins) if plan.scores else 0
    if plan.delta * people > 1:
        yield f"δ is above 1/{people:,}: choose it far below, for that many {many}."
    if bins and people and (noise := plan.noise(plans.SCORES)) * bins > people:
        yield (
            f"This picture would show noise: {in_rows(noise)} a bin, where {people:,} {many} are "
            f"{people / bins:.2g} a bin on average. Choose fewer bins, or a larger share."
        )


def row_line(row: Row) -> str:
    """Describe a release of the list."""
    plan = loads(row.plan)
    epsilon, published = upward(float(plan.epsilon)), ", ".join(plan.shares)
    return f"**{row.number}** · {row.spent_on} · ε = {epsilon} · {published} · {row.status.value}"
