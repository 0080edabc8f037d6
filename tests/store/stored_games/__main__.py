"""`python -m tests.store.stored_games` writes the files that are missing."""

import random
import tempfile
from pathlib import Path
from typing import Any

import redis
from lostcities.app import create_app
from lostcities.config import Settings
from lostcities.store.embedded import EmbeddedStore
from lostcities.variants.core import CHANCE
from lostcities.variants.registry import VARIANTS

from tests.client import Client, GameClient
from tests.conformance.tables import brief
from tests.conftest import client_of
from tests.games.recorded_games import NAMES, some_options
from tests.store.stored_games import FOLDER, StoredGame, read_keys, save

LATER_FORMS = [("duel-known", "duel")]
"""Files of a later stored form, and their variants: `known` is the cards of a hand that were drawn openly."""

SEED = "5e" * 32
MIDDLE = 100


def create(api: Client, body: Any, key: str | None = None) -> GameClient:
    """The game that this request creates."""
    answer = api.post("/games", body, key=key)
    assert answer.status == 201, answer.content
    created = answer.body
    return GameClient(api, created["id"], created["tokens"]["host"], created["tokens"]["seats"], created)


def play(game: GameClient, until: int | None = None) -> int:
    """Make random moves up to that version, or to the end. Returns the version."""
    rng = random.Random(game.created["variant"])
    shown = game.get().body
    while shown["to_act"] and (until is None or shown["version"] < until):
        shown = make(game, some_move(game, shown, rng))["game"]
    while shown["to_act"] == [CHANCE]:
        shown = make(game, some_move(game, shown, rng))["game"]
    return int(shown["version"])


def some_move(game: GameClient, shown: Any, rng: random.Random) -> Any:
    """A random move of a seat, or a random outcome of chance if the host states it."""
    if shown["to_act"] != [CHANCE]:
        return rng.choice(game.get("/moves", token=game.host).body["moves"])
    rules, positions = VARIANTS[shown["variant"]].rules, VARIANTS[shown["variant"]].positions
    full = position(game, shown["version"])
    state = positions.from_position(len(shown["players"]), rules.parse_options(shown["options"]), full)
    return {"actor": CHANCE, "notation": rules.sample_chance(state, rng.randrange).notation}


def make(game: GameClient, move: Any, key: str | None = None) -> Any:
    return game.api.post(f"{game.path}/moves", move, token=game.host, key=key).body


def make_with_keys(game: GameClient, moves: int) -> list[dict[str, Any]]:
    """Make random moves, each with an `Idempotency-Key`. Returns the requests and their answers."""
    rng, path, answered = random.Random(1), f"{game.path}/moves", []
    for number in range(moves):
        move = some_move(game, game.get().body, rng)
        key = f"move-{number}"
        answered.append({"path": path, "key": key, "body": move, "answer": make(game, move, key)})
    return answered


def position(game: GameClient, version: int) -> Any:
    return game.get(f"?view=full&version={version}", token=game.host).body["position"]


def stored(store: "redis.Redis", game: GameClient, stage: str, answered: list[dict[str, Any]]) -> StoredGame:
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
        answered=answered,
    )


def stages(api: Client, store: "redis.Redis", variant: str) -> list[StoredGame]:
    """Games of the variant, from just created to finished, and games that were created or moved in special ways."""
    least, most = VARIANTS[variant].rules.INFO.seats
    unseeded = {"variant": variant, "players": NAMES[:least], "options": brief(variant)}
    plain = {**unseeded, "seed": SEED}
    created, middle, finished = create(api, plain), create(api, plain), create(api, plain)
    reached = play(middle, min(MIDDLE, play(finished) * 3 // 4))
    continued = create(api, {**plain, "position": position(middle, reached)})
    play(continued, 5)
    bots = [{"name": "Bot", "bot": level} for level in ("greedy", "random", "greedy", "random")[: most - 1]]
    options = some_options(variant, random.Random(16))
    with_bots = create(api, {**plain, "players": ["Ann", *bots], "options": options})
    play(with_bots, 120)
    by_host = create(api, {**unseeded, "chance": "client"})
    play(by_host, 40)
    unfinished = {**middle.get("/record", token=middle.host).body, "seed": None, "commitment": None}
    imported = create(api, {"record": unfinished})
    play(imported, reached + 10)
    key = f"creation-of-{variant}"
    repeated = create(api, plain, key)
    creation = {"path": "/games", "key": key, "body": plain, "answer": repeated.created}
    answered = [creation, *make_with_keys(repeated, 5)]
    names = {
        "created": created,
        "middle": middle,
        "finished": finished,
        "from a position": continued,
        "with bots": with_bots,
        "chance by the host": by_host,
        "from a record": imported,
        "with keys": repeated,
    }
    return [stored(store, game, stage, answered if game == repeated else []) for stage, game in names.items()]


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
