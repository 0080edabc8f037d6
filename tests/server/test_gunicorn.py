"""gunicorn started directly, with the configuration in deploy/."""

import json
import os
import re
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests
from lostcities.gunicorn_config import graceful_timeout

from tests.server.serving import ROOT, store_at

REPLACED = 3


def test_replacing_workers_loses_no_request_and_no_count(tmp_path: Path) -> None:
    """gunicorn replaces workers after some dozen requests. Every request is answered and counted once."""
    gunicorn = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "--bind", "127.0.0.1:0"]
    with store_at(tmp_path / "store") as store, (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [*gunicorn, "--max-requests", "60", "--max-requests-jitter", "20"],
            cwd=ROOT,
            env={**os.environ, "REDIS_URL": store.url, "RATE_LIMITS": "off"},
            stderr=log,
        )
        try:
            url = listening(tmp_path / "log")
            sent = 0
            while (tmp_path / "log").read_text().count("Autorestarting worker") < REPLACED:
                assert requests.get(f"{url}/variants", timeout=30).status_code == 200
                sent += 1
                assert sent < 100_000
            metrics = requests.get(f"{url}/metrics", timeout=30).text
            counted = re.search(r'requests_total\{method="GET",route="/variants",status="200"\} (\S+)', metrics)
            assert counted
            assert float(counted[1]) == sent
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(graceful_timeout) == 0
    assert all(json.loads(line) for line in (tmp_path / "log").read_text().splitlines())


def listening(log: Path) -> str:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if found := re.search(r"Listening at: (http://\S+)", log.read_text()):
            return found[1]
        time.sleep(0.05)
    raise TimeoutError(log.read_text())


def test_it_needs_a_store(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "--bind", "127.0.0.1:0"],
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert "BadSetting" in done.stderr


@pytest.mark.parametrize(("host", "bound"), [("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80")])
def test_gunicorns_settings_follow_ours(host: str, bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"HOST": host, "PORT": "80", "WORKERS": "3", "MAX_STREAMS": "5000"}.items():
        monkeypatch.setenv(name, value)
    chosen = runpy.run_path(str(ROOT / "service" / "lostcities" / "gunicorn_config.py"))
    assert (chosen["bind"], chosen["workers"]) == ([bound], 3)
    assert chosen["worker_connections"] >= 5000 + 4000
    assert chosen["forwarded_allow_ips"] == ""
