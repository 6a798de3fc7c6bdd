"""What each choice outside a mechanism reads, and what that costs: shown where results are."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from dpca_core.data.errors import WORDS
from dpca_core.data.recipe import (
    ONE_ROW,
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Recipe,
    Scaling,
    Source,
)


class Mark(StrEnum):
    """Whether a choice reads private data; of what depends only its owner knows."""

    NOTHING = "nothing"
    DEPENDS = "depends"
    READS = "reads"


_COSTS = {
    Mark.NOTHING: "costs no privacy",
    Mark.DEPENDS: "you vouch for this",
    Mark.READS: "not private",
}


@dataclass(frozen=True)
class Disclosure:
    """One choice outside the mechanism, and whether it reads private data; ``paid`` in budget.

    The text may say what the choice did to these rows: for whoever may see them, and in no file.
    """

    name: str
    mark: Mark
    text: str
    paid: str = ""

    @property
    def cost(self) -> str:
        """What it costs."""
        return self.paid or _COSTS[self.mark]


NO_SIZE = Disclosure("Size n", Mark.NOTHING, "not used: noise is added to the sum, not to the mean")


def disclosures(
    recipe: Recipe, long_rows: float | None = None, cut_cells: float | None = None
) -> tuple[Disclosure, ...]:
    """Say what each choice of a recipe reads; shares of rows shortened and values cut too."""
    public, scaling = recipe.bounds_are_public, recipe.scaling
    stated, drops = Mark.NOTHING if public else Mark.READS, recipe.missing is Missing.DROP
    facts = {
        "said": "declared public by the owner" if public else "read from the file",
        "other": "counts as none of them" if drops else "is treated as missing",
        "kinds": "a number or a scale" if recipe.scales else "a number",
        "centre": _centre(recipe),
        "one": recipe.unit.one,
        "most": recipe.most,
        "cut": _per_cent(cut_cells),
        "long": _per_cent(long_rows),
    }
    say = {key: text.format(**facts) for key, text in WORDS["disclosures"].items()}
    way = f"{scaling}{', length 1' * recipe.ends_at_length_one}"
    bound, measured = stated if recipe.has_radius else Mark.NOTHING, list[str]()
    if scaling is Scaling.AS_IN_PAPERS:
        bound = Mark.READS
    else:
        cut = [say["cut"]] * (recipe.ranged and cut_cells is not None)
        long = [say["shortened"]] * (long_rows is not None)
        kept = say["kept" if recipe.has_radius else "kept of these"]
        shown = recipe.ends_at_length_one and cut_cells is not None
        measured = [*filter(None, [", ".join(cut + long)]), *[kept] * shown]
    centring = {Scaling.AS_IN_PAPERS: Mark.READS, Scaling.BOUNDED: stated}
    share = f"{recipe.mean_share * 100:.0f}\u00a0% of ε and δ"
    found = [
        Disclosure("Norm bound", bound, "; ".join([say[f"bound: {way}"], *measured])),
        Disclosure(
            "Centring",
            centring.get(scaling, Mark.NOTHING),
            say[f"centring: {way}"],
            share * (scaling is Scaling.PRIVATE_MEAN),
        ),
        Disclosure("Columns", stated, say["columns"]),
        Disclosure("Categories", stated, say["categories"])
        if recipe.categories
        else Disclosure("Categories", Mark.NOTHING, say["no categories"]),
    ]
    if recipe.scales:
        found.append(Disclosure("Scales", stated, say["scales"]))
    if drops:
        found.append(Disclosure("Missing", Mark.NOTHING, say["drop"]))
    if any(column.source is not Source.DECLARED or column.seen for column in recipe.columns):
        found.append(_sources(recipe))
    return (*found, _rows(recipe, say), NO_SIZE)


def _centre(recipe: Recipe) -> str:
    text = "a typical value of a number, or the middle of its range"
    if recipe.typical is None:
        text = "the middle of the ranges"
    elif all(column.typical is not None for column in recipe.numbers):
        text = "a typical value of each number"
    lists = recipe.categories and recipe.category_coding is CategoryCoding.CENTRED
    return f"{text}, and 1/m of a category of m values" if lists else text


def _per_cent(share: float | None) -> str:
    return f"{share or 0:.{0 if not share or share >= 0.1 else 1}%}".replace("%", "\u00a0%")


def _sources(recipe: Recipe) -> Disclosure:
    """Count the columns by where they come from, and whether their values had been shown."""
    known = (Source.CODEBOOK, Source.LAW, Source.FILE)
    found = Counter(
        c.source + " (after its values were shown)" * (c.seen and c.source not in known)
        for c in recipe.columns
    )
    sources = {column.source for column in recipe.columns}
    seen = any(column.seen for column in recipe.columns) or Source.NOTICED in sources
    mark = Mark.READS if Source.FILE in sources else Mark.DEPENDS if seen else Mark.NOTHING
    text = ", ".join(f"{times} {source}" for source, times in found.items())
    return Disclosure("Sources", mark, f"columns by source: {text}")


def _rows(recipe: Recipe, say: dict[str, str]) -> Disclosure:
    if recipe.unit == ONE_ROW:
        return Disclosure("Rows", Mark.DEPENDS, say["row"])
    if not recipe.names_persons:
        return Disclosure("Rows", Mark.DEPENDS, say["no ids"])
    own = recipe.missing_person is MissingPerson.OWN
    text = say["at most" if recipe.combine is Combine.AT_MOST else "averaged"]
    text += say["case"] * recipe.ids_ignore_case + say["own"] * own
    return Disclosure("Rows", Mark.DEPENDS if own else Mark.NOTHING, text)
