"""The wheel holds the library and nothing else, and its requirements are what it imports."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from dpca_core import MECHANISMS
from dpca_core.figures.bundle import NAME
from tests.paths import ROOT
from tests.test_locks import pins

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PACKAGES = ("dpca_core", "sample_data")
OPTIONAL = PROJECT["optional-dependencies"]
EXTRAS = {"app", "codebooks", "dask", "plot", "release", "sklearn", "tables"}
DISTRIBUTION = {"sklearn": "scikit-learn", "yaml": "pyyaml"}
"""Distributions that are not called as the module they bring."""
BUNDLED = {
    f"dpca_core/figures/{NAME}": f"static/plotly/{NAME}",
    "dpca_core/figures/plotly-LICENSE": "static/plotly/LICENSE",
}
"""Files of the wheel that lie elsewhere in a checkout."""
COMMIT = "dpca_core/commit.txt"
"""What hatch_build.py writes where it builds from a repository."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The path of a wheel that pip has built with the locked build backend, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", *options, "-w", str(folder), str(ROOT)],
        check=True,
    )
    (path,) = folder.glob("*.whl")
    return path


def sources():
    """Every file of the packages, as git would list it."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT)


def test_the_wheel_holds_the_library_and_nothing_else(wheel):
    assert wheel.name == f"dpca-{PROJECT['version']}-py3-none-any.whl"
    names = ZipFile(wheel).namelist()
    held = {name for name in names if ".dist-info/" not in name}
    assert held - {COMMIT} == {path.as_posix() for path in sources()} | BUNDLED.keys()
    for name, source in BUNDLED.items():
        assert ZipFile(wheel).read(name) == (ROOT / source).read_bytes()
    assert {"dpca_core/py.typed", "sample_data/rand.csv.gz"} <= held
    assert any(name.endswith("licenses/LICENSE") for name in names)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a repository")
def test_the_wheel_knows_its_commit(wheel):
    command = ["git", "-C", str(ROOT), "log", "--format=%H", "-n", "50"]
    recent = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    commit = ZipFile(wheel).read(COMMIT).decode().strip()
    assert commit.removesuffix("-dirty") in recent


IMPORT_ALL = """
import importlib, json, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import dpca_core, sample_data
for package in (dpca_core, sample_data):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
loaded = {
    name: module.__file__ for name, module in sys.modules.items()
    if name.partition(".")[0] in ("dpca_core", "sample_data", "ui", "tests", "streamlit")
}
people = len(sample_data.load_key("rand").rows)
bundle = len(dpca_core.figures.bundle.bundle_text())
print(json.dumps([len(dpca_core.MECHANISMS), people, bundle, loaded]))
"""


def test_the_wheel_alone_imports(wheel, tmp_path):
    """In isolated mode neither the current folder nor an environment variable finds the sources."""
    ZipFile(wheel).extractall(tmp_path)
    command = [sys.executable, "-I", "-c", IMPORT_ALL, str(tmp_path)]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    mechanisms, people, bundle, loaded = json.loads(found.stdout)
    assert (mechanisms, people) == (len(MECHANISMS), 5912)
    assert bundle == len((ROOT / "static" / "plotly" / NAME).read_text("utf-8"))
    modules = [path for path in sources() if path.suffix == ".py"]
    assert {Path(file) for file in loaded.values()} == {tmp_path / path for path in modules}


BARE = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pandas", "plotly", "pyarrow", "sklearn", "dask"):
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Blocked())
sys.path.insert(0, sys.argv[1])
import numpy as np
from dpca_core import MECHANISMS, Budget, Problem, sweep
problem = Problem.from_moment(np.diag([3.0, 2.0, 1.0]), 10, 1)
budget = Budget(1.0, 1e-6)
release = MECHANISMS["gaussian"].release(problem, budget, np.random.default_rng(0))
assert release.bases.shape == (1, 3, 1)
import sample_data
for call in (
    lambda: sweep(["gaussian"], problem, epsilon=[1.0], delta=1e-6),
    lambda: __import__("dpca_core").PrivatePCA,
    lambda: __import__("dpca_core").plot(None),
    lambda: sample_data.load_key("wine"),
):
    try:
        call()
    except ImportError as error:
        print(error)
"""


def test_without_its_extras_the_library_says_which_one_is_missing(wheel, tmp_path):
    ZipFile(wheel).extractall(tmp_path)
    command = [sys.executable, "-I", "-c", BARE, str(tmp_path)]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    first, second, third, fourth = found.stdout.splitlines()
    assert "pip install '.[tables]'" in first
    assert "scikit-learn" in second
    assert "pip install '.[plot]'" in third
    assert "pip install '.[sklearn]'" in fourth


def requirements(lines):
    """Return the requirements in these lines, with those of the project's own extras."""
    for line in lines:
        required = Requirement(line)
        if required.name == PROJECT["name"]:
            for extra in required.extras:
                yield from requirements(OPTIONAL[extra])
        else:
            yield required


def names(lines):
    return {required.name for required in requirements(lines)}


def test_the_extras():
    assert set(OPTIONAL) == EXTRAS
    assert names(PROJECT["dependencies"]) == {"numpy", "scipy", "threadpoolctl"}
    assert names(OPTIONAL["release"]) == {"jinja2", "pandas", "pyarrow"}
    assert names(OPTIONAL["sklearn"]) == {"scikit-learn"}


def test_what_is_pinned_is_within_the_bounds():
    locked = pins("requirements-dev.lock")
    for required in requirements(chain(PROJECT["dependencies"], *OPTIONAL.values())):
        assert [bound.operator for bound in required.specifier] == [">="], required
        assert required.specifier.contains(locked[required.name]), required


def imports(path):
    """Yield what a file imports from other distributions, and whether at its top level."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import():
                found = [alias.name for alias in node.names]
            case ast.ImportFrom(module=str(module)):
                found = [module]
            case _:
                continue
        for name in found:
            root = name.partition(".")[0]
            if root not in {*sys.stdlib_module_names, *PACKAGES}:
                yield DISTRIBUTION.get(root, root), node.col_offset == 0


OF_AN_EXTRA = {
    "estimator.py": {"scikit-learn"},
    "quiet_figure.py": {"plotly"},
    "certificate.py": {"jinja2"},
    "report.py": {"jinja2", "markupsafe"},
}
"""Modules that are imported only by those who have an extra."""


def test_the_library_imports_what_it_requires():
    """At the top of a module only the library's own requirements; others come with an extra."""
    extras = names(chain.from_iterable(OPTIONAL.values()))
    required = names(PROJECT["dependencies"])
    for path in sources():
        if path.suffix != ".py":
            continue
        allowed = required | OF_AN_EXTRA.get(path.name, set())
        for name, at_top in imports(ROOT / path):
            assert name in (allowed if at_top else required | extras), f"{path}: {name}"


def test_make_run_installs_the_project_itself():
    """The locked requirements first, then the project editable and nothing else."""
    recipe = (ROOT / "Makefile").read_text("utf-8").partition("/run.stamp: ")[2]
    recipe = recipe.partition("\n\n")[0]
    installing = re.findall(r"^\t@\$\((?:PIP\)|call INSTALL,)(.*)", recipe, re.MULTILINE)
    installer, locked, itself = map(str.strip, installing)
    assert installer.startswith("--require-hashes -r requirements-installer.lock ")
    assert locked == "requirements.lock)"
    assert itself == "--no-deps --no-build-isolation -e ."
