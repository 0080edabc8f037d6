"""Compile the rules: the same modules, made into machine code by mypyc.

`python deploy/compile.py FOLDER` compiles the rules of the package that lies in the folder, beside their sources. Where
there is nothing to compile with it says so, and they stay plain Python. A wheel is built that way, too; a checkout runs
from its sources.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parents[1]
BUILD = """
import os, sys
from mypyc.build import mypycify
from setuptools import setup
setup(
    ext_modules=mypycify(sys.argv[1:], opt_level="1", debug_level="0", separate=True),
    script_args=["--quiet", "build_ext", "--inplace", "--parallel", str(os.cpu_count())],
)
"""
"""A library for each module, so that all processors compile; what a higher level gains is not measurable."""


class NotCompiled(Exception):
    """The rules stay plain Python, and why."""


def lacking() -> str | None:
    """What compiling would need and is not here."""
    compiler = os.environ.get("CC") or str(sysconfig.get_config_var("CC"))
    if not shutil.which(compiler.split(" ", maxsplit=1)[0]):
        return "there is no C compiler"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's C headers are not installed"
    return None


def compile_rules(folder: Path) -> list[Path]:
    """Compile the rules of the package in that folder; answers the libraries that were built."""
    if reason := lacking():
        raise NotCompiled(reason)
    modules = [str(path.relative_to(folder)) for path in sorted(folder.glob("service/rules/[!_]*.py"))]
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", BUILD, *modules],
        cwd=folder,
        env={**os.environ, "MYPY_CACHE_DIR": os.devnull},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    shutil.rmtree(folder / "build", ignore_errors=True)
    if done.returncode:
        raise RuntimeError(f"the rules could not be compiled:\n{done.stdout}")
    return sorted(folder.rglob("service/rules/*.so"))


class CompiledRules(BuildHookInterface[Any]):
    """Adds the compiled rules to a wheel, beside their sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is put together; an editable one is a checkout."""
        self.folder = Path(tempfile.mkdtemp(prefix="lostcities-"))
        if version == "editable":
            return
        shutil.copytree(ROOT / "service", self.folder / "service", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        try:
            built = compile_rules(self.folder)
        except (NotCompiled, RuntimeError) as reason:
            self.app.display_warning(f"The rules stay plain Python: {reason}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(path): str(path.relative_to(self.folder)) for path in built})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Called when the wheel is there."""
        shutil.rmtree(self.folder)


if __name__ == "__main__":
    try:
        compile_rules(Path(sys.argv[1]))
    except NotCompiled as reason:
        print(f"The rules stay plain Python: {reason}", file=sys.stderr)
