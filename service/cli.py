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
    commands.add_parser("api-key", help="make a key that games can be created with, and its hash for API_KEYS")
    chosen = parser.parse_args(arguments)
    if chosen.command == "serve":
        _serve()
    elif chosen.command == "openapi":
        _openapi(chosen.output)
    else:
        _api_key()


def _serve() -> None:
    from service.serve import serve
    from service.store.embedded import CannotStart

    try:
        serve(Settings.from_environment())
    except (BadSetting, CannotStart) as error:
        sys.exit(f"lostcities: {error}")


def _openapi(output: Path | None) -> None:
    from service.app import create_app

    document: bytes = create_app(Settings(redis_url="redis://unused")).extensions["contract"]()
    if output:
        output.write_bytes(document)
    else:
        sys.stdout.buffer.write(document)


def _api_key() -> None:
    from service.gate.clients import hash_of_key, new_key

    key = new_key()
    print(f"the key, for whoever creates games:  {key}\nits hash, for API_KEYS:              {hash_of_key(key)}")
