"""What is taken along of all mechanisms: numbers, a script that makes them again, a page."""

import re
from pathlib import Path

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe
from dpca_core.data.recipe_json import dumps
from dpca_core.figures.html_page import figure_part, html_page, sentence_part, table_part
from dpca_core.linalg.arrays import Array
from sample_data import source_of
from ui.explore.medians import Medians
from ui.explore.study import Study
from ui.page.content import Content, Text
from ui.page.files import NOT_PRIVATE, marked_page, marked_text

LEVELS = (0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975)
"""Quantiles over releases that are written: the median and the limits of bands."""
HEADS = [f"{metric}_{q:g}" for metric in ("captured", "sin_theta") for q in LEVELS]


def quantiles_csv(study: Study, content: Content) -> str:
    """Return the quantiles over releases at each point, as a marked CSV file."""
    lines = [",".join(["mechanism", study.asked.axis, "refused", *HEADS])]
    for line in study.curves.lines:
        trials = study.curves.trials[line.mechanism]
        for i, value in enumerate(study.values):
            metrics = line.captured[i, :trials], line.sin_theta[i, :trials]
            found = [f"{q:.8g}" for each in metrics for q in _quantiles(each)]
            refused = f"{line.refused[i, :trials].mean():.6g}"
            lines.append(",".join([line.mechanism.key, f"{value:g}", refused, *found]))
    return marked_text("\n".join([*lines, ""]))


def _quantiles(values: Array) -> Array:
    known = values[np.isfinite(values)]
    return np.quantile(known, LEVELS) if len(known) else np.full(len(LEVELS), np.nan)


def medians_page(study: Study, content: Content) -> str:
    """Return what is shown, with all medians, as one marked page that needs no network."""
    assert content.rule is not None
    at = content.rule.index

    def plain(text: Text) -> str:
        """Return a sentence at the rule, without the marks of what is bold."""
        return re.sub(r"\*\*|\[\[|\]\]", "", (text if isinstance(text, str) else text[at]) or "")

    parts = [sentence_part(plain(content.says["answer"]), "h1")]
    for each in content.charts:
        parts += [sentence_part(plain(each.title), "h2"), sentence_part(plain(each.sub))]
        parts.append(figure_part(each.figure or {}, plain(each.title)))
    rows = [content.rows[number] for number in content.order[at]]
    parts.append(sentence_part(plain(content.says["heading"]), "h2"))
    ranking = [[row.name, *map(plain, row.cells)] for row in rows]
    parts.append(table_part(content.heads, ranking))
    lines = [Medians(line, None) for line in study.curves.lines]
    heads = ["", *(m.mechanism.name for m in lines)]
    for name, metric in zip(content.heads[1:3], ("captured", "sin_theta"), strict=True):
        columns = np.stack([getattr(m, metric) for m in lines], axis=1)
        written = [["" if np.isnan(v) else f"{v:.4g}" for v in row] for row in columns]
        medians = [[label, *row] for label, row in zip(content.rule.texts, written, strict=True)]
        parts += [sentence_part(f"Medians: {name}", "h2"), table_part(heads, medians)]
    parts.append(sentence_part(plain(content.says["footer"])))
    return marked_page(html_page(f"dpca: {study.dataset.public_name}", parts))


# --- A script ---

READ_FROM_FILE = "# Not private: the ranges and categories below were read from the file.\n"

_BUILT_IN = """from sample_data import load_key

data = load_key({key!r})
assert data.identity == "{identity}", "These are not the data that were compared.\""""

_OWN = """from pathlib import Path

from dpca_core.data.recipe_json import loads
{imports}
# Set this to your table; the page does not store its path.
PATH = "PATH_TO_YOUR_FILE"
{read}recipe = loads({recipe})
{taken}"""
_FROM_ROWS = (
    "from dpca_core.tables.files import Upload\nfrom dpca_core.tables.prepare import prepare\n",
    "data = prepare(Upload(PATH, Path(PATH).read_bytes()), recipe, {name!r})",
)
_FROM_SUMS = (
    "from dpca_core.tables.prepare import data_set\n"
    "from dpca_core.tables.second_moment import second_moment\n",
    "data = data_set(second_moment(Path(PATH), recipe, sample=2), {name!r})",
)
"""Of somebody's own table: imports, and what prepares it."""


def script(study: Study, content: Content) -> str:
    """Return a marked Python script that makes the same CSV with the public API."""
    asked = study.asked
    numbers = {name: f"{getattr(asked, name):g}" for name in ("epsilon", "delta", "n", "k")}
    numbers[asked.axis] = f"[{', '.join(f'{v:g}' for v in study.values)}]"
    template = Path(__file__).with_name("script.txt").read_text("utf-8")
    written = template.format(
        load=loading_code(study.dataset),
        mark=NOT_PRIVATE,
        adjacency=str(asked.adjacency),
        trials={mechanism.key: trials for mechanism, trials in study.curves.trials.items()},
        seed=asked.seed,
        equalise=asked.equalise,
        axis=asked.axis,
        quantiles=list(LEVELS),
        heads=HEADS,
        **numbers,
    )
    return marked_text(written)


def loading_code(data: Dataset) -> str:
    """Return code that prepares the data as the page did; of an upload it holds only the recipe."""
    if source_of(data.key) is not None:
        return _BUILT_IN.format(key=data.key, identity=data.identity)
    assert isinstance(data.recipe, Recipe)
    imports, taken = _FROM_ROWS if data.summed is None else _FROM_SUMS
    return _OWN.format(
        imports=imports,
        read="" if data.private else READ_FROM_FILE,
        recipe=ascii(dumps(data.recipe)),
        taken=taken.format(name=data.public_name),
    )
