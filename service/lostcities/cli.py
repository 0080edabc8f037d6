"""The command line interface, `lostcities`."""

import argparse
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from lostcities.config import BadSetting, Settings


def main(arguments: list[str] | None = None) -> None:
    """Run a command. On a configuration error exit with code 1 and a message."""
    parser = argparse.ArgumentParser(prog="lostcities", description="The Lost Cities rules oracle.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="serve the API; settings come from the environment (HOST, PORT, REDIS_URL, …)")
    openapi = commands.add_parser("openapi", help="write the OpenAPI document")
    openapi.add_argument("--output", type=Path, help="output file (default: standard output)")
    verify = commands.add_parser("verify", help="verify records of games: whether each is a legal and fair game")
    verify.add_argument("path", nargs="+", type=Path, help="a record, or a folder with records (*.json)")
    replay = commands.add_parser("replay", help="print the events of a record, and its score")
    replay.add_argument("path", type=Path, help="a record")
    replay.add_argument("--to", type=int, metavar="VERSION", help="stop at this version, and print the position")
    arena = commands.add_parser("arena", help="let two players play mirrored deals, and print how strong they are")
    arena.add_argument(
        "players", nargs=2, metavar="PLAYER", help="a level of the bots, or a command that answers lines"
    )
    arena.add_argument("--variant", default="duel", help="the game (default: duel)")
    arena.add_argument("--seats", type=int, default=2, help="the second player has all seats but one (default: 2)")
    arena.add_argument("--options", type=json.loads, default={}, metavar="JSON", help="options of the game")
    arena.add_argument("--games", type=int, default=20, help="rounded up to whole deals (default: 20)")
    arena.add_argument("--seed", default="", help="another text has other deals")
    arena.add_argument("--processes", type=int, default=1, help="deals that are played at the same time (default: 1)")
    commands.add_parser("api-key", help="generate an API key for creating games, and its hash for API_KEYS")
    chosen = parser.parse_args(arguments)
    if chosen.command == "serve":
        _serve()
    elif chosen.command == "openapi":
        _openapi(chosen.output)
    elif chosen.command == "verify":
        _verify(chosen.path)
    elif chosen.command == "replay":
        _replay(chosen.path, chosen.to)
    elif chosen.command == "arena":
        _arena(chosen)
    else:
        _api_key()


def _serve() -> None:
    from lostcities.server import serve
    from lostcities.store.embedded import CannotStart

    try:
        code = serve(Settings.from_environment())
    except (BadSetting, CannotStart) as error:
        sys.exit(f"lostcities: {error}")
    sys.exit(code)


def _openapi(output: Path | None) -> None:
    from lostcities.app import create_app
    from lostcities.web.contract import pretty

    document = pretty(create_app(Settings(redis_url="redis://unused")).extensions["contract"]())
    if output:
        output.write_bytes(document)
    else:
        sys.stdout.buffer.write(document)


def _verify(paths: list[Path]) -> None:
    from lostcities.record_files import verify_files

    _print_to_the_end(lambda: verify_files(paths))


def _replay(path: Path, to: int | None) -> None:
    from lostcities.record_files import replay_file

    _print_to_the_end(lambda: replay_file(path, to))


def _arena(chosen: argparse.Namespace) -> None:
    from lostcities.arena import ArenaError, Match, check, run_arena

    deals = -(-chosen.games // max(1, chosen.seats))
    first, second = chosen.players
    match = Match(chosen.variant, chosen.seats, first, second, deals, chosen.options, chosen.seed)
    try:
        check(match)
        run_arena(match, chosen.processes)
    except ArenaError as error:
        sys.exit(f"lostcities: {error}")


def _print_to_the_end(command: Callable[[], bool]) -> NoReturn:
    """Run a command that prints many lines, and exit with code 0 if it returns `True`.

    Names of players may have letters that the encoding of the output lacks. They are written as escapes.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = 0 if command() else 1
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough, as `head` does. Python would write the rest when it exits, and fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def _api_key() -> None:
    from lostcities.auth import hash_api_key, new_api_key

    key = new_api_key()
    print(f"API key (for the client):  {key}\nhash (for API_KEYS):       {hash_api_key(key)}")
