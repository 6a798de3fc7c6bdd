"""What each choice of a recipe reads, and what that costs: printed wherever results are."""

from collections import Counter
from dataclasses import replace

from dpca_core.data.errors import WORDS
from dpca_core.data.provenance import NO_SIZE, ONE_ROW, Disclosure, Mark, disclosed
from dpca_core.data.recipe import (
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Recipe,
    Scaling,
    Source,
)


def disclosures(
    recipe: Recipe, long_rows: float | None = None, cut_cells: float | None = None
) -> tuple[Disclosure, ...]:
    """Say what each choice outside the mechanism reads, and what that costs.

    Shares of rows shortened and values cut are for a page that is not private.
    """
    public, drops = recipe.bounds_are_public, recipe.missing is Missing.DROP
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
    way = f"{recipe.scaling}{', length 1' * recipe.ends_at_length_one}"
    stated = Mark.NOTHING if public else Mark.READS
    in_papers = recipe.scaling is Scaling.AS_IN_PAPERS
    bound = Mark.READS if in_papers else stated if recipe.has_radius else Mark.NOTHING
    measured = _measured(recipe, say, long_rows, cut_cells)
    centring = {Scaling.AS_IN_PAPERS: Mark.READS, Scaling.BOUNDED: stated}
    centred = disclosed(
        "Centring", centring.get(recipe.scaling, Mark.NOTHING), say[f"centring: {way}"]
    )
    if recipe.scaling is Scaling.PRIVATE_MEAN:
        centred = replace(centred, cost=f"{recipe.mean_share * 100:.0f}\u00a0% of ε and δ")
    found = [
        disclosed("Norm bound", bound, say[f"bound: {way}"], measured),
        centred,
        disclosed("Columns", stated, say["columns"]),
        disclosed("Categories", stated, say["categories"])
        if recipe.categories
        else disclosed("Categories", Mark.NOTHING, say["no categories"]),
    ]
    if recipe.scales:
        found.append(disclosed("Scales", stated, say["scales"]))
    if drops:
        found.append(disclosed("Missing", Mark.NOTHING, say["drop"]))
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


def _measured(
    recipe: Recipe, say: dict[str, str], long_rows: float | None, cut_cells: float | None
) -> str:
    """Say what was shortened and cut, and of what captured variance is a share."""
    if recipe.scaling is Scaling.AS_IN_PAPERS:
        return ""
    cut, long = recipe.ranged and cut_cells is not None, long_rows is not None
    shares = ", ".join([say["cut"]] * cut + [say["shortened"]] * long)
    kept = say["kept" if recipe.has_radius else "kept of these"]
    of_length_one = recipe.ends_at_length_one and cut_cells is not None
    return "; ".join(filter(None, [shares, kept if of_length_one else ""]))


def _per_cent(share: float | None) -> str:
    return f"{share or 0:.{0 if not share or share >= 0.1 else 1}%}".replace("%", "\u00a0%")


def _sources(recipe: Recipe) -> Disclosure:
    """Count the columns by where they come from, and whether their values had been shown."""
    known = (Source.CODEBOOK, Source.LAW, Source.FILE)
    shown = (column.seen and column.source not in known for column in recipe.columns)
    found = Counter(
        f"{column.source.value}{' (after its values were shown)' * seen}"
        for column, seen in zip(recipe.columns, shown, strict=True)
    )
    sources = {column.source for column in recipe.columns}
    seen = any(column.seen for column in recipe.columns) or Source.NOTICED in sources
    mark = Mark.READS if Source.FILE in sources else Mark.DEPENDS if seen else Mark.NOTHING
    text = ", ".join(f"{times} {source}" for source, times in found.items())
    return disclosed("Sources", mark, f"columns by source: {text}")


def _rows(recipe: Recipe, say: dict[str, str]) -> Disclosure:
    if recipe.unit == ONE_ROW:
        return disclosed("Rows", Mark.DEPENDS, say["row"])
    if not recipe.names_persons:
        return disclosed("Rows", Mark.DEPENDS, say["no ids"])
    own = recipe.missing_person is MissingPerson.OWN
    text = say["at most" if recipe.combine is Combine.AT_MOST else "averaged"]
    text += say["case"] * recipe.ids_ignore_case + say["own"] * own
    return disclosed("Rows", Mark.DEPENDS if own else Mark.NOTHING, text)
