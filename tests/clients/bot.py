# Plays a seat until its game is over: python bot.py http://127.0.0.1:8000/games/GAME_ID SEAT_TOKEN
import json
import random
import sys
import time
import uuid
from http.client import HTTPException
from typing import Any
from urllib import error, request


def ask(path: str, body: bytes | None = None, **headers: str) -> tuple[Any, str]:
    headers |= {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    for attempt in range(12):  # a retry is the same request with the same key: it is carried out once
        try:
            with request.urlopen(request.Request(URL + path, body, headers), timeout=60) as answer:
                return json.load(answer), answer.headers["ETag"]
        except error.HTTPError as refusal:
            if refusal.code in (409, 412):  # the game has moved on meanwhile: look again
                return None, ""
            if refusal.code not in (429, 502, 503, 504):
                sys.exit(f"{refusal.code}: {refusal.read().decode()}")
            wait = float(refusal.headers["Retry-After"] or 0)
        except (OSError, HTTPException):  # the line was cut, before or after the move was made
            wait = 0
        time.sleep(wait + random.uniform(0, min(20, 0.1 * 2**attempt)))
    sys.exit("the service does not answer")


_, URL, TOKEN = sys.argv
made, (game, seen) = 0, ask("?include=moves")
while game["status"] == "playing":
    told = None
    if game["moves"]:
        once = {"If-Match": seen, "Idempotency-Key": str(uuid.uuid4())}
        told, seen = ask("/moves?include=moves", json.dumps(random.choice(game["moves"])).encode(), **once)
        made += told is not None
    game, seen = (told["game"], seen) if told else ask(f"?include=moves&after={game['version']}&wait=25")
print(json.dumps({"moves": made, "outcome": game["outcome"]}))
