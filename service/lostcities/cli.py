"""The command line interface, `lostcities`."""

import argparse
import io
import json
import math
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NoReturn

from lostcities.config import BadSetting, Settings
from lostcities.variants.registry import VARIANTS

CORPUS: Final = Path("openapi", "corpus")
"""The folder of the corpus, in a checkout of the repository."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command. On a configuration error exit with code 1 and a message."""
    chosen = _parser().parse_args(arguments)
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
    elif chosen.command == "mcp":
        _mcp(chosen.url, chosen.http, hide_legal_moves=chosen.hide_legal_moves)
    elif chosen.command == "corpus":
        _corpus(chosen)
    else:
        _api_key()


def _parser() -> argparse.ArgumentParser:
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
    _add_arena_arguments(arena)
    mcp = commands.add_parser("mcp", help="let language models play: a Model Context Protocol server (extra 'mcp')")
    _add_mcp_arguments(mcp)
    corpus = commands.add_parser("corpus", help="compare an engine with this one: a corpus of positions and answers")
    _add_corpus_commands(corpus.add_subparsers(dest="action", required=True))
    commands.add_parser("api-key", help="generate an API key for creating games, and its hash for API_KEYS")
    return parser


def _add_arena_arguments(arena: argparse.ArgumentParser) -> None:
    arena.add_argument(
        "players", nargs=2, metavar="PLAYER", help="a level of the bots, or a command that answers lines"
    )
    arena.add_argument("--variant", default="duel", help="the game (default: duel)")
    arena.add_argument("--seats", type=int, default=2, help="the second player has all seats but one (default: 2)")
    arena.add_argument("--options", type=json.loads, default={}, metavar="JSON", help="options of the game")
    arena.add_argument("--games", type=int, default=20, help="rounded up to whole deals (default: 20)")
    arena.add_argument("--seed", default="", help="another text has other deals")
    arena.add_argument(
        "--timeout", type=_seconds, default=60, help="seconds that a command has for a decision (default: 60)"
    )
    arena.add_argument("--processes", type=int, default=1, help="deals that are played at the same time (default: 1)")


def _add_mcp_arguments(mcp: argparse.ArgumentParser) -> None:
    mcp.add_argument("--url", help="the service to use (default: an embedded one, whose games end with the server)")
    mcp.add_argument(
        "--http",
        nargs="?",
        const="127.0.0.1:8001",
        metavar="HOST:PORT",
        help="serve streamable HTTP on this address instead of standard input and output (default: %(const)s)",
    )
    mcp.add_argument("--hide-legal-moves", action="store_true", help="list no legal moves and give no advice")


def _add_corpus_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    write = commands.add_parser("write", help="write a corpus from games of bots, some minutes")
    check = commands.add_parser("check", help="ask an engine about every position of a corpus, and report differences")
    for command in (write, check):
        command.add_argument("--corpus", type=Path, default=CORPUS, metavar="FOLDER", help="default: %(default)s")
        command.add_argument("--variant", action="append", choices=[*VARIANTS], default=[], help="default: all")
    check.add_argument("--timeout", type=_seconds, default=60, help="seconds that it has for an answer (default: 60)")
    check.add_argument("engine", nargs="+", metavar="COMMAND", help="the engine and its arguments, after --")
    commands.add_parser("answer", help="be such an engine: answer the questions on standard input")


def _seconds(text: str) -> float:
    """A number of seconds above 0. Raises `ArgumentTypeError`."""
    with suppress(ValueError):
        if 0 < (seconds := float(text)) < math.inf:
            return seconds
    raise argparse.ArgumentTypeError(f"a number of seconds above 0, not {text!r}")


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
    from lostcities.languages import language_of_environment, say_in
    from lostcities.record_files import verify_files

    _print_to_the_end(lambda: verify_files(paths, say_in(language_of_environment())))


def _replay(path: Path, to: int | None) -> None:
    from lostcities.languages import language_of_environment, say_in
    from lostcities.record_files import replay_file

    _print_to_the_end(lambda: replay_file(path, to, say_in(language_of_environment())))


def _arena(chosen: argparse.Namespace) -> None:
    from lostcities.arena import ArenaError, Match, check, run_arena

    deals = -(-chosen.games // max(1, chosen.seats))
    first, second = chosen.players
    match = Match(chosen.variant, chosen.seats, first, second, deals, chosen.options, chosen.seed, chosen.timeout)
    try:
        check(match)
        run_arena(match, chosen.processes)
    except ArenaError as error:
        sys.exit(f"lostcities: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def _mcp(url: str | None, http: str | None, *, hide_legal_moves: bool) -> None:
    if find_spec("mcp") is None:
        sys.exit("lostcities: `lostcities mcp` needs the extra 'mcp': pip install 'lostcities[mcp]'")
    from lostcities.mcp.embedded import ServiceNotStarted
    from lostcities.mcp.run import run

    if url is not None and not url.startswith(("http://", "https://")):
        sys.exit(f"lostcities: --url must be an address like 'http://127.0.0.1:8000', not {url!r}")
    host, _, port = (http or "").rpartition(":")
    if http is not None and not (host and port.isascii() and port.isdigit() and int(port) < 65536):
        sys.exit(f"lostcities: --http must be an address like '127.0.0.1:8001', not {http!r}")
    try:
        run(url, (host, int(port)) if http else None, hide_legal_moves=hide_legal_moves)
    except ServiceNotStarted as error:
        sys.exit(f"lostcities: {error}")


def _corpus(chosen: argparse.Namespace) -> None:
    from lostcities.corpus import commands

    if chosen.action == "write":
        _print_to_the_end(lambda: commands.write_corpus(chosen.corpus, chosen.variant))
    elif chosen.action == "check":
        _print_to_the_end(lambda: commands.check_engine(chosen.corpus, chosen.variant, chosen.engine, chosen.timeout))
    else:
        _print_to_the_end(commands.answer_questions)


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
