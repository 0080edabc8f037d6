"""A duel as text: the hands, and a row for each colour with its expeditions and its discard pile."""

from collections.abc import Iterator, Sequence

from lostcities.boards.text import JsonObject, columns, row
from lostcities.variants.duel.rules import COLOUR_NAMES, COLOURS, HIDDEN


def describe(game: JsonObject, names: Sequence[str]) -> Iterator[str]:
    """The position as lines of text."""
    position, options = game["position"], game["options"]
    if options["rounds"] > 1:
        yield f"Round {len(position['rounds']) + 1} of {options['rounds']}, started by {names[position['starter']]}."
        for number, points in enumerate(position["rounds"], 1):
            yield f"Points of round {number}: " + ", ".join(map(_points, names, points)) + "."
    limit = "" if options["max_turns"] is None else f" of at most {options['max_turns']}"
    yield f"Cards in the deck: {position['deck']}. Finished turns: {position['turns']}{limit}."
    for name, hand in zip(names, position["hands"], strict=True):
        yield f"Hand of {name}: {_hand(hand)}"
    yield ""
    first, second = position["expeditions"]
    yield from columns(
        ("colour", f"expedition of {names[0]}", f"expedition of {names[1]}", "discard pile, top card last"),
        *(
            (f"{letter} {name}", row(first[letter]), row(second[letter]), row(pile))
            for letter, name, pile in zip(COLOURS, COLOUR_NAMES, position["discards"].values(), strict=False)
        ),
    )
    if position["closed"]:
        yield f"The pile {position['closed']} is closed for this draw: its top card was just discarded."


def _hand(hand: Sequence[str]) -> str:
    """The cards of a hand.

    >>> _hand(["R7", "?", "?"]), _hand(["?", "?"])
    ('R7 and 2 unknown cards', '2 unknown cards')
    """
    seen = [card for card in hand if card != HIDDEN]
    hidden = len(hand) - len(seen)
    return " and ".join([*([row(seen)] if seen else []), *([f"{hidden} unknown cards"] if hidden else [])])


def _points(name: str, points: int) -> str:
    return f"{name} {points}"
