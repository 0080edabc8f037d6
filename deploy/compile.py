"""Compile the rules and the bots with mypyc, and the catalogues of translations with Babel.

`python deploy/compile.py FOLDER` compiles them in `FOLDER/lostcities`: each module gets a shared library beside
its source, and each catalogue a binary form. Without a C compiler the modules stay as they are, and a line says why.
Building a wheel does the same. `run.py` serves a checkout from a copy that was compiled.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MODULES = (
    "variants/core.py",
    "variants/bitsets.py",
    *(f"variants/*/{name}.py" for name in ("rules", "position", "texts", "bot", "simulator")),
    "bots/[!_]*.py",
)
"""What is compiled: the pure part of the package."""
BUILD = """
import os, sys
from mypyc.build import mypycify
from setuptools import setup
setup(
    ext_modules=mypycify(
        # Schemas and pictures are named as types only, and their libraries may be missing where the rules are compiled.
        ["--follow-imports=silent", "--ignore-missing-imports", *sys.argv[1:]],
        opt_level="1",
        debug_level="0",
        separate=True,
    ),
    script_args=["--quiet", "build_ext", "--inplace", "--parallel", str(os.cpu_count())],
)
"""
"""One library per module, so that they compile in parallel. Higher optimisation levels are not measurably faster."""


class NotCompiled(Exception):
    """The rules cannot be compiled here and stay plain Python."""


def lacking() -> str | None:
    """What is missing to compile, or `None`."""
    compiler = os.environ.get("CC") or str(sysconfig.get_config_var("CC"))
    if not shutil.which(compiler.split(" ", maxsplit=1)[0]):
        return "there is no C compiler"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's C headers are not installed"
    return None


def compile_catalogues(folder: Path) -> list[Path]:
    """Compile the catalogues of translations in that folder, as Python's gettext reads them. Returns the files."""
    locale = folder / "lostcities/locale"
    if not locale.is_dir():
        return []
    command = [sys.executable, "-m", "babel.messages.frontend", "--quiet", "compile", "--domain", "lostcities"]
    subprocess.run([*command, "--directory", str(locale)], check=True)  # noqa: S603
    return _find(folder, "locale/**/*.mo")


def compile_rules(folder: Path) -> list[Path]:
    """Compile the pure packages of `lostcities` in that folder. Returns the libraries."""
    if reason := lacking():
        raise NotCompiled(reason)
    modules = [str(path.relative_to(folder)) for path in _find(folder, *MODULES)]
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
    return _find(folder, "**/*.so")


def _find(folder: Path, *patterns: str) -> list[Path]:
    """The files of the package that fit the patterns."""
    return [path for pattern in patterns for path in sorted((folder / "lostcities").glob(pattern))]


def get_build_hook() -> type[Any]:
    """The build hook for hatchling, which only a build has installed."""
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class CompiledRules(BuildHookInterface[Any]):
        """Build hook that adds the compiled rules to a wheel, beside their sources."""

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Compile before the wheel is built. An editable wheel stays plain Python."""
            self.folder = Path(tempfile.mkdtemp(prefix="lostcities-"))
            if version == "editable":
                return
            ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.mo")
            shutil.copytree(ROOT / "service", self.folder, ignore=ignored, dirs_exist_ok=True)
            built = compile_catalogues(self.folder)
            try:
                built += compile_rules(self.folder)
            except (NotCompiled, RuntimeError) as reason:
                self.app.display_warning(f"The rules stay plain Python: {reason}")
            else:
                build_data["pure_python"] = False
                build_data["infer_tag"] = True
            build_data["force_include"].update({str(path): str(path.relative_to(self.folder)) for path in built})

        def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
            """Remove the temporary folder."""
            shutil.rmtree(self.folder)

    return CompiledRules


if __name__ == "__main__":
    compile_catalogues(Path(sys.argv[1]))
    try:
        compile_rules(Path(sys.argv[1]))
    except NotCompiled as reason:
        print(f"The rules stay plain Python: {reason}", file=sys.stderr)
