"""Tables and recipes that the tests of releases share."""

from dataclasses import replace

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Category, Combine, Missing, Number, Reading, Recipe, Scaling
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload

K = 2
RECIPE = Recipe(
    (Number("age", 0, 100), Number("stay", 0, 10), Number("dose", -1, 1)),
    (Category("ward", ("a", "b")),),
    bounds_are_public=True,
)
CHOICES = {
    "public ranges": RECIPE,
    "private mean": replace(RECIPE, scaling=Scaling.PRIVATE_MEAN, mean_share=0.2),
    "norm only": replace(RECIPE, scaling=Scaling.NORM_ONLY, radius=50.0, missing=Missing.DROP),
    "several rows": replace(
        RECIPE, person=("who",), combine=Combine.AT_MOST, most=2, unit=Unit("patient", "patients")
    ),
}
HEAD = "who,age,stay,dose,ward\n"
ROWS = [f"p{i},{20 + i % 50},{i % 9},{i % 7 / 7 - 0.5:.2f},{'ab'[i % 2]}\n" for i in range(99)]


def data_of(text: str, recipe: Recipe = RECIPE) -> Dataset:
    """A table as it is read where a guarantee is to hold."""
    return prepare(Upload("patients.csv", text.encode()), recipe, "patients.csv", Reading.TOTAL)
