"""The embedded store: data survive stops and kills, one server per folder, and it ends with the service."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import redis
from lostcities.store import embedded
from lostcities.store.embedded import CannotStart, EmbeddedStore

from tests.faults.processes import Service, until


def client(store: EmbeddedStore) -> "redis.Redis":
    return redis.Redis.from_url(store.url)


def is_anew(store: EmbeddedStore, pid: int) -> bool:
    """Restart the store if needed. Returns whether a new process answers."""
    if not store.is_running:
        store.restart()
    return bool(client(store).info("server")["process_id"] != pid)


@pytest.mark.parametrize("always_on_disk", [False, True])
def test_data_survive_a_stop_and_a_kill(tmp_path: Path, always_on_disk: bool) -> None:
    store = EmbeddedStore(tmp_path, always_on_disk=always_on_disk)
    try:
        store.start()
        assert client(store).config_get("appendfsync") == {"appendfsync": "always" if always_on_disk else "everysec"}
        client(store).set("stopped", "1")
        store.stop()
        store.start()
        pid = client(store).info("server")["process_id"]
        client(store).set("killed", "1")
        os.kill(pid, signal.SIGKILL)
        until(lambda: is_anew(store, pid))
        assert client(store).mget("stopped", "killed") == [b"1", b"1"]
    finally:
        store.stop()


def modes(folder: Path) -> dict[str, int]:
    paths = [folder, *folder.rglob("*")]
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in paths}


def test_only_the_owner_can_open_the_data(tmp_path: Path) -> None:
    """With any umask, for files created later, and in a folder that was world-readable before."""
    folder = tmp_path / "data"
    store = EmbeddedStore(folder)
    before = os.umask(0)
    try:
        store.start()
        client(store).set("seed", "secret")
        client(store).bgrewriteaof()
        until(lambda: client(store).info("persistence")["aof_rewrites"] >= 1)
        made = modes(folder)
        assert {"lock", "store.log", "store.sock", "appendonlydir"} <= made.keys()
        assert {mode & 0o077 for mode in made.values()} == {0}
        store.stop()
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o777 if path.is_dir() else 0o666)
        store.start()
        found = modes(folder)
        assert {name for name, mode in found.items() if mode & 0o077} <= {"lock"}, "the lock is empty"
        assert (found["."], found["appendonlydir"]) == (0o700, 0o700)
        assert client(store).get("seed") == b"secret"
    finally:
        os.umask(before)
        store.stop()


def test_its_memory_is_bounded(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path, maxmemory="8mb")
    try:
        store.start()
        assert client(store).config_get("maxmemory") == {"maxmemory": "8388608"}
        assert client(store).config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        client(store).set("0", "kept")
        with pytest.raises(redis.exceptions.OutOfMemoryError):
            client(store).set("1", b"x" * 9_000_000)
        assert client(store).exists("0")
    finally:
        store.stop()


def test_a_folder_has_one_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "STOP_SECONDS", 0.2)
    first, second = EmbeddedStore(tmp_path), EmbeddedStore(tmp_path)
    try:
        first.start()
        with pytest.raises(CannotStart, match=f"another service uses the data in {tmp_path}: set DATA_DIR"):
            second.start()
        assert client(first).ping()
    finally:
        first.stop()
        second.stop()


def test_the_error_of_a_failed_start_names_the_log(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("this is not a manifest\n")
    with pytest.raises(CannotStart, match=r"store\.log"):
        EmbeddedStore(tmp_path).start()


def test_the_data_folder_may_have_a_long_path(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / ("long" * 30))
    try:
        store.start()
        assert client(store).ping()
    finally:
        store.stop()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's help is asked for on Linux only")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_the_service(tmp_path: Path, how: signal.Signals) -> None:
    service = Service(tmp_path).start()
    try:
        store = service.store()
        os.kill(service.pid, how)
        until(lambda: not is_alive(store), what="the end of the store")
    finally:
        service.end()


def test_a_second_service_on_the_same_folder_fails_to_start(tmp_path: Path) -> None:
    service = Service(tmp_path).start()
    try:
        second = subprocess.run(
            [sys.executable, "-c", SECOND],
            env={**os.environ, "PORT": "0", "DATA_DIR": str(tmp_path / "data")},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert second.returncode == 1
        assert second.stderr == f"lostcities: another service uses the data in {tmp_path / 'data'}: set DATA_DIR\n"
    finally:
        service.end()


SECOND = """
from lostcities.store import embedded
embedded.STOP_SECONDS = 0.2
from lostcities.cli import main
main(["serve"])
"""
