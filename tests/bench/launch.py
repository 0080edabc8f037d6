"""Serve the bare stack or the service by gunicorn with the deployed settings, on a store that already runs.

`python -m tests.bench.launch APP`: APP is a function of `apps.py`.
"""

import os
import sys

from lostcities.server import GUNICORN


def main(app: str) -> None:
    """Become gunicorn. Only its workers import the application, as in the deployed service."""
    command = [*GUNICORN, f"tests.bench.apps:{app}()"]
    os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
