"""Golden playthroughs: a game of each variant and number of seats as text, so that a change of the rules is visible.

`python -m tests.conformance.playthroughs` regenerates them.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
from lostcities.games.chance import source
from lostcities.variants.core import CHANCE, FULL, total
from lostcities.variants.registry import VARIANTS

from tests.conformance.tables import TABLES, brief

FOLDER = Path(__file__).parent / "playthroughs"
SEED = bytes(range(32))


def playthrough(variant: str, seats: int) -> str:
    """A game with random moves and a fixed seed: its events and its score."""
    return "\n".join(_lines(variant, seats)) + "\n"


def _lines(variant: str, seats: int) -> Iterator[str]:
    game, rng = VARIANTS[variant].rules, random.Random(f"{variant} {seats}")
    state = game.setup(seats, game.parse_options(brief(variant)))
    yield f"{variant}, {seats} seats, rules version {game.RULES_VERSION}, options {brief(variant)}"
    version = 0
    while actors := game.to_act(state):
        actor = rng.choice(actors)
        version += 1
        if actor == CHANCE:
            move, choices = game.sample_chance(state, source(SEED, version)), ""
        else:
            legal = game.legal_moves(state, actor)
            move, choices = rng.choice(legal), f"   of {len(legal)}: {', '.join(each.notation for each in legal)}"
        yield f"{version} {actor}: {move.notation}{choices}"
        state = game.apply(state, actor, move)
        if version % 50 == 0:
            yield _json(game.to_position(state, FULL))
    yield _json(game.to_position(state, FULL))
    for seat, sheet in enumerate(game.score(state)):
        yield f"seat {seat}: {total(sheet)} = {' '.join(f'{line.item} {line.points}' for line in sheet)}"
    result = game.result(state)
    assert result is not None
    yield f"Outcome(winners={result.winners}, totals={result.totals}, reason={result.reason!r})"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def path(variant: str, seats: int) -> Path:
    """The file of a playthrough."""
    return FOLDER / f"{variant}-{seats}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for table in TABLES:
        path(*table).write_text(playthrough(*table))
