"""What is installed: the wheel, what it requires, and the versions that were tested."""

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
LOCKS = {
    "requirements-installer.lock": ["requirements-installer.txt"],
    "requirements.lock": ["requirements.txt"],
    "requirements-dev.lock": ["requirements.txt", "requirements-dev.txt", "requirements-dask.txt"],
    "requirements-login.lock": ["requirements.txt", "requirements-login.txt"],
}
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
BUILDS_WHEEL = pytest.mark.long("pip builds a wheel, and another Python imports all of it")
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


@BUILDS_WHEEL
def test_the_wheel_holds_the_library_and_nothing_else(wheel):
    assert wheel.name == f"dpca-{PROJECT['version']}-py3-none-any.whl"
    names = ZipFile(wheel).namelist()
    held = {name for name in names if ".dist-info/" not in name}
    assert held - {COMMIT} == {path.as_posix() for path in sources()} | BUNDLED.keys()
    for name, source in BUNDLED.items():
        assert ZipFile(wheel).read(name) == (ROOT / source).read_bytes()
    assert {"dpca_core/py.typed", "sample_data/rand.csv.gz"} <= held
    assert any(name.endswith("licenses/LICENSE") for name in names)


@BUILDS_WHEEL
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


@BUILDS_WHEEL
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


def test_without_its_extras_the_library_says_which_one_is_missing():
    command = [sys.executable, "-I", "-c", BARE, str(ROOT)]
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


def pins(name):
    found = PIN.findall((ROOT / name).read_text("utf-8"))
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_the_versions_that_are_pinned(lock):
    """pip itself refuses a file without its hash."""
    locked, constrained = pins(lock), pins("constraints.txt")
    asked = {name: version for file in LOCKS[lock] for name, version in pins(file).items()}
    assert asked
    assert asked.items() <= locked.items()
    others = {name: locked[name] for name in locked.keys() - asked.keys()}
    assert others.items() <= constrained.items()
    assert "://" not in (ROOT / lock).read_text("utf-8")


def test_what_is_installed_is_installed_by_hashes():
    """Every line that installs names a lock and wants its hashes, or installs the project alone."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    called = re.findall(r"\$\(call INSTALL,(.+)\)", makefile)
    assert called == ["requirements.lock", "requirements-dev.lock"]
    lines = [x.replace("$(1)", called[0]) for x in makefile.splitlines()]
    docker = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    installing = [x for x in lines if "$(PIP)" in x or "-m uv pip install" in x]
    installing += [x for x in docker.splitlines() if "pip install" in x]
    itself = [x for x in installing if "-e ." in x]
    assert (len(installing), len(itself)) == (6, 2)
    assert all("--no-deps --no-build-isolation -e ." in x and "-r " not in x for x in itself)
    for line in installing:
        assert ".txt" not in line
        if line not in itself:
            assert re.search(r"--require-hashes.* -r requirements(-\w+)?\.lock", line)
