"""Runs schemathesis against the service with all checks and phases.

`python -m tests.contract.fuzz SECONDS` sets the duration. `make fuzz` calls it.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.contract.hooks import ADDRESS
from tests.server.serving import ROOT, serving


def run(service: str, seconds: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run schemathesis for at most `seconds`. The return code is 0 if it finds no failure."""
    program = str(Path(sys.executable).with_name("st"))
    limits = ["--max-time", str(seconds), "--max-failures", "20"]
    path = os.pathsep.join(map(str, (ROOT / "service", ROOT)))
    environment = {"SCHEMATHESIS_HOOKS": "tests.contract.hooks", ADDRESS: service, "PYTHONPATH": path}
    with tempfile.TemporaryDirectory() as scratch:
        return subprocess.run(
            [program, "run", f"{service}/openapi.json", "--checks", "all", *limits, *arguments],
            cwd=scratch,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as service:
        found = run(service.url, int(sys.argv[1]))
    print(found.stdout)
    sys.exit(found.returncode)
