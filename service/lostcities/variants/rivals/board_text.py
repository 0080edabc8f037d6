"""A game of rivals as text: the display, the auction, and a column for each seat with its gold and expeditions."""

from collections.abc import Iterator, Sequence

from lostcities.boards.text import JsonObject, columns, row
from lostcities.variants.rivals.rules import COLOUR_NAMES, COLOURS


def describe(game: JsonObject, names: Sequence[str]) -> Iterator[str]:
    """The position as lines of text."""
    position = game["position"]
    yield f"Display: {row(position['display'])}"
    later = f", then piles of {row(position['piles'])}" if position["piles"] else ", the last pile"
    yield f"Cards in the pile: {position['pile']}{later}. Gold in the supply: {position['supply']}."
    auction = position["auction"]
    if auction:
        bidding = ", ".join(names[seat] for seat in auction["in"])
        yield f"Auction: the highest bid is {auction['bid']} by {names[auction['holder']]}. Still in: {bidding}."
    if position["phase"] == "take":
        yield f"{names[position['active']]} won the auction. Cards that it may still remove: {position['removals']}."
    yield ""
    yield from columns(
        ("", *names),
        ("gold", *map(str, position["gold"])),
        *(
            (f"{letter} {name}", *(row(expeditions[letter]) for expeditions in position["expeditions"]))
            for letter, name in zip(COLOURS, COLOUR_NAMES, strict=True)
        ),
    )
    yield f"Removed by winners: {row(position['removed'])}. Out of the game as unusable: {row(position['unusable'])}."
