"""The embedded store: data outlive it however it ends, a folder has one server, and it ends with the service."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import redis

from service.store import embedded
from service.store.embedded import CannotStart, EmbeddedStore
from tests.faults.processes import Service, until


def client(store: EmbeddedStore) -> "redis.Redis":
    return redis.Redis.from_url(store.url)


def is_anew(store: EmbeddedStore, pid: int) -> bool:
    """Have it seen to; whether another process answers."""
    store.revive()
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
        store.revive()
        assert client(store).ping(), "one that lives is left alone"
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


def test_a_server_that_cannot_start_says_where_to_look(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("this is not a manifest\n")
    with pytest.raises(CannotStart, match=r"store\.log"):
        EmbeddedStore(tmp_path).start()


def test_a_long_path_does_not_matter(tmp_path: Path) -> None:
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


def test_a_second_service_on_the_same_data_is_told_so(tmp_path: Path) -> None:
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
from service.store import embedded
embedded.STOP_SECONDS = 0.2
from service.cli import main
main(["serve"])
"""
