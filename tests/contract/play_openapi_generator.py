"""Plays a game of each variant through the client that openapi-generator makes for Python.

It imports only the generated package, `openapi_generator_client`. Its argument is the URL of the service.
"""

import random
import sys

from openapi_generator_client import ApiClient, Configuration, GamesApi, Included, MovesRequest, NewGame, VariantsApi


def calls(url: str, token: str | None = None) -> ApiClient:
    """A connection with a token."""
    return ApiClient(Configuration(host=url, access_token=token))


def new_game(url: str, variant: str) -> NewGame:
    """The body that creates a game of few turns, made from what the service says about the variant."""
    about = VariantsApi(calls(url)).get_variant(variant).actual_instance
    assert about
    few_turns = {"max_turns": 40} if "max_turns" in [option["name"] for option in about.to_dict()["options"]] else {}
    players = ["Ann", "Ben", "Cid", "Dee", "Eve"][: about.seats.min]
    wish = NewGame.from_dict({"variant": variant, "players": players, "options": few_turns})
    assert wish
    return wish


def play(url: str, variant: str) -> str:
    """Play a game to its end. Returns a summary."""
    rng = random.Random(variant)
    created = GamesApi(calls(url)).create_game(new_game(url, variant)).actual_instance
    assert created
    seats = [GamesApi(calls(url, token)) for token in created.tokens.seats]
    to_act, events = created.to_act, created.version
    while to_act:
        seat = rng.choice([actor.actual_instance for actor in to_act if isinstance(actor.actual_instance, int)])
        listed = seats[seat].list_moves(created.id).actual_instance
        assert listed
        move = MovesRequest(rng.choice([each.actual_instance for each in listed.moves]))
        judged = seats[seat].check_moves(created.id, move)
        assert judged.legal
        acted = seats[seat].make_moves(created.id, move, include=[*Included])
        game = acted.game.actual_instance
        assert game
        assert game.score
        to_act, events = game.to_act, acted.version
    score = seats[0].get_score(created.id).actual_instance
    assert score
    assert score.final
    assert seats[0].get_fairness(created.id).seed
    return f"{variant}: finished after {events} events, winners {score.winners}"


if __name__ == "__main__":
    address = sys.argv[1]
    for each in VariantsApi(calls(address)).list_variants().variants:
        print(play(address, each.variant))
