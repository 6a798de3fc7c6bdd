"""What is installed: the wheel, its requirements, the commit it names, what importing it loads.

Nothing of a machine is in any file.
"""

import json
import re
import subprocess
import sys
import tomllib
from contextlib import suppress
from itertools import chain
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from dpca_core.figures.bundle import NAME
from dpca_core.version import COMMIT_FILE, UNKNOWN, VERSION, commit, software
from tests.paths import ROOT
from tests.product_source import imports_of_all, within

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PACKAGES = ("dpca_core", "sample_data")
OPTIONAL = PROJECT["optional-dependencies"]
DISTRIBUTION = {
    "markupsafe": "jinja2",
    "python_calamine": "python-calamine",
    "sklearn": "scikit-learn",
}
"""Distributions that are not called as the module they bring, or bring another's."""
BUNDLED = {
    f"dpca_core/figures/{NAME}": f"static/plotly/{NAME}",
    "dpca_core/figures/plotly-LICENSE": "static/plotly/LICENSE",
}
"""Files of the wheel that lie elsewhere in a checkout."""
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
COMMIT = "dpca_core/commit.txt"
"""What hatch_build.py writes where it builds from a repository."""


@pytest.mark.long("pip builds a wheel")
def test_the_wheel_holds_the_library_and_nothing_else(tmp_path):
    """Built by pip with the locked build backend, without a network."""
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", *options, "-w", tmp_path, ROOT]
    subprocess.run(command, check=True)
    (path,) = tmp_path.glob("*.whl")
    assert path.name == f"dpca_workbench-{PROJECT['version']}-py3-none-any.whl"
    wheel = ZipFile(path)
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file()]
    files = {path.relative_to(ROOT).as_posix() for path in paths if "__pycache__" not in path.parts}
    assert held - {COMMIT} == files | BUNDLED.keys()
    for name, source in BUNDLED.items():
        assert wheel.read(name) == (ROOT / source).read_bytes()
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())
    if (ROOT / ".git").exists():
        recent = subprocess.check_output(["git", "log", "--format=%H"], cwd=ROOT, text=True)
        assert wheel.read(COMMIT).decode().strip().removesuffix("-dirty") in recent.split()


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
    pins = PIN.findall((ROOT / "requirements-dev.lock").read_text("utf-8"))
    locked = {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in pins}
    for one in required:
        assert [bound.operator for bound in one.specifier] == [">="], one
        assert one.specifier.contains(locked[one.name]), one
    own = [names for module, names in imports_of_all().items() if within(module, *PACKAGES)]
    roots = {name.partition(".")[0] for name in chain.from_iterable(own)}
    others = roots - sys.stdlib_module_names - {*PACKAGES}
    assert {DISTRIBUTION.get(name, name) for name in others} <= {one.name for one in required}


def test_the_certificate_names_version_and_commit():
    assert software() == {"name": "dpca", "version": VERSION, "commit": commit()}
    assert PROJECT["version"] == VERSION


def test_what_a_build_wrote_is_believed_though_somebodys_repository_lies_further_up(tmp_path):
    package = tmp_path / "site" / "dpca_core"
    package.mkdir(parents=True)

    def said():
        commit.cache_clear()
        return commit(package)

    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    assert said() == UNKNOWN
    (package / COMMIT_FILE).write_text("abc123\n", encoding="utf-8")
    assert said() == "abc123"
    commit.cache_clear()


EXPENSIVE = {
    "dask", "numpy.f2py", "numpy.testing", "pandas", "plotly", "pyarrow", "scipy.linalg",
    "scipy.optimize", "scipy.special", "scipy.stats", "sklearn", "streamlit",
}  # fmt: skip
SWEEP, ESTIMATOR = "dpca_core.simulation.sweep", "dpca_core.estimator"


def loaded(statement):
    """Names of the modules that a new interpreter has after a statement."""
    code = f"import json, sys; {statement}; print(json.dumps(list(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(json.loads(found.stdout))


@pytest.mark.parametrize(
    ("statement", "there", "absent"),
    [
        ("from dpca_core import MECHANISMS, Budget, Problem, sweep", SWEEP, EXPENSIVE),
        ("import dpca_core", "dpca_core", {"numpy", "dpca_core.release", "dpca_core.mechanisms"}),
        ("sys.modules['sklearn'] = None; from dpca_core import *; sweep, plot", SWEEP, {ESTIMATOR}),
    ],
)  # fmt: skip
def test_nothing_is_loaded_before_it_is_used(statement, there, absent):
    found = loaded(statement)
    assert there in found
    assert found & absent == set()


MACHINE_PATH = re.compile(r"(?<![\w.:/*-])/(?:work|root|home|Users|mnt)/\w|\b[A-Z]:\\Users")


def test_no_file_holds_a_path_of_somebodys_machine():
    """Of the repository, those not committed yet included."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = []
    for name in subprocess.check_output(command, cwd=ROOT, text=True).split("\0"):
        with suppress(UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            text = (ROOT / name).read_text("utf-8")
            found += [f"{name}: {match[0]}" for match in MACHINE_PATH.finditer(text)]
    assert found == []
