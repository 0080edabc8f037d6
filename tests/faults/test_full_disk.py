"""A full disk, then a kill of everything: which acknowledged writes are gone, as the table in deploy/README.md says."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.load import transport
from tests.faults.processes import Service, until

SMALL, LARGE = "1m", "64m"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[[str], None]]:
    """A small file system for the data of the service; the fixture changes its size."""
    folder = tmp_path / "data"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system can be mounted here")

    def resize(size: str) -> None:
        subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True)

    yield resize
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.parametrize(("durability", "code", "lost"), [("memory", "store-read-only", 1), ("aof", "store-away", 0)])
def test_what_a_full_disk_and_a_kill_lose(
    tmp_path: Path, disk: Callable[[str], None], durability: str, code: str, lost: int
) -> None:
    """With one client: of `memory` the write that found the disk full, of `aof` nothing."""
    service = Service(tmp_path, DURABILITY=durability).start()
    try:
        api = transport(service.port)
        wish = {"variant": "duel", "players": ["Ann", "Ben"]}
        acknowledged = []
        while (answer := api.post("/games", wish)).status == 201:
            acknowledged.append(answer.body["id"])
            assert len(acknowledged) < 20_000
        assert (answer.status, answer.code) == (503, code)
        service.kill()
        disk(LARGE)
        service.start()
        api = transport(service.port)
        until(lambda: api.get("/readyz").status == 200)
        gone = [game for game in acknowledged if api.get(f"/games/{game}").status == 404]
        assert len(gone) <= lost
        assert {*gone} <= {*acknowledged[-1:]}
        assert api.post("/games", wish).status == 201
    finally:
        service.end()
