"""Games for the tests of the store."""

import random
import secrets
from base64 import b32encode
from typing import Any

from lostcities.games.game import Event, Setup, advance, resolve_chance, start
from lostcities.games.storage import Registration, StoredGame
from lostcities.variants.core import CHANCE
from lostcities.variants.registry import VARIANTS

from tests.conformance.tables import brief

HOUR = 60 * 60 * 1000


def setup(variant: str = "duel", seats: int = 2, **changes: Any) -> Setup:
    """A setup with a value in every field."""
    game = VARIANTS[variant].rules
    return Setup(
        variant=variant,
        rules_version=game.RULES_VERSION,
        players=tuple(f"Player {seat}" for seat in range(seats)),
        options=game.parse_options(brief(variant)),
        chance="server",
        seed=bytes(32),
        seeded_by="caller",
    )._replace(**changes)


def registration(seats: int = 2, **changes: Any) -> Registration:
    """A registration with a new id."""
    return Registration(
        id=b32encode(secrets.token_bytes(10)).decode().lower(),
        host=bytes(32),
        seats=(bytes(32),) * seats,
        created_at=1_700_000_000_000,
        lifetime=HOUR,
        finished_lifetime=HOUR,
    )._replace(**changes)


def dealt(of: Setup | None = None, **changes: Any) -> tuple[StoredGame, list[Event]]:
    """A new game after its first chance outcomes. `changes` are made to its registration."""
    game, events = resolve_chance(start(of or setup()))
    whose = registration(game.seats, **changes)
    return StoredGame(whose, game, whose.created_at), events


def moved(table: StoredGame, rng: random.Random, at: int = 7) -> tuple[StoredGame, list[Event]]:
    """The game after one random move and the chance outcomes that follow it."""
    game = table.game
    actor = rng.choice(game.to_act)
    assert actor != CHANCE
    after, event = advance(game, actor, rng.choice(game.rules.legal_moves(game.state, actor)))
    after, outcomes = resolve_chance(after)
    return table._replace(game=after, at=at), [event, *outcomes]
