"""`python -m tests.store.stored_games` writes the files that are missing."""

import random
import tempfile
from pathlib import Path
from typing import Any

import redis
from lostcities.app import create_app
from lostcities.config import Settings
from lostcities.store.embedded import EmbeddedStore
from lostcities.variants.registry import VARIANTS

from tests.client import Client, GameClient, create_game
from tests.conformance.tables import brief
from tests.conftest import client_of
from tests.store.stored_games import FOLDER, StoredGame, read_keys, save

LATER_FORMS = [("duel-known", "duel")]
"""Files of a later stored form, and their variants: `known` is the cards of a hand that were drawn openly."""

SEED = "5e" * 32
MIDDLE = 100


def play(game: GameClient, until: int | None = None) -> int:
    """Make random moves up to that version, or to the end. Returns the version."""
    rng = random.Random(game.created["variant"])
    shown = game.get().body
    while shown["to_act"] and (until is None or shown["version"] < until):
        move = rng.choice(game.get("/moves", token=game.host).body["moves"])
        shown = game.api.post(f"{game.path}/moves", move, token=game.host).body["game"]
    return int(shown["version"])


def position(game: GameClient, version: int) -> Any:
    return game.get(f"?view=full&version={version}", token=game.host).body["position"]


def stored(store: "redis.Redis", game: GameClient, stage: str) -> StoredGame:
    version = game.get().body["version"]
    return StoredGame(
        variant=game.created["variant"],
        stage=stage,
        id=game.id,
        host=game.host,
        seats=game.seats,
        positions={str(each): position(game, each) for each in sorted({0, version // 2, version})},
        totals=[seat["total"] for seat in game.get("/score", token=game.host).body["seats"]],
        keys=read_keys(store, game.id),
    )


def stages(api: Client, store: "redis.Redis", variant: str) -> list[StoredGame]:
    """A game just created, one in the middle, a finished one and one that began from a position."""

    def create(**more: Any) -> GameClient:
        return create_game(api, variant, seats, options=brief(variant), seed=SEED, **more)

    seats = VARIANTS[variant].rules.INFO.seats[0]
    created, middle, finished = create(), create(), create()
    reached = play(middle, min(MIDDLE, play(finished) * 3 // 4))
    continued = create(position=position(middle, reached))
    play(continued, 5)
    names = {"created": created, "middle": middle, "finished": finished, "from a position": continued}
    return [stored(store, game, stage) for stage, game in names.items()]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        embedded = EmbeddedStore(Path(folder))
        embedded.start()
        try:
            api = client_of(create_app(Settings(redis_url=embedded.url, rate_limits=None)))
            with redis.Redis.from_url(embedded.url) as store:
                for name, variant in [*zip(VARIANTS, VARIANTS, strict=True), *LATER_FORMS]:
                    path = FOLDER / f"{name}.json"
                    if not path.exists():
                        save(path, stages(api, store, variant))
        finally:
            embedded.stop()


if __name__ == "__main__":
    main()
