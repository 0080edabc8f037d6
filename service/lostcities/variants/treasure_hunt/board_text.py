"""A treasure hunt as text: the dice, the tiles by colour, and the bonus tiles with what each seat needs for them."""

from collections.abc import Iterator, Sequence

from lostcities.boards.text import NOTHING, JsonObject, columns, row
from lostcities.variants.treasure_hunt.rules import BONUSES, COLOUR_NAMES, COLOURS


def describe(game: JsonObject, names: Sequence[str]) -> Iterator[str]:
    """The position as lines of text."""
    position = game["position"]
    if position["dice"]:
        yield f"Dice: {row(position['dice'])}. Sums of one, two or three of them: {row(position['numbers'])}."
    limit = game["options"]["max_turns"]
    most = "" if limit is None else f" of at most {limit}"
    yield f"Finished turns: {position['turns']}{most}. A tile that ends in w lies wager side up."
    yield ""
    yield from columns(
        ("tiles", "centre", *names),
        *(
            (
                f"{letter} {name}",
                row(position["centre"]["tiles"][letter]),
                *(row(expeditions[letter]) for expeditions in position["expeditions"]),
            )
            for letter, name in zip(COLOURS, COLOUR_NAMES, strict=True)
        ),
    )
    yield ""
    yield from columns(
        ("bonus tile", "condition", *names),
        *(
            (bonus.name, bonus.condition, *(_standing(position, seat, bonus.name) for seat in range(len(names))))
            for bonus in BONUSES
        ),
    )


def _standing(position: JsonObject, seat: int, bonus: str) -> str:
    """How a seat stands to a bonus tile."""
    if bonus in position["bonuses"][seat]:
        return "has it"
    if bonus not in position["centre"]["bonuses"]:
        return NOTHING
    conditions = position["conditions"][seat]
    if bonus in conditions["fulfilled"]:
        return "fulfilled"
    missing = conditions["missing"][bonus]
    return "out of reach" if missing is None else f"needs {missing}"
