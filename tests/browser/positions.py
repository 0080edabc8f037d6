"""Games for the tests of the page: in progress, and finished."""

from tests.client import GameClient, create_game
from tests.conformance.tables import brief
from tests.server.serving import Service


def link_of(game: GameClient, seat: int) -> str:
    """The link with which a player opens the page."""
    return f"/#game={game.id}&seat={seat}&token={game.seats[seat]}"


def halfway(service: Service, variant: str) -> GameClient:
    """A game in progress in which seat 0 is to act."""
    game = create_game(service.client, variant, seed="a1" * 32)
    for turn in range(60):
        moves = service.client.get(game.path + "/moves", token=game.host).body["moves"]
        if turn > 30 and moves[0]["seat"] == 0 and len(moves) > 2:
            break
        game.do(moves[turn * 7 % len(moves)]["notation"])
    return game


def finished(service: Service, variant: str) -> GameClient:
    """A short finished game."""
    game = create_game(service.client, variant, seed="a7" * 32, options=brief(variant, 6))
    turn = 0
    while moves := service.client.get(game.path + "/moves", token=game.host).body["moves"]:
        game.do(moves[turn * 7 % len(moves)]["notation"])
        turn += 1
    return game
