"""Builds the client packages from the contract, into `dist/`.

`python openapi/clients/build.py [python|typescript ...]`; without an argument both. The packages are assembled in
`build/clients`: first the generated code, then the layer that is written by hand. The asynchronous modules of the
Python layer are written by hand, the synchronous ones are derived from them. A package whose sources have not changed
is not built again.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CONTRACT = ROOT / "openapi" / "openapi.json"
WORK = ROOT / "build" / "clients"
DIST = ROOT / "dist"
TOOLS = Path(sys.executable).parent
ABOUT_VERSION = "The version of the contract that the package was built from."
SYNCHRONOUS = {"async_transport.py": "sync_transport.py", "async_game.py": "game.py"}
"""The derived modules of the Python package, by their sources."""
WITHOUT_ASYNC = [
    (r"\b(async|await) ", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b(__)?a(?=(enter|exit)__|clos(e|ing)\b|iter_)", r"\1"),
    (r"\basyncio_detailed\b", "sync_detailed"),
    (r"\basyncio\b", "time"),
    (r"_async\b|(?<=_)async_", ""),
]
"""The differences between an asynchronous module and its synchronous form: patterns and what replaces them."""
NOT_COPIED = shutil.ignore_patterns("__pycache__", "node_modules", "dist", "generated")


class BuildError(Exception):
    """A tool has failed, or is not installed."""


def run(*command: str | Path, folder: Path) -> None:
    """Run a tool in the folder. Its output is shown if it fails."""
    own = {**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}
    if not shutil.which(command[0], path=own["PATH"]):
        raise BuildError(f"{command[0]} is not installed")
    done = subprocess.run(
        command, cwd=folder, env=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise BuildError(f"{' '.join(map(str, command))} failed:\n{done.stdout}")


def build_python() -> Path:
    """The wheel."""
    folder = WORK / "python"
    package = folder / "lostcities_client"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    settings = HERE / "python" / "generator.yaml"
    run(
        TOOLS / "openapi-python-client",
        "generate",
        *("--path", CONTRACT, "--output-path", package, "--meta", "none", "--config", settings, "--fail-on-warning"),
        folder=folder,
    )
    shutil.copytree(HERE / "python", folder, dirs_exist_ok=True, ignore=NOT_COPIED)
    shutil.copy(ROOT / "LICENSE", folder)
    contract = json.loads(CONTRACT.read_text())
    (package / "unions.py").write_text("\n".join(unions(contract["components"]["schemas"])))
    (package / "version.py").write_text(f'"""{ABOUT_VERSION}"""\n\nVERSION = "{contract["info"]["version"]}"\n')
    for source, derived in SYNCHRONOUS.items():
        module = synchronous((package / source).read_text())
        (package / derived).write_text(f"# Derived from {source}.\n{module}")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", DIST, folder=folder)
    return newest("lostcities_client-*.whl")


def synchronous(module: str) -> str:
    """The synchronous form of an asynchronous module."""
    for pattern, replacement in WITHOUT_ASYNC:
        module = re.sub(pattern, replacement, module)
    return module


def unions(schemas: dict[str, Any]) -> Iterator[str]:
    """The lines of a module that names the unions of the contract. The generator gives them no names."""
    named = {name: parts for name in schemas if (parts := list(members(schemas, name))) != [name]}
    listed = [schemas[game]["properties"]["moves"]["items"] for game in named["LegalMoves"]]
    named["Move"] = [move for items in listed for move in members(schemas, ref(items))]
    yield '"""The unions of the contract, by their names."""\n'
    yield "from . import models\n"
    for name, parts in sorted(named.items()):
        yield f"{name} = {' | '.join(dict.fromkeys(python_type(schemas, part) for part in parts))}"
    yield ""


def python_type(schemas: dict[str, Any], name: str) -> str:
    """The type that the generator makes from a schema: a class, or for a plain text `str`."""
    is_text = schemas[name].get("type") == "string" and "enum" not in schemas[name]
    return "str" if is_text else f"models.{name}"


def members(schemas: dict[str, Any], name: str) -> Iterator[str]:
    """The objects that a schema allows, found through nested unions."""
    parts = schemas[name].get("oneOf", schemas[name].get("anyOf", []))
    if parts and all("$ref" in part for part in parts):
        for part in parts:
            yield from members(schemas, ref(part))
    else:
        yield name


def ref(schema: dict[str, Any]) -> str:
    """The name that a reference points to."""
    return str(schema["$ref"]).rpartition("/")[2]


def build_typescript() -> Path:
    """The npm package."""
    folder = WORK / "typescript"
    for old in ("src", "dist"):
        shutil.rmtree(folder / old, ignore_errors=True)
    shutil.copytree(HERE / "typescript", folder, dirs_exist_ok=True, ignore=NOT_COPIED)
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copy(CONTRACT, folder)
    version = json.loads(CONTRACT.read_text())["info"]["version"]
    (folder / "src" / "version.ts").write_text(f'/** {ABOUT_VERSION} */\nexport const VERSION = "{version}";\n')
    lock, installed = folder / "package-lock.json", folder / "node_modules" / ".installed"
    if not installed.exists() or installed.read_bytes() != lock.read_bytes():
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=folder)
        installed.write_bytes(lock.read_bytes())
    run("npm", "run", "build", folder=folder)
    run("npm", "pack", "--pack-destination", DIST, folder=folder)
    return newest("lostcities-client-*.tgz")


def newest(pattern: str) -> Path:
    """The file in `dist` that was written last."""
    return max(DIST.glob(pattern), key=lambda path: path.stat().st_mtime)


PACKAGES = {"python": build_python, "typescript": build_typescript}


def build(language: str) -> Path:
    """Build one package, unless it is up to date. One process builds at a time. Returns the package's file."""
    WORK.mkdir(parents=True, exist_ok=True)
    DIST.mkdir(exist_ok=True)
    with (WORK / f"{language}.lock").open("a+") as built:
        fcntl.flock(built, fcntl.LOCK_EX)
        built.seek(0)
        before, sources = built.read().split(), digest(language)
        if before[:1] == [sources] and (DIST / before[1]).exists():
            return DIST / before[1]
        package = PACKAGES[language]()
        built.truncate(0)
        built.write(f"{sources} {package.name}")
        return package


def digest(language: str) -> str:
    """A hash of everything that the package is made from."""
    files = [CONTRACT, Path(__file__), *sorted(path for path in (HERE / language).rglob("*") if path.is_file())]
    texts = (path.read_bytes() for path in files if "__pycache__" not in path.parts)
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


if __name__ == "__main__":
    for each in sys.argv[1:] or PACKAGES:
        try:
            print(build(each).relative_to(ROOT))
        except BuildError as error:
            sys.exit(f"{each}: {error}")
