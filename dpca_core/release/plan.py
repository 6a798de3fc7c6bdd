"""What is published and at what price: public, fixed before anything is drawn, and kept as text.

From a share of the budget follows the scale of a table's noise, a whole number of grid units that
is rounded up; from the scale follows the cost, exactly: μ² of Gaussian noise, ε of pure noise.
Costs add (Theorem 2, docs/release.md). Formulas of sensitivities and costs are proved there.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isqrt, nextafter, sqrt
from typing import Any, get_type_hints

from dpca_core.analysis.recommendation import MOST_WISHART_COLUMNS
from dpca_core.data import recipe_json, strict_json
from dpca_core.data.column_names import MAX_COLUMNS, label
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import ONE_ROW, MissingPerson, Recipe, Scaling, Source, Unit
from dpca_core.data.recipe_checks import require_valid
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import DRAWN_EXACTLY, MECHANISMS
from dpca_core.privacy.budget import LEAST_DELTA, MOST_EPSILON, Adjacency
from dpca_core.privacy.gaussian import gaussian_delta, gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.release.grid import GRID
from dpca_core.runtime.cached_property import cached_property
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import right_guesses
from dpca_core.text.release_statements import (
    MEAN_STAYS,
    VALUES_STAY,
    Declaration,
    contradicts_itself,
    protected,
)

FORMAT = "dpca-plan/2"
MEANS, MATRIX, SCORES = TABLES = ("means", "matrix", "scores")
"""In the order in which they are drawn."""
LETTERS = {
    "gaussian": {MEANS: "a", MATRIX: "ab", SCORES: "a"},
    "wishart_difference": {MEANS: "w", MATRIX: "s", SCORES: "w"},
    "laplace": {MEANS: "w", MATRIX: "w", SCORES: "w"},
}
"""Scales of Gaussian noise, ``a``, and ``b`` on a matrix's diagonal; ``s`` of a difference of
Wisharts; ``w`` of discrete Laplace noise."""
LEAST_EPSILON, SCALE_LIMIT = Fraction(1, 10**6), 2**57
"""Smallest ε of a release; scales are below the second, so that noise and sums fit 64 bits."""
LEAST_MATRIX_SHARE, BINS, LONGEST_TEXT = Fraction(1, 5), range(5, 51), 500
_DECIMAL = re.compile(
    r"([0-9]{1,400}\.?[0-9]{0,400}|\.[0-9]{1,400})([eE][+-]?[0-9]{1,3})?", re.ASCII
)
_NAMED, ADDED = 3, ("labels", "title", "typed")
_NO_ROOM = "Noise of this size leaves no room in 64 bits; ask for ε of 10⁻⁶ or more."
_LARGER = 1 + Fraction(1, 2**40)
"""Noise is this much larger than enough: rounding never puts a plan over its budget."""


class PlanError(ValueError):
    """A plan that cannot be followed; nothing is spent. The message is one sentence."""


@dataclass(frozen=True)
class Scores:
    """Counts of the first two private scores, for a share of the budget.

    Scores from −reach to reach have ``bins`` of their own, 5 to 50 each way; others the outermost.
    """

    share: Fraction
    bins: tuple[int, int] = (12, 12)
    reach: Fraction = Fraction(1)


@dataclass(frozen=True)
class Plan:
    """All public settings of a release; PlanError for those that nothing can be promised with."""

    recipe: Recipe
    neighbours: Adjacency
    epsilon: Fraction
    delta: Fraction
    """What is asked for, exactly; δ is 0 where the mechanism is pure."""
    mechanism: str
    reason: str
    """Why this ε, in the owner's words: published; empty where none was given."""
    means: Fraction = Fraction(0)
    """Their share of the budget."""
    scores: Scores | None = None
    k: int = 2
    """Directions that are read off at first; any number can be later."""
    declarations: tuple[Declaration, ...] = ()
    practice: str = ""
    """Name of the built-in set that this is practice on; empty where it is not."""
    scales: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Of the noise of each table: from the budget, unless they are those of a stored plan."""

    def __post_init__(self) -> None:
        """Check the settings and fix the scales."""
        for sentence, wrong in self._refusals().items():
            if wrong:
                raise PlanError(sentence)
        try:
            require_valid(self.recipe)
        except RecipeError as error:
            raise PlanError(str(error)) from None
        if not self.gaussian:
            object.__setattr__(self, "delta", Fraction(0))
        if not self.scales:
            object.__setattr__(self, "scales", self._least_scales())
        self._require_scales()

    @property
    def protects(self) -> tuple[str, str]:
        """What it protects, one and many, by its recipe and by what its owner answered."""
        unit = self.recipe.unit
        return protected(self.declarations, unit.one, unit.many, self.recipe.person)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the d columns after coding."""
        return self.recipe.coded_names

    @property
    def d(self) -> int:
        """Columns after coding."""
        return self.recipe.width

    @property
    def gaussian(self) -> bool:
        """Whether noise is Gaussian and cost is μ²; else noise is pure and cost is ε."""
        return self.mechanism == "gaussian"

    @property
    def private_mean(self) -> bool:
        """Whether the released means are subtracted from every row."""
        return self.recipe.scaling is Scaling.PRIVATE_MEAN

    @property
    def shares(self) -> dict[str, Fraction]:
        """The part of the budget of each table, in drawing order: 1 together."""
        scores = self.scores.share if self.scores else Fraction(0)
        every = (self.means, 1 - self.means - scores, scores)
        return {table: share for table, share in zip(TABLES, every, strict=True) if share}

    @cached_property
    def costs(self) -> dict[str, Fraction]:
        """What each table costs, exactly, from its scales."""
        return {table: self._cost(table, scales) for table, scales in self.scales.items()}

    @property
    def cost(self) -> Fraction:
        """What all tables cost together: μ² or ε."""
        return sum(self.costs.values(), Fraction(0))

    @property
    def keeps_its_budget(self) -> bool:
        """Whether the scales are as large as ε and δ ask for; those of a stored plan may not be."""
        return self.cost <= self._whole

    def unit(self, table: str) -> Fraction:
        """Return the weight of 1 in a table: people for the matrix, rows for the others."""
        return Fraction(1, self.recipe.rows_per_person * GRID**2 if table == MATRIX else GRID)

    @property
    def scale(self) -> float:
        """Of the matrix's noise, in people; on the diagonal where it is Gaussian."""
        *_, scale = self.scales[MATRIX].values()
        return scale * float(self.unit(MATRIX))

    def noise(self, table: str) -> float:
        """Return the standard deviation of noise on an entry of the means or scores, in rows."""
        (scale,) = self.scales[table].values()
        return (1.0 if self.gaussian else sqrt(2)) * scale * float(self.unit(table))

    def sensitivity_squared(self, table: str) -> int:
        """Return the square of what one person moves a table by, in the norm of its noise.

        Rows are whole with ‖y‖ ≤ M, m a person; irrational bounds are rounded up to grid units.
        """
        d, replaced = self.d, self.neighbours is Adjacency.REPLACE_ONE
        one = self.recipe.rows_per_person * (GRID**2 if table == MATRIX else GRID)
        twice = 2 if replaced else 1
        if self.gaussian:  # Frobenius norm of T; ℓ₂ of counts, and of sums with the number of rows
            return (2 if table == MEANS else 1) * twice * one**2
        if table == MEANS:  # ℓ₁: √d and 1 for a row, or 2√d where one takes another's place
            return (ceil_sqrt(4 * one**2 * d) if replaced else ceil_sqrt(one**2 * d) + one) ** 2
        if table == SCORES or self.mechanism == "wishart_difference":  # ℓ₁; nuclear norm
            return (twice * one) ** 2
        if replaced:  # ℓ₁ of the upper triangle with its diagonal
            wide = ceil_sqrt(one**2 * d * (d + 3) // 2)
            return min(ceil_sqrt(one**2 * d**2 // 2) + one, wide) ** 2
        return (one * (d + 1) // 2) ** 2

    @cached_property
    def _whole(self) -> Fraction:
        """The largest cost that is within ε and δ."""
        return most_mu2(self.epsilon, self.delta) if self.gaussian else self.epsilon

    def _cost(self, table: str, scales: Mapping[str, int]) -> Fraction:
        square, (letter, scale) = self.sensitivity_squared(table), next(iter(scales.items()))
        # On a Gaussian matrix variances are a² off the diagonal and 2a² on it: μ² = Δ²/(2a²). A
        # difference of Wisharts costs Δ/(2s).
        halves = 2 if letter == "s" or "b" in scales else 1
        if letter == "a":
            return Fraction(square, halves * scale**2)
        return Fraction(ceil_sqrt(square), halves * scale)

    def _least_scales(self) -> dict[str, dict[str, int]]:
        """Return the smallest whole scales that cost at most each table's share."""
        whole = self._whole / _LARGER**2 if self.gaussian else self.epsilon
        found = {}
        for table, share in self.shares.items():
            square, letters = self.sensitivity_squared(table), LETTERS[self.mechanism][table]
            allowed = share * whole * (2 if letters in ("ab", "s") else 1)
            if self.gaussian:
                a = ceil_sqrt(square / allowed)
                found[table] = {"a": a} | ({"b": isqrt(2 * a * a) + 1} if letters == "ab" else {})
            else:
                found[table] = {letters: -(-ceil_sqrt(square) // allowed)}
        return found

    def _require_scales(self) -> None:
        """Refuse scales that leave no room, or that are not those of these tables."""
        sound = tuple(self.scales) == tuple(self.shares) and all(
            "".join(scales) == LETTERS[self.mechanism][table]
            and all(type(scale) is int and scale > 0 for scale in scales.values())
            and ("b" not in scales or scales["b"] ** 2 >= 2 * scales["a"] ** 2)
            for table, scales in self.scales.items()
        )
        if not sound:
            raise PlanError("The scales of the noise are not those of the plan’s tables.")
        if max(max(scales.values()) for scales in self.scales.values()) >= SCALE_LIMIT:
            raise PlanError(_NO_ROOM)

    def _refusals(self) -> dict[str, bool]:
        """Return what a plan can be refused with, and whether it is: nothing depends on a row."""
        recipe, scores = self.recipe, self.scores or Scores(Fraction(1, 10))
        numbers = (self.epsilon, self.delta, self.means, scores.share, scores.reach)
        if not all(isinstance(number, Fraction) for number in numbers):
            return {"ε, δ, shares and reach must be exact: give fractions, not floats.": True}
        read = any(column.source is Source.FILE for column in recipe.columns)
        own = recipe.names_persons and recipe.missing_person is MissingPerson.OWN
        wide = self.mechanism == "wishart_difference" and self.d > MOST_WISHART_COLUMNS
        matrix = 1 - self.means - (self.scores.share if self.scores else 0)
        bins = [type(count) is int and count in BINS for count in scores.bins]
        texts = self.reason + self.practice
        names = listed([MECHANISMS[key].name for key in DRAWN_EXACTLY], "or")
        return {
            "Nothing can be promised of what is read from the data: choose public ranges.": (
                read or recipe.scaling is Scaling.AS_IN_PAPERS or not recipe.bounds_are_public
            ),
            "Rows without an ID would each count as another person: leave them out.": own,
            f"A release holds at most {MAX_COLUMNS:,} columns after coding.": self.d > MAX_COLUMNS,
            f"Noise is drawn exactly of {names}: choose one.": self.mechanism not in LETTERS,
            _NO_ROOM: self.epsilon < LEAST_EPSILON,
            "ε must be at most 10¹⁰.": self.epsilon > MOST_EPSILON,
            "δ must be 0, or at least 10⁻³⁰ and below 1.": (
                self.delta != 0 and not LEAST_DELTA <= self.delta < 1
            ),
            "Gaussian noise needs δ > 0; choose one, or the difference of Wisharts.": (
                self.gaussian and self.delta == 0
            ),
            f"Wishart noise is drawn exactly for at most {MOST_WISHART_COLUMNS} columns; "
            "Gaussian noise with δ = 2⁻⁶⁴ is smaller there.": wide,
            "The tables’ shares must be above 0 and leave at least 20 % for the matrix.": (
                self.means < 0 or scores.share <= 0 or matrix < LEAST_MATRIX_SHARE
            ),
            "A private mean is subtracted from every row, so the means need a share.": (
                self.private_mean and self.means == 0
            ),
            "The histogram needs 5 to 50 bins each way.": bins != [True, True],
            "The histogram’s reach must be above 0 and at most 1.": not 0 < scores.reach <= 1,
            f"The number of directions must be 1 or more, and below that of columns, {self.d}.": (
                type(self.k) is not int or not 0 < self.k < self.d
            ),
            f"Say in at most {LONGEST_TEXT} characters why this ε was chosen: it is published.": (
                max(len(self.reason), len(self.practice)) > LONGEST_TEXT
            ),
            "The reason holds half of a letter, which no file can hold: type it anew.": (
                any("\ud800" <= letter <= "\udfff" for letter in texts)
            ),
            "What is stated contradicts itself: state each fact once, and not its denial.": (
                contradicts_itself(self.declarations)
            ),
        }


def cautions(recipe: Recipe) -> list[str]:
    """Say what a direction may show that is no finding, by what is public."""
    names = [label(category.name) for category in recipe.categories]
    if more := len(names) - _NAMED:
        names[_NAMED:] = [f"{more} more"] * (more > 0)
    mean = any(recipe.mean_stays[: len(recipe.numbers) + len(recipe.scales)])
    return [MEAN_STAYS] * mean + [VALUES_STAY.format(names=listed(names, "or"))] * bool(names)


def preview_rows(plan: Plan, people: int = 0) -> list[tuple[str, str]]:
    """Return what to expect of a plan: what, and how much, as a share of a guessed number too.

    Standard deviations of entries, and how long noise is where it is longest, in units; and what
    a direction may show that is no finding.
    """
    mechanism, recipe = MECHANISMS[plan.mechanism], plan.recipe
    unit = Unit(*plan.protects)
    assert isinstance(mechanism, NoiseOnS)
    diagonal, beside = (std * plan.scale for std in mechanism.law.std(plan.d))
    longest = mechanism.law.edge(plan.d) * plan.scale
    replaced = plan.neighbours is Adjacency.REPLACE_ONE
    guess = f"which of two {unit.many}" if replaced else f"whether one {unit.one}"
    rows = [
        ("noise of a diagonal entry", counted(diagonal, unit)),
        ("noise of another entry", counted(beside, unit)),
        ("noise in its longest direction", counted(longest, unit, people)),
        *(("a direction may show", said) for said in cautions(recipe)),
    ]
    if plan.means:
        rows.append(("noise of a column’s sum", counted(plan.noise(MEANS), ONE_ROW)))
    if plan.scores:
        rows.append(("noise of a bin", counted(plan.noise(SCORES), ONE_ROW)))
    if len(plan.shares) > 1:
        power = 0.5 if plan.gaussian else 1.0
        times = [f"{of} {float(1 / part) ** power:.3g}" for of, part in plan.shares.items()]
        rows.append(("times the noise that the whole budget would give", ", ".join(times)))
    right = f"at most {right_guesses(chance_of_guess(plan.cost, plan.gaussian))} in 100"
    return [*rows, (f"right guesses {guess} is in it (a coin: 50)", right)]


def counted(value: float, unit: Unit, guess: float = 0.0) -> str:
    """Write a number of units, and which share of a guessed number it is."""
    share = f" ({100 * value / guess:.2g} % of {guess:,.0f})" if 0 < value <= guess else ""
    more = f" (more than {guess:,.0f})" if 0 < guess < value else ""
    number = f"{float(f'{value:.3g}'):,g}"
    return f"{number} {unit.word(number)}{share}{more}"


def dumps(plan: Plan) -> str:
    """Write a plan in one way: ``loads`` gives it back, with the scales that it was drawn with."""
    whole = {"format": FORMAT, "grid": GRID, "recipe": _recipe_tree(plan.recipe)}
    tree = strict_json.tree_of(plan) | whole
    return json.dumps(
        tree, default=text_of, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )


def loads(text: str) -> Plan:
    """Read a plan that ``dumps`` wrote; PlanError for anything else, a key twice too."""
    try:
        tree = json.loads(text)
        settings: dict[str, Any] = {
            name: strict_json.read(kind, tree[name], "plan")
            for name, kind in get_type_hints(Plan).items()
            if name not in ("recipe", "scales")
        }
        recipe, scales = recipe_json.recipe_of(tree["recipe"]), tree["scales"]
        # Their order is that of drawing, and not of keys.
        in_order = {table: scales[table] for table in TABLES if table in scales}
        plan = Plan(recipe=recipe, scales=in_order, **settings)
        if dumps(plan) == text:
            return plan
    except (AttributeError, LookupError, TypeError, ValueError, ArithmeticError, RecursionError):
        pass
    raise PlanError("This is no plan that this version of the program wrote.")


def same_recipe(one: Recipe, other: Recipe) -> bool:
    """Tell whether two recipes prepare rows alike, whatever the title of a column is."""
    trees = [_recipe_tree(recipe) for recipe in (one, other)]
    for tree in trees:
        for column in (*tree["numbers"], *tree["scales"], *tree["categories"]):
            column.pop("title", None)
    return bool(trees[0] == trees[1])


def _recipe_tree(recipe: Recipe) -> Any:
    """Return a recipe as a tree in which 0 and 0.0 are written alike, and what came later if used.

    So a plan from before there were labels is written as it was.
    """
    return json.loads(
        recipe_json.dumps(recipe_json.loads(recipe_json.dumps(recipe))),
        object_hook=lambda tree: {k: of for k, of in tree.items() if k not in ADDED or of},
    )


def most_mu2(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return the largest μ² at which Gaussian noise is (ε, δ)-DP, δ > 0, rounded down."""
    return 1 / Fraction(gaussian_sigma(below(epsilon), below(delta), 1.0)) ** 2


def mu2_epsilon(mu2: Fraction, delta: Fraction) -> float:
    """Return ε of Gaussian noise at δ > 0, rounded up."""
    return nextafter(gaussian_epsilon(_sigma(mu2), below(delta), 1.0), inf)


def chance_of_guess(cost: Fraction, gaussian: bool) -> float:
    """Return the largest chance of a right guess about one person from even odds, rounded up."""
    epsilon, delta = above(cost), 0.0
    if gaussian:
        # Up by more than the accounting errs.
        epsilon, delta = 0.0, min(1.0, gaussian_delta(_sigma(cost), 0.0, 1.0) * (1 + 1e-12))
    return min(1.0, guess_probability(epsilon, delta) * (1 + 1e-12))


def ceil_sqrt(value: Fraction | int) -> int:
    """Return the smallest whole number whose square is at least a value ≥ 0."""
    whole = -(-value // 1)
    return isqrt(whole - 1) + 1 if whole > 0 else 0


def below(value: Fraction) -> float:
    """Return the largest float that is at most a fraction."""
    near = float(value)
    return nextafter(near, -inf) if Fraction(near) > value else near


def above(value: Fraction) -> float:
    """Return the smallest float that is at least a fraction."""
    return -below(-value)


def exact(value: Fraction | str) -> Fraction:
    """Return a number from 0 to 10¹⁰ that is exact, or decimal text such as 1e-6; ValueError."""
    if not isinstance(value, Fraction):
        if not isinstance(value, str) or not _DECIMAL.fullmatch(value):
            raise ValueError(f"{value} is no number in decimal text, such as 0.5 or 1e-6.")
        value = Fraction(value)
    if not 0 <= value <= 10**10:
        raise ValueError(f"{value} is not between 0 and 10 billion.")
    return value


def text_of(value: Fraction) -> str:
    """Write a fraction ≥ 0 exactly: as a decimal where it is one, else as ``p/q``."""
    twos, fives = (value.denominator & -value.denominator).bit_length() - 1, 0
    while value.denominator % 5 ** (fives + 1) == 0:
        fives += 1
    if 2**twos * 5**fives != value.denominator:
        return str(value)
    places = max(twos, fives)
    digits = str(int(value * 10**places)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits


def short_text(value: Fraction) -> str:
    """Write a fraction ≥ 0 with at most 40 places, rounded up: sums of costs have thousands."""
    return text_of(Fraction(-(-value * 10**40 // 1), 10**40))


def _sigma(mu2: Fraction) -> float:
    """Return noise per sensitivity, 1/μ, rounded down."""
    return nextafter(1 / nextafter(sqrt(above(mu2)), inf), 0.0)
