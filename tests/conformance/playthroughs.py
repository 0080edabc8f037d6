"""Golden playthroughs: a whole game of every table as text, so that a change of the rules shows as a change of text.

`python -m tests.conformance.playthroughs` writes them anew.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec

from service.rules.game import CHANCE, FULL, total
from service.rules.registry import GAMES
from service.table.chance import source
from tests.conformance.tables import TABLES, brief

FOLDER = Path(__file__).parent / "playthroughs"
SEED = bytes(range(32))


def playthrough(variant: str, seats: int) -> str:
    """A game with random decisions and the chance of a fixed seed, event by event, and what it scores."""
    return "\n".join(_lines(variant, seats)) + "\n"


def _lines(variant: str, seats: int) -> Iterator[str]:
    game, rng = GAMES[variant], random.Random(f"{variant} {seats}")
    state = game.setup(seats, game.options(brief(variant)))
    yield f"{variant}, {seats} seats, rules version {game.RULES_VERSION}, options {brief(variant)}"
    version = 0
    while actors := game.to_act(state):
        actor = rng.choice(actors)
        version += 1
        if actor == CHANCE:
            move, choices = game.sample(state, source(SEED, version)), ""
        else:
            legal = game.legal(state, actor)
            move, choices = rng.choice(legal), f"   of {len(legal)}: {', '.join(each.notation for each in legal)}"
        yield f"{version} {actor}: {move.notation}{choices}"
        state = game.apply(state, actor, move)
        if version % 50 == 0:
            yield _json(game.view(state, FULL))
    yield _json(game.view(state, FULL))
    for seat, sheet in enumerate(game.score(state)):
        yield f"seat {seat}: {total(sheet)} = {' '.join(f'{line.item} {line.points}' for line in sheet)}"
    yield f"{game.outcome(state)}"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def path(variant: str, seats: int) -> Path:
    """Where a table's playthrough is kept."""
    return FOLDER / f"{variant}-{seats}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for table in TABLES:
        path(*table).write_text(playthrough(*table))
