"""Plays a game of each variant through the client that openapi-python-client generates from the contract.

It imports only the generated package, `lost_cities_client`. Its arguments are the URL of the service and an API key.
"""

import random
import sys
from collections.abc import Sequence
from typing import Any

from lost_cities_client import AuthenticatedClient, Client, models
from lost_cities_client.api.games import check_moves, create_game, get_fairness, get_score, list_moves, make_moves
from lost_cities_client.api.variants import get_variant, list_variants
from lost_cities_client.models import (
    Acted,
    ChanceActor,
    Fairness,
    Included,
    Judgement,
    Problem,
    VariantList,
    VariantSummary,
)


def model(variant: str, before: str = "", after: str = "") -> Any:
    """The generated class of a variant. Its name contains the variant's name: `NewRollAndWrite`."""
    return getattr(models, f"{before}{variant.title().replace('-', '')}{after}")


def new_game(url: str, summary: VariantSummary) -> Any:
    """The body that creates a game of few turns, made from what the service says about the variant."""
    variant = summary.variant
    about = get_variant.sync(variant, client=Client(base_url=url))
    assert isinstance(about, model(variant, after="Variant")), about
    few_turns = {"max_turns": 40} if "max_turns" in [option.name for option in about.options] else {}
    players = ["Ann", "Ben", "Cid", "Dee", "Eve"][: summary.seats.min_]
    return model(variant, "New").from_dict({"variant": variant, "players": players, "options": few_turns})


def play(url: str, key: str, summary: VariantSummary) -> str:
    """Play a game to its end. Returns a summary."""
    variant = summary.variant
    rng = random.Random(variant)
    wish = new_game(url, summary)
    for client in (Client(base_url=url), AuthenticatedClient(base_url=url, token="wrong")):
        refused = create_game.sync(client=client, body=wish)
        assert isinstance(refused, Problem), refused
        assert refused.code == "api-key-required"
    created = create_game.sync(client=AuthenticatedClient(base_url=url, token=key), body=wish)
    assert isinstance(created, model(variant, "Created", "Game")), created
    assert created.variant == variant
    seats = [AuthenticatedClient(base_url=url, token=token) for token in created.tokens.seats]
    to_act: Sequence[ChanceActor | int] = created.to_act
    events = created.version
    while to_act:
        seat = rng.choice([actor for actor in to_act if isinstance(actor, int)])
        listed = list_moves.sync(created.id, client=seats[seat])
        assert isinstance(listed, model(variant, after="LegalMoves")), listed
        chosen = rng.choice(listed.moves)
        judged = check_moves.sync(created.id, client=seats[seat], body=chosen)
        assert isinstance(judged, Judgement), judged
        assert judged.legal
        acted = make_moves.sync(created.id, client=seats[seat], body=chosen, include=[*Included])
        assert isinstance(acted, Acted), acted
        assert acted.game.score
        to_act, events = acted.game.to_act, acted.version
    score = get_score.sync(created.id, client=Client(base_url=url))
    assert isinstance(score, model(variant, after="Score")), score
    assert score.final
    fairness = get_fairness.sync(created.id, client=Client(base_url=url))
    assert isinstance(fairness, Fairness), fairness
    assert fairness.seed
    return f"{variant}: finished after {events} events, winners {score.winners}"


if __name__ == "__main__":
    address, api_key = sys.argv[1:]
    known = list_variants.sync(client=Client(base_url=address))
    assert isinstance(known, VariantList), known
    for each in known.variants:
        print(play(address, api_key, each))
