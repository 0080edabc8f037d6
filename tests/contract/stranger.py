"""A stranger's program: plays every game through a client that openapi-python-client made from the contract.

It knows nothing but the generated package, `lost_cities_client`, and where the service is: its one argument.
"""

import random
import sys
from collections.abc import Sequence

from lost_cities_client import AuthenticatedClient, Client
from lost_cities_client.api.games import check_moves, create_game, get_fairness, get_score, list_moves, make_moves
from lost_cities_client.api.variants import list_variants
from lost_cities_client.models import (
    Acted,
    ActorType0,
    CreatedDuelGame,
    CreatedRivalsGame,
    CreatedRollAndWriteGame,
    CreatedTreasureHuntGame,
    DuelLegalMoves,
    DuelOptions,
    DuelScore,
    Fairness,
    Legal,
    MoveByNotation,
    NewDuel,
    NewRivals,
    NewRollAndWrite,
    NewTreasureHunt,
    RivalsLegalMoves,
    RivalsScore,
    RollAndWriteLegalMoves,
    RollAndWriteScore,
    TreasureHuntLegalMoves,
    TreasureHuntOptions,
    TreasureHuntScore,
    VariantList,
)

CREATED = (CreatedDuelGame, CreatedRivalsGame, CreatedRollAndWriteGame, CreatedTreasureHuntGame)
LEGAL_MOVES = (DuelLegalMoves, RivalsLegalMoves, RollAndWriteLegalMoves, TreasureHuntLegalMoves)
SCORES = (DuelScore, RivalsScore, RollAndWriteScore, TreasureHuntScore)

WISHES: dict[str, NewDuel | NewRivals | NewRollAndWrite | NewTreasureHunt] = {
    "duel": NewDuel(variant="duel", players=["Ann", "Ben"], options=DuelOptions(max_turns=40)),
    "rivals": NewRivals(variant="rivals", players=["Ann", "Ben", "Cid"]),
    "roll-and-write": NewRollAndWrite(variant="roll-and-write", players=["Ann", "Ben"]),
    "treasure-hunt": NewTreasureHunt(
        variant="treasure-hunt", players=["Ann", "Ben"], options=TreasureHuntOptions(max_turns=40)
    ),
}


def play(url: str, variant: str) -> str:
    """Play a game to its end, and tell how it went."""
    rng = random.Random(variant)
    anybody = Client(base_url=url, raise_on_unexpected_status=True)
    created = create_game.sync(client=anybody, body=WISHES[variant])
    assert isinstance(created, CREATED), created
    assert created.variant == variant
    seats = [AuthenticatedClient(base_url=url, token=token) for token in created.tokens.seats]
    to_act: Sequence[ActorType0 | int] = created.to_act
    events = created.version
    while to_act:
        seat = rng.choice([actor for actor in to_act if isinstance(actor, int)])
        listed = list_moves.sync(created.id, client=seats[seat])
        assert isinstance(listed, LEGAL_MOVES), listed
        chosen = rng.choice(listed.moves)
        move = MoveByNotation(notation=chosen.notation, seat=chosen.seat)
        assert isinstance(check_moves.sync(created.id, client=seats[seat], body=move), Legal)
        acted = make_moves.sync(created.id, client=seats[seat], body=move)
        assert isinstance(acted, Acted), acted
        to_act, events = acted.game.to_act, acted.version
    score = get_score.sync(created.id, client=seats[0])
    assert isinstance(score, SCORES), score
    assert score.final
    fairness = get_fairness.sync(created.id, client=seats[0])
    assert isinstance(fairness, Fairness), fairness
    assert fairness.seed
    return f"{variant}: finished after {events} events, winners {score.winners}"


if __name__ == "__main__":
    address = sys.argv[1]
    known = list_variants.sync(client=Client(base_url=address))
    assert isinstance(known, VariantList), known
    for each in known.variants:
        print(play(address, each.variant))
