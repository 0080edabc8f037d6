"""Tables to store."""

import random
import secrets
from base64 import b32encode
from typing import Any

from service.rules.game import CHANCE
from service.rules.registry import GAMES
from service.table.game import Event, Record, Table, advance, settle, start
from tests.conformance.tables import brief

HOUR = 60 * 60 * 1000


def record(variant: str = "duel", seats: int = 2, **changes: Any) -> Record:
    """A record with everything in it."""
    game = GAMES[variant]
    return Record(
        id=b32encode(secrets.token_bytes(10)).decode().lower(),
        variant=variant,
        rules_version=game.RULES_VERSION,
        players=tuple(f"Player {seat}" for seat in range(seats)),
        options=game.options(brief(variant)),
        chance="server",
        seed=bytes(32),
        seeded_by="caller",
        host=bytes(32),
        seats=(bytes(32),) * seats,
        created_at=1_700_000_000_000,
        lifetime=HOUR,
    )._replace(**changes)


def dealt(of: Record) -> tuple[Table, list[Event]]:
    """A game just created."""
    return settle(start(of))


def moved(table: Table, rng: random.Random) -> tuple[Table, list[Event]]:
    """The game one move later, chance's answers included."""
    actor = rng.choice(table.to_act)
    assert actor != CHANCE
    after, event = advance(table, actor, rng.choice(table.record.game.legal(table.state, actor)))
    settled, answers = settle(after)
    return settled, [event, *answers]
