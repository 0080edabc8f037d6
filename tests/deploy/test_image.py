"""The image, tested without Docker: the instructions of the Dockerfile are carried out in a folder."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
from lostcities.variants.registry import VARIANTS

from tests.server.serving import ROOT

DOCKERFILE = ROOT / "Dockerfile"
USER = 10001


class Instruction(NamedTuple):
    """One instruction of the Dockerfile."""

    name: str
    text: str


def instructions() -> list[Instruction]:
    lines = [line for line in DOCKERFILE.read_text().splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [Instruction(*line.split(" ", 1)) for line in joined.splitlines() if line]


def the(name: str) -> str:
    (found,) = [each.text for each in instructions() if each.name == name]
    return found


def test_the_file_is_linted() -> None:
    hadolint = shutil.which("hadolint", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if hadolint is None:
        pytest.skip("hadolint has no wheel for this machine")
    done = subprocess.run([hadolint, str(DOCKERFILE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_image_has_the_documented_metadata() -> None:
    stages = [each.text for each in instructions() if each.name == "FROM"]
    assert len(stages) == 2
    assert {stage.split(" ")[0] for stage in stages} == {stages[1]}
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64}", stages[1])
    assert the("USER") == f"{USER}:{USER}"
    assert json.loads(the("ENTRYPOINT")) == ["/opt/lostcities/bin/python", "-m", "lostcities"]
    assert json.loads(the("CMD")) == ["serve"]
    assert "curl" not in DOCKERFILE.read_text()
    assert "--require-hashes" in DOCKERFILE.read_text()


def test_the_build_context_has_only_needed_files() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert ignored[0] == "*"
    sent = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    copies = [each.text.split(" ") for each in instructions() if each.name == "COPY" and "--from" not in each.text]
    assert sent == {source for *sources, _ in copies for source in sources}


class Image(NamedTuple):
    """The file tree of the image, in a folder."""

    root: Path
    environment: dict[str, str]
    said: list[str]
    """The output of each step."""

    def path(self, text: str) -> str:
        """The text with the image's paths as they are here."""
        return re.sub(r"(?<![\w/.])/(opt|build|data)\b", lambda found: f"{self.root}/{found[1]}", text)

    def command(self, text: str) -> list[str]:
        return [self.path(part) for part in json.loads(text)]


def as_user() -> dict[str, Any]:
    """How a process is started as the image's user; without the right to do that, as ourselves."""
    return {"user": USER, "group": USER, "extra_groups": []} if os.getuid() == 0 else {}


def interpreter() -> str:
    """A Python that the image's user may run: one below somebody's home is not."""
    program = "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"
    for python in (sys.executable, "/usr/local/bin/python3", "/usr/bin/python3"):
        try:
            if subprocess.run([python, "-c", program], check=False, cwd="/", **as_user()).returncode == 0:
                return python
        except OSError:
            continue
    pytest.skip("there is no Python here that another user may run")


@pytest.fixture
def image() -> Iterator[Image]:
    """Every RUN, COPY and ENV carried out; a fresh virtual environment stands for the base image.

    The C compiler is this machine's own, not installed; without one the rules of the image are plain.
    """
    python = interpreter()
    root = Path(tempfile.mkdtemp(prefix="lostcities-image-"))
    root.chmod(0o755)
    base = root / "base"
    subprocess.run([python, "-m", "venv", str(base)], check=True)
    kept = {
        name: value for name, value in os.environ.items() if name.startswith(("PIP_", "HOME", "http", "HTTP", "SSL"))
    }
    made = Image(root, {**kept, "PATH": f"{base}/bin:/usr/bin:/bin"}, [])
    try:
        for name, text in instructions():
            if name == "RUN" and not text.startswith("apt-get "):
                command = made.path(text)
                if os.getuid() != 0:
                    command = command.replace(f"-o {USER} -g {USER} ", "")
                step = ["sh", "-ec", command]
                done = subprocess.run(step, cwd=root, env=made.environment, check=True, capture_output=True, text=True)
                made.said.append(done.stderr)
            elif name == "COPY" and "--from" not in text:
                copy(made, text)
            elif name == "ENV":
                made.environment.update(dict(part.split("=", 1) for part in shlex.split(made.path(text))))
        shutil.rmtree(root / "build")
        yield made
    finally:
        subprocess.run(["chmod", "-R", "u+w", str(root)], check=True)
        shutil.rmtree(root)


def copy(image: Image, text: str) -> None:
    *sources, target = text.split(" ")
    there = Path(image.path(target))
    for source in sources:
        if target.endswith("/"):
            there.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / source, there)
        else:
            shutil.copytree(ROOT / source, there, ignore=shutil.ignore_patterns("__pycache__"))


def listing(tree: Path) -> list[tuple[str, int]]:
    return sorted((str(path), path.lstat().st_mtime_ns) for path in tree.rglob("*"))


def check_tree(image: Image) -> None:
    """It is small, has no tools, and all of it is compiled."""
    tree = image.root / "opt" / "lostcities"
    size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    assert size < 80_000_000, size
    assert not [*tree.rglob("site-packages/pip")]
    assert not [*tree.rglob("site-packages/pytest")]
    assert not [*(image.root / "base").rglob("site-packages/pip")]
    compiled = [*(tree / "service").rglob("*.pyc")]
    assert len(compiled) == len([*(tree / "service").rglob("*.py")])
    compiled_games = [*(tree / "service").glob("lostcities/variants/*/rules.*.so")]
    assert len(compiled_games) == len(VARIANTS) or "The rules stay plain" in "".join(image.said)


def test_it_serves_as_a_numeric_user_on_a_read_only_tree_and_stops(image: Image) -> None:
    check_tree(image)
    tree = image.root / "opt"
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)
    before = listing(tree)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    temporary = Path(tempfile.mkdtemp(prefix="lostcities-tmp-"))
    temporary.chmod(0o1777)
    environment = {**image.environment, "PORT": port, "HOST": "127.0.0.1", "TMPDIR": str(temporary)}
    data = Path(image.path(the("WORKDIR")))
    process = subprocess.Popen(
        [*image.command(the("ENTRYPOINT")), *json.loads(the("CMD"))],
        cwd=data,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        **as_user(),
    )
    try:
        healthy = image.command(the("HEALTHCHECK").split(" CMD ")[1])

        def check() -> int:
            return subprocess.run(healthy, env=environment, capture_output=True, check=False).returncode

        deadline = time.monotonic() + 30
        while check() != 0 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
        url = f"http://127.0.0.1:{port}"
        created = requests.post(f"{url}/games", json={"variant": "duel", "players": ["Ann", "Ben"]}, timeout=10)
        assert created.status_code == 201
        assert requests.get(f"{url}/docs", timeout=10).status_code == 200
        assert b"lostcities_games_created_total" in requests.get(f"{url}/metrics", timeout=10).content
        assert check() == 0
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        assert check() != 0
    finally:
        if process.poll() is None:
            process.kill()
        assert process.stderr
        process.stderr.close()
        process.wait()
        shutil.rmtree(temporary)
    assert listing(tree) == before, "nothing was written to the read-only tree"
    assert (data / "appendonlydir").is_dir()
