# Plays a seat until its game is over: python bot.py http://127.0.0.1:8000/games/GAME_ID SEAT_TOKEN
import random
import sys

from lostcities_client import GameClient

game, made = GameClient(url=sys.argv[1], token=sys.argv[2]), 0
for turn in game.turns():
    made += turn.make(random.choice(turn.moves)) is not None
print(made, game.get().outcome)
