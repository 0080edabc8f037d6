"""Games for the tests of the store."""

import random
import secrets
from base64 import b32encode
from typing import Any

from lostcities.games.game import Event, Game, Record, advance, resolve_chance, start
from lostcities.variants.core import CHANCE
from lostcities.variants.registry import VARIANTS

from tests.conformance.tables import brief

HOUR = 60 * 60 * 1000


def record(variant: str = "duel", seats: int = 2, **changes: Any) -> Record:
    """A record with a value in every field."""
    game = VARIANTS[variant].rules
    return Record(
        id=b32encode(secrets.token_bytes(10)).decode().lower(),
        variant=variant,
        rules_version=game.RULES_VERSION,
        players=tuple(f"Player {seat}" for seat in range(seats)),
        options=game.parse_options(brief(variant)),
        chance="server",
        seed=bytes(32),
        seeded_by="caller",
        host=bytes(32),
        seats=(bytes(32),) * seats,
        created_at=1_700_000_000_000,
        lifetime=HOUR,
        finished_lifetime=HOUR,
    )._replace(**changes)


def dealt(of: Record) -> tuple[Game, list[Event]]:
    """A new game after its first chance outcomes."""
    return resolve_chance(start(of))


def moved(table: Game, rng: random.Random) -> tuple[Game, list[Event]]:
    """The game after one random move and the chance outcomes that follow it."""
    actor = rng.choice(table.to_act)
    assert actor != CHANCE
    after, event = advance(table, actor, rng.choice(table.record.rules.legal_moves(table.state, actor)))
    settled, answers = resolve_chance(after)
    return settled, [event, *answers]
