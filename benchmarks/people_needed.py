"""How many people directions need about a public centre, and about a private mean.

The made-up clinic with its codebook: 19 columns after coding, patients' rows averaged and made of
length 1. S is that of n patients like them. A release is judged against the S of rows less their
exact centre, by the levels of all pages: a direction holds where L ≥ .95 for it alone, or for it
together with those neighbours that are not reliable alone.

The private mean is measured twice: as ``Dataset`` draws it, where mean and noise share ε by basic
composition; and as exact composition of two Gaussian mechanisms would have it, the mean of a public
number of rows at share μ² (σ/√share).

    python -m benchmarks.people_needed
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from math import sqrt

import numpy as np

from dpca_core.analysis.needed import ROUND_PEOPLE
from dpca_core.analysis.recommendation import MEAN_SHARE, people_for_private_mean
from dpca_core.analysis.reliability import Goal, Reliabilities, judged_plan
from dpca_core.codebooks import read_codebook
from dpca_core.data.clipping import to_length_one
from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe, Scaling
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.problem import Problem
from dpca_core.simulation.trials import trial_generator
from dpca_core.tables.files import Upload
from dpca_core.tables.prepare import prepare
from sample_data.made_up_clinic import CLINIC_HEADER, FILE_NAME, clinic_csv, codebook_csv
from ui.owner.codebook_merge import merge_codebook
from ui.owner.draft import FOUND, Draft, Who

RELEASES, DIRECTIONS, DELTA = 400, 4, 1e-6
EPSILONS = (0.1, 0.5, 1.0, 3.0)

Cosines = Callable[[int, Budget], tuple[Problem, Array]]
"""What releases of n patients at a budget are judged by, and their cosines (T, k, k) with it."""


def clinic_recipe() -> Recipe:
    """Return the recipe that the clinic's codebook makes."""
    who = Who(("patient_id",), FOUND, "patient", "patients")
    draft = Draft(CLINIC_HEADER, who=who, reading=TextFileFormat(decimal=EITHER))
    draft = draft.merge({"visit_date": {"use": "out"}})
    recipe = merge_codebook(draft, read_codebook("clinic", codebook_csv())).draft.recipe()
    assert isinstance(recipe, Recipe)
    return recipe


def about_typical_values(data: Dataset) -> Cosines:
    """Release the rows as they are: their centre is public."""

    def cosines(people: int, budget: Budget) -> tuple[Problem, Array]:
        problem = data.problem(DIRECTIONS, people)
        bases = DEFAULT.release(problem, budget, np.random.default_rng(0), RELEASES).bases
        return problem, problem.basis.T @ bases

    return cosines


def about_the_mean_as_drawn(data: Dataset) -> Cosines:
    """Pay for a mean of these rows, as the data set does, and release with what is left."""

    def cosines(people: int, budget: Budget) -> tuple[Problem, Array]:
        truth = data.true_problem(DIRECTIONS, people)
        found = []
        for trial in range(RELEASES):
            problem, left = data.point(DIRECTIONS, people, budget, trial)
            rng = trial_generator(0, DEFAULT.key, trial)
            found.append(truth.basis.T @ DEFAULT.release(problem, left, rng).bases[0])
        return truth, np.array(found)

    return cosines


def about_the_mean_by_exact_composition(data: Dataset) -> Cosines:
    """Noise of σ/√share on the sum of the rows, of σ/√(1 − share) on S."""

    def cosines(people: int, budget: Budget) -> tuple[Problem, Array]:
        truth = data.true_problem(DIRECTIONS, people)
        sigma = gaussian_sigma(budget.epsilon, budget.delta, 1.0)
        exact, factor = data.rows.mean(axis=0), people / len(data.rows)
        found = []
        for trial in range(RELEASES):
            rng = trial_generator(0, DEFAULT.key, trial)
            error = rng.standard_normal(data.d) * sigma / sqrt(MEAN_SHARE) / people
            rows = to_length_one(data.rows - exact - error)
            square = rng.standard_normal((data.d, data.d))
            noise = (square + square.T) / 2 * sigma / sqrt(1 - MEAN_SHARE)
            vectors = np.linalg.eigh(rows.T @ rows * factor + noise)[1]
            found.append(truth.basis.T @ vectors[:, : -DIRECTIONS - 1 : -1])
        return truth, np.array(found)

    return cosines


def needed(cosines: Cosines, budget: Budget) -> tuple[int | None, int | None]:
    """Smallest round numbers of patients at which the first direction holds, and all of them."""
    known: dict[int, Reliabilities] = {}

    def plan(people: int) -> Reliabilities:
        if people not in known:
            known[people] = judged_plan(*cosines(people, budget), ordered=True)
        return known[people]

    def smallest(goal: Goal) -> int | None:
        place = bisect_left(ROUND_PEOPLE, True, key=lambda people: goal in plan(people).reached)
        return ROUND_PEOPLE[place] if place < len(ROUND_PEOPLE) else None

    return smallest(Goal.FIRST), smallest(Goal.ALL)


def main() -> None:
    """Print a line for each centre and ε."""
    recipe = clinic_recipe()
    upload = Upload(FILE_NAME, clinic_csv())
    data = prepare(upload, recipe, "clinic")
    paid = replace(recipe, scaling=Scaling.PRIVATE_MEAN, mean_share=MEAN_SHARE)
    with_mean = prepare(upload, paid, "clinic")
    centres = {
        "typical values": about_typical_values(data),
        "private mean, as drawn": about_the_mean_as_drawn(with_mean),
        "private mean, exact composition": about_the_mean_by_exact_composition(with_mean),
    }
    shares = data.problem(DIRECTIONS).spectrum / data.people
    print(f"shares of the first: {np.round(100 * shares[: DIRECTIONS + 2], 1)} per cent")
    print("centre | ε | first | all four | rule")
    for epsilon in EPSILONS:
        budget = Budget(epsilon, DELTA)
        rule = people_for_private_mean(data.d, budget)
        for name, cosines in centres.items():
            first, every = needed(cosines, budget)
            print(f"{name} | {epsilon:g} | {first:,} | {every:,} | {rule:,.0f}", flush=True)


if __name__ == "__main__":
    main()
