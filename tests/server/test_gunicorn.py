"""gunicorn as somebody else starts it: with the configuration in deploy/."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

from service.config import Settings
from service.serve import GRACE_SECONDS, configuration
from tests.server.serving import ROOT, store_at

REQUESTS = 400


def test_workers_are_replaced_and_nobody_notices(tmp_path: Path) -> None:
    """With workers that are replaced after some dozen requests: every request is answered, and counted once."""
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
            statuses = [requests.get(f"{url}/variants", timeout=30).status_code for _ in range(REQUESTS)]
            assert statuses == [200] * REQUESTS
            told = requests.get(f"{url}/metrics", timeout=30).text
            counted = re.search(r'requests_total\{method="GET",route="/variants",status="200"\} (\S+)', told)
            assert counted
            assert float(counted[1]) == REQUESTS
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(GRACE_SECONDS) == 0
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    replaced = [line for line in lines if line["message"].startswith("Autorestarting worker")]
    assert len(replaced) >= 3


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
def test_the_configuration_follows_the_settings(host: str, bound: str) -> None:
    chosen = configuration(Settings(host=host, port=80, workers=3, threads=5))
    assert (chosen["bind"], chosen["workers"], chosen["threads"]) == (bound, 3, 5)
    assert 0 < chosen["max_requests_jitter"] < chosen["max_requests"]
    assert chosen["forwarded_allow_ips"] == ""
