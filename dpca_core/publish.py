"""What leaves the program under a guarantee: terms, a draw, and the file made of these two alone.

``Terms`` hold what is public before anything is drawn. ``draw`` is the only function here that sees
private rows, and it hands back nothing but the release. ``release_csv`` gets the two and nothing
else, so a file is a function of the release and of public settings; tests/test_publish.py compares
the files of neighbouring tables byte by byte.
"""

import csv
import io
import re
import secrets
from dataclasses import dataclass

import numpy as np

from dpca_core.budget import Adjacency, Budget, Guarantee, Notion
from dpca_core.choices import Recipe, leaks
from dpca_core.choose_k import choose_k
from dpca_core.composition import prepared
from dpca_core.dataset import FREE, SIZE, Dataset, Disclosure
from dpca_core.elsewhere import always_here
from dpca_core.lazily import cached_property
from dpca_core.linalg import Array
from dpca_core.mechanism import Mechanism
from dpca_core.problem import Problem
from dpca_core.sentences import LABELS, between, promise

NOT_PRIVATE = "Not private: computed from the true data"
CAVEAT = (
    "Each file drawn spends the budget once more. The guarantee presumes that what is declared "
    "public, and mechanism, k, ε and δ, were chosen without looking at the data. Floating point, "
    "the pseudo-random generator and timing are outside the proof."
)
SEEN = f"{SIZE}: public, as the report of each person is seen ({FREE})"
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula."""

_OPENS = re.compile(rf"(^|[,;:|\t])([\s\"']*)(?=[{re.escape(''.join(FORMULA))}])")
_SEED_BITS = 128


@dataclass(frozen=True)
class Terms:
    """What is public about a release before it is drawn: settings, and what was declared.

    Attributes
    ----------
    budget
        What the release costs in all, a private mean included.
    name, columns, one
        Of the table, its columns after coding, and one of those who are protected.
    mean_share
        Share of the budget that pays for a private mean.
    selects_rows
        Whether what a row holds decides that it is left out.
    statements
        One on each choice outside the mechanism.
    declared_private
        Whether every choice outside the mechanism was fixed in public or is paid for.
    """

    mechanism: Mechanism
    k: int
    budget: Budget
    name: str
    columns: tuple[str, ...]
    one: str
    mean_share: float
    selects_rows: bool
    statements: tuple[str, ...]
    declared_private: bool

    @cached_property
    def guarantee(self) -> Guarantee:
        """What holds for the mechanism and the mean together, whatever the data.

        Raises
        ------
        InfeasibleBudget
            Where the mechanism has no release at this budget.
        """
        own = self.budget if self.mean_share == 0 else self.budget.split(self.mean_share)[1]
        found = guarantee(self.mechanism, len(self.columns), self.k, own)
        return prepared(
            found, self.budget, mean_share=self.mean_share, selects_rows=self.selects_rows
        )

    @property
    def private(self) -> bool:
        """Whether a guarantee is proved of what is drawn."""
        return self.declared_private and self.guarantee.proved


@dataclass(frozen=True, eq=False)
class Drawn:
    """What came out of one draw: a basis (d, k), or None where the mechanism refused."""

    basis: Array | None


def guarantee(mechanism: Mechanism, d: int, k: int, budget: Budget) -> Guarantee:
    """Return what a mechanism promises, from d, k and the budget alone.

    It is asked about a table that stands in for every other of d columns.

    Raises
    ------
    InfeasibleBudget
        Where the budget cannot be met.
    """
    with always_here():
        stand_in = Problem.from_moment(np.diag(np.arange(d, 0, -1.0)), float(d * (d + 1)), k)
        return mechanism.guarantee(stand_in, budget)


def terms(dataset: Dataset, mechanism: Mechanism, k: int, budget: Budget) -> Terms:
    """Return the terms of a release; those of a table of one's own are read off its recipe."""
    recipe, statements = dataset.recipe, dataset.leaks
    if isinstance(recipe, Recipe):
        statements = leaks(recipe)
    return Terms(
        mechanism, k, budget, dataset.public_name, dataset.columns, dataset.unit.one,
        dataset.mean_share, dataset.selects_rows, tuple(_statement(s) for s in statements),
        dataset.private,
    )  # fmt: skip


def draw(dataset: Dataset, mechanism: Mechanism, k: int, budget: Budget) -> Drawn:
    """Draw one release of the data as they are: the only look at private rows.

    All randomness is the operating system's, that of a private mean too: a page's seed is known to
    whoever has the link. n is the real one, not a slider's.

    Raises
    ------
    InfeasibleBudget
        Where the budget cannot be met: that depends on d, k and the budget only. (The power
        methods as printed, of which nothing is promised, also refuse for the eigengap.)
    """
    own = dataset.split(budget)[1]
    guarantee(mechanism, dataset.d, k, own)
    with always_here():
        problem = dataset.problem(k, None, budget, secrets.randbits(_SEED_BITS))
        release = mechanism.release(problem, own, _secret())
    return Drawn(None if release.refused[0] else release.bases[0])


def draw_k(dataset: Dataset, epsilon: float, most: int, adjacency: Adjacency) -> int:
    """Choose k from 1 to ``most`` by the largest noisy gap of the data as they are: ε-DP, pure.

    A private mean is drawn for it and takes its share of ε, with Laplace noise; the gaps take the
    rest. Basic composition: the whole costs ε. Every draw costs that again.

    Parameters
    ----------
    most
        A public number below d, fixed without looking at the data.
    """
    whole = Budget(epsilon, 0.0, adjacency)
    rest = dataset.split(whole)[1].epsilon
    with always_here():
        problem = dataset.problem(1, None, whole, secrets.randbits(_SEED_BITS))
        return choose_k(problem, rest, most, adjacency, _secret())


def _secret() -> np.random.Generator:
    return np.random.default_rng(secrets.randbits(_SEED_BITS))


def release_csv(terms: Terms, drawn: Drawn) -> str:
    """Write a release as CSV, its guarantee or the lack of one on top.

    Text is quoted, and nothing in it opens a formula, wherever a program splits the lines.
    """
    out = io.StringIO()
    out.writelines(f"# {inert(line)}\n" for line in _head(terms))
    if drawn.basis is None:
        refusal = f"The mechanism refused: {terms.mechanism.refusal}. The refusal is the release."
        out.write(f"# {inert(refusal)}\n")
        return out.getvalue()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["column", *(f"direction_{i + 1}" for i in range(terms.k))])
    for name, row in zip(terms.columns, drawn.basis, strict=True):
        writer.writerow([inert(name), *(float(v) for v in row)])
    return out.getvalue()


def _head(terms: Terms) -> list[str]:
    mechanism, found = terms.mechanism, terms.guarantee
    settings = "; ".join(
        f"{setting.label.lower()} {getattr(mechanism, setting.name):g}"
        for setting in mechanism.parameters()
    )
    first = f"dpca release: the top {terms.k} directions by {mechanism.name}"
    label = LABELS[found.standing][0].lower()
    lines = [
        f"Guarantee: {promise(found)}, {between(found, terms.one)} ({label}; {found.source})",
    ]
    if not terms.private:
        lines, first = [first, f"No guarantee: {_why_not(terms)}."], NOT_PRIVATE
    if settings:
        lines.append(f"Settings: {settings}")
    local = found.notion is Notion.LOCAL
    said = (SEEN if local and text.startswith(f"{SIZE}:") else text for text in terms.statements)
    caveat = [CAVEAT] if terms.private else []
    return [first, f"Data: {terms.name}", *lines, *said, *caveat]


def _why_not(terms: Terms) -> str:
    if not terms.declared_private:
        return "the preprocessing reads the data without paying for it"
    return (terms.guarantee.erratum or "no noise was added").rstrip(".")


def _statement(choice: Disclosure) -> str:
    return f"{choice.name}: {choice.public_text} ({choice.cost})"


def inert(text: str) -> str:
    """Put a text on one line, and an apostrophe before whatever a spreadsheet would compute."""
    return _OPENS.sub(r"\1\2'", " ".join(text.splitlines()).strip())
