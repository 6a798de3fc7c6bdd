"""How a naive mechanism is compared with the product's, and where the naive ones are found.

A reference is a function in a module beside this one, named like the key of the mechanism. It takes
a budget, a generator and a number of releases, and returns bases (releases, d, k).
"""

from importlib import import_module
from pathlib import Path

USUAL_DRAWS = (3_800, 10_000)
"""Naive releases and releases of the product."""


def compared(add, replace, *, draws=(USUAL_DRAWS, USUAL_DRAWS)):
    """State ε, and the draws, for each under add/remove and replace.

    The noise must matter at ε but not overwhelm. ``draws`` is given where the usual ones would be
    too few (the tails of the Cauchy law, an ε that matters little) or too slow.
    """

    def stated(reference):
        reference.epsilons, reference.draws = (add, replace), draws
        return reference

    return stated


def references(keys):
    """Return the references found of these mechanisms, by key, in the order of the keys."""
    found = {}
    for path in Path(__file__).parent.glob("[!_]*.py"):
        if not path.stem.startswith("test_"):
            named = vars(import_module(f"tests.references.{path.stem}"))
            found |= {name: of for name, of in named.items() if hasattr(of, "epsilons")}
    return {key: found[key] for key in keys if key in found}
