"""Compiling the rules is optional: without a compiler the package is plain Python."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.server.serving import ROOT

PLAIN = "The rules stay plain Python: "


def run(*arguments: str, **environment: str) -> str:
    """Run a program. Returns its output."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stderr


@pytest.mark.parametrize(("compiler", "reason"), [("none", "there is no C compiler"), ("false", "")])
def test_without_a_working_compiler_the_wheel_is_plain_python(tmp_path: Path, compiler: str, reason: str) -> None:
    building = ("-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path))
    assert PLAIN + reason in run(*building, PATH="/usr/bin:/bin", CC=compiler)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "lostcities/variants/duel/rules.py" in names
    assert not [name for name in names if name.endswith(".so")]


def test_without_a_compiler_a_folder_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "lostcities" / "variants").mkdir(parents=True)
    (tmp_path / "lostcities" / "variants" / "core.py").touch()
    assert run("deploy/compile.py", str(tmp_path), CC="none") == f"{PLAIN}there is no C compiler\n"
    assert [path.name for path in tmp_path.rglob("*.*")] == ["core.py"]
