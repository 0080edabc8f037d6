"""Who sends a request: the owner of its token in a stored game, and what takes the token of a seat or of the host."""

from lostcities.games.moves import Forbidden, Unauthorized
from lostcities.games.storage import StoredGame
from lostcities.games.tokens import SPECTATOR, Caller, identify
from lostcities.variants.core import Text


class NoSuchGame(Exception):
    """There is no game with this id: it never existed, was deleted or has expired."""


def existing(stored: StoredGame | None) -> StoredGame:
    """The game that was found. Raises `NoSuchGame` if none was."""
    if stored is None:
        raise NoSuchGame
    return stored


def caller_of(stored: StoredGame, token: str | None) -> Caller:
    """The owner of the token. A wrong token is an error, not a spectator. Raises `Unauthorized`."""
    if token is None:
        return SPECTATOR
    caller = identify(token, stored.registration.host, stored.registration.seats)
    if caller is None:
        raise Unauthorized("unknown-token", Text("this is not a token of this game"))
    return caller


def player_of(stored: StoredGame, token: str | None) -> Caller:
    """The owner of the token, which is required. Raises `Unauthorized`."""
    caller = caller_of(stored, token)
    if caller == SPECTATOR:
        raise Unauthorized("token-required", Text("the token of a seat or of the host is required"))
    return caller


def require_host(caller: Caller, detail: Text) -> None:
    """Refuse every caller but the host. Raises `Unauthorized`, `Forbidden`."""
    if caller.role == "spectator":
        raise Unauthorized("token-required", detail)
    if caller.role != "host":
        raise Forbidden("host-only", detail)


def still_has(before: StoredGame, now: StoredGame, token: str | None) -> bool:
    """Whether a token that was valid before still is, now that seats may have been handed over."""
    registration = now.registration
    if token is None or registration.seats == before.registration.seats:
        return True
    return identify(token, registration.host, registration.seats) is not None
