"""What each choice of a recipe reads, and what that costs: printed wherever results are."""

from collections import Counter

from dpca_core.data.provenance import FREE, ONE_ROW, SIZE, Disclosure, Mark
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Recipe,
    Scale,
    Scaling,
    Source,
)


def disclosures(
    recipe: Recipe, long_rows: float | None = None, cut_cells: float | None = None
) -> tuple[Disclosure, ...]:
    """Say what each choice outside the mechanism reads, and what that costs.

    Parameters
    ----------
    long_rows, cut_cells
        Shares of rows shortened and of values cut, which only a page that is not private shows;
        without them a function of the recipe alone.
    """
    public, read = (Mark.NOTHING, FREE), (Mark.READS, "not private")
    mark, cost = public if recipe.bounds_are_public else read
    said = "declared public by the owner" if recipe.bounds_are_public else "read from the file"
    shares = _measured(
        (cut_cells if recipe.ranged else None, "values clipped to their range"),
        (long_rows, "rows shortened to norm 1"),
    )
    if recipe.ends_at_length_one and cut_cells is not None:
        shares = "; ".join(filter(None, (shares, _compared(recipe))))
    limits = _limits(recipe, said)
    bound = Disclosure("Norm bound", mark, limits, cost, shares)
    centre = Disclosure("Centring", mark, f"{_centres(recipe)}, {said}", cost)
    if recipe.scaling is Scaling.NORM_ONLY:
        if not recipe.has_radius:
            bound = Disclosure("Norm bound", *_free(limits), shares)
        centre = Disclosure("Centring", *_free("none: nothing is subtracted"))
    elif recipe.scaling is Scaling.PRIVATE_MEAN:
        again = "made of length 1" if recipe.ends_at_length_one else "clipped again"
        text = f"a noisy mean is subtracted, and rows are {again}"
        paid = f"{recipe.mean_share * 100:.0f}\u00a0% of ε and δ"
        centre = Disclosure("Centring", Mark.NOTHING, text, paid)
    elif recipe.scaling is Scaling.AS_IN_PAPERS:
        text = "divided by the largest norm of the sample"
        bound = Disclosure("Norm bound", read[0], text, read[1])
        centre = Disclosure("Centring", read[0], "the sample mean is subtracted", read[1])
    names = f"which are used, of which kind, and how numbers are written: {said}"
    out = [bound, centre, Disclosure("Columns", mark, f"{names}; their names are public", cost)]
    if recipe.categories:
        drops = recipe.missing is Missing.DROP
        other = "counts as none of them" if drops else "is treated as missing"
        text = f"lists {said}; any other value {other}"
        out.append(Disclosure("Categories", mark, text, cost))
    else:
        kinds = "a number or a scale" if recipe.scales else "a number"
        out.append(Disclosure("Categories", *_free(f"none: every column is {kinds}")))
    if recipe.scales:
        text = f"values and their order {said}; any other value is missing"
        out.append(Disclosure("Scales", mark, text, cost))
    if recipe.missing is Missing.DROP:
        out.append(Disclosure("Missing", *_free("a row with a missing value is left out")))
    if (origins := _sources(recipe)) is not None:
        out.append(origins)
    out.append(_rows(recipe))
    out.append(Disclosure(SIZE, *_free("not used: noise is added to the sum, not to the mean")))
    return tuple(out)


def _limits(recipe: Recipe, said: str) -> str:
    """Say what bounds the length of a row."""
    if not recipe.ends_at_length_one:
        return f"R {said}" if recipe.scaling is Scaling.NORM_ONLY else f"ranges and R {said}"
    one = "every row is made of length 1: only its direction counts"
    if recipe.scaling is Scaling.PRIVATE_MEAN:
        return f"rows are at most R before the mean is subtracted; then {one}; ranges and R {said}"
    return f"{one}, and no R is needed" + (f"; ranges {said}" if recipe.ranged else "")


def _compared(recipe: Recipe) -> str:
    """Say what captured variance is a share of, where rows are of length 1."""
    if recipe.has_radius:
        return "kept variation is a share of what PCA of rows at most R keeps"
    return "no public R is known, so kept variation is a share of what PCA of these rows keeps"


def _centres(recipe: Recipe) -> str:
    """Say which public values become 0."""
    if recipe.typical is None:
        numbers = "the middle of the ranges"
    elif all(column.typical is not None for column in recipe.numbers):
        numbers = "a typical value of each number"
    else:
        numbers = "a typical value of a number, or the middle of its range"
    centred = recipe.categories and recipe.category_coding is CategoryCoding.CENTRED
    return f"{numbers}, and 1/m of a category of m values" if centred else numbers


def _sources(recipe: Recipe) -> Disclosure | None:
    """Count the columns by where they come from; None where nothing more is known of any."""
    told = [c for c in recipe.columns if c.source is not Source.DECLARED or c.seen]
    if not told:
        return None
    found = Counter(_source(column) for column in recipe.columns)
    text = ", ".join(f"{times} {source}" for source, times in found.items())
    if any(column.source is Source.FILE for column in recipe.columns):
        return Disclosure("Sources", Mark.READS, f"columns by source: {text}", "not private")
    depends = any(column.seen or column.source is Source.NOTICED for column in recipe.columns)
    mark, cost = (Mark.DEPENDS, "you vouch for this") if depends else (Mark.NOTHING, FREE)
    return Disclosure("Sources", mark, f"columns by source: {text}", cost)


def _source(column: Number | Scale | Category) -> str:
    """Where what is known of a column comes from, and whether its values had been shown."""
    known = column.source in (Source.CODEBOOK, Source.LAW, Source.FILE)
    seen = column.seen and not known
    return f"{column.source.value}{' (after its values were shown)' if seen else ''}"


def _rows(recipe: Recipe) -> Disclosure:
    """Say whose each row is."""
    one = recipe.unit.one
    if recipe.unit == ONE_ROW:
        text = "one row is protected, not one person: someone with five rows five times less"
        return Disclosure("Rows", Mark.DEPENDS, text, "you vouch for this")
    if not recipe.names_persons:
        text = f"we assume that every row is a different {one}"
        return Disclosure("Rows", Mark.DEPENDS, text, "you vouch for this")
    text = f"the rows of one {one} are averaged first"
    if recipe.combine is Combine.AT_MOST:
        text = f"at most {recipe.most} rows of one {one} are used; S is divided by {recipe.most}"
    if recipe.ids_ignore_case:
        text += "; case and spaces in an ID do not count"
    if recipe.missing_person is MissingPerson.OWN:
        text += f"; a row without an ID counts as another {one}"
        return Disclosure("Rows", Mark.DEPENDS, text, "you vouch for this")
    return Disclosure("Rows", *_free(text))


def _free(text: str) -> tuple[Mark, str, str]:
    """A choice that reads nothing private."""
    return Mark.NOTHING, text, FREE


def _measured(*shares: tuple[float | None, str]) -> str:
    """Shares that are known, with what they are shares of."""
    return ", ".join(f"{_share(share)} of {what}" for share, what in shares if share is not None)


def _share(share: float) -> str:
    """Per cent with one digit below ten."""
    digits = 0 if share == 0 or share >= 0.1 else 1
    return f"{share * 100:.{digits}f}\u00a0%"
