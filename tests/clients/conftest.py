"""The client packages, built and installed for the tests. The programs beside it are run, not collected."""

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.contract.test_judges import missing
from tests.server.serving import ROOT, Service, serving

collect_ignore = ["bot.py"]

BUILDER = ROOT / "openapi" / "clients" / "build.py"


def builder() -> ModuleType:
    """The module `openapi/clients/build.py`."""
    spec = importlib.util.spec_from_file_location("build_clients", BUILDER)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def wheel() -> Path:
    """The Python package."""
    return Path(builder().build("python"))


@pytest.fixture(scope="session")
def tarball() -> Path:
    """The npm package."""
    if not (shutil.which("node") and shutil.which("npm")):
        missing("there is no node here")
    build = builder()
    try:
        return Path(build.build("typescript"))
    except build.BuildError as error:
        missing(str(error))


@pytest.fixture(scope="session")
def python_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for `PYTHONPATH` that contains the Python package. What it needs is in the virtual environment."""
    folder = tmp_path_factory.mktemp("python-client")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder


@pytest.fixture(scope="session")
def node_folder(tarball: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which the npm package is installed. It needs no other package, so nothing is downloaded."""
    folder = tmp_path_factory.mktemp("node-client")
    (folder / "package.json").write_text('{"private": true}')
    command = ["npm", "install", "--offline", "--no-audit", "--no-fund", str(tarball)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    for program in Path(__file__).parent.glob("*.mjs"):
        shutil.copy(program, folder)
    return folder


@pytest.fixture(scope="session")
def client(python_folder: Path) -> Iterator[ModuleType]:
    """The installed Python package, imported."""
    sys.path.insert(0, str(python_folder))
    yield importlib.import_module("lostcities_client")
    sys.path.remove(str(python_folder))


@pytest.fixture(scope="session")
def programs(request: pytest.FixtureRequest) -> "Programs":
    return Programs(request)


class Programs:
    """Starts the programs of this folder with the installed packages."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request

    def start(self, name: str, *arguments: str) -> "subprocess.Popen[str]":
        """A running program. The package of its language is built if need be."""
        environment = dict(os.environ)
        if name.endswith(".py"):
            environment["PYTHONPATH"] = str(self._request.getfixturevalue("python_folder"))
            command = [sys.executable, str(Path(__file__).with_name(name))]
        else:
            command = ["node", str(self._request.getfixturevalue("node_folder") / name)]
        return subprocess.Popen(
            [*command, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("service")) as running:
        yield running
