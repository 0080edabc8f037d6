"""The command line: `lostcities`."""

import argparse
import sys
from pathlib import Path

from service.config import BadSetting, Settings


def main(arguments: list[str] | None = None) -> None:
    """Run a command; exit with 1 and a sentence if it cannot be run."""
    parser = argparse.ArgumentParser(prog="lostcities", description="The Lost Cities rules oracle.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="serve the API; settings come from the environment (HOST, PORT, REDIS_URL, …)")
    openapi = commands.add_parser("openapi", help="write the OpenAPI document")
    openapi.add_argument("--output", type=Path, help="a file; by default the standard output")
    chosen = parser.parse_args(arguments)
    if chosen.command == "serve":
        _serve()
    else:
        _openapi(chosen.output)


def _serve() -> None:
    from service.serve import serve
    from service.store.embedded import CannotStart

    try:
        serve(Settings.from_environment())
    except (BadSetting, CannotStart) as error:
        sys.exit(f"lostcities: {error}")


def _openapi(output: Path | None) -> None:
    from service.app import create_app

    document: bytes = create_app(Settings(redis_url="redis://unused")).extensions["contract"]
    if output:
        output.write_bytes(document)
    else:
        sys.stdout.buffer.write(document)
