"""Compile the rules: the same modules, made into machine code by mypyc.

`python deploy/compile.py FOLDER` copies the package to a folder and compiles it there. A wheel is built that way where
there is a C compiler, and of plain Python where there is none. A checkout runs from its sources.
"""

import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parents[1]
NOT_RULES = ("__init__.py", "registry.py")
"""The modules beside the rules that do nothing but name things."""


class NotCompiled(Exception):
    """The rules stay plain Python, and why."""


def compile_into(folder: Path) -> list[Path]:
    """Copy the package to the folder and compile its rules there; answers the files that were built."""
    compiler = str(sysconfig.get_config_var("CC")).split(" ", maxsplit=1)[0]
    if not shutil.which(compiler):
        raise NotCompiled("there is no C compiler")
    shutil.copytree(ROOT / "service", folder / "service", ignore=shutil.ignore_patterns("__pycache__"))
    rules = sorted((folder / "service" / "rules").glob("*.py"))
    sources = [str(path.relative_to(folder)) for path in rules if path.name not in NOT_RULES]
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "mypyc", *sources],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotCompiled(done.stdout.strip())
    shutil.rmtree(folder / "build")
    return sorted(folder.rglob("*.so"))


class CompiledRules(BuildHookInterface[Any]):
    """Adds the compiled rules to a wheel, beside their sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is put together; an editable one is a checkout."""
        self.folder = Path(tempfile.mkdtemp(prefix="lostcities-"))
        if version == "editable":
            return
        try:
            built = compile_into(self.folder)
        except NotCompiled as reason:
            self.app.display_info(f"The rules stay plain Python: {str(reason).splitlines()[-1]}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(path): str(path.relative_to(self.folder)) for path in built})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Called when the wheel is there."""
        shutil.rmtree(self.folder)


if __name__ == "__main__":
    try:
        compile_into(Path(sys.argv[1]))
    except NotCompiled as reason:
        sys.exit(str(reason))
