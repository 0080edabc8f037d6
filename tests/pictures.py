"""The pictures of the README: a game of each variant, played halfway and drawn by the service.

`python -m tests.pictures` regenerates them. Seeds are fixed and the players use simple heuristics, so the games are the
same every time.
"""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lostcities.app import create_app
from lostcities.config import Settings
from lostcities.store.embedded import EmbeddedStore
from lostcities.variants.registry import VARIANTS

from tests.client import Client
from tests.conftest import client_of

FOLDER = Path(__file__).parents[1] / "deploy" / "pictures"
NAMES = ["Ann", "Ben"]
MOMENTS = {"duel": ("1c", 90), "rivals": ("2b", 120), "roll-and-write": ("5e", 70), "treasure-hunt": ("5e", 95)}
"""The byte that a game's seed is made of, and the version that is drawn, where the default is not a good picture."""
DEFAULT_MOMENT = ("5e", 60)

Position = Mapping[str, Any]


def _duel(move: Any, seat: int, position: Position) -> float:
    """Start expeditions with several cards in hand, and continue in small steps."""
    own, hand = position["expeditions"][seat], position["hands"][seat]
    card = move.get("card", move["from"] + "2" if move.get("from") in own else "?")
    if move["type"] == "draw":
        pile = position["discards"].get(card[0])
        return 0 if not pile else 4 - 5 * (bool(own[card[0]]) and _rank(pile[-1]) > _rank(own[card[0]][-1]))
    last = own[card[0]][-1:]
    gap = _rank(card) - (_rank(last[0]) if last else 1)
    fits = bool(last) or sum(name[0] == card[0] for name in hand) > 2
    return gap if move["type"] == "play" and fits else 9 if move["type"] == "play" else 4 + _rank(card) / 4


def _rank(card: str) -> int:
    return 1 if card.endswith("w") else int(card[1:])


def _rivals(move: Any, seat: int, position: Position) -> float:
    """Uncover five cards, bid up to five for them, and take the lowest cards first."""
    if move["type"] == "uncover":
        return len(position["display"]) - 5
    if move["type"] == "take":
        return _rank(move["card"])
    bid: int = move.get("gold", 0)
    return {"bid": bid - 1, "pass": 4.5, "remove": 40, "done": 30}[move["type"]]


def _roll_and_write(move: Any, seat: int, position: Position) -> float:
    """Write in small steps, and prefer a circle to a new expedition with a high number."""
    if move["type"] not in ("write", "top"):
        return {"accelerate": 0.0, "stop": 1.0, "circle": 4.0, "refuse": 8.0}[move["type"]]
    numbers = position["seats"][seat]["expeditions"][move["colour"]]["numbers"]
    return float(move["number"] - (numbers[-1] if numbers else 0))


def _treasure_hunt(move: Any, seat: int, position: Position) -> float:
    """Take the lowest tile that fits, without rerolls."""
    if move["type"] != "take":
        return {"claim": 0, "keep": 1, "reroll": 2, "skip": 20, "end": 9}[move["type"]]
    row = position["expeditions"][seat][move["tile"][0]]
    return int(move["tile"][1:]) - (int(row[-1][1:].removesuffix("w")) if row else 2)


def _indifferent(move: Any, seat: int, position: Position) -> float:
    return 0.0


TASTES: Mapping[str, Callable[[Any, int, Position], float]] = {
    "duel": _duel,
    "rivals": _rivals,
    "roll-and-write": _roll_and_write,
    "treasure-hunt": _treasure_hunt,
}
"""The cost of a move for its player. In a game that is not listed the first move by notation is made."""


def drawn(api: Client, variant: str) -> bytes:
    """The picture of that variant, as seat 0 sees it."""
    byte, until = MOMENTS.get(variant, DEFAULT_MOMENT)
    taste = TASTES.get(variant, _indifferent)
    game = api.post("/games", {"variant": variant, "players": NAMES, "seed": byte * 32}).body
    path, host = f"/games/{game['id']}", game["tokens"]["host"]
    while game["version"] < until and game["to_act"]:
        moves = api.get(f"{path}/moves", token=host).body["moves"]
        position = api.get(f"{path}?view=full", token=host).body["position"]
        best = min(moves, key=lambda move: (taste(move, move["seat"], position), move["notation"]))
        game = api.post(f"{path}/moves", best, token=host).body["game"]
    return api.get(f"{path}/board.svg?seat=0", token=host).content


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        store = EmbeddedStore(Path(folder))
        store.start()
        try:
            api = client_of(create_app(Settings(redis_url=store.url)))
            for variant in VARIANTS:
                (FOLDER / f"{variant}.svg").write_bytes(drawn(api, variant))
        finally:
            store.stop()
