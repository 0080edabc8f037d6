"""The compiled rules are a bonus: without a compiler the package is built all the same."""

import subprocess
import sys
import zipfile
from pathlib import Path

from tests.server.serving import ROOT


def test_without_a_compiler_the_wheel_is_plain_python(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)],
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    said = [line for line in built.stderr.splitlines() if "rules" in line]
    assert said == ["The rules stay plain Python: there is no C compiler"]
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "service/rules/duel.py" in names
    assert not [name for name in names if name.endswith(".so")]


def test_without_a_compiler_a_folder_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "service" / "rules").mkdir(parents=True)
    (tmp_path / "service" / "rules" / "game.py").touch()
    done = subprocess.run(
        [sys.executable, "deploy/compile.py", str(tmp_path)],
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "The rules stay plain Python: there is no C compiler\n"
    assert [path.name for path in tmp_path.rglob("*.*")] == ["game.py"]
