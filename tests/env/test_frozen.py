"""Actions and layouts are frozen: what was trained with `duel_v0` must fit every later `duel_v0`.

Where one of these tests fails, a game has changed for its players. It then needs environments with another number,
`duel_v1`, and another file. `python -m tests.env.test_frozen` writes the file anew.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from lostcities.env.playable import Playable

from tests.env.tables import ENVIRONMENTS, TABLES

FILE = Path(__file__).with_name("frozen_v0.json")


def actions() -> dict[str, list[str]]:
    """The notation of each action, in order."""
    return {variant: [*game.rules.VOCABULARY] for variant, game in ENVIRONMENTS.items()}


def layouts() -> dict[str, str]:
    """The hash of all labels and scales of each layout."""
    hashes = {}
    for variant, seats in TABLES:
        layout = Playable(variant, seats, {}).layout
        text = json.dumps([[segment.name, segment.labels, segment.scale, segment.bounds] for segment in layout])
        hashes[f"{variant} {seats}"] = hashlib.sha256(text.encode()).hexdigest()
    return hashes


def frozen() -> Any:
    return json.loads(FILE.read_text())


def test_the_order_of_the_actions_is_frozen() -> None:
    assert actions() == frozen()["actions"]


def test_the_layouts_are_frozen() -> None:
    assert layouts() == frozen()["layouts"]


def test_every_action_has_one_index() -> None:
    for variant, notations in actions().items():
        playable = Playable(variant, ENVIRONMENTS[variant].rules.INFO.seats[0], {})
        assert [move.notation for move in playable.moves] == notations
        assert [playable.action_of[notation] for notation in notations] == [*range(len(notations))]


if __name__ == "__main__":
    FILE.write_text(json.dumps({"actions": actions(), "layouts": layouts()}, indent=1) + "\n")
