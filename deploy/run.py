"""What `make run` starts: the service, with compiled rules and bots if they are there.

`.venv/compiled` is a copy of the package in which the rules and the bots are compiled. It is served if it was made from
the sources as they are now. Otherwise the sources are served, and the copy is made in the background for the next
start. A service that stops ends that too.

`python deploy/run.py copy` makes the copy and waits for it.
"""

import fcntl
import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from compile import NotCompiled, compile_rules, lacking

ROOT: Final = Path(__file__).resolve().parents[1]
SOURCES: Final = ROOT / "service"
VENV: Final = ROOT / ".venv"
COMPILED: Final = VENV / "compiled"
STAMP: Final = COMPILED / "made"
"""The digest of the sources that the copy was made from."""
UNFINISHED: Final = VENV / "compiling"
LOCK: Final = VENV / "compiling.lock"
LOG: Final = VENV / "compiling.log"
NICENESS: Final = 10

sys.path.insert(0, str(SOURCES))


def serve() -> None:
    """Become the service. It stays the parent of a compilation in the background."""
    from lostcities import child_process
    from lostcities.config import RULES_NOTE_VARIABLE

    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    if is_current():
        environment["PYTHONPATH"] = str(COMPILED)
    elif reason := lacking():
        environment[RULES_NOTE_VARIABLE] = reason
    else:
        environment[RULES_NOTE_VARIABLE] = "compiling in the background for the next start"
        with LOG.open("wb") as log:
            child_process.start([sys.executable, __file__, "copy-in-background"], output=log)
    os.execve(sys.executable, [sys.executable, "-m", "lostcities", "serve"], environment)  # noqa: S606


def is_current() -> bool:
    """Whether there is a compiled copy of these sources."""
    return STAMP.exists() and STAMP.read_text() == digest(SOURCES) and any(COMPILED.glob("lostcities/variants/*/*.so"))


def digest(folder: Path) -> str:
    """A hash of all that a compiled copy is made from: the package in that folder, the compiler's settings, Python."""
    hashed = hashlib.sha256(f"{sys.implementation.cache_tag}\n".encode() + (ROOT / "deploy/compile.py").read_bytes())
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            data = path.read_bytes()
            hashed.update(f"{path.relative_to(folder)} {len(data)}\n".encode() + data)
    return hashed.hexdigest()


def make_copy() -> None:
    """Make the compiled copy, unless it is there. Without a C compiler it stays plain Python, and a line says so."""
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_current():
            STAMP.touch()
            return
        shutil.rmtree(UNFINISHED, ignore_errors=True)
        try:
            _compile(UNFINISHED / "new")
            if COMPILED.exists():
                COMPILED.rename(UNFINISHED / "old")
            (UNFINISHED / "new").rename(COMPILED)
        finally:
            shutil.rmtree(UNFINISHED, ignore_errors=True)


def _compile(folder: Path) -> None:
    shutil.copytree(SOURCES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    stamp = digest(folder)  # of the copy: the sources may change meanwhile
    try:
        if not lacking() and importlib.util.find_spec("mypyc") is None:
            subprocess.run(["make", "--silent", ".venv/compile"], cwd=ROOT, check=True)  # noqa: S607
        compile_rules(folder)
    except NotCompiled as reason:
        print(f"The rules stay plain Python: {reason}", file=sys.stderr)
    (folder / STAMP.name).write_text(stamp)


def _end_group(*_: Any) -> None:
    """End this process and the compilers that it has started."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1:] == ["copy"]:
        make_copy()
    elif sys.argv[1:] == ["copy-in-background"]:
        signal.signal(signal.SIGTERM, _end_group)
        os.nice(NICENESS)
        make_copy()
    else:
        serve()
