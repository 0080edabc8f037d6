"""Verify the chance of a recorded game, without the service: python3 verify_chance.py record.json

Does the commitment follow from the seed, and every deal, draw and roll? The moves of the seats are not judged. Of a
game that got a new seed (`seed_from`) the earlier outcomes cannot be verified.
"""

import hashlib
import hmac
import json
import sys


def picks(seed, version):
    """The function `pick` of the event with that version."""

    def stream():
        for block in range(sys.maxsize):
            yield from hmac.digest(seed, f"{version}/{block}".encode(), "sha256")

    left = stream()
    return lambda n: next(x for x in left if x < 256 - 256 % n) % n


def cards(colours, ranks):
    """All cards in their order."""
    return [colour + rank for colour in colours for rank in ranks.split()]


def without(deck, gone):
    """The deck without these cards."""
    left = [*deck]
    for card in gone:
        left.remove(card)
    return left


def decks(record):
    """The cards that are picked from, in their order: the full deck, what is left of it, and the starting wagers."""
    position = record.get("position")
    lying = [card for seat in position["expeditions"] for pile in seat.values() for card in pile] if position else []
    if record["variant"] == "duel":
        full = cards("YBWGRP"[: record["options"].get("expeditions", 5)], "w w w 2 3 4 5 6 7 8 9 10")
        for pile in [*position["hands"], *position["discards"].values()] if position else []:
            lying += pile
        return full, without(full, lying), []
    full, wagers = cards("GWRYB", "w w w 2 2 3 3 4 4 5 5 6 7 8 9 10"), cards("GWRYB", "w w")
    if not position:
        return full, full, wagers
    dealt = [wager for seat in position["starting_wagers"] for wager in seat]
    lying = without(lying, dealt) + position["display"] + position["removed"] + position["unusable"]
    return full, without(full, lying), without(wagers, dealt)


def dice(variant, count, pick):
    """The faces of the dice that are thrown."""
    if variant == "treasure-hunt":
        return ["12345w"[pick(6)] for _ in range(count)]
    return ["ROYGBP"[pick(6)] for _ in range(3)] + [str(pick(10)) for _ in range(3)]


def two_wagers(left, pick):
    """A seat's starting wagers, in two colours."""
    first = left[pick(len(left))]
    others = [wager for wager in left if wager != first]
    return [first, others[pick(len(others))]]


def wrong_outcomes(record):
    """The versions of the outcomes of chance that do not follow from the seed."""
    seed, since = bytes.fromhex(record["seed"]), record.get("seed_from", 0)
    full, deck, wagers = decks(record) if record["variant"] in ("duel", "rivals") else ([], [], [])
    for version, event in enumerate(record["events"], 1):
        if event["actor"] != "chance":
            continue
        verb, *shown = event["notation"].split()
        pick = picks(seed, version)
        if verb == "roll":
            expected = dice(record["variant"], len(shown), pick)
        elif verb == "wagers":
            _seat, *shown = shown
            expected, wagers = two_wagers(wagers, pick), without(wagers, shown)
        else:
            if verb == "deal":
                seat, *shown = shown
                deck = full if seat == "0" else deck  # a new round
            left = [*deck]
            expected, deck = [left.pop(pick(len(left))) for _ in shown], without(deck, shown)
        if version > since and sorted(expected) != sorted(shown):
            yield version


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        game = json.load(file)
    if game["seed"] is None:
        sys.exit("the record has no seed")
    if hashlib.sha256(bytes.fromhex(game["seed"])).hexdigest() != game["commitment"]:
        sys.exit("the commitment is not the SHA-256 of the seed")
    if wrong := [*wrong_outcomes(game)]:
        sys.exit(f"these versions do not follow from the seed: {wrong}")
    since = game.get("seed_from", 0)
    print(
        f"every outcome after version {since} follows from the seed" if since else "every outcome follows from the seed"
    )
