"""Every field of a certificate that can say something else under right seals, and no other one."""

import json

import pytest

from dpca_core.verify.certificate_checks import certificate_checks
from dpca_core.verify.certificate_values import Unreadable
from tests.core.release.published_cases import made_up, plans, published
from tests.core.verify.certificates import changed, leaves, linked, other, read, sealed

OTHER_WORDS = {
    "account.id", "account.name", "account.opened_on", "account.people", "release.id",
    "release.spent_on", "software.commit", "software.name", "software.version", "plan.practice",
    "plan.reason", "plan.recipe.numbers.*.unit",
}  # fmt: skip
"""Names, days, versions and the owner's own words: nothing is computed from them."""
OTHER_CHOICES = {
    "plan.k", "plan.scores.bins.*", "plan.scores.reach", "plan.recipe.numbers.*.low",
    "plan.recipe.numbers.*.high", "plan.recipe.numbers.*.seen", "plan.recipe.categories.*.seen",
    "plan.recipe.person.*", "plan.recipe.ids_ignore_case", "plan.recipe.most",
    "plan.recipe.number_format.missing.*", "plan.recipe.number_format.unnamed",
}  # fmt: skip
"""Choices under which the same is promised; m where no rows are kept."""
SAME_VALUE = {"guarantee.mu2", "guarantee.pure", "parts.*.mu2", "parts.*.pure"}
"""0/2 for 0/1: other texts of a number."""
ROUNDED = {"guarantee.guess_probability", "account.total.most_pure"}
"""A last digit that the next one above may be; the part of pure noise that is still allowed."""
SEALS = {"chain.link", "digest"}
"""They are made again."""


def free(name: str) -> set[str]:
    """Return the places of a certificate that may be changed so that nothing is wrong."""
    of = plans()[name]
    tree, found = read(published(of, made_up(of)).files()), set()
    for path, value in leaves(tree):
        forged = json.loads(sealed(linked(changed(tree, path, other(value)))))
        try:
            right = all(check.right for check in certificate_checks(forged))
        except Unreadable:
            right = False
        if right:
            found.add(".".join("*" if isinstance(key, int) else key for key in path))
    # Files are compared with their digests where they are given.
    return {place for place in found if not place.startswith("files.")}


@pytest.mark.parametrize("name", ["persons and categories, pure", "rounded Gaussian"])
def test_what_may_be_changed_is_nothing_that_a_promise_rests_on(name: str) -> None:
    found = free(name)
    assert found - OTHER_WORDS - OTHER_CHOICES - SAME_VALUE - ROUNDED - SEALS == set()
    assert found >= OTHER_WORDS | SEALS | ROUNDED
