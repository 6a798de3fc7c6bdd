"""Every sentence of the Release page that is not a label of a control."""

from collections.abc import Sequence
from math import isfinite

from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.mechanisms.registry import DRAWN_EXACTLY
from dpca_core.release.ledger import Account, Row, Status
from dpca_core.release.ledger_checks import drawn_sentence, unfinished_sentence
from dpca_core.release.plan import PartName, Plan
from dpca_core.release.preview import Preview
from dpca_core.text.glossary import TERMS
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import delta_text, epsilon_text, right_guesses, upward
from ui.release.measurements import Spent

HEADLINE = "Spend a budget once, and publish something real."
LEAD = (
    "Whole numbers, exact noise, random bits of the operating system: the guarantee holds for the "
    "program as it runs."
)
WHOSE, WHAT, HOW_MUCH, SPEND = "Whose data", "What to publish", "How much to spend", "Spend"
TITLES = (WHOSE, WHAT, HOW_MUCH, SPEND)
OWN_TABLE, PRACTICE = "Your table", "Practise on a built-in set"
NO_DECISION = (
    "Choose a table on Your data and decide there how to publish it, or practise on a built-in one."
)
TO_YOUR_DATA = "Your data"
PUBLIC_DATA = "Public: for practice. Nothing is protected, and the files say PRACTICE."
ABOUT_OWN = "Your table, as decided on Your data. No row of it is read before you spend."
NO_LEDGER_ON_SERVER = (
    "This server has no ledger, so nothing of your own can be released on it. Its operator sets "
    "one: DPCA_LEDGER=/path/to/ledger.sqlite, on a local disk that is kept."
)
NAME_A_FOLDER = (
    "Releases are booked in a ledger, a file that outlives this session, so that nothing is spent "
    "twice. Name the folder where it is kept; always use the same."
)
NEW_ACCOUNT = "A new account"
ACCOUNT_HELP = TERMS["account"].sentence
SET_ASIDE = (
    "The part of ε that is kept for pure releases, those without δ: after a Gaussian release no "
    "other part of it can go to them."
)
PUBLISHED_TEXT = "Published with the release."
NOTHING_ASKED = "Public data: nothing needs to be confirmed."
CONFIRM = "Answer each; a No is printed in the certificate, not refused."
OPEN_FIRST = "Open an account in card 1 first."
ANSWER_FIRST = "Answer the questions of card 1 first."
MATRIX_ALWAYS = "Always: the matrix, from which directions and spectrum are read."
K_IS_FREE = "For the report only: costs nothing, and can be changed afterwards."
PEOPLE_LABEL = "How many {many} do you think there are?"
PEOPLE_EXAMPLE = "for example 900"
GUESS_HELP = (
    "A round number that you knew before; the file is not counted. It serves this preview alone."
)
NOT_READ = "From your settings alone: no table was read."
REASON_LABEL = "Why this ε? Published with the release."
REASON_EXAMPLE = "in your own words"
REASON_NO_LONGER = (
    "in your own words: what was proposed on Decide is about other settings than these"
)
SHARES_HELP = TERMS["share"].sentence
TYPE_LABEL = "Type the account’s name to spend"
OTHER_NAME = "That is not the account’s name: {name}."
TYPE_AGAIN_LABEL = "Type the account’s name to spend again"
SPEND_BUTTON = "Spend and publish"
NO_RELEASES = "No release yet."
ONLY_SESSION = "A practice ledger: it is forgotten with this session."
RUNNING = "This can’t be stopped: what is spent is spent."
STEP_NAMES = ("spent", "drawing", "stored")
REPORT_TITLE = "The report"
NOT_IN_SESSION = "Finishing needs the table of the same people: choose it on Your data."
NO_TABLE_HERE = (
    "Finishing needs the same built-in set: choose it in card 1, as release {number} was planned."
)
SAME_PLAN = "Its draw was interrupted; release {number} has the same plan."
FAILED = "The release could not be made; the list says how far it came."
_LAWS = {
    ExactNoise.GAUSSIAN: "The smallest noise for most tables; needs δ above 0.",
    ExactNoise.WISHART_DIFFERENCE: "Pure: no δ. At most 200 columns; larger noise than Gaussian "
    "with δ = 2⁻⁶⁴ from about 55 columns on.",
    ExactNoise.LAPLACE: "Pure: no δ, any number of columns, the largest noise.",
}


def recorded(known: str) -> str:
    """Announce what is printed without being asked."""
    return f"The certificate will say, without asking: {_plain(known)}"


def law(mechanism: str) -> str:
    """Say in a line what a mechanism is good for."""
    return _LAWS[DRAWN_EXACTLY[mechanism]]


def spend_sentence(account: Account, plan: Plan, after: Spent) -> str:
    """Say what is spent and what is published, with ``**`` marks around the numbers."""
    delta = f", δ = {delta_text(float(plan.delta))}" if plan.delta else ""
    would = ""
    if isfinite(after.epsilon_after):
        of_limit = f"ε = {upward(after.epsilon_after)} of {epsilon_text(after.limit)}"
        at = f", at its δ = {delta_text(float(account.delta))}," if account.delta else ""
        would = f" ({of_limit}{at} would then be spent)"
    return (
        f"Spend **ε = {epsilon_text(float(plan.epsilon))}{delta}** of {_plain(account.name)}{would}"
        f" and publish **{tables(plan)}**."
    )


def tables(plan: Plan) -> str:
    """Name what is published."""
    named = [f"a matrix, {plan.d} × {plan.d}"]
    if PartName.MEANS in plan.shares:
        named.append(f"noisy sums of {plan.d} columns with a noisy number of rows")
    if plan.scores is not None:
        across, up = plan.scores.bins
        named.append(f"a {across} × {up} histogram")
    return listed(named)


def _plain(name: str) -> str:
    """Return a name without the marks that would make a part of it bold."""
    return name.replace("**", "∗∗").replace("[[", "［［")


def shares(means: int, scores: int, *, pure: bool) -> str:
    """Say which share each table has, and what that adds to its noise."""
    parts = [("means", means), ("matrix", 100 - means - scores), ("scores", scores)]
    return " · ".join(
        f"{name} {share} % ({_growth(share, pure)})" for name, share in parts if share
    )


def _growth(share: int, pure: bool) -> str:
    """Write how much larger noise is at a share of the budget."""
    times = (100 / share) if pure else (100 / share) ** 0.5
    return f"noise × {times:.2g}" if times >= 1.5 else f"noise +{100 * (times - 1):.1f} %"


def preview_rows(found: Preview, guess: float = 0.0) -> list[tuple[str, str]]:
    """Return the public preview: what, and how much, as a share of so many people too."""
    rows = [
        ("noise of a diagonal entry", _people(found.diagonal)),
        ("noise in its longest direction", _people(found.spectral_norm, guess)),
        (_gap_label(found.k), _people(found.smallest_gap, guess)),
    ]
    if found.means is not None:
        rows.append(("noise of a column’s sum", _rows(found.means)))
    if found.bin is not None:
        rows.append(("noise of a bin", _rows(found.bin)))
    right = f"at most {right_guesses(found.guess)} in 100"
    rows.append(("right guesses about one person (a coin: 50)", right))
    return rows


def _gap_label(k: int) -> str:
    return f"smallest gap at which {f'{k} directions hold' if k > 1 else '1 direction holds'}"


def noisy_picture(found: Preview, guess: float, many: str) -> str:
    """Warn of a histogram with more noise than people in a bin; "" without, or without a guess."""
    if found.bin is None or guess <= 0 or found.bin * found.bins <= guess:
        return ""
    return (
        f"This picture would show noise: {_rows(found.bin)} a bin, where {guess:,.0f} {many} are "
        f"{guess / found.bins:.2g} a bin on average. Choose fewer bins, or a larger share."
    )


def large_delta(delta: float, guess: float, many: str) -> str:
    """Warn of a δ above one divided by the people; "" where it is small or nobody guessed."""
    if guess <= 0 or delta * guess <= 1:
        return ""
    return f"δ is above 1/{guess:,.0f}: choose it far below, for that many {many}."


def row_line(row: Row) -> str:
    """Describe a release of the list."""
    plan = row.plan
    parts = ", ".join(str(name) for name in plan.shares)
    return (
        f"**{row.number}** · {row.spent_on} · ε = {epsilon_text(float(plan.epsilon))} · {parts} · "
        f"{row.status.value}"
    )


def finishing(row: Row) -> str:
    """Say what finishing costs."""
    if row.status is Status.DRAWN:
        return drawn_sentence(row)
    return unfinished_sentence(row.number)


def finish_label(row: Row) -> str:
    """Name the button that finishes a release."""
    return "Finish, and spend again" if row.status is Status.DRAWN else "Finish"


def done(row: Row) -> str:
    """Say that a release is there."""
    return f"Release {row.number} of {_plain(row.account.name)} is published, and stored."


def files_of(row: Row) -> str:
    """Name the list of a release's files."""
    return f"Files of release {row.number}, one by one; the report stands below the cards."


def step_states(reached: Sequence[Status]) -> list[tuple[str, str]]:
    """Return the three steps, each done, now or to come."""
    stored = Status.PUBLISHED in reached
    # Where a release is finished that was spent before, the first that is heard of is its draw.
    passed = [len(reached) > 0, stored, stored]
    begun = [True, passed[0], stored]
    states = ["done" if p else "now" if b else "next" for p, b in zip(passed, begun, strict=True)]
    return list(zip(STEP_NAMES, states, strict=True))


def _people(value: float, guess: float = 0.0) -> str:
    """Write a number of people, and which share of a guessed number it is."""
    share = f" ({100 * value / guess:.2g} % of {guess:,.0f})" if 0 < value <= guess else ""
    more = f" (more than {guess:,.0f})" if 0 < guess < value else ""
    return f"{float(f'{value:.3g}'):,g} people{share}{more}"


def _rows(value: float) -> str:
    return f"{float(f'{value:.3g}'):,g} rows"
