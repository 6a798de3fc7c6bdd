"""What each choice of a recipe reads, and what that costs: printed wherever results are."""

from collections import Counter
from collections.abc import Callable

from dpca_core.data.provenance import FREE, ONE_ROW, SIZE, Disclosure, Mark
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

    A function of the recipe alone, but for the shares of rows shortened and of values cut, which
    only a page that is not private shows.
    """
    public = recipe.bounds_are_public
    stated, said = (
        (_free, "declared public by the owner") if public else (_read, "read from the file")
    )
    used = f"which are used, of which kind, and how numbers are written: {said}"
    drops = recipe.missing is Missing.DROP
    other = "counts as none of them" if drops else "is treated as missing"
    kinds = "a number or a scale" if recipe.scales else "a number"
    found = [
        _norm_bound(recipe, stated, said, _measured(recipe, long_rows, cut_cells)),
        _centring(recipe, stated, said),
        stated("Columns", f"{used}; their names are public"),
        stated("Categories", f"lists {said}; any other value {other}")
        if recipe.categories
        else _free("Categories", f"none: every column is {kinds}"),
    ]
    if recipe.scales:
        found.append(stated("Scales", f"values and their order {said}; any other value is missing"))
    if drops:
        found.append(_free("Missing", "a row with a missing value is left out"))
    if any(column.source is not Source.DECLARED or column.seen for column in recipe.columns):
        found.append(_sources(recipe))
    size = _free(SIZE, "not used: noise is added to the sum, not to the mean")
    return (*found, _rows(recipe), size)


def _free(name: str, text: str, measured: str = "") -> Disclosure:
    """A choice that reads nothing private."""
    return Disclosure(name, Mark.NOTHING, text, FREE, measured)


def _read(name: str, text: str, measured: str = "") -> Disclosure:
    """A choice that reads private data without paying for it."""
    return Disclosure(name, Mark.READS, text, "not private", measured)


def _vouched(name: str, text: str) -> Disclosure:
    """A choice of which only its owner knows what it reads."""
    return Disclosure(name, Mark.DEPENDS, text, "you vouch for this")


def _norm_bound(
    recipe: Recipe, stated: Callable[..., Disclosure], said: str, measured: str
) -> Disclosure:
    """Say what bounds the length of a row."""
    if recipe.scaling is Scaling.AS_IN_PAPERS:
        return _read("Norm bound", "divided by the largest norm of the sample")
    text = "every row is made of length 1: only its direction counts"
    if not recipe.ends_at_length_one:
        text = f"R {said}" if recipe.scaling is Scaling.NORM_ONLY else f"ranges and R {said}"
    elif recipe.scaling is Scaling.PRIVATE_MEAN:
        text = f"rows are at most R before the mean is subtracted; then {text}; ranges and R {said}"
    else:
        text = f"{text}, and no R is needed" + (f"; ranges {said}" if recipe.ranged else "")
    return (stated if recipe.has_radius else _free)("Norm bound", text, measured)


def _measured(recipe: Recipe, long_rows: float | None, cut_cells: float | None) -> str:
    """Say what was shortened and cut, and of what captured variance is a share."""
    shares, parts = [], []
    if recipe.ranged and cut_cells is not None:
        shares.append(f"{_share(cut_cells)} of values clipped to their range")
    if long_rows is not None:
        shares.append(f"{_share(long_rows)} of rows shortened to norm 1")
    if shares:
        parts.append(", ".join(shares))
    if recipe.ends_at_length_one and cut_cells is not None:
        known = "" if recipe.has_radius else "no public R is known, so "
        rows = "rows at most R" if recipe.has_radius else "these rows"
        parts.append(f"{known}kept variation is a share of what PCA of {rows} keeps")
    return "; ".join(parts)


def _share(share: float) -> str:
    """Per cent with one digit below ten."""
    digits = 0 if share == 0 or share >= 0.1 else 1
    return f"{share * 100:.{digits}f}\u00a0%"


def _centring(recipe: Recipe, stated: Callable[..., Disclosure], said: str) -> Disclosure:
    """Say what becomes 0."""
    if recipe.scaling is Scaling.NORM_ONLY:
        return _free("Centring", "none: nothing is subtracted")
    if recipe.scaling is Scaling.AS_IN_PAPERS:
        return _read("Centring", "the sample mean is subtracted")
    if recipe.scaling is Scaling.PRIVATE_MEAN:
        again = "made of length 1" if recipe.ends_at_length_one else "clipped again"
        text = f"a noisy mean is subtracted, and rows are {again}"
        paid = f"{recipe.mean_share * 100:.0f}\u00a0% of ε and δ"
        return Disclosure("Centring", Mark.NOTHING, text, paid)
    text = "a typical value of a number, or the middle of its range"
    if recipe.typical is None:
        text = "the middle of the ranges"
    elif all(column.typical is not None for column in recipe.numbers):
        text = "a typical value of each number"
    if recipe.categories and recipe.category_coding is CategoryCoding.CENTRED:
        text += ", and 1/m of a category of m values"
    return stated("Centring", f"{text}, {said}")


def _sources(recipe: Recipe) -> Disclosure:
    """Count the columns by where they come from, and whether their values had been shown."""
    known = (Source.CODEBOOK, Source.LAW, Source.FILE)
    found: Counter[str] = Counter()
    for column in recipe.columns:
        seen = (
            " (after its values were shown)" if column.seen and column.source not in known else ""
        )
        found[f"{column.source.value}{seen}"] += 1
    text = ", ".join(f"{times} {source}" for source, times in found.items())
    said: Callable[..., Disclosure] = _free
    if any(column.seen or column.source is Source.NOTICED for column in recipe.columns):
        said = _vouched
    if any(column.source is Source.FILE for column in recipe.columns):
        said = _read
    return said("Sources", f"columns by source: {text}")


def _rows(recipe: Recipe) -> Disclosure:
    """Say whose each row is."""
    one = recipe.unit.one
    if recipe.unit == ONE_ROW:
        text = "one row is protected, not one person: someone with five rows five times less"
        return _vouched("Rows", text)
    if not recipe.names_persons:
        return _vouched("Rows", f"we assume that every row is a different {one}")
    text = f"the rows of one {one} are averaged first"
    if recipe.combine is Combine.AT_MOST:
        text = f"at most {recipe.most} rows of one {one} are used; S is divided by {recipe.most}"
    if recipe.ids_ignore_case:
        text += "; case and spaces in an ID do not count"
    if recipe.missing_person is MissingPerson.OWN:
        return _vouched("Rows", f"{text}; a row without an ID counts as another {one}")
    return _free("Rows", text)
