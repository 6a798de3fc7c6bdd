"""What is installed: the wheel, what it requires, and the versions that were tested."""

import re
import subprocess
import sys
import tomllib
from itertools import chain
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from dpca_core.figures.bundle import NAME
from tests.paths import ROOT
from tests.product_source import imports_of_all, within

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PACKAGES = ("dpca_core", "sample_data")
OPTIONAL = PROJECT["optional-dependencies"]
DISTRIBUTION = {"markupsafe": "jinja2", "python_calamine": "python-calamine"}
DISTRIBUTION |= {"sklearn": "scikit-learn", "yaml": "pyyaml"}
"""Distributions that are not called as the module they bring, or bring another's."""
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
BUILDS_WHEEL = pytest.mark.long("pip builds a wheel")
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
    assert wheel.name == f"dpca_workbench-{PROJECT['version']}-py3-none-any.whl"
    names = ZipFile(wheel).namelist()
    held = {name for name in names if ".dist-info/" not in name}
    assert held - {COMMIT} == {path.as_posix() for path in sources()} | BUNDLED.keys()
    for name, source in BUNDLED.items():
        assert ZipFile(wheel).read(name) == (ROOT / source).read_bytes()
    assert {"dpca_core/py.typed", "sample_data/rand.csv.gz"} <= held
    assert any(name.endswith("licenses/LICENSE") for name in names)
    if (ROOT / ".git").exists():
        recent = subprocess.check_output(["git", "log", "--format=%H"], cwd=ROOT, text=True)
        commit = ZipFile(wheel).read(COMMIT).decode().strip()
        assert commit.removesuffix("-dirty") in recent.split()


def imported():
    """Return the packages of others that the library imports anywhere."""
    own = [names for module, names in imports_of_all().items() if within(module, *PACKAGES)]
    roots = {name.partition(".")[0] for name in chain.from_iterable(own)}
    return roots - sys.stdlib_module_names - {*PACKAGES}


BARE = """
import sys
sys.modules.update(dict.fromkeys(sys.argv[2:]))
sys.path.insert(0, sys.argv[1])
import numpy as np
import dpca_core, sample_data
assert dpca_core.__file__.startswith(sys.argv[1])
problem = dpca_core.Problem.from_moment(np.diag([3.0, 2.0, 1.0]), 10, 1)
budget = dpca_core.Budget(1.0, 1e-6)
gaussian = dpca_core.MECHANISMS["gaussian"]
assert gaussian.release(problem, budget, np.random.default_rng(0)).bases.shape == (1, 3, 1)
for call in (
    lambda: dpca_core.sweep(["gaussian"], problem, epsilon=[1.0], delta=1e-6),
    lambda: dpca_core.PrivatePCA,
    lambda: dpca_core.plot(None),
    lambda: sample_data.load_key("wine"),
):
    try:
        call()
    except ImportError as error:
        print(error)
"""


@pytest.mark.parametrize("where", ["checkout", pytest.param("wheel", marks=BUILDS_WHEEL)])
def test_without_its_extras_the_library_says_which_one_is_missing(where, request, tmp_path):
    own, folder = {Requirement(line).name for line in PROJECT["dependencies"]}, ROOT
    if where == "wheel":
        # In isolated mode neither the current folder nor the environment finds the sources.
        ZipFile(request.getfixturevalue("wheel")).extractall(folder := tmp_path)
    command = [sys.executable, "-I", "-c", BARE, str(folder), *imported() - own]
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


def test_the_library_imports_what_it_requires_and_that_is_pinned_within_its_bounds():
    required = list(requirements(chain(PROJECT["dependencies"], *OPTIONAL.values())))
    locked = pins("requirements-dev.lock")
    for one in required:
        assert [bound.operator for bound in one.specifier] == [">="], one
        assert one.specifier.contains(locked[one.name]), one
    assert {DISTRIBUTION.get(name, name) for name in imported()} <= {one.name for one in required}


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
    """Every line that installs wants hashes of a lock, or installs the project alone."""
    text = "".join((ROOT / name).read_text("utf-8") for name in ("Makefile", "Dockerfile"))
    lines = re.sub(r"PIP :=.*", "", text.replace("\\\n", " ")).splitlines()
    installing = [line for line in lines if "pip install" in line or "$(PIP)" in line]
    assert len(installing) == 5
    for line in installing:
        assert ("--require-hashes" in line) != ("--no-deps --no-build-isolation -e ." in line)
        assert ".txt" not in line
    assert all(lock in LOCKS for lock in re.findall(r"call INSTALL,([^)]+)", text))
