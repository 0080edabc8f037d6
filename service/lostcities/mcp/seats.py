"""The seats that models play for, and the codes that invite to a seat: files in a folder of the user.

A file has the token of a seat. Its name is what a model knows: the name of a game, or a code. Servers of one user share
the folder, so that a code of one is good at another one, and a server that is started again knows its games.
"""

import json
import os
import re
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from mcp.server.mcpserver.exceptions import ToolError

LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
"""32 letters and digits that are not confused with each other."""
LENGTH: Final = 12
"""Letters of a name or a code: 60 bits."""
LIFETIME: Final = 30 * 86_400
"""Seconds until a file is deleted: as long as the service keeps a game without events."""

_NAME: Final = re.compile(rf"[a-z-]+-[{LETTERS}]{{{LENGTH}}}", re.ASCII)


class Seat(NamedTuple):
    """A seat of a game."""

    url: str
    """The service that has the game."""
    game: str
    """The id of the game."""
    seat: int
    variant: str
    token: str

    @property
    def path(self) -> str:
        """The URL of the game."""
        return f"{self.url}/games/{self.game}"


class Seats:
    """The seats in a folder. Only its owner may open it."""

    def __init__(self, folder: Path) -> None:
        """The folder is created if it does not exist."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        for file in folder.glob("*.json"):
            with suppress(FileNotFoundError):
                if file.stat().st_mtime < time.time() - LIFETIME:
                    file.unlink()

    def keep(self, seat: Seat) -> str:
        """Store a seat. Returns the name of its game for the model."""
        return self._write(_new_name(seat.variant), seat)

    def invite(self, seat: Seat) -> str:
        """Store a seat for another player. Returns the code with which that player joins."""
        return self._write(_new_name("join"), seat)

    def join(self, code: str) -> str:
        """Take the seat of a code, which is then used up. Returns the name of the game. Raises `ToolError`."""
        code = code.strip().lower()
        file = self._file(code)
        if not code.startswith("join-") or file is None:
            raise ToolError(
                f"unknown-code: no seat waits for the code {code[:40]!r}; a code is good for one player only"
            )
        name = _new_name(_read(file).variant)
        try:
            # Of several players with the same code one succeeds.
            file.rename(file.with_name(f"{name}.json"))
        except FileNotFoundError:
            raise ToolError("unknown-code: another player has just used the code") from None
        return name

    def find(self, name: str) -> Seat:
        """The seat with that name. Raises `ToolError`."""
        file = self._file(name)
        if name.startswith("join-") or file is None:
            raise ToolError(
                f"unknown-game: there is no game {name[:60]!r}; new_game and join_game return the name of a game"
            )
        return _read(file)

    def _file(self, name: str) -> Path | None:
        """The file of that name. A text that is no name is never part of a path."""
        if not _NAME.fullmatch(name):
            return None
        file = self._folder / f"{name}.json"
        return file if file.exists() else None

    def _write(self, name: str, seat: Seat) -> str:
        file = os.open(self._folder / f"{name}.json", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as opened:
            json.dump(seat._asdict(), opened)
        return name


def _new_name(prefix: str) -> str:
    return f"{prefix}-" + "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def _read(file: Path) -> Seat:
    return Seat(**json.loads(file.read_text(encoding="utf-8")))


def default_folder() -> Path:
    """The folder of the user's seats."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "lostcities" / "mcp"
